// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "skel/passive.h"

#include "math/quat.h"
#include "math/trig.h"
#include "skel/joint.h"

// A one-sided spring at depth x > 0: torque k x^2 / 2w up to the softness w, then k (x - w/2).
typedef struct Stop {
    double f, k, c, energy;
} Stop;

static Stop pressStop(double x, double k, double d)
{
    const double w = SN_LIMIT_SOFTNESS;
    Stop s = {0, 0, 0, 0};
    if (x > 0) {
        double ramp = x < w ? x / w : 1;
        s.f = x < w ? 0.5 * k * x * ramp : k * (x - 0.5 * w);
        s.k = k * ramp;
        s.c = d * ramp;
        s.energy = x < w ? k * x * x * ramp / 6 : k * (0.5 * x * x - 0.5 * w * x + w * w / 6);
    }
    return s;
}

// How deep the coordinate is in one of its limits; *side is -1 at the lower, +1 at the upper one.
static double limitDepth(const snDofDef* dof, double x, double* side)
{
    *side = x < dof->lower ? -1 : 1;
    return x < dof->lower ? dof->lower - x : x - dof->upper;
}

// Adds a limit's push. It never pulls: on the way out the damper lets go before it would.
static void pushBack(Stop s, double side, double rate, double* f, double* k, double* c)
{
    if (s.f + s.c * side * rate > 0) {
        *f -= side * s.f;
        *k += s.k;
        *c += s.c;
    }
}

static void evalDof(const snPassiveDef* def, int32_t i, double q, double qd, snPassive* out)
{
    const snDofDef* dof = &def->dof[i];
    out->f[i] -= dof->stiffness * (q - dof->rest);
    out->k[i] += dof->stiffness;
    out->c[i] += dof->damping;
    double side, depth = limitDepth(dof, q, &side);
    pushBack(pressStop(depth, def->limit_k[i], def->limit_d[i]), side, qd, &out->limit_f[i],
             &out->limit_k[i], &out->limit_c[i]);
    out->f[i] += out->limit_f[i];
    out->k[i] += out->limit_k[i];
    out->c[i] += out->limit_c[i];
}

// Swing and twist of a rotation about the joint's axis.
typedef struct SwingTwist {
    double swing, twist; // rad
    snVec3 swing_axis;   // direction in which the swing angle grows; zero when there is none
    snVec3 twist_axis;   // direction in which the twist angle grows
    double
        weight; // of the twist: 1, fading to 0 near half a turn of swing, where it has no meaning
    snVec3 weight_gradient;
} SwingTwist;

// q = swing * twist. The gradient of the twist angle with respect to a rotation in the anchor's
// axes is (a + a') / (1 + a.a'), a' = R a; of the swing angle the unit normal of a and a'. The
// twist fades between cosines of -0.8 and -0.95 by t^3 (6 t^2 - 15 t + 10).
static SwingTwist splitRotation(snVec3 a, snQuat q)
{
    SwingTwist s;
    snVec3 moved = snQRotate(q, a), normal = snCross(a, moved);
    double cosine = snDot(a, moved);
    s.swing = snAtan2(snLength(normal), cosine);
    s.swing_axis = snNormalize(normal);
    s.twist = 2 * snAtan2(snDot(snV3(q.x, q.y, q.z), a), q.w);
    s.twist -= s.twist > SN_PI ? 2 * SN_PI : s.twist < -SN_PI ? -2 * SN_PI : 0;
    double t = (cosine + 0.95) / 0.15;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    s.weight = t * t * t * (t * (6 * t - 15) + 10);
    s.weight_gradient =
        snScale(-30 * t * t * (1 - t) * (1 - t) / 0.15, normal); // d cosine = -normal . d rotation
    s.twist_axis = snScale(t > 0 ? 1 / (1 + cosine) : 0, snAdd(a, moved));
    return s;
}

static void addAlong(snPassive* out, snVec3 gradient, Stop s, double side, double rate)
{
    double f = 0, k = 0, c = 0;
    pushBack(s, side, rate, &f, &k, &c);
    if (k > 0) {
        out->f[0] += f * gradient.x;
        out->f[1] += f * gradient.y;
        out->f[2] += f * gradient.z;
        out->along[out->along_count] = gradient;
        out->along_f[out->along_count] = f;
        out->along_k[out->along_count] = k;
        out->along_c[out->along_count] = c;
        out->along_count++;
    }
}

static snVec3 restTurn(const snDofDef* dof, snVec3 axis, snQuat q)
{
    return snQLog(snQMul(q, snQConj(snQFromAxisAngle(axis, dof->rest))));
}

static void evalBall(const snBone* bone, const snPassiveDef* def, snQuat q, snVec3 w,
                     snPassive* out)
{
    const snDofDef* dof = &def->dof[0];
    if (dof->stiffness > 0) {
        snVec3 turn = restTurn(dof, bone->axis, q);
        out->f[0] -= dof->stiffness * turn.x;
        out->f[1] -= dof->stiffness * turn.y;
        out->f[2] -= dof->stiffness * turn.z;
        out->k[0] += dof->stiffness;
    }
    out->c[0] += dof->damping;
    if (bone->type != sn_jointBall || !def->ball_limits) {
        return;
    }
    SwingTwist s = splitRotation(bone->axis, q);
    addAlong(out, s.swing_axis, pressStop(s.swing - def->swing, def->swing_k, def->swing_d), 1,
             snDot(s.swing_axis, w));
    double side, depth = limitDepth(dof, s.twist, &side);
    Stop twist = pressStop(depth, s.weight * def->limit_k[0], s.weight * def->limit_d[0]);
    addAlong(out, s.twist_axis, twist, side, snDot(s.twist_axis, w));
    double faded = pressStop(depth, def->limit_k[0], 0).energy;
    out->f[0] -= faded * s.weight_gradient.x;
    out->f[1] -= faded * s.weight_gradient.y;
    out->f[2] -= faded * s.weight_gradient.z;
}

static void evalTravel(const snDofDef* dof, snVec3 x, snPassive* out)
{
    // a free joint's spring pulls its origin back to the anchor
    for (int32_t i = 0; i < 3; ++i) {
        out->f[3 + i] -= dof->stiffness * (i == 0 ? x.x : i == 1 ? x.y : x.z);
    }
    out->k[1] += dof->stiffness;
    out->c[1] += dof->damping;
}

bool snPassive_Acts(const snBone* bone, const snPassiveDef* def, const double* q)
{
    bool ball = bone->type == sn_jointBall || bone->type == sn_jointFree;
    bool acts = ball && def->ball_limits;
    for (int32_t i = 0; i < snJoint_Shape(bone->type)->dof_count; ++i) {
        const snDofDef* dof = &def->dof[i];
        acts = acts || dof->stiffness > 0 || dof->damping > 0 ||
               (!ball && !(q[i] >= dof->lower && q[i] <= dof->upper));
    }
    return acts;
}

void snPassive_Eval(const snBone* bone, const snPassiveDef* def, const double* q, const double* qd,
                    snPassive* out)
{
    *out = (snPassive){0};
    if (!def) {
        return;
    }
    if (bone->type == sn_jointBall) {
        evalBall(bone, def, snLoadQ(q), snLoad3(qd), out);
    } else if (bone->type == sn_jointFree) {
        evalBall(bone, def, snLoadQ(q + 3), snLoad3(qd), out);
        evalTravel(&def->dof[1], snLoad3(q), out);
    } else {
        for (int32_t i = 0; i < snJoint_Shape(bone->type)->dof_count; ++i) {
            evalDof(def, i, q[i], qd[i], out);
        }
    }
}

void snPassive_Servo(const snBone* bone, const snServo* servo, const double* q, const double* qd,
                     snServoPull* out)
{
    double gap[6];
    int32_t width = bone->ball >= 0 ? 3 : 1;
    *out = (snServoPull){0};
    snJoint_Difference(bone->type, q, servo->q, gap);
    for (int32_t i = 0; i < bone->nv; ++i) {
        int32_t g = i / width, first = g * width; // gains of a group are those of its first
        out->k[g] = servo->kp[first];
        out->c[g] = servo->kd[first];
        out->limit[g] = servo->limit[first];
        out->torque[i] = out->k[g] * gap[i] + out->c[g] * (servo->qd[i] - qd[i]);
    }
}

void snPassive_ServoTorque(const snBone* bone, const snServo* servo, const double* q,
                           const double* qd, double* tau)
{
    snServoPull pull;
    int32_t width = bone->ball >= 0 ? 3 : 1;
    snPassive_Servo(bone, servo, q, qd, &pull);
    for (int32_t first = 0; first < bone->nv; first += width) {
        double square = 0, limit = pull.limit[first / width];
        for (int32_t i = first; i < first + width; ++i) {
            square += pull.torque[i] * pull.torque[i];
        }
        double scale = square > limit * limit ? limit / sqrt(square) : 1;
        for (int32_t i = first; i < first + width; ++i) {
            tau[i] = scale * pull.torque[i];
        }
    }
}

static double dofEnergy(const snPassiveDef* def, int32_t i, double x)
{
    const snDofDef* dof = &def->dof[i];
    double side, depth = limitDepth(dof, x, &side), stretch = x - dof->rest;
    return 0.5 * dof->stiffness * stretch * stretch + pressStop(depth, def->limit_k[i], 0).energy;
}

static double ballEnergy(const snBone* bone, const snPassiveDef* def, snQuat q)
{
    const snDofDef* dof = &def->dof[0];
    double energy = 0.5 * dof->stiffness * snLengthSq(restTurn(dof, bone->axis, q));
    if (bone->type == sn_jointBall && def->ball_limits) {
        SwingTwist s = splitRotation(bone->axis, q);
        double side, depth = limitDepth(dof, s.twist, &side);
        energy += pressStop(s.swing - def->swing, def->swing_k, 0).energy;
        energy += s.weight * pressStop(depth, def->limit_k[0], 0).energy;
    }
    return energy;
}

double snPassive_Energy(const snBone* bone, const snPassiveDef* def, const double* q)
{
    double energy = 0;
    if (bone->type == sn_jointBall) {
        energy = ballEnergy(bone, def, snLoadQ(q));
    } else if (bone->type == sn_jointFree) {
        energy = ballEnergy(bone, def, snLoadQ(q + 3)) +
                 0.5 * def->dof[1].stiffness * snLengthSq(snLoad3(q));
    } else {
        for (int32_t i = 0; i < snJoint_Shape(bone->type)->dof_count; ++i) {
            energy += dofEnergy(def, i, q[i]);
        }
    }
    return energy;
}
