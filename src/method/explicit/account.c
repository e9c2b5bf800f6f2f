// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What does work on a character in a step, for those who want its balance. Forces are those that
// the step took at its middle; velocities are means of before and after the kick, so that force
// times velocity times the step is what the kick does to the kinetic energy. While a step is done
// the frame's arrays of nodes are free: velocities before the kick lie in node_velocities, forces
// of fields in node_positions.
#include "math/twist.h"
#include "method/explicit/actor.h"
#include "skel/joint.h"
#include <string.h>

static snVec3 widen(const snVec4f* a)
{
    return snV3((double)a->x, (double)a->y, (double)a->z);
}

static snVec3 packed(const float* array, int32_t i)
{
    const float* p = array + 3 * (size_t)i;
    return snV3((double)p[0], (double)p[1], (double)p[2]);
}

static double heldBy(snActorSpace* a, const snActorState* s, snTasks* tasks)
{
    const snWhole none = {0};
    snEnergy e = snActor_Energy(a, s, tasks, snV3(0, 0, 0), &none);
    return e.kinetic + e.elastic;
}

// In gravity, J, with the bones where the workspace has them.
static double heightOf(const snActorSpace* a, snVec3 gravity)
{
    double sum = a->skeleton->mass * snDot(gravity, snBalance_Centre(a->skeleton, a->ws.motion));
    for (int32_t i = 0; a->flesh && i < a->flesh->tets.node_count; ++i) {
        if (a->flesh->inverse_mass[i] > 0) {
            snVec3 x = snAdd(widen(&a->nodes.x[i]), widen(&a->nodes.lost[i]));
            x = snAdd(x, a->nodes.head->origin);
            sum += (double)a->flesh->node_mass[i] * snDot(gravity, x);
        }
    }
    return -sum;
}

void snActor_OpenAccount(snActorSpace* a, const snActorState* s, snTasks* tasks, snVec3 gravity)
{
    size_t count = a->flesh ? (size_t)a->flesh->tets.node_count : 0;
    snKinematics_State(a->skeleton, s->q, s->qd, a->ws.base, a->ws.motion);
    if (!a->account->known) {
        snAccount_Begin(a->account, heldBy(a, s, tasks));
    }
    a->height = heightOf(a, gravity);
    for (size_t i = 0; i < count; ++i) {
        memcpy(a->node_velocities + 3 * i, &a->nodes.v[i], 3 * sizeof(float));
    }
    memset(a->node_positions, 0, 3 * count * sizeof(float));
}

// Strain-rate damping is what forces lack without velocities.
void snActor_FindViscous(snActorSpace* a, snTasks* tasks)
{
    if (a->viscous) {
        snCells_Forces(a->flesh->cells, tasks, a->nodes.isa, a->nodes.x, NULL, a->nodes.cells_work,
                       a->viscous);
        for (int32_t i = 0; i < a->flesh->tets.node_count; ++i) {
            snVec4f *all = &a->nodes.f[i], *f = &a->viscous[i];
            *f = (snVec4f){all->x - f->x, all->y - f->y, all->z - f->z, 0};
        }
    }
}

// Joints ------------------------------------------------------------------------

// What acts inside a joint is T = f - drag qd as the step took it: softened limits, limits that
// have let go, bounded servos and all. What springs and limits would give by the energy that they
// hold is its elastic part, what servos report is their own; the rest is lost. Returns that power,
// W.
static double jointLoss(const snActorSpace* a, int32_t bone)
{
    static const double STILL[6] = {0};
    const snBone* b = &a->skeleton->bones[bone];
    const snJointFactor* own = &a->ws.factor.joints[bone];
    const double *qd = a->ws.qd_mid + b->vi, *tau = a->ws.tau + b->vi;
    bool ball = b->ball >= 0;
    snPassive held;
    double power = 0;
    if (!a->ws.factor.bones[bone].acts) {
        return 0;
    }
    snPassive_Eval(b, b->passive >= 0 ? &a->skeleton->passives[b->passive] : NULL,
                   a->ws.q_mid + b->qi, STILL, &held);
    for (int32_t k = 0; k < b->nv; ++k) {
        double drag = ball ? (k < 3 ? 0 : own->drag[1]) : own->drag[k];
        double servo = a->ws.servo[bone] ? tau[k] : 0;
        power += (own->f[k] - drag * qd[k] - held.f[k] - servo) * qd[k];
    }
    if (ball) {
        const snVec3* axis = a->ws.motion[bone].axis;
        snVec3 w = snMulAdd(snMulAdd(snScale(qd[0], axis[0]), qd[1], axis[1]), qd[2], axis[2]);
        power -= snDot(w, snSymTimes(own->ball_drag, w));
    }
    return power;
}

static void noteJoints(snActorSpace* a, double h, bool dragged)
{
    double drives = 0, drags = 0, damping = 0;
    for (int32_t i = 0; i < a->skeleton->bone_count; ++i) {
        const snBone* b = &a->skeleton->bones[i];
        double power = 0;
        for (int32_t k = b->vi; k < b->vi + b->nv; ++k) {
            power += a->ws.tau[k] * a->ws.qd_mid[k];
        }
        if (dragged && a->direct.active[i]) {
            drags += power;
        } else {
            drives += power;
        }
        damping += jointLoss(a, i);
    }
    snAccount_Add(a->account, sn_workDrives, h * drives);
    snAccount_Add(a->account, sn_workDrags, h * drags);
    snAccount_Add(a->account, sn_workDamping, h * damping);
}

static double windPower(const snActorSpace* a)
{
    double power = 0;
    for (int32_t i = 0; a->blown && i < a->skeleton->bone_count; ++i) {
        const snBoneMotion* m = &a->ws.motion[i];
        power += snTwistDotWrench(snTwistFrom(m->w, m->v), a->winds[i]);
    }
    return power;
}

// Flesh -------------------------------------------------------------------------

// Velocity of what a node is damped against, or fixed to, at x relative to the origin.
static snVec3 carrierAt(const snActorSpace* a, int32_t node, snVec3 x)
{
    const snNodes* n = &a->nodes;
    const snDamper* damper = &a->flesh->dampers[node];
    int32_t fixed = a->flesh->binding.fixed[node];
    snVec3 at = snAdd(x, n->head->origin), v = snV3(0, 0, 0);
    if (a->skeleton->bone_count == 0) {
        snVec3 arm = snSub(x, widen(&n->centre));
        return snAdd(widen(&n->carriers[0].v), snCross(widen(&n->carriers[0].w), arm));
    }
    for (int k = 0; k < 4; ++k) {
        double weight = fixed >= 0 ? (k == 0) : (double)damper->weight[k];
        if (weight > 0) {
            const snBoneMotion* m = &a->ws.motion[fixed >= 0 ? fixed : damper->bone[k]];
            v = snMulAdd(v, weight, snAdd(m->v, snCross(m->w, snSub(at, m->p))));
        }
    }
    return v;
}

static void noteNodes(snActorSpace* a, double h, double drift)
{
    double contact = 0, fields = windPower(a), damping = 0;
    for (int32_t i = 0; a->flesh && i < a->flesh->tets.node_count; ++i) {
        snVec3 v = widen(&a->nodes.v[i]), x = snMulAdd(widen(&a->nodes.x[i]), -drift, v);
        snVec3 carrier = carrierAt(a, i, x), wind = packed(a->node_positions, i);
        if (a->flesh->inverse_mass[i] > 0) {
            v = snScale(0.5, snAdd(v, packed(a->node_velocities, i)));
            damping -= (double)a->flesh->node_mass[i] * (double)a->flesh->damping[i] *
                       snLengthSq(snSub(v, carrier));
        } else {
            v = carrier;
        }
        contact += snDot(snSub(widen(&a->nodes.push[i]), wind), v);
        fields += snDot(wind, v);
        damping += a->viscous ? snDot(widen(&a->viscous[i]), v) : 0;
    }
    snAccount_Add(a->account, sn_workContact, h * contact);
    snAccount_Add(a->account, sn_workFields, h * fields);
    snAccount_Add(a->account, sn_workDamping, h * damping);
}

// Rolling resistance is a moment that no point of contact has.
static void noteRolling(snActorSpace* a, snTasks* tasks, double h)
{
    bool ok;
    const snSoft* soft = a->flesh ? a->neighbour->soft : NULL;
    snVec3 n = soft ? snSub(a->nodes.head->load.n, soft->load.n) : snV3(0, 0, 0);
    if (snLengthSq(n) > 0) {
        snWhole bones = snWhole_OfBones(a->skeleton, a->ws.motion);
        snWhole flesh = snNodes_Whole(&a->nodes, tasks);
        snWhole all = snWhole_Join(&bones, &flesh);
        snVec3 w = snSymTimes(snSymInverse(all.inertia, &ok), all.momentum.angular);
        snAccount_Add(a->account, sn_workContact, ok ? h * snDot(n, w) : 0);
    }
}

void snActor_NoteWork(snActorSpace* a, const snActorState* s, snTasks* tasks, double h,
                      double drift, bool dragged)
{
    for (int32_t k = 0; k < a->skeleton->nv; ++k) {
        a->ws.qd_mid[k] = s->qd[k] - 0.5 * h * a->ws.qdd[k];
    }
    snKinematics_Velocity(a->skeleton, a->ws.qd_mid, a->ws.motion);
    noteJoints(a, h, dragged);
    noteNodes(a, h, drift);
    noteRolling(a, tasks, h);
}

void snActor_NoteGravity(snActorSpace* a, const snActorState* s, snVec3 gravity)
{
    snKinematics_State(a->skeleton, s->q, s->qd, a->ws.base, a->ws.motion);
    snAccount_Add(a->account, sn_workGravity, a->height - heightOf(a, gravity));
}

void snActor_HoldAccount(snActorSpace* a, void* state, snTasks* tasks)
{
    if (a->account) {
        const snActorState s = snActor_State(a, state);
        snKinematics_State(a->skeleton, s.q, s.qd, a->ws.base, a->ws.motion);
        a->account->held = heldBy(a, &s, tasks);
    }
}

void snActor_SettleAccount(snActorSpace* a, void* state, snTasks* tasks)
{
    if (a->account) {
        double before = a->account->held;
        snActor_HoldAccount(a, state, tasks);
        snAccount_Add(a->account, sn_workContact, a->account->held - before);
    }
}
