// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A skeleton as an MJCF text for MuJoCo, and its state, rates and torques in MuJoCo's coordinates.
//
//   ours        MuJoCo
//   weld        a body without joint
//   revolute    hinge
//   prismatic   slide
//   universal   hinge, hinge (MuJoCo too lets a later axis ride on the earlier ones)
//   ball        ball; quaternion (w, x, y, z), rates in the bone's axes instead of the anchor's
//   planar      slide, slide, hinge
//   free        on the ground, with the same springs for rotation and travel: free; position is
//               the pose in the world, rates are (linear in world axes, angular in the bone's);
//               elsewhere slide, slide, slide, ball
//
// Limits are left out: MuJoCo's are constraints, not springs, and the text switches constraints
// off. Every bone that moves must have mass and inertia, which MuJoCo asks for.
#ifndef SINEW_BENCH_MJCF_H
#define SINEW_BENCH_MJCF_H

#include <sinew/skeleton.h>

// Where a bone and its joint are in MuJoCo's arrays.
typedef struct snMjcfBone {
    int32_t body;      // body id; bodies are numbered depth first
    int32_t qpos, dof; // first entry in qpos and in qvel
    int32_t native;    // nonzero: a free joint that MuJoCo has too
} snMjcfBone;

// A skeleton for MuJoCo.
typedef struct snMjcf {
    const snSkeleton* skeleton;
    char* text;        // 0-terminated
    size_t length;     // without the 0
    snMjcfBone* bones; // (bone count)
} snMjcf;

// Writes the text; gravity in m/s^2. Numbers have 17 digits, so nothing is lost, and are printed in
// the locale of the program, which must be one with a decimal point (as "C", in which programs
// start). Keeps a pointer to the skeleton. Fails on springs of ball and free joints with `rest`
// other than 0.
snStatus snMjcf_Write(const snSkeleton* skeleton, snVec3 gravity, snMjcf* mjcf, snMessage* why);

// Releases what Write took.
void snMjcf_Free(snMjcf* mjcf);

// qpos from q; same counts, other order.
void snMjcf_Position(const snMjcf* mjcf, const double* q, double* qpos);

// qvel from qd at the positions q. Also qacc from qdd: with w the joint's own angular velocity and
// R its rotation, d(R^T w)/dt = R^T dw/dt. And forces from tau: the change of axes is orthogonal.
void snMjcf_Rate(const snMjcf* mjcf, const double* q, const double* qd, double* qvel);

// The inverse of snMjcf_Rate.
void snMjcf_RateBack(const snMjcf* mjcf, const double* q, const double* qvel, double* qd);

#endif
