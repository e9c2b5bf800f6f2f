// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Flesh around bodies made of implicit recipes.
#include "flesh/flesh.h"

#include "check.h"
#include "geom/field.h"
#include "geom/iso.h"
#include "math/trig.h"
#include <scenes/scenes.h>

// A starfish 1 m across around the built-in skeleton: a flat hub and five arms that taper.
static double starField(void* user, snVec3 p)
{
    (void)user;
    double d = snField_Ellipsoid(p, snV3(0, 0, 0), snV3(0.15, 0.075, 0.15));
    for (int arm = 0; arm < 5; ++arm) {
        double angle = (90 + 72 * arm) * SN_PI / 180, x = snCos(angle), z = -snSin(angle);
        double cone =
            snField_Cone(p, snV3(0.07 * x, 0, 0.07 * z), 0.075, snV3(0.46 * x, 0, 0.46 * z), 0.028);
        d = snField_Union(d, cone, 0.06);
    }
    return d;
}

static double wormField(void* user, snVec3 p)
{
    (void)user;
    return snField_Capsule(p, snV3(0, 0, -0.43), snV3(0, 0, 0.43), 0.07);
}

// Two fingers on a palm, closer to each other than a cell.
static double fingerField(void* user, snVec3 p)
{
    (void)user;
    double a = snField_Capsule(p, snV3(-0.075, 0, 0), snV3(-0.075, 0, 0.6), 0.05);
    double b = snField_Capsule(p, snV3(0.075, 0, 0), snV3(0.075, 0, 0.6), 0.05);
    double palm = snField_Ball(p, snV3(0, 0, -0.1), 0.15);
    double least = a < b ? a : b;
    return least < palm ? least : palm;
}

typedef struct Case {
    snArena arena;
    snSurface surface;
    snSkeleton* skeleton;
    snFlesh flesh;
} Case;

static void build(Case* c, snFieldFcn* field, int32_t vertices,
                  snStatus (*make)(const snHost*, snSkeleton**, snMessage*), int32_t cells)
{
    snMessage why;
    snBox box = {snV3(-0.7, -0.7, -0.7), snV3(0.7, 0.7, 0.75)};
    snIsoSize size = {0, vertices};
    snFleshDef def;
    snArena_Init(&c->arena, NULL);
    assert_ok(snIso_Mesh(&c->arena, field, NULL, box, size, &c->surface, &why), why);
    assert_ok(make(NULL, &c->skeleton, &why), why);
    snFleshDef_Init(&def);
    def.surface = &c->surface;
    def.skeleton = c->skeleton;
    def.cells = cells;
    assert_ok(snFlesh_Build(&c->arena, &def, &c->flesh, &why), why);
}

static void drop(Case* c)
{
    snSkeleton_Release(c->skeleton);
    snArena_Free(&c->arena);
}

static double massOf(const snFlesh* f)
{
    double sum = 0;
    for (int32_t i = 0; i < f->tets.node_count; ++i) {
        assert_true(f->mass[i] > 0);
        sum += f->mass[i];
    }
    return sum;
}

static void checkFlesh(const Case* c, int32_t cells, double floored)
{
    const snFlesh* f = &c->flesh;
    snSurfaceFacts facts;
    snMessage why;
    assert_ok(snSurface_Inspect(&c->surface, NULL, &facts, &why), why);
    print_message(
        "%d cells (wanted %d), %d nodes, %d fixed, step %.3g ms (%.3g admitted), mass %.3f kg of "
        "%.3f (error %.2g), floored by %.2g, inertia by %.2g, %d vertices outside\n",
        (int)f->tets.tet_count, (int)cells, (int)f->tets.node_count, (int)f->binding.fixed_count,
        1e3 * f->step.rest, 1e3 * f->step.admitted, massOf(f), 1000 * facts.volume, f->error,
        f->floored.mass, f->floored.inertia, (int)f->embedding.outside);
    // within 15 % of the wanted number, the mass within three standard deviations of sampling
    assert_relative(f->tets.tet_count, cells, 0.15, 0);
    assert_relative(massOf(f), 1000 * facts.volume, 3 * f->error + 1e-3, 0);
    assert_below(f->floored.mass, floored);
    assert_below(f->floored.inertia, floored);
    assert_int_equal(f->binding.bare_count, 0);
    assert_true(f->step.rest > 0 && f->step.admitted < f->step.rest);
    for (int32_t i = 0; i < c->surface.vertex_count; ++i) {
        snVec3 y = snV3(0, 0, 0);
        for (int k = 0; k < 4; ++k) {
            int32_t node = f->tets.tet[4 * f->embedding.cell[i] + k];
            y = snMulAdd(y, f->embedding.weight[i][k], f->tets.position[node]);
        }
        assert_below(snLength(snSub(y, c->surface.position[i])), 1e-9);
    }
}

static void starfishInThreeDensities(void** state)
{
    (void)state;
    static const int32_t CELLS[3] = {3428, 9014, 37573}; // Kim & Pollard 2011, Table III
    for (int i = 0; i < 3; ++i) {
        Case c;
        build(&c, starField, 1162, snMakeStarfish, CELLS[i]);
        assert_relative(c.surface.vertex_count, 1162, 0.05, 0);
        checkFlesh(&c, CELLS[i], 0.01);
        drop(&c);
    }
}

static void wormAsInThePaper(void** state)
{
    (void)state;
    Case c;
    build(&c, wormField, 262, snMakeWorm, 714);
    checkFlesh(&c, 714, 0.04); // two cells across: most are partly filled
    drop(&c);
}

// Each finger has its own cells: no cell, and no chain of nodes, ties their tips together but
// through the palm.
static void fingersMoveApart(void** state)
{
    (void)state;
    Case c;
    build(&c, fingerField, 3000, snMakeWorm, 400);
    const snFlesh* f = &c.flesh;
    assert_true(f->cell > 0.06); // the gap is 0.05
    for (int32_t i = 0; i < c.surface.vertex_count; ++i) {
        snVec3 p = c.surface.position[i];
        if (p.z < 0.35) {
            continue;
        }
        // no vertex of the other finger's upper half uses a node of this vertex's cell
        const int32_t* mine = f->tets.tet + 4 * (size_t)f->embedding.cell[i];
        for (int32_t j = i + 1; j < c.surface.vertex_count; ++j) {
            snVec3 q = c.surface.position[j];
            const int32_t* other = f->tets.tet + 4 * (size_t)f->embedding.cell[j];
            for (int k = 0; k < 16 && q.z >= 0.35 && p.x * q.x < 0; ++k) {
                assert_int_not_equal(mine[k / 4], other[k % 4]);
            }
        }
    }
    drop(&c);
}

static void emptyBodiesAreRefused(void** state)
{
    (void)state;
    snMessage why;
    snArena arena;
    snFlesh flesh;
    snFleshDef def;
    snSkeleton* skeleton;
    snVec3 corners[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    int32_t triangle[3] = {0, 1, 2};
    snSurface flat = {3, 1, corners, triangle};
    snArena_Init(&arena, NULL);
    assert_ok(snMakeWorm(NULL, &skeleton, &why), why);
    snFleshDef_Init(&def);
    def.skeleton = skeleton;
    assert_int_equal(snFlesh_Build(&arena, &def, &flesh, &why), sn_errorArgument);
    def.surface = &flat;
    def.cells = 100;
    assert_int_equal(snFlesh_Build(&arena, &def, &flesh, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "encloses nothing"));
    def.poisson = 0.6;
    assert_int_equal(snFlesh_Build(&arena, &def, &flesh, &why), sn_errorArgument);
    snSkeleton_Release(skeleton);
    snArena_Free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starfishInThreeDensities),
        cmocka_unit_test(wormAsInThePaper),
        cmocka_unit_test(fingersMoveApart),
        cmocka_unit_test(emptyBodiesAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
