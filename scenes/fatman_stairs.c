// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Fatman is let go across the top of a flight of stairs, leaning over the edge, and tumbles down.
#include "builtin.h"

#include "math/quat.h"
#include "scenes.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define DEGREE 0.017453292519943295
#define MOST_COORDINATES 128
#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

// Stairs ------------------------------------------------------------------------

// They go down towards +z, from the edge of the landing at z = 0 to the ground. All m.
#define STEPS 7 // risers: the landing, six treads and the ground
#define RISE 0.17
#define TOP (STEPS * RISE)
#define RUN 0.29
#define LANDING 1.4
#define WIDE 1.4 // from the middle to either side

static snStatus addStairs(snScene* scene, snMessage* why)
{
    snShapeDef shapes[STEPS];
    for (int i = 0; i < STEPS; ++i) { // each stands on the ground
        double half = 0.5 * RISE * (STEPS - i), depth = i ? RUN : LANDING;
        shapes[i] = (snShapeDef){.kind = sn_shapeBox,
                                 .pose = {{0, half, RUN * i - 0.5 * depth}, {0, 0, 0, 1}},
                                 .half = {WIDE, half, 0.5 * depth}};
    }
    snObstacleDef def;
    snObstacleDef_Init(&def);
    def.name = "stairs";
    def.shape_count = STEPS;
    def.shapes = shapes;
    def.colour[0] = 0.72F, def.colour[1] = 0.66F, def.colour[2] = 0.58F;
    return snScene_AddObstacle(scene, &def, NULL, why);
}

// Fatman ------------------------------------------------------------------------

// What he does about it: within CURLED seconds he bends a little and spreads his legs, and then
// each joint keeps to that by a spring and a damper, Nm/rad and Nm s/rad. That keeps limbs from
// dangling and legs from crossing. TONE bounds every torque: less than a strong man's hips have.
// Poses in degrees: angles, or the rotation vector of a ball joint. A bone on the left (_l) stands
// for both.
typedef struct Limb {
    const char* bone;
    double pose[3];
    double stiffness, damping;
} Limb;

#define ARM "upper_arm_l"
static const Limb LIMBS[] = {
    {"spine", {12, 0, 0}, 60, 8},     {"chest", {8, 0, 0}, 60, 8},
    {"neck", {10, 0, 0}, 15, 2},      {"head", {5}, 8, 1},
    {"collar_l", {0, 0}, 15, 1.5},    {ARM, {0, -15, -60}, 10, 1.5},
    {"forearm_l", {40, 0}, 6, 0.8},   {"hand_l", {10, 0}, 1.5, 0.15},
    {"thumb_l", {0, 0}, 0.3, 0.02},   {"index1_l", {30}, 0.2, 0.015},
    {"index2_l", {30}, 0.1, 0.008},   {"fingers1_l", {35}, 0.4, 0.03},
    {"fingers2_l", {35}, 0.2, 0.015}, {"thigh_l", {-25, 0, 10}, 300, 30},
    {"shin_l", {35}, 60, 8},          {"foot_l", {10, 0}, 12, 1.5},
    {"toes_l", {0}, 0.5, 0.04},
};
#define TONE 120.0 // Nm
#define CURLED 0.7

// At the start he is on his back, head to +x, arms down, leans over the edge, and is let go.
#define LEAN 34.0 // degrees
#define BACK 0.2  // m: his spine above the landing
#define OVER 0.12 // m: and beyond the edge
#define HIPS 1.05 // m: what is in the middle of the stairs, above his soles

static int32_t boneOf(const snSkeleton* skeleton, const Limb* limb, bool right)
{
    char name[24];
    snprintf(name, sizeof name, "%s", limb->bone);
    name[strlen(name) - 1] = right ? 'r' : name[strlen(name) - 1];
    return snSkeleton_FindBone(skeleton, name);
}

// Two keys of a joint: its coordinates at the start, where all is straight but the arms, and in the
// pose.
static void keysOf(const Limb* limb, int32_t joint, bool right, double* q)
{
    double side = right ? -1 : 1;
    if (joint == sn_jointBall) {
        snVec3 turn = snV3(limb->pose[0], side * limb->pose[1], side * limb->pose[2]);
        snQuat t = snQExp(snScale(DEGREE, turn));
        snQuat first = strcmp(limb->bone, ARM) == 0 ? t : snQIdentity();
        q[0] = first.x, q[1] = first.y, q[2] = first.z, q[3] = first.w;
        q[4] = t.x, q[5] = t.y, q[6] = t.z, q[7] = t.w;
    } else if (joint == sn_jointUniversal) {
        q[2] = limb->pose[0] * DEGREE;
        q[3] = limb->pose[1] * DEGREE;
    } else {
        q[1] = limb->pose[0] * DEGREE;
    }
}

// The tone of one side's joint.
static snStatus tense(snScene* scene, int32_t who, const Limb* limb, bool right, snMessage* why)
{
    static const double TIMES[2] = {0, CURLED};
    const snSkeleton* skeleton = snCharacter_Skeleton(snScene_Character(scene, who));
    double keys[8] = {0};
    snDriveDef drive;
    snDriveDef_Init(&drive);
    drive.kind = sn_driveServo;
    drive.bone = boneOf(skeleton, limb, right);
    keysOf(limb, snSkeleton_Bone(skeleton, drive.bone)->joint, right, keys);
    drive.key_count = 2;
    drive.times = TIMES;
    drive.keys = keys;
    drive.stiffness = limb->stiffness;
    drive.damping = limb->damping;
    drive.limit = TONE;
    return snScene_SetDrive(scene, who, &drive, why);
}

static snStatus addFatman(const snHost* host, snScene* scene, snMessage* why)
{
    snCharacter* man = NULL;
    snStart start;
    int32_t who;
    double q[MOST_COORDINATES];
    snStatus status = snBuiltinCharacter_Find("fatman")->make(host, &man, why);
    if (status) {
        return status;
    }
    const snSkeleton* skeleton = snCharacter_Skeleton(man);
    snSkeleton_ZeroPose(skeleton, q);
    for (int i = 0; i < COUNT(LIMBS); ++i) {
        for (int right = 0; right < 2 && strcmp(LIMBS[i].bone, ARM) == 0; ++right) {
            double keys[8];
            keysOf(&LIMBS[i], sn_jointBall, right, keys);
            memcpy(q + snSkeleton_PositionStart(skeleton, boneOf(skeleton, &LIMBS[i], right)), keys,
                   4 * sizeof *keys);
        }
    }
    snStart_Init(&start);
    start.q = q;
    start.pose.q = snQMul(snQFromAxisAngle(snV3(1, 0, 0), LEAN * DEGREE),
                          snQMul(snQFromAxisAngle(snV3(0, 0, 1), -90 * DEGREE),
                                 snQFromAxisAngle(snV3(0, 1, 0), -90 * DEGREE)));
    start.pose.p = snV3(-HIPS, TOP + BACK, OVER);
    status = snScene_Add(scene, man, &start, &who, why);
    for (int i = 0; i < COUNT(LIMBS) && !status; ++i) {
        const char* bone = LIMBS[i].bone;
        bool both = strcmp(bone + strlen(bone) - 2, "_l") == 0;
        status = tense(scene, who, &LIMBS[i], false, why);
        status = status || !both ? status : tense(scene, who, &LIMBS[i], true, why);
    }
    snCharacter_Release(man);
    return status;
}

snStatus snMakeFatmanStairs(const snHost* host, snScene** scene, snMessage* why)
{
    snSceneDef def;
    snSceneDef_Init(&def);
    def.duration = 5.5;
    def.ground = 1;
    def.step = 0.35e-3; // automatic ones are for blows on flat ground; edges sink in deeper
    snStatus status = snScene_Create(host, &def, scene, why);
    if (status) {
        return status;
    }
    status = addStairs(*scene, why);
    status = status ? status : addFatman(host, *scene, why);
    if (status) {
        snScene_Free(*scene);
        *scene = NULL;
    }
    return status;
}
