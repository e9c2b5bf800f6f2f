// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes either become a clip, with finite poses, or get a message. Any clip either can be
// played on a humanoid, with finite coordinates, or gets a message.
#include "meshes.h"
#include "rig/feet.h"
#include "scenes/scenes.h"

#define MOST_PLAYED 200 // frames: longer ones show nothing new and take time

static void checkClip(const snClip* clip)
{
    const snClipInfo* info = snClip_Info(clip);
    require(info->joint_count > 0 && info->frame_count > 0 && info->rate > 0);
    require(info->first >= 0 && info->first < info->frame_count && info->duration >= 0);
    for (int32_t i = 0; i < info->joint_count; ++i) {
        const snClipJoint* j = snClip_Joint(clip, i);
        require(j->parent < i && j->name[0] != 0);
        for (int32_t f = -1; f < info->frame_count && f < 2; ++f) {
            snVec3 p = snClip_Place(clip, f, i).p;
            checkPoints(&p, 1);
        }
    }
}

static void play(const snClip* clip)
{
    static snSkeleton* skeleton;
    snMessage why = {""};
    snArena arena;
    snRetarget r;
    snFeet feet;
    snFeetError error;
    if (!skeleton) {
        require(snMakeHumanoid(NULL, &skeleton, &why) == sn_ok);
    }
    snArena_Init(&arena, NULL);
    snStatus status = snRetarget_Run(&arena, clip, skeleton, &r, &why);
    require((status == sn_ok) == (why.text[0] == 0));
    if (!status && r.legs[0]) {
        require(snFeet_Find(&arena, &r, &feet, &why) == sn_ok);
        snFeet_Hold(&feet);
        require(snFeet_Measure(&arena, &feet, &error, &why) == sn_ok);
    }
    for (size_t i = 0; !status && i < (size_t)r.frame_count * (size_t)skeleton->nq; ++i) {
        require(fabs(r.q[i]) < HUGE_VAL);
    }
    snArena_Free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    Ration ration;
    snArena arena = rationed(&ration, size);
    snMessage why = {""};
    snClip* clip;
    snStatus status = snClip_Parse(&arena.host, (const char*)data, size, "fuzz", NULL, &clip, &why);
    require((status == sn_ok) == (why.text[0] == 0));
    require((status == sn_ok) == (clip != NULL));
    if (clip) {
        checkClip(clip);
        if (snClip_Info(clip)->frame_count <= MOST_PLAYED) {
            play(clip);
        }
    }
    snClip_Free(clip);
    snArena_Free(&arena);
    return 0;
}
