// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A scene with every type of joint, and frames of it made without a sim.
#ifndef SN_TESTS_IO_SINK_FRAMES_H
#define SN_TESTS_IO_SINK_FRAMES_H

#include "check.h"
#include "math/transform.h"
#include <sinew/io.h>

#define ACTOR_BONES 7
#define STAND_BONES 2
#define CHARACTERS 2

// The second character stands here: coordinates in float are 1 mm apart.
#define FAR_AWAY 12345.678901

typedef struct Stage {
    snScene* scene;
    snDynamics* dynamics[CHARACTERS];
    snTransform bones[CHARACTERS][ACTOR_BONES];
    snFrameCharacter characters[CHARACTERS];
    snFrame frame;
} Stage;

static inline snBoneDef boneDef(const char* name, int32_t parent, int32_t joint, snVec3 anchor,
                                snVec3 tip)
{
    snBoneDef bone;
    snBoneDef_Init(&bone);
    bone.name = name;
    bone.parent = parent;
    bone.joint = joint;
    bone.anchor.p = anchor;
    bone.anchor.q = snQExp(snV3(0.1, -0.2, 0.3));
    bone.axis = snV3(0.2, 0.3, 1);
    bone.tip = tip;
    bone.mass = snMass_Capsule(snV3(0, 0, 0), snV3(0, 0.1, 0), 0.05, 1000);
    return bone;
}

static inline snCharacter* makeCharacter(const char* name, const snBoneDef* bones, int32_t count)
{
    snMessage why;
    snSkeleton* skeleton;
    snCharacter* character;
    assert_ok(snSkeleton_Create(NULL, bones, count, &skeleton, &why), why);
    assert_ok(snCharacter_Create(NULL, name, skeleton, &character, &why), why);
    snSkeleton_Release(skeleton);
    return character;
}

static inline void openStage(Stage* stage)
{
    snVec3 zero = snV3(0, 0, 0), up = snV3(0, 0.3, 0);
    snBoneDef actor[ACTOR_BONES] = {
        boneDef("root", -1, sn_jointFree, zero, zero),
        boneDef("slider", 0, sn_jointPrismatic, zero, snV3(0.2, 0, 0)),
        boneDef("shoulder", 1, sn_jointBall, snV3(0.2, 0, 0), up),
        boneDef("elbow \"left\"", 2, sn_jointRevolute, up, snV3(0, -0.25, 0)),
        boneDef("hand", 3, sn_jointWeld, snV3(0, -0.25, 0), snV3(0.05, 0.04, -0.03)),
        boneDef("hip", 0, sn_jointUniversal, snV3(0, -0.1, 0), snV3(0, -0.4, 0)),
        boneDef("puck", 0, sn_jointPlanar, snV3(0, 0, 0.2), zero),
    };
    actor[2].radius = 0.03;
    actor[6].radius = 0.04;
    snBoneDef stand[STAND_BONES] = {
        boneDef("foot", -1, sn_jointWeld, zero, up),
        boneDef("arm", 0, sn_jointRevolute, up, snV3(0, 0, 0.4)),
    };
    snCharacter* cast[CHARACTERS] = {makeCharacter("actor, first", actor, ACTOR_BONES),
                                     makeCharacter("stand", stand, STAND_BONES)};
    *stage = (Stage){.scene = NULL};
    snMessage why;
    assert_ok(snScene_Create(NULL, NULL, &stage->scene, &why), why);
    for (int32_t i = 0; i < CHARACTERS; ++i) {
        snSkeleton* skeleton = snCharacter_Skeleton(cast[i]);
        assert_ok(snScene_Add(stage->scene, cast[i], NULL, NULL, &why), why);
        assert_ok(snDynamics_Create(NULL, skeleton, &stage->dynamics[i], &why), why);
        stage->characters[i].name = snCharacter_Name(cast[i]);
        stage->characters[i].bone_count = snSkeleton_BoneCount(skeleton);
        stage->characters[i].bones = stage->bones[i];
        snCharacter_Release(cast[i]);
    }
    stage->frame.character_count = CHARACTERS;
    stage->frame.characters = stage->characters;
}

static inline void closeStage(Stage* stage)
{
    for (int32_t i = 0; i < CHARACTERS; ++i) {
        snDynamics_Free(stage->dynamics[i]);
    }
    snScene_Free(stage->scene);
}

// The coordinates of all joints at a time: a motion in which rotations turn more than once
static inline void fillCoordinates(const snSkeleton* skeleton, double t, double* q)
{
    snSkeleton_ZeroPose(skeleton, q);
    for (int32_t b = 0; b < snSkeleton_BoneCount(skeleton); ++b) {
        int32_t joint = snSkeleton_Bone(skeleton, b)->joint;
        int32_t start = snSkeleton_PositionStart(skeleton, b);
        int32_t count = joint == sn_jointUniversal                         ? 2
                        : joint == sn_jointPlanar || joint == sn_jointFree ? 3
                        : joint == sn_jointWeld || joint == sn_jointBall   ? 0
                                                                           : 1;
        for (int32_t k = 0; k < count; ++k) {
            q[start + k] = 0.7 * snSin(t * (1 + k) + b);
        }
        if (joint == sn_jointBall || joint == sn_jointFree) {
            snQuat r = snQExp(snV3(5 * t, 1 - 3 * t, 2 * t + b));
            memcpy(q + start + count, &r, sizeof(r));
        }
    }
}

// The frame at a time. Rotations have signs as they come, some changed from frame to frame.
static inline const snFrame* makeFrame(Stage* stage, int number, double t)
{
    snMessage why;
    stage->frame.time = t;
    stage->frame.step = number;
    for (int32_t i = 0; i < CHARACTERS; ++i) {
        snFrameCharacter* c = &stage->characters[i];
        double q[8 * ACTOR_BONES], qd[8 * ACTOR_BONES];
        const snCharacter* character = snScene_Character(stage->scene, i);
        for (int k = 0; k < 8 * ACTOR_BONES; ++k) {
            qd[k] = 0.1 * k;
        }
        fillCoordinates(snCharacter_Skeleton(character), t, q);
        assert_ok(snDynamics_SetState(stage->dynamics[i], q, qd, &why), why);
        c->momentum = snDynamics_Momentum(stage->dynamics[i]);
        c->energy = snDynamics_Energy(stage->dynamics[i]);
        for (int32_t b = 0; b < c->bone_count; ++b) {
            snTransform pose = snDynamics_BonePose(stage->dynamics[i], b);
            pose.p.x += i == 1 ? FAR_AWAY : 0;
            pose.q = (number * 7 + b * 5) % 3 == 0 ? snQNegate(pose.q) : pose.q;
            stage->bones[i][b] = pose;
        }
    }
    return &stage->frame;
}

// Whether a file is there
static inline bool fileExists(const char* path)
{
    FILE* file = fopen(path, "rb");
    if (file) {
        fclose(file);
    }
    return file != NULL;
}

#endif
