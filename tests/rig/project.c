// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// What a joint can do it does exactly; limits hold and make no jump.
#include "rig/project.h"
#include "check.h"

#include "base/random.h"

#define TOLERANCE 1e-12 // a few roundings of sines and arc tangents
#define PI 3.141592653589793

static snVec3 anyAxis(snRandom* r)
{
    return snNormalize(snV3(snRandom_Normal(r), snRandom_Normal(r), snRandom_Normal(r)));
}

static snBone joint(int32_t type, snVec3 axis, snVec3 axis2)
{
    return (snBone){
        .type = type, .nv = type == sn_jointUniversal ? 2 : 1, .axis = axis, .axis2 = axis2};
}

static void assertSameTurn(snQuat a, snQuat b)
{
    assert_close(snLength(snQLog(snQMul(a, snQConj(b)))), 0, 1e-7); // acos-like near 0: sqrt of eps
}

static void whatAHingeCanDoItDoes(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    for (int i = 0; i < 1000; ++i) {
        snBone b = joint(sn_jointRevolute, anyAxis(&r), snV3(0, 0, 0));
        double angle = snRandom_Range(&r, -3.1, 3.1), q;
        snProject(&b, snV3(0, 0, 0), snQFromAxisAngle(b.axis, angle), NULL, &q);
        assert_close(q, angle, TOLERANCE);
    }
}

// Of all angles the hinge takes the one that leaves the least turn undone.
static void aHingeComesNearest(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    for (int i = 0; i < 300; ++i) {
        snBone b = joint(sn_jointRevolute, anyAxis(&r), snV3(0, 0, 0));
        snQuat turn = snQExp(snScale(snRandom_Range(&r, 0, 3), anyAxis(&r)));
        double q;
        snProject(&b, snV3(0, 0, 0), turn, NULL, &q);
        double best = fabs(snQDot(turn, snQFromAxisAngle(b.axis, q)));
        for (double a = -PI; a < PI; a += 0.05) {
            assert_true(fabs(snQDot(turn, snQFromAxisAngle(b.axis, a))) <= best + TOLERANCE);
        }
    }
}

// Along its second axis (a forearm): both angles come back.
static void bendAndTwistComeBack(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(3);
    for (int i = 0; i < 1000; ++i) {
        snVec3 a = anyAxis(&r), b = snNormalize(snCross(a, anyAxis(&r)));
        snBone bone = joint(sn_jointUniversal, a, b);
        double want[2] = {snRandom_Range(&r, -3, 3), snRandom_Range(&r, -3, 3)}, q[2];
        snQuat turn = snQMul(snQFromAxisAngle(a, want[0]), snQFromAxisAngle(b, want[1]));
        snProject(&bone, b, turn, NULL, q);
        assertSameTurn(snProject_Pose(&bone, q).q, turn);
    }
}

// Across its axes (a hand): it points where it should wherever it can.
static void directionsComeBack(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(4);
    for (int i = 0; i < 1000; ++i) {
        snVec3 a = anyAxis(&r), b = snNormalize(snCross(a, anyAxis(&r))), t = snCross(a, b);
        snBone bone = joint(sn_jointUniversal, a, b);
        snQuat turn = snQExp(snScale(snRandom_Range(&r, 0, 3), anyAxis(&r)));
        double q[2];
        snProject(&bone, t, turn, NULL, q);
        snVec3 got = snQRotate(snProject_Pose(&bone, q).q, t), want = snQRotate(turn, t);
        assert_close(snLength(snSub(got, want)), 0, 1e-7);
    }
}

static void limitsHoldWithoutAJump(void** state)
{
    (void)state;
    snBone b = joint(sn_jointRevolute, snV3(1, 0, 0), snV3(0, 0, 0));
    snBoneDef def;
    snBoneDef_Init(&def);
    def.dof[0].lower = -0.2;
    def.dof[0].upper = 1.4;
    const double step = 1e-3;
    double before = 0;
    for (double a = -20; a < 20; a += step) {
        double q = a;
        snProject_Limit(&b, &def, &q);
        assert_true(q >= -0.2 - TOLERANCE && q <= 1.4 + TOLERANCE);
        assert_true(a == -20 || fabs(q - before) <= step + TOLERANCE);
        before = q;
    }
    double inside = 0.7;
    snProject_Limit(&b, &def, &inside);
    assert_close(inside, 0.7, TOLERANCE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatAHingeCanDoItDoes),  cmocka_unit_test(aHingeComesNearest),
        cmocka_unit_test(bendAndTwistComeBack),   cmocka_unit_test(directionsComeBack),
        cmocka_unit_test(limitsHoldWithoutAJump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
