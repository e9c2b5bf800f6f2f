// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Blocks on each other, on a crate and beside it, which fall asleep.
#ifndef SN_TESTS_SIM_PILE_H
#define SN_TESTS_SIM_PILE_H

#include "sim/obstacles.h"

#define BLOCKS 4
#define SLEEP 0.5 // s

// A block that does not jiggle for long
static inline snCharacter* makeDull(void)
{
    snCharacterDef def;
    snCharacterDef_Init(&def);
    def.name = "block";
    def.cells = 100;
    def.material.damping = 60;
    return buildBlock(&def, snV3(0.15, 0.08, 0.12));
}

// Blocks on each other and on a crate, one beside them.
static inline snScene* makePile(double sleep)
{
    snMessage why;
    snSceneDef def;
    snScene* scene = NULL;
    snShapeDef box = boxShape(snV3(0.25, 0.1, 0.2));
    snSceneDef_Init(&def);
    def.ground = 1;
    def.sleep = sleep;
    def.events = 32;
    assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
    snCharacter* block = makeDull();
    for (int i = 0; i < BLOCKS; ++i) {
        snStart start;
        snStart_Init(&start);
        start.pose.p = i < 2 ? snV3(0, 0.29 + 0.17 * i, 0) : snV3(1.2, 0.085 + 0.17 * (i - 2), 0);
        assert_ok(snScene_Add(scene, block, &start, NULL, &why), why);
    }
    addObstacle(scene, &box, poseAt(snV3(0, 0.1, 0)), 5, snV3(0, 0, 0), snV3(0, 0, 0));
    snCharacter_Release(block);
    return scene;
}

static inline int asleep(snSim* sim)
{
    const snFrame* frame = snSim_Frame(sim);
    int count = frame->obstacles[0].is_asleep;
    for (int32_t i = 0; i < frame->character_count; ++i) {
        count += frame->characters[i].is_asleep;
    }
    return count;
}

// until all sleep; s
static inline double settle(snSim* sim)
{
    for (int i = 0; i < 600 && asleep(sim) < BLOCKS + 1; ++i) {
        advance(sim, 1.0 / 60);
    }
    assert_int_equal(asleep(sim), BLOCKS + 1);
    return snSim_Time(sim);
}

#endif
