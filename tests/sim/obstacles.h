// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Obstacles for tests.
#ifndef SN_TESTS_SIM_OBSTACLES_H
#define SN_TESTS_SIM_OBSTACLES_H

#include "math/quat.h"
#include "sim/flesh.h"

static inline snShapeDef boxShape(snVec3 half)
{
    snShapeDef s = {.kind = sn_shapeBox, .pose = {{0, 0, 0}, {0, 0, 0, 1}}, .half = half};
    return s;
}

static inline snShapeDef sphereShape(double radius)
{
    snShapeDef s = {.kind = sn_shapeSphere, .pose = {{0, 0, 0}, {0, 0, 0, 1}}, .radius = radius};
    return s;
}

static inline int32_t addObstacle(snScene* scene, const snShapeDef* shape, snTransform pose,
                                  double mass, snVec3 velocity, snVec3 spin)
{
    snObstacleDef def;
    snMessage why;
    int32_t number;
    snObstacleDef_Init(&def);
    def.shape_count = 1;
    def.shapes = shape;
    def.pose = pose;
    def.mass = mass;
    def.velocity = velocity;
    def.spin = spin;
    assert_ok(snScene_AddObstacle(scene, &def, &number, &why), why);
    return number;
}

static inline snTransform poseAt(snVec3 p)
{
    snTransform t = {p, {0, 0, 0, 1}};
    return t;
}

// A slope that goes down towards +x through the origin: its upper face contains it.
static inline void addSlope(snScene* scene, double angle)
{
    snShapeDef shape = boxShape(snV3(20, 0.5, 20));
    snTransform pose = {{0, 0, 0}, snQFromAxisAngle(snV3(0, 0, 1), -angle)};
    pose.p = snQRotate(pose.q, snV3(0, -0.5, 0));
    addObstacle(scene, &shape, pose, 0, snV3(0, 0, 0), snV3(0, 0, 0));
}

#endif
