// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Matrices of 16 lanes, structure of arrays: entry k of lane i lies at 16 k + i.
#ifndef SN_MATH_LANES_H
#define SN_MATH_LANES_H

#include "math/mat.h"

enum { SN_LANE_COUNT = 16 };

SN_KERNEL snMat3f snLanes_Load(const float* in)
{
    snMat3f m;
    m.m00 = in[0];
    m.m01 = in[1 * SN_LANE_COUNT];
    m.m02 = in[2 * SN_LANE_COUNT];
    m.m10 = in[3 * SN_LANE_COUNT];
    m.m11 = in[4 * SN_LANE_COUNT];
    m.m12 = in[5 * SN_LANE_COUNT];
    m.m20 = in[6 * SN_LANE_COUNT];
    m.m21 = in[7 * SN_LANE_COUNT];
    m.m22 = in[8 * SN_LANE_COUNT];
    return m;
}

SN_KERNEL void snLanes_Store(float* out, snMat3f m)
{
    out[0] = m.m00;
    out[1 * SN_LANE_COUNT] = m.m01;
    out[2 * SN_LANE_COUNT] = m.m02;
    out[3 * SN_LANE_COUNT] = m.m10;
    out[4 * SN_LANE_COUNT] = m.m11;
    out[5 * SN_LANE_COUNT] = m.m12;
    out[6 * SN_LANE_COUNT] = m.m20;
    out[7 * SN_LANE_COUNT] = m.m21;
    out[8 * SN_LANE_COUNT] = m.m22;
}

#endif
