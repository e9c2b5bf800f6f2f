// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Two worms lie on their sides, each with its neck between two pegs of a board and its head bent
// behind them, and heave by turns. Both do the same; one has a rough skin, the other a smooth one:
// the rough one drags the board, and the other with it, over its line.
#include "builtin.h"
#include "chain.h"

#include "math/quat.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define DEGREE 0.017453292519943295

// Board -----------------------------------------------------------------------

// m; its frame is on the ground, in the middle. The worms pull along z.
#define BOARD 0.006  // half of its thickness
#define ACROSS 0.105 // pegs: from the middle
#define ALONG 0.2
#define PEG 0.03 // radius
#define LINE 0.5 // from the middle: who gets the board's middle over it has won

static snStatus addBoard(snScene* scene, snMessage* why)
{
    snShapeDef shapes[5] = {
        {.kind = sn_shapeBox, .pose = {{0, BOARD, 0}, {0, 0, 0, 1}}, .half = {0.26, BOARD, 0.25}}};
    for (int i = 0; i < 4; ++i) {
        double x = i % 2 ? ACROSS : -ACROSS, z = i / 2 ? ALONG : -ALONG;
        shapes[1 + i] = (snShapeDef){.kind = sn_shapeCapsule,
                                     .pose = {{x, 0.095, z}, {0, 0, 0, 1}},
                                     .radius = PEG,
                                     .half_length = 0.065};
    }
    snObstacleDef def;
    snObstacleDef_Init(&def);
    def.name = "board";
    def.material = "board";
    def.shape_count = COUNT(shapes);
    def.shapes = shapes;
    def.mass = 8;
    def.colour[0] = 0.75F, def.colour[1] = 0.6F, def.colour[2] = 0.4F;
    return snScene_AddObstacle(scene, &def, NULL, why);
}

// Two balls at the ends of each line, out of reach.
static snStatus addLines(snScene* scene, snMessage* why)
{
    snShapeDef balls[4];
    for (int i = 0; i < COUNT(balls); ++i) {
        double x = i % 2 ? 0.6 : -0.6, z = i / 2 ? LINE : -LINE;
        balls[i] = (snShapeDef){
            .kind = sn_shapeSphere, .pose = {{x, 0.04, z}, {0, 0, 0, 1}}, .radius = 0.04};
    }
    snObstacleDef def;
    snObstacleDef_Init(&def);
    def.name = "lines";
    def.shape_count = COUNT(balls);
    def.shapes = balls;
    def.colour[0] = 0.9F, def.colour[1] = 0.25F, def.colour[2] = 0.2F;
    return snScene_AddObstacle(scene, &def, NULL, why);
}

// Worms -----------------------------------------------------------------------

#define HEAD 95.0    // degrees, bent behind the pegs, always
#define NECK 0.085   // m, from the board's middle to where it bends
#define BELLY 0.088  // m, from the worm's middle down to the ground; its head is on the board
#define HEAVES 10    // by each
#define REST 0.3     // s, before the first
#define BEHIND 0.425 // s, by which the smooth one heaves later: half of a heave

// A heave. Slowly it bends its tail to a Z: the tail grips the ground and stays, the board
// slides and comes. Quickly it stretches: the tail is light and goes back, board and opponent are
// heavy and stay. That takes 50 Nm and 800 W of a worm of 12.9 kg, 62 W/kg, for a tenth of a
// second.
static const struct {
    double time; // s, that it takes
    double bends[SN_CHAIN_JOINTS];
} HEAVE[] = {
    {0.55, {-HEAD, -95, 60}}, // pulls
    {0.15, {-HEAD, 0, -15}},  // stretches
    {0.15, {-HEAD, 0, -15}},  // rests
};

static snStatus heave(snScene* scene, int32_t who, double begin, snMessage* why)
{
    snChainPose poses[1 + HEAVES * COUNT(HEAVE)] = {{0, REST, {-HEAD, 0, 0}}};
    for (int i = 1; i < COUNT(poses); ++i) {
        int part = (i - 1) % COUNT(HEAVE);
        poses[i].begin = begin;
        begin = poses[i].end = begin + HEAVE[part].time;
        for (int joint = 0; joint < SN_CHAIN_JOINTS; ++joint) {
            poses[i].bends[joint] = HEAVE[part].bends[joint];
        }
    }
    return snChain_Pose(scene, who, poses, COUNT(poses), why);
}

// Straight but for its head; `turn` degrees about the vertical through the board's middle.
static snStatus addWorm(const snHost* host, snScene* scene, const char* skin, double turn,
                        double begin, snMessage* why)
{
    const snVec3 up = {0, 1, 0}, neck = {0, 0, 0.22}; // in the worm's frame
    // three coordinates and a quaternion of the head, then the bends
    const double q[] = {0, 0, 0, 0, 0, 0, 1, -HEAD * DEGREE, 0, 0};
    snStart start;
    snStart_Init(&start);
    start.q = q;
    start.material = skin;
    start.pose.q = snQMul(snQFromAxisAngle(up, (turn + HEAD) * DEGREE),
                          snQFromAxisAngle(snV3(0, 0, 1), 90 * DEGREE));
    snVec3 at = snQRotate(snQFromAxisAngle(up, turn * DEGREE), snV3(0, BELLY, -NECK));
    start.pose.p = snSub(at, snQRotate(start.pose.q, neck));
    int32_t who = 0;
    snStatus status = snChain_Add(host, scene, "worm", &start, &who, why);
    return status ? status : heave(scene, who, begin, why);
}

// Friction --------------------------------------------------------------------

static const struct {
    const char* one;
    const char* other;
    double friction;
} PAIRS[] = {
    {"rough", "ground", 1.2}, {"smooth", "ground", 0.15}, {"board", "ground", 0.08},
    {"rough", "board", 0.3},  {"smooth", "board", 0.3},   {"rough", "smooth", 0.3},
};

snStatus snMakeTugOfWar(const snHost* host, snScene** scene, snMessage* why)
{
    snSceneDef def;
    snSceneDef_Init(&def);
    def.duration = 9.3;
    def.ground = 1;
    snStatus status = snScene_Create(host, &def, scene, why);
    if (status) {
        return status;
    }
    status = addWorm(host, *scene, "rough", 0, REST, why);
    status = status ? status : addWorm(host, *scene, "smooth", 180, REST + BEHIND, why);
    status = status ? status : addBoard(*scene, why);
    status = status ? status : addLines(*scene, why);
    for (int i = 0; i < COUNT(PAIRS) && !status; ++i) {
        status = snScene_SetPair(*scene, PAIRS[i].one, PAIRS[i].other, PAIRS[i].friction, 0, why);
    }
    if (status) {
        snScene_Free(*scene);
        *scene = NULL;
    }
    return status;
}
