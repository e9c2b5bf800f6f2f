// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Hybrid dynamics in linear time: M qdd + b = tau, where each joint gives either its torque or its
// acceleration and gets the other (Kim & Pollard 2011, section 5, Table I; Featherstone 1987).
//
// Articulated inertias depend on positions alone: a step computes them once and solves twice.
#ifndef SN_SKEL_HYBRID_H
#define SN_SKEL_HYBRID_H

#include "math/root.h"
#include "skel/inertia.h"
#include "skel/passive.h"

SN_BEGIN_C

// One axis of a joint after elimination: U = J s, and 1 / (s' J s + joint's own inertia). One cache
// line.
typedef struct snAxisFactor {
    snVec3 n, f;    // U; Run
    double inverse; // Run
    double y;       // acceleration before the parent's share; Run, Again
} snAxisFactor;

// A ball eliminated as a block: Y of A + K with K the joint's own inertia, X = Y B; the travel of a
// free joint then likewise: Yl of M' + kl, Xl = Yl B'^T with the coupling B' that K left.
typedef struct snBallFactor {
    snRoot3 Y, Yl;
    snSym3 K;
    snMat3 X, Xl;
    double kl;
    snVec3 y, yl; // accelerations before the parent's share, rotation and travel; Run, Again
} snBallFactor;

// What the recursions keep per bone.
typedef struct snBoneFactor {
    snInertia6 J;  // articulated inertia of the bone and all below; Run
    snVec3 pn, pf; // articulated bias wrench; Run, Again
    bool acts;     // something acts inside the joint; Run
} snBoneFactor;

// What acts inside a joint, made implicit for the step; only for joints that have something acting.
typedef struct snJointFactor {
    double f[6];      // torque at the state, in qd's order
    double drag[3];   // times qd: damping, and the part of the stiffness that damps what a step
                      // cannot resolve; prescribed joints: damping alone
    snSym3 ball_drag; // the same for ball and free rotation, world axes
} snJointFactor;

// Everything of one skeleton.
typedef struct snFactor {
    snBoneFactor* bones;   // (bone_count)
    snAxisFactor* axes;    // per degree of freedom, those of ball and free joints unused; (nv)
    snBallFactor* balls;   // (ball_count)
    snJointFactor* joints; // (bone_count)
} snFactor;

// Takes the arrays from the arena; check arena->failed afterwards.
void snFactor_Push(snFactor* factor, const snSkeleton* skeleton, snArena* arena);

// Settings of one factorisation.
typedef struct snHybridStep {
    double h;      // step that springs, dampers, limits and servos are implicit over; 0 = explicit
    bool midpoint; // positions are those of the midpoint, else of the start
    const uint8_t* prescribed; // per bone; NULL = none
    const uint8_t* servo;      // per bone: nonzero = its part of `targets` acts; NULL = none
    const snServo* targets;    // whole-skeleton arrays of the servos
    const double* q;           // positions the motion was computed from
    const double* qd;          // velocities at the start of the step
    // per bone: outer dampers' resistance to changes of its velocity, as an inertia that gravity
    // does not act on; NULL = none
    const snInertia6* drag;
} snHybridStep;

// Forces of one solve.
typedef struct snHybridLoad {
    const double* tau;        // (nv) or NULL
    const double* qdd;        // (nv) or NULL
    const snWrench* external; // per bone or NULL
    snVec3 gravity;           // m/s^2
} snHybridLoad;

// The whole: articulated inertias and bias wrenches from tips to root, accelerations from root to
// tips; after snKinematics_State. Writes qdd (nv), tau (nv, may be NULL) and the motion's dw, dv.
// Returns false when a torque-driven joint has no inertia to move (*bad says which bone).
bool snHybrid_Run(const snSkeleton* skeleton, snBoneMotion* motion, const snHybridStep* step,
                  const snHybridLoad* load, snFactor* factor, double* qdd, double* tau,
                  int32_t* bad);

// The acceleration that a wrench which it resists with gives a root, nothing else moving it: the
// answer to the bias of all that hangs on it. The inertias are those of the last Run.
snTwist snHybrid_Answer(const snSkeleton* skeleton, int32_t root, const snBoneMotion* motion,
                        snFactor* factor, snWrench bias);

// Once more with other velocities or forces at the same positions: the inertias are those of the
// last Run with the same step; after snKinematics_Velocity.
void snHybrid_Again(const snSkeleton* skeleton, snBoneMotion* motion, const snHybridStep* step,
                    const snHybridLoad* load, snFactor* factor, double* qdd, double* tau);

SN_END_C

#endif
