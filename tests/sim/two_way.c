// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Flesh and ground push back on the skeleton as mechanics says, servos track the clip as well as
// they are strong, and nothing ever explodes.

#include "sim/two_way_state.h"

#include "sim/mast.h"

#define DEGREE (SN_PI / 180)

// Of momentum, against what gravity would add in a second: flesh is in floats, its targets' turns
// are between those of joints
static const double momentum_error = 1e-4;

static const double tracks = 0.5 * DEGREE; // servos of strength 1, without ground
static const double sinks = 5e-3;          // m: the mast, 0.9 m high, on the ground

static void run(snTwoWay* two, int frames)
{
    for (int i = 0; i < frames; ++i) {
        snTwoWay_Advance(two);
    }
}

// In flight nothing but gravity changes momentum, however flesh swings and joints flail.
static void test_momentum(void** state)
{
    Mast m;
    (void)state;
    openMast(&m, sway);
    snTwoWayDef def = defOf(&m);
    def.strength = 0;
    def.is_free = true;
    snTwoWay* two = startMast(&def, 1);
    const snBone* root = &two->rig_skeleton.skeleton->bones[0];
    double spin[6] = {1, 0.5, -2, 0.3, 0.2, 0.1};
    for (int k = 0; k < 6; ++k) {
        two->qd[root->vi + k] += spin[k];
    }
    run(two, 1);
    snMomentum a = snTwoWay_Momentum(two);
    run(two, 60); // a second
    snMomentum b = snTwoWay_Momentum(two);
    double scale = momentum_error * a.mass * 9.81, arm = 0.5; // m
    snVec3 fell = snMulAdd(a.linear, a.mass, def.gravity);
    assert_close(a.mass, two->rig_skeleton.mass, 1e-9 * a.mass);
    assert_true(snLength(a.angular) > 0.5);
    assert_below(snLength(snSub(b.linear, fell)), scale);
    assert_below(snLength(snSub(b.angular, a.angular)), scale * arm);
    assert_int_equal(snTwoWay_Facts(two).resets, 0);
    snTwoWay_Free(two);
    closeMast(&m);
}

// Of the top, rad
static double missOf(const Mast* m, double strength, double* most)
{
    snTwoWayDef def = defOf(m);
    def.strength = strength;
    snTwoWay* two = startMast(&def, 1);
    run(two, 30);
    snTwoWayFacts f = snTwoWay_Facts(two);
    assert_int_equal(f.resets, 0);
    *most = f.turn_most;
    snTwoWay_Free(two);
    return f.turn_rms;
}

static void test_strength(void** state)
{
    Mast m;
    double most, weak_most;
    (void)state;
    openMast(&m, lean);
    double full = missOf(&m, 1, &most), half = missOf(&m, 0.5, &most);
    assert_below(full, tracks);
    assert_true(half > 2 * full); // it bears half of the weight
    assert_true(missOf(&m, 0.01, &weak_most) > 5 * DEGREE);
    assert_true(weak_most < 90 * DEGREE); // a limit holds it
    closeMast(&m);
}

// Flesh that is heavier takes the skeleton along: nothing else misses the clip.
static void test_heavy(void** state)
{
    Mast m;
    double most, light, heavy;
    (void)state;
    openMast(&m, sway);
    light = missOf(&m, 1, &most);
    size_t nodes = (size_t)m.body.tets.node_count;
    double* mass = snArena_Push(&m.arena, nodes, sizeof *mass);
    for (size_t i = 0; i < nodes; ++i) {
        mass[i] = m.body.held[i] ? m.body.mass[i] : 3 * m.body.mass[i];
    }
    m.body.mass = mass;
    heavy = missOf(&m, 1, &most);
    assert_true(light > 0.001 * DEGREE);
    assert_true(heavy > 1.5 * light);
    closeMast(&m);
}

static double lowest(const snTwoWay* two)
{
    double low = (double)INFINITY;
    for (int32_t i = 0; i < two->rig_skeleton.point_count; ++i) {
        const snRigSkeletonPoint* p = &two->rig_skeleton.points[i];
        const snBoneMotion* b = &snTwoWay_Bones(two)[p->bone];
        low = fmin(low, b->p.y + snMatVec(b->R, p->place).y);
    }
    return low;
}

// A ground that comes up takes the mast along; without it the clip is followed through.
static void test_ground(void** state)
{
    Mast m;
    (void)state;
    openMast(&m, sway);
    for (int k = 0; k < 3; ++k) {
        snTwoWayDef def = defOf(&m);
        def.ground = k > 0;
        def.ground_height = k == 2 ? 0.06 : 0;
        snTwoWay* two = startMast(&def, 1);
        double low = (double)INFINITY;
        for (int i = 0; i < 25; ++i) {
            snTwoWay_Advance(two);
            low = fmin(low, lowest(two));
        }
        assert_close(low, def.ground_height, k > 0 ? sinks : 1e-3);
        if (k == 2) {
            assert_true(snTwoWay_Facts(two).root_most > 0.05);
        }
        snTwoWay_Free(two);
    }
    closeMast(&m);
}

// Without a hand on its root it falls and stays on the ground.
static void test_fall(void** state)
{
    Mast m;
    (void)state;
    openMast(&m, lean);
    snTwoWayDef def = defOf(&m);
    def.ground = true;
    def.is_free = true;
    snTwoWay* two = startMast(&def, 1);
    run(two, 120);
    const snBoneMotion* root = &snTwoWay_Bones(two)[0];
    assert_true(fabs(root->R.m11) < 0.7); // it fell over: its axis was upright
    assert_true(lowest(two) > -sinks && lowest(two) < 0.1);
    assert_true(snLength(root->v) < 0.5);
    snTwoWay_Free(two);
    closeMast(&m);
}

// Faster than anything, in jerks
static void rage(double t, snVec3* turn, snVec3* place)
{
    double k = floor(30 * t);
    *turn = snScale(1.4, snV3(snSin(91 * k), snSin(57 * k), snSin(33 * k)));
    *place = snScale(0.4, snV3(snSin(71 * k), 1 + snSin(49 * k), snSin(13 * k)));
}

static void test_violence(void** state)
{
    static const double strengths[] = {0, 1, 100};
    Mast m;
    (void)state;
    openMast(&m, rage);
    for (size_t k = 0; k < sizeof strengths / sizeof *strengths; ++k) {
        snTwoWayDef def = defOf(&m);
        def.strength = strengths[k];
        def.ground = true;
        snTwoWay* two = startMast(&def, 1);
        double far = 0, fast = 0;
        for (int i = 0; i < 15; ++i) {
            snTwoWay_Advance(two);
            for (int32_t b = 0; b < 2; ++b) {
                snVec3 p = snTwoWay_Bones(two)[b].p, v = snTwoWay_Bones(two)[b].v;
                assert_below(snLength(p), 2);
                assert_below(snLength(v), 20);
                far = fmax(far, snLength(p));
                fast = fmax(fast, snLength(v));
            }
        }
        print_message("strength %g: bones up to %.2f m away, %.0f m/s\n", strengths[k], far, fast);
        snTwoWay_Free(two);
    }
    closeMast(&m);
}

static void test_threads(void** state)
{
    Mast m;
    (void)state;
    openMast(&m, sway);
    snTwoWayDef def = defOf(&m);
    def.ground = true;
    snTwoWay *one = startMast(&def, 1), *three = startMast(&def, 3);
    run(one, 5);
    run(three, 5);
    assert_memory_equal(one->q, three->q, (size_t)one->rig_skeleton.skeleton->nq * sizeof *one->q);
    assert_memory_equal(one->flesh->state, three->flesh->state, one->flesh->state_size);
    snTwoWay_Free(one);
    snTwoWay_Free(three);
    closeMast(&m);
}

static void test_refused(void** state)
{
    Mast m;
    snMessage why;
    snTwoWay* two;
    (void)state;
    openMast(&m, sway);
    snTwoWayDef def = defOf(&m);
    def.strength = (double)NAN;
    assert_int_equal(snTwoWay_Create(NULL, &def, &two, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "strength"));
    assert_null(two);
    closeMast(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_momentum), cmocka_unit_test(test_strength),
        cmocka_unit_test(test_heavy),    cmocka_unit_test(test_ground),
        cmocka_unit_test(test_fall),     cmocka_unit_test(test_violence),
        cmocka_unit_test(test_threads),  cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
