// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// How the whole skeleton answers to the accelerations of some of its joints, the active ones. With
// the passive root, free joints and servos obeying their own equations, the accelerations of all
// bones and the torques that the active joints need are affine in the active accelerations:
//
//   a = a0 + G x,   tau = tau0 + T x,   x = change of the active accelerations from a base
//
// a0, tau0: one run of hybrid dynamics. Columns of G and T: one more solve each, without velocities
// and outer forces, on the same articulated inertias. So the answer is what a step will do, with
// whatever springs, limits and drag there are in it. Quadratic cost.
//
// When no joint but the root's is passive, which is usual, articulated inertias are those of all
// that hangs on a bone as if it were rigid, and columns need no solve: what an active coordinate
// moves is felt by the joints above it, T = M, and by the root, whose answer Y to it moves all:
// T = M + R' Y, with R what the root feels.
#ifndef SN_SKEL_AFFINE_H
#define SN_SKEL_AFFINE_H

#include "skel/integrate.h"

SN_BEGIN_C

// Sized for any skeleton of so many bones and coordinates.
typedef struct snAffine {
    int32_t most;        // active coordinates there is room for
    int32_t count;       // active coordinates
    int32_t* coordinate; // where each is in qd; (most)
    snTwist* base;       // a0: accelerations of the bones at their origins, gravity's included
    double* tau0;        // in qd's order; (nv)
    double* T;           // row-major; (count, count)
    snTwist* G;          // per watched bone, then per active coordinate; (watches, count)
    uint8_t* prescribed; // scratch; (bones)
    int32_t* first;      // the first active coordinate of each bone; scratch; (bones + 1)
    snTwist* unit;       // what a unit of each coordinate gives its own bone; scratch; (most)
    snWrench* felt;      // R; scratch; (most)
    double* answer;      // Y, as rows, rotation first; scratch; (6, count)
    double* given;       // scratch; (nv)
    double* qdd;         // scratch; (nv)
    double* tau;         // scratch; (nv)
    double* none;        // zeros; (nv)
} snAffine;

// Takes the arrays from the arena; check arena->failed afterwards. most: active coordinates.
void snAffine_Push(snAffine* affine, int32_t bone_count, int32_t nv, int32_t most, int32_t watches,
                   snArena* arena);

// What is asked.
typedef struct snAffineQuery {
    const uint8_t* active; // per bone: nonzero = its joint is active
    const double* base;    // accelerations of active joints that the base is taken at; (nv)
    const int32_t* watch;  // bones whose acceleration is wanted; (watch_count)
    int32_t watch_count;
    bool plain; // columns by solves, whatever is passive
} snAffineQuery;

// Between snIntegrate_Begin and snIntegrate_Finish of the same step and command. The active
// coordinates must not be more than there is room for. False when a joint has nothing to move.
bool snAffine_Find(snAffine* affine, snWorkspace* ws, const snStep* step,
                   const snJointCommand* command, const snAffineQuery* query);

SN_END_C

#endif
