// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Twelve starfish lie on planks around a bowl. The planks tip up, one after another, and each
// starfish slides off its own and falls into the bowl, where they pile up.
#include "builtin.h"

#include "math/quat.h"
#include "math/trig.h"
#include "scenes.h"

#define DEGREE 0.017453292519943295

// Bowl ------------------------------------------------------------------------

// Inside it is half an ellipsoid, WIDE across from the middle and DEEP; the wall is WALL thick, its
// rim round; below it stands on the ground on a flat foot. All m.
#define WIDE 0.85
#define DEEP 0.75
#define WALL 0.06
#define FLOOR 0.04 // thickness in the middle
#define STEPS 16   // of the profile from the middle to the rim
#define RIM 3      // points of the rim between outside and inside
#define RINGS (2 * STEPS + RIM)
#define SIDES 64
#define VERTICES (RINGS * SIDES + 2)
#define TRIANGLES (2 * RINGS * SIDES)

typedef struct Bowl {
    snVec3 vertices[VERTICES];
    int32_t triangles[3 * TRIANGLES];
} Bowl;

// The profile, radius and height: outside from the foot to the rim, then inside back down.
static snVec3 profile(int ring)
{
    double s, c, wall = ring < STEPS ? WALL : 0;
    if (ring >= STEPS && ring < STEPS + RIM) { // half a circle on top of the wall
        snSinCos(SN_PI * (ring - STEPS + 1) / (RIM + 1), &s, &c);
        return snV3(WIDE + WALL / 2 * (1 + c), FLOOR + DEEP + WALL / 2 * s, 0);
    }
    int step = ring < STEPS ? ring + 1 : RINGS - ring;
    snSinCos(SN_PI / 2 * step / STEPS, &s, &c);
    double height = FLOOR + DEEP - (DEEP + wall) * c;
    return snV3((WIDE + wall) * s, height > 0 ? height : 0, 0);
}

static void makeBowl(Bowl* bowl)
{
    int32_t* t = bowl->triangles;
    for (int32_t i = 0; i < RINGS; ++i) {
        snVec3 p = profile(i);
        for (int32_t k = 0; k < SIDES; ++k) {
            double s, c;
            int32_t a = i * SIDES + k, b = i * SIDES + (k + 1) % SIDES;
            snSinCos(2 * SN_PI / SIDES * k, &s, &c);
            bowl->vertices[a] = snV3(p.x * c, p.y, p.x * s);
            if (i + 1 < RINGS) {
                int32_t above = a + SIDES, beside = b + SIDES;
                *t++ = a, *t++ = above, *t++ = beside;
                *t++ = a, *t++ = beside, *t++ = b;
            }
        }
    }
    int32_t foot = RINGS * SIDES, middle = foot + 1, last = (RINGS - 1) * SIDES;
    bowl->vertices[foot] = snV3(0, 0, 0);
    bowl->vertices[middle] = snV3(0, FLOOR, 0);
    for (int32_t k = 0; k < SIDES; ++k) {
        int32_t next = (k + 1) % SIDES;
        *t++ = foot, *t++ = k, *t++ = next;
        *t++ = middle, *t++ = last + next, *t++ = last + k;
    }
}

static snStatus addBowl(snScene* scene, snMessage* why)
{
    Bowl bowl;
    makeBowl(&bowl);
    snShapeDef shape = {.kind = sn_shapeMesh,
                        .pose = {{0, 0, 0}, {0, 0, 0, 1}},
                        .vertex_count = VERTICES,
                        .triangle_count = TRIANGLES,
                        .vertices = bowl.vertices,
                        .triangles = bowl.triangles};
    snObstacleDef def;
    snObstacleDef_Init(&def);
    def.name = "bowl";
    def.shape_count = 1;
    def.shapes = &shape;
    def.colour[0] = 0.55F, def.colour[1] = 0.68F, def.colour[2] = 0.8F, def.colour[3] = 0.35F;
    return snScene_AddObstacle(scene, &def, NULL, why);
}

// Planks ----------------------------------------------------------------------

// Two rings of six, hinged at their inner ends above the rim; first the upper ring tips. All m, s.
#define COUNT 12
#define HINGE 0.62 // from the middle
#define LOW 0.92   // height of the lower ring
#define HIGH 1.25  // and of the upper one
#define LONG 0.5   // half of a plank's length, and so on
#define BROAD 0.355
#define THICK 0.012
#define FIRST 0.2 // when the first plank begins to tip
#define NEXT 0.35 // from one to the next
#define TIPPING 0.7
#define TIP 30.0      // degrees
#define SLIPPERY 0.05 // friction

// Where plank i has its hinge: x outwards along it.
static snTransform hingeOf(int i)
{
    snTransform t = {{0, i < COUNT / 2 ? HIGH : LOW, 0}, {0, 0, 0, 1}};
    // every other one, so that they come from all sides
    double turn = 60 * (i * 5 % 6) + (i < COUNT / 2 ? 30 : 0);
    t.q = snQFromAxisAngle(snV3(0, 1, 0), turn * DEGREE);
    t.p = snAdd(t.p, snQRotate(t.q, snV3(HINGE, 0, 0)));
    return t;
}

static snStatus addPlank(snScene* scene, int i, snMessage* why)
{
    snTransform hinge = hingeOf(i), keys[2] = {hinge, hinge};
    double begin = FIRST + NEXT * i, times[2] = {begin, begin + TIPPING};
    keys[1].q = snQMul(hinge.q, snQFromAxisAngle(snV3(0, 0, 1), TIP * DEGREE));
    snShapeDef shape = {
        .kind = sn_shapeBox, .pose = {{LONG, 0, 0}, {0, 0, 0, 1}}, .half = {LONG, THICK, BROAD}};
    snObstacleDef def;
    snObstacleDef_Init(&def);
    def.name = "plank";
    def.material = "plank";
    def.shape_count = 1;
    def.shapes = &shape;
    def.pose = hinge;
    def.key_count = 2;
    def.times = times;
    def.keys = keys;
    def.colour[0] = 0.76F, def.colour[1] = 0.6F, def.colour[2] = 0.42F, def.colour[3] = 0.5F;
    return snScene_AddObstacle(scene, &def, NULL, why);
}

// Starfish --------------------------------------------------------------------

// In the middle of its plank, belly down.
static snTransform placeOf(int i)
{
    const double belly = 0.046; // m below its middle
    snTransform t = hingeOf(i);
    t.p = snAdd(t.p, snQRotate(t.q, snV3(LONG, THICK + belly, 0)));
    t.q = snQMul(t.q, snQFromAxisAngle(snV3(0, 1, 0), (90 + 17 * i) * DEGREE));
    return t;
}

// Muscle tone of base, middle and tip of an arm, Nm/rad and Nm s/rad: an arm hangs, but does not
// dangle. No muscle pulls harder than STRONGEST.
static const double STIFFNESS[3] = {20, 8, 2}, DAMPING[3] = {5, 2, 0.5};
#define STRONGEST 30.0 // Nm; an arm held straight out weighs about 6

static snStatus tenseArms(snScene* scene, int32_t who, snMessage* why)
{
    static const double NOW[1] = {0}, STRAIGHT[2] = {0, 0};
    snStatus status = sn_ok;
    for (int32_t bone = 1; bone < 16 && !status; ++bone) {
        snDriveDef drive;
        snDriveDef_Init(&drive);
        drive.kind = sn_driveServo;
        drive.bone = bone;
        drive.key_count = 1;
        drive.times = NOW;
        drive.keys = STRAIGHT;
        drive.stiffness = STIFFNESS[(bone - 1) % 3];
        drive.damping = DAMPING[(bone - 1) % 3];
        drive.limit = STRONGEST;
        status = snScene_SetDrive(scene, who, &drive, why);
    }
    return status;
}

snStatus snMakeStarfishBowl(const snHost* host, snScene** scene, snMessage* why)
{
    snSceneDef def;
    snCharacter* starfish = NULL;
    snSceneDef_Init(&def);
    def.duration = 9;
    def.ground = 1;
    def.step = 0.5e-3; // arms that fall on each other sink in little
    snStatus status = snScene_Create(host, &def, scene, why);
    if (status) {
        return status;
    }
    status = addBowl(*scene, why);
    status = status ? status : snScene_SetPair(*scene, "starfish", "plank", SLIPPERY, 0, why);
    status =
        status ? status : snBuiltinCharacter_Find("starfish_coarse")->make(host, &starfish, why);
    for (int i = 0; i < COUNT && !status; ++i) {
        snStart start;
        int32_t who;
        snStart_Init(&start);
        start.pose = placeOf(i);
        start.material = "starfish";
        status = addPlank(*scene, i, why);
        status = status ? status : snScene_Add(*scene, starfish, &start, &who, why);
        status = status ? status : tenseArms(*scene, who, why);
    }
    snCharacter_Release(starfish);
    if (status) {
        snScene_Free(*scene);
        *scene = NULL;
    }
    return status;
}
