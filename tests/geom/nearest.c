// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Against all triangles tried one by one, and against conditions that only the nearest point meets.
#include "geom/nearest.h"
#include "base/random.h"
#include "geom/winding.h"
#include "shapes.h"

static snVec3 draw(snRandom* r, double size)
{
    double x = snRandom_Range(r, -size, size), y = snRandom_Range(r, -size, size);
    return snV3(x, y, snRandom_Range(r, -size, size));
}

static snVec3 blend(snVec3 a, snVec3 b, snVec3 c, const double w[3])
{
    return snAdd(snScale(w[0], a), snAdd(snScale(w[1], b), snScale(w[2], c)));
}

// p is the nearest point of a convex set when no corner lies further towards q: (x - p).(q - p) <=
// 0.
static void test_triangle(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    for (int i = 0; i < 20000; ++i) {
        snVec3 t[3] = {draw(&r, 1), draw(&r, 1), draw(&r, 1)}, q = draw(&r, 2);
        if (i % 20 == 0) { // flat: a segment, or a point
            t[2] = i % 40 == 0 ? t[0] : snScale(0.5, snAdd(t[0], t[1]));
            t[1] = i % 80 == 0 ? t[0] : t[1];
        }
        double w[3];
        snTriangle_Nearest(t[0], t[1], t[2], q, w);
        assert_true(w[0] >= 0 && w[1] >= 0 && w[2] >= 0);
        assert_close(w[0] + w[1] + w[2], 1, 1e-15);
        snVec3 p = blend(t[0], t[1], t[2], w);
        for (int k = 0; k < 3; ++k) {
            assert_below(snDot(snSub(t[k], p), snSub(q, p)), 1e-12);
        }
    }
}

static void test_brute(void** state)
{
    (void)state;
    snArena arena;
    snArena_Init(&arena, NULL);
    snSurface a = makeTorus(&arena, 40, 24, 1, 0.4), b = makeBall(&arena, 5, snV3(1, 1, 0), 0.5);
    snSurface s = joinSurfaces(&arena, &a, &b);
    snNearest nearest;
    snMessage why;
    assert_ok(snNearest_Build(&arena, &s, &nearest, &why), why);
    snRandom r = snRandom_Seed(2);
    for (int i = 0; i < 500; ++i) {
        snVec3 q = draw(&r, 2);
        snNearestHit hit;
        double least = HUGE_VAL, w[3];
        assert_true(snNearest_Find(&nearest, q, (double)INFINITY, &hit));
        for (int32_t t = 0; t < s.triangle_count; ++t) {
            const int32_t* v = s.triangle + 3 * t;
            const snVec3* p = s.position;
            snTriangle_Nearest(p[v[0]], p[v[1]], p[v[2]], q, w);
            double d = snLength(snSub(q, blend(p[v[0]], p[v[1]], p[v[2]], w)));
            least = d < least ? d : least;
        }
        assert_close(hit.distance, least, 1e-14);
        assert_close(snLength(snSub(hit.point, q)), least, 1e-14);
        assert_close(snLength(hit.normal), 1, 1e-14);
        // a limit just above finds it, just below does not
        snNearestHit again;
        assert_true(snNearest_Find(&nearest, q, hit.distance * (1 + 1e-9), &again));
        assert_int_equal(again.triangle, hit.triangle);
        assert_false(snNearest_Find(&nearest, q, hit.distance * (1 - 1e-9), &again));
    }
    snArena_Free(&arena);
}

// On a closed surface the side of the feature's normal is the side by winding number, also where
// the nearest point is an edge or a corner of a spiky body.
static void test_side(void** state)
{
    (void)state;
    snArena arena;
    snArena_Init(&arena, NULL);
    snSurface s = makeBall(&arena, 3, snV3(0, 0, 0), 1);
    snRandom r = snRandom_Seed(3);
    for (int32_t i = 0; i < s.vertex_count; ++i) {
        s.position[i] = snScale(snRandom_Range(&r, 0.4, 1.6), s.position[i]);
    }
    snNearest nearest;
    snMessage why;
    assert_ok(snNearest_Build(&arena, &s, &nearest, &why), why);
    int features[3] = {0, 0, 0};
    for (int i = 0; i < 3000; ++i) {
        snVec3 q = draw(&r, 1.6);
        snNearestHit hit;
        assert_true(snNearest_Find(&nearest, q, (double)INFINITY, &hit));
        double side = snDot(snSub(q, hit.point), hit.normal);
        if (hit.distance > 1e-6) {
            assert_int_equal(side<0, snWinding_Exact(&s, q)> 0.5);
        }
        int zeros = (hit.weight[0] == 0) + (hit.weight[1] == 0) + (hit.weight[2] == 0);
        ++features[zeros];
    }
    assert_true(features[0] > 300 && features[1] > 300 && features[2] > 100);
    snArena_Free(&arena);
}

static void test_empty(void** state)
{
    (void)state;
    snArena arena;
    snArena_Init(&arena, NULL);
    snSurface s = newSurface(&arena, 0, 0);
    snNearest nearest;
    snNearestHit hit;
    snMessage why;
    assert_ok(snNearest_Build(&arena, &s, &nearest, &why), why);
    assert_false(snNearest_Find(&nearest, snV3(0, 0, 0), (double)INFINITY, &hit));
    snArena_Free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_triangle),
                                       cmocka_unit_test(test_brute), cmocka_unit_test(test_side),
                                       cmocka_unit_test(test_empty)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
