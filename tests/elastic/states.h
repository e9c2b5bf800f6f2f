// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// All laws, and deformations of all kinds.
#ifndef SN_TESTS_ELASTIC_STATES_H
#define SN_TESTS_ELASTIC_STATES_H

#include "elastic/material.h"
#include "math/draw.h"

static const snMaterial laws[] = {
    {sn_materialStvk, sn_diagonalizeSelective, SN_STRETCH_LOWER, SN_STRETCH_UPPER},
    {sn_materialStvk, sn_diagonalizeNone, SN_STRETCH_LOWER, SN_STRETCH_UPPER},
    {sn_materialStvk, sn_diagonalizeAlways, 0.9, 1.05},
    {sn_materialNeoHookean, sn_diagonalizeSelective, 0, 0},
    {sn_materialCorotated, sn_diagonalizeSelective, 0, 0},
};
enum { LAWS = sizeof laws / sizeof *laws, STATES = 7 };

static inline snMat3 drawRotation(snRandom* r)
{
    return snMatFromQ(drawQuat(r));
}

static inline snMat3 withStretches(snRandom* r, double s0, double s1, double s2)
{
    snMat3 U = drawRotation(r);
    return snMatMul(snMatMul(U, snMat3_Diagonal(s0, s1, s2)), drawRotation(r));
}

static inline snMat3 drawState(snRandom* r, int kind)
{
    double a = snRandom_Range(r, 0.8, 1.3), b = snRandom_Range(r, 0.8, 1.3);
    switch (kind) {
    case 0: // anything
        return snMatScale(2, drawMat(r));
    case 1: // near rest
        return snMatAdd(drawRotation(r), snMatScale(0.1, drawMat(r)));
    case 2: // stretched beyond the range
        return withStretches(r, snRandom_Range(r, 1.4, 4), a, b);
    case 3: // squeezed below the range
        return withStretches(r, a, b, snRandom_Range(r, 0.01, 0.7));
    case 4: // flat
        return withStretches(r, a, b, 0);
    case 5: // inverted
        return withStretches(r, a, b, snRandom_Range(r, -0.7, 0));
    default: // equal stretches, where the principal axes are undetermined
        return withStretches(r, a, a, a);
    }
}

static inline double* entry(snMat3* A, int k)
{
    double* const entries[9] = {&A->m00, &A->m01, &A->m02, &A->m10, &A->m11,
                                &A->m12, &A->m20, &A->m21, &A->m22};
    return entries[k];
}

static inline snMat3f narrow(snMat3 A)
{
    return (snMat3f){(float)A.m00, (float)A.m01, (float)A.m02, (float)A.m10, (float)A.m11,
                     (float)A.m12, (float)A.m20, (float)A.m21, (float)A.m22};
}

static inline snMat3 widen(snMat3f A)
{
    return snMatFromRows(snV3((double)A.m00, (double)A.m01, (double)A.m02),
                         snV3((double)A.m10, (double)A.m11, (double)A.m12),
                         snV3((double)A.m20, (double)A.m21, (double)A.m22));
}

#endif
