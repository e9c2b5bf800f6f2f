// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Drives: time in, joint commands out.
#ifndef SN_CONTROL_DRIVE_H
#define SN_CONTROL_DRIVE_H

#include "math/spline.h"
#include "skel/skeleton.h"
#include <sinew/scene.h>

SN_BEGIN_C

// One joint's drive, with its curve built. Immutable but for `next`.
typedef struct snDrive {
    // a step reads little more than this of a curve
    struct snDrive* next; // the drive that takes over, at a later time; NULL = none
    int32_t kind;         // snDriveKind
    int32_t bone;
    double begin, end; // s
    snSpline travel;   // coordinates that are numbers; the position of a free joint
    snRotSpline turn;  // rotation of a ball or free joint
    double pose[7];    // of a pose drive, as in q
    bool streamed;     // a pose that is fed: on a cubic, and passed with the rates `value`
    double value[6];
    double stiffness, damping, limit;
    snHost host;
    snArena arena; // the curve
} snDrive;

// Checks and builds a drive for a skeleton.
snStatus snDrive_Create(const snHost* host, const snSkeleton* skeleton, const snDriveDef* def,
                        snDrive** drive, snMessage* why);

// A fed pose in place of all that a list says: key as in q, rates as in qd, on the way from `begin`
// to `end`. Takes memory only when the list's first drive is no fed pose.
snStatus snDrive_Feed(const snHost* host, const snSkeleton* skeleton, int32_t bone, snDrive** list,
                      const double* key, const double* rates, double begin, double end,
                      snMessage* why);

// With all that follow. NULL is fine.
void snDrive_Free(snDrive* drive);

// Puts a drive into a list that is ordered by time; those that begin no earlier are freed.
void snDrive_Insert(snDrive** list, snDrive* drive);

// The drive of a list that acts at time t, or NULL.
const snDrive* snDrive_At(const snDrive* list, double t);

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

// The step that is to be commanded, from t to t + h, and the state that it starts from.
typedef struct snDriveStep {
    double t, h;      // s
    const double* q;  // (nq)
    const double* qd; // (nv)
} snDriveStep;

// Commands of a step. drives has one list per bone; where none acts the joint is left free.
void snDrive_CommandStep(const snSkeleton* skeleton, snDrive* const* drives,
                         const snDriveStep* step, const snCommandArrays* arrays);

// The acceleration that takes `error` (target less state, as they would be at the step's end
// without it) and its rate to 0, critically damped at `frequency` Hz; implicit, so stable for any.
static inline double snTrack(double frequency, double h, double error, double rate, double second)
{
    double w = 6.283185307179586 * frequency, late = 1 + w * h;
    return (w * w * error + 2 * w * rate + second) / (late * late);
}

SN_END_C

#endif
