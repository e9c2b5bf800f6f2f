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
    measureDrawList(&list, NORMALS, &e);
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
    // what is asked for and not there does not leave the picture empty
    c.character.bone_count = 0;
    expect(&c, "bones", (Counts){1, 0, 0, 0});
    dropCase(&c);
}

static void bonesAloneAreAlwaysShown(void** state)
{
    (void)state;
    static const char* const SHOWS[] = {"surface", "bones", "mesh"};
    Case c;
    makeCase(&c, false);
    for (int i = 0; i < 3; ++i) {
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fleshIsShownAsAsked),
        cmocka_unit_test(bonesAloneAreAlwaysShown),
        cmocka_unit_test(otherWordsAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
