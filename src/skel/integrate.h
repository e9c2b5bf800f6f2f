// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// One step of a skeleton in time.
//
// Midpoint (default): half drift to q_mid; forces and articulated inertias there; the recursion
// solved twice, the second time with the velocity terms at the mid-step velocity; kick; half drift.
// Second order. Euler: the paper's scheme, all at the start, then q moves with the new velocity. In
// between (after Begin) the caller may compute outer wrenches from the workspace's motion.
#ifndef SN_SKEL_INTEGRATE_H
#define SN_SKEL_INTEGRATE_H

#include "base/memory.h"
#include "skel/hybrid.h"
#include <sinew/dynamics.h>

SN_BEGIN_C

// Everything a step computes on the way and forgets; sized for one skeleton.
typedef struct snWorkspace {
    const snSkeleton* skeleton;
    const snBase* base;   // where the character's frame stands; NULL = the world's
    snBoneMotion* motion; // (bone_count)
    snFactor factor;
    double* q_mid;       // positions that forces are taken at; (nq)
    double* qd_mid;      // velocities that velocity terms are taken at; (nv)
    double* qdd;         // accelerations found; (nv)
    double* qdd_given;   // of prescribed joints; (nv)
    double* tau;         // torques, given or found; (nv)
    uint8_t* prescribed; // (bone_count)
    uint8_t* servo;      // (bone_count)
} snWorkspace;

// Takes the arrays from the arena; check arena->failed afterwards.
void snWorkspace_Push(snWorkspace* ws, const snSkeleton* skeleton, snArena* arena);

// The changing numbers of a skeleton and how a step treats them.
typedef struct snStep {
    double* q;              // (nq)
    double* qd;             // (nv)
    double h;               // s
    int32_t integrator;     // snIntegrator
    snVec3 gravity;         // m/s^2
    const snInertia6* drag; // see snHybridStep; NULL = none
} snStep;

// Drifts to where forces are taken and computes the motion there.
void snIntegrate_Begin(snWorkspace* ws, const snStep* step, const snJointCommand* command);

// Solves, kicks, drifts; writes q and qd. False when a joint had nothing to move (*bad says which
// bone); q and qd then have not changed.
bool snIntegrate_Finish(snWorkspace* ws, const snStep* step, const snJointCommand* command,
                        int32_t* bad);

// Nothing but outer forces changes the momentum: the root is free and passive.
bool snIntegrate_IsFree(const snSkeleton* skeleton, const snJointCommand* command);

SN_END_C

#endif
