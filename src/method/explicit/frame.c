// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// One instant as a user wants it.
#include "math/quat.h"
#include "method/explicit/actor.h"

// Frame positions are relative to multiples of this, m.
#define FRAME_ORIGIN 1024.0

static double frameOrigin(double x)
{
    return FRAME_ORIGIN * floor(x / FRAME_ORIGIN + 0.5);
}

static void packNodes(const snActorSpace* a, snVec3 shift)
{
    for (int32_t i = 0; i < a->flesh->tets.node_count; ++i) {
        const snVec4f *x = &a->nodes.x[i], *v = &a->nodes.v[i];
        float* p = a->node_positions + 3 * (size_t)i;
        float* u = a->node_velocities + 3 * (size_t)i;
        p[0] = (float)(shift.x + (double)x->x);
        p[1] = (float)(shift.y + (double)x->y);
        p[2] = (float)(shift.z + (double)x->z);
        u[0] = v->x, u[1] = v->y, u[2] = v->z;
    }
}

// Fixed nodes' mass counts with the bones.
snEnergy snActor_Energy(snActorSpace* a, const snActorState* s, snTasks* tasks, snVec3 gravity,
                        const snWhole* flesh)
{
    snEnergy e = snBalance_Energy(a->skeleton, a->ws.motion, s->q, s->qd, gravity);
    for (int32_t i = 0; a->flesh && i < a->flesh->tets.node_count; ++i) {
        if (a->flesh->inverse_mass[i] > 0) {
            const snVec4f* v = &a->nodes.v[i];
            double x = (double)v->x, y = (double)v->y, z = (double)v->z;
            e.kinetic += 0.5 * (double)a->flesh->node_mass[i] * (x * x + y * y + z * z);
        }
    }
    if (a->flesh) {
        e.gravity -= flesh->momentum.mass * snDot(gravity, flesh->momentum.com);
        e.elastic +=
            snCells_Energy(a->flesh->cells, tasks, a->nodes.isa, a->nodes.x, a->nodes.cells_work);
    }
    return e;
}

typedef struct FrameJob {
    snExplicitData* data;
    snTasks* tasks;
    void* state;
    snVec3 moved; // by shifts of the origin
} FrameJob;

static void writeSums(snActorSpace* a, const FrameJob* job, snFrameCharacter* out)
{
    const snActorState s = snActor_State(a, job->state);
    const snBoneMotion* motion = a->ws.motion;
    snVec3 gravity = job->data->head.world->gravity;
    snWhole flesh = {0};
    out->momentum = snBalance_Momentum(a->skeleton, motion, NULL);
    if (a->flesh) {
        const snNodesHead* head = a->nodes.head;
        snWhole bones = snWhole_OfBones(a->skeleton, motion);
        flesh = snNodes_Whole(&a->nodes, job->tasks);
        out->momentum = snWhole_Join(&bones, &flesh).momentum;
        snVec3 arm = snSub(head->origin, out->momentum.com);
        out->contact_load = head->load;
        out->contact_load.n = snAdd(head->load.n, snCross(arm, head->load.f));
    }
    out->energy = snActor_Energy(a, &s, job->tasks, gravity, &flesh);
    out->momentum.com = snAdd(out->momentum.com, job->moved);
    out->energy.gravity -= out->momentum.mass * snDot(gravity, job->moved);
}

static void writeBalance(snActorSpace* a, const FrameJob* job, int32_t index, snFrameCharacter* out)
{
    const snAccount* account = snMethodData_Account(&job->data->head, job->state, index);
    if (account) {
        const snActorState s = snActor_State(a, job->state);
        const snWhole none = {0};
        snEnergy e = snActor_Energy(a, &s, job->tasks, snV3(0, 0, 0), &none);
        snEnergyBalance* balance = &job->data->head.balances[index];
        *balance = snAccount_Balance(account, e.kinetic + e.elastic);
        out->balance = balance;
    }
}

static void writeSurface(snActorSpace* a, const FrameJob* job, uint32_t wanted, snVec3 shift,
                         snFrameCharacter* out)
{
    a->surface.position = wanted & sn_wantedSurface ? a->surface_position : NULL;
    a->surface.normal = wanted & sn_wantedNormals ? a->surface_normal : NULL;
    if (a->surface.position || a->surface.normal) {
        snSkin_Update(a->actor->character->skin, job->tasks, job->data->head.isa, a->nodes.x, shift,
                      a->skin_work, a->surface_position,
                      a->surface.normal ? a->surface_normal : NULL);
        out->surface_count = 1;
        out->surfaces = &a->surface;
    }
}

static void writeFlesh(snActorSpace* a, const FrameJob* job, int32_t index, uint32_t wanted,
                       snFrameCharacter* out)
{
    const snNodesHead* head = a->nodes.head;
    snVec3 there = snAdd(head->origin, job->moved);
    out->origin = snV3(frameOrigin(there.x), frameOrigin(there.y), frameOrigin(there.z));
    snVec3 shift = snSub(there, out->origin);
    writeSurface(a, job, wanted, shift, out);
    if (wanted & sn_wantedNodes) {
        packNodes(a, shift);
        out->node_count = a->flesh->tets.node_count;
        out->nodes = a->node_positions;
        out->node_velocities = a->node_velocities;
    }
    out->diagonalized = head->diagonalized;
    out->inverted = head->inverted;
    out->contact_count = (int32_t)head->touching;
    out->depth = head->depth;
    out->deepest = head->deepest;
    out->deepest_part = head->squeezed;
    out->is_asleep = snSurroundings_IsAtRest(&job->data->head.around, job->state, index);
}

static void writePose(snActorSpace* a, const FrameJob* job, snFrameCharacter* out)
{
    const snActorState s = snActor_State(a, job->state);
    const snBoneMotion* motion = a->ws.motion;
    for (int32_t j = 0; j < a->skeleton->bone_count; ++j) {
        a->bones[j] = (snTransform){snAdd(motion[j].p, job->moved), snQFromMat(motion[j].R)};
        a->twists[j] = snTwistFrom(motion[j].w, motion[j].v);
    }
    out->bone_count = a->skeleton->bone_count;
    out->bones = a->bones;
    out->twists = a->twists;
    out->q = s.q;
    out->qd = s.qd;
    out->tau = s.tau;
    out->power = s.effort->power;
    out->peak_power = s.effort->peak_power;
    out->peak_torque = s.effort->peak_torque;
}

static void writeActor(void* argument, int index, int worker)
{
    const FrameJob* job = argument;
    snActorSpace* a = &job->data->actors[index];
    snFrameCharacter* out = &job->data->head.characters[index];
    uint32_t wanted = job->data->head.wants[index].wanted;
    snActorState s = snActor_State(a, job->state);
    (void)worker;
    *out = (snFrameCharacter){.name = a->actor->character->name};
    snKinematics_State(a->skeleton, s.q, s.qd, a->ws.base, a->ws.motion);
    if (wanted & sn_wantedPose) {
        writePose(a, job, out);
    }
    if (a->flesh) {
        writeFlesh(a, job, index, wanted, out);
    }
    if (wanted & sn_wantedSums) {
        writeSums(a, job, out);
    }
    writeBalance(a, job, index, out);
}

void snExplicit_WriteFrame(snMethodData* data, snTasks* tasks, void* state, snVec3 shift)
{
    FrameJob job = {snExplicitData_Of(data), tasks, state, shift};
    snActors_Run(job.data, tasks, data->actor_count, writeActor, &job);
}
