// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Hybrid dynamics in linear time: M qdd + b = tau, where each joint gives either its torque or its
// acceleration and gets the other (Kim & Pollard 2011, section 5, Table I; Featherstone 1987).
//
// Split in two: Factor is the part that depends on positions (articulated inertias), Solve the part
// that depends on velocities and forces. A step factors once and solves twice.
#ifndef SN_SKEL_HYBRID_H
#define SN_SKEL_HYBRID_H

#include "math/root.h"
#include "skel/inertia.h"
#include "skel/passive.h"

// One axis of a joint after elimination: U = J s, and 1 / (s' J s + joint's own inertia). One cache
// line.
typedef struct snAxisFactor {
    snVec3 n, f;    // U; Factor
    double inverse; // Factor
    double y;       // acceleration before the parent's share; Solve
} snAxisFactor;

// A ball eliminated as a block: Y of A + K with K the joint's own inertia, X = Y B; the travel of a
// free joint then likewise: Yl of M' + kl, Xl = Yl B'^T with the coupling B' that K left.
typedef struct snBallFactor {
    snRoot3 Y, Yl;
    snSym3 K;
    snMat3 X, Xl;
    double kl;
    snVec3 y, yl; // accelerations before the parent's share, rotation and travel; Solve
} snBallFactor;

// What Factor and Solve keep per bone.
typedef struct snBoneFactor {
    snInertia6 J;  // articulated inertia of the bone and all below; Factor
    snVec3 pn, pf; // articulated bias wrench; Solve
    bool acts;     // something acts inside the joint; Factor
} snBoneFactor;

// What acts inside a joint, made implicit for the step; only for joints that have something acting.
typedef struct snJointFactor {
    double f[6];    // torque at the state, in qd's order
    double drag[3]; // times qd: damping, and the part of the stiffness that damps what a step
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
    const uint8_t* servo;      // per bone: nonzero = servos[bone] acts; NULL = none
    const snServo* targets;    // whole-skeleton arrays of the servos
    const double* q;           // positions the motion was computed from
    const double* qd;          // velocities at the start of the step
} snHybridStep;

// Forces of one solve.
typedef struct snHybridLoad {
    const double* tau;        // (nv) or NULL
    const double* qdd;        // (nv) or NULL
    const snWrench* external; // per bone or NULL
    snVec3 gravity;           // m/s^2
} snHybridLoad;

// Backward recursion over positions. Returns false when a torque-driven joint has no inertia to
// move (*bad says which bone).
bool snHybrid_Factor(const snSkeleton* skeleton, const snBoneMotion* motion,
                     const snHybridStep* step, snFactor* factor, int32_t* bad);

// Backward recursion over forces and forward recursion over accelerations; after Factor with the
// same step and snKinematics_Velocity. Writes qdd (nv), tau (nv, may be NULL) and the motion's dw,
// dv.
void snHybrid_Solve(const snSkeleton* skeleton, snBoneMotion* motion, const snHybridStep* step,
                    const snHybridLoad* load, snFactor* factor, double* qdd, double* tau);

#endif
