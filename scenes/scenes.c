// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The built-in scenes.
#include "scenes.h"

#include <stdbool.h>
#include <string.h>

#define DEGREE 0.017453292519943295

// Creates a character on a built-in skeleton and puts it in the scene, which then owns it.
static snStatus addCharacter(const snHost* host, snScene* scene, const char* name,
                             snStatus (*make)(const snHost*, snSkeleton**, snMessage*),
                             const snStart* start, int32_t* who, snMessage* why)
{
    snSkeleton* skeleton = NULL;
    snCharacter* character = NULL;
    snStatus status = make(host, &skeleton, why);
    status = status ? status : snCharacter_Create(host, name, skeleton, &character, why);
    status = status ? status : snScene_Add(scene, character, start, who, why);
    snCharacter_Release(character);
    snSkeleton_Release(skeleton);
    return status;
}

// Arms that bend up and down in a wave that runs round the body; `amplitude` in degrees, one beat
// in `period` seconds.
static snStatus waveArms(snScene* scene, int32_t who, double amplitude, double period,
                         snMessage* why)
{
    // one beat of an arm joint, as parts of the amplitude; the next arm is a fifth of a beat ahead
    static const double BEAT[5] = {0, 0.95, 0.59, -0.59, -0.95};
    const snSkeleton* skeleton = snCharacter_Skeleton(snScene_Character(scene, who));
    double times[6], keys[12];
    for (int32_t bone = 1; bone < snSkeleton_BoneCount(skeleton); ++bone) {
        int arm = (bone - 1) / 3, part = (bone - 1) % 3;
        bool two = snSkeleton_Bone(skeleton, bone)->joint == sn_jointUniversal;
        for (int k = 0; k < 6; ++k) {
            double bend = amplitude * DEGREE * BEAT[(k + arm) % 5] * (part ? 1 : 0.6);
            times[k] = period * k / 5;
            keys[two ? 2 * k : k] = bend;
            if (two) {
                keys[2 * k + 1] = 0.3 * bend;
            }
        }
        snDriveDef drive;
        snDriveDef_Init(&drive);
        drive.kind = sn_driveTrajectory;
        drive.bone = bone;
        drive.ends = sn_endsPeriodic;
        drive.key_count = 6;
        drive.times = times;
        drive.keys = keys;
        snStatus status = snScene_SetDrive(scene, who, &drive, why);
        if (status) {
            return status;
        }
    }
    return sn_ok;
}

static snStatus finish(snStatus status, snScene** scene)
{
    if (status) {
        snScene_Free(*scene);
        *scene = NULL;
    }
    return status;
}

// A starfish is tossed up, tumbles, beats its arms and falls: its root is passive, only its joints
// are told what to do.
static snStatus makeStarfishFall(const snHost* host, snScene** scene, snMessage* why)
{
    snSceneDef def;
    snSceneDef_Init(&def);
    def.duration = 2;
    snStatus status = snScene_Create(host, &def, scene, why);
    if (status) {
        return status;
    }
    snStart start;
    snStart_Init(&start);
    start.pose.p = (snVec3){0, 1, 0};
    start.velocity = (snVec3){0.3, 9, 0};
    start.spin = (snVec3){2, 1, 0.5};
    int32_t who;
    status = addCharacter(host, *scene, "starfish", snMakeStarfish, &start, &who, why);
    status = status ? status : waveArms(*scene, who, 55, 0.9, why);
    return finish(status, scene);
}

// Twelve starfish in rows of four, each at its own pace: work for several threads.
static snStatus makeStarfishSwarm(const snHost* host, snScene** scene, snMessage* why)
{
    snSceneDef def;
    snSceneDef_Init(&def);
    def.duration = 3;
    def.gravity = (snVec3){0, 0, 0};
    snStatus status = snScene_Create(host, &def, scene, why);
    for (int i = 0; i < 12 && !status; ++i) {
        snStart start;
        snStart_Init(&start);
        int row = i / 4, column = i % 4;
        start.pose.p = (snVec3){1.5 * column, 1 + 0.2 * i, 1.5 * row};
        start.spin = (snVec3){0.3 * i, 1, 0.2 * i - 1};
        char name[] = {'s', 't', 'a', 'r', (char)('a' + i), 0};
        int32_t who;
        status = addCharacter(host, *scene, name, snMakeStarfish, &start, &who, why);
        status = status ? status : waveArms(*scene, who, 30 + 3 * i, 0.8 + 0.05 * i, why);
    }
    return finish(status, scene);
}

// Four links without friction, let go from horizontal: chaotic, and its energy must not drift.
static snStatus makePendulumSkeleton(const snHost* host, snSkeleton** skeleton, snMessage* why)
{
    static const char* const NAMES[4] = {"link1", "link2", "link3", "link4"};
    snBoneDef bones[4];
    for (int i = 0; i < 4; ++i) {
        snBoneDef* b = &bones[i];
        snBoneDef_Init(b);
        b->name = NAMES[i];
        b->parent = i - 1;
        b->joint = sn_jointRevolute;
        b->axis = (snVec3){0, 0, 1};
        b->anchor.p = (snVec3){i ? 0.5 : 0, i ? 0 : 2, 0};
        b->tip = (snVec3){0.5, 0, 0};
        b->radius = 0.03;
        b->mass = snMass_Capsule((snVec3){0, 0, 0}, b->tip, b->radius, 1000);
    }
    return snSkeleton_Create(host, bones, 4, skeleton, why);
}

static snStatus makePendulum(const snHost* host, snScene** scene, snMessage* why)
{
    snSceneDef def;
    snSceneDef_Init(&def);
    def.duration = 10;
    snStatus status = snScene_Create(host, &def, scene, why);
    if (status) {
        return status;
    }
    return finish(addCharacter(host, *scene, "pendulum", makePendulumSkeleton, NULL, NULL, why),
                  scene);
}

// A humanoid without muscles, tossed: only its joint limits hold it together.
static snStatus makeRagdoll(const snHost* host, snScene** scene, snMessage* why)
{
    snSceneDef def;
    snSceneDef_Init(&def);
    def.duration = 2;
    snStatus status = snScene_Create(host, &def, scene, why);
    if (status) {
        return status;
    }
    snStart start;
    snStart_Init(&start);
    start.velocity = (snVec3){0, 8, 0};
    start.spin = (snVec3){4, 0.5, 1};
    return finish(addCharacter(host, *scene, "humanoid", snMakeHumanoid, &start, NULL, why), scene);
}

// Finding them ----------------------------------------------------------------

static const snBuiltinScene SCENES[] = {
    {"starfish_fall", "a self-propelled starfish skeleton, tossed up, tumbles, bends and falls",
     makeStarfishFall},
    {"starfish_swarm", "twelve starfish skeletons without gravity", makeStarfishSwarm},
    {"pendulum_chain", "four frictionless links let go from horizontal", makePendulum},
    {"ragdoll", "a 60-dof humanoid without muscles, tossed", makeRagdoll},
    {NULL, NULL, NULL},
};

const snBuiltinScene* snBuiltinScenes(void)
{
    return SCENES;
}

const snBuiltinScene* snBuiltinScene_Find(const char* name)
{
    for (const snBuiltinScene* s = SCENES; s->name; ++s) {
        if (strcmp(s->name, name) == 0) {
            return s;
        }
    }
    return NULL;
}

const snBuiltinSkeleton* snBuiltinSkeleton_Find(const char* name)
{
    for (const snBuiltinSkeleton* s = snBuiltinSkeletons(); s->name; ++s) {
        if (strcmp(s->name, name) == 0) {
            return s;
        }
    }
    return NULL;
}

static snStatus findSkeleton(void* user, const snHost* host, const char* name,
                             snSkeleton** skeleton, snMessage* why)
{
    (void)user;
    const snBuiltinSkeleton* found = snBuiltinSkeleton_Find(name);
    *skeleton = NULL;
    return found ? found->make(host, skeleton, why) : sn_ok;
}

const snLibrary* snBuiltinLibrary(void)
{
    static const char* const NAMES[] = {"starfish", "humanoid", "fish", "worm", NULL};
    static const snLibrary LIBRARY = {NULL, findSkeleton, NAMES};
    return &LIBRARY;
}
