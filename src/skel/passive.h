// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Torques that act inside a joint by themselves: springs, dampers, limits, and servos.
#ifndef SN_SKEL_PASSIVE_H
#define SN_SKEL_PASSIVE_H

#include "skel/kinematics.h"

SN_BEGIN_C

// A limit's torque grows quadratically over this much of travel (rad or m), then linearly: it sets
// in smoothly, and a body resting on a limit lies about this deep in it. Larger values feel spongy.
#define SN_LIMIT_SOFTNESS 0.02

// A servo on one joint; arrays are the joint's own part.
typedef struct snServo {
    const double* q;  // target
    const double* qd; // target rate
    const double*
        kp; // gains and bounds in qd's order; rotation and travel of ball and free use the first
    const double* kd;    // of their three
    const double* limit; // largest torque
} snServo;

// A bone's part of whole-skeleton arrays.
static inline snServo snServo_Of(const snServo* all, const snBone* b)
{
    snServo own = {all->q + b->qi, all->qd + b->vi, all->kp + b->vi, all->kd + b->vi,
                   all->limit + b->vi};
    return own;
}

// The joint's own torque at a state, as f - C qd, with the stiffness K it changes by. One entry per
// dof group of snBoneDef.dof; ball and free: isotropic, plus directions that limits act along.
typedef struct snPassive {
    double f[6];       // in qd's order
    double k[3], c[3]; // per dof group, >= 0
    double limit_f[3]; // the part of f, k and c that comes from limits; not for ball and free
    double limit_k[3], limit_c[3];
    int32_t along_count;
    snVec3 along[2];   // ball's limits: gradients of the limited angles, anchor's frame
    double along_f[2]; // times the gradient: their part of f
    double along_k[2], along_c[2];
} snPassive;

// Does anything act in the joint at q, servos apart? False while a joint that has only limits is
// within them.
bool snPassive_Acts(const snBone* bone, const snPassiveDef* def, const double* q);

// Springs, dampers and limits of the joint at its (q, qd); def NULL: there are none.
void snPassive_Eval(const snBone* bone, const snPassiveDef* def, const double* q, const double* qd,
                    snPassive* out);

// What a servo wants: torque kp (target - q) + kd (target rate - qd), unbounded.
typedef struct snServoPull {
    double torque[6];            // in qd's order
    double k[3], c[3], limit[3]; // per dof group
} snServoPull;

void snPassive_Servo(const snBone* bone, const snServo* servo, const double* q, const double* qd,
                     snServoPull* out);

// The same, bounded; in qd's order.
void snPassive_ServoTorque(const snBone* bone, const snServo* servo, const double* q,
                           const double* qd, double* tau);

// Energy stored in springs and limits, J.
double snPassive_Energy(const snBone* bone, const snPassiveDef* def, const double* q);

SN_END_C

#endif
