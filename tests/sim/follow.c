// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Laws of flesh that follows a clip: it jiggles at the frequency and with the damping that were
// asked for, stands where skinning puts it when the clip stands, never leaves its limit, is not
// shaken by cuts, and is the same for any number of threads and after a restore.

#include "sim/follow_state.h"
#include "sim/reed.h"

#define RATE 240.0

static const double PI = 3.14159265358979;

static const double hz_tolerance = 0.1;      // of the frequency: the mode is known to a hundredth
static const double damping_tolerance = 0.2; // of the ratio: other modes are in the motion
static const double seam_tolerance = 0.005;  // of the largest motion
static const double energy_noise = 1e-5;     // of the first: what rounding of floats holds
static const double rest_tolerance = 0.02;   // of the sag: what has not settled at the beginning
static const double still_tolerance = 1e-5;  // of the size: what is left after 2 s of decay

static snVec3 meanOf(const snFollow* follow, const snRigBody* body)
{
    snVec3 sum = snV3(0, 0, 0);
    double mass = 0;
    for (int32_t i = 0; i < body->tets.node_count; ++i) {
        snVec4f u = snFollow_Nodes(follow)[i];
        sum = snMulAdd(sum, body->mass[i], snV3((double)u.x, (double)u.y, (double)u.z));
        mass += body->mass[i];
    }
    return snScale(1 / mass, sum);
}

// The slowest mode's part in where the flesh is
static double modeOf(const snFollow* follow, const snRigBody* body)
{
    double sum = 0;
    for (int32_t i = 0; i < body->tets.node_count; ++i) {
        snVec4f u = snFollow_Nodes(follow)[i];
        sum += body->mass[i] *
               snDot(body->regions.mode[i], snV3((double)u.x, (double)u.y, (double)u.z));
    }
    return sum;
}

// Frequency by that mode's crossings of zero after the push, damping by its peaks between them
static void checkJiggle(bool tail, double softness, double damping)
{
    Reed r;
    snBodyDef def;
    snBodyDef_Init(&def);
    def.softness = softness;
    def.damping = damping;
    openReed(&r);
    r.made.nodes[0].name = tail ? "tail" : "reed";
    moveReed(&r, 0.002, 0.5 / softness);
    buildReed(&r, &def);
    snFollow* follow = startReed(&r, RATE, 1, sn_isaAuto);
    double crossed[64], peak[64] = {0}, before = 0, end = 0.1 + 0.5 / softness;
    int count = 0; // crossings of zero; peak k is before crossing k
    for (int i = 1; i < (int)(2.8 * RATE) && count < 9; ++i) {
        assert_true(snFollow_AdvanceFrame(follow));
        double now = tail ? meanOf(follow, &r.body).x : modeOf(follow, &r.body), t = i / RATE;
        if (t > end) {
            peak[count] = fmax(peak[count], fabs(now));
            if (now * before < 0) {
                crossed[count++] = t - fabs(now / (now - before)) / RATE;
            }
        }
        before = now;
    }
    assert_true(count >= 6);
    double span = (crossed[count - 1] - crossed[0]) / (count - 1); // half a period
    double decay = log(peak[1] / peak[count - 1]) / ((count - 2) * span), damped = PI / span;
    double omega = sqrt(damped * damped + decay * decay);
    assert_relative(omega / (2 * PI), softness, hz_tolerance, 0);
    // it is the ratio of how flesh sways; slower modes have no less, those of this bar half as much
    // again
    double most = tail ? damping : 1.5 * damping;
    assert_true(decay / omega > damping * (1 - damping_tolerance) &&
                decay / omega < most * (1 + damping_tolerance));
    snFollow_Free(follow);
    closeReed(&r);
}

static void test_jiggle(void** state)
{
    (void)state;
    checkJiggle(false, 2, 0.05);
    checkJiggle(false, 2.5, 0.1);
    checkJiggle(true, 2, 0.05); // trails as a whole
}

// The clip stands still from 0.3 s on.
static void test_still(void** state)
{
    Reed r;
    snBodyDef def;
    (void)state;
    snBodyDef_Init(&def);
    openReed(&r);
    moveReed(&r, 0.3, 0.2);
    buildReed(&r, &def);
    snFollow* follow = startReed(&r, 60, 1, sn_isaAuto);
    double most = 0, energy = HUGE_VAL, first = 0;
    for (int i = 0; i < 170; ++i) {
        assert_true(snFollow_AdvanceFrame(follow));
        most = fmax(most, farthestNode(follow, &r.body));
        if (i > 24) { // what it holds only falls
            double now = snFollow_Energy(follow);
            first = i == 25 ? now : first;
            assert_below(now, energy + energy_noise * first);
            energy = now;
        }
    }
    assert_true(most > 0.01 * r.body.size);
    assert_below(farthestNode(follow, &r.body), still_tolerance * r.body.size);
    snFollow_Free(follow);
    closeReed(&r);
}

// A clip that does not move at all, far from the origin: exactly nothing
static void test_nothing(void** state)
{
    Reed r;
    snBodyDef def;
    (void)state;
    snBodyDef_Init(&def);
    openReed(&r);
    moveReed(&r, 0, 1);
    for (int i = 0; i < KEYS; ++i) {
        r.values[3 * i] = 1000.7f;
    }
    buildReed(&r, &def);
    snFollow* follow = startReed(&r, 60, 1, sn_isaAuto);
    for (int i = 0; i < 30; ++i) {
        assert_true(snFollow_AdvanceFrame(follow));
    }
    assert_true(farthestNode(follow, &r.body) == 0);
    snFollow_Free(follow);
    closeReed(&r);
}

// What whips the joints about presses flesh, but not up to its limit; a blow does.
static void test_limit(void** state)
{
    Reed r;
    snBodyDef def;
    (void)state;
    snBodyDef_Init(&def);
    openReed(&r);
    moveReed(&r, 5, 0.1);
    buildReed(&r, &def);
    snFollow* follow = startReed(&r, 60, 1, sn_isaAuto);
    for (int i = 0; i < 90; ++i) {
        if (i == 30) {
            snFollowFacts facts = snFollow_Facts(follow);
            assert_int_equal(facts.limited, 0);
            assert_true(facts.nearest_limit > 0.6);
        }
        for (int32_t k = 0; i == 30 && k < r.body.tets.node_count; ++k) {
            follow->w[k].x += r.body.held[k] ? 0 : 20;
        }
        assert_true(snFollow_AdvanceFrame(follow));
        for (int32_t k = 0; k < r.body.tets.node_count; ++k) {
            double limit = def.limit * fmax(r.body.thickness[k], r.body.cell);
            assert_below(lengthOf(snFollow_Nodes(follow)[k]), limit * (1 + 1e-5));
        }
    }
    snFollowFacts facts = snFollow_Facts(follow);
    assert_true(facts.limited > 0 && facts.limited < 60);
    assert_close(facts.nearest_limit, 1, 1e-5);
    snFollow_Free(follow);
    closeReed(&r);
}

// A jump of 10 m and a quarter turn in the middle of the jiggle: its energy stays what it was.
static void test_cut(void** state)
{
    Reed r;
    snBodyDef def;
    static const float times[2] = {0, 0.6f};
    static const float turns[8] = {0, 0, 0, 1, 0, 0.70710678f, 0, 0.70710678f};
    (void)state;
    snBodyDef_Init(&def);
    def.damping = 0;
    openReed(&r);
    moveReed(&r, 0.1, 0.2);
    for (int i = 36; i < KEYS; ++i) {
        r.values[3 * i + 2] += 10;
    }
    addChannel(&r.made, 0, sn_pathRotation, true, 2, times, turns);
    r.made.clip.info.last = (double)r.times[KEYS - 1];
    buildReed(&r, &def);
    assert_true(r.track.cut_count >= 1);
    snFollow* follow = startReed(&r, 60, 1, sn_isaAuto);
    double before = 0, most = 0, after = 0;
    for (int i = 1; i < 100; ++i) {
        assert_true(snFollow_AdvanceFrame(follow));
        double now = snFollow_Energy(follow);
        before = i == 30 ? now : before;
        most = i > 20 && i < 34 ? fmax(most, farthestNode(follow, &r.body)) : most;
        if (i > 40) {
            after = now;
            assert_below(farthestNode(follow, &r.body), 1.3 * most);
        }
    }
    assert_relative(after, before, 0.05, 0); // StVK in large motion, and 4 ms at the cut
    snFollow_Free(follow);
    closeReed(&r);
}

// A loop of one second: what the lead-in left is the same a loop later, and it does move.
static void test_loop(void** state)
{
    Reed r;
    snBodyDef def;
    (void)state;
    snBodyDef_Init(&def);
    openReed(&r);
    for (int i = 0; i <= 60; ++i) {
        r.values[3 * i] = (float)(0.05 * sin(2 * PI * i / 60));
        r.values[3 * i + 1] = 0.1f;
    }
    addChannel(&r.made, 0, sn_pathTranslation, false, 61, r.times, r.values);
    buildReed(&r, &def);
    assert_true(r.track.is_loop);
    snFollow* follow = startReed(&r, 60, 1, sn_isaAuto);
    int32_t nodes = r.body.tets.node_count;
    snVec4f* first = calloc((size_t)nodes, sizeof *first);
    memcpy(first, snFollow_Nodes(follow), (size_t)nodes * sizeof *first);
    double most = 0, seam = 0;
    for (int i = 0; i < 60; ++i) {
        assert_true(snFollow_AdvanceFrame(follow));
        most = fmax(most, farthestNode(follow, &r.body));
    }
    for (int32_t i = 0; i < nodes; ++i) {
        snVec4f a = first[i], b = snFollow_Nodes(follow)[i];
        seam = fmax(seam, lengthOf((snVec4f){b.x - a.x, b.y - a.y, b.z - a.z, 0}));
    }
    assert_true(most > 1e-3);
    assert_below(seam, seam_tolerance * most);
    free(first);
    snFollow_Free(follow);
    closeReed(&r);
}

static void test_shares(void** state)
{
    (void)state;
    for (int k = 0; k < 3; ++k) {
        Reed r;
        snBodyDef def;
        snBodyDef_Init(&def);
        def.inertia = 0;
        def.gravity = k == 1;
        def.shape = k == 2;
        def.damping = 1;
        openReed(&r);
        moveReed(&r, 0.3, 0.2);
        buildReed(&r, &def);
        snFollow* follow = startReed(&r, 60, 1, sn_isaAuto);
        double most = 0;
        for (int i = 0; i < 90; ++i) {
            assert_true(snFollow_AdvanceFrame(follow));
            most = fmax(most, farthestNode(follow, &r.body));
        }
        if (k == 1) { // it stands: it is pressed down, mostly
            snVec3 u = meanOf(follow, &r.body);
            assert_true(u.y < -1e-4);
            assert_below(fabs(u.x) + fabs(u.z), -0.5 * u.y); // the lattice is not symmetric
        } else { // the root's motion is not felt; in the bind pose gravity is none
            assert_below(most, 2e-5 * r.body.size);
        }
        snFollow_Free(follow);
        closeReed(&r);
    }
}

// Lain on its side a reed with a shape of its own sags. It begins so, whatever its limit, which is
// about that shape, and stands.
static void test_elastic(void** state)
{
    static const double limits[2] = {0.02, 1};
    double sag[2] = {0};
    (void)state;
    for (int k = 0; k < 2; ++k) {
        Reed r;
        snBodyDef def;
        snBodyDef_Init(&def);
        def.softness = 3;
        def.shape = 1;
        def.limit = limits[k];
        openReed(&r);
        for (int i = 0; i < KEYS; ++i) {
            r.values[4 * i + 2] = r.values[4 * i + 3] = 0.70710678f;
        }
        addChannel(&r.made, 0, sn_pathRotation, false, KEYS, r.times, r.values);
        buildReed(&r, &def);
        snFollow* follow = startReed(&r, 60, 1, sn_isaAuto);
        sag[k] = farthestNode(follow, &r.body);
        for (int i = 0; i < 60; ++i) {
            assert_true(snFollow_AdvanceFrame(follow));
            assert_relative(farthestNode(follow, &r.body), sag[k], rest_tolerance, 0);
        }
        assert_true(sag[k] > 2 * limits[0] * 0.3); // of its width
        assert_int_equal(snFollow_Facts(follow).limited, 0);
        assert_below(snFollow_Facts(follow).nearest_limit, 0.5);
        snFollow_Free(follow);
        closeReed(&r);
    }
    assert_relative(sag[0], sag[1], rest_tolerance, 0);
}

// Of flesh that rests at its skinned place, or at a shape of its own
static void checkBits(double shape)
{
    static const int threads[3] = {1, 2, 5};
    Reed r;
    snBodyDef def;
    snMessage why;
    void *first = NULL, *middle = NULL;
    size_t size = 0;
    snBodyDef_Init(&def);
    def.shape = shape;
    openReed(&r);
    moveReed(&r, 0.5, 0.2);
    buildReed(&r, &def);
    for (int k = 0; k < 4; ++k) { // the last goes on from where the first was in the middle
        snFollow* follow = startReed(&r, 60, threads[k % 3], k == 2 ? sn_isaBaseline : sn_isaAuto);
        size = snFollow_StateSize(follow);
        void* state_now = malloc(size);
        if (k == 0) {
            middle = malloc(size);
        } else if (k == 3) {
            assert_ok(snFollow_Restore(follow, middle, size, &why), why);
        }
        for (int i = k == 3 ? 17 : 0; i < 40; ++i) {
            if (k == 0 && i == 17) {
                assert_ok(snFollow_Save(follow, middle, size, &why), why);
            }
            assert_true(snFollow_AdvanceFrame(follow));
        }
        assert_ok(snFollow_Save(follow, state_now, size, &why), why);
        if (k == 0) {
            first = state_now;
        } else {
            assert_memory_equal(first, state_now, size);
            free(state_now);
        }
        snFollow_Free(follow);
    }
    free(first);
    free(middle);
    closeReed(&r);
}

static void test_bits(void** state)
{
    (void)state;
    checkBits(0);
    checkBits(0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jiggle), cmocka_unit_test(test_still), cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_limit),  cmocka_unit_test(test_cut),   cmocka_unit_test(test_shares),
        cmocka_unit_test(test_bits),   cmocka_unit_test(test_loop),  cmocka_unit_test(test_elastic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
