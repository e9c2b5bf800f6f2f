// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// The tree against the sum over all triangles, the sum against what a closed surface must give, and
// the answers for surfaces that are not closed, not one, or inside out.
#include "geom/winding.h"
#include "base/random.h"
#include "math/quat.h"
#include "shapes.h"

// The expansion at two reaches, summed over a body's nodes; measured 7e-3 at worst.
#define EXPANSION 1e-2

static snVec3 drawPoint(snRandom* r, snBox box, double margin)
{
    snVec3 size = snSub(box.hi, box.lo);
    double x = snRandom_Range(r, -margin, 1 + margin), y = snRandom_Range(r, -margin, 1 + margin);
    return snAdd(box.lo, snMul3(size, snV3(x, y, snRandom_Range(r, -margin, 1 + margin))));
}

static snWinding build(snArena* arena, const snSurface* s)
{
    snWinding w;
    snMessage why;
    assert_ok(snWinding_Build(arena, s, &w, &why), why);
    return w;
}

static void compare(const snSurface* s, int count, double bound)
{
    snArena arena;
    snArena_Init(&arena, NULL);
    snWinding w = build(&arena, s);
    snRandom r = snRandom_Seed(3);
    snBox box = snSurface_Bounds(s);
    double square = 0;
    for (int i = 0; i < count; ++i) {
        snVec3 q = drawPoint(&r, box, 0.3);
        double error = snWinding_At(&w, q) - snWinding_Exact(s, q);
        square += error * error;
        assert_below(fabs(error), bound);
    }
    assert_below(sqrt(square / count), 0.3 * bound);
    snArena_Free(&arena);
}

static void test_reference(void** state)
{
    (void)state;
    snArena arena;
    snArena_Init(&arena, NULL);
    snSurface torus = makeTorus(&arena, 60, 40, 2, 0.5),
              ball = makeBall(&arena, 12, snV3(1, 0, 0), 1);
    snSurface both = joinSurfaces(&arena, &torus, &ball), open = torus;
    open.triangle_count = torus.triangle_count * 2 / 3;
    compare(&torus, 400, EXPANSION);
    compare(&both, 400, EXPANSION);
    compare(&open, 400, EXPANSION);
    // a soup of triangles that share nothing and enclose nothing
    snSurface soup = newSurface(&arena, 1500, 500);
    snRandom r = snRandom_Seed(9);
    snBox unit = {snV3(0, 0, 0), snV3(1, 1, 1)};
    for (int32_t i = 0; i < soup.vertex_count; ++i) {
        soup.position[i] = drawPoint(&r, unit, 0);
        soup.triangle[i] = i;
    }
    compare(&soup, 400, 2 * EXPANSION);
    snArena_Free(&arena);
}

// The sum is a whole number off a closed surface: 1 inside, 0 outside, whatever place and size.
static void test_closed(void** state)
{
    (void)state;
    const double sizes[] = {1e-30, 1e-3, 1, 1e5, 1e30};
    for (int k = 0; k < 5; ++k) {
        snArena arena;
        snArena_Init(&arena, NULL);
        snVec3 centre = snScale(sizes[k], snV3(3, -4, 5));
        snSurface s = makeBall(&arena, 16, centre, sizes[k]);
        snWinding w = build(&arena, &s);
        snRandom r = snRandom_Seed(1);
        snBox box = snSurface_Bounds(&s);
        int inside = 0;
        for (int i = 0; i < 500; ++i) {
            snVec3 q = drawPoint(&r, box, 0.2);
            double d = snLength(snSub(q, centre)) / sizes[k];
            if (fabs(d - 0.99) < 0.02) {
                continue; // between the ball and its polyhedron
            }
            assert_close(snWinding_Exact(&s, q), d < 1 ? 1 : 0, 1e-12);
            assert_int_equal(snWinding_IsInside(snWinding_At(&w, q)), d < 1);
            inside += d < 1;
        }
        assert_in_range(inside, 60, 140); // the ball fills 19 % of the box
        assert_false(snWinding_IsInside(snWinding_At(&w, snV3(1e300, 0, 0))));
        assert_false(snWinding_IsInside(snWinding_At(&w, snV3(0, (double)NAN, 0))));
        snArena_Free(&arena);
    }
}

// Overlaps are inside, cavities are not, inside out is solid, a hole only blurs.
static void test_shells(void** state)
{
    (void)state;
    snArena arena;
    snArena_Init(&arena, NULL);
    snSurface a = makeBall(&arena, 14, snV3(0, 0, 0), 1),
              b = makeBall(&arena, 14, snV3(1, 0, 0), 1);
    snSurface inner = makeBall(&arena, 14, snV3(0, 0, 0), 0.5);
    snSurface two = joinSurfaces(&arena, &a, &b);
    snWinding w = build(&arena, &two);
    assert_close(snWinding_At(&w, snV3(0.5, 0, 0)), 2, EXPANSION);
    assert_true(snWinding_IsInside(snWinding_At(&w, snV3(0.5, 0, 0))));
    assert_true(snWinding_IsInside(snWinding_At(&w, snV3(-0.5, 0, 0))));
    assert_false(snWinding_IsInside(snWinding_At(&w, snV3(0.5, 0.95, 0))));

    turnInsideOut(&inner);
    snSurface hollow = joinSurfaces(&arena, &a, &inner);
    w = build(&arena, &hollow);
    assert_false(snWinding_IsInside(snWinding_At(&w, snV3(0.1, 0.2, 0))));
    assert_true(snWinding_IsInside(snWinding_At(&w, snV3(0.1, 0.7, 0))));

    turnInsideOut(&b);
    w = build(&arena, &b);
    assert_close(snWinding_At(&w, snV3(1, 0, 0)), -1, EXPANSION);
    assert_true(snWinding_IsInside(snWinding_At(&w, snV3(1.5, 0.5, 0))));
    assert_false(snWinding_IsInside(snWinding_At(&w, snV3(-0.5, 0, 0))));

    // a tenth of the triangles is gone
    snSurface holes = newSurface(&arena, a.vertex_count, a.triangle_count);
    memcpy(holes.position, a.position, (size_t)a.vertex_count * sizeof(snVec3));
    holes.triangle_count = 0;
    for (int32_t t = 0; t < a.triangle_count; ++t) {
        if (t % 10 != 3) {
            memcpy(holes.triangle + 3 * holes.triangle_count++, a.triangle + 3 * t,
                   3 * sizeof(int32_t));
        }
    }
    w = build(&arena, &holes);
    snRandom r = snRandom_Seed(2);
    snBox box = {snV3(-1.5, -1.5, -1.5), snV3(1.5, 1.5, 1.5)};
    for (int i = 0; i < 500; ++i) {
        snVec3 q = drawPoint(&r, box, 0);
        double d = snLength(q);
        if (fabs(d - 1) > 0.15) {
            assert_int_equal(snWinding_IsInside(snWinding_At(&w, q)), d < 1);
        }
    }
    snArena_Free(&arena);
}

// Together or alone, by any number of threads and any instruction set: the same bits.
static void test_batch(void** state)
{
    (void)state;
    enum { COUNT = 5001 };
    static snVec3 q[COUNT];
    static double one[COUNT], many[COUNT];
    snArena arena;
    snArena_Init(&arena, NULL);
    snSurface s = makeTorus(&arena, 80, 40, 2, 0.5);
    snWinding w = build(&arena, &s);
    snRandom r = snRandom_Seed(4);
    snBox box = snSurface_Bounds(&s);
    for (int i = 0; i < COUNT; ++i) {
        q[i] = i % 50 == 0 ? s.position[i % s.vertex_count] : drawPoint(&r, box, 0.1);
        one[i] = snWinding_At(&w, q[i]);
    }
    snMessage why;
    for (int threads = 1; threads <= 3; ++threads) {
        snHost host;
        snTasks* tasks;
        snHost_Init(&host);
        host.thread_count = threads;
        assert_ok(snTasks_Create(&host, &tasks, &why), why);
        memset(many, 0, sizeof(many));
        assert_ok(snWinding_Batch(&w, q, COUNT, many, NULL, threads > 1 ? tasks : NULL, &why), why);
        assert_memory_equal(one, many, sizeof(one));
        snTasks_Free(tasks);
    }
    for (int isa = sn_isaBaseline; isa <= sn_isaAvx512; ++isa) {
        snArena other;
        snHost host;
        snHost_Init(&host);
        host.isa = isa;
        snArena_Init(&other, &host);
        snWinding v = build(&other, &s);
        assert_ok(snWinding_Batch(&v, q, COUNT, many, NULL, NULL, &why), why);
        assert_memory_equal(one, many, sizeof(one));
        snArena_Free(&other);
    }
    assert_ok(snWinding_Batch(&w, q, 0, many, NULL, NULL, &why), why);
    snArena_Free(&arena);
}

// A turned body gives turned answers; a mirrored one is inside out.
static void test_symmetry(void** state)
{
    (void)state;
    snArena arena;
    snArena_Init(&arena, NULL);
    snSurface s = makeTorus(&arena, 40, 30, 2, 0.5), turned = newSurface(&arena, 1200, 2400);
    snSurface mirror = newSurface(&arena, 1200, 2400);
    snQuat turn = snQExp(snV3(0.3, 1, -2));
    memcpy(turned.triangle, s.triangle, 7200 * sizeof(int32_t));
    memcpy(mirror.triangle, s.triangle, 7200 * sizeof(int32_t));
    for (int32_t i = 0; i < s.vertex_count; ++i) {
        turned.position[i] = snQRotate(turn, s.position[i]);
        mirror.position[i] = snMul3(s.position[i], snV3(-1, 1, 1));
    }
    snWinding a = build(&arena, &s), b = build(&arena, &turned), c = build(&arena, &mirror);
    snRandom r = snRandom_Seed(8);
    snBox box = snSurface_Bounds(&s);
    for (int i = 0; i < 300; ++i) {
        snVec3 q = drawPoint(&r, box, 0.2);
        double w = snWinding_At(&a, q);
        assert_close(snWinding_At(&b, snQRotate(turn, q)), w, 2 * EXPANSION);
        assert_close(snWinding_At(&c, snMul3(q, snV3(-1, 1, 1))), -w, 2 * EXPANSION);
    }
    snArena_Free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference),
                                       cmocka_unit_test(test_closed), cmocka_unit_test(test_shells),
                                       cmocka_unit_test(test_batch),
                                       cmocka_unit_test(test_symmetry)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
