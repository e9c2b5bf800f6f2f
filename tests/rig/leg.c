// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Any foot in reach is met, place and turn; the knee bends forward.
#include "rig/leg.h"
#include "rig/dancer.h"

#include "base/random.h"
#include "skel/joint.h"
#include "skel/kinematics.h"

#define TOLERANCE 1e-9 // m and rad: sines, arc cosines and roots of a few steps

static void feetAreMet(void** state)
{
    (void)state;
    snArena arena;
    snArena_Init(&arena, NULL);
    snSkeleton* s = makeHumanoid();
    snClip* clip = makeGroove();
    snRetarget r = retarget(&arena, clip, s, false);
    snRandom random = snRandom_Seed(7);
    snBoneMotion motion[64];
    double q[100];
    for (int i = 0; i < 2000; ++i) {
        int side = i % 2;
        snLeg leg = snLeg_Make(&r, side, snV3(0, 0, 1));
        snSkeleton_ZeroPose(s, q);
        snKinematics_Position(s, q, NULL, motion);
        snVec3 hip = motion[leg.thigh].p;
        double yaw = snRandom_Range(&random, -0.8, 0.8), pitch = snRandom_Range(&random, -0.3, 0.5);
        snQuat foot =
            snQMul(snQFromAxisAngle(snV3(0, 1, 0), yaw), snQFromAxisAngle(snV3(1, 0, 0), pitch));
        snFootFrame frame = {.ankle = snAdd(hip, snV3(snRandom_Range(&random, -0.25, 0.25),
                                                      snRandom_Range(&random, -0.75, -0.5),
                                                      snRandom_Range(&random, -0.25, 0.25))),
                             .foot = foot,
                             .ball = 1,
                             .heel = 1};
        snLegFrame was = {.hip = hip, .base = snQIdentity(), .hinge = snV3(1, 0, 0)};
        snLeg_Solve(&leg, &was, &frame, q);
        snKinematics_Position(s, q, NULL, motion);
        assert_close(snLength(snSub(motion[leg.foot].p, frame.ankle)), 0, TOLERANCE);
        snMat3 off = snMatSub(motion[leg.foot].R, snMatFromQ(foot));
        for (int k = 0; k < 3; ++k) {
            assert_close(snLength(snMatRow(off, k)), 0, 1e-7);
        }
        assert_true(q[s->bones[leg.shin].qi] > 0);
        // knee before the line from hip to ankle, where the toes point
        snVec3 ahead = snQRotate(snQFromAxisAngle(snV3(0, 1, 0), yaw), snV3(0, 0, 1));
        snVec3 knee = snSub(motion[leg.shin].p, snScale(0.5, snAdd(hip, frame.ankle)));
        assert_true(snDot(knee, ahead) > 0);
    }
    snClip_Free(clip);
    snArena_Free(&arena);
    snSkeleton_Release(s);
}

// After the drop the foot is in reach.
static void dropsBringFeetInReach(void** state)
{
    (void)state;
    snArena arena;
    snArena_Init(&arena, NULL);
    snSkeleton* s = makeHumanoid();
    snClip* clip = makeGroove();
    snRetarget r = retarget(&arena, clip, s, false);
    snLeg leg = snLeg_Make(&r, 0, snV3(0, 0, 1));
    snRandom random = snRandom_Seed(8);
    double longest = leg.a + leg.b;
    for (int i = 0; i < 1000; ++i) {
        snVec3 ankle = snV3(0, 0, 0),
               hip = snV3(snRandom_Range(&random, -0.4, 0.4), snRandom_Range(&random, 0.3, 1.2),
                          snRandom_Range(&random, -0.4, 0.4));
        double drop = snLeg_Drop(&leg, hip, ankle);
        bool near = snLength(hip) < 0.99 * longest;
        assert_true(drop >= 0 && (!near || drop == 0));
        hip.y -= drop;
        assert_true(snLength(hip) < longest);
    }
    snClip_Free(clip);
    snArena_Free(&arena);
    snSkeleton_Release(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feetAreMet),
        cmocka_unit_test(dropsBringFeetInReach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
