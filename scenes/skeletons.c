// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The built-in skeletons. A recipe lists bones as a person would: where a bone starts on its
// parent, where it ends, how thick the body around it is, how it can move. Sizes follow the paper's
// characters as this project fixes them: starfish 1 m across, fish and worm 1 m long, humanoid 1.8
// m tall; everything weighs what water weighs.
#include "scenes.h"

#include "math/trig.h" // libm's sine differs from machine to machine
#include <stdio.h>

#define DENSITY 1000.0 // kg/m^3
#define DEGREE 0.017453292519943295
#define MOST_BONES 48
// Fingers and toes are whipped about: at the default 10 Hz they go 20 degrees beyond their limits
// in the ragdoll.
#define TIP_LIMIT_FREQUENCY 30.0 // Hz

typedef struct Recipe {
    snBoneDef bones[MOST_BONES];
    char names[MOST_BONES][24];
    int32_t count;
} Recipe;

// Adds a bone that runs from `start` (on the parent) along `tip` (in its own frame).
static snBoneDef* addBone(Recipe* r, const char* name, int32_t parent, int32_t joint, snVec3 start,
                          snVec3 tip, double radius)
{
    snBoneDef* b = &r->bones[r->count];
    snBoneDef_Init(b);
    snprintf(r->names[r->count], sizeof r->names[0], "%s", name);
    b->name = r->names[r->count];
    b->parent = parent;
    b->joint = joint;
    b->anchor.p = start;
    b->tip = tip;
    b->radius = radius;
    b->mass = snMass_Capsule((snVec3){0, 0, 0}, tip, radius, DENSITY);
    r->count++;
    return b;
}

static void setLimits(snBoneDef* b, int dof, double lower, double upper)
{
    b->dof[dof].lower = lower * DEGREE;
    b->dof[dof].upper = upper * DEGREE;
}

// Starfish: a hub and five arms of three bones; 16 bones, 26 degrees of freedom (Kim & Pollard
// 2011, Table IV). An arm runs along its own x; turning about z lifts it, about y sweeps it
// sideways.
snStatus snMakeStarfish(const snHost* host, snSkeleton** skeleton, snMessage* why)
{
    static const char* const PARTS[3] = {"base", "middle", "tip"};
    static const double LENGTHS[3] = {0.16, 0.14, 0.09}, RADII[3] = {0.05, 0.038, 0.025};
    const double HUB = 0.09; // m from the centre to where arms begin
    Recipe r = {.count = 0};
    addBone(&r, "hub", -1, sn_jointFree, (snVec3){0, 0, 0}, (snVec3){0, 0, 0}, 0.075);
    for (int arm = 0; arm < 5; ++arm) {
        double angle = (90 + 72 * arm) * DEGREE;
        int32_t parent = 0;
        for (int part = 0; part < 3; ++part) {
            char name[24];
            snprintf(name, sizeof name, "arm%d_%s", arm + 1, PARTS[part]);
            snVec3 start = part ? (snVec3){LENGTHS[part - 1], 0, 0}
                                : (snVec3){HUB * snCos(angle), 0, -HUB * snSin(angle)};
            snBoneDef* b = addBone(&r, name, parent, part ? sn_jointRevolute : sn_jointUniversal,
                                   start, (snVec3){LENGTHS[part], 0, 0}, RADII[part]);
            b->axis = (snVec3){0, 0, 1};
            b->axis2 = (snVec3){0, 1, 0};
            setLimits(b, 0, -110, 110);
            if (part == 0) {
                b->anchor.q = (snQuat){0, snSin(angle / 2), 0, snCos(angle / 2)};
                setLimits(b, 1, -40, 40);
            }
            parent = r.count - 1;
        }
    }
    return snSkeleton_Create(host, r.bones, r.count, skeleton, why);
}

// A body along z, head at +z, that bends about one axis: four bones, 9 degrees of freedom.
static snStatus makeChain(const snHost* host, const char* const names[4], const double lengths[4],
                          const double radii[4], snVec3 axis, double bend, snSkeleton** skeleton,
                          snMessage* why)
{
    Recipe r = {.count = 0};
    for (int i = 0; i < 4; ++i) {
        snVec3 start = {0, 0, i ? -lengths[i - 1] : 0.5 - radii[0]};
        snBoneDef* b = addBone(&r, names[i], i - 1, i ? sn_jointRevolute : sn_jointFree, start,
                               (snVec3){0, 0, -lengths[i]}, radii[i]);
        if (i > 0) {
            b->axis = axis;
            setLimits(b, 0, -bend, bend);
            b->dof[0].damping = 0.5; // Nm s/rad: limp, it stops wagging after a few swings
        }
    }
    return snSkeleton_Create(host, r.bones, r.count, skeleton, why);
}

// Fish: bends sideways, about the vertical.
snStatus snMakeFish(const snHost* host, snSkeleton** skeleton, snMessage* why)
{
    static const char* const NAMES[4] = {"head", "body", "tail", "fin"};
    static const double LENGTHS[4] = {0.24, 0.26, 0.22, 0.14}, RADII[4] = {0.09, 0.1, 0.06, 0.03};
    return makeChain(host, NAMES, LENGTHS, RADII, (snVec3){0, 1, 0}, 80, skeleton, why);
}

// Worm: bends up and down, about x, and can curl into a ring.
snStatus snMakeWorm(const snHost* host, snSkeleton** skeleton, snMessage* why)
{
    static const char* const NAMES[4] = {"front", "middle_front", "middle_back", "back"};
    static const double LENGTHS[4] = {0.22, 0.22, 0.22, 0.22},
                        RADII[4] = {0.06, 0.065, 0.065, 0.06};
    return makeChain(host, NAMES, LENGTHS, RADII, (snVec3){1, 0, 0}, 100, skeleton, why);
}

// Humanoid --------------------------------------------------------------------

static snBoneDef* addBall(Recipe* r, const char* name, int32_t parent, snVec3 start, snVec3 tip,
                          double radius, double swing, double twist)
{
    snBoneDef* b = addBone(r, name, parent, sn_jointBall, start, tip, radius);
    b->axis = tip;
    b->swing = swing * DEGREE;
    setLimits(b, 0, -twist, twist);
    return b;
}

// side = +1 left (+x), -1 right. Thumb of two axes, two finger groups of two bones: 6 degrees of
// freedom.
static void addHand(Recipe* r, int32_t hand, double side, const char* suffix)
{
    static const char* const GROUPS[2] = {"index", "fingers"};
    char name[24];
    snprintf(name, sizeof name, "thumb%s", suffix);
    snBoneDef* thumb = addBone(r, name, hand, sn_jointUniversal, (snVec3){side * 0.03, 0, 0.03},
                               (snVec3){side * 0.045, 0, 0.025}, 0.013);
    thumb->axis = (snVec3){0, 0, side};
    thumb->axis2 = (snVec3){0, 1, 0};
    setLimits(thumb, 0, -60, 30);
    setLimits(thumb, 1, -50, 50);
    thumb->limit_frequency = TIP_LIMIT_FREQUENCY;
    for (int g = 0; g < 2; ++g) {
        int32_t parent = hand;
        for (int part = 0; part < 2; ++part) {
            snprintf(name, sizeof name, "%s%d%s", GROUPS[g], part + 1, suffix);
            snVec3 start =
                part ? (snVec3){side * 0.045, 0, 0} : (snVec3){side * 0.1, 0, g ? -0.02 : 0.025};
            snBoneDef* b = addBone(r, name, parent, sn_jointRevolute, start,
                                   (snVec3){side * 0.045, 0, 0}, g ? 0.02 : 0.011);
            b->axis = (snVec3){0, 0, -side};
            setLimits(b, 0, -10, 95);
            b->limit_frequency = TIP_LIMIT_FREQUENCY;
            parent = r->count - 1;
        }
    }
}

// Arms straight out to the sides: collar 2, shoulder 3, elbow 2 (bend and forearm twist), wrist 2,
// hand 6 = 15.
static void addArm(Recipe* r, int32_t chest, double side, const char* suffix)
{
    char name[24];
    snprintf(name, sizeof name, "collar%s", suffix);
    snBoneDef* collar = addBone(r, name, chest, sn_jointUniversal, (snVec3){side * 0.03, 0.22, 0},
                                (snVec3){side * 0.15, 0, 0}, 0.04);
    collar->axis = (snVec3){0, 0, side};
    collar->axis2 = (snVec3){0, -side, 0};
    setLimits(collar, 0, -15, 40);
    setLimits(collar, 1, -20, 30);
    snprintf(name, sizeof name, "upper_arm%s", suffix);
    addBall(r, name, r->count - 1, collar->tip, (snVec3){side * 0.28, 0, 0}, 0.05, 110, 80);
    snprintf(name, sizeof name, "forearm%s", suffix);
    snBoneDef* forearm = addBone(r, name, r->count - 1, sn_jointUniversal,
                                 (snVec3){side * 0.28, 0, 0}, (snVec3){side * 0.25, 0, 0}, 0.038);
    forearm->axis = (snVec3){0, -side, 0};
    forearm->axis2 = (snVec3){1, 0, 0};
    setLimits(forearm, 0, -2, 145);
    setLimits(forearm, 1, -85, 85);
    snprintf(name, sizeof name, "hand%s", suffix);
    snBoneDef* hand = addBone(r, name, r->count - 1, sn_jointUniversal, (snVec3){side * 0.25, 0, 0},
                              (snVec3){side * 0.1, 0, 0}, 0.03);
    hand->axis = (snVec3){0, 0, side};
    hand->axis2 = (snVec3){0, 1, 0};
    setLimits(hand, 0, -70, 70);
    setLimits(hand, 1, -25, 25);
    addHand(r, r->count - 1, side, suffix);
}

// Hip 3, knee 1, ankle 2, toes 1 = 7.
static void addLeg(Recipe* r, int32_t pelvis, double side, const char* suffix)
{
    char name[24];
    snprintf(name, sizeof name, "thigh%s", suffix);
    addBall(r, name, pelvis, (snVec3){side * 0.1, -0.06, 0}, (snVec3){0, -0.43, 0}, 0.085, 110, 45);
    snprintf(name, sizeof name, "shin%s", suffix);
    snBoneDef* shin = addBone(r, name, r->count - 1, sn_jointRevolute, (snVec3){0, -0.43, 0},
                              (snVec3){0, -0.41, 0}, 0.055);
    setLimits(shin, 0, -2, 150);
    snprintf(name, sizeof name, "foot%s", suffix);
    snBoneDef* foot = addBone(r, name, r->count - 1, sn_jointUniversal, (snVec3){0, -0.41, 0},
                              (snVec3){0, -0.05, 0.13}, 0.04);
    foot->axis2 = (snVec3){0, 0, 1};
    setLimits(foot, 0, -30, 50);
    setLimits(foot, 1, -25, 25);
    snprintf(name, sizeof name, "toes%s", suffix);
    snBoneDef* toes = addBone(r, name, r->count - 1, sn_jointRevolute, (snVec3){0, -0.05, 0.13},
                              (snVec3){0, 0, 0.06}, 0.025);
    setLimits(toes, 0, -60, 30);
    toes->limit_frequency = TIP_LIMIT_FREQUENCY;
}

// 6 + lower spine 3, upper spine 3, neck 3, head 1 + two arms of 15 and two legs of 7 = 60 degrees
// of freedom.
snStatus snMakeHumanoid(const snHost* host, snSkeleton** skeleton, snMessage* why)
{
    Recipe r = {.count = 0};
    addBone(&r, "pelvis", -1, sn_jointFree, (snVec3){0, 1.0, 0}, (snVec3){0, 0.1, 0}, 0.12);
    addBall(&r, "spine", 0, (snVec3){0, 0.1, 0}, (snVec3){0, 0.16, 0}, 0.12, 50, 35);
    addBall(&r, "chest", 1, (snVec3){0, 0.16, 0}, (snVec3){0, 0.22, 0}, 0.13, 35, 35);
    addBall(&r, "neck", 2, (snVec3){0, 0.25, 0}, (snVec3){0, 0.09, 0}, 0.05, 50, 60);
    snBoneDef* head =
        addBone(&r, "head", 3, sn_jointRevolute, (snVec3){0, 0.09, 0}, (snVec3){0, 0.12, 0}, 0.085);
    setLimits(head, 0, -25, 25);
    addArm(&r, 2, 1, "_l");
    addArm(&r, 2, -1, "_r");
    addLeg(&r, 0, 1, "_l");
    addLeg(&r, 0, -1, "_r");
    return snSkeleton_Create(host, r.bones, r.count, skeleton, why);
}

// Finding them ----------------------------------------------------------------

static const snBuiltinSkeleton SKELETONS[] = {
    {"starfish", "16 bones, 26 dof: a hub with five arms, 1 m across", snMakeStarfish},
    {"humanoid", "60 dof: 1.8 m tall, hands with thumb and finger groups", snMakeHumanoid},
    {"fish", "4 bones, 9 dof: 1 m long, bends sideways", snMakeFish},
    {"worm", "4 bones, 9 dof: 1 m long, bends up and down", snMakeWorm},
    {NULL, NULL, NULL},
};

const snBuiltinSkeleton* snBuiltinSkeletons(void)
{
    return SKELETONS;
}
