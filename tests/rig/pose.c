// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Channels give what glTF's appendix C says, and nodes stand where their chains put them.

#include "rig/pose.h"

#include "check.h"

static const double tolerance = 1e-12;
static const double float_tolerance = 1e-7; // of keys that are no floats

static snRigChannel channelOf(int path, int way, int keys, int width, const float* times,
                              const float* values)
{
    return (snRigChannel){0, path, way, keys, width, times, values};
}

static double sample(const snRigChannel* c, double time, int k)
{
    double out[8];
    snRigChannel_Sample(c, time, out);
    return out[k];
}

static const float TIMES[3] = {1, 2, 4};

static void test_step_and_linear(void** state)
{
    (void)state;
    static const float values[9] = {0, 0, 0, 1, 10, -1, 2, 30, -5};
    snRigChannel c = channelOf(sn_pathTranslation, sn_interpolateStep, 3, 3, TIMES, values);
    static const double steps[][2] = {{-5, 0},   {1, 0},  {1.999, 0}, {2, 10},
                                      {3.9, 10}, {4, 30}, {1e300, 30}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
        assert_true(sample(&c, steps[i][0], 1) == steps[i][1]);
    }
    c.interpolation = sn_interpolateLinear;
    static const double lines[][2] = {{0, 0},  {1, 0},  {1.25, 2.5}, {2, 10},
                                      {3, 20}, {4, 30}, {9, 30}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
        assert_close(sample(&c, lines[i][0], 1), lines[i][1], tolerance);
    }
    c.key_count = 1;
    assert_true(sample(&c, 0, 2) == 0 && sample(&c, 7, 2) == 0);
    // keys at the same time are a cut: the later one holds from then on
    static const float cut[3] = {0, 1, 1};
    c = channelOf(sn_pathTranslation, sn_interpolateLinear, 3, 3, cut, values);
    assert_close(sample(&c, 0.999, 1), 9.99, tolerance);
    assert_true(sample(&c, 1, 1) == 30);
}

// Slerp goes the short way at constant speed, and the ends are the keys.
static void test_rotations(void** state)
{
    (void)state;
    float values[12];
    snQuat keys[3] = {snQExp(snV3(0, 0, 0.2)), snQNegate(snQExp(snV3(0, 0, 1.2))),
                      snQExp(snV3(0, 0, 0.2))};
    for (int i = 0; i < 3; ++i) {
        const double* q = &keys[i].x;
        for (int k = 0; k < 4; ++k) {
            values[4 * i + k] = (float)(1.5 * q[k]); // of any length
        }
    }
    snRigChannel c = channelOf(sn_pathRotation, sn_interpolateLinear, 3, 4, TIMES, values);
    for (double t = 0; t < 5; t += 0.05) {
        double q[4], u = t < 1 ? 0 : t < 2 ? t - 1 : t < 4 ? 1 - (t - 2) / 2 : 0;
        snRigChannel_Sample(&c, t, q);
        assert_close(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, tolerance);
        snQuat want = snQExp(snV3(0, 0, 0.2 + u));
        assert_close(fabs(snQDot(want, snQ(q[0], q[1], q[2], q[3]))), 1, float_tolerance);
    }
}

// Tangents are per second: keys of any cubic give back the cubic.
static void test_cubic(void** state)
{
    (void)state;
    float values[27];
    for (int i = 0; i < 3; ++i) {
        double t = (double)TIMES[i];
        double f = t * t * t / 8 - t, slope = 3 * t * t / 8 - 1;
        for (int k = 0; k < 3; ++k) {
            values[9 * i + k] = values[9 * i + 6 + k] = (float)(k * slope);
            values[9 * i + 3 + k] = (float)(k * f);
        }
    }
    snRigChannel c = channelOf(sn_pathScale, sn_interpolateCubic, 3, 3, TIMES, values);
    for (double t = 1; t <= 4; t += 0.0625) {
        assert_close(sample(&c, t, 2), 2 * (t * t * t / 8 - t), 1e-6);
    }
    assert_true(sample(&c, 0, 2) == sample(&c, 1, 2) && sample(&c, 5, 2) == sample(&c, 4, 2));
    // rotations are made unit
    static const float turns[24] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0,
                                    0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0};
    c = channelOf(sn_pathRotation, sn_interpolateCubic, 2, 4, TIMES, turns);
    assert_close(sample(&c, 1.5, 2), sqrt(0.5), tolerance);
    assert_close(sample(&c, 1.5, 3), sqrt(0.5), tolerance);
}

// A chain of three: the middle one turns, the last one has a matrix with shear
static void test_nodes(void** state)
{
    (void)state;
    snRigNode nodes[3];
    for (int i = 0; i < 3; ++i) {
        nodes[i] = (snRigNode){.name = "",
                               .parent = i - 1,
                               .translation = {1, 0, 0},
                               .rotation = {0, 0, 0, 1},
                               .scale = {2, 2, 2}};
        nodes[i].local =
            snMatrix_FromParts(nodes[i].translation, nodes[i].rotation, nodes[i].scale);
    }
    nodes[2].local = (snMatrix){{1, 0, 0}, {1, 1, 0}, {0, 0, 1}, {0, 3, 0}};
    nodes[2].weight_count = 2;
    static const float times[2] = {0, 1}, weights[4] = {0, 1, 1, 0};
    static const float turn[8] = {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f};
    snRigChannel channels[2] = {
        channelOf(sn_pathRotation, sn_interpolateLinear, 2, 4, times, turn),
        channelOf(sn_pathWeights, sn_interpolateLinear, 2, 2, times, weights)};
    channels[0].node = 1;
    channels[1].node = 2;
    snRigClipData clip = {.info = {"turn", 0, 1, 1, 2}, .channels = channels};
    double rest[2] = {0.25, 0.5}, w[2];
    snRig rig = {.nodes = nodes, .clips = &clip, .weights = rest};
    rig.info.node_count = 3;
    rig.info.clip_count = 1;
    rig.info.weight_count = 2;
    snMatrix at[3];
    snMessage why;
    assert_ok(snRig_Pose(&rig, -1, 0, at, w, &why), why);
    // 1 + 2 (1 + 2 x): the matrix takes (0, 1, 0) to (1, 4, 0)
    snVec3 x = snMatrix_Point(&at[2], snV3(0, 1, 0));
    assert_close(snLength(snSub(x, snV3(7, 16, 0))), 0, tolerance);
    assert_true(w[0] == 0.25 && w[1] == 0.5);
    assert_ok(snRig_Pose(&rig, 0, 1, at, w, &why), why);
    // a quarter turn takes (1, 4, 0) to (-4, 1, 0)
    x = snMatrix_Point(&at[2], snV3(0, 1, 0));
    assert_close(snLength(snSub(x, snV3(3 - 16, 4, 0))), 0, 1e-6);
    assert_true(w[0] == 1 && w[1] == 0);
    snRigParts parts[3];
    snRigClipData_Local(&rig, &clip, 0.5, parts, NULL);
    assert_close(parts[1].rotation.z, snSin(SN_PI / 8), float_tolerance);
    assert_true(parts[1].translation.x == 1 && parts[2].local.p.y == 3);
    assert_ok(snRig_Pose(&rig, 0, 1, NULL, NULL, &why), why);
    assert_int_equal(snRig_Pose(&rig, 1, 0, at, w, &why), sn_errorArgument);
    assert_int_equal(snRig_Pose(&rig, -2, 0, at, w, &why), sn_errorArgument);
    assert_int_equal(snRig_Pose(&rig, 0, (double)NAN, at, w, &why), sn_errorArgument);
    assert_int_equal(snRig_Pose(NULL, 0, 0, at, w, &why), sn_errorArgument);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_step_and_linear),
                                       cmocka_unit_test(test_rotations),
                                       cmocka_unit_test(test_cubic), cmocka_unit_test(test_nodes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
