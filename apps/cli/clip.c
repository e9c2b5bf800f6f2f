// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#define _POSIX_C_SOURCE 200809L // strcasecmp
#include "cli/clip.h"

#include "cli/cli.h"

#include <string.h>
#include <strings.h>

static int openClip(const snHost* host, const char* path, snClip** clip)
{
    snMessage why;
    snStatus status = snClip_Load(host, path, NULL, clip, &why);
    return status ? complain(exitCode(status), "%s", why.text) : EXIT_DONE;
}

static void printClip(const char* path, const snClip* clip)
{
    static const char AXES[3] = {'x', 'y', 'z'};
    const snClipInfo* i = snClip_Info(clip);
    printf("%s: BVH, %d joints, %d channels, %d frame%s at %g frames/s, %.4g s%s\n", path,
           (int)i->joint_count, (int)i->channel_count, (int)i->frame_count,
           i->frame_count == 1 ? "" : "s", i->rate, i->duration,
           i->first ? "; frame 0 is a rest pose" : "");
    if (i->unit > 0) {
        printf("  hips %.4g above the feet: the unit is probably %s; %c is up\n", i->hip_height,
               i->unit_name, AXES[i->up]);
    }
    printf("  %d of the joints are known by their names\n", (int)i->matched);
}

int infoClip(const char* path)
{
    snClip* clip = NULL;
    int code = openClip(NULL, path, &clip);
    if (code) {
        return code;
    }
    printClip(path, clip);
    printf("  %3s  %-20s %-20s %-12s offset\n", "#", "joint", "parent", "known as");
    for (int32_t k = 0; snClip_Joint(clip, k); ++k) {
        const snClipJoint* j = snClip_Joint(clip, k);
        const snClipJoint* parent = snClip_Joint(clip, j->parent);
        printf("  %3d  %-20s %-20s %-12s (%.4g, %.4g, %.4g)\n", (int)k, j->name,
               parent ? parent->name : "-", j->part ? j->part : "-", j->offset.x, j->offset.y,
               j->offset.z);
    }
    snClip_Free(clip);
    return EXIT_DONE;
}

static void printFeet(const snPlayReport* r)
{
    if (r->feet) {
        printf("  feet stand %d time%s: at most %.1f mm off the ground, %.1f mm of slide (as "
               "recorded %.1f and %.1f)\n",
               (int)r->stances, r->stances == 1 ? "" : "s", 1e3 * r->height_after,
               1e3 * r->slide_after, 1e3 * r->height_before, 1e3 * r->slide_before);
    } else {
        printf("  feet are not looked at: clip or character has no legs that are known\n");
    }
}

int playClip(const snHost* host, snScene* scene, const char* path, bool quiet)
{
    snMessage why;
    snPlayReport report;
    snClip* clip = NULL;
    int code = openClip(host, path, &clip);
    snStatus status = code ? sn_ok : snScene_PlayClip(scene, 0, clip, NULL, &report, &why);
    if (!code && !status) {
        snSceneDef def = *snScene_Def(scene);
        def.duration = report.end;
        status = snScene_SetDef(scene, &def, &why);
    }
    code = status ? complain(exitCode(status), "%s: %s", path, why.text) : code;
    if (!code && !quiet) {
        const snSkeleton* skeleton = snCharacter_Skeleton(snScene_Character(scene, 0));
        printClip(path, clip);
        int32_t bones = snSkeleton_BoneCount(skeleton);
        printf("  %d of %d bones follow it; one of its units is %.4g m here\n",
               (int)report.bone_count, (int)bones, report.scale);
        if (2 * report.bone_count < bones + 2 && report.idle[0]) {
            printf("  the clip moves little of this character: no joint fits %s. Play it on "
                   "one that is built like the one in the clip, or give it a mapping file "
                   "(\"map\" in a scene file)\n",
                   report.idle);
        }
        printFeet(&report);
    }
    snClip_Free(clip);
    return code;
}

int checkClip(const char* path)
{
    snMessage why;
    snScene* scene = NULL;
    snSkeleton* skeleton = NULL;
    snCharacter* character = NULL;
    snStatus status = snMakeHumanoid(NULL, &skeleton, &why);
    status = status ? status : snCharacter_Create(NULL, "humanoid", skeleton, &character, &why);
    status = status ? status : snScene_Create(NULL, NULL, &scene, &why);
    status = status ? status : snScene_Add(scene, character, NULL, NULL, &why);
    int code =
        status ? complain(exitCode(status), "%s", why.text) : playClip(NULL, scene, path, false);
    if (!code) {
        printf("%s: fine\n", path);
    }
    snScene_Free(scene);
    snCharacter_Release(character);
    snSkeleton_Release(skeleton);
    return code;
}
