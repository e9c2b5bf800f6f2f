// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Flesh that helpers move is found again; weights keep an artist's shares; a frame's travel is the
// best there is.

#include "rig/helper.h"

#include "base/random.h"
#include "check.h"
#include "math/quat.h"
#include "math/trig.h"

#define VERTICES 400
#define FRAMES 40
#define JOINTS 2
#define TRUE_COUNT 5

// A bar along x on two turning joints, which share its middle
typedef struct Bar {
    snHelperGoal goal;
    snVec3 position[VERTICES];
    int32_t first[VERTICES + 1], joint[2 * VERTICES];
    float share[2 * VERTICES];
    float D[3 * FRAMES * VERTICES];
    snMat3 W[FRAMES * JOINTS];
} Bar;

static double bump(double x, double centre)
{
    double u = fmax(0, 1 - fabs(x - centre) / 0.3);
    return u * u * (3 - 2 * u);
}

// D of helpers at 0.1, 0.3, .. that travel at random; noise: what no helper does
static void makeBar(Bar* b, double noise)
{
    snRandom r = snRandom_Seed(5);
    int32_t count = 0;
    memset(b, 0, sizeof *b);
    for (int32_t v = 0; v < VERTICES; ++v) {
        double x = (double)v / VERTICES, s = fmin(1, fmax(0, (x - 0.4) / 0.2));
        b->position[v] = snV3(x, 0.1 * snSin(9.0 * v), 0.1 * snCos(9.0 * v));
        for (int32_t j = 0; j < JOINTS; ++j) {
            double share = j == 0 ? 1 - s : s;
            if (share > 0) {
                b->joint[count] = j;
                b->share[count++] = (float)share;
            }
        }
        b->first[v + 1] = count;
    }
    for (int32_t f = 0; f < FRAMES; ++f) {
        snVec3 t[TRUE_COUNT];
        for (int32_t j = 0; j < JOINTS; ++j) {
            b->W[f * JOINTS + j] =
                snMatScale(100, snMatFromQ(snQFromAxisAngle(snV3(0, 0, 1), 0.1 * f * (j + 1))));
        }
        for (int k = 0; k < TRUE_COUNT; ++k) {
            t[k] = snV3(snRandom_Normal(&r), snRandom_Normal(&r), snRandom_Normal(&r));
        }
        for (int32_t v = 0; v < VERTICES; ++v) {
            snVec3 sum = snScale(noise, snV3(snRandom_Normal(&r), 0, snRandom_Normal(&r)));
            for (int32_t i = b->first[v]; i < b->first[v + 1]; ++i) {
                for (int k = 0; k < TRUE_COUNT; ++k) {
                    // one joint has the first two, the other the rest
                    double w = (k >= 2) == (b->joint[i] == 1)
                                   ? 0.7 * bump(b->position[v].x, 0.1 + 0.2 * k)
                                   : 0;
                    snVec3 way = snMatVec(b->W[f * JOINTS + b->joint[i]], t[k]);
                    sum = snMulAdd(sum, 1e-4 * w * (double)b->share[i], way);
                }
            }
            float* out = b->D + 3 * (f * VERTICES + v);
            out[0] = (float)sum.x, out[1] = (float)sum.y, out[2] = (float)sum.z;
        }
    }
    b->goal = (snHelperGoal){VERTICES, FRAMES,   JOINTS,   4,    b->position,
                             b->first, b->joint, b->share, b->D, b->W};
}

static double missed(snHelpers* h, const Bar* b)
{
    double left = 0, all = 0, t[3 * SN_HELPER_MOST];
    for (int32_t f = 0; f < FRAMES; ++f) {
        const float* D = b->D + 3 * f * VERTICES;
        const snMat3* W = b->W + f * JOINTS;
        snHelpers_Move(h, D, W, t);
        for (int32_t v = 0; v < VERTICES; ++v) {
            snVec3 d = snV3((double)D[3 * v], (double)D[3 * v + 1], (double)D[3 * v + 2]);
            left += snLengthSq(snSub(d, snHelpers_VertexOffset(h, v, W, t)));
            all += snLengthSq(d);
        }
    }
    return left / all;
}

static void checkShares(const snHelpers* h, const Bar* b)
{
    for (int32_t v = 0; v < VERTICES; ++v) {
        assert_true(h->tie_count[v] <= b->goal.slots);
        double sums[JOINTS] = {0};
        for (int32_t i = 0; i < h->tie_count[v]; ++i) {
            const snHelperTie* tie = &h->ties[v * b->goal.slots + i];
            assert_true(tie->weight >= 0);
            assert_true(tie->helper < 0 || h->joint[tie->helper] == tie->joint);
            sums[tie->joint] += tie->weight;
        }
        for (int32_t i = b->first[v]; i < b->first[v + 1]; ++i) {
            assert_close(sums[b->joint[i]], (double)b->share[i], 1e-9);
        }
    }
}

static void helpersAreFoundAgain(void** state)
{
    (void)state;
    static Bar b;
    snArena arena;
    snMessage why;
    snHelpers h;
    snArena_Init(&arena, NULL);
    makeBar(&b, 0);
    assert_ok(snHelpers_Find(&arena, &b.goal, 8, &h, &why), why);
    double part = missed(&h, &b);
    print_message("missed %.2g of the movement's squares\n", part);
    assert_below(part, 0.01); // they alternate ten times, which is not for ever
    checkShares(&h, &b);
    snArena_Free(&arena);
}

// More helpers miss less, with noise too, which they cannot show.
static void moreMissLess(void** state)
{
    (void)state;
    static Bar b;
    snMessage why;
    double before = 1;
    makeBar(&b, 1e-3);
    for (int32_t count = 1; count <= 16; count *= 4) {
        snArena arena;
        snHelpers h;
        snArena_Init(&arena, NULL);
        assert_ok(snHelpers_Find(&arena, &b.goal, count, &h, &why), why);
        double part = missed(&h, &b);
        assert_below(part, before);
        before = part;
        checkShares(&h, &b);
        snArena_Free(&arena);
    }
}

// Changing a frame's travel in any direction misses more.
static void travelIsBest(void** state)
{
    (void)state;
    static Bar b;
    snArena arena;
    snMessage why;
    snHelpers h;
    double t[3 * 6], by = 1e-6;
    snArena_Init(&arena, NULL);
    makeBar(&b, 1e-3);
    assert_ok(snHelpers_Find(&arena, &b.goal, 6, &h, &why), why);
    snHelpers_Move(&h, b.D, b.W, t);
    double squares[3] = {0}, slope = 0;
    for (int32_t k = 0; k < 3 * h.count; ++k) {
        for (int s = 0; s < 3; ++s) {
            squares[s] = 0;
            t[k] += s == 0 ? -by : by;
            for (int32_t v = 0; v < VERTICES; ++v) {
                snVec3 d = snV3((double)b.D[3 * v], (double)b.D[3 * v + 1], (double)b.D[3 * v + 2]);
                squares[s] += snLengthSq(snSub(d, snHelpers_VertexOffset(&h, v, b.W, t)));
            }
        }
        t[k] -= by;
        slope = (squares[2] - squares[0]) / (squares[0] + squares[2] - 2 * squares[1]);
        // in steps of `by`, but for the ridge, which draws them a little to their places
        assert_below(fabs(slope), 1);
    }
    snArena_Free(&arena);
}

// What does not move gets nothing.
static void stillnessStays(void** state)
{
    (void)state;
    static Bar b;
    snArena arena;
    snMessage why;
    snHelpers h;
    snArena_Init(&arena, NULL);
    makeBar(&b, 0);
    memset(b.D, 0, sizeof b.D);
    assert_ok(snHelpers_Find(&arena, &b.goal, 4, &h, &why), why);
    assert_int_equal(h.count, 0);
    checkShares(&h, &b);
    snArena_Free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(helpersAreFoundAgain),
        cmocka_unit_test(moreMissLess),
        cmocka_unit_test(travelIsBest),
        cmocka_unit_test(stillnessStays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
