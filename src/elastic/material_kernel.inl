// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The laws of material.h for one precision, included by it with
//   SN_REAL      float or double
//   SN_MAT       the matrix type
//   SN_AT(name)  the name with f or d at its end
// No branches: each runs in a loop over lanes, or once per thread of a GPU.

// A symmetric matrix
typedef struct SN_AT(snSix) {
    SN_REAL xx, yy, zz, xy, xz, yz;
} SN_AT(snSix);

SN_KERNEL SN_REAL SN_AT(snDeterminant)(SN_MAT F)
{
    return F.m00 * (F.m11 * F.m22 - F.m12 * F.m21) + F.m01 * (F.m12 * F.m20 - F.m10 * F.m22) +
           F.m02 * (F.m10 * F.m21 - F.m11 * F.m20);
}

// dJ/dF, J = det F
SN_KERNEL SN_MAT SN_AT(snCofactor)(SN_MAT F)
{
    SN_MAT C;
    C.m00 = F.m11 * F.m22 - F.m12 * F.m21;
    C.m01 = F.m12 * F.m20 - F.m10 * F.m22;
    C.m02 = F.m10 * F.m21 - F.m11 * F.m20;
    C.m10 = F.m21 * F.m02 - F.m22 * F.m01;
    C.m11 = F.m22 * F.m00 - F.m20 * F.m02;
    C.m12 = F.m20 * F.m01 - F.m21 * F.m00;
    C.m20 = F.m01 * F.m12 - F.m02 * F.m11;
    C.m21 = F.m02 * F.m10 - F.m00 * F.m12;
    C.m22 = F.m00 * F.m11 - F.m01 * F.m10;
    return C;
}

// F : F
SN_KERNEL SN_REAL SN_AT(snNormSq)(SN_MAT F)
{
    return (F.m00 * F.m00 + F.m01 * F.m01 + F.m02 * F.m02) +
           (F.m10 * F.m10 + F.m11 * F.m11 + F.m12 * F.m12) +
           (F.m20 * F.m20 + F.m21 * F.m21 + F.m22 * F.m22);
}

// a A + b B
SN_KERNEL SN_MAT SN_AT(snCombine)(SN_REAL a, SN_MAT A, SN_REAL b, SN_MAT B)
{
    SN_MAT C;
    C.m00 = a * A.m00 + b * B.m00, C.m01 = a * A.m01 + b * B.m01, C.m02 = a * A.m02 + b * B.m02;
    C.m10 = a * A.m10 + b * B.m10, C.m11 = a * A.m11 + b * B.m11, C.m12 = a * A.m12 + b * B.m12;
    C.m20 = a * A.m20 + b * B.m20, C.m21 = a * A.m21 + b * B.m21, C.m22 = a * A.m22 + b * B.m22;
    return C;
}

// C = F'F
SN_KERNEL SN_AT(snSix) SN_AT(snCauchyGreen)(SN_MAT F)
{
    SN_AT(snSix) C;
    C.xx = F.m00 * F.m00 + F.m10 * F.m10 + F.m20 * F.m20;
    C.yy = F.m01 * F.m01 + F.m11 * F.m11 + F.m21 * F.m21;
    C.zz = F.m02 * F.m02 + F.m12 * F.m12 + F.m22 * F.m22;
    C.xy = F.m00 * F.m01 + F.m10 * F.m11 + F.m20 * F.m21;
    C.xz = F.m00 * F.m02 + F.m10 * F.m12 + F.m20 * F.m22;
    C.yz = F.m01 * F.m02 + F.m11 * F.m12 + F.m21 * F.m22;
    return C;
}

// F S
SN_KERNEL SN_MAT SN_AT(snTimesSix)(SN_MAT F, SN_AT(snSix) S)
{
    SN_MAT P;
    P.m00 = F.m00 * S.xx + F.m01 * S.xy + F.m02 * S.xz;
    P.m01 = F.m00 * S.xy + F.m01 * S.yy + F.m02 * S.yz;
    P.m02 = F.m00 * S.xz + F.m01 * S.yz + F.m02 * S.zz;
    P.m10 = F.m10 * S.xx + F.m11 * S.xy + F.m12 * S.xz;
    P.m11 = F.m10 * S.xy + F.m11 * S.yy + F.m12 * S.yz;
    P.m12 = F.m10 * S.xz + F.m11 * S.yz + F.m12 * S.zz;
    P.m20 = F.m20 * S.xx + F.m21 * S.xy + F.m22 * S.xz;
    P.m21 = F.m20 * S.xy + F.m21 * S.yy + F.m22 * S.yz;
    P.m22 = F.m20 * S.xz + F.m21 * S.yz + F.m22 * S.zz;
    return P;
}

// lambda tr(E) I + 2 mu E
SN_KERNEL SN_AT(snSix) SN_AT(snHooke)(SN_AT(snSix) E, SN_REAL mu, SN_REAL lambda)
{
    SN_REAL pressure = lambda * (E.xx + E.yy + E.zz), twice = 2 * mu;
    E.xx = twice * E.xx + pressure, E.yy = twice * E.yy + pressure;
    E.zz = twice * E.zz + pressure;
    E.xy = twice * E.xy, E.xz = twice * E.xz, E.yz = twice * E.yz;
    return E;
}

// E = (C - I)/2
SN_KERNEL SN_AT(snSix) SN_AT(snGreen)(SN_AT(snSix) C)
{
    const SN_REAL half = (SN_REAL)0.5;
    C.xx = half * (C.xx - 1), C.yy = half * (C.yy - 1), C.zz = half * (C.zz - 1);
    C.xy = half * C.xy, C.xz = half * C.xz, C.yz = half * C.yz;
    return C;
}

// Plain St. Venant-Kirchhoff, P = F (lambda tr(E) I + 2 mu E), E = (F'F - I)/2. Kim & Pollard 2011,
// eqs. 1-3. 54 multiplies.
SN_KERNEL SN_MAT SN_AT(snStvkStress)(SN_MAT F, SN_REAL mu, SN_REAL lambda)
{
    SN_AT(snSix) E = SN_AT(snGreen)(SN_AT(snCauchyGreen)(F));
    return SN_AT(snTimesSix)(F, SN_AT(snHooke)(E, mu, lambda));
}

// Psi = lambda/2 tr(E)^2 + mu E:E
SN_KERNEL SN_REAL SN_AT(snStvkEnergy)(SN_MAT F, SN_REAL mu, SN_REAL lambda)
{
    SN_AT(snSix) E = SN_AT(snGreen)(SN_AT(snCauchyGreen)(F));
    SN_REAL trace = E.xx + E.yy + E.zz;
    SN_REAL square =
        E.xx * E.xx + E.yy * E.yy + E.zz * E.zz + 2 * (E.xy * E.xy + E.xz * E.xz + E.yz * E.yz);
    return lambda * trace * trace / 2 + mu * square;
}

SN_KERNEL SN_REAL SN_AT(snLesser)(SN_REAL a, SN_REAL b)
{
    return a < b ? a : b;
}

// Positive where det F > 0 and all principal stretches lie strictly between the square roots of L
// and U: the selective test of Kim & Pollard 2011, eqs. 6-7. f(t) = t^3 + a t^2 + b t + c =
// det(t I - F'F) has three real roots, the squared stretches. All lie above L when f(L) < 0, f'(L)
// > 0 and their mean -a/3 is above L, and below U likewise; no stationary point, hence no square
// root, is needed. The least of the seven numbers is returned, since gcc vectorises no logic.
SN_KERNEL SN_REAL SN_AT(snStretchSlack)(SN_MAT F, SN_REAL L, SN_REAL U)
{
    SN_AT(snSix) C = SN_AT(snCauchyGreen)(F);
    SN_REAL det = SN_AT(snDeterminant)(F);
    SN_REAL a = -(C.xx + C.yy + C.zz), c = -(det * det);
    SN_REAL b =
        (C.xx * C.yy - C.xy * C.xy) + (C.xx * C.zz - C.xz * C.xz) + (C.yy * C.zz - C.yz * C.yz);
    SN_REAL below = SN_AT(snLesser)(-(((L + a) * L + b) * L + c), (3 * L + 2 * a) * L + b);
    SN_REAL above = SN_AT(snLesser)(((U + a) * U + b) * U + c, (3 * U + 2 * a) * U + b);
    SN_REAL mean = SN_AT(snLesser)(-a - 3 * L, 3 * U + a);
    return SN_AT(snLesser)(SN_AT(snLesser)(det, mean), SN_AT(snLesser)(below, above));
}

SN_KERNEL SN_REAL SN_AT(snClamp)(SN_REAL s, SN_REAL lower, SN_REAL upper)
{
    s = s > lower ? s : lower;
    return s < upper ? s : upper;
}

// Strain of a principal stretch s: Green's, e = (s^2 - 1)/2, inside [lower, upper]; above it its
// tangent; below it steeper than its tangent, down to s = SN_STRETCH_FLAT, so that bent joints do
// not turn their flesh inside out, and from there straight on. With c = clamp(s) and
// t = clamp(lower - s, 0, lower - flat):
//   e = (c^2 - 1)/2 + c (s - c) - b t (2 (lower - s) - t),  de/ds = c + 2 b t,
// b = SN_STRETCH_STEEPER.
SN_KERNEL SN_REAL SN_AT(snStretchStrain)(SN_REAL s, SN_REAL lower, SN_REAL upper)
{
    SN_REAL c = SN_AT(snClamp)(s, lower, upper), gap = lower - s;
    SN_REAL t = SN_AT(snClamp)(gap, 0, lower - (SN_REAL)SN_STRETCH_FLAT);
    return (SN_REAL)0.5 * (c * c - 1) + c * (s - c) -
           (SN_REAL)SN_STRETCH_STEEPER * t * (2 * gap - t);
}

SN_KERNEL SN_REAL SN_AT(snStretchSlope)(SN_REAL s, SN_REAL lower, SN_REAL upper)
{
    SN_REAL t = SN_AT(snClamp)(lower - s, 0, lower - (SN_REAL)SN_STRETCH_FLAT);
    return SN_AT(snClamp)(s, lower, upper) + 2 * (SN_REAL)SN_STRETCH_STEEPER * t;
}

// Principal stresses of StVK with extended strain, Psi = lambda/2 (sum e)^2 + mu sum e^2:
//   P_i = e'(s_i) (lambda sum e + 2 mu e_i).
// In place of the extension by axis of Kim & Pollard 2011, Fig. 5, which derives from no energy.
SN_KERNEL SN_AT(snColumn) SN_AT(snStvkPrincipal)(SN_AT(snColumn) s, SN_REAL mu, SN_REAL lambda,
                                                 SN_REAL lower, SN_REAL upper)
{
    SN_REAL e0 = SN_AT(snStretchStrain)(s.x, lower, upper);
    SN_REAL e1 = SN_AT(snStretchStrain)(s.y, lower, upper);
    SN_REAL e2 = SN_AT(snStretchStrain)(s.z, lower, upper);
    SN_REAL pressure = lambda * (e0 + e1 + e2), twice = 2 * mu;
    return SN_AT(snColumnOf)(SN_AT(snStretchSlope)(s.x, lower, upper) * (pressure + twice * e0),
                             SN_AT(snStretchSlope)(s.y, lower, upper) * (pressure + twice * e1),
                             SN_AT(snStretchSlope)(s.z, lower, upper) * (pressure + twice * e2));
}

// Psi = lambda/2 (sum e)^2 + mu sum e^2 of principal strains e
SN_KERNEL SN_REAL SN_AT(snStrainEnergy)(SN_AT(snColumn) e, SN_REAL mu, SN_REAL lambda)
{
    SN_REAL trace = e.x + e.y + e.z;
    return (SN_REAL)0.5 * lambda * trace * trace + mu * (e.x * e.x + e.y * e.y + e.z * e.z);
}

SN_KERNEL SN_REAL SN_AT(snStvkPrincipalEnergy)(SN_AT(snColumn) s, SN_REAL mu, SN_REAL lambda,
                                               SN_REAL lower, SN_REAL upper)
{
    SN_AT(snColumn)
    e = SN_AT(snColumnOf)(SN_AT(snStretchStrain)(s.x, lower, upper),
                          SN_AT(snStretchStrain)(s.y, lower, upper),
                          SN_AT(snStretchStrain)(s.z, lower, upper));
    return SN_AT(snStrainEnergy)(e, mu, lambda);
}

SN_KERNEL SN_REAL SN_AT(snCorotatedEnergy)(SN_AT(snColumn) s, SN_REAL mu, SN_REAL lambda)
{
    return SN_AT(snStrainEnergy)(SN_AT(snColumnOf)(s.x - 1, s.y - 1, s.z - 1), mu, lambda);
}

// Corotated linear elasticity, Psi = mu |F - R|^2 + lambda/2 tr(R'F - I)^2:
//   P_i = 2 mu (s_i - 1) + lambda sum (s - 1). McAdams et al. 2011, eqs. 5-6.
SN_KERNEL SN_AT(snColumn) SN_AT(snCorotatedPrincipal)(SN_AT(snColumn) s, SN_REAL mu, SN_REAL lambda)
{
    SN_REAL pressure = lambda * (s.x + s.y + s.z - 3), twice = 2 * mu;
    return SN_AT(snColumnOf)(pressure + twice * (s.x - 1), pressure + twice * (s.y - 1),
                             pressure + twice * (s.z - 1));
}

// U diag(p) V'
SN_KERNEL SN_MAT SN_AT(snFromPrincipal)(SN_MAT U, SN_AT(snColumn) p, SN_MAT V)
{
    SN_MAT P;
    U.m00 *= p.x, U.m01 *= p.y, U.m02 *= p.z;
    U.m10 *= p.x, U.m11 *= p.y, U.m12 *= p.z;
    U.m20 *= p.x, U.m21 *= p.y, U.m22 *= p.z;
    P.m00 = U.m00 * V.m00 + U.m01 * V.m01 + U.m02 * V.m02;
    P.m01 = U.m00 * V.m10 + U.m01 * V.m11 + U.m02 * V.m12;
    P.m02 = U.m00 * V.m20 + U.m01 * V.m21 + U.m02 * V.m22;
    P.m10 = U.m10 * V.m00 + U.m11 * V.m01 + U.m12 * V.m02;
    P.m11 = U.m10 * V.m10 + U.m11 * V.m11 + U.m12 * V.m12;
    P.m12 = U.m10 * V.m20 + U.m11 * V.m21 + U.m12 * V.m22;
    P.m20 = U.m20 * V.m00 + U.m21 * V.m01 + U.m22 * V.m02;
    P.m21 = U.m20 * V.m10 + U.m21 * V.m11 + U.m22 * V.m12;
    P.m22 = U.m20 * V.m20 + U.m21 * V.m21 + U.m22 * V.m22;
    return P;
}

// Stable neo-Hookean, Smith, de Goes & Kim 2018, eqs. 14 and 18: with m = 4/3 mu, l = lambda + 5/6
// mu (their section 3.4, so that small strain matches mu and lambda), I = F:F, J = det F,
//   Psi = m/2 (I - 3) + l/2 (J - alpha)^2 - m/2 ln(I + 1), alpha = 1 + 3/4 m/l (rest is stress
//   free), P = m (1 - 1/(I + 1)) F + l (J - alpha) dJ/dF.
// The logarithm makes the collapse to a point unstable.
SN_KERNEL SN_MAT SN_AT(snNeoHookeanStress)(SN_MAT F, SN_REAL mu, SN_REAL lambda)
{
    SN_REAL m = (SN_REAL)(4.0 / 3) * mu, l = lambda + (SN_REAL)(5.0 / 6) * mu;
    SN_REAL shear = m * (1 - 1 / (SN_AT(snNormSq)(F) + 1));
    SN_REAL pressure = l * (SN_AT(snDeterminant)(F) - 1) - (SN_REAL)0.75 * m;
    return SN_AT(snCombine)(shear, F, pressure, SN_AT(snCofactor)(F));
}

// Strain-rate damping, P = F (2 eta_mu Edot + eta_lambda tr(Edot) I), Edot = sym(F' Fdot) (O'Brien
// & Hodgins 1999). Rigid motion gives none; the power P : Fdot taken out is 2 eta_mu Edot:Edot +
// eta_lambda tr(Edot)^2 >= 0 in every state.
SN_KERNEL SN_MAT SN_AT(snDampingStress)(SN_MAT F, SN_MAT D, SN_REAL eta_mu, SN_REAL eta_lambda)
{
    const SN_REAL half = (SN_REAL)0.5;
    SN_AT(snSix) E;
    E.xx = F.m00 * D.m00 + F.m10 * D.m10 + F.m20 * D.m20;
    E.yy = F.m01 * D.m01 + F.m11 * D.m11 + F.m21 * D.m21;
    E.zz = F.m02 * D.m02 + F.m12 * D.m12 + F.m22 * D.m22;
    E.xy = half * ((F.m00 * D.m01 + F.m10 * D.m11 + F.m20 * D.m21) +
                   (F.m01 * D.m00 + F.m11 * D.m10 + F.m21 * D.m20));
    E.xz = half * ((F.m00 * D.m02 + F.m10 * D.m12 + F.m20 * D.m22) +
                   (F.m02 * D.m00 + F.m12 * D.m10 + F.m22 * D.m20));
    E.yz = half * ((F.m01 * D.m02 + F.m11 * D.m12 + F.m21 * D.m22) +
                   (F.m02 * D.m01 + F.m12 * D.m11 + F.m22 * D.m21));
    return SN_AT(snTimesSix)(F, SN_AT(snHooke)(E, eta_mu, eta_lambda));
}

// Differentials. P(F + dF) = P(F) + dP(F; dF) + ..., so dF : dP is the energy's second
// differential.
//
// Isotropic laws have theirs in the principal axes: F = U diag(s) V', A = U' dF V, dP = U B V',
//   B_ii        = sum_j scale_ij A_jj,      scale_ij = d2Psi / ds_i ds_j,
//   B_ij + B_ji = flip_k (A_ij + A_ji),     flip_k  = (P_i - P_j)/(s_i - s_j),
//   B_ij - B_ji = twist_k (A_ij - A_ji),    twist_k = (P_i + P_j)/(s_i + s_j),
// P_i = dPsi/ds_i, k the axis that is neither i nor j. Flips and twists are six eigenvalues of the
// 9x9 Hessian d2Psi/dF2, those of scale the other three (Smith, de Goes & Kim 2019, "Analytic
// Eigensystems for Isotropic Distortion Energies"). L_D in Algorithm 1 of McAdams et al. 2011 is
// twist/2 - mu.
typedef struct SN_AT(snTangent) {
    SN_AT(snSix) scale;          // Pa, as all of it
    SN_AT(snColumn) flip, twist; // x: of the axes 1 and 2, y: of 0 and 2, z: of 0 and 1
} SN_AT(snTangent);

// (s_i^2 + s_j^2) + way s_i s_j of the three pairs
SN_KERNEL SN_AT(snColumn) SN_AT(snPairSquares)(SN_AT(snColumn) s, SN_REAL way)
{
    SN_REAL xx = s.x * s.x, yy = s.y * s.y, zz = s.z * s.z;
    return SN_AT(snColumnOf)(yy + zz + way * s.y * s.z, xx + zz + way * s.x * s.z,
                             xx + yy + way * s.x * s.y);
}

// k + a v
SN_KERNEL SN_AT(snColumn) SN_AT(snColumnLinear)(SN_REAL k, SN_REAL a, SN_AT(snColumn) v)
{
    return SN_AT(snColumnOf)(k + a * v.x, k + a * v.y, k + a * v.z);
}

// a v v' + diag(d)
SN_KERNEL SN_AT(snSix) SN_AT(snSixOf)(SN_REAL a, SN_AT(snColumn) v, SN_AT(snColumn) d)
{
    SN_AT(snSix) A;
    A.xx = a * v.x * v.x + d.x, A.yy = a * v.y * v.y + d.y, A.zz = a * v.z * v.z + d.z;
    A.xy = a * v.x * v.y, A.xz = a * v.x * v.z, A.yz = a * v.y * v.z;
    return A;
}

// Plain StVK: with c = lambda tr(E) - mu, flip and twist are c + mu (s_i^2 + s_j^2 +- s_i s_j),
// scale_ij = lambda s_i s_j and on the diagonal c + 3 mu s_i^2 besides. No quotient is left.
SN_KERNEL SN_AT(snTangent) SN_AT(snStvkTangent)(SN_AT(snColumn) s, SN_REAL mu, SN_REAL lambda)
{
    const SN_REAL half = (SN_REAL)0.5;
    SN_AT(snColumn) square = SN_AT(snColumnOf)(s.x * s.x, s.y * s.y, s.z * s.z);
    SN_REAL c = lambda * (half * (square.x + square.y + square.z - 3)) - mu;
    SN_AT(snTangent) T;
    T.scale = SN_AT(snSixOf)(lambda, s, SN_AT(snColumnLinear)(c, 3 * mu, square));
    T.flip = SN_AT(snColumnLinear)(c, mu, SN_AT(snPairSquares)(s, 1));
    T.twist = SN_AT(snColumnLinear)(c, mu, SN_AT(snPairSquares)(s, -1));
    return T;
}

// (clamp(a) - clamp(b))/(a - b), 1 or 0 where a = b. Right to rounding however close the two are:
// inside the range both differences are the same, and about its ends they are exact.
SN_KERNEL SN_REAL SN_AT(snClampSlope)(SN_REAL a, SN_REAL b, SN_REAL lower, SN_REAL upper)
{
    SN_REAL clamped = SN_AT(snClamp)(a, lower, upper), gap = a - b;
    SN_REAL part = clamped - SN_AT(snClamp)(b, lower, upper);
    SN_REAL inside = clamped == a ? 1 : 0, divisor = gap == 0 ? 1 : gap;
    SN_REAL slope = part / divisor;
    return gap == 0 ? inside : slope;
}

// (g(p) - g(q))/(p - q) of g(s) = e'(s) (pressure + 2 mu e(s)), e the extended strain; g'(p) where
// p = q. With [f] the divided difference and <f> the mean of f(p) and f(q), [f g] = <f> [g] + <g>
// [f], so that nothing cancels: with c = clamp(s, lower, upper) and d = clamp(s, flat, lower)
//   e = c s - c^2/2 - 1/2 - b (lower - d) (lower + d - 2 s),  e' = c + 2 b (lower - d),
//   [e] = <c> + [c] (<s> - <c>) + 2 b (lower - <d> + [d] (<d> - <s>)),  [e'] = [c] - 2 b [d],
// b = SN_STRETCH_STEEPER.
SN_KERNEL SN_REAL SN_AT(snStretchFlip)(SN_REAL p, SN_REAL q, SN_REAL pressure, SN_REAL mu,
                                       SN_REAL lower, SN_REAL upper)
{
    const SN_REAL half = (SN_REAL)0.5, flat = (SN_REAL)SN_STRETCH_FLAT;
    const SN_REAL twice = 2 * (SN_REAL)SN_STRETCH_STEEPER;
    SN_REAL s = half * (p + q);
    SN_REAL c = half * (SN_AT(snClamp)(p, lower, upper) + SN_AT(snClamp)(q, lower, upper));
    SN_REAL d = half * (SN_AT(snClamp)(p, flat, lower) + SN_AT(snClamp)(q, flat, lower));
    SN_REAL dc = SN_AT(snClampSlope)(p, q, lower, upper);
    SN_REAL dd = SN_AT(snClampSlope)(p, q, flat, lower);
    SN_REAL de = c + dc * (s - c) + twice * (lower - d + dd * (d - s)), dslope = dc - twice * dd;
    SN_REAL e =
        half * (SN_AT(snStretchStrain)(p, lower, upper) + SN_AT(snStretchStrain)(q, lower, upper));
    SN_REAL slope =
        half * (SN_AT(snStretchSlope)(p, lower, upper) + SN_AT(snStretchSlope)(q, lower, upper));
    return (pressure + 2 * mu * e) * dslope + 2 * mu * slope * de;
}

// (P_i + P_j)/(s_i + s_j). The sum of two stretches is never negative (svd.h). Where it vanishes, P
// does not: there the energy has an edge, and twists beside it are as large as they come.
SN_KERNEL SN_REAL SN_AT(snTwist)(SN_REAL si, SN_REAL sj, SN_REAL Pi, SN_REAL Pj)
{
    SN_REAL sum = si + sj, least = (SN_REAL)SN_STRETCH_SUM;
    return (Pi + Pj) / (sum > least ? sum : least);
}

SN_KERNEL SN_AT(snColumn) SN_AT(snTwists)(SN_AT(snColumn) s, SN_AT(snColumn) P)
{
    return SN_AT(snColumnOf)(SN_AT(snTwist)(s.y, s.z, P.y, P.z), SN_AT(snTwist)(s.x, s.z, P.x, P.z),
                             SN_AT(snTwist)(s.x, s.y, P.x, P.y));
}

// StVK with extended strain: scale_ij = lambda e'_i e'_j, and on the diagonal the flip of an axis
// with itself besides.
SN_KERNEL SN_AT(snTangent)
    SN_AT(snStvkPrincipalTangent)(SN_AT(snColumn) s, SN_REAL mu, SN_REAL lambda, SN_REAL lower,
                                  SN_REAL upper)
{
    SN_AT(snColumn)
    slope = SN_AT(snColumnOf)(SN_AT(snStretchSlope)(s.x, lower, upper),
                              SN_AT(snStretchSlope)(s.y, lower, upper),
                              SN_AT(snStretchSlope)(s.z, lower, upper));
    SN_REAL pressure = lambda * (SN_AT(snStretchStrain)(s.x, lower, upper) +
                                 SN_AT(snStretchStrain)(s.y, lower, upper) +
                                 SN_AT(snStretchStrain)(s.z, lower, upper));
    SN_AT(snColumn)
    own = SN_AT(snColumnOf)(SN_AT(snStretchFlip)(s.x, s.x, pressure, mu, lower, upper),
                            SN_AT(snStretchFlip)(s.y, s.y, pressure, mu, lower, upper),
                            SN_AT(snStretchFlip)(s.z, s.z, pressure, mu, lower, upper));
    SN_AT(snTangent) T;
    T.scale = SN_AT(snSixOf)(lambda, slope, own);
    T.flip = SN_AT(snColumnOf)(SN_AT(snStretchFlip)(s.y, s.z, pressure, mu, lower, upper),
                               SN_AT(snStretchFlip)(s.x, s.z, pressure, mu, lower, upper),
                               SN_AT(snStretchFlip)(s.x, s.y, pressure, mu, lower, upper));
    T.twist = SN_AT(snTwists)(s, SN_AT(snStvkPrincipal)(s, mu, lambda, lower, upper));
    return T;
}

// Corotated: scale_ij = lambda, 2 mu more on the diagonal, flip = 2 mu. Only twists can be
// negative.
SN_KERNEL SN_AT(snTangent) SN_AT(snCorotatedTangent)(SN_AT(snColumn) s, SN_REAL mu, SN_REAL lambda)
{
    SN_AT(snColumn) one = SN_AT(snColumnOf)(1, 1, 1);
    SN_AT(snTangent) T;
    T.flip = SN_AT(snColumnOf)(2 * mu, 2 * mu, 2 * mu);
    T.scale = SN_AT(snSixOf)(lambda, one, T.flip);
    T.twist = SN_AT(snTwists)(s, SN_AT(snCorotatedPrincipal)(s, mu, lambda));
    return T;
}

// Stable neo-Hookean: P_i = a s_i + w c_i, a = m (1 - 1/(I + 1)), w = l (J - alpha), c_i the
// product of the other two stretches, so flip_k = a - w s_k, twist_k = a + w s_k, and scale_ij = l
// c_i c_j + 2 m/(I + 1)^2 s_i s_j, with a more on the diagonal and w s_k more off it.
SN_KERNEL SN_AT(snTangent) SN_AT(snNeoHookeanTangent)(SN_AT(snColumn) s, SN_REAL mu, SN_REAL lambda)
{
    SN_REAL m = (SN_REAL)(4.0 / 3) * mu, l = lambda + (SN_REAL)(5.0 / 6) * mu;
    SN_REAL part = 1 / (SN_AT(snColumnDot)(s, s) + 1), a = m * (1 - part);
    SN_REAL w = l * (s.x * s.y * s.z - 1) - (SN_REAL)0.75 * m;
    SN_AT(snColumn) c = SN_AT(snColumnOf)(s.y * s.z, s.x * s.z, s.x * s.y);
    SN_AT(snSix) volume = SN_AT(snSixOf)(l, c, SN_AT(snColumnOf)(a, a, a));
    SN_AT(snSix) shear = SN_AT(snSixOf)(2 * m * part * part, s, SN_AT(snColumnOf)(0, 0, 0));
    SN_AT(snTangent) T;
    T.scale.xx = volume.xx + shear.xx, T.scale.yy = volume.yy + shear.yy;
    T.scale.zz = volume.zz + shear.zz;
    T.scale.xy = volume.xy + shear.xy + w * s.z;
    T.scale.xz = volume.xz + shear.xz + w * s.y;
    T.scale.yz = volume.yz + shear.yz + w * s.x;
    T.flip = SN_AT(snColumnLinear)(a, -w, s);
    T.twist = SN_AT(snColumnLinear)(a, w, s);
    return T;
}

// V diag(e) V'
SN_KERNEL SN_AT(snSix) SN_AT(snSixFrom)(SN_MAT V, SN_AT(snColumn) e)
{
    SN_AT(snSix) A;
    A.xx = V.m00 * e.x * V.m00 + V.m01 * e.y * V.m01 + V.m02 * e.z * V.m02;
    A.yy = V.m10 * e.x * V.m10 + V.m11 * e.y * V.m11 + V.m12 * e.z * V.m12;
    A.zz = V.m20 * e.x * V.m20 + V.m21 * e.y * V.m21 + V.m22 * e.z * V.m22;
    A.xy = V.m00 * e.x * V.m10 + V.m01 * e.y * V.m11 + V.m02 * e.z * V.m12;
    A.xz = V.m00 * e.x * V.m20 + V.m01 * e.y * V.m21 + V.m02 * e.z * V.m22;
    A.yz = V.m10 * e.x * V.m20 + V.m11 * e.y * V.m21 + V.m12 * e.z * V.m22;
    return A;
}

// More than any eigenvalue of A, or 0: twice Gershgorin's bound
SN_KERNEL SN_REAL SN_AT(snSixBound)(SN_AT(snSix) A)
{
    SN_REAL xy = SN_AT(snLargest)(0, A.xy), xz = SN_AT(snLargest)(0, A.xz);
    SN_REAL yz = SN_AT(snLargest)(0, A.yz);
    SN_REAL x = SN_AT(snLargest)(0, A.xx) + xy + xz, y = SN_AT(snLargest)(0, A.yy) + xy + yz;
    return 2 * SN_AT(snLargest)(SN_AT(snLargest)(x, y), SN_AT(snLargest)(0, A.zz) + xz + yz);
}

// The positive semidefinite matrix nearest to A: negative eigenvalues become 0. Singular values and
// vectors of A + k I, which is positive definite, are its eigenvalues and eigenvectors. An A that
// has no negative ones comes back as it is, to the bit.
SN_KERNEL SN_AT(snSix) SN_AT(snSixDefinite)(SN_AT(snSix) A)
{
    SN_REAL k = SN_AT(snSixBound)(A);
    SN_MAT B;
    B.m00 = A.xx + k, B.m01 = A.xy, B.m02 = A.xz;
    B.m10 = A.xy, B.m11 = A.yy + k, B.m12 = A.yz;
    B.m20 = A.xz, B.m21 = A.yz, B.m22 = A.zz + k;
    SN_AT(snSvd) d = SN_AT(snSvd3)(B);
    SN_REAL x = d.s0 - k, y = d.s1 - k, z = d.s2 - k;
    SN_AT(snColumn) e = SN_AT(snColumnOf)(x > 0 ? x : 0, y > 0 ? y : 0, z > 0 ? z : 0);
    SN_AT(snSix) C = SN_AT(snSixFrom)(d.V, e);
    A.xx = z < 0 ? C.xx : A.xx, A.yy = z < 0 ? C.yy : A.yy, A.zz = z < 0 ? C.zz : A.zz;
    A.xy = z < 0 ? C.xy : A.xy, A.xz = z < 0 ? C.xz : A.xz, A.yz = z < 0 ? C.yz : A.yz;
    return A;
}

SN_KERNEL SN_AT(snColumn) SN_AT(snColumnClamp)(SN_AT(snColumn) v, SN_REAL lower, SN_REAL upper)
{
    return SN_AT(snColumnOf)(SN_AT(snClamp)(v.x, lower, upper), SN_AT(snClamp)(v.y, lower, upper),
                             SN_AT(snClamp)(v.z, lower, upper));
}

// The tangent made definite: negative eigenvalues of the 9x9 Hessian become 0, so that dF : dP >= 0
// for every dF. Twists above `most` become that: beside the edges of inverted cells they pass every
// bound, which freezes the cell and spoils sums in float (infinity: no bound). The scale of the
// corotated law is definite as it is; its callers need the twists alone. One SVD.
SN_KERNEL SN_AT(snTangent) SN_AT(snTangentDefinite)(SN_AT(snTangent) T, SN_REAL most)
{
    T.scale = SN_AT(snSixDefinite)(T.scale);
    T.flip.x = T.flip.x > 0 ? T.flip.x : 0, T.flip.y = T.flip.y > 0 ? T.flip.y : 0;
    T.flip.z = T.flip.z > 0 ? T.flip.z : 0;
    T.twist = SN_AT(snColumnClamp)(T.twist, 0, most);
    return T;
}

// B from A, both in the principal axes
SN_KERNEL SN_MAT SN_AT(snTangentTimes)(SN_AT(snTangent) T, SN_MAT A)
{
    const SN_REAL half = (SN_REAL)0.5;
    SN_REAL fx = half * T.flip.x * (A.m12 + A.m21), tx = half * T.twist.x * (A.m12 - A.m21);
    SN_REAL fy = half * T.flip.y * (A.m02 + A.m20), ty = half * T.twist.y * (A.m02 - A.m20);
    SN_REAL fz = half * T.flip.z * (A.m01 + A.m10), tz = half * T.twist.z * (A.m01 - A.m10);
    SN_MAT B;
    B.m00 = T.scale.xx * A.m00 + T.scale.xy * A.m11 + T.scale.xz * A.m22;
    B.m11 = T.scale.xy * A.m00 + T.scale.yy * A.m11 + T.scale.yz * A.m22;
    B.m22 = T.scale.xz * A.m00 + T.scale.yz * A.m11 + T.scale.zz * A.m22;
    B.m12 = fx + tx, B.m21 = fx - tx;
    B.m02 = fy + ty, B.m20 = fy - ty;
    B.m01 = fz + tz, B.m10 = fz - tz;
    return B;
}

SN_KERNEL SN_MAT SN_AT(snTranspose)(SN_MAT A)
{
    SN_MAT B;
    B.m00 = A.m00, B.m01 = A.m10, B.m02 = A.m20;
    B.m10 = A.m01, B.m11 = A.m11, B.m12 = A.m21;
    B.m20 = A.m02, B.m21 = A.m12, B.m22 = A.m22;
    return B;
}

// A B'
SN_KERNEL SN_MAT SN_AT(snTimesTranspose)(SN_MAT A, SN_MAT B)
{
    SN_MAT C;
    C.m00 = A.m00 * B.m00 + A.m01 * B.m01 + A.m02 * B.m02;
    C.m01 = A.m00 * B.m10 + A.m01 * B.m11 + A.m02 * B.m12;
    C.m02 = A.m00 * B.m20 + A.m01 * B.m21 + A.m02 * B.m22;
    C.m10 = A.m10 * B.m00 + A.m11 * B.m01 + A.m12 * B.m02;
    C.m11 = A.m10 * B.m10 + A.m11 * B.m11 + A.m12 * B.m12;
    C.m12 = A.m10 * B.m20 + A.m11 * B.m21 + A.m12 * B.m22;
    C.m20 = A.m20 * B.m00 + A.m21 * B.m01 + A.m22 * B.m02;
    C.m21 = A.m20 * B.m10 + A.m21 * B.m11 + A.m22 * B.m12;
    C.m22 = A.m20 * B.m20 + A.m21 * B.m21 + A.m22 * B.m22;
    return C;
}

// A X B'
SN_KERNEL SN_MAT SN_AT(snBetween)(SN_MAT A, SN_MAT X, SN_MAT B)
{
    return SN_AT(snTimesTranspose)(A, SN_AT(snTimesTranspose)(B, X));
}

// dP = U (T : U' dF V) V', U and V of the F that T was taken at. 135 multiplies.
SN_KERNEL SN_MAT SN_AT(snDifferential)(SN_MAT U, SN_AT(snTangent) T, SN_MAT V, SN_MAT dF)
{
    SN_MAT A = SN_AT(snBetween)(SN_AT(snTranspose)(U), dF, SN_AT(snTranspose)(V));
    return SN_AT(snBetween)(U, SN_AT(snTangentTimes)(T, A), V);
}

// Plain StVK without the SVD: P = F S, dP = dF S + F dS, dS = lambda tr(dE) I + 2 mu dE, dE =
// sym(F' dF): the last term is that of damping with dF as the rate.
SN_KERNEL SN_MAT SN_AT(snStvkDifferential)(SN_MAT F, SN_MAT dF, SN_REAL mu, SN_REAL lambda)
{
    SN_AT(snSix) E = SN_AT(snGreen)(SN_AT(snCauchyGreen)(F));
    SN_MAT turned = SN_AT(snTimesSix)(dF, SN_AT(snHooke)(E, mu, lambda));
    return SN_AT(snCombine)(1, turned, 1, SN_AT(snDampingStress)(F, dF, mu, lambda));
}

// A : B
SN_KERNEL SN_REAL SN_AT(snContract)(SN_MAT A, SN_MAT B)
{
    return (A.m00 * B.m00 + A.m01 * B.m01 + A.m02 * B.m02) +
           (A.m10 * B.m10 + A.m11 * B.m11 + A.m12 * B.m12) +
           (A.m20 * B.m20 + A.m21 * B.m21 + A.m22 * B.m22);
}

// How the cofactors of F change with D
SN_KERNEL SN_MAT SN_AT(snCofactorSlope)(SN_MAT F, SN_MAT D)
{
    SN_MAT C;
    C.m00 = (F.m11 * D.m22 + D.m11 * F.m22) - (F.m12 * D.m21 + D.m12 * F.m21);
    C.m01 = (F.m12 * D.m20 + D.m12 * F.m20) - (F.m10 * D.m22 + D.m10 * F.m22);
    C.m02 = (F.m10 * D.m21 + D.m10 * F.m21) - (F.m11 * D.m20 + D.m11 * F.m20);
    C.m10 = (F.m21 * D.m02 + D.m21 * F.m02) - (F.m22 * D.m01 + D.m22 * F.m01);
    C.m11 = (F.m22 * D.m00 + D.m22 * F.m00) - (F.m20 * D.m02 + D.m20 * F.m02);
    C.m12 = (F.m20 * D.m01 + D.m20 * F.m01) - (F.m21 * D.m00 + D.m21 * F.m00);
    C.m20 = (F.m01 * D.m12 + D.m01 * F.m12) - (F.m02 * D.m11 + D.m02 * F.m11);
    C.m21 = (F.m02 * D.m10 + D.m02 * F.m10) - (F.m00 * D.m12 + D.m00 * F.m12);
    C.m22 = (F.m00 * D.m11 + D.m00 * F.m11) - (F.m01 * D.m10 + D.m01 * F.m10);
    return C;
}

// Stable neo-Hookean without the SVD: P = a F + w C, C = dJ/dF, a and w as in its tangent, so
//   dP = a dF + w dC + (2 m/(I + 1)^2 F : dF) F + (l C : dF) C.
SN_KERNEL SN_MAT SN_AT(snNeoHookeanDifferential)(SN_MAT F, SN_MAT dF, SN_REAL mu, SN_REAL lambda)
{
    SN_REAL m = (SN_REAL)(4.0 / 3) * mu, l = lambda + (SN_REAL)(5.0 / 6) * mu;
    SN_REAL part = 1 / (SN_AT(snNormSq)(F) + 1);
    SN_REAL w = l * (SN_AT(snDeterminant)(F) - 1) - (SN_REAL)0.75 * m;
    SN_REAL da = 2 * m * part * part * SN_AT(snContract)(F, dF);
    SN_MAT C = SN_AT(snCofactor)(F), dC = SN_AT(snCofactorSlope)(F, dF);
    SN_MAT along = SN_AT(snCombine)(m * (1 - part), dF, w, dC);
    SN_MAT change = SN_AT(snCombine)(da, F, l * SN_AT(snContract)(C, dF), C);
    return SN_AT(snCombine)(1, along, 1, change);
}
