// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/motion.h"

#include "cli/clip.h"
#include "cli/kind.h"
#include "cli/rig_facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAN 45.0 // deg: more is no standing

// What is doubtful about it
static void printDoubts(const snMotionReport* r)
{
    if (r->is_partial) {
        printf(
            "  only a part of a person's motion fits: nothing here follows its %s, so that is left "
            "out. It moves %s. --map FILE says what the others are\n",
            r->missing, r->follows);
    }
    if (r->rest_lean > LEAN) {
        printf("  this is no upright body: in its bind pose the line from hips to head is %.0f "
               "degrees "
               "off the vertical, and %.0f where the recording stands. It moves %s\n",
               r->rest_lean, r->lean, r->follows);
    } else if (r->lean > LEAN) {
        printf("  where the recording stands, hips to head, the character is %.0f degrees off the "
               "vertical; up is Y: turn it upright in its file\n",
               r->lean);
    }
}

static void printFeet(const snMotionReport* r, bool unheld)
{
    if (unheld) {
        printf("  feet are not held on the ground, as asked for\n");
    } else if (!r->feet) {
        printf(
            "  feet are not held on the ground: that takes thigh, shin and foot on either side\n");
    } else if (r->stances == 0) {
        printf("  no foot stands still in it, so none is held on the ground\n");
    } else {
        printf("  feet stand %d time%s: at most %.1f mm off the ground, %.1f mm of slide (as "
               "recorded %.1f and %.1f)\n",
               (int)r->stances, r->stances == 1 ? "" : "s", 1e3 * r->height_after,
               1e3 * r->slide_after, 1e3 * r->height_before, 1e3 * r->slide_before);
    }
}

static void printMotion(const snRig* rig, const MotionOptions* o, const snMotionReport* r)
{
    printf("%s%s%s%s becomes clip '%s'%s", o->motion, r->source[0] ? ": clip '" : "",
           r->source[0] ? r->source : "", r->source[0] ? "'" : "", snRig_Clip(rig, r->clip)->name,
           r->motion_only ? "; the file holds motion only" : "");
    if (r->clip_count > 1) {
        printf("; --motion-clip takes others of its %d", (int)r->clip_count);
    }
    if (r->copied) {
        printf("\n  both are built alike: keys of %d nodes are copied%s\n", (int)r->joint_count,
               r->scale == 1 ? " as they are" : ", travel scaled to the rig's size");
    } else {
        printf("\n  %d joints follow it; one of its units is %.4g here\n", (int)r->joint_count,
               r->scale);
        if (r->idle[0]) {
            printf("  nothing in it fits %s; they keep their pose. --map FILE says what does\n",
                   r->idle);
        }
        printFeet(r, o->no_feet);
    }
    printDoubts(r);
}

int readMotionOptions(MotionOptions* o)
{
    o->motion = o->given.count > 0 ? o->given.at[0] : NULL;
    return o->given.count > 1
               ? complain(EXIT_BAD_CALL,
                          "--motion is given twice, as '%s' and '%s'; make two calls of it",
                          o->given.at[0], o->given.at[1])
               : EXIT_DONE;
}

int addMotion(snRig* rig, const MotionOptions* o, const Words* clips, bool quiet, int32_t* added)
{
    snMessage why;
    snMotionDef def;
    snMotionReport report;
    bool file =
        o->motion && (isFileOf(o->motion, sn_fileRig) || isFileOf(o->motion, sn_fileMotion));
    *added = -1;
    if ((o->clip || o->map || o->no_feet) && !file) {
        return complain(EXIT_BAD_CALL, "%s goes with --motion FILE",
                        o->clip  ? "--motion-clip"
                        : o->map ? "--map"
                                 : "--no-feet");
    }
    if (!file) {
        return EXIT_DONE;
    }
    if (clips->count > 0) {
        return complain(EXIT_BAD_CALL, "--clip and --motion do not go together; give one of them%s",
                        "; --motion-clip names a clip of the other file");
    }
    snMotionDef_Init(&def);
    def.clip = o->clip;
    def.map = o->map;
    def.feet = o->no_feet ? 0 : def.feet;
    snStatus status = snRig_AddMotion(rig, o->motion, &def, &report, &why);
    if (status) {
        return complain(exitCode(status), "%s%s", why.text,
                        strstr(why.text, "mapping file") && !o->map ? "; --map takes it" : "");
    }
    *added = report.clip;
    if (!quiet) {
        printMotion(rig, o, &report);
    }
    return EXIT_DONE;
}

int chooseMotion(const char* path, const snRig* rig, const Words* words, const MotionOptions* o,
                 int32_t added, bool quiet, Choice* choice)
{
    if (added < 0) {
        return chooseClips(path, rig, words, o->motion, quiet, choice);
    }
    *choice = (Choice){.count = 1, .clips = calloc(1, sizeof *choice->clips)};
    if (!choice->clips) {
        return complain(EXIT_RUN_FAILED, "out of memory");
    }
    choice->clips[0] = added;
    return EXIT_DONE;
}
