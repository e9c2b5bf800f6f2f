// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Memory of the explicit method, and where everything starts.
#include "method/explicit/actor.h"
#include "method/explicit/explicit.h"
#include "skel/joint.h"
#include <string.h>

// Flesh that its own weight strains by less than this has its strains in double: some hundred times
// the rounding of float kernels, which adds up.
#define STIFF_STRAIN 1e-4

// With fewer cells a pass takes no longer than other threads take to join in.
#define LARGE_CELLS 3000

static size_t roundUp(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static size_t boneStateSize(const snSkeleton* s)
{
    size_t numbers = (size_t)s->nq + 2 * (size_t)s->nv;
    return roundUp(sizeof(snMomentumTarget) + sizeof(snEffort) + numbers * sizeof(double));
}

// Also points the nodes' passes to the state.
snActorState snActor_State(snActorSpace* a, void* state)
{
    snActorState s;
    uint8_t* slice = (uint8_t*)state + a->slice->offset;
    s.target = (snMomentumTarget*)(void*)slice;
    s.effort = (snEffort*)(s.target + 1);
    s.q = (double*)(s.effort + 1);
    s.qd = s.q + a->skeleton->nq;
    s.tau = s.qd + a->skeleton->nv;
    if (a->flesh) {
        snNodes_At(&a->nodes, slice + boneStateSize(a->skeleton));
    }
    return s;
}

snNodes* snExplicit_Nodes(snMethodData* data, void* state, int32_t actor)
{
    snActorSpace* a = &snExplicitData_Of(data)->actors[actor];
    snActor_State(a, state);
    return a->flesh ? &a->nodes : NULL;
}

// Building --------------------------------------------------------------------

static double stiffnessOf(const snCells* cells)
{
    double sum = 0;
    for (int32_t i = 0; i < cells->block_count * SN_LANES; ++i) {
        const snCellLaw* law = snCells_Law(cells, i / SN_LANES);
        double modulus = 2 * (double)law->mu[i % SN_LANES] + (double)law->lambda[i % SN_LANES];
        sum += (double)cells->volumes[i / SN_LANES].of[i % SN_LANES] * modulus;
    }
    for (int32_t n = 0; cells->node_averaged && n < cells->node_count; ++n) {
        sum += (double)cells->node_volume[n] * (double)cells->node_lambda[n];
    }
    return sum;
}

// Of free nodes, by mass
static double dampingOf(const snFlesh* flesh)
{
    double sum = 0, mass = 0;
    for (int32_t i = 0; i < flesh->tets.node_count; ++i) {
        double m = flesh->inverse_mass[i] > 0 ? (double)flesh->node_mass[i] : 0;
        sum += m * (double)flesh->damping[i];
        mass += m;
    }
    return mass > 0 ? sum / mass : 0;
}

static void pushFlesh(snActorSpace* a, const snCharacter* character, snIsa isa, snArena* arena)
{
    const snFlesh* flesh = &character->flesh;
    size_t nodes = (size_t)flesh->tets.node_count, vertices = (size_t)flesh->vertex_count;
    snBox box = snBox_Empty();
    for (size_t i = 0; i < nodes; ++i) {
        box = snBox_Point(box, flesh->tets.position[i]);
    }
    a->size = snLength(snSub(box.hi, box.lo));
    a->stiffness = stiffnessOf(flesh->cells);
    a->stiff = character->info.total_mass * SN_GRAVITY * a->size < STIFF_STRAIN * a->stiffness;
    a->damping = dampingOf(flesh);
    a->flesh = flesh;
    snNodes_Push(&a->nodes, flesh, isa, arena);
    a->look.stiffness = snArena_Push(arena, nodes, sizeof(float));
    a->rest_stiffness = snArena_Push(arena, nodes, sizeof(float));
    if (!arena->failed) {
        snCells_RestStiffness(flesh->cells, a->rest_stiffness);
        a->rest_rate = snActor_StiffestRate(a, NULL);
    }
    a->rest = snArena_Push(arena, (size_t)a->skeleton->bone_count, sizeof(snBoneMotion));
    a->drags = snArena_Push(arena, (size_t)a->skeleton->bone_count, sizeof(snInertia6));
    if (flesh->cells->damping > 0) {
        a->viscous = snArena_Push(arena, nodes, sizeof(snVec4f));
    }
    a->node_positions = snArena_Push(arena, 3 * nodes, sizeof(float));
    a->node_velocities = snArena_Push(arena, 3 * nodes, sizeof(float));
    a->surface_position = snArena_Push(arena, 3 * vertices, sizeof(float));
    a->surface_normal = snArena_Push(arena, 3 * vertices, sizeof(float));
    a->skin_work = snArena_Push(arena, snSkin_WorkSize(character->skin), 1);
    a->surface =
        (snFrameSurface){flesh->vertex_count, character->surface.triangle_count,
                         a->surface_position, a->surface_normal, character->surface.triangle};
}

static void pushActor(snActorSpace* a, const snActor* actor, snIsa isa, snArena* arena)
{
    const snCharacter* character = actor->character;
    a->actor = actor;
    a->skeleton = snCharacter_Moving(character);
    snWorkspace_Push(&a->ws, a->skeleton, arena);
    a->ws.base = &a->actor->base;
    snCommandArrays_Push(&a->command, a->skeleton, arena);
    if (a->actor->drags) {
        snDirect_Push(&a->direct, a->skeleton->bone_count, a->skeleton->nv, arena);
    }
    size_t bones = (size_t)a->skeleton->bone_count;
    a->bones = snArena_Push(arena, bones, sizeof(snTransform));
    a->twists = snArena_Push(arena, bones, sizeof(snTwist));
    a->pulls = snArena_Push(arena, bones, sizeof(snWrench));
    a->winds = snArena_Push(arena, bones, sizeof(snWrench));
    if (character->has_flesh) {
        pushFlesh(a, character, isa, arena);
    }
}

snStatus snExplicit_Build(snMethodData* data, snMessage* why)
{
    (void)why; // memory is all that can be short, and the arena knows
    snExplicitData* d = snExplicitData_Of(data);
    snExplicit_TakeSettings(d, &data->world->settings);
    d->actors = snArena_Push(&data->arena, (size_t)data->actor_count, sizeof(snActorSpace));
    for (int32_t i = 0; d->actors && i < data->actor_count; ++i) {
        snActorSpace* a = &d->actors[i];
        a->slice = &data->slices[i];
        a->neighbour = &data->around.neighbours[i];
        pushActor(a, &data->world->actors[i], data->isa, &data->arena);
        if (a->flesh) {
            a->neighbour->flesh = a->flesh;
            a->neighbour->surface = &a->actor->character->surface;
            a->neighbour->push = a->nodes.push;
            d->large = d->large || a->flesh->tets.tet_count >= LARGE_CELLS;
        }
    }
    return sn_ok;
}

size_t snExplicit_SliceSize(const snMethodData* data, int32_t actor)
{
    const snCharacter* character = data->world->actors[actor].character;
    return boneStateSize(snCharacter_Moving(character)) +
           (character->has_flesh ? snNodes_StateSize(&character->flesh) : 0);
}

// Characters may have moved in memory.
void snExplicit_Rebind(snMethodData* data)
{
    snExplicitData* d = snExplicitData_Of(data);
    for (int32_t i = 0; i < data->actor_count; ++i) {
        d->actors[i].actor = &data->world->actors[i];
        d->actors[i].ws.base = &data->world->actors[i].base;
    }
}

// Joints that follow a trajectory start on it; flesh starts where its bones take it.
void snExplicit_Init(snMethodData* data, void* state, int32_t actor)
{
    snActorSpace* a = &snExplicitData_Of(data)->actors[actor];
    const snActor* given = a->actor;
    snActorState s = snActor_State(a, state);
    snBoneMotion* motion = a->ws.motion;
    if (a->flesh) {
        snSkeleton_ZeroPose(a->skeleton, s.q);
        snKinematics_Position(a->skeleton, s.q, NULL, a->rest);
    }
    memcpy(s.q, given->q, (size_t)a->skeleton->nq * sizeof(double));
    memcpy(s.qd, given->qd, (size_t)a->skeleton->nv * sizeof(double));
    for (int32_t j = 0; j < a->skeleton->bone_count; ++j) {
        const snDrive* drive = snDrive_At(given->drive[j], 0);
        const snBone* b = &a->skeleton->bones[j];
        if (drive && drive->kind == sn_driveTrajectory) {
            snDrive_Sample(drive, b, 0, s.q + b->qi, s.qd + b->vi);
        }
    }
    if (a->flesh) {
        snKinematics_State(a->skeleton, s.q, s.qd, a->ws.base, motion);
        snNodes_Place(&a->nodes, a->rest, motion, &given->base, given->velocity, given->spin);
    }
}

// Everything that gives the numbers of a character's flesh their meaning
uint64_t snExplicit_Hash(const snMethodData* data, int32_t actor, uint64_t seed)
{
    const snCharacter* character = data->world->actors[actor].character;
    return character->has_flesh ? snFlesh_Hash(&character->flesh, seed) : seed;
}
