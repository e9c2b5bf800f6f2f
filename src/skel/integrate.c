// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "skel/integrate.h"

#include "skel/joint.h"
#include <string.h>

void snWorkspace_Push(snWorkspace* ws, const snSkeleton* skeleton, snArena* arena)
{
    size_t n = (size_t)skeleton->bone_count, nq = (size_t)skeleton->nq, nv = (size_t)skeleton->nv;
    ws->skeleton = skeleton;
    ws->motion = snArena_Push(arena, n, sizeof(snBoneMotion));
    snFactor_Push(&ws->factor, skeleton, arena);
    ws->q_mid = snArena_Push(arena, nq, sizeof(double));
    ws->qd_mid = snArena_Push(arena, nv, sizeof(double));
    ws->qdd = snArena_Push(arena, nv, sizeof(double));
    ws->qdd_given = snArena_Push(arena, nv, sizeof(double));
    ws->tau = snArena_Push(arena, nv, sizeof(double));
    ws->prescribed = snArena_Push(arena, n, 1);
    ws->servo = snArena_Push(arena, n, 1);
}

static int32_t modeOf(const snJointCommand* command, int32_t bone)
{
    return command->mode ? command->mode[bone] : sn_modeTorque;
}

static void copyJoint(double* to, const double* from, int32_t count)
{
    memcpy(to, from, (size_t)count * sizeof(double));
}

// Euler's trajectory following: the velocity that lands on q_end.
static void landingVelocity(const snBone* b, const snStep* step, const snJointCommand* command,
                            double* qd)
{
    snJoint_Difference(b->type, step->q + b->qi, command->q_end + b->qi, qd);
    for (int32_t k = 0; k < b->nv; ++k) {
        qd[k] /= step->h;
    }
}

// Where and how fast a joint is when forces are taken, and the acceleration it is told to have.
static void beginJoint(snWorkspace* ws, const snStep* step, const snJointCommand* command,
                       int32_t i)
{
    const snBone* b = &ws->skeleton->bones[i];
    const snJointShape* shape = snJoint_Shape(b->type);
    bool midpoint = step->integrator == sn_integratorMidpoint;
    int32_t mode = modeOf(command, i);
    const double* q = step->q + b->qi;
    const double* qd = step->qd + b->vi;
    double* given = ws->qdd_given + b->vi;
    ws->prescribed[i] = mode == sn_modeAcceleration || mode == sn_modePosition;
    ws->servo[i] = mode == sn_modeServo;
    if (mode == sn_modePosition && midpoint) {
        copyJoint(ws->q_mid + b->qi, command->q_mid + b->qi, shape->nq);
        copyJoint(ws->qd_mid + b->vi, command->qd_mid + b->vi, shape->nv);
        for (int32_t k = 0; k < shape->nv; ++k) {
            given[k] = (command->qd_end[b->vi + k] - qd[k]) / step->h;
        }
        return;
    }
    snJoint_Integrate(b->type, q, qd, midpoint ? 0.5 * step->h : 0, ws->q_mid + b->qi);
    copyJoint(ws->qd_mid + b->vi, qd, shape->nv);
    if (mode == sn_modePosition) {
        landingVelocity(b, step, command, given);
        for (int32_t k = 0; k < shape->nv; ++k) {
            given[k] = (given[k] - qd[k]) / step->h;
        }
    } else if (mode == sn_modeAcceleration && command->qdd) {
        copyJoint(given, command->qdd + b->vi, shape->nv);
    } else {
        memset(given, 0, (size_t)shape->nv * sizeof(double));
    }
}

bool snIntegrate_IsFree(const snSkeleton* skeleton, const snJointCommand* command)
{
    int32_t root = skeleton->floating_root;
    return root >= 0 && skeleton->bones[root].passive < 0 && modeOf(command, root) == sn_modeTorque;
}

void snIntegrate_Begin(snWorkspace* ws, const snStep* step, const snJointCommand* command)
{
    for (int32_t i = 0; i < ws->skeleton->bone_count; ++i) {
        beginJoint(ws, step, command, i);
    }
    snKinematics_State(ws->skeleton, ws->q_mid, ws->qd_mid, ws->base, ws->motion);
}

// Mid-step velocities for the second solve.
static void advanceHalf(snWorkspace* ws, const snStep* step, const snJointCommand* command)
{
    for (int32_t i = 0; i < ws->skeleton->bone_count; ++i) {
        const snBone* b = &ws->skeleton->bones[i];
        if (modeOf(command, i) != sn_modePosition) {
            for (int32_t k = b->vi; k < b->vi + b->nv; ++k) {
                ws->qd_mid[k] = step->qd[k] + 0.5 * step->h * ws->qdd[k];
            }
        }
    }
}

// Do all joints follow trajectories? Then the velocities at mid-step are known beforehand, and one
// solve is enough.
static bool allFollow(const snSkeleton* skeleton, const snJointCommand* command)
{
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        if (skeleton->bones[i].nv > 0 && modeOf(command, i) != sn_modePosition) {
            return false;
        }
    }
    return true;
}

// New velocities, then positions.
static void endJoint(snWorkspace* ws, const snStep* step, const snJointCommand* command, int32_t i)
{
    const snBone* b = &ws->skeleton->bones[i];
    const snJointShape* shape = snJoint_Shape(b->type);
    bool midpoint = step->integrator == sn_integratorMidpoint;
    double* q = step->q + b->qi;
    double* qd = step->qd + b->vi;
    if (modeOf(command, i) == sn_modePosition) {
        if (midpoint) {
            copyJoint(qd, command->qd_end + b->vi, shape->nv);
        } else {
            landingVelocity(b, step, command, qd);
        }
        copyJoint(q, command->q_end + b->qi, shape->nq);
    } else {
        for (int32_t k = 0; k < shape->nv; ++k) {
            qd[k] += step->h * ws->qdd[b->vi + k];
        }
        snJoint_Integrate(b->type, ws->q_mid + b->qi, qd, midpoint ? 0.5 * step->h : step->h, q);
    }
}

// What servos did, for the report: their torque at the middle of the step.
static void addServoTorques(snWorkspace* ws, const snServo* all)
{
    for (int32_t i = 0; i < ws->skeleton->bone_count; ++i) {
        const snBone* b = &ws->skeleton->bones[i];
        if (ws->servo[i]) {
            double torque[6];
            snServo own = snServo_Of(all, b);
            snPassive_ServoTorque(b, &own, ws->q_mid + b->qi, ws->qd_mid + b->vi, torque);
            for (int32_t k = 0; k < b->nv; ++k) {
                ws->tau[b->vi + k] += torque[k];
            }
        }
    }
}

bool snIntegrate_Finish(snWorkspace* ws, const snStep* step, const snJointCommand* command,
                        int32_t* bad)
{
    const snSkeleton* skeleton = ws->skeleton;
    bool midpoint = step->integrator == sn_integratorMidpoint;
    bool twice = midpoint && !allFollow(skeleton, command);
    snServo targets = {command->servo_q, command->servo_qd, command->servo_kp, command->servo_kd,
                       command->servo_limit};
    snHybridStep how = {.h = step->h,
                        .midpoint = midpoint,
                        .prescribed = ws->prescribed,
                        .servo = ws->servo,
                        .targets = &targets,
                        .q = ws->q_mid,
                        .qd = step->qd,
                        .drag = step->drag};
    snHybridLoad load = {command->tau, ws->qdd_given, command->external, step->gravity};
    if (!snHybrid_Run(skeleton, ws->motion, &how, &load, &ws->factor, ws->qdd,
                      twice ? NULL : ws->tau, bad)) {
        return false;
    }
    if (twice) {
        advanceHalf(ws, step, command);
        snKinematics_Velocity(skeleton, ws->qd_mid, ws->motion);
        snHybrid_Again(skeleton, ws->motion, &how, &load, &ws->factor, ws->qdd, ws->tau);
    }
    addServoTorques(ws, &targets);
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        endJoint(ws, step, command, i);
    }
    return true;
}
