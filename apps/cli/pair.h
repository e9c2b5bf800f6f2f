// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Both rigs of a comparison at one time, skinned one mesh after the other.
#ifndef SINEW_APPS_CLI_PAIR_H
#define SINEW_APPS_CLI_PAIR_H

#include "cli/compare.h"

typedef struct Pair {
    const Comparison* of;
    snMatrix *nodes, *old_nodes;
    double *old_weights, *weights;
    float *old_positions, *old_normals, *positions, *normals; // of the mesh skinned last
    float* colours;                                           // room for its vertices
} Pair;

// False: out of memory. Free it in any case.
bool makePair(const Comparison* comparison, Pair* pair);
void freePair(Pair* pair);

// Both at a time of the clip, s
snStatus posePair(Pair* pair, double time, snMessage* why);

// One mesh as it is posed
snStatus skinPair(Pair* pair, int32_t mesh, snMessage* why);

// Whether the second shows a mesh
bool showsMesh(const Pair* pair, int32_t mesh);

// By how far a vertex of the mesh skinned last differs, m
snVec3 differenceAt(const Pair* pair, int32_t vertex);

#endif
