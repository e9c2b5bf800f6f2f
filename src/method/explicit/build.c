// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Memory of the explicit method, and where everything starts.
#include "base/cpu.h"
#include "base/message.h"
#include "method/explicit/actor.h"
#include "method/explicit/explicit.h"
#include "skel/joint.h"
#include <string.h>

// With fewer cells a pass takes no longer than other threads take to join in.
#define LARGE_CELLS 3000

static size_t roundUp(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

size_t snActor_BoneStateSize(const snSkeleton* s)
{
    size_t numbers = (size_t)s->nq + 2 * (size_t)s->nv;
    return roundUp(sizeof(snMomentumTarget) + sizeof(snEffort) + numbers * sizeof(double));
}

// Also points the nodes' passes to the state.
snActorState snActor_State(snActorSpace* a, void* state)
{
    snActorState s;
    s.target = (snMomentumTarget*)((uint8_t*)state + a->offset);
    s.effort = (snEffort*)(s.target + 1);
    s.q = (double*)(s.effort + 1);
    s.qd = s.q + a->skeleton->nq;
    s.tau = s.qd + a->skeleton->nv;
    if (a->flesh) {
        snNodes_At(&a->nodes, (uint8_t*)state + a->flesh_offset);
    }
    return s;
}

snNodes* snExplicit_Nodes(snMethodData* data, void* state, int32_t actor)
{
    snActor_State(&data->actors[actor], state);
    return data->actors[actor].flesh ? &data->actors[actor].nodes : NULL;
}

// Building --------------------------------------------------------------------

void snExplicit_Free(snMethodData* data)
{
    if (data) {
        snHost host = data->world->host;
        for (int32_t i = 0; data->actors && i < data->actor_count; ++i) {
            snPart_Release(data->actors[i].part);
        }
        for (int32_t i = 0; data->obstacles && i < data->contacts.hard_count; ++i) {
            snPart_Release(data->obstacles[i].part);
        }
        snArena_Free(&data->arena);
        snHost_Release(&host, data, sizeof *data);
    }
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
    a->flesh = flesh;
    snNodes_Push(&a->nodes, flesh, isa, arena);
    a->rest = snArena_Push(arena, (size_t)a->skeleton->bone_count, sizeof(snBoneMotion));
    a->drags = snArena_Push(arena, (size_t)a->skeleton->bone_count, sizeof(snInertia6));
    a->node_positions = snArena_Push(arena, 3 * nodes, sizeof(float));
    a->node_velocities = snArena_Push(arena, 3 * nodes, sizeof(float));
    a->surface_position = snArena_Push(arena, 3 * vertices, sizeof(float));
    a->surface_normal = snArena_Push(arena, 3 * vertices, sizeof(float));
    a->skin_work = snArena_Push(arena, snSkin_WorkSize(character->skin), 1);
    a->surface =
        (snFrameSurface){flesh->vertex_count, character->surface.triangle_count,
                         a->surface_position, a->surface_normal, character->surface.triangle};
}

static void pushActor(snMethodData* d, snActorSpace* a, const snActor* actor)
{
    const snCharacter* character = actor->character;
    a->actor = actor;
    a->skeleton = snCharacter_Moving(character);
    a->offset = d->state_size;
    d->state_size += snActor_BoneStateSize(a->skeleton);
    snWorkspace_Push(&a->ws, a->skeleton, &d->arena);
    a->ws.base = &a->actor->base;
    snCommandArrays_Push(&a->command, a->skeleton, &d->arena);
    if (a->actor->drags) {
        snDirect_Push(&a->direct, a->skeleton->bone_count, a->skeleton->nv, &d->arena);
    }
    size_t bones = (size_t)a->skeleton->bone_count;
    a->bones = snArena_Push(&d->arena, bones, sizeof(snTransform));
    a->twists = snArena_Push(&d->arena, bones, sizeof(snTwist));
    a->pulls = snArena_Push(&d->arena, bones, sizeof(snWrench));
    a->winds = snArena_Push(&d->arena, bones, sizeof(snWrench));
    if (character->has_flesh) {
        a->flesh_offset = d->state_size;
        d->state_size += snNodes_StateSize(&character->flesh);
        pushFlesh(a, character, d->isa, &d->arena);
    }
}

snStatus snExplicit_Build(const snWorld* world, snMethodData* from, const snChange* change,
                          snMethodData** data, snMessage* why)
{
    snMethodData* d = snHost_Allocate(&world->host, sizeof *d);
    if (!d) {
        return snFail(why, sn_errorMemory, "no memory for a simulation");
    }
    d->world = world;
    snExplicit_TakeSettings(d, &world->settings);
    d->isa = snCpu_Choose(world->host.isa);
    snArena_Init(&d->arena, &world->host);
    d->actors = snArena_Push(&d->arena, (size_t)world->actor_count, sizeof(snActorSpace));
    d->frame_characters =
        snArena_Push(&d->arena, (size_t)world->actor_count, sizeof(snFrameCharacter));
    for (int32_t i = 0; d->actors && i < world->actor_count; ++i) {
        const snFlesh* flesh = NULL;
        pushActor(d, &d->actors[i], &world->actors[i]);
        flesh = d->actors[i].flesh;
        d->large = d->large || (flesh && flesh->tets.tet_count >= LARGE_CELLS);
        d->actor_count++;
    }
    snStatus status = d->arena.failed ? sn_ok : snSurroundings_Build(d, from, change, why);
    if (d->arena.failed) {
        status = snFail(why, sn_errorMemory, "no memory for a simulation of %d characters",
                        (int)world->actor_count);
    }
    if (status) {
        snExplicit_Free(d);
        return status;
    }
    *data = d;
    return sn_ok;
}

// Characters may have moved in memory.
void snExplicit_Rebind(snMethodData* data)
{
    for (int32_t i = 0; i < data->actor_count; ++i) {
        data->actors[i].actor = &data->world->actors[i];
        data->actors[i].ws.base = &data->world->actors[i].base;
    }
}

// Joints that follow a trajectory start on it; flesh starts where its bones take it.
void snExplicit_Init(snMethodData* data, void* state)
{
    snSurroundings_Init(data, state);
    for (int32_t i = 0; i < data->world->actor_count; ++i) {
        snActorSpace* a = &data->actors[i];
        const snActor* actor = a->actor;
        snActorState s = snActor_State(a, state);
        snBoneMotion* motion = a->ws.motion;
        if (a->flesh) {
            snSkeleton_ZeroPose(a->skeleton, s.q);
            snKinematics_Position(a->skeleton, s.q, NULL, a->rest);
        }
        memcpy(s.q, actor->q, (size_t)a->skeleton->nq * sizeof(double));
        memcpy(s.qd, actor->qd, (size_t)a->skeleton->nv * sizeof(double));
        for (int32_t j = 0; j < a->skeleton->bone_count; ++j) {
            const snDrive* drive = snDrive_At(actor->drive[j], 0);
            const snBone* b = &a->skeleton->bones[j];
            if (drive && drive->kind == sn_driveTrajectory) {
                snDrive_Sample(drive, b, 0, s.q + b->qi, s.qd + b->vi);
            }
        }
        if (a->flesh) {
            snKinematics_State(a->skeleton, s.q, s.qd, a->ws.base, motion);
            snNodes_Place(&a->nodes, a->rest, motion, &actor->base, actor->velocity, actor->spin);
        }
    }
}
