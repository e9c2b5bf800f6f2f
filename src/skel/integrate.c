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

static bool isCorrected(const snWorkspace* ws, const snStep* step, const snJointCommand* command)
{
    int32_t root = ws->skeleton->floating_root;
    return step->target && root >= 0 && ws->skeleton->bones[root].passive < 0 &&
           modeOf(command, root) == sn_modeTorque;
}

static void takeTarget(snWorkspace* ws, const snStep* step)
{
    snKinematics_State(ws->skeleton, step->q, step->qd, ws->base, ws->motion);
    snMomentum now = snBalance_Momentum(ws->skeleton, ws->motion, NULL);
    *step->target = (snMomentumTarget){now.linear, now.angular, 1};
}

void snIntegrate_Begin(snWorkspace* ws, const snStep* step, const snJointCommand* command)
{
    if (!isCorrected(ws, step, command)) {
        if (step->target) {
            step->target->known = 0;
        }
    } else if (!step->target->known) {
        takeTarget(ws, step);
    }
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

// Adds the outer impulses of the step to the target: gravity, outer wrenches and the root's own
// torque, moments about the centre of mass where forces were taken. Call before the motion moves
// on.
static void addImpulses(const snWorkspace* ws, const snStep* step, const snJointCommand* command)
{
    const snSkeleton* skeleton = ws->skeleton;
    snMomentum mid = snBalance_Momentum(skeleton, ws->motion, NULL);
    snVec3 force = snScale(mid.mass, step->gravity), moment = snV3(0, 0, 0);
    for (int32_t i = 0; command->external && i < skeleton->bone_count; ++i) {
        const snWrench* g = &command->external[i];
        force = snAdd(force, g->f);
        moment = snAdd(moment, snAdd(g->n, snCross(snSub(ws->motion[i].p, mid.com), g->f)));
    }
    if (command->tau) {
        int32_t root = skeleton->floating_root;
        const snBoneMotion* m = &ws->motion[root];
        snTwist pull = snKinematics_JointTwist(&skeleton->bones[root], m,
                                               command->tau + skeleton->bones[root].vi);
        force = snAdd(force, pull.v);
        moment = snAdd(moment, snAdd(pull.w, snCross(snSub(m->p, mid.com), pull.v)));
    }
    step->target->linear = snMulAdd(step->target->linear, step->h, force);
    step->target->angular = snMulAdd(step->target->angular, step->h, moment);
}

// One 6x6 solve: the rigid velocity change of the whole that puts its momentum on the target, given
// to the root, whose velocity is in fixed axes; all joint velocities stay.
static void correctMomentum(snWorkspace* ws, const snStep* step)
{
    const snSkeleton* skeleton = ws->skeleton;
    const snBone* b = &skeleton->bones[skeleton->floating_root];
    const snBoneMotion* m = &ws->motion[skeleton->floating_root];
    snSym3 inertia;
    bool ok;
    snKinematics_State(skeleton, step->q, step->qd, ws->base, ws->motion);
    snMomentum now = snBalance_Momentum(skeleton, ws->motion, &inertia);
    snSym3 inverse = snSymInverse(inertia, &ok); // singular (a line of points): inverse is zero
    snVec3 dw = snSymTimes(inverse, snSub(step->target->angular, now.angular));
    snVec3 dv = snScale(1 / now.mass, snSub(step->target->linear, now.linear));
    dv = snAdd(dv, snCross(dw, snSub(m->p, now.com)));
    for (int32_t k = 0; k < 3; ++k) {
        step->qd[b->vi + k] += snDot(m->axis[k], dw);
        step->qd[b->vi + 3 + k] += snDot(m->axis[k], dv);
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
    snServo targets = {command->servo_q, command->servo_qd, command->servo_kp, command->servo_kd,
                       command->servo_limit};
    snHybridStep how = {.h = step->h,
                        .midpoint = midpoint,
                        .prescribed = ws->prescribed,
                        .servo = ws->servo,
                        .targets = &targets,
                        .q = ws->q_mid,
                        .qd = step->qd};
    snHybridLoad load = {command->tau, ws->qdd_given, command->external, step->gravity};
    if (!snHybrid_Run(skeleton, ws->motion, &how, &load, &ws->factor, ws->qdd,
                      midpoint ? NULL : ws->tau, bad)) {
        return false;
    }
    if (midpoint) {
        advanceHalf(ws, step, command);
        snKinematics_Velocity(skeleton, ws->qd_mid, ws->motion);
        snHybrid_Again(skeleton, ws->motion, &how, &load, &ws->factor, ws->qdd, ws->tau);
    }
    addServoTorques(ws, &targets);
    bool correct = isCorrected(ws, step, command);
    if (correct) {
        addImpulses(ws, step, command);
    }
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        endJoint(ws, step, command, i);
    }
    if (correct) {
        correctMomentum(ws, step);
    }
    return true;
}
