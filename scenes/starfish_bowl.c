// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Twelve starfish lie on trays above a bowl. The trays sink, and one after another is pulled away
// from under its starfish, which falls into the bowl. There they pile up.
#include "builtin.h"

#include "math/quat.h"
#include "math/trig.h"
#include "scenes.h"
#include <math.h>

#define DEGREE 0.017453292519943295

// Bowl ------------------------------------------------------------------------

// Inside it is half an ellipsoid, WIDE across from the middle and DEEP; the wall is WALL thick, its
// rim round; below it stands on the ground on a flat foot. All m.
#define WIDE 1.05
#define DEEP 0.6
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

// Trays -----------------------------------------------------------------------

// They hang above each other and sink together; the lowest is pulled away over the rim, each into a
// direction of its own, too fast to take along what lies on it. All m, s.
#define COUNT 12
#define LOW 0.75    // where a tray is pulled away
#define APART 0.22  // from one to the next
#define SINKING 0.5 // m/s
#define BESIDE 0.28 // from the middle at first, on the far side of where it goes
#define AWAY 1.45   // and in the end
#define GOING 0.5
#define HALF 0.28     // half of a side
#define THIN 0.01     // half of its thickness
#define SLIPPERY 0.15 // friction
#define EVERY 0.05    // between keys of a path
#define KEYS 140

// Where tray i is: x points where it goes.
static snTransform trayAt(int i, double time)
{
    double start = LOW + APART * (i + 1), low = (start - LOW) / SINKING;
    double gone = fmin(fmax((time - low) / GOING, 0), 1);
    snTransform t = {{0, fmax(start - SINKING * time, LOW), 0}, {0, 0, 0, 1}};
    t.q = snQFromAxisAngle(snV3(0, 1, 0), 150 * i * DEGREE);
    double way = (AWAY + BESIDE) * gone * gone * (3 - 2 * gone);
    t.p = snAdd(t.p, snQRotate(t.q, snV3(way - BESIDE, 0, 0)));
    return t;
}

static snStatus addTray(snScene* scene, int i, snMessage* why)
{
    double times[KEYS];
    snTransform keys[KEYS];
    for (int k = 0; k < KEYS; ++k) {
        times[k] = EVERY * k;
        keys[k] = trayAt(i, times[k]);
    }
    snShapeDef shape = {
        .kind = sn_shapeBox, .pose = {{0, 0, 0}, {0, 0, 0, 1}}, .half = {HALF, THIN, HALF}};
    snObstacleDef def;
    snObstacleDef_Init(&def);
    def.name = "tray";
    def.material = "tray";
    def.shape_count = 1;
    def.shapes = &shape;
    def.pose = keys[0];
    def.key_count = KEYS;
    def.times = times;
    def.keys = keys;
    def.colour[0] = 0.76F, def.colour[1] = 0.6F, def.colour[2] = 0.42F, def.colour[3] = 0.6F;
    return snScene_AddObstacle(scene, &def, NULL, why);
}

// Starfish --------------------------------------------------------------------

// In the middle of its tray, belly down.
static snTransform placeOf(int i)
{
    const double belly = 0.046; // m below its middle
    snTransform t = trayAt(i, 0);
    t.p.y += THIN + belly;
    t.q = snQMul(t.q, snQFromAxisAngle(snV3(0, 1, 0), (90 + 17 * i) * DEGREE));
    return t;
}

// Muscle tone of base, middle and tip of an arm, Nm/rad and Nm s/rad: an arm hangs, but does not
// dangle. No muscle pulls harder than STRONGEST.
static const double STIFFNESS[3] = {12, 5, 1.5}, DAMPING[3] = {4, 1.5, 0.4};
#define STRONGEST 20.0 // Nm; an arm held straight out weighs about 6

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
    def.duration = 10;
    def.ground = 1;
    def.friction = 0.4;
    def.step = 0.45e-3; // automatic ones are for blows on the ground; arms on arms sink in deeper
    snStatus status = snScene_Create(host, &def, scene, why);
    if (status) {
        return status;
    }
    status = addBowl(*scene, why);
    status = status ? status : snScene_SetPair(*scene, "starfish", "tray", SLIPPERY, 0, why);
    status =
        status ? status : snBuiltinCharacter_Find("starfish_coarse")->make(host, &starfish, why);
    for (int i = 0; i < COUNT && !status; ++i) {
        snStart start;
        int32_t who;
        snStart_Init(&start);
        start.pose = placeOf(i);
        start.material = "starfish";
        status = addTray(*scene, i, why);
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
