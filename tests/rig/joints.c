// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Joints that clips were made with are found again: types, axes, limits, and where a foot that
// hangs on the hips belongs.

#include "rig/joints.h"

#include "rig/ik_leg.h"

#define DEGREE (SN_PI / 180)

static const double margin = 10 * DEGREE; // that limits are wider
static const double turn_error = 1e-3;    // rad: keys are floats, samples are at keys
static const double pivot_error = 1e-3;   // m: how small a pivot is counts a little
static const double axis_error = 1e-3;    // of unit vectors

static const snRigJoint* find(const snRigJoints* joints, const char* name)
{
    for (int32_t i = 0; i < joints->count; ++i) {
        if (strcmp(joints->joints[i].name, name) == 0) {
            return &joints->joints[i];
        }
    }
    fail_msg("no joint '%s'", name);
    return NULL;
}

static const char* parentOf(const snRigJoints* joints, const char* name)
{
    int32_t parent = find(joints, name)->parent;
    return parent < 0 ? "" : joints->joints[parent].name;
}

static void test_types(void** state)
{
    IkLeg g;
    snMessage why;
    snRigJoints* joints;
    (void)state;
    openLeg(&g, 0);
    assert_ok(snRigJoints_Fit(NULL, &g.made.rig, &joints, &why), why);
    assert_int_equal(joints->count, 5);
    assert_int_equal(find(joints, "hips")->type, sn_jointFree);
    assert_int_equal(find(joints, "thigh")->type, sn_jointBall);
    assert_int_equal(find(joints, "chest")->type, sn_jointWeld);
    assert_int_equal(find(joints, "foot")->type, sn_jointBall);
    const snRigJoint* knee = find(joints, "shin");
    assert_int_equal(knee->type, sn_jointRevolute);
    assert_close(fabs(knee->axis.x), 1, axis_error);
    assert_close(knee->high - knee->low, 1.0 + 2 * margin, 2e-2); // extremes lie between samples
    for (int32_t i = 0; i < joints->count; ++i) {
        assert_true(joints->joints[i].parent < i);
        assert_int_equal(joints->of_node[joints->joints[i].node], i);
    }
    snRigJoints_Free(joints);
    dropRig(&g.made);
}

// Every turn of the thigh is within its cone and twist, the margin away from the limit.
static void test_limits(void** state)
{
    IkLeg g;
    snMessage why;
    snRigJoints* joints;
    double most = 0, low = 0, high = 0;
    (void)state;
    openLeg(&g, 0);
    assert_ok(snRigJoints_Fit(NULL, &g.made.rig, &joints, &why), why);
    const snRigJoint* j = find(joints, "thigh");
    for (int i = 0; i < LEG_KEYS; i += 2) {
        const float* q = g.thigh + 4 * i;
        snQuat turn =
            snQMul(snQConj(j->rest), snQ((double)q[0], (double)q[1], (double)q[2], (double)q[3]));
        double swing, twist;
        snJoint_Split(j->axis, turn, &swing, &twist);
        most = fmax(most, swing), low = fmin(low, twist), high = fmax(high, twist);
    }
    assert_close(j->swing, most + margin, turn_error);
    assert_close(j->low, low - margin, turn_error);
    assert_close(j->high, high + margin, turn_error);
    assert_close(fabs(j->axis.y), 1, axis_error); // along the leg
    snRigJoints_Free(joints);
    dropRig(&g.made);
}

static void test_foot(void** state)
{
    IkLeg g;
    snMessage why;
    snRigJoints* joints;
    (void)state;
    openLeg(&g, 0);
    assert_ok(snRigJoints_Fit(NULL, &g.made.rig, &joints, &why), why);
    const snRigJoint* foot = find(joints, "foot");
    assert_true(foot->is_moved && !foot->follows);
    assert_string_equal(parentOf(joints, "foot"), "shin");
    assert_string_equal(parentOf(joints, "shin"), "thigh");
    assert_below(snLength(snSub(foot->pivot, LEG_PIVOT)), pivot_error);
    assert_below(snLength(snSub(foot->place, snV3(0, -0.4, 0))), pivot_error);
    snRigJoints_Free(joints);
    dropRig(&g.made);
}

// A foot that hangs on nothing is refused by its name; one that slips a little follows its clip.
static void test_loose(void** state)
{
    IkLeg g;
    snMessage why;
    snRigJoints* joints;
    (void)state;
    openLeg(&g, 0.2);
    assert_int_equal(snRigJoints_Fit(NULL, &g.made.rig, &joints, &why), sn_errorUnsupported);
    assert_non_null(strstr(why.text, "'foot'"));
    assert_non_null(strstr(why.text, "'hips'"));
    assert_null(joints);
    dropRig(&g.made);
}

static void test_slide(void** state)
{
    IkLeg g;
    snMessage why;
    snRigJoints* joints;
    (void)state;
    openLeg(&g, 0);
    for (int i = 0; i < LEG_KEYS; ++i) { // about where the hips see it
        g.place[3 * i] = (float)(0.08 * snSin(0.5 * i));
        g.place[3 * i + 1] = -0.9f;
        g.place[3 * i + 2] = (float)(0.08 * snCos(0.7 * i));
    }
    assert_ok(snRigJoints_Fit(NULL, &g.made.rig, &joints, &why), why);
    const snRigJoint* foot = find(joints, "foot");
    assert_true(foot->follows && !foot->is_moved);
    assert_int_equal(foot->type, sn_jointFree);
    assert_true(foot->slide > 0.02 && foot->slide < 0.1);
    snRigJoints_Free(joints);
    dropRig(&g.made);
}

static void test_without_clips(void** state)
{
    IkLeg g;
    snMessage why;
    snRigJoints* joints;
    (void)state;
    openLeg(&g, 0);
    g.made.rig.info.clip_count = 0;
    assert_ok(snRigJoints_Fit(NULL, &g.made.rig, &joints, &why), why);
    for (int32_t i = 1; i < joints->count; ++i) {
        assert_int_equal(joints->joints[i].type, sn_jointBall);
        assert_close(joints->joints[i].swing, 30 * DEGREE, 1e-12);
    }
    snRigJoints_Free(joints);
    dropRig(&g.made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_foot),  cmocka_unit_test(test_loose),
        cmocka_unit_test(test_slide), cmocka_unit_test(test_without_clips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
