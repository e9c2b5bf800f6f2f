// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Which joints move the flesh inside: the artist's weights of the skin, diffused into the cells.
//
// For each joint the field x of nodal weights minimises
//
//   integral over the body |grad x|^2 dV + sum_v m_v (sum_k b_vk x_k - w_v)^2,
//
// b_v the embedding of skin vertex v in its cell, w_v the joint's weight there, m_v such that the
// vertices around a node hold it ten times as strongly as its neighbours do. Inside it is harmonic:
// no larger than at the skin around, and straight where the skin's weights are. Parts of the mesh
// that share no cells do not feel each other at all.
#ifndef SN_FLESH_WEIGHTS_H
#define SN_FLESH_WEIGHTS_H

#include "flesh/embed.h"

SN_BEGIN_C

#define SN_WEIGHTS_MOST 8 // joints of a node

// Weights below this are left out, before all are made to sum up to 1.
#define SN_WEIGHTS_LEAST 0.005

// Weights of the skin's vertices. A vertex without influences tells nothing.
typedef struct snInfluences {
    int32_t vertex_count;
    int32_t joint_count;
    const int32_t*
        first; // influences of vertex v: first[v] .. first[v + 1] - 1; (vertex_count + 1)
    const int32_t* joint; // 0 .. joint_count - 1
    const float* weight;  // of each vertex they sum up to 1
} snInfluences;

// The joints of a node, largest weight first; weights sum up to 1. Places that are not used have
// the joint -1 and the weight 0.
typedef struct snNodeWeights {
    int32_t joint[SN_WEIGHTS_MOST];
    float weight[SN_WEIGHTS_MOST];
} snNodeWeights;

// What was done
typedef struct snWeightsFacts {
    int32_t joints;     // that carry weight
    int32_t iterations; // of conjugate gradients, of the joint that took most
    int32_t bare;       // nodes in parts of the mesh without any vertex: they take the weights of
                        // the nearest node that has some
    double dropped;     // largest part of a node's weights that did not fit
} snWeightsFacts;

// fill: part of each cell that is body; NULL: all of it; (tet_count). embedding: of the vertices,
// in their order. *out: (node_count), from the arena. facts may be NULL. Fails when no vertex has
// influences, indices are out of range or memory runs out.
snStatus snWeights_Diffuse(snArena* arena, const snTets* mesh, const double* fill,
                           const snEmbedding* embedding, const snInfluences* skin,
                           snNodeWeights** out, snWeightsFacts* facts, snMessage* why);

SN_END_C

#endif
