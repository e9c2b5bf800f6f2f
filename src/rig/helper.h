// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Helper joints that move flesh by plain skinning (in the spirit of Le & Deng 2012, "Smooth
// skinning decomposition with rigid bones"; here bones travel only, and an artist's weights stay).
//
// A helper h hangs on a joint p(h) and takes over some of the weight that vertices gave that joint.
// While it is at its place nothing changes. When it is t away, in the joint's frame, vertices with
// its weight w go by w W t, W the linear part of the joint in the world. So what flesh should do,
// D_v in frame f, is to be
//
//   D_vf = sum_h w_vh W_p(h)f t_hf,   w_vh >= 0,   sum of w_vh over helpers of p <= share of p in v
//
// with at most so many influences of a vertex. For given weights each frame's t is a linear least
// squares problem; for given t each vertex's weights are a small quadratic one. They are solved in
// turn, from clusters of what moves.
#ifndef SN_RIG_HELPER_H
#define SN_RIG_HELPER_H

#include "base/memory.h"
#include "base/message.h"
#include "math/mat.h"

#define SN_HELPER_MOST 256
#define SN_HELPER_SLOTS 8 // influences of a vertex at most

// What is to be shown
typedef struct snHelperGoal {
    int32_t vertex_count, frame_count;
    int32_t joint_count;
    int32_t slots;          // influences that a vertex may have, up to SN_HELPER_SLOTS
    const snVec3* position; // (vertex_count)
    const int32_t*
        first; // influences of vertex v: first[v] .. first[v + 1] - 1; (vertex_count + 1)
    const int32_t* joint; // of an influence
    const float* share;   // of an influence, above 0
    const float* D;       // (frame_count, vertex_count, 3)
    const snMat3* W;      // (frame_count, joint_count)
} snHelperGoal;

// An influence of a vertex: a helper's, or what its joint keeps
typedef struct snHelperTie {
    int32_t joint;
    int32_t helper; // -1: the joint itself
    double weight;
} snHelperTie;

typedef struct snHelpers {
    const snHelperGoal* goal;
    int32_t count;
    int32_t* joint;     // that each hangs on; (count)
    snVec3* centre;     // of what it moves; (count)
    int32_t* tie_count; // (vertex_count)
    snHelperTie* ties;  // (vertex_count, slots)
    double* S;          // sum of w_a w_b over vertices; (count, count)
    double* t;          // of the goal's frames; (frame_count, count, 3)
    double* A;          // of a frame's equations; (3 count, 3 count)
} snHelpers;

// Finds up to `count` helpers. Lies in the arena; the goal must outlive it.
snStatus snHelpers_Find(snArena* arena, const snHelperGoal* goal, int32_t count, snHelpers* helpers,
                        snMessage* why);

// The best travel of all helpers in a frame. D: (vertex_count, 3); W: (joint_count); t: (count, 3)
void snHelpers_Move(snHelpers* helpers, const float* D, const snMat3* W, double* t);

// What a vertex then does
snVec3 snHelpers_VertexOffset(const snHelpers* helpers, int32_t vertex, const snMat3* W,
                              const double* t);

#endif
