// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "method/explicit/explicit.h"

#include "base/message.h"
#include "math/quat.h"
#include "skel/integrate.h"
#include "skel/joint.h"
#include <string.h>

// Faster than this (rad/s, m/s) nothing a person animates moves; beyond it a run has gone wrong.
#define MOST_SPEED 1e5

// One character's changing numbers, as they lie in the state block.
typedef struct ActorState {
    snMomentumTarget* target;
    double* q;   // (nq)
    double* qd;  // (nv)
    double* tau; // of the last step; (nv)
} ActorState;

// One character's workspace.
typedef struct ActorSpace {
    const snActor* actor;
    const snSkeleton* skeleton;
    size_t offset; // of its state in the block
    snWorkspace ws;
    snCommandArrays command;
    snTransform* bones; // frame's; (bone_count)
    snTwist* twists;    // frame's; (bone_count)
    snFault fault;      // text NULL = fine
} ActorSpace;

struct snMethodData {
    const snWorld* world;
    snArena arena;
    size_t state_size;
    ActorSpace* actors; // (world->actor_count)
};

// The step being done, for tasks.
typedef struct StepJob {
    snMethodData* data;
    void* state;
    double t, h;
} StepJob;

static size_t roundUp(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static size_t actorStateSize(const snSkeleton* s)
{
    size_t numbers = (size_t)s->nq + 2 * (size_t)s->nv;
    return roundUp(sizeof(snMomentumTarget) + numbers * sizeof(double));
}

static ActorState stateOf(const ActorSpace* a, void* state)
{
    ActorState s;
    s.target = (snMomentumTarget*)((uint8_t*)state + a->offset);
    s.q = (double*)(s.target + 1);
    s.qd = s.q + a->skeleton->nq;
    s.tau = s.qd + a->skeleton->nv;
    return s;
}

// Building --------------------------------------------------------------------

static void freeData(snMethodData* data)
{
    if (data) {
        snHost host = data->world->host;
        snArena_Free(&data->arena);
        snHost_Release(&host, data, sizeof *data);
    }
}

static snStatus build(const snWorld* world, snMethodData** data, snMessage* why)
{
    snMethodData* d = snHost_Allocate(&world->host, sizeof *d);
    if (!d) {
        return snFail(why, sn_errorMemory, "no memory for a simulation");
    }
    d->world = world;
    snArena_Init(&d->arena, &world->host);
    d->actors = snArena_Push(&d->arena, (size_t)world->actor_count, sizeof(ActorSpace));
    for (int32_t i = 0; d->actors && i < world->actor_count; ++i) {
        ActorSpace* a = &d->actors[i];
        a->actor = &world->actors[i];
        a->skeleton = a->actor->character->skeleton;
        a->offset = d->state_size;
        d->state_size += actorStateSize(a->skeleton);
        snWorkspace_Push(&a->ws, a->skeleton, &d->arena);
        a->ws.base = &a->actor->base;
        snCommandArrays_Push(&a->command, a->skeleton, &d->arena);
        size_t bones = (size_t)a->skeleton->bone_count;
        a->bones = snArena_Push(&d->arena, bones, sizeof(snTransform));
        a->twists = snArena_Push(&d->arena, bones, sizeof(snTwist));
    }
    if (d->arena.failed) {
        freeData(d);
        return snFail(why, sn_errorMemory, "no memory for a simulation of %d characters",
                      (int)world->actor_count);
    }
    *data = d;
    return sn_ok;
}

static size_t stateSize(const snMethodData* data)
{
    return data->state_size;
}

// Joints that follow a trajectory start on it.
static void init(const snMethodData* data, void* state)
{
    for (int32_t i = 0; i < data->world->actor_count; ++i) {
        const ActorSpace* a = &data->actors[i];
        ActorState s = stateOf(a, state);
        memcpy(s.q, a->actor->q, (size_t)a->skeleton->nq * sizeof(double));
        memcpy(s.qd, a->actor->qd, (size_t)a->skeleton->nv * sizeof(double));
        for (int32_t j = 0; j < a->skeleton->bone_count; ++j) {
            const snDrive* drive = a->actor->drive[j];
            const snBone* b = &a->skeleton->bones[j];
            if (drive && drive->kind == sn_driveTrajectory) {
                snDrive_Sample(drive, b, 0, s.q + b->qi, s.qd + b->vi);
            }
        }
    }
}

// Stepping --------------------------------------------------------------------

// Finds coordinates that are not numbers, or larger or faster than anything real.
static void checkState(ActorSpace* a, const ActorState* s, int32_t index)
{
    for (int32_t i = 0; i < a->skeleton->bone_count; ++i) {
        const snBone* b = &a->skeleton->bones[i];
        const snJointShape* shape = snJoint_Shape(b->type);
        bool fine = true;
        for (int32_t k = 0; k < shape->nv; ++k) {
            fine = fine && fabs(s->qd[b->vi + k]) < MOST_SPEED;
        }
        for (int32_t k = 0; k < shape->nq; ++k) {
            fine = fine && fabs(s->q[b->qi + k]) < 1e12;
        }
        if (!fine) {
            a->fault = (snFault){index, i,
                                 "moves faster than 1e5 rad/s or m/s, or is not a number any more"};
            return;
        }
    }
}

// one step of one character: the stages in order
static void stepActor(void* argument, int index, int worker)
{
    (void)worker;
    StepJob* job = argument;
    const snWorld* world = job->data->world;
    ActorSpace* a = &job->data->actors[index];
    ActorState s = stateOf(a, job->state);
    const snCommandArrays* c = &a->command;
    snJointCommand command = {c->mode,     c->tau,         c->qdd,     c->q_mid,    c->qd_mid,
                              c->q_end,    c->qd_end,      c->servo_q, c->servo_qd, c->servo_kp,
                              c->servo_kd, c->servo_limit, NULL};
    snStep step = {
        s.q,           s.qd, world->keep_momentum ? s.target : NULL, job->h, world->integrator,
        world->gravity};
    int32_t bad = -1;
    a->fault.text = NULL;
    snDrive_Command(a->skeleton, a->actor->drive, job->t, job->h, c);
    snIntegrate_Begin(&a->ws, &step, &command);
    if (!snIntegrate_Finish(&a->ws, &step, &command, &bad)) {
        a->fault = (snFault){index, bad, "has nothing to move in this pose"};
        return;
    }
    memcpy(s.tau, a->ws.tau, (size_t)a->skeleton->nv * sizeof(double));
    checkState(a, &s, index);
}

static bool advance(snMethodData* data, snTasks* tasks, void* state, double t, double h,
                    snFault* fault)
{
    StepJob job = {data, state, t, h};
    snTasks_Run(tasks, data->world->actor_count, stepActor, &job);
    for (int32_t i = 0; i < data->world->actor_count; ++i) {
        if (data->actors[i].fault.text) {
            *fault = data->actors[i].fault;
            return false;
        }
    }
    return true;
}

static void writeFrame(snMethodData* data, void* state, snFrameCharacter* characters)
{
    for (int32_t i = 0; i < data->world->actor_count; ++i) {
        ActorSpace* a = &data->actors[i];
        const snSkeleton* skeleton = a->skeleton;
        ActorState s = stateOf(a, state);
        const snBoneMotion* motion = a->ws.motion;
        snKinematics_State(skeleton, s.q, s.qd, a->ws.base, a->ws.motion);
        for (int32_t j = 0; j < skeleton->bone_count; ++j) {
            a->bones[j] = (snTransform){motion[j].p, snQFromMat(motion[j].R)};
            a->twists[j] = snTwistFrom(motion[j].w, motion[j].v);
        }
        characters[i] = (snFrameCharacter){
            .name = a->actor->character->name,
            .bone_count = skeleton->bone_count,
            .bones = a->bones,
            .twists = a->twists,
            .q = s.q,
            .qd = s.qd,
            .tau = s.tau,
            .momentum = snBalance_Momentum(skeleton, motion, NULL),
            .energy = snBalance_Energy(skeleton, motion, s.q, s.qd, data->world->gravity),
        };
    }
}

const snMethod snExplicit = {
    .name = "explicit",
    .about = "Kim & Pollard 2011: hybrid dynamics of the skeleton, explicit flesh",
    .step = 1e-3,
    .build = build,
    .free = freeData,
    .stateSize = stateSize,
    .init = init,
    .advance = advance,
    .writeFrame = writeFrame,
};
