// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "math/isa.h"
#include "math/svd.h"

enum { LANES = 16 };

SN_KERNEL snMat3f load(const float* in)
{
    snMat3f m;
    m.m00 = in[0];
    m.m01 = in[1 * LANES];
    m.m02 = in[2 * LANES];
    m.m10 = in[3 * LANES];
    m.m11 = in[4 * LANES];
    m.m12 = in[5 * LANES];
    m.m20 = in[6 * LANES];
    m.m21 = in[7 * LANES];
    m.m22 = in[8 * LANES];
    return m;
}

SN_KERNEL void store(float* out, snMat3f m)
{
    out[0] = m.m00;
    out[1 * LANES] = m.m01;
    out[2 * LANES] = m.m02;
    out[3 * LANES] = m.m10;
    out[4 * LANES] = m.m11;
    out[5 * LANES] = m.m12;
    out[6 * LANES] = m.m20;
    out[7 * LANES] = m.m21;
    out[8 * LANES] = m.m22;
}

snSvdBatchFcn SN_ISA_NAME(snSvdBlocks);

void SN_ISA_NAME(snSvdBlocks)(int block_count, const float* F, float* U, float* s, float* V)
{
    for (int b = 0; b < block_count; ++b) {
#pragma omp simd
        for (int i = 0; i < LANES; ++i) {
            snSvdf d = snSvd3f(load(F + i));
            store(U + i, d.U);
            store(V + i, d.V);
            s[i] = d.s0;
            s[LANES + i] = d.s1;
            s[2 * LANES + i] = d.s2;
        }
        F += 9 * LANES;
        U += 9 * LANES;
        V += 9 * LANES;
        s += 3 * LANES;
    }
}
