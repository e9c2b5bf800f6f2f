// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The body of snSvd3 and snPolar3 for one precision, included by svd.h with
//   SN_REAL           float or double
//   SN_MAT            the matrix type
//   SN_AT(name)       the name with f or d at its end
//   SN_SQRT, SN_ABS, SN_COPYSIGN
//   SN_REAL_BITS      the unsigned integer of the same size
//   SN_REAL_MANTISSA  how many of its bits are the mantissa
//   SN_REAL_BIAS      the exponent's bias
//   SN_REAL_TINY      next to nothing beside 1, but its square is a normal number
//
//   SN_SWEEPS         sweeps of three rotations each: after 4 the error left by the iteration is
//   below 1e-7,
//                     after 5 below 1e-15 (worst of millions of random and contrived matrices)
//
// One-sided Jacobi (Hestenes 1958; Demmel & Veselic 1992 on its accuracy, which F'F would spoil for
// the small singular values): rotations from the right, collected in V, make the columns of B = F V
// orthogonal. Then Givens rotations from the left make B upper triangular, hence diagonal: U' B =
// diag(s). Only rotations occur, so U and V have determinant 1 and the sign of det F is left in the
// last diagonal entry.
//
// Selections choose between finished numbers (gcc will not vectorise an operation inside an arm).
// In float about 900 additions and multiplications, 27 square roots, 15 divisions; no branches.

typedef struct SN_AT(snColumn) {
    SN_REAL x, y, z;
} SN_AT(snColumn);

SN_KERNEL SN_REAL SN_AT(snColumnDot)(SN_AT(snColumn) a, SN_AT(snColumn) b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// (p, q) <- (c p + s q, c q - s p)
SN_KERNEL void SN_AT(snColumnTurn)(SN_AT(snColumn) * p, SN_AT(snColumn) * q, SN_REAL c, SN_REAL s)
{
    SN_AT(snColumn) a = *p, b = *q;
    p->x = c * a.x + s * b.x, q->x = c * b.x - s * a.x;
    p->y = c * a.y + s * b.y, q->y = c * b.y - s * a.y;
    p->z = c * a.z + s * b.z, q->z = c * b.z - s * a.z;
}

// Turns the columns p and q of B, and those of V, so that they become orthogonal and p the longer
// one. In the plane of the two, [d o; o -d] is their Gram matrix less its mean, +-h its
// eigenvalues, and (c, s) along (d + h, o), or equally (o, h - d), the eigenvector of +h; the one
// without cancellation is taken. What is added to x matters only where x and y vanish: no rotation
// then.
SN_KERNEL void SN_AT(snJacobi)(SN_AT(snColumn) * p, SN_AT(snColumn) * q, SN_AT(snColumn) * vp,
                               SN_AT(snColumn) * vq)
{
    SN_REAL pp = SN_AT(snColumnDot)(*p, *p), qq = SN_AT(snColumnDot)(*q, *q);
    SN_REAL d = (SN_REAL)0.5 * (pp - qq), o = SN_AT(snColumnDot)(*p, *q);
    SN_REAL large = SN_ABS(d) + SN_SQRT(d * d + o * o) + SN_REAL_TINY;
    SN_REAL scale = 1 / SN_SQRT(large * large + o * o);
    SN_REAL x = d < 0 ? SN_ABS(o) : large;
    SN_REAL y = d < 0 ? SN_COPYSIGN(large, o) : o;
    SN_REAL c = x * scale, s = y * scale;
    SN_AT(snColumnTurn)(p, q, c, s);
    SN_AT(snColumnTurn)(vp, vq, c, s);
}

SN_KERNEL void SN_AT(snSweep)(SN_AT(snColumn) * b0, SN_AT(snColumn) * b1, SN_AT(snColumn) * b2,
                              SN_AT(snColumn) * v0, SN_AT(snColumn) * v1, SN_AT(snColumn) * v2)
{
    SN_AT(snJacobi)(b0, b1, v0, v1);
    SN_AT(snJacobi)(b0, b2, v0, v2);
    SN_AT(snJacobi)(b1, b2, v1, v2);
}

// Turns the rows p and q of B, and those of U', so that a in p becomes positive and b, below it,
// zero.
SN_KERNEL void SN_AT(snGivens)(SN_REAL a, SN_REAL b, SN_AT(snColumn) * p, SN_AT(snColumn) * q,
                               SN_AT(snColumn) * up, SN_AT(snColumn) * uq)
{
    SN_REAL x = a + SN_COPYSIGN(SN_REAL_TINY, a), scale = 1 / SN_SQRT(x * x + b * b);
    SN_REAL c = x * scale, s = b * scale;
    SN_AT(snColumnTurn)(p, q, c, s);
    SN_AT(snColumnTurn)(up, uq, c, s);
}

SN_KERNEL SN_AT(snColumn) SN_AT(snColumnOf)(SN_REAL x, SN_REAL y, SN_REAL z)
{
    SN_AT(snColumn) a;
    a.x = x;
    a.y = y;
    a.z = z;
    return a;
}

SN_KERNEL SN_MAT SN_AT(snFromColumns)(SN_AT(snColumn) a, SN_AT(snColumn) b, SN_AT(snColumn) c)
{
    SN_MAT m;
    m.m00 = a.x, m.m01 = b.x, m.m02 = c.x;
    m.m10 = a.y, m.m11 = b.y, m.m12 = c.y;
    m.m20 = a.z, m.m21 = b.z, m.m22 = c.z;
    return m;
}

SN_KERNEL SN_REAL SN_AT(snLargest)(SN_REAL a, SN_REAL b)
{
    b = SN_ABS(b);
    return a > b ? a : b;
}

// The power of two below x, or its inverse, kept well inside the range of exponents. Scaling by it
// is exact.
SN_KERNEL SN_REAL SN_AT(snPowerBelow)(SN_REAL x, bool inverse)
{
    const SN_REAL_BITS one = (SN_REAL_BITS)1 << SN_REAL_MANTISSA;
    const SN_REAL_BITS least = 7 * one, most = (2 * SN_REAL_BIAS - 1) * one;
    SN_REAL_BITS bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= ~(one - 1);
    bits = bits > least ? bits : least;
    bits = bits < most ? bits : most;
    bits = inverse ? 2 * SN_REAL_BIAS * one - bits : bits;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// see svd.h
SN_KERNEL SN_AT(snSvd) SN_AT(snSvd3)(SN_MAT F)
{
    SN_REAL most = SN_AT(snLargest)(SN_AT(snLargest)(SN_AT(snLargest)(0, F.m00), F.m01), F.m02);
    most = SN_AT(snLargest)(SN_AT(snLargest)(SN_AT(snLargest)(most, F.m10), F.m11), F.m12);
    most = SN_AT(snLargest)(SN_AT(snLargest)(SN_AT(snLargest)(most, F.m20), F.m21), F.m22);
    SN_REAL k = SN_AT(snPowerBelow)(most, true), unit = SN_AT(snPowerBelow)(most, false);

    SN_AT(snColumn) b0 = SN_AT(snColumnOf)(k * F.m00, k * F.m10, k * F.m20);
    SN_AT(snColumn) b1 = SN_AT(snColumnOf)(k * F.m01, k * F.m11, k * F.m21);
    SN_AT(snColumn) b2 = SN_AT(snColumnOf)(k * F.m02, k * F.m12, k * F.m22);
    SN_AT(snColumn) v0 = SN_AT(snColumnOf)(1, 0, 0), v1 = SN_AT(snColumnOf)(0, 1, 0);
    SN_AT(snColumn) v2 = SN_AT(snColumnOf)(0, 0, 1);
    SN_AT(snSweep)(&b0, &b1, &b2, &v0, &v1, &v2);
    SN_AT(snSweep)(&b0, &b1, &b2, &v0, &v1, &v2);
    SN_AT(snSweep)(&b0, &b1, &b2, &v0, &v1, &v2);
    SN_AT(snSweep)(&b0, &b1, &b2, &v0, &v1, &v2);
    if (SN_SWEEPS > 4) {
        SN_AT(snSweep)(&b0, &b1, &b2, &v0, &v1, &v2);
    }

    SN_AT(snColumn) r0 = SN_AT(snColumnOf)(b0.x, b1.x, b2.x), u0 = SN_AT(snColumnOf)(1, 0, 0);
    SN_AT(snColumn) r1 = SN_AT(snColumnOf)(b0.y, b1.y, b2.y), u1 = SN_AT(snColumnOf)(0, 1, 0);
    SN_AT(snColumn) r2 = SN_AT(snColumnOf)(b0.z, b1.z, b2.z), u2 = SN_AT(snColumnOf)(0, 0, 1);
    SN_AT(snGivens)(r0.x, r1.x, &r0, &r1, &u0, &u1);
    SN_AT(snGivens)(r0.x, r2.x, &r0, &r2, &u0, &u2);
    SN_AT(snGivens)(r1.y, r2.y, &r1, &r2, &u1, &u2);

    // the order holds up to rounding; now exactly
    SN_REAL s1 = SN_AT(snLargest)(r1.y, r2.z), s0 = SN_AT(snLargest)(r0.x, s1);
    SN_AT(snSvd) out;
    out.s0 = s0 * unit;
    out.s1 = s1 * unit;
    out.s2 = r2.z * unit;
    out.U = SN_AT(snFromColumns)(u0, u1, u2);
    out.V = SN_AT(snFromColumns)(v0, v1, v2);
    return out;
}

// a' diag(k) b over the rows a and b of two matrices
SN_KERNEL SN_REAL SN_AT(snDot3)(SN_REAL k0, SN_REAL k1, SN_REAL k2, SN_AT(snColumn) a,
                                SN_AT(snColumn) b)
{
    return k0 * a.x * b.x + k1 * a.y * b.y + k2 * a.z * b.z;
}

// R = U V', S = V diag(s) V'; see svd.h
SN_KERNEL SN_AT(snPolar) SN_AT(snPolar3)(SN_MAT F)
{
    SN_AT(snSvd) d = SN_AT(snSvd3)(F);
    SN_AT(snColumn) u0 = SN_AT(snColumnOf)(d.U.m00, d.U.m01, d.U.m02);
    SN_AT(snColumn) u1 = SN_AT(snColumnOf)(d.U.m10, d.U.m11, d.U.m12);
    SN_AT(snColumn) u2 = SN_AT(snColumnOf)(d.U.m20, d.U.m21, d.U.m22);
    SN_AT(snColumn) v0 = SN_AT(snColumnOf)(d.V.m00, d.V.m01, d.V.m02);
    SN_AT(snColumn) v1 = SN_AT(snColumnOf)(d.V.m10, d.V.m11, d.V.m12);
    SN_AT(snColumn) v2 = SN_AT(snColumnOf)(d.V.m20, d.V.m21, d.V.m22);
    SN_AT(snPolar) out;
    out.R.m00 = SN_AT(snColumnDot)(u0, v0), out.R.m01 = SN_AT(snColumnDot)(u0, v1);
    out.R.m02 = SN_AT(snColumnDot)(u0, v2), out.R.m10 = SN_AT(snColumnDot)(u1, v0);
    out.R.m11 = SN_AT(snColumnDot)(u1, v1), out.R.m12 = SN_AT(snColumnDot)(u1, v2);
    out.R.m20 = SN_AT(snColumnDot)(u2, v0), out.R.m21 = SN_AT(snColumnDot)(u2, v1);
    out.R.m22 = SN_AT(snColumnDot)(u2, v2);
    out.S.m00 = SN_AT(snDot3)(d.s0, d.s1, d.s2, v0, v0);
    out.S.m11 = SN_AT(snDot3)(d.s0, d.s1, d.s2, v1, v1);
    out.S.m22 = SN_AT(snDot3)(d.s0, d.s1, d.s2, v2, v2);
    out.S.m01 = out.S.m10 = SN_AT(snDot3)(d.s0, d.s1, d.s2, v0, v1);
    out.S.m02 = out.S.m20 = SN_AT(snDot3)(d.s0, d.s1, d.s2, v0, v2);
    out.S.m12 = out.S.m21 = SN_AT(snDot3)(d.s0, d.s1, d.s2, v1, v2);
    return out;
}
