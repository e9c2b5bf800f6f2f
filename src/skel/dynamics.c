// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The public workspace (sinew/dynamics.h): argument checks around the recursions.
#include "skel/dynamics.h"

#include "base/message.h"
#include "math/quat.h"
#include "skel/joint.h"
#include <string.h>

static const char* const INTEGRATOR_NAMES[sn_integratorCount] = {"midpoint", "euler"};

const char* snIntegrator_Name(int32_t integrator)
{
    return integrator >= 0 && integrator < sn_integratorCount ? INTEGRATOR_NAMES[integrator] : NULL;
}

snStatus snDynamics_Create(const snHost* host, snSkeleton* skeleton, snDynamics** dynamics,
                           snMessage* why)
{
    snMessage_Clear(why);
    if (!skeleton || !dynamics) {
        return snFail(why, sn_errorArgument, "skeleton and dynamics must not be NULL");
    }
    *dynamics = NULL;
    snHost taken;
    snStatus status = snHost_Take(host, &taken, why);
    if (status) {
        return status;
    }
    snDynamics* d = snHost_Allocate(&taken, sizeof *d);
    if (!d) {
        return snFail(why, sn_errorMemory, "no memory for a workspace");
    }
    size_t nq = (size_t)skeleton->nq, nv = (size_t)skeleton->nv;
    d->host = taken;
    d->skeleton = snSkeleton_Retain(skeleton);
    d->gravity = snV3(0, -SN_GRAVITY, 0);
    snArena_Init(&d->arena, &taken);
    snWorkspace_Push(&d->ws, skeleton, &d->arena);
    d->q = snArena_Push(&d->arena, nq, sizeof(double));
    d->qd = snArena_Push(&d->arena, nv, sizeof(double));
    d->q_last = snArena_Push(&d->arena, nq, sizeof(double));
    d->qd_last = snArena_Push(&d->arena, nv, sizeof(double));
    d->composite = snArena_Push(&d->arena, (size_t)skeleton->bone_count, sizeof(snInertia6));
    snIkSpace_Push(&d->ik, skeleton, &d->arena);
    if (d->arena.failed) {
        status = snFail(why, sn_errorMemory, "no memory for a workspace of %d bones",
                        (int)skeleton->bone_count);
        snDynamics_Free(d);
        return status;
    }
    snSkeleton_ZeroPose(skeleton, d->q);
    snDynamics_Update(d);
    *dynamics = d;
    return sn_ok;
}

void snDynamics_Free(snDynamics* dynamics)
{
    if (dynamics) {
        snHost host = dynamics->host;
        snSkeleton_Release(dynamics->skeleton);
        snArena_Free(&dynamics->arena);
        snHost_Release(&host, dynamics, sizeof *dynamics);
    }
}

void snDynamics_Update(snDynamics* d)
{
    snKinematics_State(d->skeleton, d->q, d->qd, NULL, d->ws.motion);
}

// State -----------------------------------------------------------------------

static snStatus checkFinite(const double* x, int32_t count, const char* name, snMessage* why)
{
    for (int32_t i = 0; i < count; ++i) {
        if (!isfinite(x[i])) {
            return snFail(why, sn_errorArgument, "%s[%d] is not a finite number", name, (int)i);
        }
    }
    return sn_ok;
}

static snStatus normaliseRotations(const snSkeleton* skeleton, double* q, snMessage* why)
{
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        const snBone* b = &skeleton->bones[i];
        if (b->type == sn_jointBall || b->type == sn_jointFree) {
            double* r = q + b->qi + (b->type == sn_jointFree ? 3 : 0);
            double size = snQDot(snLoadQ(r), snLoadQ(r));
            if (!(size > 1e-6 && size < 1e6)) {
                return snFail(why, sn_errorArgument,
                              "the rotation of bone '%s' has length %g; give a unit quaternion "
                              "(x, y, z, w)",
                              skeleton->defs[i].name, sqrt(size));
            }
            snStoreQ(r, snQNormalize(snLoadQ(r)));
        }
    }
    return sn_ok;
}

snStatus snDynamics_SetState(snDynamics* d, const double* q, const double* qd, snMessage* why)
{
    snMessage_Clear(why);
    if (!d || !q || !qd) {
        return snFail(why, sn_errorArgument, "dynamics, q and qd must not be NULL");
    }
    const snSkeleton* s = d->skeleton;
    snStatus status = checkFinite(q, s->nq, "q", why);
    status = status ? status : checkFinite(qd, s->nv, "qd", why);
    if (status) {
        return status;
    }
    memcpy(d->ws.q_mid, q, (size_t)s->nq * sizeof(double));
    status = normaliseRotations(s, d->ws.q_mid, why);
    if (status) {
        return status;
    }
    memcpy(d->q, d->ws.q_mid, (size_t)s->nq * sizeof(double));
    memcpy(d->qd, qd, (size_t)s->nv * sizeof(double));
    d->target.known = 0;
    snDynamics_Update(d);
    return sn_ok;
}

void snDynamics_GetState(const snDynamics* d, double* q, double* qd)
{
    if (d && q) {
        memcpy(q, d->q, (size_t)d->skeleton->nq * sizeof(double));
    }
    if (d && qd) {
        memcpy(qd, d->qd, (size_t)d->skeleton->nv * sizeof(double));
    }
}

void snDynamics_SetGravity(snDynamics* d, snVec3 gravity)
{
    if (d && isfinite(gravity.x) && isfinite(gravity.y) && isfinite(gravity.z)) {
        d->gravity = gravity;
    }
}

// Kinematics ------------------------------------------------------------------

// A bone's motion; a bone that does not exist stands still at the origin.
static const snBoneMotion* motionOf(const snDynamics* d, int32_t bone)
{
    static const snBoneMotion STILL = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    return d && bone >= 0 && bone < d->skeleton->bone_count ? &d->ws.motion[bone] : &STILL;
}

snTransform snDynamics_BonePose(const snDynamics* d, int32_t bone)
{
    const snBoneMotion* m = motionOf(d, bone);
    return (snTransform){m->p, snQFromMat(m->R)};
}

snTwist snDynamics_BoneTwist(const snDynamics* d, int32_t bone)
{
    const snBoneMotion* m = motionOf(d, bone);
    return snTwistFrom(m->w, m->v);
}

snVec3 snDynamics_Point(const snDynamics* d, int32_t bone, snVec3 point)
{
    const snBoneMotion* m = motionOf(d, bone);
    return snAdd(m->p, snMatVec(m->R, point));
}

snVec3 snDynamics_PointVelocity(const snDynamics* d, int32_t bone, snVec3 point)
{
    const snBoneMotion* m = motionOf(d, bone);
    return snAdd(m->v, snCross(m->w, snMatVec(m->R, point)));
}

snTwist snDynamics_BoneAcceleration(const snDynamics* d, int32_t bone)
{
    const snBoneMotion* m = motionOf(d, bone);
    return snTwistFrom(m->dw, d ? snAdd(m->dv, d->gravity_used) : m->dv);
}

snVec3 snDynamics_PointAcceleration(const snDynamics* d, int32_t bone, snVec3 point)
{
    const snBoneMotion* m = motionOf(d, bone);
    snVec3 arm = snMatVec(m->R, point);
    snVec3 swing = snAdd(snCross(m->dw, arm), snCross(m->w, snCross(m->w, arm)));
    return snAdd(snDynamics_BoneAcceleration(d, bone).v, swing);
}

void snDynamics_SetAcceleration(snDynamics* d, const double* qdd)
{
    if (!d || !qdd) {
        return;
    }
    d->gravity_used = d->gravity;
    snKinematics_Acceleration(d->skeleton, qdd, d->gravity, d->ws.motion);
}

void snDynamics_Jacobian(const snDynamics* d, int32_t bone, snVec3 point, double* J)
{
    if (d && J && bone >= 0 && bone < d->skeleton->bone_count) {
        snKinematics_Jacobian(d->skeleton, d->ws.motion, bone, snDynamics_Point(d, bone, point), J);
    }
}

// Dynamics --------------------------------------------------------------------

snStatus snDynamics_Hybrid(snDynamics* d, const snHybridInput* input, double* qdd_out,
                           double* tau_out)
{
    static const snHybridInput NOTHING = {0};
    const snHybridInput* in = input ? input : &NOTHING;
    if (!d) {
        return sn_errorArgument;
    }
    d->gravity_used = d->gravity;
    snHybridStep step = {.prescribed = in->prescribed, .q = d->q, .qd = d->qd};
    snHybridLoad load = {in->tau, in->qdd, in->external, d->gravity};
    int32_t bad;
    bool moved = snHybrid_Run(d->skeleton, d->ws.motion, &step, &load, &d->ws.factor, d->ws.qdd,
                              tau_out ? d->ws.tau : NULL, &bad);
    if (!moved) {
        memset(d->ws.qdd, 0, (size_t)d->skeleton->nv * sizeof(double));
        memset(d->ws.tau, 0, (size_t)d->skeleton->nv * sizeof(double));
        snDynamics_SetAcceleration(d, d->ws.qdd);
    }
    size_t bytes = (size_t)d->skeleton->nv * sizeof(double);
    if (qdd_out) {
        memcpy(qdd_out, d->ws.qdd, bytes);
    }
    if (tau_out) {
        memcpy(tau_out, d->ws.tau, bytes);
    }
    return moved ? sn_ok : sn_errorNumeric;
}

void snDynamics_MassMatrix(const snDynamics* d, double* M)
{
    if (!d || !M) {
        return;
    }
    snBalance_MassMatrix(d->skeleton, d->ws.motion, d->composite, M);
}

snMomentum snDynamics_Momentum(const snDynamics* d)
{
    return d ? snBalance_Momentum(d->skeleton, d->ws.motion, NULL) : (snMomentum){0};
}

snEnergy snDynamics_Energy(const snDynamics* d)
{
    return d ? snBalance_Energy(d->skeleton, d->ws.motion, d->q, d->qd, d->gravity) : (snEnergy){0};
}

// Stepping --------------------------------------------------------------------

static bool isFinite(const double* x, int32_t count)
{
    int32_t i = 0;
    while (i < count && isfinite(x[i])) {
        ++i;
    }
    return i == count;
}

// A rotation goes into the state as it is given, so it must be one.
static bool isPosition(const snBone* b, const double* q)
{
    bool ok = isFinite(q, snJoint_Shape(b->type)->nq);
    if (b->ball >= 0) {
        snQuat r = snLoadQ(q + (b->type == sn_jointFree ? 3 : 0));
        ok = ok && fabs(snQDot(r, r) - 1) < 1e-6;
    }
    return ok;
}

static bool isServo(const snBone* b, const snJointCommand* c)
{
    bool ok = isFinite(c->servo_q + b->qi, snJoint_Shape(b->type)->nq) &&
              isFinite(c->servo_qd + b->vi, b->nv);
    for (int32_t k = b->vi; k < b->vi + b->nv; k += b->ball >= 0 ? 3 : 1) {
        ok = ok && isFinite(c->servo_kp + k, 1) && isFinite(c->servo_kd + k, 1) &&
             c->servo_kp[k] >= 0 && c->servo_kd[k] >= 0 && c->servo_limit[k] >= 0;
    }
    return ok;
}

// The numbers that one joint's mode reads.
static bool isJointCommand(const snBone* b, int32_t bone, int32_t mode, const snJointCommand* c)
{
    bool ok = true;
    if (mode == sn_modePosition) {
        ok = isPosition(b, c->q_mid + b->qi) && isPosition(b, c->q_end + b->qi) &&
             isFinite(c->qd_mid + b->vi, b->nv) && isFinite(c->qd_end + b->vi, b->nv);
    } else if (mode == sn_modeAcceleration) {
        ok = !c->qdd || isFinite(c->qdd + b->vi, b->nv);
    } else {
        ok =
            (!c->tau || isFinite(c->tau + b->vi, b->nv)) && (mode != sn_modeServo || isServo(b, c));
    }
    if (c->external) {
        const snWrench* g = &c->external[bone];
        ok = ok && isfinite(g->n.x) && isfinite(g->n.y) && isfinite(g->n.z) && isfinite(g->f.x) &&
             isfinite(g->f.y) && isfinite(g->f.z);
    }
    return ok;
}

static snStatus checkCommand(const snDynamics* d, double h, int32_t integrator,
                             const snJointCommand* c, snMessage* why)
{
    if (!(h > 0 && h <= 1)) {
        return snFail(why, sn_errorArgument, "the step must lie in 0..1 s, found %g", h);
    }
    if (!snIntegrator_Name(integrator)) {
        return snFail(why, sn_errorArgument, "integrator %d is none of the %d there are",
                      (int)integrator, sn_integratorCount);
    }
    bool position = false, servo = false;
    for (int32_t i = 0; c->mode && i < d->skeleton->bone_count; ++i) {
        if (c->mode[i] >= sn_modeCount) {
            return snFail(why, sn_errorArgument, "mode %d of bone '%s' is none of the %d there are",
                          (int)c->mode[i], d->skeleton->defs[i].name, sn_modeCount);
        }
        position = position || c->mode[i] == sn_modePosition;
        servo = servo || c->mode[i] == sn_modeServo;
    }
    if (position && (!c->q_mid || !c->qd_mid || !c->q_end || !c->qd_end)) {
        return snFail(why, sn_errorArgument,
                      "a joint in position mode needs q_mid, qd_mid, q_end and qd_end");
    }
    if (servo && (!c->servo_q || !c->servo_qd || !c->servo_kp || !c->servo_kd || !c->servo_limit)) {
        return snFail(why, sn_errorArgument, "a joint in servo mode needs all servo arrays");
    }
    for (int32_t i = 0; i < d->skeleton->bone_count; ++i) {
        int32_t mode = c->mode ? c->mode[i] : sn_modeTorque;
        if (!isJointCommand(&d->skeleton->bones[i], i, mode, c)) {
            return snFail(why, sn_errorArgument,
                          "bone '%s': its commands must be finite, its gains and torque limits not "
                          "negative, its rotations unit quaternions",
                          d->skeleton->defs[i].name);
        }
    }
    return sn_ok;
}

// Steps that are not corrected change the momentum unseen.
static void takeMomentum(snDynamics* d, bool keep)
{
    if (!keep) {
        d->target.known = 0;
    } else if (!d->target.known) {
        snWhole now = snWhole_OfBones(d->skeleton, d->ws.motion);
        snMomentum_Take(&d->target, &now);
    }
}

static void pushMomentum(snDynamics* d, double h, const snJointCommand* c)
{
    snMomentum mid = snBalance_Momentum(d->skeleton, d->ws.motion, NULL);
    snWrench load = snMomentum_Load(d->skeleton, d->ws.motion, c->external, c->tau, mid.com);
    load.f = snMulAdd(load.f, mid.mass, d->gravity);
    snMomentum_Push(&d->target, h, load);
}

static void correctMomentum(snDynamics* d)
{
    snWhole now = snWhole_OfBones(d->skeleton, d->ws.motion);
    snMomentum_MoveRoot(d->skeleton, d->ws.motion, now.momentum.com,
                        snMomentum_Correction(&d->target, &now), d->qd);
    snDynamics_Update(d);
}

snStatus snDynamics_Step(snDynamics* d, double h, int32_t integrator, int32_t correct,
                         const snJointCommand* command, snMessage* why)
{
    static const snJointCommand PASSIVE = {0};
    const snJointCommand* c = command ? command : &PASSIVE;
    snMessage_Clear(why);
    if (!d) {
        return snFail(why, sn_errorArgument, "dynamics must not be NULL");
    }
    snStatus status = checkCommand(d, h, integrator, c, why);
    if (status) {
        return status;
    }
    size_t nq = (size_t)d->skeleton->nq, nv = (size_t)d->skeleton->nv;
    snMomentumTarget target = d->target;
    memcpy(d->q_last, d->q, nq * sizeof(double));
    memcpy(d->qd_last, d->qd, nv * sizeof(double));
    snStep step = {d->q, d->qd, h, integrator, d->gravity, NULL};
    int32_t bad = -1;
    bool keep = correct && snIntegrate_IsFree(d->skeleton, c);
    takeMomentum(d, keep);
    snIntegrate_Begin(&d->ws, &step, c);
    if (keep) {
        pushMomentum(d, h, c);
    }
    if (!snIntegrate_Finish(&d->ws, &step, c, &bad)) {
        status = snFail(why, sn_errorNumeric, "bone '%s' has nothing to move in this pose",
                        d->skeleton->defs[bad].name);
    } else if (!isFinite(d->q, d->skeleton->nq) || !isFinite(d->qd, d->skeleton->nv)) {
        status = snFail(why, sn_errorNumeric,
                        "the step leads to numbers that are not finite; forces or speeds are too "
                        "large for it");
        memcpy(d->q, d->q_last, nq * sizeof(double));
        memcpy(d->qd, d->qd_last, nv * sizeof(double));
    }
    snDynamics_Update(d);
    if (status) {
        d->target = target;
    } else if (keep) {
        correctMomentum(d);
    }
    return status;
}
