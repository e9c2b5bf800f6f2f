// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Distances against the definition, tried densely; signs; continuity of slopes.
#include "geom/field.h"
#include "base/random.h"
#include "check.h"

static snVec3 draw(snRandom* r, double size)
{
    double x = snRandom_Range(r, -size, size), y = snRandom_Range(r, -size, size);
    return snV3(x, y, snRandom_Range(r, -size, size));
}

// The least over many balls along the axis, for any radii, also where one end swallows the other.
static void test_cone(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    for (int i = 0; i < 2000; ++i) {
        snVec3 a = draw(&r, 1), b = i % 50 == 0 ? a : draw(&r, 1), p = draw(&r, 3);
        double ra = snRandom_Range(&r, 0.01, 1), rb = i % 3 == 0 ? ra : snRandom_Range(&r, 0.01, 1);
        double least = HUGE_VAL;
        for (int k = 0; k <= 1000; ++k) {
            double t = k / 1000.0;
            snVec3 x = snMulAdd(a, t, snSub(b, a));
            double d = snField_Ball(p, x, ra + t * (rb - ra));
            least = d < least ? d : least;
        }
        double f = snField_Cone(p, a, ra, b, rb);
        // never above a ball of the set; below it by less than the step between them
        assert_below(f, least + 1e-12);
        assert_below(least - f, 1e-3 * (snLength(snSub(b, a)) + fabs(rb - ra)) + 1e-12);
        if (ra == rb) {
            assert_true(snField_Capsule(p, a, b, ra) == f);
        }
    }
}

// Right sign everywhere, slope 1 on the surface.
static void test_ellipsoid(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    snVec3 c = snV3(0.3, -0.2, 1), axes = snV3(0.5, 0.2, 1);
    for (int i = 0; i < 1000; ++i) {
        snVec3 u = snNormalize(draw(&r, 1)), on = snAdd(c, snMul3(u, axes));
        snVec3 n = snNormalize(snV3(u.x / axes.x, u.y / axes.y, u.z / axes.z));
        double h = 1e-5;
        assert_close(snField_Ellipsoid(on, c, axes), 0, 1e-12);
        assert_close(snField_Ellipsoid(snMulAdd(on, h, n), c, axes), h, 1e-3 * h);
        assert_true(snField_Ellipsoid(snMulAdd(c, 0.5, snSub(on, c)), c, axes) < 0);
    }
    assert_close(snField_Ellipsoid(c, c, axes), -0.2, 1e-15);
    // a ball is exact
    snVec3 p = snV3(3, 4, 0);
    assert_close(snField_Ellipsoid(p, snV3(0, 0, 0), snV3(2, 2, 2)), 3, 1e-12);
}

static void test_union(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(3);
    for (int i = 0; i < 1000; ++i) {
        double a = snRandom_Range(&r, -1, 1), b = snRandom_Range(&r, -1, 1), k = 0.3;
        double least = a < b ? a : b, f = snField_Union(a, b, k);
        assert_true(f == snField_Union(b, a, k));
        assert_true(f <= least && f >= least - k / 4);
        assert_true(fabs(a - b) < k || f == least);
        assert_true(snField_Union(a, b, 0) == least);
        // slopes: nowhere a jump
        double h = 1e-6, left = snField_Union(a - h, b, k), right = snField_Union(a + h, b, k);
        assert_below(fabs(left + right - 2 * f), 2 * h * h / k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cone),
                                       cmocka_unit_test(test_ellipsoid),
                                       cmocka_unit_test(test_union)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
