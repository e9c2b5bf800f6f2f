// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A surface that left its skinned place, as differences before the skin. Since morphs come before
// joints (lbs.h), x = B (X + sum_k w_k D_k + delta) is where the surface is when
//
//   delta = B^-1 (x - x_skinned),  x_skinned = B (X + sum_k w_k D_k)
//
// and of a normal, which goes along with B^-T, n_skinned ~ B^-T m, m = N + sum_k w_k DN_k, when
//
//   delta = |m| (B' n) / |B' n| - m.
#ifndef SN_RIG_PULLBACK_H
#define SN_RIG_PULLBACK_H

#include "rig/lbs.h"

// Beyond this |B| |B^-1| (Frobenius norms; 3 of a rotation) a blended matrix is near-singular: a
// place where joints twisted against each other squeeze the skin flat, or a scale of nearly 0.
// Differences would grow by as much, and be wrong at all times between keys.
#define SN_PULLBACK_CONDITION 1e3

typedef struct snPullback {
    int32_t singular_count; // vertices where B is near-singular; their differences are 0
    int32_t singular_first; // the first of them, -1 = none
} snPullback;

// Differences of an instance in a pose. nodes, weights, joints: as in snLbs_Skin. positions and
// normals: where they are, in the world; normals of unit length. Vertices that are exactly where
// snLbs_Skin puts them get exactly 0. normals may be NULL, and then normal_deltas is not written;
// of shapes without normals these are 0. All arrays: (vertex_count, 3)
snPullback snPullback_Find(const snRig* rig, const snRigInstance* instance, const snMatrix* nodes,
                           const double* weights, snMatrix* joints, const float* positions,
                           const float* normals, float* position_deltas, float* normal_deltas);

// The inverse of the linear part of a blended matrix; false: it is near-singular.
bool snPullback_Invert(const snMatrix* B, snMat3* inverse);

// What the normal m lacks, before the skin, to become n, which has unit length
snVec3 snPullback_Normal(const snMatrix* B, snVec3 m, snVec3 n);

#endif
