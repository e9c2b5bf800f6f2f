// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "control/drive.h"

#include "base/message.h"
#include "skel/joint.h"
#include <string.h>

#define MOST_KEYS 100000
#define MOST_TIME 86400 // s

// A drive that begins within this time (s) after a step's start begins with the step: times of
// steps are rounded.
#define SAME_TIME 1e-9

// How a joint that has arrived at its pose is held there, Hz. It is prescribed, so that only
// rounding has to be held.
#define POSE_FREQUENCY 10.0

static const char* const KIND_NAMES[sn_driveKindCount] = {"free",       "torque", "acceleration",
                                                          "trajectory", "servo",  "pose"};

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

static snStatus checkPose(const snDriveDef* def, const snBone* b, snMessage* why)
{
    if (def->key_count != 1 || !def->keys) {
        return snFail(why, sn_errorArgument, "a pose has one key, found %d", (int)def->key_count);
    }
    if (!(def->end > def->begin && def->end <= MOST_TIME)) {
        return snFail(why, sn_errorArgument,
                      "a pose must end after it begins (%g s) and within %d s, found %g",
                      def->begin, MOST_TIME, def->end);
    }
    int32_t nq = snJoint_Shape(b->type)->nq;
    for (int32_t i = 0; i < nq; ++i) {
        if (!(fabs(def->keys[i]) <= 1e12)) {
            return snFail(why, sn_errorArgument, "number %d of the pose must be within 1e12",
                          (int)i);
        }
    }
    double square =
        b->ball < 0 ? 1 : snQDot(snLoadQ(def->keys + nq - 4), snLoadQ(def->keys + nq - 4));
    if (!(square > 1e-6)) {
        return snFail(why, sn_errorArgument, "the pose's rotation must be a unit quaternion");
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
    if (!(def->begin >= 0 && def->begin <= MOST_TIME)) {
        return snFail(why, sn_errorArgument, "begin must lie in 0..%d s, found %g", MOST_TIME,
                      def->begin);
    }
    int32_t nv = snJoint_Shape(b->type)->nv;
    bool valued = def->kind == sn_driveTorque || def->kind == sn_driveAcceleration;
    for (int32_t i = 0; valued && i < nv; ++i) {
        if (!(fabs(def->value[i]) <= 1e12)) {
            return snFail(why, sn_errorArgument, "value %d of the drive must be within 1e12",
                          (int)i);
        }
    }
    return hasCurve(def->kind)         ? checkCurve(def, why)
           : def->kind == sn_drivePose ? checkPose(def, b, why)
                                       : sn_ok;
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

static void takePose(snDrive* d, const snBone* b, const double* key)
{
    int32_t nq = snJoint_Shape(b->type)->nq;
    memcpy(d->pose, key, (size_t)nq * sizeof(double));
    if (b->ball >= 0) {
        snStoreQ(d->pose + nq - 4, snQNormalize(snLoadQ(key + nq - 4)));
    }
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
    d->begin = def->begin;
    d->end = def->end;
    memcpy(d->value, def->value, sizeof d->value);
    d->stiffness = def->stiffness;
    d->damping = def->damping;
    d->limit = def->limit;
    if (hasCurve(def->kind)) {
        status = buildCurve(d, skeleton, def, why);
    } else if (def->kind == sn_drivePose) {
        takePose(d, &skeleton->bones[def->bone], def->keys);
    }
    if (status) {
        snMessage_Prefix(why, "drive of bone '%s'", skeleton->defs[def->bone].name);
        snDrive_Free(d);
        return status;
    }
    *drive = d;
    return sn_ok;
}

snStatus snDrive_Feed(const snHost* host, const snSkeleton* skeleton, int32_t bone, snDrive** list,
                      const double* key, const double* rates, double begin, double end,
                      snMessage* why)
{
    const snBone* b = &skeleton->bones[bone];
    if (!*list || !(*list)->streamed) {
        snDrive* d = NULL;
        snDriveDef def;
        snDriveDef_Init(&def);
        def.kind = sn_drivePose;
        def.bone = bone;
        def.end = 1;
        def.key_count = 1;
        def.keys = key;
        snStatus status = snDrive_Create(host, skeleton, &def, &d, why);
        if (status || !d) {
            return status;
        }
        d->streamed = true;
        snDrive_Free(*list);
        *list = d;
    }
    snDrive* d = *list;
    snDrive_Free(d->next);
    d->next = NULL;
    d->begin = begin;
    d->end = end;
    takePose(d, b, key);
    memcpy(d->value, rates, (size_t)b->nv * sizeof(double));
    return sn_ok;
}

void snDrive_Free(snDrive* drive)
{
    while (drive) {
        snDrive* next = drive->next;
        snHost host = drive->host;
        snArena_Free(&drive->arena);
        snHost_Release(&host, drive, sizeof *drive);
        drive = next;
    }
}

void snDrive_Insert(snDrive** list, snDrive* drive)
{
    while (*list && (*list)->begin < drive->begin) {
        list = &(*list)->next;
    }
    snDrive_Free(*list);
    *list = drive;
}

const snDrive* snDrive_At(const snDrive* list, double t)
{
    const snDrive* acting = NULL;
    for (; list && list->begin <= t + SAME_TIME; list = list->next) {
        acting = list;
    }
    return acting;
}

void snDrive_Sample(const snDrive* drive, const snBone* bone, double t, double* q, double* qd)
{
    // the curve's acceleration is not asked for: steps use the mean over the step
    snQuat turn;
    snVec3 w;
    switch (bone->type) {
    case sn_jointBall:
        snRotSpline_Eval(&drive->turn, t, &turn, &w, NULL);
        snStoreQ(q, turn);
        snStore3(qd, w);
        break;
    case sn_jointFree:
        snSpline_Eval(&drive->travel, t, q, qd + 3, NULL);
        snRotSpline_Eval(&drive->turn, t, &turn, &w, NULL);
        snStoreQ(q + 3, turn);
        snStore3(qd, w);
        break;
    default:
        snSpline_Eval(&drive->travel, t, q, qd, NULL);
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

// The quintic that takes a joint to its pose: with s the part of the time from begin to end that
// has gone, u = 1 - s and D = end - begin, the distance x to the pose and its rate are
//
//   x = e A + v B,  A = u^3 (1 + 3 s + 6 s^2),  B = D u^3 s (1 + 3 s)
//
// for a joint that was e away and had the rate v at `begin`, without acceleration there and at the
// end. e and v follow from x and its rate at any time (the Wronskian A B' - A' B is
// u^6 (1 + 6 s + 3 s^2) > 0), so nothing is remembered: wherever the joint is, it arrives. Returns
// the mean acceleration over the step.
static double poseAcceleration(const snDrive* d, double t, double h, double x, double rate)
{
    double D = d->end - d->begin, u = (d->end - t) / D, next = (d->end - t - h) / D;
    u = u < 1 ? u : 1;
    next = next > 0 ? next : 0;
    double s = 1 - u, r = 1 - next, W = 1 + 6 * s + 3 * s * s;
    double a = 1 + 3 * s + 6 * s * s, b = s * (1 + 3 * s);
    // both times u^4; A' D = -30 s^2 u^2, B' = u^2 (1 + 2 s - 15 s^2)
    double e = ((1 + 2 * s - 15 * s * s) * x - D * u * b * rate) / W;
    double v = (a * u * rate + 30 * s * s * x / D) / W;
    double left = next / (u * u), then = -30 * r * r * e / D + (1 + 2 * r - 15 * r * r) * v;
    return (left * left * then - rate) / h;
}

// The cubic that takes a joint which is x away from a goal, and has the rate v against it, there
// within T, at rest against it: x'' = a + j t, a = -(6 x + 4 v T)/T^2, j = (12 x + 6 v T)/T^3. Of a
// steady acceleration it is the motion itself. Returns the mean acceleration over the step.
static double streamAcceleration(double T, double h, double x, double v)
{
    h = h < T ? h : T;
    return (-(6 * x + 4 * v * T) + (6 * x + 3 * v * T) * h / T) / (T * T);
}

// Moves to the pose until `end`, then stays. One that is fed is passed: the goal is a place that
// moves evenly, with the pose's rates, and is at the pose at the end.
static void commandPose(const snDrive* d, const snBone* b, const snDriveStep* step, double* qdd)
{
    double error[6], left = d->end - step->t, h = step->h;
    const double* qd = step->qd + b->vi;
    snJoint_Difference(b->type, step->q + b->qi, d->pose, error);
    bool arrived = left < 0.5 * h;
    for (int32_t k = 0; k < b->nv; ++k) {
        double rate = d->value[k];
        qdd[k] = arrived       ? snTrack(POSE_FREQUENCY, h, error[k] - h * qd[k], -qd[k], 0)
                 : d->streamed ? streamAcceleration(left, h, rate * left - error[k], qd[k] - rate)
                               : poseAcceleration(d, step->t, h, -error[k], qd[k]);
    }
}

static void commandJoint(const snDrive* d, const snBone* b, const snDriveStep* step, int32_t bone,
                         const snCommandArrays* a)
{
    int32_t nv = snJoint_Shape(b->type)->nv, vi = b->vi, qi = b->qi;
    double t = step->t, h = step->h;
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
    case sn_drivePose:
        a->mode[bone] = sn_modeAcceleration;
        commandPose(d, b, step, a->qdd + vi);
        break;
    default:
        break;
    }
}

void snDrive_CommandStep(const snSkeleton* skeleton, snDrive* const* drives,
                         const snDriveStep* step, const snCommandArrays* arrays)
{
    memset(arrays->mode, sn_modeTorque, (size_t)skeleton->bone_count);
    memset(arrays->tau, 0, (size_t)skeleton->nv * sizeof(double));
    memset(arrays->qdd, 0, (size_t)skeleton->nv * sizeof(double));
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        const snDrive* acting = snDrive_At(drives[i], step->t);
        if (acting) {
            commandJoint(acting, &skeleton->bones[i], step, i, arrays);
        }
    }
}
