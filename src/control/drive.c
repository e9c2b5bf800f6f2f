// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "control/drive.h"

#include "base/message.h"
#include "skel/joint.h"
#include <string.h>

#define MOST_KEYS 100000

static const char* const KIND_NAMES[sn_driveKindCount] = {"free", "torque", "acceleration",
                                                          "trajectory", "servo"};

const char* snDriveKind_Name(int32_t kind)
{
    return kind >= 0 && kind < sn_driveKindCount ? KIND_NAMES[kind] : NULL;
}

void snDriveDef_Init(snDriveDef* def)
{
    *def = (snDriveDef){.size = sizeof(snDriveDef), .limit = (double)INFINITY};
}

static bool hasCurve(int32_t kind)
{
    return kind == sn_driveTrajectory || kind == sn_driveServo;
}

static snStatus checkCurve(const snDriveDef* def, snMessage* why)
{
    if (def->key_count < 1 || def->key_count > MOST_KEYS) {
        return snFail(why, sn_errorArgument, "a curve has 1 to %d keys, found %d", MOST_KEYS,
                      (int)def->key_count);
    }
    if (!def->times || !def->keys) {
        return snFail(why, sn_errorArgument, "times and keys of a curve must not be NULL");
    }
    if (def->ends != sn_endsClamped && def->ends != sn_endsPeriodic) {
        return snFail(why, sn_errorArgument, "ends must be clamped or periodic");
    }
    if (def->kind == sn_driveServo &&
        (!(def->stiffness >= 0 && def->stiffness <= 1e12) ||
         !(def->damping >= 0 && def->damping <= 1e12) || !(def->limit > 0))) {
        return snFail(why, sn_errorArgument,
                      "a servo's stiffness and damping lie in 0..1e12 and its limit is above 0, "
                      "found %g, %g and %g",
                      def->stiffness, def->damping, def->limit);
    }
    return sn_ok;
}

static snStatus checkDrive(const snSkeleton* skeleton, const snDriveDef* def, snMessage* why)
{
    if (!def || def->size != sizeof(snDriveDef)) {
        return snFail(why, sn_errorArgument, "the def was not set up with snDriveDef_Init");
    }
    if (def->bone < 0 || def->bone >= skeleton->bone_count) {
        return snFail(why, sn_errorArgument, "bone %d does not exist, there are %d", (int)def->bone,
                      (int)skeleton->bone_count);
    }
    const snBone* b = &skeleton->bones[def->bone];
    if (!snDriveKind_Name(def->kind)) {
        return snFail(why, sn_errorArgument, "drive kind %d is none of the %d there are",
                      (int)def->kind, sn_driveKindCount);
    }
    if (b->type == sn_jointWeld && def->kind != sn_driveFree) {
        return snFail(why, sn_errorArgument,
                      "bone '%s' is welded to its parent and cannot be driven; give it a joint",
                      skeleton->defs[def->bone].name);
    }
    int32_t nv = snJoint_Shape(b->type)->nv;
    bool valued = def->kind == sn_driveTorque || def->kind == sn_driveAcceleration;
    for (int32_t i = 0; valued && i < nv; ++i) {
        if (!(fabs(def->value[i]) <= 1e12)) {
            return snFail(why, sn_errorArgument, "value %d of the drive must be within 1e12",
                          (int)i);
        }
    }
    return hasCurve(def->kind) ? checkCurve(def, why) : sn_ok;
}

// Splits the keys into numbers and rotations and builds a spline of each.
static snStatus buildCurve(snDrive* d, const snSkeleton* skeleton, const snDriveDef* def,
                           snMessage* why)
{
    const snBone* b = &skeleton->bones[d->bone];
    int32_t nq = snJoint_Shape(b->type)->nq;
    int32_t travel = b->type == sn_jointBall ? 0 : b->type == sn_jointFree ? 3 : nq;
    bool turns = b->type == sn_jointBall || b->type == sn_jointFree;
    size_t count = (size_t)def->key_count;
    double* numbers =
        snArena_Push(&d->arena, count * (size_t)(travel > 0 ? travel : 1), sizeof(double));
    snQuat* rotations = snArena_Push(&d->arena, turns ? count : 1, sizeof(snQuat));
    if (d->arena.failed) {
        return snFail(why, sn_errorMemory, "no memory for %d keys", (int)def->key_count);
    }
    for (size_t k = 0; k < count; ++k) {
        const double* key = def->keys + k * (size_t)nq;
        memcpy(numbers + k * (size_t)travel, key, (size_t)travel * sizeof(double));
        if (turns) {
            rotations[k] = snLoadQ(key + travel);
        }
    }
    snSplineEnds ends = {def->ends == sn_endsPeriodic ? sn_splinePeriodic : sn_splineClamped, NULL,
                         NULL};
    snStatus status = sn_ok;
    if (travel > 0) {
        status = snSpline_Build(&d->arena, travel, def->key_count, def->times, numbers, ends,
                                &d->travel, why);
    }
    if (turns && !status) {
        status = snRotSpline_Build(&d->arena, def->key_count, def->times, rotations, ends, &d->turn,
                                   why);
    }
    return status;
}

snStatus snDrive_Create(const snHost* host, const snSkeleton* skeleton, const snDriveDef* def,
                        snDrive** drive, snMessage* why)
{
    *drive = NULL;
    snStatus status = checkDrive(skeleton, def, why);
    if (status) {
        return status;
    }
    snDrive* d = snHost_Allocate(host, sizeof *d);
    if (!d) {
        return snFail(why, sn_errorMemory, "no memory for a drive");
    }
    d->host = *host;
    snArena_Init(&d->arena, host);
    d->kind = def->kind;
    d->bone = def->bone;
    memcpy(d->value, def->value, sizeof d->value);
    d->stiffness = def->stiffness;
    d->damping = def->damping;
    d->limit = def->limit;
    if (hasCurve(def->kind)) {
        status = buildCurve(d, skeleton, def, why);
    }
    if (status) {
        snMessage_Prefix(why, "drive of bone '%s'", skeleton->defs[def->bone].name);
        snDrive_Free(d);
        return status;
    }
    *drive = d;
    return sn_ok;
}

void snDrive_Free(snDrive* drive)
{
    if (drive) {
        snHost host = drive->host;
        snArena_Free(&drive->arena);
        snHost_Release(&host, drive, sizeof *drive);
    }
}

void snDrive_Sample(const snDrive* drive, const snBone* bone, double t, double* q, double* qd)
{
    double second[3]; // the curve's acceleration is not asked for: steps use the mean over the step
    snQuat turn;
    snVec3 w, dw;
    switch (bone->type) {
    case sn_jointBall:
        snRotSpline_Eval(&drive->turn, t, &turn, &w, &dw);
        snStoreQ(q, turn);
        snStore3(qd, w);
        break;
    case sn_jointFree:
        snSpline_Eval(&drive->travel, t, q, qd + 3, second);
        snRotSpline_Eval(&drive->turn, t, &turn, &w, &dw);
        snStoreQ(q + 3, turn);
        snStore3(qd, w);
        break;
    default:
        snSpline_Eval(&drive->travel, t, q, qd, second);
        break;
    }
}

void snCommandArrays_Push(snCommandArrays* a, const snSkeleton* skeleton, snArena* arena)
{
    size_t nq = (size_t)skeleton->nq, nv = (size_t)skeleton->nv;
    a->mode = snArena_Push(arena, (size_t)skeleton->bone_count, 1);
    double** of_nq[] = {&a->q_mid, &a->q_end, &a->servo_q};
    double** of_nv[] = {&a->tau,      &a->qdd,      &a->qd_mid,   &a->qd_end,
                        &a->servo_qd, &a->servo_kp, &a->servo_kd, &a->servo_limit};
    for (size_t i = 0; i < sizeof of_nq / sizeof *of_nq; ++i) {
        *of_nq[i] = snArena_Push(arena, nq, sizeof(double));
    }
    for (size_t i = 0; i < sizeof of_nv / sizeof *of_nv; ++i) {
        *of_nv[i] = snArena_Push(arena, nv, sizeof(double));
    }
}

static void commandJoint(const snDrive* d, const snBone* b, double t, double h, int32_t bone,
                         const snCommandArrays* a)
{
    int32_t nv = snJoint_Shape(b->type)->nv, vi = b->vi, qi = b->qi;
    switch (d->kind) {
    case sn_driveTorque:
        memcpy(a->tau + vi, d->value, (size_t)nv * sizeof(double));
        break;
    case sn_driveAcceleration:
        a->mode[bone] = sn_modeAcceleration;
        memcpy(a->qdd + vi, d->value, (size_t)nv * sizeof(double));
        break;
    case sn_driveTrajectory:
        a->mode[bone] = sn_modePosition;
        snDrive_Sample(d, b, t + 0.5 * h, a->q_mid + qi, a->qd_mid + vi);
        snDrive_Sample(d, b, t + h, a->q_end + qi, a->qd_end + vi);
        break;
    case sn_driveServo:
        a->mode[bone] = sn_modeServo;
        snDrive_Sample(d, b, t + h, a->servo_q + qi, a->servo_qd + vi);
        for (int32_t k = vi; k < vi + nv; ++k) {
            a->servo_kp[k] = d->stiffness;
            a->servo_kd[k] = d->damping;
            a->servo_limit[k] = d->limit;
        }
        break;
    default:
        break;
    }
}

void snDrive_Command(const snSkeleton* skeleton, snDrive* const* drives, double t, double h,
                     const snCommandArrays* arrays)
{
    memset(arrays->mode, sn_modeTorque, (size_t)skeleton->bone_count);
    memset(arrays->tau, 0, (size_t)skeleton->nv * sizeof(double));
    memset(arrays->qdd, 0, (size_t)skeleton->nv * sizeof(double));
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        if (drives[i]) {
            commandJoint(drives[i], &skeleton->bones[i], t, h, i, arrays);
        }
    }
}
