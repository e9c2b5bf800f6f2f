// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Random vectors, rotations and matrices, and how far two of them are apart.
#ifndef SN_TESTS_MATH_DRAW_H
#define SN_TESTS_MATH_DRAW_H

#include "base/random.h"
#include "math/transform.h"

static inline snVec3 drawVec(snRandom* r)
{
    double x = snRandom_Range(r, -1, 1), y = snRandom_Range(r, -1, 1);
    return snV3(x, y, snRandom_Range(r, -1, 1));
}

static inline snQuat drawQuat(snRandom* r)
{
    snQuat q;
    do {
        snVec3 v = drawVec(r);
        q = snQ(v.x, v.y, v.z, snRandom_Range(r, -1, 1));
    } while (snQDot(q, q) < 0.1);
    return snQNormalize(q);
}

static inline snMat3 drawMat(snRandom* r)
{
    snVec3 a = drawVec(r), b = drawVec(r);
    return snMatFromRows(a, b, drawVec(r));
}

static inline snTransform drawTransform(snRandom* r)
{
    snVec3 p = drawVec(r);
    return snT(p, drawQuat(r));
}

static inline double vecGap(snVec3 a, snVec3 b)
{
    return snLength(snSub(a, b));
}

// as rotations: q and -q are the same
static inline double quatGap(snQuat a, snQuat b)
{
    double minus =
        sqrt(pow(a.x - b.x, 2) + pow(a.y - b.y, 2) + pow(a.z - b.z, 2) + pow(a.w - b.w, 2));
    double plus =
        sqrt(pow(a.x + b.x, 2) + pow(a.y + b.y, 2) + pow(a.z + b.z, 2) + pow(a.w + b.w, 2));
    return minus < plus ? minus : plus;
}

// the largest entry; NaN if there is one
static inline double matSize(snMat3 A)
{
    const double entries[9] = {A.m00, A.m01, A.m02, A.m10, A.m11, A.m12, A.m20, A.m21, A.m22};
    double most = 0;
    for (int i = 0; i < 9; ++i) {
        most = fabs(entries[i]) <= most ? most : fabs(entries[i]);
    }
    return most;
}

static inline double matGap(snMat3 A, snMat3 B)
{
    return matSize(snMatSub(A, B));
}

#endif
