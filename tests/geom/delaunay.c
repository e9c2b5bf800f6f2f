// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
// needs: qhull

// No point inside a circumscribed ball; the tets fill the hull once; faces are shared by two.
#include "geom/delaunay.h"
#include "base/random.h"
#include "check.h"
#include "geom/surface.h"
#include "import/host.h"
#include "math/mat.h"

static snVec3 draw(snRandom* r)
{
    double x = snRandom_Unit(r), y = snRandom_Unit(r);
    return snV3(x, y, snRandom_Unit(r));
}

static double volumeOf(const snTets* tets)
{
    double sum = 0;
    for (int32_t t = 0; t < tets->tet_count; ++t) {
        const int32_t* v = tets->tet + 4 * t;
        double volume = snTetVolume(tets->position[v[0]], tets->position[v[1]],
                                    tets->position[v[2]], tets->position[v[3]]);
        assert_true(volume > 0);
        sum += volume;
    }
    return sum;
}

// The faces with one tet form a closed surface that encloses what the tets fill.
static double hullVolume(snArena* arena, const snTets* tets)
{
    static const int8_t face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    snSurface s = {tets->node_count, 4 * tets->tet_count, tets->position,
                   snArena_Push(arena, 12 * (size_t)tets->tet_count, sizeof(int32_t))};
    for (int32_t i = 0; i < 12 * tets->tet_count; ++i) {
        s.triangle[i] = tets->tet[4 * (i / 12) + face[i / 3 % 4][i % 3]];
    }
    snSurfaceFacts facts;
    snMessage why;
    assert_ok(snSurface_Inspect(&s, NULL, &facts, &why), why);
    // inner faces come twice, with opposite orientations, and add nothing
    assert_int_equal(facts.boundary_edges, 0);
    assert_true(facts.duplicate_triangles < 2 * tets->tet_count);
    return facts.volume;
}

static void test_ball(void** state)
{
    (void)state;
    enum { COUNT = 300 };
    snVec3 point[COUNT];
    snRandom r = snRandom_Seed(1);
    for (int i = 0; i < COUNT; ++i) {
        point[i] = draw(&r);
    }
    snArena arena;
    snArena_Init(&arena, importHost());
    snTets tets;
    snMessage why;
    assert_ok(snDelaunay_Build(&arena, point, COUNT, &tets, &why), why);
    assert_int_equal(tets.node_count, COUNT);
    for (int32_t t = 0; t < tets.tet_count; ++t) {
        const int32_t* v = tets.tet + 4 * t;
        // the centre c is as far from all corners: 2 (p_k - p_0) . (c - p_0) = |p_k - p_0|^2
        snVec3 a = snSub(point[v[1]], point[v[0]]), b = snSub(point[v[2]], point[v[0]]);
        snVec3 c = snSub(point[v[3]], point[v[0]]);
        bool ok;
        snMat3 inverse = snMatInverse(snTranspose(snMatFromCols(a, b, c)), &ok);
        assert_true(ok);
        snVec3 rhs = snScale(0.5, snV3(snLengthSq(a), snLengthSq(b), snLengthSq(c)));
        snVec3 middle = snAdd(point[v[0]], snMatVec(inverse, rhs));
        double radius = snLength(snSub(middle, point[v[0]]));
        for (int i = 0; i < COUNT; ++i) {
            assert_true(snLength(snSub(point[i], middle)) > radius * (1 - 1e-7));
        }
    }
    assert_close(volumeOf(&tets), hullVolume(&arena, &tets), 1e-12);
    assert_true(volumeOf(&tets) < 1);
    snArena_Free(&arena);
}

// A grid, all of whose cubes are cospherical, and a repeated point: the cube is filled once.
static void test_grid(void** state)
{
    (void)state;
    snVec3 point[126];
    for (int i = 0; i < 125; ++i) {
        point[i] = snV3(i % 5, i / 5 % 5, i / 25);
    }
    point[125] = point[17];
    snArena arena;
    snArena_Init(&arena, importHost());
    snTets tets;
    snMessage why;
    assert_ok(snDelaunay_Build(&arena, point, 126, &tets, &why), why);
    assert_close(volumeOf(&tets), 64, 1e-9);
    snArena_Free(&arena);
}

static void test_mistakes(void** state)
{
    (void)state;
    snVec3 point[10];
    snArena arena;
    snArena_Init(&arena, importHost());
    snTets tets;
    snMessage why;
    for (int i = 0; i < 10; ++i) {
        point[i] = snV3(i * i % 7, i, 0);
    }
    assert_int_equal(snDelaunay_Build(&arena, point, 10, &tets, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "plane"));
    assert_int_equal(snDelaunay_Build(&arena, point, 3, &tets, &why), sn_errorArgument);
    point[5].x = (double)NAN;
    assert_int_equal(snDelaunay_Build(&arena, point, 10, &tets, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "point 5"));
    snArena_Free(&arena);
}

static void test_missing(void** state)
{
    (void)state;
    snVec3 point[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    snArena arena;
    snArena_Init(&arena, NULL);
    snTets tets;
    snMessage why;
    assert_int_equal(snDelaunay_Build(&arena, point, 4, &tets, &why), sn_errorUnsupported);
    assert_non_null(strstr(why.text, "Qhull"));
    snArena_Free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_missing),
                                       cmocka_unit_test(test_mistakes), cmocka_unit_test(test_ball),
                                       cmocka_unit_test(test_grid)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
