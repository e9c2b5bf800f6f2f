// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Fatman, fast asleep, leans over the top of a flight of stairs and tumbles down.
#include "builtin.h"

#include "math/quat.h"
#include "scenes.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define DEGREE 0.017453292519943295
#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define MOST_COORDINATES 128

// Stairs ------------------------------------------------------------------------

// They go down towards +z, from the edge of the landing at z = 0 to the ground. All m.
#define STEPS 9 // risers: the landing, eight treads and the ground
#define RISE 0.17
#define RUN 0.29
#define LANDING 1.4
#define WIDE 1.2 // from the middle to either side

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

// How he squats, in degrees: angles, or the rotation vector of a ball joint; and what is left of
// his muscles' tone: a spring to that pose and a damper, Nm/rad and Nm s/rad. They keep joints from
// dangling, no more: the legs alone weigh 170 N, and TONE bounds every torque. A bone on the left
// (_l) stands for both.
typedef struct Limb {
    const char* bone;
    double pose[3];
    double stiffness, damping;
} Limb;

static const Limb LIMBS[] = {
    {"spine", {35, 0, 0}, 60, 8},     {"chest", {25, 0, 0}, 60, 8},
    {"neck", {-10, 0, 0}, 15, 2},      {"head", {0}, 8, 1},
    {"collar_l", {0, 10}, 15, 1.5},   {"upper_arm_l", {0, -30, -50}, 10, 1.5},
    {"forearm_l", {35, 0}, 6, 0.8},   {"hand_l", {10, 0}, 1.5, 0.15},
    {"thumb_l", {0, 0}, 0.3, 0.02},   {"index1_l", {30}, 0.2, 0.015},
    {"index2_l", {30}, 0.1, 0.008},   {"fingers1_l", {35}, 0.4, 0.03},
    {"fingers2_l", {35}, 0.2, 0.015}, {"thigh_l", {-75, 0, 0}, 30, 5},
    {"shin_l", {60}, 15, 2.5},       {"foot_l", {-30, 0}, 4, 0.5},
    {"toes_l", {0}, 0.5, 0.04},
};
#define TONE 40.0 // Nm

// He leans forward, his feet at the edge.
#define LEAN 45.0                          // degrees
static const snVec3 FEET = {0, 0.374, 0.607}; // in his own frame when he squats, m
static const snVec3 EDGE = {0, STEPS* RISE, -0.12};

// Coordinates of a joint in the pose; returns how many there are.
static int poseOf(const Limb* limb, int32_t joint, bool right, double q[4])
{
    double side = right ? -1 : 1;
    if (joint == sn_jointBall) {
        snVec3 turn = snV3(limb->pose[0], side * limb->pose[1], side * limb->pose[2]);
        snQuat t = snQExp(snScale(DEGREE, turn));
        q[0] = t.x, q[1] = t.y, q[2] = t.z, q[3] = t.w;
        return 4;
    }
    q[0] = limb->pose[0] * DEGREE;
    q[1] = limb->pose[1] * DEGREE;
    return joint == sn_jointUniversal ? 2 : 1;
}

// Writes the pose to the start, or, with a scene, gives the joints their tone.
static snStatus eachLimb(const snSkeleton* skeleton, double* start, snScene* scene, int32_t who,
                         snMessage* why)
{
    static const double NOW[1] = {0};
    snStatus status = sn_ok;
    for (int i = 0; i < 2 * COUNT(LIMBS) && !status; ++i) {
        const Limb* limb = &LIMBS[i / 2];
        char name[24];
        snprintf(name, sizeof name, "%s", limb->bone);
        bool right = i % 2, paired = strcmp(name + strlen(name) - 2, "_l") == 0;
        if (right && !paired) {
            continue;
        }
        name[strlen(name) - 1] = right ? 'r' : name[strlen(name) - 1];
        int32_t bone = snSkeleton_FindBone(skeleton, name);
        double q[4];
        int count = poseOf(limb, snSkeleton_Bone(skeleton, bone)->joint, right, q);
        memcpy(start + snSkeleton_PositionStart(skeleton, bone), q, (size_t)count * sizeof *q);
        if (scene) {
            snDriveDef drive;
            snDriveDef_Init(&drive);
            drive.kind = sn_driveServo;
            drive.bone = bone;
            drive.key_count = 1;
            drive.times = NOW;
            drive.keys = q;
            drive.stiffness = limb->stiffness;
            drive.damping = limb->damping;
            drive.limit = TONE;
            status = snScene_SetDrive(scene, who, &drive, why);
        }
    }
    return status;
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
    eachLimb(skeleton, q, NULL, 0, why);
    snStart_Init(&start);
    start.q = q;
    start.pose.q = snQFromAxisAngle(snV3(1, 0, 0), LEAN * DEGREE);
    start.pose.p = snSub(EDGE, snQRotate(start.pose.q, FEET));
    status = snScene_Add(scene, man, &start, &who, why);
    status = status ? status : eachLimb(skeleton, q, scene, who, why);
    snCharacter_Release(man);
    return status;
}

snStatus snMakeFatmanStairs(const snHost* host, snScene** scene, snMessage* why)
{
    snSceneDef def;
    snSceneDef_Init(&def);
    def.duration = 6;
    def.ground = 1;
    def.friction = 0.4;
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
