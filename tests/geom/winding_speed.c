// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long

// A million points against 35,000 triangles in less than two seconds of one core.
#include "base/random.h"
#include "geom/winding.h"
#include "shapes.h"
#include <time.h>

#define POINTS 1000000

// Seconds of processor time that are allowed. Measured at 2.8 GHz, 40k triangles: 1.0 s with
// AVX-512, 1.1 s with AVX2, 1.9 s with SSE2.
#define ALLOWED 2.0

static void test_speed(void** state)
{
    (void)state;
    snArena arena;
    snArena_Init(&arena, NULL);
    snSurface s = makeTorus(&arena, 175, 100, 1, 0.4);
    assert_int_equal(s.triangle_count, 35000);
    snBox box = snSurface_Bounds(&s);
    snVec3* q = snArena_Push(&arena, POINTS, sizeof(snVec3));
    double* w = snArena_Push(&arena, POINTS, sizeof(double));
    snRandom r = snRandom_Seed(6);
    for (int i = 0; i < POINTS; ++i) {
        double x = snRandom_Range(&r, box.lo.x, box.hi.x);
        double y = snRandom_Range(&r, box.lo.y, box.hi.y);
        q[i] = snV3(x, y, snRandom_Range(&r, box.lo.z, box.hi.z));
    }
    snWinding winding;
    snMessage why;
    clock_t start = clock();
    assert_ok(snWinding_Build(&arena, &s, &winding, &why), why);
    clock_t built = clock();
    assert_ok(snWinding_Batch(&winding, q, POINTS, w, NULL, NULL, &why), why);
    double seconds = (double)(clock() - built) / CLOCKS_PER_SEC;
    print_message("tree %.3f s, a million points %.3f s\n",
                  (double)(built - start) / CLOCKS_PER_SEC, seconds);
    // the share of the box that is inside is the torus' volume
    int inside = 0, wrong = 0;
    for (int i = 0; i < POINTS; ++i) {
        double ring = sqrt(q[i].x * q[i].x + q[i].z * q[i].z) - 1;
        double d = sqrt(ring * ring + q[i].y * q[i].y);
        bool yes = snWinding_IsInside(w[i]);
        inside += yes;
        wrong += fabs(d - 0.4) > 2e-3 && yes != (d < 0.4);
    }
    snVec3 size = snSub(box.hi, box.lo);
    double volume = size.x * size.y * size.z * inside / POINTS;
    assert_relative(volume, 2 * SN_PI * SN_PI * 0.16, 0.005, 0);
    assert_int_equal(wrong, 0);
    assert_below(seconds, ALLOWED);
    snArena_Free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_speed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
