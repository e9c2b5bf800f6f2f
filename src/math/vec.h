// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Vectors of three doubles.
#ifndef SN_MATH_VEC_H
#define SN_MATH_VEC_H

#include "math/fn.h"
#include "sinew/base.h"

// Squared lengths below this have lost digits to underflow; such vectors count as zero.
#define SN_TINY_SQUARE 1e-290

SN_FN snVec3 snV3(double x, double y, double z)
{
    snVec3 v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

SN_FN snVec3 snAdd(snVec3 a, snVec3 b)
{
    return snV3(a.x + b.x, a.y + b.y, a.z + b.z);
}

SN_FN snVec3 snSub(snVec3 a, snVec3 b)
{
    return snV3(a.x - b.x, a.y - b.y, a.z - b.z);
}

SN_FN snVec3 snNeg(snVec3 v)
{
    return snV3(-v.x, -v.y, -v.z);
}

SN_FN snVec3 snScale(double s, snVec3 v)
{
    return snV3(s * v.x, s * v.y, s * v.z);
}

// a + s b
SN_FN snVec3 snMulAdd(snVec3 a, double s, snVec3 b)
{
    return snV3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

// component by component
SN_FN snVec3 snMul3(snVec3 a, snVec3 b)
{
    return snV3(a.x * b.x, a.y * b.y, a.z * b.z);
}

SN_FN double snDot(snVec3 a, snVec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

SN_FN snVec3 snCross(snVec3 a, snVec3 b)
{
    return snV3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

SN_FN double snLengthSq(snVec3 v)
{
    return snDot(v, v);
}

SN_FN double snLength(snVec3 v)
{
    return sqrt(snLengthSq(v));
}

// v / |v|; zero (anything shorter than 1e-145) gives zero, NaN stays NaN
SN_FN snVec3 snNormalize(snVec3 v)
{
    double square = snLengthSq(v);
    return snScale(square >= SN_TINY_SQUARE ? 1 / sqrt(square) : 0, v);
}

// some unit vector perpendicular to the unit vector v
SN_FN snVec3 snPerpendicular(snVec3 v)
{
    double x = fabs(v.x), y = fabs(v.y), z = fabs(v.z);
    bool use_x = x <= y && x <= z, use_y = !use_x && y <= z;
    snVec3 axis = snV3(use_x ? 1 : 0, use_y ? 1 : 0, use_x || use_y ? 0 : 1);
    return snNormalize(snCross(v, axis));
}

#endif
