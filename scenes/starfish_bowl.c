// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Twelve starfish fall into a bowl, one after another, and pile up.
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

// Starfish --------------------------------------------------------------------

#define COUNT 12

// Where each starts, at rest, m; how it is tilted and turned, degrees.
static const struct {
    double x, y, z, tilt, turn;
} STARTS[COUNT] = {
    {0.00, 0.60, 0.00, 0, 0},      {0.06, 0.95, -0.05, 12, 36},  {-0.08, 1.32, 0.04, -15, 80},
    {0.05, 1.70, 0.08, 20, 130},   {-0.05, 2.08, -0.08, -10, 20}, {0.10, 2.46, 0.00, 18, 64},
    {-0.10, 2.84, 0.05, -20, 100}, {0.00, 3.22, -0.10, 15, 150},  {0.08, 3.60, 0.06, -12, 45},
    {-0.06, 3.98, 0.00, 22, 10},   {0.04, 4.36, -0.06, -18, 75},  {0.00, 4.74, 0.05, 10, 120},
};

// Muscle tone of base, middle and tip of an arm, Nm/rad and Nm s/rad: an arm hangs, but does not
// dangle. No muscle pulls harder than STRONGEST.
static const double STIFFNESS[3] = {20, 8, 2}, DAMPING[3] = {2, 0.8, 0.2};
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
    def.duration = 8;
    def.ground = 1;
    snStatus status = snScene_Create(host, &def, scene, why);
    if (status) {
        return status;
    }
    status = addBowl(*scene, why);
    status = status ? status
                    : snBuiltinCharacter_Find("starfish_coarse")->make(host, &starfish, why);
    for (int i = 0; i < COUNT && !status; ++i) {
        snStart start;
        int32_t who;
        snStart_Init(&start);
        start.pose.p = snV3(STARTS[i].x, STARTS[i].y, STARTS[i].z);
        start.pose.q = snQMul(snQFromAxisAngle(snV3(0, 1, 0), STARTS[i].turn * DEGREE),
                              snQFromAxisAngle(snV3(1, 0, 0), STARTS[i].tilt * DEGREE));
        status = snScene_Add(*scene, starfish, &start, &who, why);
        status = status ? status : tenseArms(*scene, who, why);
    }
    snCharacter_Release(starfish);
    if (status) {
        snScene_Free(*scene);
        *scene = NULL;
    }
    return status;
}
