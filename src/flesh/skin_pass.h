// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The tables of a skin, and its passes that are compiled for each instruction set.
#ifndef SN_FLESH_SKIN_PASS_H
#define SN_FLESH_SKIN_PASS_H

#include "flesh/skin.h"

// How much of the nodes' tangents counts, see skin.h.
#define SN_SKIN_LEAN 0.5

// Nodes or vertices in a task, a multiple of the lanes.
#define SN_SKIN_RANGE 512
#define SN_SKIN_LANES 16

// What a neighbour's place adds to a node's mean gradient: F += (x - x_node) g'.
typedef struct snSkinNeighbour {
    snVec3 g; // 1/m
    int32_t node;
} snSkinNeighbour;

// A vertex among the nodes that are used.
typedef struct snSkinTie {
    int32_t slot[4];
    float weight[4];
} snSkinTie;

// 16 vertices in turn, lane by lane. Lanes without a vertex are 0.
typedef struct snSkinBlock {
    SN_ALIGN(SN_ALIGNMENT) double Y[3][SN_SKIN_LANES]; // places at rest, m
    double N[3][SN_SKIN_LANES];                        // normals at rest
    double scale[SN_SKIN_LANES]; // 1 over the sums of the weights, which were rounded
} snSkinBlock;

struct snSkin {
    const snFlesh* flesh;
    const snSkinTie* ties;     // (vertex_count)
    const snSkinBlock* blocks; // (vertex_count / SN_SKIN_LANES, rounded up)
    // nodes that vertices are tied to
    int32_t used_count;
    const int32_t* used;  // (used_count)
    const int32_t* begin; // of its neighbours; (used_count + 1)
    const snSkinNeighbour* neighbours;
};

// A used node: the columns of its mean gradient F and, in their fourth places, x - F X/2.
typedef struct snSkinNode {
    SN_ALIGN(32) double column[3][4];
} snSkinNode;

typedef struct snSkinPass {
    const snSkin* skin;
    const snVec4f* x;
    snVec3 shift;
    snSkinNode* nodes; // (used_count)
    float *position, *normal;
} snSkinPass;

// Nodes or vertices from begin to before end.
typedef void snSkinRangeFcn(const snSkinPass* pass, int32_t begin, int32_t end);

#endif
