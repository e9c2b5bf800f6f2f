// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Masses and fill against bodies whose volume is known.
#include "flesh/sample.h"

#include "flesh/box.h"

// A ball of radius 0.4 in the middle of the unit box.
static snStatus insideBall(void* user, const snVec3* points, int64_t count, uint8_t* inside,
                           snMessage* why)
{
    (void)user, (void)why;
    for (int64_t i = 0; i < count; ++i) {
        inside[i] = snLength(snSub(points[i], snV3(0.5, 0.5, 0.5))) < 0.4;
    }
    return sn_ok;
}

static snStatus insideAll(void* user, const snVec3* points, int64_t count, uint8_t* inside,
                          snMessage* why)
{
    (void)user, (void)points, (void)why;
    memset(inside, 1, (size_t)count);
    return sn_ok;
}

typedef struct Case {
    snTets mesh;
    snArena arena;
    snSampling sampling;
    double* density;
} Case;

static void setUp(Case* c, int n, snMaterialFcn* test, int strata)
{
    snMessage why;
    c->mesh = makeBox(snV3(0, 0, 0), snV3(1, 1, 1), n, n, n);
    snArena_Init(&c->arena, NULL);
    c->density = snArena_Push(&c->arena, (size_t)c->mesh.tet_count, sizeof(double));
    for (int32_t e = 0; e < c->mesh.tet_count; ++e) {
        c->density[e] = 1000;
    }
    const snSampleDef def = {
        .mesh = &c->mesh, .body = {.material = test}, .density = c->density, .strata = strata};
    assert_ok(snSample_Mesh(&c->arena, &def, &c->sampling, &why), why);
}

static void tearDown(Case* c)
{
    snArena_Free(&c->arena);
    freeBox(&c->mesh);
}

static double totalMass(const Case* c)
{
    double sum = 0;
    for (int32_t i = 0; i < c->mesh.node_count; ++i) {
        sum += c->sampling.mass[i];
    }
    return sum;
}

// Full cells: fill 1, and each node gets about a quarter of each of its cells (the samples are
// random).
static void fullCellsShareTheirMass(void** state)
{
    (void)state;
    Case c;
    setUp(&c, 3, insideAll, 8);
    assert_close(totalMass(&c), 1000, 1e-9);
    assert_close(c.sampling.error, 0, 0);
    for (int32_t e = 0; e < c.mesh.tet_count; ++e) {
        assert_close(c.sampling.fill[e], 1, 0);
    }
    double quarter = 1000.0 / c.mesh.tet_count / 4;
    // node 0 is a corner of the box where all six tets of a cube meet
    assert_relative(c.sampling.mass[0], 6 * quarter, 0.02, 0);
    tearDown(&c);
}

static void partlyFilledMassIsTheBodys(void** state)
{
    (void)state;
    double exact = 1000 * 4.0 / 3 * 3.14159265358979 * 0.4 * 0.4 * 0.4;
    for (int strata = 3; strata <= 6; strata += 3) {
        Case c;
        setUp(&c, 6, insideBall, strata);
        double off = fabs(totalMass(&c) / exact - 1);
        print_message("%d^3 samples a cell: mass off by %.2g, stated error %.2g\n", strata, off,
                      c.sampling.error);
        assert_below(off, 3 * c.sampling.error);
        assert_below(c.sampling.error, 0.01);
        assert_close(totalMass(&c), 1000 * c.sampling.volume, 1e-9);
        tearDown(&c);
    }
}

// The floor bounds mass over fill, keeps the total, and changes little else.
static void floorBoundsMassOverFill(void** state)
{
    (void)state;
    Case c;
    snFloorChange change;
    snMessage why;
    setUp(&c, 7, insideBall, 5);
    double before = totalMass(&c), worst = 1e9;
    assert_ok(snSample_FloorMasses(&c.arena, &c.mesh, c.density, &c.sampling, &change, &why), why);
    assert_relative(totalMass(&c), before, 1e-12, 0);
    double* share = calloc((size_t)c.mesh.node_count, sizeof(double));
    for (int32_t e = 0; e < c.mesh.tet_count; ++e) {
        for (int k = 0; k < 4; ++k) {
            share[c.mesh.tet[4 * e + k]] +=
                c.sampling.fill[e] * 1000 * snTets_Volume(&c.mesh, e) / 4;
        }
    }
    for (int32_t i = 0; i < c.mesh.node_count; ++i) {
        worst = share[i] > 0 ? fmin(worst, c.sampling.mass[i] / share[i]) : worst;
    }
    print_message("least mass over fill %.3g, mass added %.2g, inertia changed by %.2g\n", worst,
                  change.mass, change.inertia);
    assert_true(worst > 0.5 / (1 + change.mass) - 1e-12);
    assert_below(change.mass, 0.05);
    assert_below(change.inertia, 0.05);
    free(share);
    tearDown(&c);
}

static void sameSamplesEveryTime(void** state)
{
    (void)state;
    Case a, b;
    setUp(&a, 4, insideBall, 4);
    setUp(&b, 4, insideBall, 4);
    assert_memory_equal(a.sampling.mass, b.sampling.mass,
                        (size_t)a.mesh.node_count * sizeof(double));
    tearDown(&a);
    tearDown(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fullCellsShareTheirMass),
        cmocka_unit_test(partlyFilledMassIsTheBodys),
        cmocka_unit_test(floorBoundsMassOverFill),
        cmocka_unit_test(sameSamplesEveryTime),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
