// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The groove on the humanoid, for tests that change one or the other.
#ifndef SN_TESTS_RIG_DANCER_H
#define SN_TESTS_RIG_DANCER_H

#include "check.h"
#include "rig/feet.h"
#include "scenes/groove.h"
#include "scenes/scenes.h"

static inline snClip* makeGroove(void)
{
    static char text[SN_GROOVE_SIZE];
    snMessage why;
    snClip* clip;
    size_t length = snGroove_Write(text);
    assert_ok(snClip_Parse(NULL, text, length, "groove", NULL, &clip, &why), why);
    return clip;
}

static inline snSkeleton* makeHumanoid(void)
{
    snMessage why;
    snSkeleton* skeleton;
    assert_ok(snMakeHumanoid(NULL, &skeleton, &why), why);
    return skeleton;
}

// Coordinates of all frames, with feet held or not; they live in the arena.
static inline snRetarget retarget(snArena* arena, const snClip* clip, const snSkeleton* skeleton,
                                  bool hold)
{
    snMessage why;
    snRetarget r;
    snFeet feet;
    assert_ok(snRetarget_Run(arena, clip, skeleton, &r, &why), why);
    assert_non_null(r.legs[0]);
    assert_ok(snFeet_Find(arena, &r, &feet, &why), why);
    if (hold) {
        snFeet_Hold(&feet);
    }
    return r;
}

// The largest difference of coordinates; quaternions are compared with their sign, which follows
// from the first frame's.
static inline double difference(const snRetarget* a, const snRetarget* b)
{
    double worst = 0;
    assert_int_equal(a->frame_count, b->frame_count);
    for (size_t i = 0; i < (size_t)a->frame_count * (size_t)a->skeleton->nq; ++i) {
        worst = fmax(worst, fabs(a->q[i] - b->q[i]));
    }
    return worst;
}

#endif
