// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Not vectorised: hybrid dynamics, bone by bone.

#include "skel/joint.h"
#include "skel/pass.h"

// An axis whose inertia is below this part of the whole's has none: what is left is rounding.
#define NO_INERTIA (16 * 1.1102230246251565e-16)

snBonesRunFcn SN_ISA_NAME(snBonesRun);
snBonesAgainFcn SN_ISA_NAME(snBonesAgain);
snBonesAnswerFcn SN_ISA_NAME(snBonesAnswer);

// Factor ----------------------------------------------------------------------

// Stiffness k and damping c of a joint coordinate with inertia d, made implicit over the step:
// `inertia` joins d, `drag` times the start velocity joins the torque. Euler: the torque at the
// step's end. Midpoint: the mean of start and end (second order, loses no energy), shifting towards
// the end as h^2 k / d or h c / d grows, so that motion too fast for the step dies out instead of
// ringing.
typedef struct Implicit {
    double inertia, drag;
} Implicit;

static Implicit makeImplicit(const snHybridStep* step, double k, double c, double d)
{
    double h = step->h;
    if (!step->midpoint || h == 0) {
        return (Implicit){h * h * k + h * c, h * k + c};
    }
    double z = h * h * k, y = h * c;
    double late_k = z * z / (16 * d * d + z * z + 1e-300);
    double late_c = y * y / (4 * d * d + y * y + 1e-300);
    return (Implicit){0.25 * (1 + late_k) * z + 0.5 * (1 + late_c) * y, 0.5 * late_k * h * k + c};
}

// J -= U U' / d for one axis
SN_KERNEL void removeAxis(snInertia6* J, const snAxisFactor* u)
{
    snVec3 tn = snScale(u->inverse, u->n), tf = snScale(u->inverse, u->f);
    J->A.xx -= tn.x * u->n.x, J->A.yy -= tn.y * u->n.y, J->A.zz -= tn.z * u->n.z;
    J->A.xy -= tn.x * u->n.y, J->A.xz -= tn.x * u->n.z, J->A.yz -= tn.y * u->n.z;
    J->M.xx -= tf.x * u->f.x, J->M.yy -= tf.y * u->f.y, J->M.zz -= tf.z * u->f.z;
    J->M.xy -= tf.x * u->f.y, J->M.xz -= tf.x * u->f.z, J->M.yz -= tf.y * u->f.z;
    J->B.m00 -= tn.x * u->f.x, J->B.m01 -= tn.x * u->f.y, J->B.m02 -= tn.x * u->f.z;
    J->B.m10 -= tn.y * u->f.x, J->B.m11 -= tn.y * u->f.y, J->B.m12 -= tn.y * u->f.z;
    J->B.m20 -= tn.z * u->f.x, J->B.m21 -= tn.z * u->f.y, J->B.m22 -= tn.z * u->f.z;
}

typedef struct Own {
    const snPassiveDef* def; // NULL = no armature
    snPassive* acting;       // NULL = nothing acts
    const snServoPull* pull; // NULL = no servo; resolved into `acting` when the inertia is known
    const double* qd;        // of the joint, at the start of the step
    snJointFactor* factor;
} Own;

// Limits are made no stiffer than this h^2 k / d: a step that lands deep in a stiffer one would be
// thrown back faster than it came. 0.1 is 50 Hz at 1 ms.
#define STIFFEST_LIMIT 0.1

// How much of a limit's stiffness k the step can resolve on the inertia d.
static double softenLimit(const snHybridStep* step, double k, double d)
{
    double z = step->h * step->h * k;
    return z > STIFFEST_LIMIT * d ? STIFFEST_LIMIT * d / z : 1;
}

static void softenAxisLimit(const snHybridStep* step, snPassive* p, int32_t k, double d)
{
    double lost = 1 - softenLimit(step, p->limit_k[k], d);
    p->f[k] -= lost * p->limit_f[k];
    p->k[k] -= lost * p->limit_k[k];
    p->c[k] -= lost * p->limit_c[k];
}

// Adds the servo of group g, implicitly; returns its inertia and drag. The torque it gives over the
// step is the explicit one, T, times d / (d + a) with the implicit inertia a of its gains. Where
// that exceeds the bound, the gains are scaled by the s that makes it the bound: s T d / (d + s a)
// = bound. So it stays stiff and damped, and does not overshoot what a step can resolve.
static Implicit resolveServo(const snHybridStep* step, Own own, int32_t g, int32_t width, double d)
{
    const snServoPull* pull = own.pull;
    Implicit full = makeImplicit(step, pull->k[g], pull->c[g], d);
    double square = 0, bound = pull->limit[g], late = full.drag - pull->c[g];
    for (int32_t i = g * width; i < (g + 1) * width; ++i) {
        double T = pull->torque[i] - late * own.qd[i];
        square += T * T;
    }
    double size = sqrt(square);
    bool beyond = size * d > bound * (d + full.inertia);
    double s = beyond ? bound * d / (size * d - bound * full.inertia) : 1;
    for (int32_t i = g * width; i < (g + 1) * width; ++i) {
        own.acting->f[i] += s * (pull->torque[i] + pull->c[g] * own.qd[i]);
    }
    return (Implicit){s * full.inertia, s * full.drag};
}

SN_KERNEL bool factorAxes(const snBone* b, const snBoneMotion* m, const snHybridStep* step, Own own,
                          snAxisFactor* axes, snInertia6* J)
{
    for (int32_t k = b->nv - 1; k >= 0; --k) {
        snVec3 s = m->axis[k];
        snAxisFactor* u = &axes[k];
        double d, least;
        if (snJoint_IsRotation(b->type, k)) {
            u->n = snSymTimes(J->A, s);
            u->f = snMatTVec(J->B, s);
            d = snDot(s, u->n);
            least = NO_INERTIA * (J->A.xx + J->A.yy + J->A.zz);
        } else {
            u->n = snMatVec(J->B, s);
            u->f = snSymTimes(J->M, s);
            d = snDot(s, u->f);
            least = NO_INERTIA * (J->M.xx + J->M.yy + J->M.zz);
        }
        if (own.def) {
            d += own.def->dof[k].armature;
        }
        if (own.acting) {
            softenAxisLimit(step, own.acting, k, d);
            Implicit add = makeImplicit(step, own.acting->k[k], own.acting->c[k], d);
            Implicit servo = own.pull ? resolveServo(step, own, k, 1, d) : (Implicit){0, 0};
            own.factor->f[k] = own.acting->f[k];
            own.factor->drag[k] = add.drag + servo.drag;
            d += add.inertia + servo.inertia;
        }
        if (!(d > least)) {
            return false;
        }
        u->inverse = 1 / d;
        removeAxis(J, u);
    }
    return true;
}

// The ball's own inertia K (armature, implicit springs, limits and servo), world axes; writes its
// torque and drag too.
static snSym3 ballInertia(const snBoneMotion* m, const snHybridStep* step, Own own, snSym3 A)
{
    snSym3 K = snSymDiagonal(own.def ? own.def->dof[0].armature : 0);
    if (own.acting) {
        snPassive* p = own.acting;
        double least = snSymLeast(A) + K.xx;
        Implicit add = makeImplicit(step, p->k[0], p->c[0], least);
        Implicit servo = own.pull ? resolveServo(step, own, 0, 3, least) : (Implicit){0, 0};
        K = snSymAdd(K, snSymDiagonal(add.inertia + servo.inertia));
        own.factor->ball_drag = snSymDiagonal(add.drag + servo.drag);
        for (int32_t i = 0; i < p->along_count; ++i) {
            // against the least inertia, usually the twist's: pushes turn with the limb and reach
            // it too
            double kept = softenLimit(step, p->along_k[i], least);
            p->f[0] -= (1 - kept) * p->along_f[i] * p->along[i].x;
            p->f[1] -= (1 - kept) * p->along_f[i] * p->along[i].y;
            p->f[2] -= (1 - kept) * p->along_f[i] * p->along[i].z;
            snVec3 n =
                snMulAdd(snMulAdd(snScale(p->along[i].x, m->axis[0]), p->along[i].y, m->axis[1]),
                         p->along[i].z, m->axis[2]);
            add = makeImplicit(step, kept * p->along_k[i], kept * p->along_c[i], least);
            K = snSymOuterAdd(K, add.inertia, n);
            own.factor->ball_drag = snSymOuterAdd(own.factor->ball_drag, add.drag, n);
        }
        snStore3(own.factor->f, snLoad3(p->f));
    }
    return K;
}

// Eliminates all three rotations at once. With Y'Y = (A + K)^-1, X = Y B, Z = Y K:
// A' = K - Z'Z, B' = Z'X, M' = M - X'X.
static bool factorBall(const snBoneMotion* m, const snHybridStep* step, Own own, snBallFactor* ball,
                       snInertia6* J)
{
    bool bare = !own.def && !own.acting; // then K = 0
    ball->K = bare ? snSymDiagonal(0) : ballInertia(m, step, own, J->A);
    bool ok = snRoot3_Find(bare ? J->A : snSymAdd(J->A, ball->K), &ball->Y);
    ball->X = snRoot3_TimesMat(&ball->Y, J->B);
    J->M = snSymSub(J->M, snSymSquare(ball->X));
    J->A = snSymDiagonal(0);
    J->B = snMat3_Diagonal(0, 0, 0);
    if (!bare) {
        snMat3 Z = snRoot3_TimesMat(&ball->Y, snMatFromSym(ball->K));
        J->A = snSymSub(ball->K, snSymSquare(Z));
        J->B = snMatMul(snTranspose(Z), ball->X);
    }
    return ok;
}

// Then the three travels: Yl'Yl = (M' + kl)^-1, Xl = Yl B'^T, A'' = A' - Xl'Xl, B'' = kl Xl'Yl,
// M'' = kl - kl^2 Yl'Yl.
static bool factorTravel(const snHybridStep* step, Own own, snBallFactor* ball, snInertia6* J)
{
    ball->kl = own.def ? own.def->dof[1].armature : 0;
    if (own.acting) {
        double least = snSymLeast(J->M) + ball->kl;
        Implicit add = makeImplicit(step, own.acting->k[1], own.acting->c[1], least);
        Implicit servo = own.pull ? resolveServo(step, own, 1, 3, least) : (Implicit){0, 0};
        snStore3(own.factor->f + 3, snLoad3(own.acting->f + 3));
        ball->kl += add.inertia + servo.inertia;
        own.factor->drag[1] = add.drag + servo.drag;
    }
    bool ok = snRoot3_Find(snSymAdd(J->M, snSymDiagonal(ball->kl)), &ball->Yl);
    snMat3 Z = snRoot3_TimesMat(&ball->Yl, snMat3_Diagonal(ball->kl, ball->kl, ball->kl));
    ball->Xl = snRoot3_TimesMat(&ball->Yl, snTranspose(J->B));
    J->A = snSymSub(J->A, snSymSquare(ball->Xl));
    J->B = snMatMul(snTranspose(ball->Xl), Z);
    J->M = snSymSub(snSymDiagonal(ball->kl), snSymSquare(Z));
    return ok;
}

// A prescribed joint only reports its torque: its drag is the plain damping.
static void factorPrescribed(const snBoneMotion* m, Own own)
{
    if (own.acting) {
        snHybridStep now = {0};
        for (int32_t k = 0; k < 3; ++k) {
            own.factor->drag[k] = own.acting->c[k];
        }
        ballInertia(m, &now, own, snSymDiagonal(0));
        for (int32_t k = 0; k < 6; ++k) {
            own.factor->f[k] = own.acting->f[k];
        }
    }
}

// Takes the joint out of J, the inertia that the parent feels.
static bool factorJoint(const snSkeleton* skeleton, int32_t i, const snBoneMotion* m,
                        const snHybridStep* step, snFactor* factor, snInertia6* J)
{
    const snBone* b = &skeleton->bones[i];
    const double* q = step->q + b->qi;
    bool servo = step->servo && step->servo[i];
    snPassive acting;
    snServoPull pull;
    Own own = {b->passive >= 0 ? &skeleton->passives[b->passive] : NULL, NULL, NULL,
               step->qd + b->vi, &factor->joints[i]};
    if (own.def && snPassive_Acts(b, own.def, q)) {
        snPassive_Eval(b, own.def, q, own.qd, &acting);
        own.acting = &acting;
    } else if (servo) {
        acting = (snPassive){0};
        own.acting = &acting;
    }
    factor->bones[i].acts = own.acting != NULL;
    if (step->prescribed && step->prescribed[i]) {
        factorPrescribed(m, own);
        return true;
    }
    if (servo) {
        snServo target = snServo_Of(step->targets, b);
        snPassive_Servo(b, &target, q, own.qd, &pull);
        own.pull = &pull;
    }
    if (b->ball < 0) {
        return factorAxes(b, m, step, own, factor->axes + b->vi, J);
    }
    snBallFactor* ball = &factor->balls[b->ball];
    return factorBall(m, step, own, ball, J) &&
           (b->type == sn_jointBall || factorTravel(step, own, ball, J));
}

// What a bone alone resists acceleration with.
static inline snInertia6 ownInertia(const snSkeleton* skeleton, int32_t i,
                                    const snBoneMotion* motion, const snHybridStep* step)
{
    snInertia6 J = snInertia6_Rigid(&skeleton->bones[i], &motion[i]);
    if (step->drag) {
        const snInertia6* d = &step->drag[i];
        J.A = snSymAdd(J.A, d->A);
        J.B = snMatAdd(J.B, d->B);
        J.M = snSymAdd(J.M, d->M);
    }
    return J;
}

// Articulated inertia of one bone; false when its joint has nothing to move.
static inline bool factorBone(const snSkeleton* skeleton, int32_t i, const snBoneMotion* motion,
                              const snHybridStep* step, snFactor* factor)
{
    const snBone* b = &skeleton->bones[i];
    if (b->last < 0) {
        factor->bones[i].J = ownInertia(skeleton, i, motion, step);
    }
    snInertia6 J = factor->bones[i].J;
    if (!factorJoint(skeleton, i, &motion[i], step, factor, &J)) {
        return false;
    }
    if (b->parent >= 0) {
        const snBone* up = &skeleton->bones[b->parent];
        if (up->last == i) { // the first child met starts the sum
            factor->bones[b->parent].J = ownInertia(skeleton, b->parent, motion, step);
        }
        snInertia6_AddShifted(&factor->bones[b->parent].J, &J, motion[i].r);
    }
    return true;
}

// Solve -----------------------------------------------------------------------

SN_KERNEL snVec3 alongAxes(const snVec3 axis[3], const double* x)
{
    return snMulAdd(snMulAdd(snScale(x[0], axis[0]), x[1], axis[1]), x[2], axis[2]);
}

SN_KERNEL void storeAlongAxes(const snVec3 axis[3], snVec3 v, double* x)
{
    x[0] = snDot(axis[0], v), x[1] = snDot(axis[1], v), x[2] = snDot(axis[2], v);
}

// Takes the joint's torques into the bias p on its way to the parent; axes one by one.
SN_KERNEL void loadAxes(const snBone* b, const snBoneMotion* m, const double* tau, const double* qd,
                        const snJointFactor* own, snAxisFactor* axes, snWrench* p)
{
    for (int32_t k = b->nv - 1; k >= 0; --k) {
        snAxisFactor* u = &axes[k];
        double torque = tau ? tau[k] : 0;
        if (own) {
            torque += own->f[k] - own->drag[k] * qd[k];
        }
        u->y =
            u->inverse * (torque - snDot(m->axis[k], snJoint_IsRotation(b->type, k) ? p->n : p->f));
        p->n = snMulAdd(p->n, u->y, u->n);
        p->f = snMulAdd(p->f, u->y, u->f);
    }
}

SN_KERNEL snVec3 ownTorque(const snBoneMotion* m, const double* tau, const double* f)
{
    snVec3 torque = tau ? alongAxes(m->axis, tau) : snV3(0, 0, 0);
    return f ? snAdd(torque, alongAxes(m->axis, f)) : torque;
}

// Ball: x = Y (tau - n), y = Y'x, n' = tau - K y, f' = f + X'x. Free: then xl = Yl (tau_l - f') and
// likewise.
SN_KERNEL void loadBall(const snBone* b, const snBoneMotion* m, const double* tau, const double* qd,
                        const snJointFactor* own, snBallFactor* ball, snWrench* p)
{
    snVec3 torque = ownTorque(m, tau, own ? own->f : NULL);
    if (own) {
        torque = snSub(torque, snSymTimes(own->ball_drag, alongAxes(m->axis, qd)));
    }
    snVec3 x = snRoot3_Times(&ball->Y, snSub(torque, p->n));
    ball->y = snRoot3_TTimes(&ball->Y, x);
    p->n = snSub(torque, snSymTimes(ball->K, ball->y));
    p->f = snAdd(p->f, snMatTVec(ball->X, x));
    if (b->type == sn_jointFree) {
        snVec3 push = ownTorque(m, tau ? tau + 3 : NULL, own ? own->f + 3 : NULL);
        if (own) {
            push = snMulAdd(push, -own->drag[1], alongAxes(m->axis, qd + 3));
        }
        snVec3 xl = snRoot3_Times(&ball->Yl, snSub(push, p->f));
        ball->yl = snRoot3_TTimes(&ball->Yl, xl);
        p->n = snAdd(p->n, snMatTVec(ball->Xl, xl));
        p->f = snMulAdd(push, -ball->kl, ball->yl);
    }
}

SN_KERNEL void accelerateAxes(const snBone* b, const snBoneMotion* m, const snAxisFactor* axes,
                              snVec3* dw, snVec3* dv, double* qdd)
{
    for (int32_t k = 0; k < b->nv; ++k) {
        const snAxisFactor* u = &axes[k];
        qdd[k] = u->y - u->inverse * (snDot(u->n, *dw) + snDot(u->f, *dv));
        if (snJoint_IsRotation(b->type, k)) {
            *dw = snMulAdd(*dw, qdd[k], m->axis[k]);
        } else {
            *dv = snMulAdd(*dv, qdd[k], m->axis[k]);
        }
    }
}

// Free: a_l = yl - dv + Yl'(Yl kl dv - Xl dw). Ball: a_w = y - dw + Y'(Y K dw - X dv).
SN_KERNEL void accelerateBall(const snBone* b, const snBoneMotion* m, const snBallFactor* ball,
                              snVec3* dw, snVec3* dv, double* qdd)
{
    if (b->type == sn_jointFree) {
        snVec3 pull =
            snSub(snRoot3_Times(&ball->Yl, snScale(ball->kl, *dv)), snMatVec(ball->Xl, *dw));
        snVec3 travel = snSub(snAdd(ball->yl, snRoot3_TTimes(&ball->Yl, pull)), *dv);
        storeAlongAxes(m->axis, travel, qdd + 3);
        *dv = snAdd(*dv, travel);
    }
    snVec3 pull = snSub(snRoot3_Times(&ball->Y, snSymTimes(ball->K, *dw)), snMatVec(ball->X, *dv));
    snVec3 turn = snSub(snAdd(ball->y, snRoot3_TTimes(&ball->Y, pull)), *dw);
    storeAlongAxes(m->axis, turn, qdd);
    *dw = snAdd(*dw, turn);
}

// The torque a prescribed joint needs: what passes through it, its armature, less what acts in it
// anyway.
static void reportTorque(const snBone* b, const snBoneMotion* m, const snPassiveDef* def,
                         const snJointFactor* own, const snBoneFactor* f, const double* qd,
                         const double* qdd, double* tau)
{
    snWrench F = snInertia6_Times(&f->J, m->dw, m->dv);
    F = snWrenchAdd(F, snWrenchFrom(f->pn, f->pf));
    bool ball = b->ball >= 0;
    if (ball && own) {
        F.n = snAdd(F.n, snSymTimes(own->ball_drag, alongAxes(m->axis, qd)));
    }
    for (int32_t k = 0; k < b->nv; ++k) {
        bool rotation = snJoint_IsRotation(b->type, k);
        int32_t group = ball ? k / 3 : k;
        tau[k] = snDot(m->axis[ball ? k % 3 : k], rotation ? F.n : F.f);
        if (def) {
            tau[k] += def->dof[group].armature * qdd[k];
        }
        if (own) {
            tau[k] -= own->f[k];
            tau[k] += ball && rotation ? 0 : own->drag[group] * qd[k];
        }
    }
}

// Bias wrench of a bone alone: w x (I w) and m w x (w x c), less the outer wrench. Accelerations
// are less gravity's, which drag must not feel.
static inline void startBias(const snSkeleton* skeleton, int32_t i, const snBoneMotion* motion,
                             const snHybridStep* step, const snHybridLoad* load, snBoneFactor* f)
{
    const snBoneMotion* m = &motion[i];
    f->pn = snCross(m->w, snSymTimes(m->I, m->w));
    f->pf = snScale(skeleton->bones[i].mass, snCross(m->w, snCross(m->w, m->c)));
    if (load->external) {
        f->pn = snSub(f->pn, load->external[i].n);
        f->pf = snSub(f->pf, load->external[i].f);
    }
    if (step->drag) {
        const snInertia6* drag = &step->drag[i];
        f->pn = snAdd(f->pn, snMatVec(drag->B, load->gravity));
        f->pf = snAdd(f->pf, snSymTimes(drag->M, load->gravity));
    }
}

// Articulated bias wrench of one bone.
static inline void loadBone(const snSkeleton* skeleton, int32_t i, const snBoneMotion* motion,
                            const snHybridStep* step, const snHybridLoad* load, snFactor* factor)
{
    const snBone* b = &skeleton->bones[i];
    const snBoneMotion* m = &motion[i];
    snBoneFactor* f = &factor->bones[i];
    bool prescribed = step->prescribed && step->prescribed[i];
    if (b->last < 0) {
        startBias(skeleton, i, motion, step, load, f);
    }
    snVec3 zw = m->zw, zv = m->zv;
    if (prescribed && load->qdd) {
        snTwist u = snKinematics_JointTwist(b, m, load->qdd + b->vi);
        zw = snAdd(zw, u.w), zv = snAdd(zv, u.v);
    }
    snWrench p = snWrenchAdd(snWrenchFrom(f->pn, f->pf), snInertia6_Times(&f->J, zw, zv));
    if (!prescribed) {
        const double* tau = load->tau ? load->tau + b->vi : NULL;
        const double* qd = step->qd + b->vi;
        const snJointFactor* own = f->acts ? &factor->joints[i] : NULL;
        if (b->ball >= 0) {
            loadBall(b, m, tau, qd, own, &factor->balls[b->ball], &p);
        } else {
            loadAxes(b, m, tau, qd, own, factor->axes + b->vi, &p);
        }
    }
    if (b->parent >= 0) {
        snBoneFactor* up = &factor->bones[b->parent];
        if (skeleton->bones[b->parent].last == i) { // the first child met starts the sum
            startBias(skeleton, b->parent, motion, step, load, up);
        }
        up->pn = snAdd(up->pn, snAdd(p.n, snCross(m->r, p.f)));
        up->pf = snAdd(up->pf, p.f);
    }
}

static void sweepAccelerations(const snSkeleton* skeleton, snBoneMotion* motion,
                               const snHybridStep* step, const snHybridLoad* load,
                               const snFactor* factor, double* qdd)
{
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        const snBone* b = &skeleton->bones[i];
        snBoneMotion* m = &motion[i];
        snVec3 dw = snV3(0, 0, 0), dv = snNeg(load->gravity);
        if (b->parent >= 0) {
            dw = motion[b->parent].dw;
            dv = snAdd(motion[b->parent].dv, snCross(dw, m->r));
        }
        double* a = qdd + b->vi;
        if (step->prescribed && step->prescribed[i]) {
            for (int32_t k = 0; k < b->nv; ++k) {
                a[k] = load->qdd ? load->qdd[b->vi + k] : 0;
            }
            snTwist u = snKinematics_JointTwist(b, m, a);
            dw = snAdd(dw, u.w), dv = snAdd(dv, u.v);
        } else if (b->ball >= 0) {
            accelerateBall(b, m, &factor->balls[b->ball], &dw, &dv, a);
        } else {
            accelerateAxes(b, m, factor->axes + b->vi, &dw, &dv, a);
        }
        m->dw = snAdd(dw, m->zw);
        m->dv = snAdd(dv, m->zv);
    }
}

static void reportTorques(const snSkeleton* skeleton, const snBoneMotion* motion,
                          const snHybridStep* step, const snHybridLoad* load,
                          const snFactor* factor, const double* qdd, double* tau)
{
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        const snBone* b = &skeleton->bones[i];
        if (step->prescribed && step->prescribed[i]) {
            reportTorque(b, &motion[i], b->passive >= 0 ? &skeleton->passives[b->passive] : NULL,
                         factor->bones[i].acts ? &factor->joints[i] : NULL, &factor->bones[i],
                         step->qd + b->vi, qdd + b->vi, tau + b->vi);
        } else {
            for (int32_t k = b->vi; k < b->vi + b->nv; ++k) {
                tau[k] = load->tau ? load->tau[k] : 0;
            }
        }
    }
}

// The recursions --------------------------------------------------------------

static void finishSolve(const snSkeleton* skeleton, snBoneMotion* motion, const snHybridStep* step,
                        const snHybridLoad* load, snFactor* factor, double* qdd, double* tau)
{
    sweepAccelerations(skeleton, motion, step, load, factor, qdd);
    if (tau) {
        reportTorques(skeleton, motion, step, load, factor, qdd, tau);
    }
}

// both backward recursions in one pass: each bone is fetched once
bool SN_ISA_NAME(snBonesRun)(const snSkeleton* skeleton, snBoneMotion* motion,
                             const snHybridStep* step, const snHybridLoad* load, snFactor* factor,
                             double* qdd, double* tau, int32_t* bad)
{
    for (int32_t i = skeleton->bone_count - 1; i >= 0; --i) {
        if (!factorBone(skeleton, i, motion, step, factor)) {
            *bad = i;
            return false;
        }
        loadBone(skeleton, i, motion, step, load, factor);
    }
    finishSolve(skeleton, motion, step, load, factor, qdd, tau);
    return true;
}

void SN_ISA_NAME(snBonesAgain)(const snSkeleton* skeleton, snBoneMotion* motion,
                               const snHybridStep* step, const snHybridLoad* load, snFactor* factor,
                               double* qdd, double* tau)
{
    for (int32_t i = skeleton->bone_count - 1; i >= 0; --i) {
        loadBone(skeleton, i, motion, step, load, factor);
    }
    finishSolve(skeleton, motion, step, load, factor, qdd, tau);
}

// A ball or free root's answer: as loadBall and accelerateBall, nothing else acting.
static snTwist answerBall(const snBone* b, const snBallFactor* ball, snWrench bias)
{
    snVec3 x = snRoot3_Times(&ball->Y, snNeg(bias.n)), travel = snV3(0, 0, 0);
    snVec3 turn = snRoot3_TTimes(&ball->Y, x);
    if (b->type == sn_jointFree) {
        snVec3 f = snAdd(bias.f, snMatTVec(ball->X, x));
        travel = snRoot3_TTimes(&ball->Yl, snRoot3_Times(&ball->Yl, snNeg(f)));
        snVec3 pull = snNeg(snMatVec(ball->X, travel));
        turn = snAdd(turn, snRoot3_TTimes(&ball->Y, pull));
    }
    return snTwistFrom(turn, travel);
}

snTwist SN_ISA_NAME(snBonesAnswer)(const snSkeleton* skeleton, int32_t root,
                                   const snBoneMotion* motion, snFactor* factor, snWrench bias)
{
    const snBone* b = &skeleton->bones[root];
    const snBoneMotion* m = &motion[root];
    if (b->ball >= 0) {
        return answerBall(b, &factor->balls[b->ball], bias);
    }
    snVec3 dw = snV3(0, 0, 0), dv = dw;
    double qdd[6];
    loadAxes(b, m, NULL, NULL, NULL, factor->axes + b->vi, &bias);
    accelerateAxes(b, m, factor->axes + b->vi, &dw, &dv, qdd);
    return snTwistFrom(dw, dv);
}
