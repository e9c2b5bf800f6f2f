// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "math/isa.h"
#include "math/lanes.h"
#include "math/svd.h"

enum { LANES = 16 };

snSvdBatchFcn SN_ISA_NAME(snSvdBlocks);

void SN_ISA_NAME(snSvdBlocks)(int block_count, const float* F, float* U, float* s, float* V)
{
    for (int b = 0; b < block_count; ++b) {
#pragma omp simd
        for (int i = 0; i < LANES; ++i) {
            snSvdf d = snSvd3f(snLanes_Load(F + i));
            snLanes_Store(U + i, d.U);
            snLanes_Store(V + i, d.V);
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
