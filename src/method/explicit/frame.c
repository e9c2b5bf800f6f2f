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

// Kinetic, gravity's and elastic energy of the flesh; fixed nodes' mass counts with the bones.
static void addEnergy(snActorSpace* a, snTasks* tasks, snVec3 gravity, const snWhole* flesh,
                      snEnergy* e)
{
    for (int32_t i = 0; i < a->flesh->tets.node_count; ++i) {
        if (a->flesh->inverse_mass[i] > 0) {
            const snVec4f* v = &a->nodes.v[i];
            double x = (double)v->x, y = (double)v->y, z = (double)v->z;
            e->kinetic += 0.5 * (double)a->flesh->node_mass[i] * (x * x + y * y + z * z);
        }
    }
    e->gravity -= flesh->momentum.mass * snDot(gravity, flesh->momentum.com);
    e->elastic +=
        snCells_Energy(a->flesh->cells, tasks, a->nodes.isa, a->nodes.x, a->nodes.cells_work);
}

typedef struct FrameJob {
    snExplicitData* data;
    snTasks* tasks;
    void* state;
    snVec3 moved; // by shifts of the origin
} FrameJob;

static void writeFlesh(snActorSpace* a, const FrameJob* job, int32_t index, snFrameCharacter* out)
{
    snTasks* tasks = job->tasks;
    const snNodesHead* head = a->nodes.head;
    snWhole bones = snWhole_OfBones(a->skeleton, a->ws.motion);
    snWhole flesh = snNodes_Whole(&a->nodes, tasks);
    snWhole whole = snWhole_Join(&bones, &flesh);
    snVec3 o = head->origin;
    out->momentum = whole.momentum;
    snVec3 there = snAdd(o, job->moved);
    out->origin = snV3(frameOrigin(there.x), frameOrigin(there.y), frameOrigin(there.z));
    snVec3 shift = snSub(there, out->origin);
    addEnergy(a, tasks, job->data->head.world->gravity, &flesh, &out->energy);
    packNodes(a, shift);
    snSkin_Update(a->actor->character->skin, tasks, job->data->head.isa, a->nodes.x, shift,
                  a->skin_work, a->surface_position, a->surface_normal);
    out->surface_count = 1;
    out->surfaces = &a->surface;
    out->node_count = a->flesh->tets.node_count;
    out->nodes = a->node_positions;
    out->node_velocities = a->node_velocities;
    out->diagonalized = head->diagonalized;
    out->inverted = head->inverted;
    out->contact_count = (int32_t)head->touching;
    out->depth = head->depth;
    out->deepest = head->deepest;
    out->is_asleep = snSurroundings_IsAtRest(&job->data->head.around, job->state, index);
    out->contact_load = head->load;
    out->contact_load.n = snAdd(head->load.n, snCross(snSub(o, whole.momentum.com), head->load.f));
}

static void writeActor(void* argument, int index, int worker)
{
    const FrameJob* job = argument;
    snActorSpace* a = &job->data->actors[index];
    snFrameCharacter* out = &job->data->head.characters[index];
    const snSkeleton* skeleton = a->skeleton;
    snActorState s = snActor_State(a, job->state);
    const snBoneMotion* motion = a->ws.motion;
    snVec3 gravity = job->data->head.world->gravity;
    (void)worker;
    snKinematics_State(skeleton, s.q, s.qd, a->ws.base, a->ws.motion);
    for (int32_t j = 0; j < skeleton->bone_count; ++j) {
        a->bones[j] = (snTransform){snAdd(motion[j].p, job->moved), snQFromMat(motion[j].R)};
        a->twists[j] = snTwistFrom(motion[j].w, motion[j].v);
    }
    *out = (snFrameCharacter){
        .name = a->actor->character->name,
        .bone_count = skeleton->bone_count,
        .bones = a->bones,
        .twists = a->twists,
        .q = s.q,
        .qd = s.qd,
        .tau = s.tau,
        .momentum = snBalance_Momentum(skeleton, motion, NULL),
        .energy = snBalance_Energy(skeleton, motion, s.q, s.qd, gravity),
        .power = s.effort->power,
        .peak_power = s.effort->peak_power,
        .peak_torque = s.effort->peak_torque,
    };
    if (a->flesh) {
        writeFlesh(a, job, index, out);
    }
    out->momentum.com = snAdd(out->momentum.com, job->moved);
    out->energy.gravity -= out->momentum.mass * snDot(gravity, job->moved);
}

void snExplicit_WriteFrame(snMethodData* data, snTasks* tasks, void* state, snVec3 shift)
{
    FrameJob job = {snExplicitData_Of(data), tasks, state, shift};
    snActors_Run(job.data, tasks, data->actor_count, writeActor, &job);
}
