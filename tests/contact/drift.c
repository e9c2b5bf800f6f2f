// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// How a body moves as a whole: rigid motions leave nothing, others the largest speed of any node.
#include "contact/drift.h"

#include "base/cpu.h"
#include "base/random.h"
#include "check.h"

#define MOST 1000

typedef struct Nodes {
    snVec4f x[MOST], v[MOST];
} Nodes;

static snVec4f shrink(snVec3 a)
{
    return (snVec4f){(float)a.x, (float)a.y, (float)a.z, 0};
}

static snVec3 widen(snVec4f a)
{
    return snV3((double)a.x, (double)a.y, (double)a.z);
}

static snVec3 anywhere(snRandom* random, double size)
{
    return snV3(snRandom_Range(random, -size, size), snRandom_Range(random, -size, size),
                snRandom_Range(random, -size, size));
}

static void fill(Nodes* n, snRandom* random, snVec3 v, snVec3 w, double jiggle)
{
    for (int i = 0; i < MOST; ++i) {
        snVec3 x = snAdd(snV3(3, -1, 2), anywhere(random, 0.5));
        n->x[i] = shrink(x);
        n->v[i] = shrink(snAdd(snAdd(v, snCross(w, x)), anywhere(random, jiggle)));
    }
}

static void rigidMotionLeavesNothing(void** state)
{
    (void)state;
    static Nodes n;
    snRandom random = snRandom_Seed(1);
    snVec3 v = snV3(5, -9, 1), w = snV3(3, 14, -6);
    fill(&n, &random, v, w, 0);
    const int32_t COUNTS[] = {4, 15, 16, 17, 100, MOST};
    for (size_t k = 0; k < sizeof COUNTS / sizeof COUNTS[0]; ++k) {
        snDrift d;
        snDrift_Measure(snCpu_Best(), n.x, n.v, COUNTS[k], &d);
        assert_below(snLength(snSub(d.w, w)), 1e-4);
        assert_below(d.own, 1e-4);
        assert_true(d.inner > 1 && d.outer > 1);
    }
}

// Every node's own way, in all instruction sets, and whether one has gone too far.
static void nodesTravel(void** state)
{
    (void)state;
    static Nodes n;
    static float margin[MOST], way[2][MOST], travel[MOST];
    snRandom random = snRandom_Seed(4);
    snVec3 v = snV3(5, -9, 1), w = snV3(3, 14, -6);
    fill(&n, &random, v, w, 0.5);
    snDrift d;
    snDrift_Measure(snCpu_Best(), n.x, n.v, MOST, &d);
    double most = 0;
    for (int32_t isa = sn_isaBaseline; isa <= (int32_t)snCpu_Best(); ++isa) {
        const bool first = isa == sn_isaBaseline;
        snWander wander = {0.01F, 0.001F, margin, way[!first], travel};
        for (int i = 0; i < MOST; ++i) {
            margin[i] = 1;
            travel[i] = 0.5F;
        }
        assert_false(snDrift_Travel((snIsa)isa, &d, n.x, n.v, MOST, &wander));
        assert_memory_equal(wander.way, way[0], sizeof way[0]);
        for (int i = 0; i < MOST; ++i) {
            snVec3 u = snAdd(d.u, snCross(d.w, widen(n.x[i])));
            double expected = 0.01 * snLength(snSub(widen(n.v[i]), u)) + 0.001;
            assert_below(fabs((double)wander.way[i] - expected), 1e-6);
            assert_below(fabs((double)travel[i] - 0.5 - expected), 1e-6);
            most = expected > most ? expected : most;
        }
        margin[MOST - 1] = 0.5F; // of the last one alone
        assert_true(snDrift_Travel((snIsa)isa, &d, n.x, n.v, MOST, &wander));
    }
    assert_below(fabs(most - 0.001 - 0.01 * d.own), 1e-6);
}

static void largestSpeedsAreFound(void** state)
{
    (void)state;
    static Nodes n;
    snRandom random = snRandom_Seed(2);
    for (int32_t count = 0; count < 70; ++count) {
        fill(&n, &random, snV3(2, 0, 0), snV3(0, 3, 1), 1);
        snDrift d, other;
        snDrift_Measure(snCpu_Best(), n.x, n.v, count, &d);
        double outer = 0, inner = 0;
        for (int32_t i = 0; i < count; ++i) {
            outer = fmax(outer, snLength(widen(n.v[i])));
            inner = fmax(inner, snLength(snSub(widen(n.v[i]), d.v)));
        }
        assert_close(d.outer, outer, 1e-5);
        assert_close(d.inner, inner, 1e-5);
        assert_true(d.own < 4);
        for (int isa = sn_isaBaseline; isa <= (int)snCpu_Best(); ++isa) {
            snDrift_Measure((snIsa)isa, n.x, n.v, count, &other);
            assert_memory_equal(&other, &d, sizeof d);
        }
    }
}

// Places in a row do not tell how they turn about it.
static void flatBodiesAreNoTrouble(void** state)
{
    (void)state;
    Nodes n = {.x = {{0, 0, 0, 0}}};
    for (int i = 0; i < 20; ++i) {
        n.x[i].x = (float)i;
        n.v[i].y = (float)i;
    }
    snDrift d;
    snDrift_Measure(snCpu_Best(), n.x, n.v, 20, &d);
    assert_true(isfinite(d.own) && isfinite(snLength(d.w)));
    assert_close(d.outer, 19, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigidMotionLeavesNothing),
        cmocka_unit_test(largestSpeedsAreFound),
        cmocka_unit_test(nodesTravel),
        cmocka_unit_test(flatBodiesAreNoTrouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
