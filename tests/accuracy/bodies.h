// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Soft and rigid bodies in the scenes of accuracy tests, which look at them by their centres of
// mass.
#ifndef SN_TESTS_ACCURACY_BODIES_H
#define SN_TESTS_ACCURACY_BODIES_H

#include "sim/obstacles.h"

#define GRAVITY SN_GRAVITY

static const snVec3 STILL = {0, 0, 0};

// A scene of one body that is looked at.
typedef struct Stage {
    snSceneDef def;
    snScene* scene;
    snSim* sim;
    int32_t obstacle; // the body, when it is rigid; -1: it is character 0
} Stage;

static inline Stage planStage(bool ground)
{
    Stage s = {.obstacle = -1};
    snSceneDef_Init(&s.def);
    s.def.ground = ground;
    return s;
}

static inline void openScene(Stage* s)
{
    snMessage why;
    if (!s->scene) {
        assert_ok(snScene_Create(NULL, &s->def, &s->scene, &why), why);
    }
}

// Takes the character's reference.
static inline void addSoft(Stage* s, snCharacter* character, snTransform pose, snVec3 velocity)
{
    snMessage why;
    snStart start;
    openScene(s);
    snStart_Init(&start);
    start.pose = pose;
    start.velocity = velocity;
    assert_ok(snScene_Add(s->scene, character, &start, NULL, &why), why);
    snCharacter_Release(character);
}

// With bones far away for company: a scene needs a character.
static inline void addRigid(Stage* s, const snShapeDef* shape, double mass, snTransform pose,
                            snVec3 velocity)
{
    snStart start;
    openScene(s);
    snStart_Init(&start);
    start.pose.p = snV3(0, 0, 1e4);
    addPuppet(NULL, s->scene, makeSingle(sn_jointWeld), &start);
    s->obstacle = addObstacle(s->scene, shape, pose, mass, velocity, STILL);
}

static inline void addFixed(Stage* s, snVec3 half, snTransform pose)
{
    snShapeDef shape = boxShape(half);
    openScene(s);
    addObstacle(s->scene, &shape, pose, 0, STILL, STILL);
}

static inline void closeStage(Stage* s)
{
    snSim_Free(s->sim);
    snScene_Free(s->scene);
}

static inline const snFrameCharacter* softOf(const Stage* s)
{
    return &snSim_Frame(s->sim)->characters[0];
}

static inline snMomentum momentumOf(const Stage* s)
{
    const snFrame* f = snSim_Frame(s->sim);
    return s->obstacle < 0 ? f->characters[0].momentum : f->obstacles[s->obstacle].momentum;
}

static inline snVec3 velocityOf(const Stage* s)
{
    snMomentum m = momentumOf(s);
    return snScale(1 / m.mass, m.linear);
}

// A cuboid of a material, damped as a def is.
static inline snCharacter* makeCuboid(snVec3 half, double young, double damping, int32_t cells)
{
    snCharacterDef def;
    snCharacterDef_Init(&def);
    def.name = "block";
    def.cells = cells;
    def.material.young = young;
    def.material.damping = damping;
    return buildBlock(&def, half);
}

#endif
