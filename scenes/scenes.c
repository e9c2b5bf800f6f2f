// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The built-in scenes.
#include "builtin.h"
#include "dance.h"
#include "recipes.h"

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

// Puts a built-in character in the scene, which then owns it.
static snStatus addBuiltin(const snHost* host, snScene* scene, const char* name,
                           const snStart* start, int32_t* who, snMessage* why)
{
    snCharacter* character = NULL;
    snStatus status = snBuiltinCharacter_Find(name)->make(host, &character, why);
    status = status ? status : snScene_Add(scene, character, start, who, why);
    snCharacter_Release(character);
    return status;
}

// One beat of an arm's joint, as parts of the amplitude; the next arm is a fifth of a beat ahead.
static const double BEAT[5] = {0, 0.95, 0.59, -0.59, -0.95};

// Arms that bend up and down in a wave that runs round the body; `amplitude` in degrees, one beat
// in `period` seconds.
static snStatus waveArms(snScene* scene, int32_t who, double amplitude, double period,
                         snMessage* why)
{
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

// How arms with flesh beat: from the zero pose at rest, some beats of a wave as above, then still.
typedef struct Strokes {
    int32_t drive;    // trajectory, or servo: muscles that give way
    int32_t beats;    // at most MOST_BEATS
    double amplitude; // degrees
    double period;    // s
    double rest;      // how far each joint is lifted in the end, degrees
} Strokes;

#define MOST_BEATS 20

static snStatus beatArms(snScene* scene, int32_t who, const Strokes* strokes, snMessage* why)
{
    // muscles of base, middle and tip: the arm follows within a fifth of a beat and sags little
    static const double STIFFNESS[3] = {60, 25, 6}, DAMPING[3] = {4, 1.2, 0.2};
    const snSkeleton* skeleton = snCharacter_Skeleton(snScene_Character(scene, who));
    double times[5 * MOST_BEATS + 1], keys[2 * (5 * MOST_BEATS + 1)];
    int count = 5 * strokes->beats + 1;
    snStatus status = sn_ok;
    for (int32_t bone = 1; bone < snSkeleton_BoneCount(skeleton) && !status; ++bone) {
        int arm = (bone - 1) / 3, part = (bone - 1) % 3, width = part ? 1 : 2;
        for (int k = 0; k < count; ++k) {
            double wave = strokes->amplitude * BEAT[(k + arm) % 5] * (part ? 1 : 0.6);
            double bend = k == 0 ? 0 : k == count - 1 ? strokes->rest : wave;
            times[k] = strokes->period * k / 5;
            keys[width * k] = bend * DEGREE;
            if (part == 0) {
                keys[2 * k + 1] = k == count - 1 ? 0 : 0.3 * bend * DEGREE;
            }
        }
        snDriveDef drive;
        snDriveDef_Init(&drive);
        drive.kind = strokes->drive;
        drive.bone = bone;
        drive.key_count = count;
        drive.times = times;
        drive.keys = keys;
        drive.stiffness = STIFFNESS[part];
        drive.damping = DAMPING[part];
        status = snScene_SetDrive(scene, who, &drive, why);
    }
    return status;
}

static snStatus finish(snStatus status, snScene** scene)
{
    if (status) {
        snScene_Free(*scene);
        *scene = NULL;
    }
    return status;
}

// A starfish on its back is tossed up, turns over and beats its arms, lands on its belly and comes
// to rest.
static snStatus makeStarfishFall(const snHost* host, snScene** scene, snMessage* why)
{
    static const Strokes STROKES = {sn_driveServo, 1, 55, 0.7, 4};
    snSceneDef def;
    snSceneDef_Init(&def);
    def.duration = 3;
    def.ground = 1;
    snStatus status = snScene_Create(host, &def, scene, why);
    if (status) {
        return status;
    }
    snStart start;
    snStart_Init(&start);
    start.pose.p = (snVec3){0, 0.45, 0};
    start.pose.q = (snQuat){-1, 0, 0, 0}; // on its back
    start.velocity = (snVec3){0.3, 2.8, 0};
    start.spin = (snVec3){4.5, 0.8, 0.3};
    int32_t who;
    status = addBuiltin(host, *scene, "starfish", &start, &who, why);
    status = status ? status : beatArms(*scene, who, &STROKES, why);
    return finish(status, scene);
}

// A starfish that beats its arms where there is nothing to push against: its momentum stays.
static snStatus makeStarfishFloat(const snHost* host, snScene** scene, snMessage* why)
{
    static const Strokes STROKES = {sn_driveTrajectory, 12, 55, 0.9, 0};
    snSceneDef def;
    snSceneDef_Init(&def);
    def.duration = 10;
    def.gravity = (snVec3){0, 0, 0};
    snStatus status = snScene_Create(host, &def, scene, why);
    if (status) {
        return status;
    }
    snStart start;
    snStart_Init(&start);
    start.velocity = (snVec3){0.05, 0.02, 0};
    start.spin = (snVec3){1, 0.5, 0.2};
    int32_t who;
    status = addBuiltin(host, *scene, "starfish", &start, &who, why);
    status = status ? status : beatArms(*scene, who, &STROKES, why);
    return finish(status, scene);
}

// A worm falls on the ground; a wave of bends runs along it all the time.
static snStatus makeWormFall(const snHost* host, snScene** scene, snMessage* why)
{
    // degrees; four keys a wave, the next joint a quarter of it behind
    static const double WAVE[4] = {0, -35, 0, 35};
    enum { KEYS = 13 };
    snSceneDef def;
    snSceneDef_Init(&def);
    def.duration = 3;
    def.ground = 1;
    snStatus status = snScene_Create(host, &def, scene, why);
    if (status) {
        return status;
    }
    snStart start;
    snStart_Init(&start);
    start.pose.p = (snVec3){0, 0.35, 0};
    start.pose.q = (snQuat){0, -0.3826834323650898, 0, 0.9238795325112867}; // -45 degrees
    int32_t who;
    status = addBuiltin(host, *scene, "worm", &start, &who, why);
    for (int32_t bone = 1; bone < 4 && !status; ++bone) {
        double times[KEYS], keys[KEYS];
        for (int k = 0; k < KEYS; ++k) {
            times[k] = 0.3 * k;
            keys[k] = k ? WAVE[(k - bone + 4) % 4] * DEGREE : 0;
        }
        snDriveDef drive;
        snDriveDef_Init(&drive);
        drive.kind = sn_driveTrajectory;
        drive.bone = bone;
        drive.key_count = KEYS;
        drive.times = times;
        drive.keys = keys;
        status = snScene_SetDrive(*scene, who, &drive, why);
    }
    return finish(status, scene);
}

// A fish on its side, out of the water: it lifts head and tail, strikes the ground with both and
// leaps; twice.
static snStatus makeFishFlop(const snHost* host, snScene** scene, snMessage* why)
{
    // how much of the most that body, tail and fin bend, in degrees
    enum { KEYS = 11 };
    static const double TIMES[KEYS] = {0, 0.4, 0.5, 0.6, 0.75, 1.2, 1.5, 1.6, 1.7, 1.85, 2.4};
    static const double BENDS[KEYS] = {0, -1, -0.9, 0.8, 0, 0, -1, -0.9, 0.8, 0, 0};
    static const double MOST[4] = {0, 40, 40, 25};
    snSceneDef def;
    snSceneDef_Init(&def);
    def.duration = 4;
    def.ground = 1;
    def.step = 1e-3; // the paper's
    snStatus status = snScene_Create(host, &def, scene, why);
    if (status) {
        return status;
    }
    snStart start;
    snStart_Init(&start);
    start.pose.p = (snVec3){0, 0.2, 0};
    start.pose.q = (snQuat){0, 0, 0.7071067811865476, 0.7071067811865476}; // on its side
    int32_t who;
    status = addBuiltin(host, *scene, "fish", &start, &who, why);
    for (int32_t bone = 1; bone < 4 && !status; ++bone) {
        double keys[KEYS];
        for (int k = 0; k < KEYS; ++k) {
            keys[k] = BENDS[k] * MOST[bone] * DEGREE;
        }
        snDriveDef drive;
        snDriveDef_Init(&drive);
        drive.kind = sn_driveTrajectory;
        drive.bone = bone;
        drive.key_count = KEYS;
        drive.times = TIMES;
        drive.keys = keys;
        status = snScene_SetDrive(*scene, who, &drive, why);
    }
    return finish(status, scene);
}

// Fatman dances: every joint follows a clip, the root too, and the flesh follows the bones.
static snStatus makeFatmanDance(const snHost* host, snScene** scene, snMessage* why)
{
    snSceneDef def;
    snSceneDef_Init(&def);
    def.duration = 4;
    def.step = 0.5e-3; // the paper's
    snStatus status = snScene_Create(host, &def, scene, why);
    if (status) {
        return status;
    }
    int32_t who;
    status = addBuiltin(host, *scene, "fatman", NULL, &who, why);
    status = status ? status : snDanceFatman(*scene, who, why);
    return finish(status, scene);
}

// Three bars in the same cage, held at one end, one above the other: the less a cell holds, the
// more it gives way.
static snStatus makeThreeFills(const snHost* host, snScene** scene, snMessage* why)
{
    static const char* const NAMES[3] = {"fill_thick", "fill_medium", "fill_thin"};
    snSceneDef def;
    snSceneDef_Init(&def);
    def.duration = 3;
    snStatus status = snScene_Create(host, &def, scene, why);
    for (int i = 0; i < 3 && !status; ++i) {
        snStart start;
        snStart_Init(&start);
        start.pose.p = (snVec3){0, 2 - 0.55 * i, 0};
        start.pose.q = (snQuat){0, -0.7071067811865476, 0, 0.7071067811865476}; // foot to the left
        status = addBuiltin(host, *scene, NAMES[i], &start, NULL, why);
    }
    return finish(status, scene);
}

// Bones alone: a starfish is tossed up, tumbles, beats its arms and falls: its root is passive,
// only its joints are told what to do.
static snStatus makeStarfishBones(const snHost* host, snScene** scene, snMessage* why)
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
    {"starfish_fall", "a starfish, tossed up, turns over, beats its arms and lands",
     makeStarfishFall},
    {"starfish_float", "a starfish without gravity beats its arms", makeStarfishFloat},
    {"jump_turn_starfish", "a starfish jumps, turns over in the air and lands on its back",
     snMakeJumpTurnStarfish},
    {"glass_box", "a starfish gets out from under a glass box", snMakeGlassBox},
    {"free_fall", "starfish in four densities of cells fall side by side", snMakeFreeFall},
    {"worm_fall", "a worm falls on the ground and goes on bending", makeWormFall},
    {"fish_flop", "a fish on the ground flops about", makeFishFlop},
    {"dancing_fatman", "a chubby man dances to motion capture, feet on the ground",
     snMakeDancingFatman},
    {"rolling_worm", "a worm bends itself into a ring and rolls away", snMakeRollingWorm},
    {"jumping_fish", "a fish on the ground bends and leaps half its length high",
     snMakeJumpingFish},
    {"tug_of_war", "two worms pull at a board, and the one with the rough skin wins",
     snMakeTugOfWar},
    {"fatman_dance", "a chubby man dances, and his belly with him", makeFatmanDance},
    {"three_fills", "three bars in the same cage of cells bend under the same load",
     makeThreeFills},
    {"fatman_stairs", "a chubby man tumbles down a flight of stairs", snMakeFatmanStairs},
    {"starfish_bowl", "twelve starfish fall into a bowl and pile up", snMakeStarfishBowl},
    {"starfish_bones", "a self-propelled starfish skeleton, tossed up, tumbles, bends and falls",
     makeStarfishBones},
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

static snStatus findCharacter(void* user, const snHost* host, const char* name,
                              snCharacter** character, snMessage* why)
{
    (void)user;
    const snBuiltinCharacter* found = snBuiltinCharacter_Find(name);
    *character = NULL;
    return found ? found->make(host, character, why) : sn_ok;
}

const snLibrary* snBuiltinLibrary(void)
{
    static const char* const SKELETONS[] = {"starfish", "humanoid", "fish", "worm", NULL};
    static const char* const CHARACTERS[] = {
        "starfish_coarse", "starfish", "starfish_fine", "starfish_very_fine", "worm",      "fish",
        "fish_firm",       "fatman",   "fill_thick",    "fill_medium",        "fill_thin", NULL};
    static const snLibrary LIBRARY = {NULL, findSkeleton, SKELETONS, findCharacter, CHARACTERS};
    return &LIBRARY;
}
