// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Direct control: drags bones towards targets by the joints alone. Each step finds the
// accelerations of the active joints that come closest to what the targets ask for, as physics
// allows with the passive root, within torque and acceleration bounds and joint limits (Kim &
// Pollard, Direct control of simulated non-human characters, 2011):
//
//   minimise  sum_k weight_k |a_k(x) - a_k*|^2 + hold_weight |x - x_hold|^2
//
// over the active accelerations x, with a_k affine in x (skel/affine.h), a* critically damped
// tracking of the target, and x_hold likewise of a pose that is held softly.
#ifndef SN_CONTROL_DIRECT_H
#define SN_CONTROL_DIRECT_H

#include "control/drive.h"
#include "skel/affine.h"

SN_BEGIN_C

#define SN_DIRECT_PULLS 16 // at once on one character
#define SN_DIRECT_MOST 256 // active coordinates; costs grow with their cube

// One bone being dragged: where a point of it should be at the end of the step, and how turned.
typedef struct snDirectPull {
    int32_t bone;
    snVec3 point;           // in the bone's frame, m
    snTransform target;     // of the point, and of the bone's axes, in the world
    snTwist rate;           // the target's angular velocity, and velocity
    snTwist second;         // its angular acceleration, and acceleration
    double frequency;       // of the tracking, Hz: higher = tighter
    double position_weight; // of 1 (m/s^2)^2; 0 = the position does not matter
    double rotation_weight; // of 1 (rad/s^2)^2; 0 = the rotation does not matter
} snDirectPull;

// What a character's direct control does.
typedef struct snDirectTask {
    const snDirectPull* pulls;
    int32_t pull_count;              // 0 .. SN_DIRECT_PULLS
    const uint8_t* active;           // per bone: nonzero = its joint may be used
    const double* hold_q;            // the pose that is held softly; (nq)
    double hold_frequency;           // Hz
    double hold_weight;              // of 1 (rad/s^2)^2 or (m/s^2)^2 of a joint, > 0
    const double* most_torque;       // largest of each coordinate, > 0, infinity = none; (nv)
    const double* most_acceleration; // likewise
    bool torques; // command torques, else accelerations; a joint with a torque bound always gets
                  // torques, so that the bound holds whatever the step does
} snDirectTask;

// Scratch for any skeleton of so many bones and coordinates; nothing is carried from step to step.
typedef struct snDirect {
    snAffine affine;
    uint8_t* active; // for the caller's task; (bones)
    double* base;    // accelerations that hold the pose; (nv)
    double* H;       // lower triangle; (n, n), n active coordinates
    double* g;       // (n)
    double* x;       // (n)
    double* s;       // what each coordinate gives a pull's point: turn, travel; (6, n)
    double* C;       // bounded functions of x; (rows, n)
    double* lower;   // (rows)
    double* upper;   // (rows)
    double* give;    // (rows)
    void* work;      // of the solver
    int32_t row_count;
    int32_t watch[SN_DIRECT_PULLS];
} snDirect;

// Takes the arrays from the arena; check arena->failed afterwards.
void snDirect_Push(snDirect* direct, int32_t bone_count, int32_t nv, snArena* arena);

// Active coordinates of a task.
int32_t snDirect_Count(const snSkeleton* skeleton, const uint8_t* active);

// Between snIntegrate_Begin and snIntegrate_Finish, when the outer wrenches of the step are known;
// `command` is what both get, and `arrays` the arrays it points to. Writes the commands of the
// active joints there and into the workspace. With more than SN_DIRECT_MOST active coordinates, or
// when a joint has nothing to move, nothing is written and false is returned.
bool snDirect_Solve(snDirect* direct, snWorkspace* ws, const snStep* step, const snDirectTask* task,
                    const snJointCommand* command, const snCommandArrays* arrays);

SN_END_C

#endif
