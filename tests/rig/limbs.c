// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Limbs that a recording turns right round are turned back; where a hinge lies is found out.
#include "rig/dancer.h"

#include "rig/leg.h"

#define SAME 1e-6 // what is undone was done by other roundings

static int32_t jointNamed(const snClip* c, const char* name)
{
    int32_t j = 0;
    while (strcmp(c->joints[j].name, name) != 0) {
        ++j;
    }
    return j;
}

// Half a turn of the whole limb about the line to its end, knee or elbow on the other side
static void flip(snClip* c, const char* top, const char* end, int32_t first, int32_t last)
{
    int32_t j = jointNamed(c, top), parent = c->joints[j].parent;
    for (int32_t f = first; f <= last; ++f) {
        snVec3 line = snSub(snClip_Place(c, f, jointNamed(c, end)).p, snClip_Place(c, f, j).p);
        snQuat up = snClip_Place(c, f, parent).q,
               *q = &c->turn[(size_t)f * (size_t)c->info.joint_count + (size_t)j];
        snVec3 n = snNormalize(snQRotate(snQConj(up), line));
        *q = snQMul(snQ(n.x, n.y, n.z, 0), *q);
    }
}

static void flipsAreUndone(void** state)
{
    (void)state;
    snArena arena;
    snArena_Init(&arena, NULL);
    snSkeleton* s = makeHumanoid();
    snClip *clip = makeGroove(), *broken = makeGroove();
    flip(broken, "RightUpLeg", "RightFoot", 50, 58);
    flip(broken, "RightUpLeg", "RightFoot", 80, 80);
    flip(broken, "LeftUpLeg", "LeftFoot", 100, 130);
    flip(broken, "LeftArm", "LeftHand", 30, 40);
    snRetarget a = retarget(&arena, clip, s, true), b = retarget(&arena, broken, s, true);
    assert_below(difference(&a, &b), SAME);
    snClip_Free(clip);
    snClip_Free(broken);
    snArena_Free(&arena);
    snSkeleton_Release(s);
}

// An upper arm whose own axes are rolled at rest, the forearm with it, asks for the same motion.
static void hingesAreFound(void** state)
{
    (void)state;
    snArena arena;
    snArena_Init(&arena, NULL);
    snSkeleton* s = makeHumanoid();
    snClip *clip = makeGroove(), *rolled = makeGroove();
    int32_t arm = jointNamed(rolled, "LeftArm"), fore = jointNamed(rolled, "LeftForeArm");
    snQuat roll = snQFromAxisAngle(snV3(1, 0, 0), 1.2);
    size_t n = (size_t)rolled->info.joint_count;
    // every frame but the rest pose has the arm rolled: its hinge lies elsewhere than at rest
    for (int32_t f = 1; f < rolled->info.frame_count; ++f) {
        snQuat *a = &rolled->turn[(size_t)f * n + (size_t)arm],
               *b = &rolled->turn[(size_t)f * n + (size_t)fore];
        *a = snQMul(*a, roll);
        *b = snQMul(snQConj(roll), *b);
    }
    snRetarget x = retarget(&arena, clip, s, true), y = retarget(&arena, rolled, s, true);
    assert_below(difference(&x, &y), 1e-3); // the mean axis is found, frame by frame the rest
    snClip_Free(clip);
    snClip_Free(rolled);
    snArena_Free(&arena);
    snSkeleton_Release(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flipsAreUndone),
        cmocka_unit_test(hingesAreFound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
