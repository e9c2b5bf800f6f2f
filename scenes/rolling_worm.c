// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A worm throws its tail over its head, closes to a ring and rolls away (Kim & Pollard 2011, Fig. 3
// below): the tail by direct control, then key poses of a ring.
#include "builtin.h"
#include "chain.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

// It weighs 12.9 kg: 63 Nm would hold it out straight by one end. Direct control keeps to 40 Nm;
// the key poses take up to 60 Nm, where head and tail hit the ground, and 650 W, 50 W/kg.
#define TORQUE 40.0 // Nm
#define BELLY 0.077 // m, from the middle down to the ground

// where the tip of the tail goes: up, and over the head
static const double TIMES[] = {0.2, 0.4, 0.56};
static const snVec3 PLACES[] = {{0, 0, -0.44}, {0, 0.17, -0.40}, {0, 0.30, 0.23}};
#define LET_GO 0.56 // s

static const snChainPose POSES[] = {
    // it rolls up, and over onto its head
    {LET_GO, 0.83, {71, 92, 64}},
    {0.83, 1.01, {98, 83, 51}},
    // pushes off with head and tail
    {1.01, 1.38, {84, 47, 98}},
    {1.38, 1.58, {68, 98, 86}},
    // and keeps to a ring
    {1.58, 1.86, {75, 84, 84}},
    {1.86, 2.08, {86, 84, 85}},
    {2.08, 2.33, {89, 85, 85}},
};

static snStatus throwTail(snScene* scene, int32_t who, snMessage* why)
{
    const snSkeleton* skeleton = snCharacter_Skeleton(snScene_Character(scene, who));
    snDirectDef direct;
    snDirectDef_Init(&direct);
    direct.torque = TORQUE;
    direct.hold_frequency = 0.5;
    snDragDef drag;
    snDragDef_Init(&drag);
    drag.bone = 3;
    drag.point = snSkeleton_Bone(skeleton, 3)->tip;
    drag.key_count = COUNT(TIMES);
    drag.times = TIMES;
    drag.positions = PLACES;
    drag.from_start = 1;
    drag.begin = TIMES[0];
    drag.end = LET_GO;
    snStatus status = snScene_SetDirect(scene, who, &direct, why);
    return status ? status : snScene_AddDrag(scene, who, &drag, why);
}

snStatus snMakeRollingWorm(const snHost* host, snScene** scene, snMessage* why)
{
    snSceneDef def;
    snSceneDef_Init(&def);
    def.duration = 5;
    def.ground = 1;
    def.friction = 0.9;
    snStart start;
    snStart_Init(&start);
    start.pose.p.y = BELLY;
    int32_t who = 0;
    snStatus status = snScene_Create(host, &def, scene, why);
    if (status) {
        return status;
    }
    status = snChain_Add(host, *scene, "worm", &start, &who, why);
    status = status ? status : throwTail(*scene, who, why);
    status = status ? status : snChain_Pose(*scene, who, POSES, COUNT(POSES), why);
    if (status) {
        snScene_Free(*scene);
        *scene = NULL;
    }
    return status;
}
