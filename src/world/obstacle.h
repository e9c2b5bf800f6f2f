// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What a scene says about obstacles and materials.
#ifndef SN_WORLD_OBSTACLE_H
#define SN_WORLD_OBSTACLE_H

#include "math/spline.h"
#include <sinew/scene.h>

SN_BEGIN_C

// Where an obstacle that does not give way is at any time.
typedef struct snPath {
    snSpline travel; // no keys: it stays
    snRotSpline turn;
} snPath;

// One obstacle of a scene.
typedef struct snObstacle {
    snArena arena, path_arena;
    snObstacleDef def; // arrays in the arenas
    snPath path;       // may change between steps
} snObstacle;

// Friction and restitution between two materials.
typedef struct snPair {
    char material[32], other[32];
    double friction, restitution;
} snPair;

snStatus snPath_Build(snArena* arena, const snObstacleDef* def, snPath* path, snMessage* why);

// Pose, and velocity of the frame's origin, at time t.
void snPath_At(const snObstacle* obstacle, double t, snTransform* pose, snTwist* twist);

// In either order; NULL when there is none.
snPair* snPair_Find(snPair* pairs, int32_t count, const char* material, const char* other);

SN_END_C

#endif
