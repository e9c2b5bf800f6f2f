// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A method steps the whole world and owns every changing number in it. Sims know methods only by
// this table.
#ifndef SN_METHOD_METHOD_H
#define SN_METHOD_METHOD_H

#include "base/tasks.h"
#include "character/character.h"
#include "contact/obstacle.h"
#include "control/drag.h"
#include "control/force.h"
#include "method/settings.h"
#include "skel/kinematics.h"
#include <sinew/sim.h>

// One character in the world.
typedef struct snActor {
    snCharacter* character;
    snBase base;       // where its frame stands
    double* q;         // start coordinates; (nq)
    double* qd;        // start rates; (nv)
    snVec3 velocity;   // start velocity of the frame's origin, m/s, and spin, rad/s, of flesh
    snVec3 spin;       // without bones
    char material[32]; // of its surface
    snDrive** drive;   // per bone, in order of time; NULL = free. May change between steps.
    snDrags* drags;    // NULL = none. May change between steps.
} snActor;

// What a method is given: the scene without what only sims and files care for.
typedef struct snWorld {
    snHost host;
    snVec3 gravity;               // m/s^2
    snSettings settings;          // of the method
    bool ground;                  // horizontal
    double ground_height;         // its y, m
    double friction, restitution; // where no pair says otherwise
    bool self_contact;
    int32_t actor_count;
    snActor* actors;
    int32_t obstacle_count;
    snObstacle* obstacles;
    int32_t pair_count;
    snPair* pairs;
    double sleep; // s of rest after which bodies sleep; 0 = never
    // May change between steps.
    snForces forces;
} snWorld;

// Who left the world since a method's data was made from it; -1 = nobody. Who came is at the end.
typedef struct snChange {
    int32_t actor, obstacle;
} snChange;

// The number that number i has now; -1 for the one that left.
static inline int32_t snChange_Of(int32_t left, int32_t i)
{
    return left < 0 || i < left ? i : i == left ? -1 : i - 1;
}

// Is told of a press of the last step.
typedef void snPressFcn(void* user, const snContact* contact);

// Where and why a step failed.
typedef struct snFault {
    int32_t actor;
    int32_t bone;     // -1 = none in particular
    const char* text; // static; what "bone 'x' of character 'y'" or "character 'y'" does
} snFault;

// An impulse about a place, and the step that it comes before.
typedef struct snBlast {
    snVec3 place;   // m, world
    snVec3 impulse; // Ns
    double radius;  // m
    double t, h;    // s
} snBlast;

// A method's data: immutable tables and workspaces that carry nothing from step to step.
typedef struct snMethodData snMethodData;

typedef struct snMethod {
    const char* name;
    const char* about;         // one line for people
    uint32_t does;             // bits of snDoes
    const snSetting* settings; // the last one has no name; NULL = none

    snStatus (*build)(const snWorld* world, snMethodData** data, snMessage* why);
    void (*free)(snMethodData* data);
    // bytes of its state: pointer-free, zero-padded, a multiple of 64
    size_t (*stateSize)(const snMethodData* data);
    // the state at time 0; state is zero-filled
    void (*init)(snMethodData* data, void* state);
    // the largest step it takes by itself, s: stable, and fine enough
    double (*chooseStep)(const snMethodData* data);
    // from t to t + h; false leaves the state undefined and fills *fault. strict: what shorter
    // steps would make better counts as a fault too
    bool (*advance)(snMethodData* data, snTasks* tasks, void* state, double t, double h,
                    bool strict, snFault* fault);
    // data of a world that has changed, made from older data of it, with which it shares what it
    // can; the older one stays, to be freed
    snStatus (*rebuild)(snMethodData* from, const snChange* change, snMethodData** data,
                        snMessage* why);
    // the world is as it was when the data was made, but may be elsewhere in memory
    void (*rebind)(snMethodData* data);
    // the state of all who stayed, after init of the new state
    void (*carry)(const snMethodData* from, void* old, const snChange* change, snMethodData* data,
                  void* state);
    // copies a state to where an older one of the same data is
    void (*keep)(const snMethodData* data, void* state, void* good);
    // the state was replaced: what workspaces remember of the last step does not count any more
    void (*forget)(snMethodData* data);
    // fills what a frame shows of the state at time t
    void (*writeFrame)(snMethodData* data, snTasks* tasks, void* state, double t, snFrame* frame);

    // What hosts do between steps. All of it wakes what sleeps.
    // tells of each press of the last step
    void (*presses)(const snMethodData* data, snPressFcn* tell, void* user);
    // whether a body of the last step sleeps; obstacles that do not give way do
    bool (*sleeps)(const snMethodData* data, const void* state, bool obstacle, int32_t number);
    // bodies move again that sleep
    void (*wake)(snMethodData* data, void* state);
    // moves a character as one piece; false when it is held
    bool (*teleport)(snMethodData* data, void* state, int32_t actor, snTransform by);
    // an impulse on a character
    void (*push)(snMethodData* data, void* state, int32_t actor, const snBlast* blast);
    // an impulse on an obstacle that gives way
    void (*pushObstacle)(snMethodData* data, void* state, int32_t number, snVec3 place,
                         snVec3 impulse);
    // an obstacle that the host moves is at `pose` at the time `end`, from time t on
    void (*moveObstacle)(snMethodData* data, void* state, int32_t number, snTransform pose,
                         double t, double end);
} snMethod;

// By name; NULL when there is none.
const snMethod* snMethod_Find(const char* name);

// The i-th method, NULL after the last.
const snMethod* snMethod_At(int32_t i);

// sn_errorUnsupported: the method cannot do `bit` (an snDoes); names one that can.
snStatus snMethod_Refuse(const snMethod* method, uint32_t bit, snMessage* why);

// sn_ok when the method does all of these bits; refuses the first that it does not.
snStatus snMethod_Require(const snMethod* method, uint32_t bits, snMessage* why);

// There is no method of that name (may be NULL): suggests the nearest and names all.
snStatus snMethod_FailUnknown(const char* name, snMessage* why);

// The method has no setting of that name: names the method that has it, or the nearest, or all.
snStatus snMethod_FailSetting(const snMethod* method, const char* name, snMessage* why);

#endif
