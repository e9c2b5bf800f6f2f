// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// dP/dF of every law: the slope of the stress, symmetric and isotropic; made definite it is the
// nearest definite one.
#include "elastic/states.h"

#include "check.h"
#include "linsolve/eigen.h"

// Between two ways of being inverted the energy has an edge, where twists pass every bound.
static bool isAtEdge(snMat3 F, double margin)
{
    snSvdd d = snSvd3d(F);
    return d.s1 + d.s2 < margin;
}

// The differential of extended strain jumps at the ends of its ranges.
static bool isAtKink(const snMaterial* law, snMat3 F, double margin)
{
    const double kinks[] = {law->lower, law->upper, SN_STRETCH_FLAT};
    snSvdd d = snSvd3d(F);
    bool near = false;
    for (int i = 0; i < 3; ++i) {
        near = near || fabs(d.s0 - kinks[i]) < margin || fabs(d.s1 - kinks[i]) < margin ||
               fabs(d.s2 - kinks[i]) < margin;
    }
    return near && law->kind == sn_materialStvk && law->diagonalize != sn_diagonalizeNone;
}

static double drawLame(snRandom* r, double* lambda)
{
    *lambda = snRandom_Range(r, 0, 5);
    return snRandom_Range(r, 0.2, 1);
}

// In the principal axes whatever the law
static snMat3 principal(const snMaterial* law, snMat3 F, snMat3 dF, double mu, double lambda)
{
    snSvdd d = snSvd3d(F);
    snColumnd s = snColumnOfd(d.s0, d.s1, d.s2);
    return snDifferentiald(d.U, snMaterial_Tangent(law, s, mu, lambda), d.V, dF);
}

static void differentialIsTheSlopeOfStress(void** state)
{
    (void)state;
    // rounding 1e-15 / step; truncation step^2 times third derivatives, 1 / 0.05^3 at the most
    const double step = 1e-6, tolerance = 2e-8;
    snRandom r = snRandom_Seed(1);
    int tested[LAWS] = {0};
    for (int i = 0; i < 1000 * STATES * LAWS; ++i) {
        const snMaterial* law = &laws[i % LAWS];
        snMat3 F = drawState(&r, i / LAWS % STATES), dF = drawMat(&r);
        double lambda, mu = drawLame(&r, &lambda);
        if (isAtEdge(F, 0.05) || isAtKink(law, F, 4 * step)) {
            continue;
        }
        snMat3 up = snMaterial_Stress(law, snMatAdd(F, snMatScale(step, dF)), mu, lambda);
        snMat3 down = snMaterial_Stress(law, snMatSub(F, snMatScale(step, dF)), mu, lambda);
        snMat3 slope = snMatScale(0.5 / step, snMatSub(up, down));
        double room = tolerance * (1 + matSize(up) + matSize(slope));
        assert_below(matGap(snMaterial_Differential(law, F, dF, mu, lambda), slope), room);
        assert_below(matGap(principal(law, F, dF, mu, lambda), slope), room);
        ++tested[i % LAWS];
    }
    for (int i = 0; i < LAWS; ++i) {
        assert_true(tested[i] > 600 * STATES);
    }
}

// A : dP(B) = B : dP(A), since there is an energy
static void differentialIsSymmetric(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    for (int i = 0; i < 1000 * STATES * LAWS; ++i) {
        const snMaterial* law = &laws[i % LAWS];
        snMat3 F = drawState(&r, i / LAWS % STATES), A = drawMat(&r), B = drawMat(&r);
        double lambda, mu = drawLame(&r, &lambda);
        snMat3 dA = snMaterial_Differential(law, F, A, mu, lambda);
        snMat3 dB = snMaterial_Differential(law, F, B, mu, lambda);
        double room = 1e-14 * (matSize(dA) + matSize(dB) + 1);
        assert_close(snContractd(A, dB), snContractd(B, dA), 20 * room);
        dA = snMaterial_DefiniteDifferential(law, F, A, mu, lambda, HUGE_VAL);
        dB = snMaterial_DefiniteDifferential(law, F, B, mu, lambda, HUGE_VAL);
        assert_close(snContractd(A, dB), snContractd(B, dA), 20 * room);
    }
}

// dP(Q F R; Q dF R) = Q dP(F; dF) R for rotations Q and R. Turning a cell turns its stress: dP(F; W
// F) = W P for skew W, and dP(F; F W) = P W.
static void differentialIsIsotropicAndObjective(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(3);
    for (int i = 0; i < 500 * STATES * LAWS; ++i) {
        const snMaterial* law = &laws[i % LAWS];
        snMat3 F = drawState(&r, i / LAWS % STATES), dF = drawMat(&r), W = snSkew(drawVec(&r));
        if (isAtEdge(F, 0.05) || isAtKink(law, F, 1e-9)) {
            continue;
        }
        snMat3 Q = drawRotation(&r), R = drawRotation(&r), P = snMaterial_Stress(law, F, 1, 2);
        snMat3 G = snMatMul(snMatMul(Q, F), R), dG = snMatMul(snMatMul(Q, dF), R);
        snMat3 dP = snMaterial_Differential(law, F, dF, 1, 2);
        snMat3 definite = snMaterial_DefiniteDifferential(law, F, dF, 1, 2, HUGE_VAL);
        // rounding over the sums of stretches, twice: in the axes and in the twists
        double room = 1e-11 * (1 + matSize(dP) + matSize(P));
        assert_below(
            matGap(snMaterial_Differential(law, G, dG, 1, 2), snMatMul(snMatMul(Q, dP), R)), room);
        assert_below(matGap(snMaterial_DefiniteDifferential(law, G, dG, 1, 2, HUGE_VAL),
                            snMatMul(snMatMul(Q, definite), R)),
                     room);
        assert_below(matGap(snMaterial_Differential(law, F, snMatMul(W, F), 1, 2), snMatMul(W, P)),
                     room);
        assert_below(matGap(snMaterial_Differential(law, F, snMatMul(F, W), 1, 2), snMatMul(P, W)),
                     room);
    }
}

static void restIsHookes(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(4);
    for (int i = 0; i < 100 * LAWS; ++i) {
        double lambda, mu = drawLame(&r, &lambda);
        snMat3 H = drawMat(&r), I = snMat3_Identity();
        snMat3 eps = snMatScale(0.5, snMatAdd(H, snTranspose(H)));
        double trace = eps.m00 + eps.m11 + eps.m22;
        snMat3 want = snMatAdd(snMatScale(2 * mu, eps), snMatScale(lambda * trace, I));
        assert_below(matGap(snMaterial_Differential(&laws[i % LAWS], I, H, mu, lambda), want),
                     1e-14 * (1 + lambda));
    }
}

// The 9x9 Hessian, column by column
static double hessian(const snMaterial* law, snMat3 F, bool definite, double* K)
{
    double most = 0;
    for (int j = 0; j < 9; ++j) {
        snMat3 dF = snMat3_Diagonal(0, 0, 0);
        *entry(&dF, j) = 1;
        snMat3 dP = definite ? snMaterial_DefiniteDifferential(law, F, dF, 1, 3, HUGE_VAL)
                             : snMaterial_Differential(law, F, dF, 1, 3);
        for (int i = 0; i < 9; ++i) {
            K[9 * i + j] = *entry(&dP, i);
        }
        most = fmax(most, matSize(dP));
    }
    return most;
}

// Eigenvalues below 0 become 0. Returns the least that there was, *along its eigenvector.
static double project_ref(double* K, snMat3* along)
{
    double D[81], V[81], least = HUGE_VAL;
    memcpy(D, K, sizeof D);
    snEigen_Find(D, V, 9);
    for (int k = 0; k < 9; ++k) {
        for (int i = 0; i < 9 && D[10 * k] < least; ++i) {
            *entry(along, i) = V[9 * k + i];
        }
        least = fmin(least, D[10 * k]);
    }
    for (int i = 0; i < 81; ++i) {
        K[i] = 0;
        for (int k = 0; k < 9; ++k) {
            K[i] += fmax(D[10 * k], 0) * V[9 * k + i / 9] * V[9 * k + i % 9];
        }
    }
    return least;
}

static void definiteIsTheNearestDefinite(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(5);
    int negative[LAWS] = {0}, positive[LAWS] = {0};
    for (int i = 0; i < 150 * STATES * LAWS; ++i) {
        const snMaterial* law = &laws[i % LAWS];
        double want[81], got[81];
        snMat3 F = drawState(&r, i / LAWS % STATES), worst = F;
        if (isAtEdge(F, 0.05) || isAtKink(law, F, 1e-9)) {
            continue;
        }
        double size = hessian(law, F, false, want);
        double least = project_ref(want, &worst);
        hessian(law, F, true, got);
        for (int k = 0; k < 81; ++k) {
            assert_close(got[k], want[k], 1e-11 * size);
        }
        // the worst that can be asked, and its neighbours
        for (int k = 0; k < 20; ++k) {
            snMat3 dF = snMatAdd(worst, snMatScale(k == 0 ? 0 : exp2(-2 * k), drawMat(&r)));
            snMat3 dP = snMaterial_DefiniteDifferential(law, F, dF, 1, 3, HUGE_VAL);
            assert_true(snContractd(dF, dP) >= -1e-14 * size);
        }
        negative[i % LAWS] += least < -1e-6 * size;
        if (least > 1e-6 * size) {
            snMat3 dF = drawMat(&r), exact = principal(law, F, dF, 1, 3);
            snMat3 definite = snMaterial_DefiniteDifferential(law, F, dF, 1, 3, HUGE_VAL);
            assert_memory_equal(&definite, &exact, sizeof exact);
            ++positive[i % LAWS];
        }
    }
    for (int i = 0; i < LAWS; ++i) {
        assert_true(negative[i] > 30 * STATES && positive[i] > 10 * STATES);
    }
}

// The Hessian goes over to that of equal stretches as they do. Steps that are too small for
// quotients of differences are where others fail.
static void equalStretchesAreNothingSpecial(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(6);
    for (int i = 0; i < 4000 * LAWS; ++i) {
        const snMaterial* law = &laws[i % LAWS];
        double tiny = exp2(snRandom_Range(&r, -60, -10)), a = snRandom_Range(&r, 0.05, 1.8);
        double b = i / LAWS % 2 ? a : snRandom_Range(&r, 0.05, 1.8);
        snMat3 U = drawRotation(&r), V = drawRotation(&r), dF = drawMat(&r);
        snMat3 near = snMat3_Diagonal(a * (1 + tiny), a, b * (1 - tiny * snRandom_Unit(&r)));
        snMat3 F = snMatMul(snMatMul(U, snMat3_Diagonal(a, a, b)), V);
        snMat3 G = snMatMul(snMatMul(U, near), V);
        if (isAtKink(law, F, 4 * tiny + 1e-12)) {
            continue;
        }
        snMat3 at = snMaterial_Differential(law, F, dF, 1, 2);
        double room = (500 * tiny + 1e-12) * (1 + matSize(at)) / (a * a);
        assert_below(matGap(snMaterial_Differential(law, G, dF, 1, 2), at), room);
        snMat3 definite = snMaterial_DefiniteDifferential(law, F, dF, 1, 2, HUGE_VAL);
        assert_below(matGap(snMaterial_DefiniteDifferential(law, G, dF, 1, 2, HUGE_VAL), definite),
                     room);
    }
}

// Also where two stretches lie on both sides of an end of the range
static void flipsAreQuotientsAcrossKinks(void** state)
{
    (void)state;
    const double lo = SN_STRETCH_LOWER, hi = SN_STRETCH_UPPER;
    const double kinks[] = {lo, hi, SN_STRETCH_FLAT};
    snRandom r = snRandom_Seed(9);
    for (int i = 0; i < 3000; ++i) {
        double above = exp2(snRandom_Range(&r, -12, -3)), below = exp2(snRandom_Range(&r, -12, -3));
        snColumnd s = snColumnOfd(2, kinks[i % 3] + above, kinks[i % 3] - below);
        snColumnd P = snStvkPrincipald(s, 1, 2, lo, hi);
        double flip = snStvkPrincipalTangentd(s, 1, 2, lo, hi).flip.x;
        // rounding of P over the least difference, 1e-15 * 2^11
        assert_close(flip, (P.y - P.z) / (s.y - s.z), 1e-11);
    }
}

// Points, lines, planes, edges of inverted cells: numbers stay finite, definite ones definite and
// within their bound.
static void worstStatesStayFinite(void** state)
{
    (void)state;
    const double stretches[][3] = {
        {0, 0, 0},  {1, 0, 0},   {1, 1, 0},     {1, 1, -1},        {1, 0.5, -0.5}, {4, 1e-9, -1e-9},
        {50, 0, 0}, {50, 50, 0}, {50, 50, -50}, {4, 0.02, -0.019}, {1e-12, 0, 0},  {7, 7, 7},
    };
    enum { COUNT = sizeof stretches / sizeof *stretches };
    const double most = 1000;
    snRandom r = snRandom_Seed(7);
    for (int i = 0; i < 50 * COUNT * LAWS; ++i) {
        const snMaterial* law = &laws[i % LAWS];
        const double* s = stretches[i / LAWS % COUNT];
        snMat3 F = withStretches(&r, s[0], s[1], s[2]), dF = drawMat(&r);
        assert_true(isfinite(matSize(snMaterial_Differential(law, F, dF, 1, 5))));
        snMat3 dP = snMaterial_DefiniteDifferential(law, F, dF, 1, 5, most);
        assert_true(isfinite(matSize(dP)) && snContractd(dF, dP) >= -1e-13 * matSize(dP));
        snTangentd T = snMaterial_Tangent(law, snColumnOfd(s[0], s[1], s[2]), 1, 5);
        snTangentd D = snTangentDefinited(T, most);
        assert_true(D.twist.x <= most && D.twist.y <= most && D.twist.z <= most);
        assert_true(T.twist.x <= most || D.twist.x == most);
    }
    snTangentd T = snCorotatedTangentd(snColumnOfd(4, 0.02, -0.019), 1, 5);
    assert_true(T.twist.x > 2000); // the bound was needed
}

// All laws in float, exact and definite
static snMat3f differentialf(const snMaterial* law, snMat3f F, snMat3f dF, bool definite)
{
    snSvdf d = snSvd3f(F);
    snColumnf s = snColumnOff(d.s0, d.s1, d.s2);
    snTangentf T = law->kind == sn_materialNeoHookean  ? snNeoHookeanTangentf(s, 1, 2)
                   : law->kind == sn_materialCorotated ? snCorotatedTangentf(s, 1, 2)
                   : law->diagonalize == sn_diagonalizeNone
                       ? snStvkTangentf(s, 1, 2)
                       : snStvkPrincipalTangentf(s, 1, 2, (float)law->lower, (float)law->upper);
    return snDifferentialf(d.U, definite ? snTangentDefinitef(T, HUGE_VALF) : T, d.V, dF);
}

static void floatsAgreeWithDoubles(void** state)
{
    (void)state;
    const double tolerance = 2e-5; // ten roundings of the float SVD, 2e-6 each
    snRandom r = snRandom_Seed(8);
    for (int i = 0; i < 1500 * STATES * LAWS; ++i) {
        const snMaterial* law = &laws[i % LAWS];
        snMat3f f = narrow(drawState(&r, i / LAWS % STATES)), df = narrow(drawMat(&r));
        snMat3 F = widen(f), dF = widen(df);
        double size = matSize(F);
        if (isAtEdge(F, 0.2) || isAtKink(law, F, 1e-5 * size)) {
            continue;
        }
        // stiffness grows with the square, or in neo-Hookean flesh the fourth power of stretch
        double room = tolerance * 10 * (1 + size * size * size * size);
        snMat3 exact = snMaterial_Differential(law, F, dF, 1, 2);
        snMat3 definite = snMaterial_DefiniteDifferential(law, F, dF, 1, 2, HUGE_VAL);
        assert_below(matGap(widen(differentialf(law, f, df, false)), exact), room);
        assert_below(matGap(widen(differentialf(law, f, df, true)), definite), room);
        if (law->kind == sn_materialNeoHookean) {
            assert_below(matGap(widen(snNeoHookeanDifferentialf(f, df, 1, 2)), exact), room);
        } else if (law->diagonalize == sn_diagonalizeNone) {
            assert_below(matGap(widen(snStvkDifferentialf(f, df, 1, 2)), exact), room);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differentialIsTheSlopeOfStress),
        cmocka_unit_test(differentialIsSymmetric),
        cmocka_unit_test(differentialIsIsotropicAndObjective),
        cmocka_unit_test(restIsHookes),
        cmocka_unit_test(definiteIsTheNearestDefinite),
        cmocka_unit_test(equalStretchesAreNothingSpecial),
        cmocka_unit_test(flipsAreQuotientsAcrossKinks),
        cmocka_unit_test(worstStatesStayFinite),
        cmocka_unit_test(floatsAgreeWithDoubles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
