// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/choice.h"

#include "cli/kind.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Times at which a clip is looked at, and by which part of the size something must move
#define TIMES 33
#define STILL 1e-6

// Names that are told
#define MOST_TOLD 12

const char* clipName(const snRig* rig, int32_t clip, char number[16])
{
    const snRigClip* c = snRig_Clip(rig, clip);
    snprintf(number, 16, "%d", (int)clip);
    return c && c->name[0] ? c->name : number;
}

static double change(const snMatrix* a, const snMatrix* b, double size)
{
    const double* p = &a->x.x;
    const double* q = &b->x.x;
    double most = 0;
    for (int i = 0; i < 12; ++i) {
        most = fmax(most, fabs(p[i] - q[i]) / (i < 9 ? 1 : size));
    }
    return most;
}

// Whether a joint, or a node a mesh hangs on, goes anywhere in a clip.
static bool moves(const snRig* rig, int32_t clip)
{
    const snRigInfo* f = snRig_Info(rig);
    const snRigClip* c = snRig_Clip(rig, clip);
    size_t nodes = (size_t)f->node_count;
    snMatrix* poses = c->duration > 0 ? calloc(2 * nodes + 1, sizeof *poses) : NULL;
    double size = fmax(fmax(f->high.x - f->low.x, f->high.y - f->low.y), f->high.z - f->low.z);
    bool any = false;
    for (int k = 0; poses && k < TIMES && !any; ++k) {
        double time = c->first + c->duration * k / (TIMES - 1);
        any = snRig_Pose(rig, clip, time, poses + (k ? nodes : 0), NULL, NULL) != sn_ok;
        for (size_t i = 0; k > 0 && i < nodes && !any; ++i) {
            any = change(&poses[i], &poses[nodes + i], fmax(size, 1e-30)) > STILL;
        }
    }
    free(poses);
    return any;
}

static int readMotion(const char* text, const Words* words, Choice* choice)
{
    if (words->count > 0) {
        return complain(EXIT_BAD_CALL, "--clip and --motion do not go together; give one of them");
    }
    for (int32_t i = 1; i < sn_motionCount; ++i) {
        if (strcmp(snMotion_Name(i), text) == 0) {
            choice->motion = i;
            return EXIT_DONE;
        }
    }
    FileList files;
    return complain(EXIT_BAD_CALL, "--motion takes hop, shake or turn, or a %s file, found '%s'",
                    listFilesOf(sn_fileMotion | sn_fileRig, files), text);
}

static void addOnce(Choice* choice, int32_t clip)
{
    for (int32_t k = 0; k < choice->count; ++k) {
        if (choice->clips[k] == clip) {
            return;
        }
    }
    choice->clips[choice->count++] = clip;
}

// Those that words mean, in the order of the words
static int listClips(const char* path, const snRig* rig, const Words* words, Choice* choice)
{
    snMessage why;
    snStatus status = sn_ok;
    int32_t* list = calloc((size_t)snRig_Info(rig)->clip_count + 1, sizeof *list);
    if (!list) {
        return complain(EXIT_RUN_FAILED, "out of memory");
    }
    for (int32_t w = 0; w < words->count && !status; ++w) {
        int32_t found = 0;
        status = snRig_FindClips(rig, words->at[w], list, &found, &why);
        for (int32_t i = 0; i < found && !status; ++i) {
            addOnce(choice, list[i]);
        }
    }
    free(list);
    return status ? complain(EXIT_BAD_CALL, "%s: %s", path, why.text) : EXIT_DONE;
}

static void dropStill(const snRig* rig, Choice* choice, bool quiet)
{
    int32_t kept = 0;
    char number[16];
    for (int32_t i = 0; i < choice->count; ++i) {
        int32_t clip = choice->clips[i];
        if (moves(rig, clip)) {
            choice->clips[i] = choice->clips[kept];
            choice->clips[kept++] = clip;
        } else if (!quiet) {
            printf("clip '%s' is left out: %s\n", clipName(rig, clip, number),
                   snRig_Clip(rig, clip)->duration > 0 ? "nothing moves in it"
                                                       : "it is a single pose");
        }
    }
    choice->still = choice->count - kept;
    choice->count = kept;
}

static void chooseFirst(const snRig* rig, Choice* choice, bool quiet)
{
    int32_t count = snRig_Info(rig)->clip_count, first = 0;
    char number[16];
    while (first < count && !moves(rig, first)) {
        ++first;
    }
    if (first == count) {
        return;
    }
    choice->clips[choice->count++] = first;
    if (!quiet && count > 1) {
        printf("clip '%s' of %d", clipName(rig, first, number), (int)count);
        int told = 0;
        for (int32_t i = 0; i < count && told < MOST_TOLD; ++i) {
            if (i != first) {
                printf("%s'%s'", told++ ? ", " : "; --clip takes ", clipName(rig, i, number));
            }
        }
        printf("%s, or all\n", told < count - 1 ? " ..." : "");
    }
}

int chooseClips(const char* path, const snRig* rig, const Words* words, const char* motion,
                bool quiet, Choice* choice)
{
    int32_t count = snRig_Info(rig)->clip_count;
    *choice = (Choice){0};
    if (motion) {
        return readMotion(motion, words, choice);
    }
    if (count == 0) {
        return complain(
            EXIT_BAD_CALL,
            "%s has no clips; '--motion hop', shake or turn moves it instead, or a clip of "
            "another file: '--motion walk.bvh'",
            path);
    }
    choice->clips = calloc((size_t)count, sizeof *choice->clips);
    if (!choice->clips) {
        return complain(EXIT_RUN_FAILED, "out of memory");
    }
    int code = EXIT_DONE;
    if (words->count > 0) {
        code = listClips(path, rig, words, choice);
        dropStill(rig, choice, quiet);
    } else {
        chooseFirst(rig, choice, quiet);
    }
    if (!code && choice->count == 0) {
        code = complain(EXIT_BAD_CALL,
                        "%s: nothing moves in %s; '--motion hop', shake or turn moves it instead",
                        path, words->count > 0 ? "what --clip names" : "its clips");
    }
    return code;
}

void freeChoice(Choice* choice)
{
    free(choice->clips);
    *choice = (Choice){0};
}
