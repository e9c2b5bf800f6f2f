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

// What takes long to make of a body and never changes; data that is made anew when somebody comes
// or goes takes it over.
typedef struct snPart {
    snArena arena;
    int32_t owners;
    snTissue tissue; // of flesh
    snSolid solid;   // of an obstacle
} snPart;

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
    bool asleep;        // as its state says at the start of the step
    bool blown;         // fields act in this step
    snWrench* winds;    // of fields on bones, at their origins; (bone_count)
    snWrench wind;      // of fields on free nodes, about the nodes' origin

    const snFlesh* flesh; // NULL = bones alone; the rest is unused then
    double size;          // diagonal of its box at rest, m
    snSoft* soft;         // as contact sees it; NULL = nothing to touch
    snPart* part;         // its tissue, when there is something to touch
    snNodes nodes;
    snBoneMotion* rest; // poses that the flesh was built around; (bone_count)
    snWrench* pulls;    // of flesh and fields on bones; (bone_count)
    snInertia6* drags;  // what dampers add to bones' inertia; (bone_count)
    float* node_positions;
    float* node_velocities;
    snFrameSurface surface; // frame's
    float *surface_position, *surface_normal;
    void* skin_work;
} snActorSpace;

// An obstacle that gives way, in the state.
typedef struct snBulk {
    snRigidState motion;
    snRest rest;
} snBulk;

// A hosted obstacle, in the state: evenly from one pose to the other.
typedef struct snErrand {
    snTransform from, to;
    double begin, end; // s
} snErrand;

// One obstacle's workspace.
typedef struct snObstacleSpace {
    snPart* part;         // its solid
    snRigid rigid;        // when it has a mass
    size_t offset;        // of its snBulk or snErrand
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
    snStageFcn* stage; // told when a stage begins, on one thread alone; NULL = nobody
    void* stage_user;
    snArena arena;
    int32_t integrator; // an snIntegrator
    bool keep_momentum; // of free characters
    bool project;       // contact also puts back what got inside
    size_t state_size;
    snIsa isa;
    int32_t actor_count;
    snActorSpace* actors;       // (actor_count)
    bool large;                 // one of them has so many cells that threads share its passes
    bool touches;               // there is something to touch
    bool asleep;                // all characters sleep
    snObstacleSpace* obstacles; // (world->obstacle_count)
    snContacts contacts;
    int32_t* islands;      // bodies that touch each other, see sleep.c; (contacts' bodies)
    bool* restless;        // whether somebody of an island is not still; likewise
    int64_t field_edition; // of the fields that were looked at last
    // frame's
    snFrameCharacter* frame_characters; // (world->actor_count)
    snFrameObstacle* frame_obstacles;   // (world->obstacle_count)
    snContact* frame_contacts;          // (contacts.press_capacity)
};

// All settings there are; the last one has no name.
extern const snSetting SN_EXPLICIT_SETTINGS[];
void snExplicit_TakeSettings(snMethodData* data, const snSettings* settings);

// Makes data; from (may be NULL): older data of the same world.
snStatus snExplicit_Build(const snWorld* world, snMethodData* from, const snChange* change,
                          snMethodData** data, snMessage* why);

// As snMethod's.
void snExplicit_Carry(const snMethodData* from, void* old, const snChange* change,
                      snMethodData* data, void* state);
void snExplicit_Keep(const snMethodData* data, void* state, void* good);
void snExplicit_Free(snMethodData* data);
void snExplicit_Rebind(snMethodData* data);
void snExplicit_Init(snMethodData* data, void* state);
void snExplicit_Forget(snMethodData* data);
double snExplicit_ChooseStep(const snMethodData* data);

// Bytes of a character's bones in the state.
size_t snActor_BoneStateSize(const snSkeleton* skeleton);

// Parts -----------------------------------------------------------------------

// NULL when there is no memory.
snPart* snPart_Create(const snHost* host);
snPart* snPart_Retain(snPart* part);
void snPart_Release(snPart* part); // NULL is fine

// A character's numbers in the state; also points the nodes' passes to them.
snActorState snActor_State(snActorSpace* actor, void* state);

// Calls task(argument, i, worker) for `count` characters or groups of them: many or small ones go
// side by side, few large ones share the threads inside their passes. The bits are the same.
void snActors_Run(const snMethodData* data, snTasks* tasks, int32_t count, snTaskFcn* task,
                  void* argument);

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

// Hosts -----------------------------------------------------------------------

// As snMethod's.
bool snExplicit_Teleport(snMethodData* data, void* state, int32_t actor, snTransform by);
void snExplicit_Push(snMethodData* data, void* state, int32_t actor, const snBlast* blast);

// Impulses on bones (Ns, and moments Nms about a place of the world) change all joints' rates.
void snActor_Strike(snActorSpace* actor, void* state, snWrench* hits, snVec3 about);

// Fields ----------------------------------------------------------------------

// Forces of fields on a character in a step of h at t: on free nodes with the outer forces, on
// bones as winds.
void snActor_Blow(snActorSpace* actor, const snWorld* world, double t, double h);

// Sleep -----------------------------------------------------------------------

// Who sleeps, before a step.
void snSleep_Look(snMethodData* data, void* state);

// After a step: who is touched by somebody that moves wakes, bodies that have been still for long
// enough fall asleep.
void snSleep_Settle(snMethodData* data, void* state, double h);

// As snMethod's.
void snExplicit_Wake(snMethodData* data, void* state);
bool snExplicit_Sleeps(const snMethodData* data, const void* state, bool obstacle, int32_t number);

// Surroundings ----------------------------------------------------------------

// Obstacles, and all that contact needs; after the actors. from: as snExplicit_Build's.
snStatus snSurroundings_Build(snMethodData* data, const snMethodData* from, const snChange* change,
                              snMessage* why);

// In the state; of one that has a mass.
snBulk* snSurroundings_Bulk(const snMethodData* data, void* state, int32_t number);

// Obstacles at time 0.
void snSurroundings_Init(snMethodData* data, void* state);

// Movable obstacles move on by h; all others go where they are at time t.
void snSurroundings_Drift(snMethodData* data, void* state, double t, double h);

// Contact where everything is now, with forces for steps of h: first, whether nothing moves, so
// that nothing has to be done; then each character's flesh, side by side; then
// snContacts_List; then each group of contacts, side by side.
bool snSurroundings_AreStill(snMethodData* data);
void snSurroundings_Show(snMethodData* data, snTasks* tasks, void* state, int32_t actor, double h,
                         int worker);
void snSurroundings_Touch(snMethodData* data, int32_t group, double h);

// Forces, gravity and fields change the momenta of movable obstacles.
void snSurroundings_Kick(snMethodData* data, void* state, double t, double h);

// At the end of a step, when the scene asks for projection.
void snSurroundings_Project(snMethodData* data, void* state);

// As snMethod's.
void snSurroundings_Push(snMethodData* data, void* state, int32_t number, snVec3 place,
                         snVec3 impulse);
void snSurroundings_Move(snMethodData* data, void* state, int32_t number, snTransform pose,
                         double t, double end);
void snSurroundings_Presses(const snMethodData* data, snPressFcn* tell, void* user);

// Obstacles and contacts of a frame.
void snSurroundings_WriteFrame(snMethodData* data, void* state, double t, snFrame* frame);

#endif
