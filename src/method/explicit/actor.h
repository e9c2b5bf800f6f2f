// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What the explicit method keeps of a character: its part of the state, and its workspace.
#ifndef SN_METHOD_EXPLICIT_ACTOR_H
#define SN_METHOD_EXPLICIT_ACTOR_H

#include "method/explicit/explicit.h"
#include "skel/integrate.h"

// What drives did, in a character's state.
typedef struct snEffort {
    double power, peak_power; // W
    double peak_torque;       // Nm
} snEffort;

// One character's changing numbers, as they lie in the state block; flesh follows.
typedef struct snActorState {
    snMomentumTarget* target;
    snEffort* effort;
    double* q;   // (nq)
    double* qd;  // (nv)
    double* tau; // of the last step; (nv)
} snActorState;

// One character's workspace.
typedef struct snActorSpace {
    const snActor* actor;
    const snSkeleton* skeleton;
    size_t offset;        // of its state in the block
    size_t flesh_offset;  // of its flesh's state
    size_t feeler_offset; // of what its points touch
    snWorkspace ws;
    snCommandArrays command;
    snDirect direct;    // when it may be dragged
    snTransform* bones; // frame's; (bone_count)
    snTwist* twists;    // frame's; (bone_count)
    snFault fault;      // text NULL = fine
    bool keep;          // its momentum is put right in this step

    const snFlesh* flesh; // NULL = bones alone; the rest is unused then
    double size;          // diagonal of its box at rest, m
    snSoft* soft;         // as contact sees it; NULL = nothing to touch
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

// One obstacle's workspace.
typedef struct snObstacleSpace {
    snSolid solid;
    snRigid rigid;        // when it has a mass
    size_t offset;        // of its snRigidState
    size_t feeler_offset; // of what its points touch
} snObstacleSpace;

// Parts of a step, for who measures them.
typedef enum snStage {
    sn_stageBegin = 0, // commands of drives, first half of the motion, elastic forces
    sn_stageContact,   // finding contacts, their forces, obstacles
    sn_stageFinish,    // bones, nodes, second half of the motion
    sn_stageEnd,       // of the step
} snStage;

typedef void snStageFcn(void* user, snStage begins);

struct snMethodData {
    const snWorld* world;
    snStageFcn* stage; // told when a stage begins; NULL = nobody
    void* stage_user;
    snArena arena;
    size_t state_size;
    snIsa isa;
    snActorSpace* actors;       // (world->actor_count)
    bool touches;               // there is something to touch
    snObstacleSpace* obstacles; // (world->obstacle_count)
    snContacts contacts;
    // frame's
    snFrameCharacter* frame_characters; // (world->actor_count)
    snFrameObstacle* frame_obstacles;   // (world->obstacle_count)
    snContact* frame_contacts;          // (contacts.press_capacity)
};

// A character's numbers in the state; also points the nodes' passes to them.
snActorState snActor_State(snActorSpace* actor, void* state);

// As snMethod's writeFrame.
void snExplicit_WriteFrame(snMethodData* data, snTasks* tasks, void* state, double t,
                           snFrame* frame);

// Checks ----------------------------------------------------------------------

// Each leaves a fault in the actor when something has gone wrong. index: the actor's number.
void snActor_CheckBones(snActorSpace* actor, const snActorState* state, int32_t index);
void snActor_CheckFlesh(snActorSpace* actor, snTasks* tasks, const snNodesTally* tally, double h,
                        int32_t index);

// Whether one is so deep in what it touches that shorter steps are worth it.
bool snActors_AreDeep(const snMethodData* data, snFault* fault);

// Surroundings ----------------------------------------------------------------

// Obstacles, and all that contact needs; after the actors.
snStatus snSurroundings_Build(snMethodData* data, snMessage* why);

// Obstacles at time 0.
void snSurroundings_Init(snMethodData* data, void* state);

// Movable obstacles move on by h; all others go where they are at time t.
void snSurroundings_Drift(snMethodData* data, void* state, double t, double h);

// Finds contacts where everything is now, and forces for steps of h. False when too much is in the
// way of too much.
bool snSurroundings_Touch(snMethodData* data, void* state, double h);

// Forces and gravity change the momenta of movable obstacles.
void snSurroundings_Kick(snMethodData* data, void* state, double h);

// At the end of a step, when the scene asks for projection.
void snSurroundings_Project(snMethodData* data, snTasks* tasks, void* state);

// Obstacles and contacts of a frame.
void snSurroundings_WriteFrame(snMethodData* data, void* state, double t, snFrame* frame);

#endif
