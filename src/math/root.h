// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Inverse Cholesky root of a symmetric positive definite 3x3 matrix.
#ifndef SN_MATH_ROOT_H
#define SN_MATH_ROOT_H

#include "math/mat.h"

// Y = L^-1 for S = L L', lower triangular: S^-1 = Y' Y. Products with S^-1 are made of two with Y,
// which keeps the error at cond(S); the inverse itself, used in M - B' S^-1 B, would square it.
typedef struct snRoot3 {
    double xx, yx, yy, zx, zy, zz;
} snRoot3;

// False when S is not positive definite as far as rounding can tell: a pivot has lost all its
// digits.
SN_FN bool snRoot3_Find(snSym3 S, snRoot3* Y)
{
    const double least = 16 * 1.1102230246251565e-16;
    double b = S.xy / S.xx, c = S.xz / S.xx;
    double d = S.yy - b * S.xy, e = S.yz - b * S.xz, g = e / d, f = S.zz - c * S.xz - g * e;
    double yy = 1 / sqrt(d), zz = 1 / sqrt(f);
    Y->xx = 1 / sqrt(S.xx);
    Y->yx = -b * yy, Y->yy = yy;
    Y->zx = (b * g - c) * zz, Y->zy = -g * zz, Y->zz = zz;
    return S.xx > 0 && d > least * S.yy && f > least * S.zz;
}

// Y v
SN_FN snVec3 snRoot3_Times(const snRoot3* Y, snVec3 v)
{
    return snV3(Y->xx * v.x, Y->yx * v.x + Y->yy * v.y, Y->zx * v.x + Y->zy * v.y + Y->zz * v.z);
}

// Y' v
SN_FN snVec3 snRoot3_TTimes(const snRoot3* Y, snVec3 v)
{
    return snV3(Y->xx * v.x + Y->yx * v.y + Y->zx * v.z, Y->yy * v.y + Y->zy * v.z, Y->zz * v.z);
}

// Y B
SN_FN snMat3 snRoot3_TimesMat(const snRoot3* Y, snMat3 B)
{
    return snMatFromCols(snRoot3_Times(Y, snMatCol(B, 0)), snRoot3_Times(Y, snMatCol(B, 1)),
                         snRoot3_Times(Y, snMatCol(B, 2)));
}

#endif
