// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Affine maps: what they are put together of comes apart again; normals stay across surfaces.

#include "rig/matrix.h"

#include "base/random.h"
#include "check.h"

static const double tolerance = 1e-12; // a few roundings

static snVec3 draw(snRandom* r, double most)
{
    return snV3(snRandom_Range(r, -most, most), snRandom_Range(r, -most, most),
                snRandom_Range(r, -most, most));
}

static double farthest(const snMatrix* a, const snMatrix* b)
{
    double d = fmax(snLength(snSub(a->x, b->x)), snLength(snSub(a->y, b->y)));
    return fmax(d, fmax(snLength(snSub(a->z, b->z)), snLength(snSub(a->p, b->p))));
}

static void test_parts(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    for (int i = 0; i < 200; ++i) {
        snVec3 t = draw(&r, 3), s = draw(&r, 2), t2, s2;
        // also with axes that are gone
        s.x = i % 7 == 1 ? 0 : s.x;
        s.y = i % 5 == 1 ? 0 : s.y;
        s.z = i % 3 == 1 ? 0 : s.z;
        snQuat q = snQExp(draw(&r, 3)), q2;
        snMatrix m = snMatrix_FromParts(t, q, s);
        snVec3 x = draw(&r, 1);
        assert_close(snLength(snSub(snMatrix_Point(&m, x), snAdd(t, snQRotate(q, snMul3(s, x))))),
                     0, tolerance);
        assert_true(snMatrix_Split(&m, &t2, &q2, &s2));
        snMatrix again = snMatrix_FromParts(t2, q2, s2);
        assert_close(farthest(&m, &again), 0, 1e-7); // angles of up to 1e-4 are no shear
        assert_close(snQDot(q2, q2), 1, tolerance);
    }
    snMatrix shear = {{1, 0, 0}, {0.5, 1, 0}, {0, 0, 1}, {0, 0, 0}};
    snVec3 t, s;
    snQuat q;
    assert_false(snMatrix_Split(&shear, &t, &q, &s));
    assert_close(snQDot(q, q), 1, tolerance);
}

static void test_product(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    for (int i = 0; i < 100; ++i) {
        snMatrix a = {draw(&r, 1), draw(&r, 1), draw(&r, 1), draw(&r, 1)};
        snMatrix b = {draw(&r, 1), draw(&r, 1), draw(&r, 1), draw(&r, 1)};
        snMatrix ab = snMatrix_Mul(&a, &b);
        snVec3 x = draw(&r, 1);
        snVec3 both = snMatrix_Point(&a, snMatrix_Point(&b, x));
        assert_close(snLength(snSub(snMatrix_Point(&ab, x), both)), 0, tolerance);
        snMatrix sum = snMatrix_MulAdd(&a, 0.3, &b);
        snVec3 mix = snMulAdd(snMatrix_Point(&a, x), 0.3, snMatrix_Point(&b, x));
        assert_close(snLength(snSub(snMatrix_Point(&sum, x), mix)), 0, tolerance);
    }
}

// The normal of a triangle is that of the mapped one, on the side that was outside.
static void test_normals(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(3);
    for (int i = 0; i < 100; ++i) {
        snMatrix m = {draw(&r, 1), draw(&r, 1), draw(&r, 1), draw(&r, 1)};
        snVec3 a = draw(&r, 1), b = draw(&r, 1), outside = snCross(a, b);
        snVec3 n = snMatVec(snMatrix_ForNormals(&m), outside);
        double size = snLength(n);
        assert_close(snDot(n, snMatrix_Vector(&m, a)) / size, 0, tolerance);
        assert_close(snDot(n, snMatrix_Vector(&m, b)) / size, 0, tolerance);
        assert_true(snDot(n, snMatrix_Vector(&m, outside)) > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parts), cmocka_unit_test(test_product),
                                       cmocka_unit_test(test_normals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
