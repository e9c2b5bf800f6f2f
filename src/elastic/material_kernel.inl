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
