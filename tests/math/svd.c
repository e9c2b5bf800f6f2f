// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

#include "math/svd.h"
#include "base/cpu.h"
#include "check.h"
#include "math/draw.h"

// What svd.h promises, relative to the largest entry: the rounding of a dozen rotations.
static const double float_tolerance = 4e-6;
static const double double_tolerance = 1e-14;

static snMat3 widen(snMat3f A)
{
    return snMatFromRows(snV3((double)A.m00, (double)A.m01, (double)A.m02),
                         snV3((double)A.m10, (double)A.m11, (double)A.m12),
                         snV3((double)A.m20, (double)A.m21, (double)A.m22));
}

static snMat3f narrow(snMat3 A)
{
    return (snMat3f){(float)A.m00, (float)A.m01, (float)A.m02, (float)A.m10, (float)A.m11,
                     (float)A.m12, (float)A.m20, (float)A.m21, (float)A.m22};
}

static snMat3 drawRotation(snRandom* r)
{
    return snMatFromQ(drawQuat(r));
}

static double drawPower(snRandom* r, double lowest)
{
    return exp2(snRandom_Range(r, lowest, 0));
}

static snMat3 withValues(snRandom* r, double s0, double s1, double s2)
{
    snMat3 U = drawRotation(r);
    return snMatMul(snMatMul(U, snMat3_Diagonal(s0, s1, s2)), drawRotation(r));
}

enum { KINDS = 12 };

// Matrices with entries of about 1 that have broken SVDs before: see each case.
static snMat3 drawCase(snRandom* r, int kind)
{
    snVec3 a = drawVec(r), b = drawVec(r);
    double e = drawPower(r, -50), f = drawPower(r, -30), g = drawPower(r, -30);
    snMat3 A = drawMat(r);
    snMat3 wild = snMat3_Diagonal(drawPower(r, -20), drawPower(r, -20), drawPower(r, -20));
    snMat3 whole =
        snMatFromRows(snV3(floor(2 * A.m00 + 0.5), floor(2 * A.m01 + 0.5), floor(2 * A.m02 + 0.5)),
                      snV3(floor(2 * A.m10 + 0.5), floor(2 * A.m11 + 0.5), floor(2 * A.m12 + 0.5)),
                      snV3(floor(2 * A.m20 + 0.5), floor(2 * A.m21 + 0.5), floor(2 * A.m22 + 0.5)));
    switch (kind) {
    case 0:
        return A;
    case 1:
        return whole; // equal, zero and orthogonal columns
    case 2:
        return snMatAdd(whole, snMatScale(f, drawMat(r)));
    case 3:
        return withValues(r, 1, f, -f * g); // nearly flat or a line, inverted
    case 4:
        return withValues(r, 1, 1 + e, 1 - e * f); // nearly equal values
    case 5:
        return withValues(r, 1, f * (1 + e), f); // two small, nearly equal
    case 6:
        return withValues(r, 1, f, 0); // flat
    case 7:
        return snOuter(a, b); // a line
    case 8:
        return snMatAdd(snOuter(a, b), snMatScale(f, A));
    case 9:
        return snMatMul(A, wild); // columns of very different length
    case 10:
        return snMatMul(wild, A);
    default:
        return drawRotation(r);
    }
}

static double rotationFault(snMat3 R)
{
    double fault = matGap(snMatMul(snTranspose(R), R), snMat3_Identity());
    double turn = fabs(snDet(R) - 1);
    return fault >= turn ? fault : turn;
}

static void checkSvd(snMat3 F, snMat3 U, snMat3 V, snVec3 s, double tolerance)
{
    double size = matSize(F);
    snMat3 product = snMatMul(snMatMul(U, snMat3_Diagonal(s.x, s.y, s.z)), snTranspose(V));
    assert_below(matGap(product, F), tolerance * size);
    assert_below(rotationFault(U), tolerance);
    assert_below(rotationFault(V), tolerance);
    assert_true(s.x >= s.y && s.y >= fabs(s.z));
    // the sign, where rounding leaves one: |det F| = s0 s1 |s2|
    double det = snDet(F), doubt = 10 * tolerance * size * size * size;
    assert_true(fabs(det) <= doubt || det * s.z > 0);
}

static void checkPolar(snMat3 F, snMat3 R, snMat3 S, double tolerance)
{
    double size = matSize(F);
    assert_below(matGap(snMatMul(R, S), F), tolerance * size);
    assert_below(rotationFault(R), tolerance);
    assert_below(matGap(S, snTranspose(S)), 0);
}

static void checkBoth(snMat3 F)
{
    snSvdd d = snSvd3d(F);
    checkSvd(F, d.U, d.V, snV3(d.s0, d.s1, d.s2), double_tolerance);
    snPolard p = snPolar3d(F);
    checkPolar(F, p.R, p.S, double_tolerance);

    snMat3f Ff = narrow(F);
    snSvdf f = snSvd3f(Ff);
    checkSvd(widen(Ff), widen(f.U), widen(f.V), snV3((double)f.s0, (double)f.s1, (double)f.s2),
             float_tolerance);
    snPolarf q = snPolar3f(Ff);
    checkPolar(widen(Ff), widen(q.R), widen(q.S), float_tolerance);
}

static void productsGiveTheMatrix(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    for (int i = 0; i < 8000 * KINDS; ++i) {
        checkBoth(drawCase(&r, i % KINDS));
    }
}

static void anySizeOfEntries(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    const double sizes[] = {1e-30, 1e-20, 1e-5, 1e5, 1e20, 1e30, 1e37};
    for (int i = 0; i < 7000; ++i) {
        checkBoth(snMatScale(sizes[i % 7], drawCase(&r, i / 7 % KINDS)));
    }
    for (int i = 0; i < 1000; ++i) {
        snMat3 F = snMatScale(i % 2 ? 1e-290 : 1e300, drawCase(&r, i % KINDS));
        snSvdd d = snSvd3d(F);
        double size = matSize(F) > 0 ? matSize(F) : 1, k = 1 / size;
        snVec3 s = snScale(k, snV3(d.s0, d.s1, d.s2));
        checkSvd(snMatScale(k, F), d.U, d.V, s, double_tolerance);
    }
}

static void degenerateOnesGiveRotationsToo(void** state)
{
    (void)state;
    const double edge[] = {0, 1, -1, 1e-45, 1e-38, -3e38, 1e-20, 1e20};
    snRandom r = snRandom_Seed(3);
    for (int i = 0; i < 20000; ++i) {
        snMat3 F;
        double entries[9];
        for (int k = 0; k < 9; ++k) {
            entries[k] = i == 0 ? 0 : edge[snRandom_Below(&r, 8)];
        }
        memcpy(&F, entries, sizeof F);
        snSvdf f = snSvd3f(narrow(F));
        assert_below(rotationFault(widen(f.U)), float_tolerance);
        assert_below(rotationFault(widen(f.V)), float_tolerance);
        assert_false(isnan(f.s0) || isnan(f.s1) || isnan(f.s2));
        snSvdd d = snSvd3d(F);
        checkSvd(F, d.U, d.V, snV3(d.s0, d.s1, d.s2), double_tolerance);
    }
    snPolard zero = snPolar3d(snMatScale(0, snMat3_Identity()));
    assert_below(matGap(zero.R, snMat3_Identity()), 0);
}

// Known beforehand: s of U diag(s) V', R of R S with S positive.
static void valuesAndRotationAreFound(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(4);
    for (int i = 0; i < 1000; ++i) {
        snSvdd d = snSvd3d(withValues(&r, 3, i % 2 ? 2 : -2, 0.5));
        assert_close(d.s0, 3, double_tolerance * 3);
        assert_close(d.s1, 2, double_tolerance * 3);
        assert_close(d.s2, i % 2 ? 0.5 : -0.5, double_tolerance * 3);
        snMat3 R = drawRotation(&r), Q = drawRotation(&r);
        snMat3 S = snMatMul(snMatMul(Q, snMat3_Diagonal(3, 2, 0.5)), snTranspose(Q));
        snPolard p = snPolar3d(snMatMul(R, S));
        // the rotation is as well determined as the sum of the two smallest values, here 2.5 of 3
        assert_below(matGap(p.R, R), 2 * double_tolerance);
        assert_below(matGap(p.S, S), 3 * double_tolerance);
    }
}

static void putLane(float* block, int lane, snMat3f A)
{
    float entries[9];
    memcpy(entries, &A, sizeof entries);
    for (int k = 0; k < 9; ++k) {
        block[k * 16 + lane] = entries[k];
    }
}

static void batchGivesTheScalarsBits(void** state)
{
    (void)state;
    enum { BLOCKS = 600 };
    static float F[BLOCKS * 144], U[BLOCKS * 144], V[BLOCKS * 144], s[BLOCKS * 48];
    static float wantU[BLOCKS * 144], wantV[BLOCKS * 144], wantS[BLOCKS * 48];
    snRandom r = snRandom_Seed(5);
    for (int i = 0; i < BLOCKS * 16; ++i) {
        int block = i / 16, lane = i % 16;
        double size = i % 5 == 0 ? 1e-30 : i % 7 == 0 ? 1e30 : 1;
        snMat3f A = narrow(snMatScale(size, drawCase(&r, (int)snRandom_Below(&r, KINDS))));
        snSvdf d = snSvd3f(A);
        putLane(F + block * 144, lane, A);
        putLane(wantU + block * 144, lane, d.U);
        putLane(wantV + block * 144, lane, d.V);
        wantS[block * 48 + lane] = d.s0;
        wantS[block * 48 + 16 + lane] = d.s1;
        wantS[block * 48 + 32 + lane] = d.s2;
    }
    for (int isa = sn_isaBaseline; isa <= (int)snCpu_Best(); ++isa) {
        memset(U, 0, sizeof U);
        memset(V, 0, sizeof V);
        memset(s, 0, sizeof s);
        snSvdBatch((snIsa)isa)(BLOCKS, F, U, s, V);
        assert_memory_equal(U, wantU, sizeof U);
        assert_memory_equal(V, wantV, sizeof V);
        assert_memory_equal(s, wantS, sizeof s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(productsGiveTheMatrix),
        cmocka_unit_test(anySizeOfEntries),
        cmocka_unit_test(degenerateOnesGiveRotationsToo),
        cmocka_unit_test(valuesAndRotationAreFound),
        cmocka_unit_test(batchGivesTheScalarsBits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
