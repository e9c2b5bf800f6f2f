// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// The guard: steps that are too long are found and shortened, what is broken goes back to its
// place, and no clip gives a number that is not finite or flesh beyond its limit.

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
        assert_true(snFollow_Go(follow));
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
        snFollow_Go(follow);
        assert_int_equal(snFollow_Facts(follow).interventions, k + 1);
        checkFlesh(follow, &r.body, 1);
        for (int i = 0; i < 3; ++i) {
            assert_true(snFollow_Go(follow));
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
            snFollow_Go(follow);
            checkFlesh(follow, &r.body, 3);
        }
        print_message("%g: %d interventions\n", far[k % 3],
                      (int)snFollow_Facts(follow).interventions);
        snFollow_Free(follow);
        closeReed(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_broken),
        cmocka_unit_test(test_hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
