// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Flesh around bodies made of implicit recipes.
#include "flesh/flesh.h"

#include "flesh/bodies.h"

static void checkFlesh(const Case* c, int32_t cells, double floored)
{
    const snFlesh* f = &c->flesh;
    double whole = 1000 * volumeOf(&c->surface);
    print_message(
        "%d cells (wanted %d), %d nodes, %d fixed, step %.3g ms (%.3g admitted), mass %.3f kg of "
        "%.3f (error %.2g), floored by %.2g, inertia by %.2g, %d vertices outside\n",
        (int)f->tets.tet_count, (int)cells, (int)f->tets.node_count, (int)f->binding.fixed_count,
        1e3 * f->step.rest, 1e3 * f->step.admitted, massOf(f), whole, f->error, f->floored.mass,
        f->floored.inertia, (int)f->embedding.outside);
    // within 15 % of the wanted number, the mass within three standard deviations of sampling
    assert_relative(f->tets.tet_count, cells, 0.15, 0);
    assert_relative(massOf(f), whole, 3 * f->error + 1e-3, 0);
    assert_below(f->floored.mass, floored);
    assert_below(f->floored.inertia, floored);
    assert_int_equal(f->binding.bare_count, 0);
    for (int32_t b = 0; b < c->skeleton->bone_count; ++b) { // enough that it cannot spin
        assert_true(f->fixed_begin[b + 1] - f->fixed_begin[b] >= 3);
    }
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
        setUp(&c, starField, 1162, snMakeStarfish, CELLS[i]);
        build(&c);
        assert_relative(c.surface.vertex_count, 1162, 0.05, 0);
        checkFlesh(&c, CELLS[i], 0.01);
        drop(&c);
    }
}

static void wormAsInThePaper(void** state)
{
    (void)state;
    Case c;
    setUp(&c, wormField, 262, snMakeWorm, 714);
    build(&c);
    checkFlesh(&c, 714, 0.06); // two cells across: most are partly filled
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
    def.material.poisson = 0.6;
    assert_int_equal(snFlesh_Build(&arena, &def, &flesh, &why), sn_errorArgument);
    snSkeleton_Release(skeleton);
    snArena_Free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starfishInThreeDensities),
        cmocka_unit_test(wormAsInThePaper),
        cmocka_unit_test(emptyBodiesAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
