// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Euler's formula, closed forms of area and volume, and each defect counted when it is put in.
#include "shapes.h"

#include "base/random.h"

static void test_torus(void** state)
{
    (void)state;
    double error[2];
    for (int k = 0; k < 2; ++k) {
        snArena arena;
        snArena_Init(&arena, NULL);
        snSurface s = makeTorus(&arena, 60 << k, 40 << k, 2, 0.5);
        snSurfaceFacts f = factsOf(&s);
        assert_true(snSurfaceFacts_IsClosed(&f));
        assert_int_equal(eulerOf(&s, &f), 0);
        assert_int_equal(f.shells, 1);
        double volume = 2 * SN_PI * SN_PI * 2 * 0.25, area = 4 * SN_PI * SN_PI * 2 * 0.5;
        error[k] = fabs(f.volume - volume) / volume + fabs(f.area - area) / area;
        snArena_Free(&arena);
    }
    // inscribed polyhedra approach at second order
    assert_below(error[0], 0.02);
    assert_close(error[0] / error[1], 4, 0.2);
}

static void test_ball(void** state)
{
    (void)state;
    snArena arena;
    snArena_Init(&arena, NULL);
    snSurface s = makeBall(&arena, 20, snV3(1e3, -2e3, 5), 0.7);
    snSurfaceFacts f = factsOf(&s);
    assert_true(snSurfaceFacts_IsClosed(&f));
    assert_int_equal(eulerOf(&s, &f), 2);
    assert_relative(f.volume, 4 * SN_PI / 3 * 0.343, 0.01, 0);
    assert_close(f.bounds.hi.x - f.bounds.lo.x, 1.4, 1e-9);

    snVec3* normal = snArena_Push(&arena, (size_t)s.vertex_count, sizeof(snVec3));
    snSurface_Normals(&s, normal);
    for (int32_t i = 0; i < s.vertex_count; ++i) {
        snVec3 out = snNormalize(snSub(s.position[i], snV3(1e3, -2e3, 5)));
        assert_below(1 - snDot(out, normal[i]), 1e-3);
    }
    turnInsideOut(&s);
    snSurfaceFacts g = factsOf(&s);
    assert_close(g.volume, -f.volume, 1e-12);
    assert_true(snSurfaceFacts_IsClosed(&g));
    snArena_Free(&arena);
}

static void test_defects(void** state)
{
    (void)state;
    snArena arena;
    snArena_Init(&arena, NULL);
    snSurface ball = makeBall(&arena, 8, snV3(0, 0, 0), 1);
    snSurface s = newSurface(&arena, ball.vertex_count + 2, ball.triangle_count + 3);
    memcpy(s.position, ball.position, (size_t)ball.vertex_count * sizeof(snVec3));
    memcpy(s.triangle, ball.triangle, 3 * (size_t)ball.triangle_count * sizeof(int32_t));
    int32_t* extra = s.triangle + 3 * ball.triangle_count;
    snSurface part = {ball.vertex_count, ball.triangle_count, s.position, s.triangle};

    // a hole
    part.triangle_count -= 1;
    snSurfaceFacts f = factsOf(&part);
    assert_int_equal(f.boundary_edges, 3);
    assert_false(snSurfaceFacts_IsClosed(&f));
    part.triangle_count += 1;

    // a turned triangle, and its repair
    int32_t turned;
    snMessage why;
    int32_t swap = s.triangle[31];
    s.triangle[31] = s.triangle[32];
    s.triangle[32] = swap;
    f = factsOf(&part);
    assert_int_equal(f.misoriented_edges, 3);
    assert_ok(snSurface_Orient(&part, NULL, &turned, &why), why);
    assert_int_equal(turned, 1);
    f = factsOf(&part);
    assert_true(snSurfaceFacts_IsClosed(&f));

    // a duplicate, written from another corner and turned; a fin; a degenerate; a free vertex
    extra[0] = s.triangle[5], extra[1] = s.triangle[4], extra[2] = s.triangle[3];
    extra[3] = s.triangle[60], extra[4] = s.triangle[61], extra[5] = ball.vertex_count;
    extra[6] = extra[7] = 7, extra[8] = 9;
    f = factsOf(&s);
    assert_int_equal(f.duplicate_triangles, 1);
    assert_int_equal(f.nonmanifold_edges, 3 + 1);
    assert_int_equal(f.boundary_edges, 2);
    assert_int_equal(f.degenerate_triangles, 1);
    assert_int_equal(f.unreferenced_vertices, 1);
    assert_int_equal(f.shells, 1);
    snArena_Free(&arena);
}

// Cutting every triangle loose and welding gives the surface back; the map says where it went.
static void test_weld(void** state)
{
    (void)state;
    snArena arena;
    snArena_Init(&arena, NULL);
    snSurface s = makeTorus(&arena, 30, 20, 2, 0.5), welded;
    snSurface soup = newSurface(&arena, 3 * s.triangle_count, s.triangle_count);
    for (int32_t i = 0; i < soup.vertex_count; ++i) {
        soup.position[i] = s.position[s.triangle[i]];
        soup.triangle[i] = i;
    }
    soup.position[0].y = soup.position[0].y == 0 ? -0.0 : soup.position[0].y;
    snSurfaceFacts f = factsOf(&soup);
    assert_int_equal(f.shells, s.triangle_count);
    assert_int_equal(f.boundary_edges, 3 * s.triangle_count);
    int32_t* map;
    snMessage why;
    assert_ok(snSurface_Weld(&arena, &soup, &welded, &map, &why), why);
    assert_int_equal(welded.vertex_count, s.vertex_count);
    f = factsOf(&welded);
    assert_true(snSurfaceFacts_IsClosed(&f));
    for (int32_t i = 0; i < soup.vertex_count; ++i) {
        assert_true(snLength(snSub(welded.position[map[i]], soup.position[i])) == 0);
    }
    snArena_Free(&arena);
}

// Orientation drawn at random is made consistent again.
static void test_orient(void** state)
{
    (void)state;
    snArena arena;
    snArena_Init(&arena, NULL);
    snSurface a = makeTorus(&arena, 30, 20, 2, 0.5), b = makeBall(&arena, 6, snV3(0, 5, 0), 1);
    snSurface s = joinSurfaces(&arena, &a, &b);
    snRandom r = snRandom_Seed(7);
    int32_t flips = 0, turned;
    for (int32_t t = 0; t < s.triangle_count; ++t) {
        if (snRandom_Below(&r, 4) == 0) {
            int32_t swap = s.triangle[3 * t];
            s.triangle[3 * t] = s.triangle[3 * t + 2];
            s.triangle[3 * t + 2] = swap;
            ++flips;
        }
    }
    snMessage why;
    assert_ok(snSurface_Orient(&s, NULL, &turned, &why), why);
    assert_int_equal(turned, flips);
    snSurfaceFacts f = factsOf(&s), fa = factsOf(&a), fb = factsOf(&b);
    assert_true(snSurfaceFacts_IsClosed(&f));
    assert_int_equal(f.shells, 2);
    assert_relative(f.volume, fa.volume + fb.volume, 1e-12, 0);
    snArena_Free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_torus), cmocka_unit_test(test_ball),
                                       cmocka_unit_test(test_defects), cmocka_unit_test(test_weld),
                                       cmocka_unit_test(test_orient)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
