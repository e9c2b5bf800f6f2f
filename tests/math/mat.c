// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

#include "math/mat.h"
#include "check.h"
#include "math/draw.h"

// some tens of roundings of numbers of size 1
static const double tolerance = 1e-14;

static void productsAssociate(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    for (int i = 0; i < 1000; ++i) {
        snMat3 A = drawMat(&r), B = drawMat(&r), C = drawMat(&r);
        snVec3 v = drawVec(&r), u = drawVec(&r);
        assert_below(matGap(snMatMul(snMatMul(A, B), C), snMatMul(A, snMatMul(B, C))), tolerance);
        assert_below(vecGap(snMatVec(snMatMul(A, B), v), snMatVec(A, snMatVec(B, v))), tolerance);
        assert_below(vecGap(snMatTVec(A, v), snMatVec(snTranspose(A), v)), 0);
        assert_close(snDot(u, snMatVec(A, v)), snDot(snMatTVec(A, u), v), tolerance);
        assert_below(matGap(snTranspose(snMatMul(A, B)), snMatMul(snTranspose(B), snTranspose(A))),
                     tolerance);
        assert_close(snDet(snMatMul(A, B)), snDet(A) * snDet(B), tolerance);
        assert_below(matGap(snMatMul(A, snMat3_Identity()), A), 0);
        assert_below(matGap(snMatSub(snMatAdd(A, B), snMatScale(1, B)), A), tolerance);
    }
}

static void rowsAndColumns(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    snMat3 A = drawMat(&r);
    assert_below(matGap(A, snMatFromCols(snMatCol(A, 0), snMatCol(A, 1), snMatCol(A, 2))), 0);
    assert_below(matGap(A, snMatFromRows(snMatRow(A, 0), snMatRow(A, 1), snMatRow(A, 2))), 0);
    assert_close(snMatCol(A, 2).x, A.m02, 0);
    assert_close(snMatRow(A, 2).x, A.m20, 0);
    assert_below(vecGap(snMatVec(A, snV3(0, 1, 0)), snMatCol(A, 1)), 0);
    assert_close(snDet(snMat3_Diagonal(2, 3, 5)), 30, 0);
}

static void skewAndOuter(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(3);
    for (int i = 0; i < 1000; ++i) {
        snVec3 a = drawVec(&r), b = drawVec(&r), c = drawVec(&r);
        assert_below(vecGap(snMatVec(snSkew(a), b), snCross(a, b)), tolerance);
        assert_below(vecGap(snMatVec(snOuter(a, b), c), snScale(snDot(b, c), a)), tolerance);
    }
}

static void inverseUndoes(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(4);
    for (int i = 0; i < 1000; ++i) {
        snMat3 A =
            snMatScale(i % 2 ? 1e-60 : 1e60, snMatAdd(drawMat(&r), snMat3_Diagonal(3, 3, 3)));
        bool ok = false;
        snMat3 B = snMatInverse(A, &ok);
        assert_true(ok);
        assert_below(matGap(snMatMul(A, B), snMat3_Identity()), tolerance);
    }
    // badly scaled is not singular
    bool ok = false;
    snMat3 B = snMatInverse(snMat3_Diagonal(1, 1e-20, 1e30), &ok);
    assert_true(ok);
    assert_relative(B.m11, 1e20, tolerance, 0);
    assert_relative(B.m22, 1e-30, tolerance, 0);
}

static void singularIsReported(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(5);
    for (int i = 0; i < 1000; ++i) {
        snVec3 a = drawVec(&r), b = drawVec(&r);
        bool ok = true;
        snMat3 flat = snMatFromRows(a, b, snMulAdd(snScale(0.3, a), 0.7, b));
        assert_below(matSize(snMatInverse(flat, &ok)), 0);
        assert_false(ok);
        snMatInverse(snOuter(a, b), &ok);
        assert_false(ok);
    }
    bool ok = true;
    snMatInverse(snMatScale(0, snMat3_Identity()), &ok);
    assert_false(ok);
    snMatInverse(snMat3_Diagonal(1, (double)NAN, 1), &ok);
    assert_false(ok);
    snMatInverse(snMat3_Identity(), NULL);
}

static void symmetricAgreesWithFull(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(6);
    for (int i = 0; i < 1000; ++i) {
        snMat3 A = drawMat(&r), R = snMatFromQ(drawQuat(&r));
        snSym3 S = snSymFromMat(A), T = snSymFromMat(drawMat(&r));
        snMat3 F = snMatFromSym(S);
        snVec3 v = drawVec(&r);
        assert_below(matGap(F, snMatScale(0.5, snMatAdd(A, snTranspose(A)))), tolerance);
        assert_below(vecGap(snSymVec(S, v), snMatVec(F, v)), 0);
        assert_below(matGap(snMatFromSym(snSymAdd(S, snSymScale(2, T))),
                            snMatAdd(F, snMatScale(2, snMatFromSym(T)))),
                     tolerance);
        // R S R' v = R (S (R' v))
        assert_below(
            vecGap(snSymVec(snSymRotate(R, S), v), snMatVec(R, snSymVec(S, snMatTVec(R, v)))),
            tolerance);
        S.xx += 4, S.yy += 4, S.zz += 4;
        bool ok = false;
        snSym3 inverse = snSymInverse(S, &ok);
        assert_true(ok);
        assert_below(vecGap(snSymVec(inverse, snSymVec(S, v)), v), tolerance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(productsAssociate),  cmocka_unit_test(rowsAndColumns),
        cmocka_unit_test(skewAndOuter),       cmocka_unit_test(inverseUndoes),
        cmocka_unit_test(singularIsReported), cmocka_unit_test(symmetricAgreesWithFull),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
