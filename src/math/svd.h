// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Singular values and polar decomposition of 3x3 matrices:
//   snSvdd snSvd3d(snMat3 F);       snSvdf snSvd3f(snMat3f F);
//   snPolard snPolar3d(snMat3 F);   snPolarf snPolar3f(snMat3f F);
// For every finite F, also inverted, flat, a line or zero, the rotations are rotations:
// determinant 1. Worst error of the products, relative to the largest entry of F: 2e-6 in float,
// 4e-15 in double. Matrices whose largest entry is below 1e-36 (float) or 1e-300 count as zero.
#ifndef SN_MATH_SVD_H
#define SN_MATH_SVD_H

#include "math/mat.h"
#include <string.h>

// F = U diag(s0, s1, s2) V'; U and V rotations; s0 >= s1 >= |s2|, and s2 < 0 where det F < 0
typedef struct snSvdd {
    snMat3 U, V;
    double s0, s1, s2;
} snSvdd;

typedef struct snSvdf {
    snMat3f U, V;
    float s0, s1, s2;
} snSvdf;

// F = R S; R the rotation nearest to F, S symmetric, with one negative eigenvalue where det F < 0
typedef struct snPolard {
    snMat3 R, S;
} snPolard;

typedef struct snPolarf {
    snMat3f R, S;
} snPolarf;

#define SN_REAL float
#define SN_MAT snMat3f
#define SN_AT(name) name##f
#define SN_SQRT sqrtf
#define SN_ABS fabsf
#define SN_COPYSIGN copysignf
#define SN_REAL_BITS uint32_t
#define SN_REAL_MANTISSA 23
#define SN_REAL_BIAS 127u
#define SN_REAL_TINY 1e-18f
#define SN_SWEEPS 4
#include "math/svd_kernel.inl"
#undef SN_REAL
#undef SN_MAT
#undef SN_AT
#undef SN_SQRT
#undef SN_ABS
#undef SN_COPYSIGN
#undef SN_REAL_BITS
#undef SN_REAL_MANTISSA
#undef SN_REAL_BIAS
#undef SN_REAL_TINY
#undef SN_SWEEPS

#define SN_REAL double
#define SN_MAT snMat3
#define SN_AT(name) name##d
#define SN_SQRT sqrt
#define SN_ABS fabs
#define SN_COPYSIGN copysign
#define SN_REAL_BITS uint64_t
#define SN_REAL_MANTISSA 52
#define SN_REAL_BIAS 1023u
#define SN_REAL_TINY 1e-150
#define SN_SWEEPS 5
#include "math/svd_kernel.inl"
#undef SN_REAL
#undef SN_MAT
#undef SN_AT
#undef SN_SQRT
#undef SN_ABS
#undef SN_COPYSIGN
#undef SN_REAL_BITS
#undef SN_REAL_MANTISSA
#undef SN_REAL_BIAS
#undef SN_REAL_TINY
#undef SN_SWEEPS

// Many float matrices at once, in blocks of 16, entry by entry: F, U and V hold m00 of the 16
// matrices, then m01 and so on (144 floats a block), s holds s0 of the 16, s1, s2 (48 floats). The
// bits are those of snSvd3f. The arrays must not overlap.
typedef void snSvdBatchFcn(int block_count, const float* F, float* U, float* s, float* V);

SN_BEGIN_C

// The function built for an instruction set; what was not built, and sn_isaAuto, give the baseline.
// The processor must have it (snCpu_Choose).
snSvdBatchFcn* snSvdBatch(snIsa isa);

SN_END_C

#endif
