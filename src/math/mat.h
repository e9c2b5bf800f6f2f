// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// 3x3 matrices, row-major with named members, and symmetric ones (snSym3).
#ifndef SN_MATH_MAT_H
#define SN_MATH_MAT_H

#include "math/vec.h"

typedef struct snMat3 {
    double m00, m01, m02;
    double m10, m11, m12;
    double m20, m21, m22;
} snMat3;

typedef struct snMat3f {
    float m00, m01, m02;
    float m10, m11, m12;
    float m20, m21, m22;
} snMat3f;

SN_FN snMat3 snMatFromRows(snVec3 a, snVec3 b, snVec3 c)
{
    snMat3 m;
    m.m00 = a.x, m.m01 = a.y, m.m02 = a.z;
    m.m10 = b.x, m.m11 = b.y, m.m12 = b.z;
    m.m20 = c.x, m.m21 = c.y, m.m22 = c.z;
    return m;
}

SN_FN snMat3 snMatFromCols(snVec3 a, snVec3 b, snVec3 c)
{
    return snMatFromRows(snV3(a.x, b.x, c.x), snV3(a.y, b.y, c.y), snV3(a.z, b.z, c.z));
}

SN_FN snVec3 snMatRow(snMat3 A, int i)
{
    return i == 0   ? snV3(A.m00, A.m01, A.m02)
           : i == 1 ? snV3(A.m10, A.m11, A.m12)
                    : snV3(A.m20, A.m21, A.m22);
}

SN_FN snVec3 snMatCol(snMat3 A, int i)
{
    return i == 0   ? snV3(A.m00, A.m10, A.m20)
           : i == 1 ? snV3(A.m01, A.m11, A.m21)
                    : snV3(A.m02, A.m12, A.m22);
}

SN_FN snMat3 snMat3_Diagonal(double a, double b, double c)
{
    return snMatFromRows(snV3(a, 0, 0), snV3(0, b, 0), snV3(0, 0, c));
}

SN_FN snMat3 snMat3_Identity(void)
{
    return snMat3_Diagonal(1, 1, 1);
}

SN_FN snMat3 snTranspose(snMat3 A)
{
    return snMatFromRows(snMatCol(A, 0), snMatCol(A, 1), snMatCol(A, 2));
}

SN_FN snVec3 snMatVec(snMat3 A, snVec3 v)
{
    return snV3(A.m00 * v.x + A.m01 * v.y + A.m02 * v.z, A.m10 * v.x + A.m11 * v.y + A.m12 * v.z,
                A.m20 * v.x + A.m21 * v.y + A.m22 * v.z);
}

// A' v
SN_FN snVec3 snMatTVec(snMat3 A, snVec3 v)
{
    return snV3(A.m00 * v.x + A.m10 * v.y + A.m20 * v.z, A.m01 * v.x + A.m11 * v.y + A.m21 * v.z,
                A.m02 * v.x + A.m12 * v.y + A.m22 * v.z);
}

SN_FN snMat3 snMatMul(snMat3 A, snMat3 B)
{
    return snMatFromCols(snMatVec(A, snMatCol(B, 0)), snMatVec(A, snMatCol(B, 1)),
                         snMatVec(A, snMatCol(B, 2)));
}

SN_FN snMat3 snMatAdd(snMat3 A, snMat3 B)
{
    return snMatFromRows(snAdd(snMatRow(A, 0), snMatRow(B, 0)),
                         snAdd(snMatRow(A, 1), snMatRow(B, 1)),
                         snAdd(snMatRow(A, 2), snMatRow(B, 2)));
}

SN_FN snMat3 snMatSub(snMat3 A, snMat3 B)
{
    return snMatFromRows(snSub(snMatRow(A, 0), snMatRow(B, 0)),
                         snSub(snMatRow(A, 1), snMatRow(B, 1)),
                         snSub(snMatRow(A, 2), snMatRow(B, 2)));
}

SN_FN snMat3 snMatScale(double s, snMat3 A)
{
    return snMatFromRows(snScale(s, snMatRow(A, 0)), snScale(s, snMatRow(A, 1)),
                         snScale(s, snMatRow(A, 2)));
}

SN_FN double snDet(snMat3 A)
{
    return snDot(snMatRow(A, 0), snCross(snMatRow(A, 1), snMatRow(A, 2)));
}

// Cofactors over the determinant. *ok (may be NULL) is false, and the result zero, when A is
// singular as far as rounding can tell: |det A| within 16 roundings of the product of the row
// lengths, its largest possible value, or below 1e-290, where digits are lost.
SN_FN snMat3 snMatInverse(snMat3 A, bool* ok)
{
    snVec3 a = snMatRow(A, 0), b = snMatRow(A, 1), c = snMatRow(A, 2);
    double det = snDet(A), most = snLength(a) * snLength(b) * snLength(c);
    bool regular = fabs(det) > 16 * 1.1102230246251565e-16 * most && fabs(det) > SN_TINY_SQUARE;
    if (ok) {
        *ok = regular;
    }
    return snMatScale(regular ? 1 / det : 0,
                      snMatFromCols(snCross(b, c), snCross(c, a), snCross(a, b)));
}

// snMatVec(snSkew(a), b) = a x b
SN_FN snMat3 snSkew(snVec3 v)
{
    return snMatFromRows(snV3(0, -v.z, v.y), snV3(v.z, 0, -v.x), snV3(-v.y, v.x, 0));
}

// a b'
SN_FN snMat3 snOuter(snVec3 a, snVec3 b)
{
    return snMatFromRows(snScale(a.x, b), snScale(a.y, b), snScale(a.z, b));
}

SN_FN snMat3 snMatFromSym(snSym3 S)
{
    return snMatFromRows(snV3(S.xx, S.xy, S.xz), snV3(S.xy, S.yy, S.yz), snV3(S.xz, S.yz, S.zz));
}

// the symmetric part (A + A')/2
SN_FN snSym3 snSymFromMat(snMat3 A)
{
    snSym3 S;
    S.xx = A.m00, S.yy = A.m11, S.zz = A.m22;
    S.xy = 0.5 * (A.m01 + A.m10);
    S.xz = 0.5 * (A.m02 + A.m20);
    S.yz = 0.5 * (A.m12 + A.m21);
    return S;
}

SN_FN snVec3 snSymVec(snSym3 S, snVec3 v)
{
    return snMatVec(snMatFromSym(S), v);
}

SN_FN snSym3 snSymAdd(snSym3 A, snSym3 B)
{
    snSym3 S;
    S.xx = A.xx + B.xx, S.yy = A.yy + B.yy, S.zz = A.zz + B.zz;
    S.xy = A.xy + B.xy, S.xz = A.xz + B.xz, S.yz = A.yz + B.yz;
    return S;
}

SN_FN snSym3 snSymScale(double s, snSym3 A)
{
    snSym3 S;
    S.xx = s * A.xx, S.yy = s * A.yy, S.zz = s * A.zz;
    S.xy = s * A.xy, S.xz = s * A.xz, S.yz = s * A.yz;
    return S;
}

// R S R'
SN_FN snSym3 snSymRotate(snMat3 R, snSym3 S)
{
    return snSymFromMat(snMatMul(snMatMul(R, snMatFromSym(S)), snTranspose(R)));
}

// as snMatInverse
SN_FN snSym3 snSymInverse(snSym3 S, bool* ok)
{
    return snSymFromMat(snMatInverse(snMatFromSym(S), ok));
}

#endif
