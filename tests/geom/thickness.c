// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Thickness behind vertices: of a column its diameter, inside out as well, and through a coat.

#include "geom/thickness.h"

#include "check.h"
#include "flesh/legs.h"

static const double tolerance = 0.1; // of the diameter: 24 sides, and averaged over neighbours

// Largest difference from `wanted` of vertices between two heights
static double worst(const snSurface* s, double gap, double low, double high, double wanted)
{
    snMessage why;
    double* t = calloc((size_t)s->vertex_count, sizeof *t);
    double most = 0;
    assert_ok(snThickness_Find(NULL, s, gap, t, &why), why);
    for (int32_t v = 0; v < s->vertex_count; ++v) {
        double y = s->position[v].y;
        most = y > low && y < high ? fmax(most, fabs(t[v] - wanted)) : most;
    }
    free(t);
    return most;
}

static void test_column(void** state)
{
    snArena arena;
    (void)state;
    snArena_Init(&arena, NULL);
    snSurface s = makePrism(&arena, 24, 20, snV3(1, 0, 0), 0.2, 2);
    assert_below(worst(&s, 0, 0.5, 1.5, 0.4), tolerance * 0.4);
    turnInsideOut(&s);
    assert_below(worst(&s, 0, 0.5, 1.5, 0.4), tolerance * 0.4);
    snArena_Free(&arena);
}

// From the coat through a gap and the body behind it; without the gap bridged it ends in the coat.
static void test_coat(void** state)
{
    snArena arena;
    (void)state;
    snArena_Init(&arena, NULL);
    snSurface outer = makePrism(&arena, 24, 20, snV3(0, 0, 0), 0.25, 2);
    snSurface inner = makePrism(&arena, 24, 20, snV3(0, 0.05, 0), 0.23, 1.9);
    snSurface body = makePrism(&arena, 24, 20, snV3(0, 0.1, 0), 0.22, 1.8);
    turnInsideOut(&inner);
    snSurface coat = joinSurfaces(&arena, &outer, &inner);
    snSurface all = joinSurfaces(&arena, &coat, &body);
    snMessage why;
    double* t = calloc((size_t)all.vertex_count, sizeof *t);
    int32_t middle = 10 * 24; // a vertex of the coat
    assert_ok(snThickness_Find(NULL, &all, 0, t, &why), why);
    assert_below(t[middle], 0.05);
    assert_ok(snThickness_Find(NULL, &all, 0.03, t, &why), why);
    assert_close(t[middle], 0.5, tolerance * 0.5);
    free(t);
    snArena_Free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_column), cmocka_unit_test(test_coat)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
