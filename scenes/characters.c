// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The built-in characters. A recipe has bones (skeletons.c), a body around them, and
// the numbers of surface vertices and cells of Kim & Pollard's characters (2011, Tables III and
// IV). Their sizes and material are this project's: starfish 1 m across, worm 1 m long; the
// defaults of snFleshMaterial.
#include "recipes.h"

#include "geom/field.h"
#include "math/trig.h" // libm's sine differs from machine to machine
#include <string.h>

#define DEGREE 0.017453292519943295

// Starfish: body --------------------------------------------------------------

#define STARFISH_VERTICES 1162
#define ARMS 5
#define ARM_KNOBS 4
#define KNOB_BLEND 0.012
#define RIDGE_BLEND 0.015
#define RIDGE_BOTTOM (-0.006)
#define ARM_BLEND 0.05
// An arm this much farther away than the nearest part leaves no trace, the fillet of two others
// that are in between included.
#define ARM_REACH 0.12
#define FAR 0.1 // m from the body, two cells of marching and all fillets

// Where an arm's axis runs: as in the skeleton.
static void armAxis(int arm, double* s, double* c)
{
    snSinCos((90 + 72 * arm) * DEGREE, s, c);
}

static snVec3 armPoint(int arm, double along, double aside, double up)
{
    double s, c;
    armAxis(arm, &s, &c);
    return snV3(along * c + aside * s, up, aside * c - along * s);
}

// The union with a knob. Most knobs are too far away to make a difference, which takes no root.
static double addKnob(double d, snVec3 p, snVec3 centre, double radius)
{
    double reach = d + KNOB_BLEND + radius;
    bool near = reach > 0 && snLengthSq(snSub(p, centre)) < reach * reach;
    return near ? snField_Union(d, snField_Ball(p, centre, radius), KNOB_BLEND) : d;
}

// An arm that tapers, with a ridge on its back and knobs on the ridge; p along the arm, up, aside.
static double armField(snVec3 p)
{
    static const double KNOB_AT[ARM_KNOBS] = {0.09, 0.20, 0.30, 0.385};
    double d = snField_Cone(p, snV3(0.06, 0, 0), 0.086, snV3(0.464, -0.008, 0), 0.034);
    if (RIDGE_BOTTOM - p.y >= d + RIDGE_BLEND) {
        return d; // too far below ridge and knobs
    }
    double ridge = snField_Cone(p, snV3(0.08, 0.066, 0), 0.028, snV3(0.44, 0.012, 0), 0.018);
    d = snField_Union(d, ridge, RIDGE_BLEND);
    for (int i = 0; i < ARM_KNOBS; ++i) {
        double x = KNOB_AT[i];
        d = addKnob(d, p, snV3(x, 0.086 - 0.15 * x, 0), 0.034 - 0.025 * x);
    }
    return d;
}

// What is less than the distance from an arm: that from a thicker one without taper.
static double armBound(snVec3 p)
{
    double off = p.x < 0.06 ? p.x - 0.06 : p.x > 0.464 ? p.x - 0.464 : 0;
    return sqrt(off * off + p.y * p.y + p.z * p.z) - 0.115;
}

typedef struct ArmAxes {
    double s[ARMS], c[ARMS];
} ArmAxes;

// A domed hub and five arms, cut off flat below. Marching asks everywhere: far from the body it is
// enough to say so, and arms that are farther away than the fillets reach are left out.
static double starfishField(void* user, snVec3 p)
{
    const ArmAxes* axes = user;
    double below = -0.045 - p.y, d = snField_Ellipsoid(p, snV3(0, 0, 0), snV3(0.17, 0.095, 0.17));
    snVec3 place[ARMS];
    double bound[ARMS];
    int nearest = 0;
    for (int arm = 0; arm < ARMS; ++arm) {
        double s = axes->s[arm], c = axes->c[arm];
        place[arm] = snV3(p.x * c - p.z * s, p.y, p.x * s + p.z * c);
        bound[arm] = armBound(place[arm]);
        nearest = bound[arm] < bound[nearest] ? arm : nearest;
    }
    if (below > FAR || (d > FAR && bound[nearest] > FAR)) {
        return FAR;
    }
    double first = armField(place[nearest]), least = d < first ? d : first;
    for (int arm = 0; arm < ARMS; ++arm) {
        if (arm == nearest) {
            d = snField_Union(d, first, ARM_BLEND);
        } else if (bound[arm] < least + ARM_REACH) {
            d = snField_Union(d, armField(place[arm]), ARM_BLEND);
        }
    }
    return -snField_Union(-d, -below, 0.03);
}

// Starfish: coarse cage -------------------------------------------------------

// A cage made by hand, as in the paper: a hub and three boxes an arm, each with a node in its
// middle, on the bone. Of two boxes that touch, every edge between them makes a tet with the two
// middles; outer faces make two tets with the middle. The last box ends in an edge.
#define ARM_BOXES 3
#define ARM_NODES 15
#define CAGE_NODES (3 + ARMS * ARM_NODES)
#define CAGE_MOST_TETS 200

enum { HUB_MIDDLE, HUB_TOP, HUB_BOTTOM, FIRST_ARM_NODE };

typedef struct Cage {
    snVec3 nodes[CAGE_NODES];
    int32_t tets[4 * CAGE_MOST_TETS];
    int32_t tet_count;
} Cage;

// A tet turned so that its volume is positive; none where a box has an edge for a face.
static void addTet(Cage* c, int32_t i, int32_t j, int32_t k, int32_t l)
{
    if (i == j || i == k || i == l || j == k || j == l || k == l) {
        return;
    }
    const snVec3* x = c->nodes;
    bool turn = snDot(snSub(x[j], x[i]), snCross(snSub(x[k], x[i]), snSub(x[l], x[i]))) < 0;
    const int32_t tet[4] = {i, j, turn ? l : k, turn ? k : l};
    memcpy(c->tets + 4 * (size_t)c->tet_count++, tet, sizeof tet);
}

// An outer face of four corners, one after the other, cut from the first to the third.
static void addFace(Cage* c, int32_t middle, int32_t p, int32_t q, int32_t r, int32_t s)
{
    addTet(c, middle, p, q, r);
    addTet(c, middle, p, r, s);
}

static void placeCage(Cage* c)
{
    // along the arm, half the width, lower and upper side; of the arm's end, an edge
    static const double RINGS[2][4] = {{0.27, 0.085, -0.06, 0.075}, {0.40, 0.065, -0.06, 0.06}};
    static const double WEB[3] = {0.20, -0.065, 0.095}, END[3] = {0.56, 0.05, -0.01};
    static const double MIDDLES[ARM_BOXES] = {0.195, 0.335, 0.45};
    c->nodes[HUB_MIDDLE] = snV3(0, 0, 0);
    c->nodes[HUB_TOP] = snV3(0, 0.13, 0);
    c->nodes[HUB_BOTTOM] = snV3(0, -0.07, 0);
    for (int arm = 0; arm < ARMS; ++arm) {
        snVec3* x = c->nodes + FIRST_ARM_NODE + ARM_NODES * arm;
        snVec3 web = snAdd(armPoint(arm, 1, 0, 0), armPoint(arm + 1, 1, 0, 0));
        web = snScale(WEB[0], snNormalize(web));
        *x++ = snV3(web.x, WEB[1], web.z);
        *x++ = snV3(web.x, WEB[2], web.z);
        for (int i = 0; i < ARM_BOXES; ++i) {
            *x++ = armPoint(arm, MIDDLES[i], 0, 0);
        }
        for (int i = 0; i < 2; ++i) {
            const double* r = RINGS[i];
            *x++ = armPoint(arm, r[0], -r[1], r[2]);
            *x++ = armPoint(arm, r[0], -r[1], r[3]);
            *x++ = armPoint(arm, r[0], r[1], r[3]);
            *x++ = armPoint(arm, r[0], r[1], r[2]);
        }
        *x++ = armPoint(arm, END[0], -END[1], END[2]);
        *x++ = armPoint(arm, END[0], END[1], END[2]);
    }
}

static void makeCage(Cage* c)
{
    c->tet_count = 0;
    placeCage(c);
    for (int arm = 0; arm < ARMS; ++arm) {
        int32_t n = FIRST_ARM_NODE + ARM_NODES * arm;
        int32_t before = FIRST_ARM_NODE + ARM_NODES * ((arm + ARMS - 1) % ARMS);
        const int32_t rings[ARM_BOXES + 1][4] = {{n, n + 1, before + 1, before},
                                                 {n + 5, n + 6, n + 7, n + 8},
                                                 {n + 9, n + 10, n + 11, n + 12},
                                                 {n + 13, n + 13, n + 14, n + 14}};
        addTet(c, HUB_MIDDLE, HUB_TOP, n + 1, before + 1);
        addTet(c, HUB_MIDDLE, HUB_BOTTOM, n, before);
        for (int i = 0; i < ARM_BOXES; ++i) {
            const int32_t *near = rings[i], *far = rings[i + 1];
            int32_t middle = n + 2 + i, last = i ? middle - 1 : HUB_MIDDLE;
            for (int k = 0; k < 4; ++k) {
                int l = (k + 1) % 4;
                addTet(c, last, middle, near[k], near[l]);
                addFace(c, middle, near[k], near[l], far[l], far[k]);
            }
        }
    }
}

// Worm: body ------------------------------------------------------------------

#define WORM_RINGS 26
#define WORM_SIDES 10
#define WORM_VERTICES (WORM_RINGS * WORM_SIDES + 2) // 262: the paper's number
#define WORM_TRIANGLES (2 * WORM_RINGS * WORM_SIDES)

typedef struct Tube {
    snVec3 vertices[WORM_VERTICES];
    int32_t triangles[3 * WORM_TRIANGLES];
} Tube;

// An earthworm, head at +z: a pointed head, the swollen saddle behind it, a row of segments, a
// blunt tail. Each ring is turned by half a side against the last one.
static void placeWorm(snVec3* x)
{
    // where and how thick, m
    static const double RINGS[WORM_RINGS][2] = {
        {0.488, 0.021},  {0.462, 0.037},  {0.428, 0.051},  {0.392, 0.053},  {0.354, 0.065},
        {0.316, 0.063},  {0.278, 0.073},  {0.240, 0.077},  {0.202, 0.077},  {0.164, 0.073},
        {0.126, 0.062},  {0.088, 0.070},  {0.050, 0.062},  {0.012, 0.070},  {-0.026, 0.061},
        {-0.064, 0.070}, {-0.102, 0.061}, {-0.140, 0.069}, {-0.178, 0.060}, {-0.216, 0.068},
        {-0.254, 0.058}, {-0.292, 0.066}, {-0.330, 0.056}, {-0.372, 0.061}, {-0.420, 0.053},
        {-0.468, 0.041}};
    *x++ = snV3(0, 0, 0.5);
    for (int i = 0; i < WORM_RINGS; ++i) {
        for (int k = 0; k < WORM_SIDES; ++k) {
            double s, c;
            snSinCos(2 * SN_PI / WORM_SIDES * (k + 0.5 * (i % 2)), &s, &c);
            *x++ = snV3(RINGS[i][1] * c, RINGS[i][1] * s, RINGS[i][0]);
        }
    }
    *x = snV3(0, 0, -0.5);
}

static void makeWormSurface(Tube* tube)
{
    const int32_t last = WORM_VERTICES - 1, last_ring = last - WORM_SIDES;
    int32_t* t = tube->triangles;
    placeWorm(tube->vertices);
    for (int32_t k = 0; k < WORM_SIDES; ++k) {
        int32_t next = (k + 1) % WORM_SIDES;
        const int32_t ends[6] = {0, 1 + k, 1 + next, last, last_ring + next, last_ring + k};
        memcpy(t, ends, sizeof ends);
        t += 6;
        for (int32_t i = 0; i + 1 < WORM_RINGS; ++i) {
            int32_t here = 1 + WORM_SIDES * i, there = here + WORM_SIDES;
            // the vertex of the other ring that lies between k and the next
            int32_t between = there + (i % 2 ? next : k);
            int32_t before = there + (i % 2 ? k : (k + WORM_SIDES - 1) % WORM_SIDES);
            const int32_t two[6] = {here + k, between, here + next, here + k, before, between};
            memcpy(t, two, sizeof two);
            t += 6;
        }
    }
}

// Recipes ---------------------------------------------------------------------

static snStatus buildStarfish(const snHost* host, snCharacterDef* def, snCharacter** character,
                              snMessage* why)
{
    const snBox box = {snV3(-0.6, -0.15, -0.6), snV3(0.6, 0.15, 0.6)};
    const snIsoSize size = {0, STARFISH_VERTICES};
    snArena arena;
    snSurface surface;
    ArmAxes axes;
    for (int arm = 0; arm < ARMS; ++arm) {
        armAxis(arm, &axes.s[arm], &axes.c[arm]);
    }
    snArena_Init(&arena, host);
    *character = NULL;
    snStatus status = snIso_Mesh(&arena, starfishField, &axes, box, size, &surface, why);
    status = status ? status : snRecipe_Build(host, def, snMakeStarfish, &surface, character, why);
    snArena_Free(&arena);
    return status;
}

static snStatus makeCoarse(const snHost* host, snCharacter** character, snMessage* why)
{
    Cage cage;
    snCharacterDef def;
    makeCage(&cage);
    snCharacterDef_Init(&def);
    def.name = "starfish_coarse";
    def.node_count = CAGE_NODES;
    def.nodes = &cage.nodes->x;
    def.cell_count = cage.tet_count;
    def.tets = cage.tets;
    return buildStarfish(host, &def, character, why);
}

static snStatus makeStarfishOf(const snHost* host, const char* name, int32_t cells,
                               snCharacter** character, snMessage* why)
{
    snCharacterDef def;
    snCharacterDef_Init(&def);
    def.name = name;
    def.cells = cells;
    return buildStarfish(host, &def, character, why);
}

static snStatus makeModerate(const snHost* host, snCharacter** character, snMessage* why)
{
    return makeStarfishOf(host, "starfish", 3428, character, why);
}

static snStatus makeFine(const snHost* host, snCharacter** character, snMessage* why)
{
    return makeStarfishOf(host, "starfish_fine", 9014, character, why);
}

static snStatus makeVeryFine(const snHost* host, snCharacter** character, snMessage* why)
{
    return makeStarfishOf(host, "starfish_very_fine", 37573, character, why);
}

static snStatus makeWorm(const snHost* host, snCharacter** character, snMessage* why)
{
    Tube tube;
    snCharacterDef def;
    makeWormSurface(&tube);
    snCharacterDef_Init(&def);
    def.name = "worm";
    def.cells = 714;
    def.lattice_shift = (snVec3){0.5, 0, 0.5}; // nodes left and right of the bones hold the flesh
    *character = NULL;
    const snSurface surface = {WORM_VERTICES, WORM_TRIANGLES, tube.vertices, tube.triangles};
    return snRecipe_Build(host, &def, snMakeWorm, &surface, character, why);
}

// Finding them ----------------------------------------------------------------

static const snBuiltinCharacter CHARACTERS[] = {
    {"starfish_coarse", "a starfish 1 m across in a cage of 78 nodes made by hand", makeCoarse},
    {"starfish", "the same in about 3400 cells", makeModerate},
    {"starfish_fine", "the same in about 9000 cells", makeFine},
    {"starfish_very_fine", "the same in about 38,000 cells", makeVeryFine},
    {"worm", "an earthworm 1 m long in about 700 cells", makeWorm},
    {"fish", "a fish 1 m long in about 400 cells", snMakeFishBody},
    {"fish_firm", "the same with its muscles tensed", snMakeFirmFish},
    {"fatman", "a chubby man 1.8 m tall in about 8600 cells", snMakeFatman},
    {"fill_thick", "a bar that fills its cage, with a heavy knob", snMakeThick},
    {"fill_medium", "a thinner one in the same cage", snMakeMedium},
    {"fill_thin", "a thin one in the same cage", snMakeThin},
    {NULL, NULL, NULL},
};

const snBuiltinCharacter* snBuiltinCharacters(void)
{
    return CHARACTERS;
}

const snBuiltinCharacter* snBuiltinCharacter_Find(const char* name)
{
    for (const snBuiltinCharacter* c = CHARACTERS; c->name; ++c) {
        if (strcmp(c->name, name) == 0) {
            return c;
        }
    }
    return NULL;
}
