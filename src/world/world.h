// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What a scene has in it, as methods are given it: the scene without what only sims and files care
// for.
#ifndef SN_WORLD_WORLD_H
#define SN_WORLD_WORLD_H

#include "character/character.h"
#include "control/drag.h"
#include "control/force.h"
#include "skel/kinematics.h"
#include "world/obstacle.h"
#include "world/settings.h"

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
    double sleep;   // s of rest after which bodies sleep; 0 = never
    int32_t events; // pairs of bodies whose touching is reported, at most
    // May change between steps.
    snForces forces;
} snWorld;

// Who left the world since something was made from it; -1 = nobody. Who came is at the end.
typedef struct snChange {
    int32_t actor, obstacle;
} snChange;

// The number that number i has now; -1 for the one that left.
static inline int32_t snChange_Of(int32_t left, int32_t i)
{
    return left < 0 || i < left ? i : i == left ? -1 : i - 1;
}

// The number that number i of now had; -1 when it came since.
static inline int32_t snChange_Was(int32_t left, int32_t i, int32_t count)
{
    int32_t old = left >= 0 && i >= left ? i + 1 : i;
    return old < count ? old : -1;
}

#endif
