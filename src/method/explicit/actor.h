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
    const snSlice* slice; // its numbers in the state: bones, then flesh
    snWorkspace ws;
    snCommandArrays command;
    snDirect direct;    // when it may be dragged
    snTransform* bones; // frame's; (bone_count)
    snTwist* twists;    // frame's; (bone_count)
    snVerdict verdict;  // of this step; trouble sn_troubleNone = fine
    bool keep;          // its momentum is put right in this step
    bool blown;         // fields act in this step
    snVec3 gravity;     // in this step, m/s^2
    snWrench* winds;    // of fields on bones, at their origins; (bone_count)
    snWrench wind;      // of fields on free nodes, about the nodes' origin
    snAccount* account; // in the state of this step; NULL = nobody wants its balance
    double height;      // energy in gravity at the start of this step, for the account, J

    snNeighbour* neighbour; // in its surroundings
    const snFlesh* flesh;   // NULL = bones alone; the rest is unused then
    double size;            // diagonal of its box at rest, m
    double stiffness;       // sum of cells' volume times modulus of compression, J
    bool stiff;             // so much that floats' rounding would heat it
    double damping;         // mean of its dampers, 1/s
    bool looked;            // in this step its elastic energy is looked at
    snCellsLook look;       // what is seen then
    float* rest_stiffness;  // of nodes, N/m; (node_count)
    double rest_rate;       // the most of it over the nodes' masses, 1/s^2
    snNodes nodes;
    snBoneMotion* rest; // poses that the flesh was built around; (bone_count)
    snWrench* pulls;    // of flesh and fields on bones; (bone_count)
    snInertia6* drags;  // what dampers add to bones' inertia; (bone_count)
    snVec4f* viscous;   // forces of strain-rate damping, for the account; NULL = none; (node_count)
    float* node_positions;
    float* node_velocities;
    snFrameSurface surface; // frame's
    float *surface_position, *surface_normal;
    void* skin_work;
} snActorSpace;

// Parts of a step that are timed apart
enum {
    sn_explicitBegin = 0, // commands of drives, first half of the motion, elastic forces
    sn_explicitContact,   // finding contacts, their forces, obstacles
    sn_explicitFinish,    // bones, nodes, second half of the motion
    sn_explicitStageCount,
};

typedef struct snExplicitData {
    snMethodData head;
    snActorSpace* actors; // (actor_count)
    bool large;           // one of them has so many cells that threads share its passes
    int32_t integrator;   // an snIntegrator
    bool keep_momentum;   // of free characters
} snExplicitData;

// All settings there are; the last one has no name.
extern const snSetting SN_EXPLICIT_SETTINGS[];
void snExplicit_TakeSettings(snExplicitData* data, const snSettings* settings);

// As snMethod's.
snStatus snExplicit_Build(snMethodData* data, snMessage* why);
size_t snExplicit_SliceSize(const snMethodData* data, int32_t actor);
void snExplicit_Init(snMethodData* data, void* state, int32_t actor);
void snExplicit_Rebind(snMethodData* data);
uint64_t snExplicit_Hash(const snMethodData* data, int32_t actor, uint64_t seed);
double snExplicit_ChooseStep(const snMethodData* given);

static inline snExplicitData* snExplicitData_Of(snMethodData* data)
{
    return (snExplicitData*)(void*)data;
}

// A character's numbers in the state; also points the nodes' passes to them.
snActorState snActor_State(snActorSpace* actor, void* state);

// Calls task(argument, i, worker) for `count` characters or groups of them: many or small ones go
// side by side, few large ones share the threads inside their passes. The bits are the same.
void snActors_Run(const snExplicitData* data, snTasks* tasks, int32_t count, snTaskFcn* task,
                  void* argument);

// As snMethod's writeFrame.
void snExplicit_WriteFrame(snMethodData* data, snTasks* tasks, void* state, snVec3 shift);

// Checks ----------------------------------------------------------------------

// Each leaves a verdict in the actor when something has gone wrong. index: the actor's number.
void snActor_CheckBones(snActorSpace* actor, const snActorState* state, int32_t index);
void snActor_CheckFlesh(snActorSpace* actor, const snNodesTally* tally, double h, bool strict,
                        int32_t index);

// The most of nodes' stiffness over their masses, 1/s^2, with what they have more than at rest (may
// be NULL).
double snActor_StiffestRate(const snActorSpace* actor, const float* more);

// Whether elastic energy is looked at in a span's k-th step: at the end of frames, which are kept
// as good states, and now and then.
bool snSpan_IsLook(const snSpan* span, int64_t k);

// Whether one is struck so fast that shorter steps are worth it.
bool snActors_AreStruck(const snExplicitData* data, snVerdict* verdict);

// Contact ---------------------------------------------------------------------

// As snPredictFcn, with an snActorSpace: between its forces and its kick.
void snActor_Predict(const void* actor, double h, int32_t count, snContactNode* list);

// Hosts -----------------------------------------------------------------------

// As snMethod's.
bool snExplicit_Teleport(snMethodData* data, void* state, int32_t actor, snTransform by);
void snExplicit_Push(snMethodData* data, void* state, int32_t actor, const snBlast* blast);

// Impulses on bones (Ns, and moments Nms about a place of the world) change all joints' rates, and
// joints move by that for `drift` seconds.
void snActor_Strike(snActorSpace* actor, void* state, snWrench* hits, snVec3 about, double drift);

// Projection ------------------------------------------------------------------

// The same about the flesh's origin, in a step of h; what elastic forces do then is accounted for.
void snActor_Knock(snActorSpace* actor, void* state, snWrench* hits, double h, double drift);

// Free nodes follow what projection added to their velocities in a step of h for `drift` seconds,
// and so do load and account.
void snActor_Follow(snActorSpace* actor, double h, double drift);

// Balance ---------------------------------------------------------------------

// Of bones, in the motion that the workspace holds, and flesh; `flesh` has its mass and centre.
snEnergy snActor_Energy(snActorSpace* actor, const snActorState* state, snTasks* tasks,
                        snVec3 gravity, const snWhole* flesh);

// These are called, in a step and in this order, for actors that have an account: before anything
// moves; when elastic forces are there; when nodes have drifted on for `drift` after their kick
// (dragged: direct control acts) and before their momentum is corrected; when the step is over.
void snActor_OpenAccount(snActorSpace* actor, const snActorState* state, snTasks* tasks,
                         snVec3 gravity);
void snActor_FindViscous(snActorSpace* actor, snTasks* tasks);
void snActor_NoteWork(snActorSpace* actor, const snActorState* state, snTasks* tasks, double h,
                      double drift, bool dragged);
void snActor_NoteGravity(snActorSpace* actor, const snActorState* state, snVec3 gravity);

// Before projection and after it: what it did is work of contact. Actors need not have an account.
void snActor_HoldAccount(snActorSpace* actor, void* state, snTasks* tasks);
void snActor_SettleAccount(snActorSpace* actor, void* state, snTasks* tasks);

// Fields ----------------------------------------------------------------------

// Forces of fields on a character in a step of h at t: on free nodes with the outer forces, on
// bones as winds.
void snActor_AddFieldForces(snActorSpace* actor, const snWorld* world, double t, double h);

#endif
