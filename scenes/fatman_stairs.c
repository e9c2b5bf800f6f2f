// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Fatman, fast asleep, lies across the top of a flight of stairs, leaning over the edge, and rolls
// down.
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

// What is left of his muscles' tone: a spring that would curl him up and a damper, Nm/rad and
// Nm s/rad, for each joint. They keep limbs from dangling, and legs from crossing, no more: TONE,
// which bounds every torque, is about what holds up a straight leg. Poses in degrees: angles,
// or the rotation vector of a ball joint. A bone on the left (_l) stands for both.
typedef struct Limb {
    const char* bone;
    double pose[3];
    double stiffness, damping;
} Limb;

static const Limb LIMBS[] = {
    {"spine", {12, 0, 0}, 60, 8},     {"chest", {8, 0, 0}, 60, 8},
    {"neck", {10, 0, 0}, 15, 2},      {"head", {5}, 8, 1},
    {"collar_l", {0, 0}, 15, 1.5},    {"upper_arm_l", {0, -15, -60}, 10, 1.5},
    {"forearm_l", {40, 0}, 6, 0.8},   {"hand_l", {10, 0}, 1.5, 0.15},
    {"thumb_l", {0, 0}, 0.3, 0.02},   {"index1_l", {30}, 0.2, 0.015},
    {"index2_l", {30}, 0.1, 0.008},   {"fingers1_l", {35}, 0.4, 0.03},
    {"fingers2_l", {35}, 0.2, 0.015}, {"thigh_l", {-25, 0, 15}, 100, 10},
    {"shin_l", {35}, 15, 2.5},        {"foot_l", {10, 0}, 4, 0.5},
    {"toes_l", {0}, 0.5, 0.04},
};
#define TONE 80.0 // Nm

// At the start he lies on his back, head to +x, arms at his sides, and leans over the edge.
#define ARMS 55.0 // degrees below straight out
#define LEGS 12.0 // degrees apart from straight down
#define LEAN 30.0 // degrees
#define BACK 0.2  // m: his spine above the landing
#define OVER 0.1  // m: and beyond the edge
#define HIPS 1.05 // m: what is in the middle of the stairs, above his soles

// Coordinates of a joint in the pose.
static void poseOf(const Limb* limb, int32_t joint, bool right, double q[4])
{
    double side = right ? -1 : 1;
    if (joint == sn_jointBall) {
        snVec3 turn = snV3(limb->pose[0], side * limb->pose[1], side * limb->pose[2]);
        snQuat t = snQExp(snScale(DEGREE, turn));
        q[0] = t.x, q[1] = t.y, q[2] = t.z, q[3] = t.w;
        return;
    }
    q[0] = limb->pose[0] * DEGREE;
    q[1] = limb->pose[1] * DEGREE;
}

// The tone of one side's joint.
static snStatus tense(snScene* scene, int32_t who, const Limb* limb, bool right, snMessage* why)
{
    static const double NOW[1] = {0};
    const snSkeleton* skeleton = snCharacter_Skeleton(snScene_Character(scene, who));
    char name[24];
    double q[4];
    snDriveDef drive;
    snprintf(name, sizeof name, "%s", limb->bone);
    name[strlen(name) - 1] = right ? 'r' : name[strlen(name) - 1];
    snDriveDef_Init(&drive);
    drive.kind = sn_driveServo;
    drive.bone = snSkeleton_FindBone(skeleton, name);
    poseOf(limb, snSkeleton_Bone(skeleton, drive.bone)->joint, right, q);
    drive.key_count = 1;
    drive.times = NOW;
    drive.keys = q;
    drive.stiffness = limb->stiffness;
    drive.damping = limb->damping;
    drive.limit = TONE;
    return snScene_SetDrive(scene, who, &drive, why);
}

// Arms hang, legs are spread: turned in the body's own plane.
static void turnLimb(const snSkeleton* skeleton, const char* bone, double degrees, double* q)
{
    snQuat t = snQFromAxisAngle(snV3(0, 0, 1), degrees * DEGREE);
    double* at = q + snSkeleton_PositionStart(skeleton, snSkeleton_FindBone(skeleton, bone));
    at[0] = t.x, at[1] = t.y, at[2] = t.z, at[3] = t.w;
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
    turnLimb(skeleton, "upper_arm_l", -ARMS, q);
    turnLimb(skeleton, "upper_arm_r", ARMS, q);
    turnLimb(skeleton, "thigh_l", LEGS, q);
    turnLimb(skeleton, "thigh_r", -LEGS, q);
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
    def.duration = 6;
    def.ground = 1;
    def.step = 0.5e-3; // as for the dance
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
