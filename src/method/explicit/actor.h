// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What the explicit method keeps of a character: its part of the state, and its workspace.
#ifndef SN_METHOD_EXPLICIT_ACTOR_H
#define SN_METHOD_EXPLICIT_ACTOR_H

#include "method/explicit/explicit.h"
#include "skel/integrate.h"

// One character's changing numbers, as they lie in the state block; flesh follows.
typedef struct snActorState {
    snMomentumTarget* target;
    double* q;   // (nq)
    double* qd;  // (nv)
    double* tau; // of the last step; (nv)
} snActorState;

// One character's workspace.
typedef struct snActorSpace {
    const snActor* actor;
    const snSkeleton* skeleton;
    size_t offset;       // of its state in the block
    size_t flesh_offset; // of its flesh's state
    snWorkspace ws;
    snCommandArrays command;
    snTransform* bones; // frame's; (bone_count)
    snTwist* twists;    // frame's; (bone_count)
    snFault fault;      // text NULL = fine

    const snFlesh* flesh; // NULL = bones alone; the rest is unused then
    snNodes nodes;
    snBoneMotion* rest; // poses that the flesh was built around; (bone_count)
    snWrench* pulls;    // of flesh on bones; (bone_count)
    snInertia6* drags;  // what dampers add to bones' inertia; (bone_count)
    float* node_positions;
    float* node_velocities;
    snFrameSurface surface; // frame's
    float *surface_position, *surface_normal;
    void* skin_work;
} snActorSpace;

struct snMethodData {
    const snWorld* world;
    snArena arena;
    size_t state_size;
    snIsa isa;
    snActorSpace* actors; // (world->actor_count)
};

// A character's numbers in the state; also points the nodes' passes to them.
snActorState snActor_State(snActorSpace* actor, void* state);

// As snMethod's writeFrame.
void snExplicit_WriteFrame(snMethodData* data, snTasks* tasks, void* state,
                           snFrameCharacter* characters);

#endif
