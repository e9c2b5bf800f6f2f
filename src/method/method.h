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
    snVec3 gravity; // m/s^2
    int32_t integrator;
    bool keep_momentum;
    bool ground;                  // horizontal
    double ground_height;         // its y, m
    double friction, restitution; // where no pair says otherwise
    int32_t contact_mode;         // snContactMode
    bool self_contact;
    int32_t actor_count;
    snActor* actors;
    int32_t obstacle_count;
    snObstacle* obstacles;
    int32_t pair_count;
    snPair* pairs;
} snWorld;

// Where and why a step failed.
typedef struct snFault {
    int32_t actor;
    int32_t bone;     // -1 = none in particular
    const char* text; // static; what "bone 'x' of character 'y'" or "character 'y'" does
} snFault;

// A method's data: immutable tables and workspaces that carry nothing from step to step.
typedef struct snMethodData snMethodData;

typedef struct snMethod {
    const char* name;
    const char* about; // one line for people

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
    // the state was replaced: what workspaces remember of the last step does not count any more
    void (*forget)(snMethodData* data);
    // fills what a frame shows of the state at time t
    void (*writeFrame)(snMethodData* data, snTasks* tasks, void* state, double t, snFrame* frame);
} snMethod;

// By name; NULL when there is none.
const snMethod* snMethod_Find(const char* name);

// The i-th method, NULL after the last.
const snMethod* snMethod_At(int32_t i);

#endif
