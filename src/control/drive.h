// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Drives: time in, joint commands out.
#ifndef SN_CONTROL_DRIVE_H
#define SN_CONTROL_DRIVE_H

#include "math/spline.h"
#include "skel/skeleton.h"
#include <sinew/scene.h>

// One joint's drive, with its curve built. Immutable.
typedef struct snDrive {
    snHost host;
    snArena arena; // the curve
    int32_t kind;  // snDriveKind
    int32_t bone;
    double value[6];
    double stiffness, damping, limit;
    snSpline travel;  // coordinates that are numbers; the position of a free joint
    snRotSpline turn; // rotation of a ball or free joint
} snDrive;

// Checks and builds a drive for a skeleton.
snStatus snDrive_Create(const snHost* host, const snSkeleton* skeleton, const snDriveDef* def,
                        snDrive** drive, snMessage* why);

// NULL is fine.
void snDrive_Free(snDrive* drive);

// The curve's coordinates and rates at time t, into the joint's part of q and qd. Trajectory and
// servo only.
void snDrive_Sample(const snDrive* drive, const snBone* bone, double t, double* q, double* qd);

// Writable command arrays of one skeleton (sinew/dynamics.h says what they are).
typedef struct snCommandArrays {
    uint8_t* mode;
    double *tau, *qdd;
    double *q_mid, *qd_mid, *q_end, *qd_end;
    double *servo_q, *servo_qd, *servo_kp, *servo_kd, *servo_limit;
} snCommandArrays;

// Takes the arrays from the arena; check arena->failed afterwards.
void snCommandArrays_Push(snCommandArrays* arrays, const snSkeleton* skeleton, snArena* arena);

// Commands of the step from t to t + h. drives has one entry per bone; NULL entries leave the joint
// free.
void snDrive_Command(const snSkeleton* skeleton, snDrive* const* drives, double t, double h,
                     const snCommandArrays* arrays);

#endif
