// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SN_SIM_SCENE_H
#define SN_SIM_SCENE_H

#include "method/method.h"

#define SN_MOST_LENGTH 1e9 // m; beyond it positions lose their meaning

struct snScene {
    snHost host;
    snSceneDef def; // method points into the method's table
    const snMethod* method;
    snWorld world;
    int32_t capacity; // of world.actors
    int32_t obstacle_capacity, pair_capacity;
    int32_t sim_count; // sims that look at the world
};

// Frees obstacles and pairs.
void snScene_FreeObstacles(snScene* scene);

#endif
