// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// The quick inside test of a covering lattice against the winding number, for clean surfaces and
// broken ones.
#include "flesh/cover.h"

#include "base/random.h"
#include "flesh/bodies.h"

#define POINTS 20000

// The share of points in the body's box that the two tests tell differently.
static double mismatch(const snSurface* surface, double cell, int64_t* kept)
{
    static snVec3 p[POINTS];
    static uint8_t fast[POINTS], slow[POINTS];
    snRandom r = snRandom_Seed(4);
    snArena arena;
    snSolid solid;
    snCover cover;
    snMessage why;
    snArena_Init(&arena, NULL);
    assert_ok(snSolid_Build(&arena, surface, &solid, &why), why);
    assert_ok(snCover_Lay(&solid, cell, snV3(0.1, -0.2, 0.3), 4, &cover, &why), why);
    for (int i = 0; i < POINTS; ++i) {
        double x = snRandom_Range(&r, solid.box.lo.x, solid.box.hi.x);
        double y = snRandom_Range(&r, solid.box.lo.y, solid.box.hi.y);
        p[i] = snV3(x, y, snRandom_Range(&r, solid.box.lo.z, solid.box.hi.z));
    }
    assert_ok(snCover_Material(&cover, p, POINTS, fast, &why), why);
    assert_ok(snSolid_Material(&solid, p, POINTS, slow, &why), why);
    int differ = 0, inside = 0;
    for (int i = 0; i < POINTS; ++i) {
        differ += fast[i] != slow[i];
        inside += slow[i];
    }
    assert_true(inside > POINTS / 20 && inside < POINTS);
    *kept = cover.count;
    snCover_Free(&cover);
    snArena_Free(&arena);
    return (double)differ / POINTS;
}

static void cleanSurfacesAgree(void** state)
{
    (void)state;
    Case c;
    int64_t coarse, fine;
    setUp(&c, fingerField, 600, makeNoBones, 100);
    assert_close(mismatch(&c.surface, 0.1, &coarse), 0, 0);
    assert_close(mismatch(&c.surface, 0.03, &fine), 0, 0);
    assert_true(fine > 8 * coarse);
    // inside out is as solid
    for (int32_t t = 0; t < c.surface.triangle_count; ++t) {
        int32_t* v = c.surface.triangle + 3 * (size_t)t;
        int32_t was = v[0];
        v[0] = v[1];
        v[1] = was;
    }
    int64_t again;
    assert_close(mismatch(&c.surface, 0.1, &again), 0, 0);
    assert_int_equal(again, coarse);
    snArena_Free(&c.arena);
    snSkeleton_Release(c.skeleton);
}

// Faces in the lattice's own planes, edges on its lines.
static void alignedBoxesAgree(void** state)
{
    (void)state;
    snVec3 corner[8];
    int32_t face[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                        2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    snSurface box = {8, 12, corner, face};
    snArena arena;
    snSolid solid;
    snCover cover;
    snMessage why;
    for (int k = 0; k < 8; ++k) {
        corner[k] = snV3(k & 1, k >> 1 & 1, k >> 2);
    }
    snArena_Init(&arena, NULL);
    assert_ok(snSolid_Build(&arena, &box, &solid, &why), why);
    assert_close(solid.volume, 1, 1e-12);
    assert_close(solid.area, 6, 1e-12);
    assert_ok(snCover_Lay(&solid, 0.25, snV3(0, 0, 0), 4, &cover, &why), why);
    double volume = 0;
    for (int64_t t = 0; t < snBcc_TetCount(&cover.lattice); ++t) {
        volume += cover.kind[t] == sn_cellFull ? 0.25 * 0.25 * 0.25 / 12 : 0;
    }
    assert_true(volume > 0.1 && volume < 1);
    snRandom r = snRandom_Seed(8);
    for (int i = 0; i < 5000; ++i) {
        double x = snRandom_Range(&r, -0.2, 1.2), y = snRandom_Range(&r, -0.2, 1.2);
        snVec3 p = snV3(x, y, snRandom_Range(&r, -0.2, 1.2));
        uint8_t in;
        assert_ok(snCover_Material(&cover, &p, 1, &in, &why), why);
        bool inside = p.x > 0 && p.x < 1 && p.y > 0 && p.y < 1 && p.z > 0 && p.z < 1;
        assert_int_equal(in, inside);
    }
    snCover_Free(&cover);
    snArena_Free(&arena);
}

// One triangle in 12 missing: points behind a hole may be told otherwise, few of them.
static void holesBlurLittle(void** state)
{
    (void)state;
    Case c;
    int64_t kept;
    setUp(&c, fingerField, 600, makeNoBones, 100);
    int32_t left = 0;
    for (int32_t t = 0; t < c.surface.triangle_count; ++t) {
        if (t % 12) {
            memmove(c.surface.triangle + 3 * (size_t)left++, c.surface.triangle + 3 * (size_t)t,
                    3 * sizeof(int32_t));
        }
    }
    c.surface.triangle_count = left;
    double coarse = mismatch(&c.surface, 0.1, &kept), fine = mismatch(&c.surface, 0.03, &kept);
    print_message("holes: %.2g of the points differ in coarse cells, %.2g in fine ones\n", coarse,
                  fine);
    assert_below(coarse, 0.002);
    assert_below(fine, 0.002);
    snArena_Free(&c.arena);
    snSkeleton_Release(c.skeleton);
}

// The same surface twice, the second moved and overlapping.
static void overlapsAgree(void** state)
{
    (void)state;
    Case c;
    int64_t kept;
    setUp(&c, fingerField, 300, makeNoBones, 100);
    int32_t n = c.surface.vertex_count, m = c.surface.triangle_count;
    snSurface both = {2 * n, 2 * m, snArena_Push(&c.arena, 2 * (size_t)n, sizeof(snVec3)),
                      snArena_Push(&c.arena, 6 * (size_t)m, sizeof(int32_t))};
    for (int32_t i = 0; i < 2 * n; ++i) {
        snVec3 p = c.surface.position[i % n];
        both.position[i] = i < n ? p : snAdd(p, snV3(0.04, 0.03, 0.02));
    }
    for (int32_t i = 0; i < 6 * m; ++i) {
        both.triangle[i] = c.surface.triangle[i % (3 * m)] + (i < 3 * m ? 0 : n);
    }
    assert_close(mismatch(&both, 0.08, &kept), 0, 0);
    snArena_Free(&c.arena);
    snSkeleton_Release(c.skeleton);
}

static void searchFindsTheCount(void** state)
{
    (void)state;
    Case c;
    snSolid solid;
    snMessage why;
    setUp(&c, starField, 500, makeNoBones, 100);
    assert_ok(snSolid_Build(&c.arena, &c.surface, &solid, &why), why);
    for (int64_t wanted = 200; wanted <= 20000; wanted *= 10) {
        snCover cover;
        assert_ok(snCover_Search(&solid, wanted, snV3(0, 0, 0), 4, &cover, &why), why);
        assert_relative((double)cover.count, (double)wanted, 0.05, 0);
        snCover_Free(&cover);
    }
    snArena_Free(&c.arena);
    snSkeleton_Release(c.skeleton);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cleanSurfacesAgree),  cmocka_unit_test(alignedBoxesAgree),
        cmocka_unit_test(holesBlurLittle),     cmocka_unit_test(overlapsAgree),
        cmocka_unit_test(searchFindsTheCount),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
