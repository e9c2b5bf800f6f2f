// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Hyperelastic laws of one cell: first Piola stress P(F) = dPsi/dF, energy density Psi(F) and the
// differential dP(F; dF), exact and made definite, from the deformation gradient F and the
// constants of Lamé, mu and lambda, Pa. Tension is positive. At small strain every law is linear
// elasticity, P = 2 mu eps + lambda tr(eps) I.
//
// The kernels of material_kernel.inl exist in float (names end in f) and in double (in d). What
// chooses among the laws stands below, in double, for references, energies and tests.
#ifndef SN_ELASTIC_MATERIAL_H
#define SN_ELASTIC_MATERIAL_H

#include "math/svd.h"

typedef enum snMaterialKind {
    sn_materialStvk = 0,   // Green strain, St. Venant-Kirchhoff; strain extended outside a range
    sn_materialNeoHookean, // stable neo-Hookean, Smith et al. 2018
    sn_materialCorotated,  // linear in the stretch, by polar decomposition
} snMaterialKind;

// Which cells of an sn_materialStvk body are diagonalised. The first two differ in rounding alone.
typedef enum snDiagonalize {
    sn_diagonalizeSelective = 0, // those whose stretches leave the range
    sn_diagonalizeAlways,        // all
    sn_diagonalizeNone,          // none: plain StVK, which yields to strong compression
} snDiagonalize;

// Principal stretches inside which StVK is itself. Below 1/sqrt(3) = 0.58 its stress falls with
// compression, so the lower end must lie above; the upper end sets the stiffest state, see
// snCells_StableStep.
#define SN_STRETCH_LOWER 0.7
#define SN_STRETCH_UPPER 1.4

// How much steeper than its tangent the strain goes on below the lower end, and down to which
// stretch. With the tangent alone joints bent by 90 degrees turn cells of their inner side inside
// out; steeper all the way to 0, bodies that were turned inside out get stuck on their way back.
#define SN_STRETCH_STEEPER 0.5
#define SN_STRETCH_FLAT 0.2

// Sums of two stretches below this count as this where they divide, in twists. Only inverted cells
// beside an edge of their energy have such, and floats do not know stretches any better.
#define SN_STRETCH_SUM 1e-6

// The law of a body; its constants may differ by cell.
typedef struct snMaterial {
    snMaterialKind kind;
    snDiagonalize diagonalize; // StVK alone
    double lower, upper;       // StVK alone: range of stretches, 1/sqrt(3) < lower < 1 < upper
} snMaterial;

// The constants of Lamé, Pa
typedef struct snLame {
    double mu, lambda;
} snLame;

// From Young's modulus, Pa, and Poisson's ratio in [0, 0.5).
SN_FN snLame snLame_FromYoung(double young, double poisson)
{
    snLame out;
    out.mu = young / (2 * (1 + poisson));
    out.lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
    return out;
}

#define SN_REAL float
#define SN_MAT snMat3f
#define SN_AT(name) name##f
#include "elastic/material_kernel.inl"
#undef SN_REAL
#undef SN_MAT
#undef SN_AT

#define SN_REAL double
#define SN_MAT snMat3
#define SN_AT(name) name##d
#include "elastic/material_kernel.inl"
#undef SN_REAL
#undef SN_MAT
#undef SN_AT

// P(F), diagonalised wherever the law asks for it.
SN_FN snMat3 snMaterial_Stress(const snMaterial* m, snMat3 F, double mu, double lambda)
{
    if (m->kind == sn_materialNeoHookean) {
        return snNeoHookeanStressd(F, mu, lambda);
    }
    if (m->kind == sn_materialStvk && m->diagonalize == sn_diagonalizeNone) {
        return snStvkStressd(F, mu, lambda);
    }
    snSvdd d = snSvd3d(F);
    snColumnd s = snColumnOfd(d.s0, d.s1, d.s2);
    snColumnd p = m->kind == sn_materialStvk ? snStvkPrincipald(s, mu, lambda, m->lower, m->upper)
                                             : snCorotatedPrincipald(s, mu, lambda);
    return snFromPrincipald(d.U, p, d.V);
}

// dP/dF in the principal axes of an F with the stretches s. sn_diagonalizeNone is plain StVK.
SN_FN snTangentd snMaterial_Tangent(const snMaterial* m, snColumnd s, double mu, double lambda)
{
    if (m->kind == sn_materialNeoHookean) {
        return snNeoHookeanTangentd(s, mu, lambda);
    }
    if (m->kind == sn_materialCorotated) {
        return snCorotatedTangentd(s, mu, lambda);
    }
    return m->diagonalize == sn_diagonalizeNone
               ? snStvkTangentd(s, mu, lambda)
               : snStvkPrincipalTangentd(s, mu, lambda, m->lower, m->upper);
}

// dP(F; dF), exact. At the ends of the range of stretches, where it jumps, some value between.
SN_FN snMat3 snMaterial_Differential(const snMaterial* m, snMat3 F, snMat3 dF, double mu,
                                     double lambda)
{
    if (m->kind == sn_materialNeoHookean) {
        return snNeoHookeanDifferentiald(F, dF, mu, lambda);
    }
    if (m->kind == sn_materialStvk && m->diagonalize == sn_diagonalizeNone) {
        return snStvkDifferentiald(F, dF, mu, lambda);
    }
    snSvdd d = snSvd3d(F);
    snColumnd s = snColumnOfd(d.s0, d.s1, d.s2);
    return snDifferentiald(d.U, snMaterial_Tangent(m, s, mu, lambda), d.V, dF);
}

// dP(F; dF) made definite, see snTangentDefinite
SN_FN snMat3 snMaterial_DefiniteDifferential(const snMaterial* m, snMat3 F, snMat3 dF, double mu,
                                             double lambda, double most)
{
    snSvdd d = snSvd3d(F);
    snColumnd s = snColumnOfd(d.s0, d.s1, d.s2);
    snTangentd T = snTangentDefinited(snMaterial_Tangent(m, s, mu, lambda), most);
    return snDifferentiald(d.U, T, d.V, dF);
}

// ln x for x >= 1, to 1e-16 absolute beside its own rounding: x = m 2^k, m in [0.7, 1.5], and the
// series of the inverse hyperbolic tangent of (m - 1)/(m + 1)
SN_FN double snLogAbove1(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int k = (int)(bits >> 52) - 1023;
    bits = (bits & 0xfffffffffffffu) | ((uint64_t)1023 << 52);
    double m;
    memcpy(&m, &bits, sizeof m);
    k += m > 1.4 ? 1 : 0;
    m *= m > 1.4 ? 0.5 : 1;
    double z = (m - 1) / (m + 1), zz = z * z, sum = 0;
    for (int i = 23; i > 0; i -= 2) {
        sum = sum * zz + 1.0 / i;
    }
    return 2 * z * sum + k * 0.693147180559945309;
}

// Smith et al. 2018, eq. 14 with the constants of snNeoHookeanStress, less its value at rest
SN_FN double snNeoHookeanEnergy(snMat3 F, double mu, double lambda)
{
    double m = 4 * mu / 3, l = lambda + 5 * mu / 6;
    double I = snNormSqd(F), J = snDeterminantd(F) - 1;
    return 0.5 * m * (I - 3) + (0.5 * l * J - 0.75 * m) * J -
           0.5 * m * (snLogAbove1(I + 1) - 2 * 0.693147180559945309);
}

// Psi(F), J/m3; zero for rotations, positive elsewhere
SN_FN double snMaterial_Energy(const snMaterial* m, snMat3 F, double mu, double lambda)
{
    if (m->kind == sn_materialNeoHookean) {
        return snNeoHookeanEnergy(F, mu, lambda);
    }
    if (m->kind == sn_materialStvk &&
        (m->diagonalize == sn_diagonalizeNone ||
         (m->diagonalize == sn_diagonalizeSelective &&
          snStretchSlackd(F, m->lower * m->lower, m->upper * m->upper) > 0))) {
        return snStvkEnergyd(F, mu, lambda);
    }
    snSvdd d = snSvd3d(F);
    snColumnd s = snColumnOfd(d.s0, d.s1, d.s2);
    return m->kind == sn_materialStvk ? snStvkPrincipalEnergyd(s, mu, lambda, m->lower, m->upper)
                                      : snCorotatedEnergyd(s, mu, lambda);
}

#endif
