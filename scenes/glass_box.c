// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A starfish under a glass box gets out: it feels the glass, jumps against the top, lifts an edge,
// and in the end throws the box over. All by direct control of its hub and the tip of one arm.
#include "actor.h"
#include "builtin.h"

// Box -------------------------------------------------------------------------

// Inside, m; its frame is on the ground, in the middle.
#define WIDE 0.54  // from the middle to a wall
#define HIGH 0.36  // from the ground to the top
#define GLASS 0.01 // half of the glass's thickness
#define MASS 13.5  // kg; the starfish has 26.5

static snStatus addBox(snScene* scene, snMessage* why)
{
    const double middle = WIDE + GLASS, outside = WIDE + 2 * GLASS;
    const snVec3 walls[5][2] = {
        // where, and half sides
        {{0, HIGH + GLASS, 0}, {outside, GLASS, outside}},
        {{middle, HIGH / 2, 0}, {GLASS, HIGH / 2, outside}},
        {{-middle, HIGH / 2, 0}, {GLASS, HIGH / 2, outside}},
        {{0, HIGH / 2, middle}, {WIDE, HIGH / 2, GLASS}},
        {{0, HIGH / 2, -middle}, {WIDE, HIGH / 2, GLASS}},
    };
    snShapeDef shapes[5];
    for (int i = 0; i < 5; ++i) {
        shapes[i] = (snShapeDef){
            .kind = sn_shapeBox, .pose = {walls[i][0], {0, 0, 0, 1}}, .half = walls[i][1]};
    }
    snObstacleDef def;
    snObstacleDef_Init(&def);
    def.name = "box";
    def.material = "glass";
    def.shape_count = 5;
    def.shapes = shapes;
    def.mass = MASS;
    def.colour[0] = 0.6F, def.colour[1] = 0.8F, def.colour[2] = 0.9F, def.colour[3] = 0.25F;
    return snScene_AddObstacle(scene, &def, NULL, why);
}

// Starfish --------------------------------------------------------------------

// 120 Nm at the base of an arm 0.4 m long lifts 300 N; half of the box weighs 66 N.
static const snStance STANCE = {{-10, -20, -20}, 1, 1e-4, 120};

static const snMove MOVES[] = {
    // it stands up and feels the glass with an arm
    {0.5, 1.1, 3.2, SN_HUB, {0, 0.045, 0}, {0, 0.15, 0}, 0, 0, 8, 1, 0.1},
    {1.6, 2.2, 3.0, SN_ARM5, {0.42, 0.02, -0.14}, {0.47, 0.26, -0.15}, 0, 0, 4, 1, 0},
    // crouches and jumps against the top
    {3.2, 3.5, 3.6, SN_HUB, {0, 0.15, 0}, {0, 0.09, 0}, 0, 0, 8, 1, 0.1},
    {3.6, 3.9, 3.75, SN_HUB, {0, 0.09, 0}, {0, 0.52, 0}, 0, 0, 6, 1, 0.1},
    // stands up, lifts an edge, cannot hold it
    {5.2, 5.8, 6.2, SN_HUB, {0, 0.045, 0}, {0, 0.15, 0}, 0, 0, 8, 1, 0.1},
    {6.2, 6.8, 7.6, SN_HUB, {0, 0.15, 0}, {0, 0.22, 0}, 0, 20, 8, 1, 0.1},
    {6.2, 6.8, 7.6, SN_ARM1, {0, 0.05, -0.45}, {0, 0.62, -0.4}, 0, 0, 5, 1, 0},
    // stands up and throws the box over
    {9.0, 9.6, 10.0, SN_HUB, {0, 0.045, 0}, {0, 0.15, 0}, 0, 0, 8, 1, 0.1},
    {10.0, 10.3, 11.0, SN_HUB, {0, 0.15, 0}, {0, 0.5, 0}, 0, 60, 8, 1, 0.1},
    {10.0, 10.3, 11.0, SN_ARM1, {0, 0.05, -0.45}, {0, 1.2, 0}, 0, 0, 10, 1, 0},
    // rises once more and waves
    {12.6, 13.2, 15.6, SN_HUB, {0, 0.045, -0.25}, {0, 0.16, -0.25}, 0, 0, 8, 1, 0.1},
    {13.2, 13.8, 13.8, SN_ARM1, {0.09, 0.01, -0.68}, {0.1, 0.5, -0.45}, 0, 0, 4, 1, 0},
    {13.8, 14.2, 14.2, SN_ARM1, {0.1, 0.5, -0.45}, {-0.15, 0.48, -0.45}, 0, 0, 4, 1, 0},
    {14.2, 14.6, 14.6, SN_ARM1, {-0.15, 0.48, -0.45}, {0.15, 0.48, -0.45}, 0, 0, 4, 1, 0},
    {14.6, 15.2, 15.6, SN_ARM1, {0.15, 0.48, -0.45}, {0.05, 0.02, -0.68}, 0, 0, 4, 1, 0},
};
#define MOVE_COUNT ((int)(sizeof MOVES / sizeof MOVES[0]))

snStatus snMakeGlassBox(const snHost* host, snScene** scene, snMessage* why)
{
    snSceneDef def;
    snSceneDef_Init(&def);
    def.duration = 16;
    def.ground = 1;
    snStatus status = snScene_Create(host, &def, scene, why);
    status = status ? status : snAddActor(host, *scene, &STANCE, MOVES, MOVE_COUNT, why);
    status = status ? status : addBox(*scene, why);
    status = status ? status : snScene_SetPair(*scene, "glass", "ground", 0.4, 0, why);
    status = status ? status : snScene_SetPair(*scene, "glass", "starfish", 0.5, 0, why);
    status = status ? status : snScene_SetPair(*scene, "starfish", "ground", 1, 0, why);
    if (status) {
        snScene_Free(*scene);
        *scene = NULL;
    }
    return status;
}
