// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SN_SIM_SCENE_H
#define SN_SIM_SCENE_H

#include "method/method.h"

#define SN_MOST_LENGTH 1e9 // m; beyond it positions lose their meaning

// A setting of a method that a scene has.
typedef struct snChosen {
    const snMethod* method;
    int32_t setting; // place in the method's table
    char text[SN_SETTING_SIZE];
} snChosen;

struct snScene {
    snHost host;
    snSceneDef def; // method points into the method's table
    const snMethod* method;
    int32_t chosen_count, chosen_capacity;
    snChosen* chosen; // settings of any method, in the order they came; (chosen_count)
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

// The scene's own method if it has that name, or one of the library's; NULL when there is none.
const snMethod* snScene_FindMethod(const snScene* scene, const char* name);

// Runs this method, which need not be one of the library's, with what was set for it.
void snScene_UseMethod(snScene* scene, const snMethod* method);

// The scene asks nothing of its method that it does not do.
snStatus snScene_CheckMethod(const snScene* scene, snMessage* why);

#endif
