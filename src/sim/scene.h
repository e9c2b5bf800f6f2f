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

// As snScene_Add, sim or not; the new one is the last.
snStatus snScene_Append(snScene* scene, snCharacter* character, const snStart* start,
                        snMessage* why);

// Takes a character out of the list, those behind it move up; and back into it.
snActor snScene_TakeOut(snScene* scene, int32_t who);
void snScene_PutBack(snScene* scene, int32_t who, const snActor* actor);
void snActor_Free(const snHost* host, snActor* actor);

// The same for obstacles.
snStatus snScene_AppendObstacle(snScene* scene, const snObstacleDef* def, snMessage* why);
snObstacle snScene_TakeOutObstacle(snScene* scene, int32_t number);
void snScene_PutBackObstacle(snScene* scene, int32_t number, const snObstacle* obstacle);
void snObstacle_Free(snObstacle* obstacle);

// Frees obstacles and pairs.
void snScene_FreeObstacles(snScene* scene);

#endif
