// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// The guard: steps that are too long are found and shortened, what is broken goes back to its
// place, and no clip gives a number that is not finite or flesh beyond its limit. The limit's
// spring and damper, and how much of motion and fields is felt.

#include "sim/follow_state.h"

#include "base/random.h"
#include "sim/reed.h"

static const double still_tolerance = 1e-5; // of the size: what is left after 2 s of decay

static void checkFlesh(const snFollow* follow, const snRigBody* body, double largest_scale)
{
    for (int32_t i = 0; i < body->tets.node_count; ++i) {
        double limit = body->def.limit * fmax(body->thickness[i], body->cell) * largest_scale;
        double far = lengthOf(snFollow_Nodes(follow)[i]);
        assert_true(isfinite(far) && isfinite(lengthOf(follow->w[i])));
        assert_below(far, limit * (1 + 1e-5));
    }
}

// Steps of a fraction of what is stable for a while, then the right ones
static void test_steps(void** state)
{
    Reed r;
    snBodyDef def;
    (void)state;
    snBodyDef_Init(&def);
    openReed(&r);
    moveReed(&r, 0.2, 0.2);
    buildReed(&r, &def);
    snFollow* follow = startReed(&r, 60, 1, sn_isaAuto);
    int32_t right = follow->steps;
    assert_true(right > 2);
    follow->steps = 1;
    for (int i = 0; i < 170; ++i) {
        follow->steps = i < 40 ? 1 : right;
        assert_true(snFollow_AdvanceFrame(follow));
        checkFlesh(follow, &r.body, 1);
    }
    assert_in_range(snFollow_Facts(follow).interventions, 2, 45);
    assert_below(farthestNode(follow, &r.body), still_tolerance * r.body.size);
    snFollow_Free(follow);
    closeReed(&r);
}

static void test_broken(void** state)
{
    static const float bad[] = {(float)NAN, (float)INFINITY, 1e30f};
    Reed r;
    snBodyDef def;
    (void)state;
    snBodyDef_Init(&def);
    openReed(&r);
    moveReed(&r, 0.2, 0.2);
    buildReed(&r, &def);
    snFollow* follow = startReed(&r, 60, 2, sn_isaAuto);
    for (int k = 0; k < 6; ++k) {
        int32_t node = r.body.tets.node_count / 2;
        while (r.body.held[node]) {
            ++node;
        }
        *(k < 3 ? &follow->u[node].x : &follow->w[node].x) = bad[k % 3];
        snFollow_AdvanceFrame(follow);
        assert_int_equal(snFollow_Facts(follow).interventions, k + 1);
        checkFlesh(follow, &r.body, 1);
        for (int i = 0; i < 3; ++i) {
            assert_true(snFollow_AdvanceFrame(follow));
        }
        assert_int_equal(snFollow_Facts(follow).interventions, k + 1);
    }
    snFollow_Free(follow);
    closeReed(&r);
}

// Jumps far and near, turned and scaled to nothing and back, frame by frame
static void test_hostile(void** state)
{
    static const double far[] = {1, 1e6, 1e14};
    (void)state;
    for (int k = 0; k < 6; ++k) {
        Reed r;
        snBodyDef def;
        snRandom random = snRandom_Seed((uint64_t)k);
        float scales[3 * KEYS], turns[4 * KEYS];
        snBodyDef_Init(&def);
        def.shape = k < 3 ? 0 : 0.5;
        openReed(&r);
        for (int i = 0; i < KEYS; ++i) {
            snQuat q = snQ(0, 0, 0, 0);
            for (int c = 0; c < 3; ++c) {
                double size = snRandom_Below(&random, 3) ? 1e-3 : 1;
                r.values[3 * i + c] = (float)(size * far[k % 3] * snRandom_Normal(&random));
                scales[3 * i + c] = snRandom_Below(&random, 4) ? 1 : 0;
            }
            q = snQNormalize(snQ(snRandom_Normal(&random), snRandom_Normal(&random),
                                 snRandom_Normal(&random), snRandom_Normal(&random)));
            turns[4 * i] = (float)q.x, turns[4 * i + 1] = (float)q.y;
            turns[4 * i + 2] = (float)q.z, turns[4 * i + 3] = (float)q.w;
        }
        addChannel(&r.made, 0, sn_pathTranslation, false, KEYS, r.times, r.values);
        addChannel(&r.made, 0, sn_pathRotation, false, KEYS, r.times, turns);
        addChannel(&r.made, 0, sn_pathScale, false, KEYS, r.times, scales);
        buildReed(&r, &def);
        snFollow* follow = startReed(&r, 60, 2, sn_isaAuto);
        for (int i = 0; i < 12; ++i) {
            snFollow_AdvanceFrame(follow);
            checkFlesh(follow, &r.body, 3);
        }
        print_message("%g: %d interventions\n", far[k % 3],
                      (int)snFollow_Facts(follow).interventions);
        snFollow_Free(follow);
        closeReed(&r);
    }
}

// Limits --------------------------------------------------------------------------------

static const double kick_tolerance = 2e-3; // of floats, and of damping besides the limit's

static snVec4f along(snVec3 direction, double size)
{
    return (snVec4f){(float)(size * direction.x), (float)(size * direction.y),
                     (float)(size * direction.z), 0};
}

static int32_t freeNode(const snFollow* follow)
{
    int32_t node = follow->body->tets.node_count / 2;
    while (follow->body->held[node]) {
        ++node;
    }
    return node;
}

// The velocity of a node that was at u with velocity w, after an interval's forces
static snVec3 kickFrom(snFollow* follow, int32_t node, snVec4f u, snVec4f w)
{
    follow->u[node] = u;
    follow->w[node] = w;
    snVec4f by = snFollow_Kick(follow, node);
    return snV3((double)w.x + (double)by.x, (double)w.y + (double)by.y, (double)w.z + (double)by.z);
}

// What the limit adds to the velocity of a node that rests at z limits along n, over the interval,
// m/s^2; inwards is negative.
static double limitAt(snFollow* follow, int32_t node, snVec3 n, double z)
{
    const snVec4f zero = {0, 0, 0, 0};
    snVec3 inside = kickFrom(follow, node, zero, zero);
    snVec3 there = kickFrom(follow, node, along(n, z * (double)follow->most[node]), zero);
    return snDot(n, snSub(there, inside)) / follow->drive.interval;
}

// Its slope there, 1/s^2
static double slopeAt(snFollow* follow, int32_t node, snVec3 n, double z)
{
    const double dz = 0.01;
    double rise = limitAt(follow, node, n, z + dz) - limitAt(follow, node, n, z - dz);
    return rise / (2 * dz * (double)follow->most[node]);
}

static snFollow* startStill(Reed* r)
{
    snBodyDef def;
    snBodyDef_Init(&def);
    openReed(r);
    moveReed(r, 0.2, 0.2);
    buildReed(r, &def);
    snFollow* follow = startReed(r, 60, 1, sn_isaAuto);
    assert_true(snFollow_AdvanceFrame(follow));
    assert_true(follow->pull[freeNode(follow)] == 0);
    return follow;
}

// Flesh is free up to half its limit. From there on the limit pushes back by the square of how far
// it is pressed, and is as stiff at the limit as was chosen.
static void test_limit_spring(void** state)
{
    Reed r;
    (void)state;
    snFollow* follow = startStill(&r);
    int32_t node = freeNode(follow);
    const snVec3 n = snNormalize(snV3(2, -1, 3));
    follow->drive.interval = 1e-4 / sqrt(follow->spring); // its damping does not show
    for (double z = 0.05; z < 0.5; z += 0.05) {
        assert_true(limitAt(follow, node, n, z) == 0);
    }
    double at_limit = limitAt(follow, node, n, 1);
    for (double z = 0.55; z < 1; z += 0.05) {
        double part = (z - 0.5) / 0.5;
        assert_relative(limitAt(follow, node, n, z), part * part * at_limit, kick_tolerance, 0);
    }
    assert_relative(slopeAt(follow, node, n, 1), -follow->spring, kick_tolerance, 0);
    snFollow_Free(follow);
    closeReed(&r);
}

// In the limit every velocity, also along it, decays at the root of the limit's slope, and more so
// than inside. By the velocity after the step: it never turns round.
static void test_limit_damping(void** state)
{
    const snVec3 n = {0, 0, 1}, ways[] = {{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {0, 1, 0}};
    const snVec4f zero = {0, 0, 0, 0};
    Reed r;
    (void)state;
    snFollow* follow = startStill(&r);
    int32_t node = freeNode(follow);
    const double usual = follow->drive.interval, most = (double)follow->most[node];
    for (double z = 0.6; z < 0.95; z += 0.1) {
        follow->drive.interval = 1e-4 / sqrt(follow->spring);
        double rate = sqrt(-slopeAt(follow, node, n, z));
        follow->drive.interval = usual;
        assert_true(usual * rate > 0.1); // it does count
        for (int k = 0; k < 4; ++k) {
            const snVec4f u = along(n, z * most), w = along(ways[k], 0.5);
            snVec3 there = snSub(kickFrom(follow, node, u, w), kickFrom(follow, node, u, zero));
            snVec3 inside =
                snSub(kickFrom(follow, node, zero, w), kickFrom(follow, node, zero, zero));
            double left = snDot(ways[k], there) / snDot(ways[k], inside);
            assert_relative(left, 1 / (1 + usual * rate), kick_tolerance, 0);
        }
    }
    snFollow_Free(follow);
    closeReed(&r);
}

// Saturation ----------------------------------------------------------------------------

typedef struct Felt {
    int weak, strong; // how many were so
} Felt;

// What is felt has the direction of what is there. It is all of it while that is weak, and never
// more than what would hold the slowest jiggle 0.6 thicknesses away.
static void checkFelt(const snFollow* follow, int32_t node, snVec3 there, snVec4f felt, double per,
                      Felt* seen)
{
    double omega = 2 * SN_PI * follow->body->def.softness;
    double most = 0.6 * omega * omega * (double)follow->reach[node] * per;
    double size = snLength(there), got = lengthOf(felt);
    snVec3 off = snSub(snScale(got, snNormalize(there)),
                       snV3((double)felt.x, (double)felt.y, (double)felt.z));
    assert_below(got, fmin(size, most) * (1 + 1e-5));
    assert_below(snLength(off), 1e-5 * got);
    if (size < 0.3 * most) {
        assert_relative(got, size, 0.003, 1e-6 * most);
        seen->weak += size > 0.01 * most;
    } else if (size > 3 * most) {
        assert_relative(got, most, 0.004, 0);
        ++seen->strong;
    }
}

static void test_felt_motion(void** state)
{
    Felt seen = {0, 0};
    (void)state;
    for (int pass = 0; pass < 2; ++pass) {
        Reed r;
        snBodyDef def;
        snBodyDef_Init(&def);
        openReed(&r);
        moveReed(&r, pass ? 20 : 0.8, 0.2);
        buildReed(&r, &def);
        snFollow* follow = startReed(&r, 60, 1, sn_isaAuto);
        for (int k = 0; k < 20; ++k) {
            assert_true(snFollow_AdvanceFrame(follow));
            for (int32_t i = 0; i < r.body.tets.node_count; ++i) {
                const snNodeDrive *a = &follow->drive.begin[i], *b = &follow->drive.end[i];
                snVec3 there = snV3(b->vx - a->vx, b->vy - a->vy, b->vz - a->vz);
                if (!r.body.held[i]) {
                    checkFelt(follow, i, there, follow->drive.change[i], follow->drive.interval,
                              &seen);
                }
            }
        }
        snFollow_Free(follow);
        closeReed(&r);
    }
    assert_true(seen.weak > 100 && seen.strong > 100);
}

static void test_felt_field(void** state)
{
    const snVec3 values[] = {{4, 0, 2}, {900, -500, 0}};
    Felt seen = {0, 0};
    (void)state;
    for (int k = 0; k < 2; ++k) {
        Reed r;
        snMessage why;
        snForceDef field;
        snFollow* follow = startStill(&r);
        snForceDef_Init(&field);
        field.kind = sn_forceUniform;
        field.value = values[k];
        assert_ok(snFollow_AddForce(follow, &field, &why), why);
        assert_true(snFollow_AdvanceFrame(follow));
        for (int32_t i = 0; i < r.body.tets.node_count; ++i) {
            if (!r.body.held[i]) {
                checkFelt(follow, i, values[k], follow->blow[i], 1, &seen);
            }
        }
        snFollow_Free(follow);
        closeReed(&r);
    }
    assert_true(seen.weak > 10 && seen.strong > 10);
}

// Retries -------------------------------------------------------------------------------

// Flesh that is thrown from one side to the other so fast that it crosses its limit within a step
static snFollow* startThrown(Reed* r, int32_t shorter)
{
    snFollow* follow = startStill(r);
    for (int32_t i = 0; i < r->body.tets.node_count; ++i) {
        if (!r->body.held[i]) {
            follow->u[i].x = -0.48f * follow->most[i];
            follow->w[i].x = 1.25f * follow->most[i] / (float)follow->h;
        }
    }
    follow->steps *= shorter;
    return follow;
}

// An interval with too long steps is done again from its beginning, with steps shorter by the least
// power of two that is enough: it ends with the bits of an interval that had them from the start.
static void test_retries(void** state)
{
    Reed r, s;
    (void)state;
    snFollow *thrown = startThrown(&r, 1), *calm = NULL;
    assert_true(snFollow_AdvanceInterval(thrown).fast);
    size_t bytes = (size_t)r.body.tets.node_count * sizeof *thrown->u;
    int32_t k = 1;
    for (bool helped = true; helped; k *= 2) {
        assert_true(k <= 64);
        calm = startThrown(&s, k);
        helped = snFollow_AdvanceInterval(calm).fast;
        assert_int_equal(memcmp(calm->u, thrown->u, bytes), 0);
        assert_int_equal(memcmp(calm->w, thrown->w, bytes), 0);
        snFollow_Free(calm);
        closeReed(&s);
    }
    assert_true(k > 2);
    snFollow_Free(thrown);
    closeReed(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),         cmocka_unit_test(test_broken),
        cmocka_unit_test(test_hostile),       cmocka_unit_test(test_limit_spring),
        cmocka_unit_test(test_limit_damping), cmocka_unit_test(test_felt_motion),
        cmocka_unit_test(test_felt_field),    cmocka_unit_test(test_retries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
