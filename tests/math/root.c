// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// The inverse Cholesky root of a 3x3 matrix: Y'Y = S^-1 as far as the matrix' condition allows.
#include "math/root.h"
#include "base/random.h"
#include "check.h"
#include "math/quat.h"

#define EPS 1.1102230246251565e-16
#define NOTHING ((double)NAN)

static snQuat turnAtRandom(snRandom* r)
{
    return snQNormalize(snQ(snRandom_Range(r, -1, 1), snRandom_Range(r, -1, 1),
                            snRandom_Range(r, -1, 1), snRandom_Range(r, -1, 1)));
}

// Principal values 1, something between, and 1/condition, times a scale, in random axes.
static snSym3 randomSpd(snRandom* r, double condition, double scale)
{
    snSym3 principal = {scale, scale * pow(condition, -snRandom_Unit(r)), scale / condition, 0, 0,
                        0};
    return snSymRotate(snMatFromQ(turnAtRandom(r)), principal);
}

static snMat3 matOfRoot(const snRoot3* Y)
{
    return snRoot3_TimesMat(Y, snMat3_Identity());
}

static double largestOf(snMat3 A)
{
    double most = 0;
    for (int i = 0; i < 3; ++i) {
        snVec3 v = snMatRow(A, i);
        most = fmax(most, fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z))));
    }
    return most;
}

static void rootOfTheInverse(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    for (int n = 0; n < 20000; ++n) {
        double condition = pow(10, snRandom_Range(&r, 0, 11));
        double scale = pow(10, snRandom_Range(&r, -20, 20));
        snSym3 S = randomSpd(&r, condition, scale);
        snRoot3 Y;
        assert_true(snRoot3_Find(S, &Y));
        snMat3 M = matOfRoot(&Y);
        // Y S Y' = I with an error of a few roundings times the condition
        snMat3 I = snMatMul(snMatMul(M, snMatFromSym(S)), snTranspose(M));
        assert_below(largestOf(snMatSub(I, snMat3_Identity())), 64 * condition * EPS);
        // and so S (Y'Y) = I
        snMat3 unit = snMatMul(snMatFromSym(S), snMatMul(snTranspose(M), M));
        assert_below(largestOf(snMatSub(unit, snMat3_Identity())), 64 * condition * EPS);
    }
}

static void rootIsLowerTriangularWithPositiveDiagonal(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    for (int n = 0; n < 1000; ++n) {
        snRoot3 Y;
        assert_true(snRoot3_Find(randomSpd(&r, 100, 1), &Y));
        snMat3 M = matOfRoot(&Y);
        assert_true(M.m01 == 0 && M.m02 == 0 && M.m12 == 0);
        assert_true(M.m00 > 0 && M.m11 > 0 && M.m22 > 0);
    }
}

static void productsAgreeWithTheMatrix(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(3);
    for (int n = 0; n < 1000; ++n) {
        snRoot3 Y;
        assert_true(snRoot3_Find(randomSpd(&r, 10, 1), &Y));
        snMat3 M = matOfRoot(&Y);
        snVec3 v = snV3(snRandom_Range(&r, -1, 1), snRandom_Range(&r, -1, 1), 1);
        snVec3 a = snSub(snRoot3_Times(&Y, v), snMatVec(M, v));
        snVec3 b = snSub(snRoot3_TTimes(&Y, v), snMatTVec(M, v));
        assert_below(snLength(a), 1e-14);
        assert_below(snLength(b), 1e-14);
    }
}

// Second moments of points on a line or in a plane: rank 1 or 2, with rounding that may leave
// either sign.
static void singularMatricesAreRefused(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(4);
    int passed = 0;
    for (int n = 0; n < 20000; ++n) {
        double scale = pow(10, snRandom_Range(&r, -20, 20));
        snSym3 flat = {scale, n % 2 ? scale : 0, 0, 0, 0, 0};
        snRoot3 Y;
        assert_false(snRoot3_Find(flat, &Y));
        snSym3 turned = snSymRotate(snMatFromQ(turnAtRandom(&r)), flat);
        if (snRoot3_Find(turned, &Y)) {
            // Rounding of the entries can make a matrix regular. Then it is nearly singular, and
            // the root is as large as that says.
            double size = largestOf(matOfRoot(&Y));
            assert_true(size * size * scale > 1e13);
            ++passed;
        }
    }
    print_message("%.2f %% of singular matrices pass for nearly singular ones\n", passed / 200.0);
    assert_below(passed, 0.2 * 20000);
}

static void indefiniteMatricesAndNanAreRefused(void** state)
{
    (void)state;
    const snSym3 bad[] = {
        {0, 0, 0, 0, 0, 0},       {-1, 1, 1, 0, 0, 0},      {1, -1, 1, 0, 0, 0},
        {1, 1, -1, 0, 0, 0},      {1, 1, 1, 2, 0, 0},       {1, 1, 1, 0, 2, 0},
        {1, 1, 1, 0, 0, 2},       {NOTHING, 1, 1, 0, 0, 0}, {1, NOTHING, 1, 0, 0, 0},
        {1, 1, NOTHING, 0, 0, 0}, {1, 1, 1, NOTHING, 0, 0}, {1, 1, 1, 0, NOTHING, 0},
        {1, 1, 1, 0, 0, NOTHING}, {0, 1, 1, 0, 0, 0},       {1, 1, 1, .8, .8, -.8}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        snRoot3 Y;
        assert_false(snRoot3_Find(bad[i], &Y));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rootOfTheInverse),
        cmocka_unit_test(rootIsLowerTriangularWithPositiveDiagonal),
        cmocka_unit_test(productsAgreeWithTheMatrix),
        cmocka_unit_test(singularMatricesAreRefused),
        cmocka_unit_test(indefiniteMatricesAndNanAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
