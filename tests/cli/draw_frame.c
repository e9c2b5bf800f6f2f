// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
// needs: cli

// What --show makes of a frame: a soft box with one bone, far from the world's origin.
#include "check.h"

#include <cli/draw_frame.h>

#define FAR 10240.0 // m; where a float knows a position to half a millimetre only

// A box of 1 x 0.4 x 0.4 m around the origin.
static const double CORNERS[8 * 3] = {-0.5, -0.2, -0.2, 0.5,  -0.2, -0.2, 0.5, 0.2,
                                      -0.2, -0.5, 0.2,  -0.2, -0.5, -0.2, 0.2, 0.5,
                                      -0.2, 0.2,  0.5,  0.2,  0.2,  -0.5, 0.2, 0.2};
static const int32_t FACES[12 * 3] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                      3, 6, 2, 3, 7, 6, 0, 4, 7, 0, 7, 3, 1, 2, 6, 1, 6, 5};

typedef struct Case {
    snScene* scene;
    float position[8 * 3], normal[8 * 3];
    float* nodes;
    snTransform bone;
    snFrameSurface surface;
    snFrameCharacter character;
    snFrame frame;
} Case;

static snSkeleton* makeBone(void)
{
    snMessage why;
    snBoneDef def;
    snSkeleton* skeleton;
    snBoneDef_Init(&def);
    def.name = "bone";
    def.joint = sn_jointFree;
    def.anchor.p = (snVec3){-0.4, 0, 0};
    def.tip = (snVec3){0.8, 0, 0};
    def.radius = 0.1;
    def.mass = snMass_Capsule((snVec3){0, 0, 0}, def.tip, def.radius, 1000);
    assert_ok(snSkeleton_Create(NULL, &def, 1, &skeleton, &why), why);
    return skeleton;
}

// A frame as a sim would give it; positions are less the origin, poses are not.
static void makeCase(Case* c, bool flesh)
{
    snMessage why;
    snCharacterDef def;
    snCharacter* character;
    snCharacterDef_Init(&def);
    def.skeleton = makeBone();
    def.cells = 60;
    if (flesh) {
        def.vertex_count = 8;
        def.triangle_count = 12;
        def.vertices = CORNERS;
        def.triangles = FACES;
    }
    *c = (Case){0};
    snStatus status = flesh ? snCharacter_Build(NULL, &def, &character, &why)
                            : snCharacter_Create(NULL, "box", def.skeleton, &character, &why);
    assert_ok(status, why);
    assert_ok(snScene_Create(NULL, NULL, &c->scene, &why), why);
    assert_ok(snScene_Add(c->scene, character, NULL, NULL, &why), why);
    snSkeleton_Release(def.skeleton);
    for (int i = 0; i < 8 * 3; ++i) {
        c->position[i] = (float)CORNERS[i];
        c->normal[i] = i % 3 == 1;
    }
    c->bone = (snTransform){{FAR - 0.4, 0, 0}, {0, 0, 0, 1}};
    c->surface = (snFrameSurface){8, 12, c->position, c->normal, FACES};
    c->character = (snFrameCharacter){
        .name = "box", .bone_count = 1, .bones = &c->bone, .origin = {FAR, 0, 0}};
    const snFleshInfo* info = snCharacter_Flesh(character);
    if (flesh) {
        c->nodes = malloc((size_t)info->node_count * 3 * sizeof *c->nodes);
        for (int32_t i = 0; i < 3 * info->node_count; ++i) {
            c->nodes[i] = (float)info->nodes[i];
        }
        c->character.surface_count = 1;
        c->character.surfaces = &c->surface;
        c->character.node_count = info->node_count;
        c->character.nodes = c->nodes;
    }
    c->frame = (snFrame){.character_count = 1, .characters = &c->character};
    snCharacter_Release(character);
}

static void dropCase(Case* c)
{
    snScene_Free(c->scene);
    free(c->nodes);
}

// How many items of each kind there are; glass: meshes that can be looked through.
typedef struct Counts {
    int solid, glass, lines, shapes;
} Counts;

static Counts countItems(Case* c, const char* show)
{
    static const snVec3 NORMALS[4] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    FramePainter painter = {.scene = c->scene, .origin = {FAR, 0, 0}};
    DrawList list = {0};
    Counts counts = {0, 0, 0, 0};
    assert_true(readDrawOptions(show, &painter.show));
    paintFrame(&painter, &c->frame, &list);
    assert_false(list.failed);
    for (int32_t i = 0; i < list.count; ++i) {
        const DrawItem* item = &list.items[i];
        counts.solid += item->kind == drawMesh && item->colour.a >= 1;
        counts.glass += item->kind == drawMesh && item->colour.a < 1;
        counts.lines += item->kind == drawLines;
        counts.shapes += item->kind == drawCapsules;
    }
    // whatever is shown is where the box is, seen from the pictures' origin: within a cell of it
    Extent e = emptyExtent();
    measureDrawList(&list, false, NORMALS, &e);
    double cell = snCharacter_Flesh(snScene_Character(c->scene, 0))
                      ? snCharacter_Flesh(snScene_Character(c->scene, 0))->cell_size
                      : 0.1;
    assert_true(e.low.x > -0.5 - cell && e.high.x < 0.5 + cell && e.high.x - e.low.x > 0.8);
    clearDrawList(&list);
    freePainter(&painter);
    return counts;
}

static void expect(Case* c, const char* show, Counts wanted)
{
    Counts found = countItems(c, show);
    if (memcmp(&found, &wanted, sizeof found) != 0) {
        fail_msg("--show %s: %d solid, %d glass, %d lines, %d shapes", show, found.solid,
                 found.glass, found.lines, found.shapes);
    }
}

static void fleshIsShownAsAsked(void** state)
{
    (void)state;
    Case c;
    makeCase(&c, true);
    expect(&c, "surface", (Counts){1, 0, 0, 0});
    expect(&c, "bones", (Counts){0, 0, 0, 1});
    expect(&c, "surface,bones", (Counts){0, 1, 0, 1});
    expect(&c, "mesh", (Counts){0, 1, 1, 1});
    expect(&c, "mesh,surface", (Counts){0, 1, 1, 1});
    expect(&c, "bones,mesh", (Counts){0, 1, 1, 2});
    expect(&c, "wire", (Counts){1, 0, 1, 0});
    expect(&c, "wire,bones", (Counts){0, 1, 1, 1});
    expect(&c, "stretch", (Counts){1, 0, 0, 0});
    expect(&c, "fill", (Counts){1, 0, 1, 0});
    expect(&c, "fill,surface", (Counts){0, 2, 1, 0});
    expect(&c, "mass", (Counts){0, 0, 0, 1});
    expect(&c, "mass,surface", (Counts){0, 1, 0, 1});
    expect(&c, "mass,mesh", (Counts){0, 1, 1, 1});
    // without any contact the skin alone, ready to be looked through
    expect(&c, "contacts", (Counts){0, 1, 0, 0});
    // what is asked for and not there does not leave the picture empty
    c.character.bone_count = 0;
    expect(&c, "bones", (Counts){1, 0, 0, 0});
    dropCase(&c);
}

static void bonesAloneAreAlwaysShown(void** state)
{
    (void)state;
    static const char* const SHOWS[] = {"surface", "wire", "stretch", "bones",
                                        "mesh",    "fill", "mass",    "contacts"};
    Case c;
    makeCase(&c, false);
    for (int i = 0; i < 8; ++i) {
        expect(&c, SHOWS[i], (Counts){0, 0, 0, 1});
    }
    dropCase(&c);
}

static void otherWordsAreRefused(void** state)
{
    (void)state;
    static const char* const BAD[] = {"", ",", "hair", "surfaces", "bones;mesh", "bones,,mesh"};
    DrawOptions options;
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; ++i) {
        assert_false(readDrawOptions(BAD[i], &options));
    }
    assert_true(readDrawOptions("mesh,bones", &options));
    assert_true(options.mesh && options.bones && !options.surface);
}

// Paints the box into a list.
static DrawList paint(const Case* c, const char* show)
{
    FramePainter painter = {.scene = c->scene, .origin = {FAR, 0, 0}};
    DrawList list = {0};
    assert_true(readDrawOptions(show, &painter.show));
    paintFrame(&painter, &c->frame, &list);
    freePainter(&painter);
    assert_false(list.failed);
    return list;
}

// A flat box's corners have three normals: its hard edges are split.
static void hardEdgesStayHard(void** state)
{
    (void)state;
    Case c;
    makeCase(&c, true);
    DrawList list = paint(&c, "surface");
    const float *positions = list.items[0].data[0], *normals = list.items[0].data[1];
    assert_int_equal(list.items[0].count, 24);
    for (int i = 0; i < 24; ++i) {
        int axes = 0;
        for (int k = 0; k < 3; ++k) {
            float n = normals[3 * i + k];
            axes += fabsf(n) > 0.999f;
            assert_true(fabsf(n) < 1e-6f || n * positions[3 * i + k] > 0);
        }
        assert_int_equal(axes, 1);
    }
    clearDrawList(&list);
    dropCase(&c);
}

// Grey at rest, blue when squeezed, red when stretched by 1.4 or more.
static void stretchIsSeenByItsColour(void** state)
{
    (void)state;
    static const float FACTORS[3] = {1, 0.7f, 1.5f};
    for (int i = 0; i < 3; ++i) {
        Case c;
        makeCase(&c, true);
        for (int32_t k = 0; k < c.character.node_count; ++k) {
            c.nodes[3 * k] *= FACTORS[i];
        }
        DrawList list = paint(&c, "stretch");
        const float* colours = list.items[0].data[3];
        for (int32_t k = 0; k < list.items[0].count; ++k) {
            float red = colours[3 * k], blue = colours[3 * k + 2];
            assert_true(i == 0   ? fabsf(red - blue) < 0.03f && red > 0.7f
                        : i == 1 ? blue > red + 0.5f
                                 : red > blue + 0.5f);
        }
        clearDrawList(&list);
        dropCase(&c);
    }
}

// Volumes of balls are as the masses of nodes.
static void massesAreVolumes(void** state)
{
    (void)state;
    Case c;
    makeCase(&c, true);
    DrawList list = paint(&c, "mass");
    const snFleshInfo* flesh = snCharacter_Flesh(snScene_Character(c.scene, 0));
    const DrawBone* balls = list.items[0].data[0];
    double ratio = pow((double)balls[0].radius, 3) / flesh->mass[0], sum = 0;
    assert_int_equal(list.items[0].count, flesh->node_count);
    for (int32_t i = 0; i < flesh->node_count; ++i) {
        double cube = pow((double)balls[i].radius, 3);
        assert_true(fabs(cube - ratio * flesh->mass[i]) < 1e-4 * cube); // radii are floats
        sum += 4.18879 * cube;
    }
    // a quarter of the box's volume, which is sampled to a few percent
    assert_true(fabs(sum - 0.25 * 0.16) < 0.1 * 0.25 * 0.16);
    clearDrawList(&list);
    dropCase(&c);
}

// An arrow per contact, along the force; four times the force makes it twice as long.
static void contactsAreArrows(void** state)
{
    (void)state;
    Case c;
    makeCase(&c, true);
    snContact contacts[3] = {{.character = 0, .obstacle = -1, .force = {0, 100, 0}},
                             {.character = 0, .obstacle = -1, .force = {0, 400, 0}},
                             {.character = 0, .obstacle = -1, .force = {0, 0, 0}}};
    for (int i = 0; i < 3; ++i) {
        contacts[i].place = (snVec3){FAR, -0.2, 0};
    }
    c.frame.contacts = contacts;
    c.frame.contact_count = 3;
    DrawList list = paint(&c, "contacts");
    assert_int_equal(list.count, 3);
    const DrawItem* heads = &list.items[2];
    assert_int_equal(heads->kind, drawOctahedra);
    assert_int_equal(heads->count, 2); // no force, no arrow
    const DrawBone* head = heads->data[0];
    double one = (double)head[0].to[1] + 0.2, two = (double)head[1].to[1] + 0.2;
    assert_true(one > 0.01 && fabs(two - 2 * one) < 1e-5);
    assert_true(fabsf(head[0].to[0]) < 1e-6f && fabsf(head[0].to[2]) < 1e-6f);
    clearDrawList(&list);
    dropCase(&c);
}

// Where the frame says, with the opacity that was given; what does not give way is scenery.
static void obstaclesAreThere(void** state)
{
    (void)state;
    static const snVec3 NORMALS[4] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    snMessage why;
    Case c;
    makeCase(&c, true);
    snShapeDef ball = {.kind = sn_shapeSphere, .pose = {{0, 0.5, 0}, {0, 0, 0, 1}}, .radius = 0.2};
    snObstacleDef def;
    snObstacleDef_Init(&def);
    def.shape_count = 1;
    def.shapes = &ball;
    assert_ok(snScene_AddObstacle(c.scene, &def, NULL, &why), why);
    def.mass = 1;
    def.colour[3] = 0.3f;
    assert_ok(snScene_AddObstacle(c.scene, &def, NULL, &why), why);
    // the second one is turned by 90 degrees about z
    const snFrameObstacle obstacles[2] = {
        {.pose = {{FAR + 2, 0, 0}, {0, 0, 0, 1}}},
        {.pose = {{FAR - 2, 0, 0}, {0, 0, sqrt(0.5), sqrt(0.5)}}},
    };
    c.frame.obstacles = obstacles;
    c.frame.obstacle_count = 2;
    DrawList list = paint(&c, "surface");
    assert_int_equal(list.count, 3);
    assert_true(list.items[1].scenery && list.items[1].colour.a >= 1);
    assert_true(!list.items[2].scenery && fabsf(list.items[2].colour.a - 0.3f) < 1e-6f);
    Extent still = emptyExtent(), moved = emptyExtent();
    measureItem(&list.items[1], NORMALS, &still);
    measureItem(&list.items[2], NORMALS, &moved);
    assert_close(still.low.x, 1.8, 1e-6);
    assert_close(still.high.y, 0.7, 1e-6);
    assert_close(moved.low.x, -2.7, 1e-6);
    assert_close(moved.high.y, 0.2, 1e-6);
    clearDrawList(&list);
    dropCase(&c);
}

// Of an animation there is no scene: surfaces and their triangles.
static void animationsHaveSurfaces(void** state)
{
    (void)state;
    DrawOptions options;
    Case c;
    makeCase(&c, true);
    c.character.node_count = 0;
    c.character.bone_count = 0;
    snScene* scene = c.scene;
    c.scene = NULL;
    DrawList list = paint(&c, "wire,stretch,bones,mesh,mass,contacts");
    assert_int_equal(list.count, 2);
    assert_int_equal(list.items[0].kind, drawMesh);
    assert_int_equal(list.items[1].kind, drawLines);
    assert_int_equal(list.items[1].count, 18); // edges of 12 triangles
    clearDrawList(&list);
    c.scene = scene;
    assert_true(readDrawOptions("surface,wire", &options) && !needsScene(&options));
    assert_true(readDrawOptions("surface,mass", &options) && needsScene(&options));
    dropCase(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fleshIsShownAsAsked),      cmocka_unit_test(bonesAloneAreAlwaysShown),
        cmocka_unit_test(otherWordsAreRefused),     cmocka_unit_test(hardEdgesStayHard),
        cmocka_unit_test(stretchIsSeenByItsColour), cmocka_unit_test(massesAreVolumes),
        cmocka_unit_test(contactsAreArrows),        cmocka_unit_test(obstaclesAreThere),
        cmocka_unit_test(animationsHaveSurfaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
