// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Rigid placements: x -> q x q* + p.
#ifndef SN_MATH_TRANSFORM_H
#define SN_MATH_TRANSFORM_H

#include "math/quat.h"

SN_FN snTransform snT(snVec3 p, snQuat q)
{
    snTransform t;
    t.p = p;
    t.q = q;
    return t;
}

SN_FN snTransform snTIdentity(void)
{
    return snT(snV3(0, 0, 0), snQIdentity());
}

SN_FN snVec3 snTVector(snTransform t, snVec3 v)
{
    return snQRotate(t.q, v);
}

SN_FN snVec3 snTPoint(snTransform t, snVec3 p)
{
    return snAdd(t.p, snQRotate(t.q, p));
}

// First b, then a. Lengths of quaternions multiply: renormalise what is multiplied up step by step.
SN_FN snTransform snTMul(snTransform a, snTransform b)
{
    return snT(snTPoint(a, b.p), snQMul(a.q, b.q));
}

SN_FN snTransform snTInverse(snTransform t)
{
    snQuat q = snQConj(t.q);
    return snT(snNeg(snQRotate(q, t.p)), q);
}

#endif
