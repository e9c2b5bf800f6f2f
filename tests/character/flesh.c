// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Characters with flesh: what is built from which def, and what is refused.
#include "character/character.h"

#include "base/importers.h"
#include "check.h"
#include "import/host.h"
#include "sim/puppet.h"

// A cube of 1 m around the origin, and its corners and middle as nodes.
static const double CUBE[27] = {-0.5, -0.5, -0.5, 0.5,  -0.5, -0.5, -0.5, 0.5,  -0.5,
                                0.5,  0.5,  -0.5, -0.5, -0.5, 0.5,  0.5,  -0.5, 0.5,
                                -0.5, 0.5,  0.5,  0.5,  0.5,  0.5,  0.02, 0.01, 0.03};
static const int32_t SIDES[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                  2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

static void cube(snCharacterDef* def)
{
    snCharacterDef_Init(def);
    def->vertex_count = 8;
    def->triangle_count = 12;
    def->vertices = CUBE;
    def->triangles = SIDES;
    def->cells = 300;
}

static snCharacter* build(const snCharacterDef* def)
{
    snMessage why;
    snCharacter* c;
    assert_ok(snCharacter_Build(NULL, def, &c, &why), why);
    return c;
}

static void latticesHoldTheBody(void** state)
{
    (void)state;
    snCharacterDef def;
    cube(&def);
    snCharacter* c = build(&def);
    const snFleshInfo* f = snCharacter_Flesh(c);
    assert_string_equal(snCharacter_Name(c), "body");
    assert_int_equal(snSkeleton_BoneCount(snCharacter_Skeleton(c)), 0);
    assert_relative(f->cell_count, 300, 0.15, 0);
    assert_relative(f->flesh_mass, 1000, 3 * f->volume_error + 1e-3, 0);
    assert_relative(f->total_mass, f->flesh_mass, 1e-12, 0);
    assert_int_equal(f->vertex_count, 8);
    for (int32_t i = 0; i < 8; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            double y = 0;
            for (int k = 0; k < 4; ++k) {
                y += (double)f->vertex_weights[4 * i + k] *
                     f->nodes[3 * f->vertex_nodes[4 * i + k] + axis];
            }
            assert_close(y, CUBE[3 * i + axis], 1e-6);
        }
    }
    // half the cell size, eight times the cells
    double size = f->cell_size;
    snCharacter_Release(c);
    def.cell_size = size / 2;
    snCharacter* fine = build(&def);
    assert_true(snCharacter_Flesh(fine)->cell_count > 4 * 300);
    assert_close(snCharacter_Flesh(fine)->cell_size, size / 2, 1e-12);
    snCharacter_Release(fine);
}

static void givenNodesAreJoinedByDelaunay(void** state)
{
    (void)state;
    snMessage why;
    snCharacter* c = NULL;
    snCharacterDef def;
    cube(&def);
    def.node_count = 9;
    def.nodes = CUBE;
    if (!importHost()->importers->delaunay) {
        skip();
    }
    assert_ok(snCharacter_Build(importHost(), &def, &c, &why), why);
    const snFleshInfo* f = snCharacter_Flesh(c);
    assert_int_equal(f->node_count, 9);
    assert_true(f->cell_count >= 12);              // two or more on each side
    assert_relative(f->flesh_mass, 1000, 1e-3, 0); // all cells are full
    // the same tets, given
    int32_t count = f->cell_count;
    int32_t* tets = malloc(4 * (size_t)count * sizeof(int32_t));
    memcpy(tets, f->cells, 4 * (size_t)count * sizeof(int32_t));
    int32_t swap = tets[0]; // one of them inside out, which is repaired
    tets[0] = tets[1];
    tets[1] = swap;
    snCharacter_Release(c);
    def.cell_count = count;
    def.tets = tets;
    c = build(&def);
    assert_int_equal(snCharacter_Flesh(c)->cell_count, count);
    assert_relative(snCharacter_Flesh(c)->flesh_mass, 1000, 1e-3, 0);
    snCharacter_Release(c);
    free(tets);
}

static void regionsDiffer(void** state)
{
    (void)state;
    snCharacterDef def;
    cube(&def);
    def.cells = 2000;
    double plain = 0;
    snRegionDef region = {
        {0, 0, 0}, {0, 0, 0}, 0.4, {.density = 3000, .young = 1e5, .poisson = 0.3}};
    for (int i = 0; i < 2; ++i) {
        def.regions = &region;
        def.region_count = i;
        snCharacter* c = build(&def);
        double mass = snCharacter_Flesh(c)->flesh_mass;
        if (i > 0) { // a ball three times as heavy, cut to whole cells
            assert_relative(mass - plain, 2000 * 4.18879 * 0.4 * 0.4 * 0.4, 0.05, 0);
        }
        plain = mass;
        snCharacter_Release(c);
    }
}

// What a caller can get wrong.
typedef struct Wrong {
    const char* says;
    void (*spoil)(snCharacterDef* def);
} Wrong;

static double bad_vertices[27];
static int32_t bad_triangles[36];
static const int32_t FLAT_TET[4] = {0, 1, 2, 3}, FAR_TET[4] = {0, 1, 2, 9};
static snRegionDef bad_region = {{0, 0, 0}, {0, 0, 0}, -1, {1000, 30e3, 0.4, 12}};

static void noSize(snCharacterDef* d)
{
    d->size = 3;
}
static void noName(snCharacterDef* d)
{
    d->name = "";
}
static void noSurface(snCharacterDef* d)
{
    d->vertex_count = d->triangle_count = 0;
}
static void negative(snCharacterDef* d)
{
    d->triangle_count = -1;
}
static void missing(snCharacterDef* d)
{
    d->vertices = NULL;
}
static void notNumber(snCharacterDef* d)
{
    memcpy(bad_vertices, CUBE, sizeof CUBE);
    bad_vertices[7] = (double)NAN;
    d->vertices = bad_vertices;
}
static void index(snCharacterDef* d)
{
    memcpy(bad_triangles, SIDES, sizeof SIDES);
    bad_triangles[4] = 8;
    d->triangles = bad_triangles;
}
static void flat(snCharacterDef* d)
{
    memset(bad_vertices, 0, sizeof bad_vertices);
    d->vertices = bad_vertices;
}
static void soft(snCharacterDef* d)
{
    d->material.young = 0;
}
static void poisson(snCharacterDef* d)
{
    d->material.poisson = 0.5;
}
static void light(snCharacterDef* d)
{
    d->material.density = (double)NAN;
}
static void damping(snCharacterDef* d)
{
    d->material.damping = -1;
}
static void cells(snCharacterDef* d)
{
    d->cells = 0;
}
static void law(snCharacterDef* d)
{
    d->law = 17;
}
static void bones(snCharacterDef* d)
{
    d->bone_mass = 0;
}
static void shift(snCharacterDef* d)
{
    d->lattice_shift.x = 1;
}
static void region(snCharacterDef* d)
{
    d->region_count = 1;
    d->regions = &bad_region;
}
static void noTets(snCharacterDef* d)
{
    d->node_count = 8;
    d->nodes = CUBE;
    d->cell_count = 1;
}
static void flatTet(snCharacterDef* d)
{
    noTets(d);
    d->tets = FLAT_TET;
}
static void farTet(snCharacterDef* d)
{
    noTets(d);
    d->tets = FAR_TET;
}

static void mistakesAreNamed(void** state)
{
    (void)state;
    static const Wrong WRONG[] = {
        {"snCharacterDef_Init", noSize},
        {"1 to 255", noName},
        {"is this the whole mesh", noSurface},
        {"negative", negative},
        {"at least 4 vertices", missing},
        {"vertex 2", notNumber},
        {"triangle 1 names number 8", index},
        {"encloses nothing", flat},
        {"Young", soft},
        {"Poisson", poisson},
        {"density", light},
        {"damping", damping},
        {"cells must", cells},
        {"law 17", law},
        {"bone_mass", bones},
        {"lattice_shift", shift},
        {"region 0", region},
        {"not given", noTets},
        {"0", flatTet},
        {"tet 0 names number 9", farTet},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; ++i) {
        snMessage why;
        snCharacter* c = (snCharacter*)&why;
        snCharacterDef def;
        cube(&def);
        WRONG[i].spoil(&def);
        assert_refused(snCharacter_Build(NULL, &def, &c, &why), sn_errorArgument, why,
                       WRONG[i].says);
        assert_null(c);
    }
    snCharacterDef def;
    cube(&def);
    snCharacter* c;
    assert_int_equal(snCharacter_Build(NULL, NULL, &c, NULL), sn_errorArgument);
    assert_int_equal(snCharacter_Build(NULL, &def, NULL, NULL), sn_errorArgument);
}

// The modulus that is advised grows with what has to be carried, and not with what there is.
static void softnessIsMeasured(void** state)
{
    (void)state;
    double advised[3];
    for (int i = 0; i < 3; ++i) {
        snMessage why;
        snCharacter* c;
        snCharacterDef def;
        cube(&def);
        def.material.density = i == 1 ? 3000 : 1000;
        def.material.young = i == 2 ? 1e6 : 1e4;
        assert_ok(snCharacter_Build(NULL, &def, &c, &why), why);
        advised[i] = snCharacter_Flesh(c)->young_advised;
        assert_true(snCharacter_Flesh(c)->young == def.material.young);
        snCharacter_Release(c);
    }
    // a column of 1 m sags by 1 / 24: rho g h / 2 over E
    assert_close(1000 * 9.81 / 2 / advised[0], 1.0 / 24, 1e-12);
    assert_close(advised[1], 3 * advised[0], 1e-6);
    assert_true(advised[2] == advised[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latticesHoldTheBody), cmocka_unit_test(givenNodesAreJoinedByDelaunay),
        cmocka_unit_test(regionsDiffer),       cmocka_unit_test(mistakesAreNamed),
        cmocka_unit_test(softnessIsMeasured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
