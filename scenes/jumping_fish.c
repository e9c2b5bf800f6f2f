// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A fish out of the water bends, strikes the ground with head and tail and leaps (Kim & Pollard
// 2011, Fig. 3 above): the head by direct control, then key poses, then free fall.
#include "builtin.h"
#include "chain.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define DEGREE 0.017453292519943295

// It weighs 26.8 kg. Direct control keeps to 80 Nm, which lifts head or tail off the ground. The
// leap takes up to 700 Nm and 17 kW for a twentieth of a second: 630 W/kg, more than muscle gives.
#define TORQUE 80.0 // Nm
#define SIDE 0.165  // m, from the middle down to the tip of the fin that it lies on

// it gathers itself: the head is drawn up and back, the rest follows a bent pose
static const double TIMES[] = {0.3, 0.703};
static const snVec3 PLACES[] = {{0, 0.13, 0.41}, {0, 0.22, -0.08}};
static const double GATHERED[7 + SN_CHAIN_JOINTS] = {
    0, 0, 0, 0, 0, 0, 1, -69 * DEGREE, -44 * DEGREE, -60 * DEGREE};

static const snChainPose READY[] = {{0.703, 0.938, {-5, 14, -44}}};

static const snChainKey LEAP[] = {
    {0.938, {-5, 14, -44}},  {0.97, {-4, 15, -43}}, {1.002, {19, 33, -31}},
    {1.034, {50, 57, -15}},  {1.066, {80, 80, 1}}, // off the ground
    {1.166, {-60, -1, -36}},                       // draws head and tail up
};
#define LIMP 1.315 // s

static snStatus gather(snScene* scene, int32_t who, snMessage* why)
{
    snDirectDef direct;
    snDirectDef_Init(&direct);
    direct.torque = TORQUE;
    direct.pose = GATHERED;
    direct.hold_frequency = 0.5;
    snDragDef drag;
    snDragDef_Init(&drag);
    drag.bone = 0;
    drag.key_count = COUNT(TIMES);
    drag.times = TIMES;
    drag.positions = PLACES;
    drag.begin = TIMES[0];
    drag.end = READY[0].begin;
    snStatus status = snScene_SetDirect(scene, who, &direct, why);
    return status ? status : snScene_AddDrag(scene, who, &drag, why);
}

snStatus snMakeJumpingFish(const snHost* host, snScene** scene, snMessage* why)
{
    snSceneDef def;
    snSceneDef_Init(&def);
    def.duration = 3;
    def.ground = 1;
    def.friction = 0.4; // wet
    snStart start;
    snStart_Init(&start);
    start.pose.p.y = SIDE;
    start.pose.q = (snQuat){0, 0, 0.7071067811865476, 0.7071067811865476}; // on its side
    int32_t who = 0;
    snStatus status = snScene_Create(host, &def, scene, why);
    if (status) {
        return status;
    }
    status = snChain_Add(host, *scene, "fish_firm", &start, &who, why);
    status = status ? status : gather(*scene, who, why);
    status = status ? status : snChain_Pose(*scene, who, READY, COUNT(READY), why);
    status = status ? status : snChain_Follow(*scene, who, LEAP, COUNT(LEAP), why);
    status = status ? status : snChain_Relax(*scene, who, LIMP, why);
    if (status) {
        snScene_Free(*scene);
        *scene = NULL;
    }
    return status;
}
