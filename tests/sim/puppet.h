// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A body with a joint of every type, and what tests of scenes and sims do over and over.
#ifndef SN_TESTS_SIM_PUPPET_H
#define SN_TESTS_SIM_PUPPET_H

#include "check.h"
#include <sinew/sim.h>

#define PUPPET_BONES 10
#define PUPPET_MOST 64 // numbers in q or qd

enum {
    PUPPET_HUB,
    PUPPET_KNEE,      // revolute: limits, spring
    PUPPET_SLIDE,     // prismatic: spring, damper, limits
    PUPPET_WRIST,     // universal: limits, armature
    PUPPET_SHOULDER,  // ball: swing and twist limits
    PUPPET_SKATE,     // planar: springs
    PUPPET_PLATE,     // weld
    PUPPET_SATELLITE, // free, on springs
    PUPPET_TAIL,      // ball
    PUPPET_FINGER,    // revolute
};

static const int32_t PUPPET_JOINTS[PUPPET_BONES] = {
    sn_jointFree,   sn_jointRevolute, sn_jointPrismatic, sn_jointUniversal, sn_jointBall,
    sn_jointPlanar, sn_jointWeld,     sn_jointFree,      sn_jointBall,      sn_jointRevolute};

static inline void puppetForces(snBoneDef* b, int32_t bone)
{
    switch (bone) {
    case PUPPET_KNEE:
        b->dof[0] = (snDofDef){-0.4, 0.5, 2, 0.3, 0.01, 0};
        break;
    case PUPPET_SLIDE:
        b->dof[0] = (snDofDef){-0.05, 0.05, 60, 0.01, 0.4, 0};
        break;
    case PUPPET_WRIST:
        b->dof[0] = (snDofDef){-0.6, 0.6, 0, 0, 0.02, 0.001};
        b->dof[1].lower = -0.3;
        break;
    case PUPPET_SHOULDER:
        b->dof[0].lower = -0.4, b->dof[0].upper = 0.4;
        b->dof[0].damping = 0.01;
        b->swing = 0.7;
        break;
    case PUPPET_SKATE:
        for (int k = 0; k < 3; ++k) {
            b->dof[k].stiffness = 30 - 9 * k;
            b->dof[k].damping = 0.1;
        }
        break;
    case PUPPET_SATELLITE:
        b->dof[0].stiffness = 1, b->dof[0].damping = 0.02;
        b->dof[1].stiffness = 40, b->dof[1].damping = 0.3;
        break;
    default:
        break;
    }
}

// The hub hangs on `root`: sn_jointFree, or sn_jointWeld to hold it.
static inline snSkeleton* makePuppet(const snHost* host, int32_t root)
{
    static const char* const NAMES[PUPPET_BONES] = {"hub",      "knee",  "slide", "wrist",
                                                    "shoulder", "skate", "plate", "satellite",
                                                    "tail",     "finger"};
    static const int32_t PARENTS[PUPPET_BONES] = {-1, 0, 1, 0, 0, 4, 5, 0, 1, 3};
    snBoneDef bones[PUPPET_BONES];
    snSkeleton* skeleton = NULL;
    for (int32_t i = 0; i < PUPPET_BONES; ++i) {
        snBoneDef* b = &bones[i];
        snBoneDef_Init(b);
        b->name = NAMES[i];
        b->parent = PARENTS[i];
        b->joint = i == 0 ? root : PUPPET_JOINTS[i];
        b->anchor.p = (snVec3){0.1 - 0.03 * i, 0.04 * i, i % 3 ? 0.1 : -0.07};
        b->anchor.q = i % 2 ? (snQuat){0, 0.6, 0, 0.8} : (snQuat){0.36, 0.48, 0, 0.8};
        b->axis = (snVec3){0.2, 1, 0.1 * i};
        b->axis2 = (snVec3){1, 0, 0.3};
        b->tip = (snVec3){0.12, 0.02 * i, 0.01};
        b->mass = snMass_Capsule((snVec3){0, 0, 0}, b->tip, 0.03 + 0.002 * i, 900);
        puppetForces(b, i);
    }
    snMessage why;
    assert_ok(snSkeleton_Create(host, bones, PUPPET_BONES, &skeleton, &why), why);
    return skeleton;
}

// One bone with mass on a joint of the given type on the ground; a weld gets a second, movable
// bone.
static inline snSkeleton* makeSingle(int32_t joint)
{
    snBoneDef bone;
    snSkeleton* skeleton = NULL;
    snMessage why;
    snBoneDef_Init(&bone);
    bone.name = "single";
    bone.joint = joint;
    bone.axis = (snVec3){0, 0, 1};
    bone.axis2 = (snVec3){1, 0, 0};
    bone.anchor.q = (snQuat){0, 0.6, 0, 0.8};
    bone.mass = snMass_Capsule((snVec3){0, 0, 0}, (snVec3){0.2, 0, 0}, 0.05, 1000);
    assert_ok(snSkeleton_Create(NULL, &bone, 1, &skeleton, &why), why);
    return skeleton;
}

// Adds a character on the skeleton, giving the caller's reference away.
static inline int32_t addPuppet(const snHost* host, snScene* scene, snSkeleton* skeleton,
                                const snStart* start)
{
    snCharacter* character = NULL;
    int32_t who = -1;
    snMessage why;
    assert_ok(snCharacter_Create(host, "puppet", skeleton, &character, &why), why);
    assert_ok(snScene_Add(scene, character, start, &who, &why), why);
    snCharacter_Release(character);
    snSkeleton_Release(skeleton);
    return who;
}

static inline void setCurve(snScene* scene, int32_t who, int32_t kind, int32_t bone, int32_t ends,
                            int32_t count, const double* times, const double* keys)
{
    snDriveDef d;
    snMessage why;
    snDriveDef_Init(&d);
    d.kind = kind;
    d.bone = bone;
    d.ends = ends;
    d.key_count = count;
    d.times = times;
    d.keys = keys;
    d.stiffness = 3;
    d.damping = 0.1;
    d.limit = 1;
    assert_ok(snScene_SetDrive(scene, who, &d, &why), why);
}

static inline void setValue(snScene* scene, int32_t who, int32_t kind, int32_t bone, double value)
{
    snDriveDef d;
    snMessage why;
    snDriveDef_Init(&d);
    d.kind = kind;
    d.bone = bone;
    d.value[0] = value;
    assert_ok(snScene_SetDrive(scene, who, &d, &why), why);
}

// Every kind of drive at once.
static inline void drivePuppet(snScene* scene, int32_t who)
{
    static const double TIMES[4] = {0, 0.2, 0.45, 0.8};
    static const double TURNS[16] = {0, 0, 0, 1, 0.6, 0, 0, 0.8, 0.6, 0, 0.8, 0, 0, 0, 0, 1};
    static const double BENDS[4] = {0.1, 0.6, -0.5, 0.1};
    setCurve(scene, who, sn_driveTrajectory, PUPPET_TAIL, sn_endsPeriodic, 4, TIMES, TURNS);
    setCurve(scene, who, sn_driveServo, PUPPET_FINGER, sn_endsClamped, 4, TIMES, BENDS);
    setCurve(scene, who, sn_driveServo, PUPPET_SHOULDER, sn_endsPeriodic, 4, TIMES, TURNS);
    setValue(scene, who, sn_driveTorque, PUPPET_KNEE, 0.2);
    setValue(scene, who, sn_driveAcceleration, PUPPET_SLIDE, 0.02);
}

// A scene of driven puppets: the first free, tossed and spinning, the second held, and so on in
// turns.
static inline snScene* makePuppetScene(const snHost* host, const snSceneDef* def, int32_t count)
{
    snScene* scene = NULL;
    snMessage why;
    assert_ok(snScene_Create(host, def, &scene, &why), why);
    for (int32_t i = 0; i < count; ++i) {
        snStart start;
        snStart_Init(&start);
        start.pose.p = (snVec3){0.5 * i, 1, -0.25 * i};
        start.pose.q = (snQuat){0.6, 0, 0, 0.8};
        if (i % 2 == 0) {
            start.velocity = (snVec3){0.5, 2, 0.1 * i};
            start.spin = (snVec3){1, 0.5 * i, 2};
        }
        drivePuppet(
            scene,
            addPuppet(host, scene, makePuppet(host, i % 2 ? sn_jointWeld : sn_jointFree), &start));
    }
    return scene;
}

static inline snSim* startSim(snScene* scene)
{
    snSim* sim = NULL;
    snMessage why;
    assert_ok(snSim_Create(scene, &sim, &why), why);
    return sim;
}

static inline void advance(snSim* sim, double dt)
{
    snMessage why;
    assert_ok(snSim_Advance(sim, dt, &why), why);
}

// The call failed with this status and says the word, in a message that is short enough to be
// whole.
#define assert_refused(status, expected, why, word) \
    checkRefused((int)(status), (int)(expected), &(why), (word), #status, __FILE__, __LINE__)

static inline void checkRefused(int status, int expected, const snMessage* why, const char* word,
                                const char* text, const char* file, int line)
{
    if (status != expected || !strstr(why->text, word) ||
        strlen(why->text) + 1 >= SN_MESSAGE_SIZE) {
        print_error("%s:%d: %s = %d, not %d with '%s': %s\n", file, line, text, status, expected,
                    word, why->text);
        _fail(file, line);
    }
}

#endif
