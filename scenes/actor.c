// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "actor.h"

#include "math/quat.h"
#include "scenes.h"

#define DEGREE 0.017453292519943295
#define SOLE 0.046 // m, from the hub's middle down to the ground: it lies flat

static snStatus setStance(snScene* scene, int32_t who, const snStance* stance, snMessage* why)
{
    double pose[7 + 20] = {0, 0, 0, 0, 0, 0, 1}; // the root's own are not looked at
    for (int arm = 0; arm < 5; ++arm) {
        double* q = pose + 7 + 4 * arm; // base up and sideways, middle, tip
        q[0] = stance->bends[0] * DEGREE;
        q[2] = stance->bends[1] * DEGREE;
        q[3] = stance->bends[2] * DEGREE;
    }
    snDirectDef def;
    snDirectDef_Init(&def);
    def.pose = pose;
    def.hold_frequency = stance->hold_frequency;
    def.hold_weight = stance->hold_weight;
    def.torque = stance->torque;
    return snScene_SetDirect(scene, who, &def, why);
}

static snStatus addMove(snScene* scene, int32_t who, const snMove* move, snMessage* why)
{
    const snSkeleton* skeleton = snCharacter_Skeleton(snScene_Character(scene, who));
    const double times[2] = {move->begin, move->arrive};
    const snVec3 places[2] = {move->from, move->to}, x = {1, 0, 0};
    const snQuat turns[2] = {snQFromAxisAngle(x, move->tilt_from * DEGREE),
                             snQFromAxisAngle(x, move->tilt * DEGREE)};
    snDragDef drag;
    snDragDef_Init(&drag);
    drag.bone = move->bone;
    drag.point = snSkeleton_Bone(skeleton, move->bone)->tip;
    drag.key_count = 2;
    drag.times = times;
    drag.positions = places;
    drag.frequency = move->frequency;
    drag.weight = move->weight;
    if (move->turn_weight > 0) {
        drag.rotations = turns;
        drag.turn_weight = move->turn_weight;
    }
    drag.begin = move->begin;
    drag.end = move->end;
    return snScene_AddDrag(scene, who, &drag, why);
}

snStatus snAddActor(const snHost* host, snScene* scene, const snStance* stance, const snMove* moves,
                    int count, snMessage* why)
{
    snCharacter* starfish = NULL;
    snStart start;
    int32_t who = 0;
    snStart_Init(&start);
    start.pose.p.y = SOLE;
    start.material = "starfish";
    snStatus status = snBuiltinCharacter_Find("starfish_coarse")->make(host, &starfish, why);
    status = status ? status : snScene_Add(scene, starfish, &start, &who, why);
    snCharacter_Release(starfish);
    status = status ? status : setStance(scene, who, stance, why);
    for (int i = 0; i < count && !status; ++i) {
        status = addMove(scene, who, &moves[i], why);
    }
    return status;
}
