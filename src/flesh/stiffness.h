// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The stiffness of linear elasticity at rest, f = -K u, as a matrix of 3x3 blocks. Some nodes do
// not move: their rows and columns are left out.
//
//   K_ij = sum of cells V w (mu (g_i.g_j I + g_j g_i') + lambda g_i g_j'),
//
// g the gradients of the shape functions, w the part of a cell that is there.
#ifndef SN_FLESH_STIFFNESS_H
#define SN_FLESH_STIFFNESS_H

#include "elastic/material.h"
#include "flesh/body.h"
#include "math/mat.h"

SN_BEGIN_C

typedef struct snStiffness {
    int32_t node_count;
    const int32_t* first; // blocks of row i: first[i] .. first[i + 1] - 1; (node_count + 1)
    const int32_t* node;  // column of each, none below the row: K is symmetric
    const snMat3* block;  // N/m
} snStiffness;

// fill: w; cells with 0 are left out; (tet_count). moves: (node_count)
snStatus snStiffness_Build(snArena* arena, const snTets* mesh, const double* fill,
                           const uint8_t* moves, snLame lame, snStiffness* out, snMessage* why);

// Ku: (node_count), 0 of nodes that do not move
void snStiffness_Multiply(const snStiffness* K, const snVec3* u, snVec3* Ku);

SN_END_C

#endif
