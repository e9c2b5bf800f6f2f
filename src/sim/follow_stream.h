// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Poses that the host feeds, one a frame, as flesh feels them: the uniform quadratic B-spline of
// the nodes' world matrices, entry by entry. With P the last pose, C what it had changed by, N the
// new one and D = N - P, during the frame, s = 0..1,
//
//   X(s) = P - C/2 + s C + s^2/2 (D - C)
//   X'   = (C + s (D - C)) rate
//
// Velocities are continuous, poses that stand still are exactly still, nothing is extrapolated, and
// what is felt is half a frame late.
#ifndef SN_SIM_FOLLOW_STREAM_H
#define SN_SIM_FOLLOW_STREAM_H

#include "character/body.h"

typedef struct snStreamHead {
    int32_t has_next; // a pose was fed since the last frame
    int32_t is_cut;   // the next one is a cut
} snStreamHead;

typedef struct snFollowStream {
    const snRigBody* body;
    int32_t ticks; // intervals a frame
    double rate;   // frames a second
    // state
    snStreamHead* head;
    snMatrix *pose, *step; // P and C; (node_count)
    snMatrix* next;        // N; (node_count)
    double *weights, *next_weights;
} snFollowStream;

// Bytes of its state, a multiple of SN_ALIGNMENT
size_t snFollowStream_Size(const snRig* rig);

// state: of that size, zero-filled. Stands in the nodes' own pose; the first one fed is a cut.
void snFollowStream_Build(snFollowStream* stream, const snRigBody* body, int32_t ticks, double rate,
                          void* state);

// What is felt after `tick` intervals of the frame; 0: where it begins, as the last one ended.
// Both: (node_count)
void snFollowStream_At(const snFollowStream* stream, int32_t tick, snMatrix* nodes,
                       snMatrix* rates);

// Several frames lead to a fed pose: it is kept, and before each of them the part of the way that
// is left becomes the next pose.
void snFollowStream_CopyNext(const snFollowStream* stream, snMatrix* nodes, double* weights);
void snFollowStream_Toward(snFollowStream* stream, const snMatrix* nodes, const double* weights,
                           double part);

// The frame begins: without a new pose the last one stays.
void snFollowStream_Begin(snFollowStream* stream);

// The frame begins with a cut.
bool snFollowStream_IsCut(const snFollowStream* stream);

// Of a cut: every node has moved up to now as before, but to where its new pose is.
void snFollowStream_Cut(snFollowStream* stream);

// Joints of the body neither moved in the frame before nor do so in this one.
bool snFollowStream_IsStill(const snFollowStream* stream);

// The frame ends. True when something that one sees has changed.
bool snFollowStream_End(snFollowStream* stream);

// The world moves.
void snFollowStream_Shift(snFollowStream* stream, snVec3 by);

#endif
