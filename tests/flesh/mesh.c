// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// The mesh around a surface, made or given.
#include "flesh/mesh.h"

#include "flesh/bodies.h"
#include "flesh/box.h"

// Each finger has its own cells: no cell, and no chain of nodes, ties their tips together but
// through the palm.
static void fingersMoveApart(void** state)
{
    (void)state;
    Case c;
    setUp(&c, fingerField, 1000, snMakeWorm, 400);
    build(&c);
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

// Cells of the given size; half the size makes many more.
static void cellSizeIsTaken(void** state)
{
    (void)state;
    int32_t count[2];
    for (int i = 0; i < 2; ++i) {
        Case c;
        setUp(&c, wormField, 262, makeNoBones, 7);
        c.def.cell_size = i ? 0.05 : 0.1;
        build(&c);
        assert_close(c.flesh.cell, c.def.cell_size, 1e-15);
        count[i] = c.flesh.tets.tet_count;
        drop(&c);
    }
    assert_in_range(count[1], 4 * count[0], 8 * count[0]);
}

// A block of given tets around the worm, every third of them turned: those with material are taken,
// their nodes in the right order, and the mass is the body's.
static void givenTetsAreTaken(void** state)
{
    (void)state;
    Case c;
    setUp(&c, wormField, 262, makeNoBones, 7);
    snTets mesh = makeBox(snV3(-0.15, -0.1, -0.6), snV3(0.15, 0.1, 0.6), 6, 4, 24);
    for (int32_t e = 0; e < mesh.tet_count; e += 3) {
        int32_t was = mesh.tet[4 * e];
        mesh.tet[4 * e] = mesh.tet[4 * e + 1];
        mesh.tet[4 * e + 1] = was;
    }
    c.def.given = &mesh;
    build(&c);
    const snFlesh* f = &c.flesh;
    print_message("%d of %d cells hold the worm; mass %.3f kg, error %.2g\n",
                  (int)f->tets.tet_count, (int)mesh.tet_count, massOf(f), f->error);
    assert_in_range(f->tets.tet_count, mesh.tet_count / 10, mesh.tet_count * 2 / 3);
    assert_true(f->tets.node_count < mesh.node_count);
    assert_relative(massOf(f), 1000 * volumeOf(&c.surface), 3 * f->error + 1e-3, 0);
    // sides of 0.05, face diagonals sqrt(2) of that, the diagonal sqrt(3): 3, 2 and 1 in each tet
    assert_close(f->cell, 0.05 * (3 + 2 * sqrt(2) + sqrt(3)) / 6, 1e-12);
    bool full = false;
    for (int32_t e = 0; e < f->tets.tet_count; ++e) {
        assert_true(snTets_Volume(&f->tets, e) > 0);
        assert_true(f->fill[e] > 0 && f->fill[e] <= 1);
        full = full || f->fill[e] == 1;
    }
    assert_true(full);
    drop(&c);
    freeBox(&mesh);
}

static void flatTetsAreRefused(void** state)
{
    (void)state;
    Case c;
    snMessage why;
    setUp(&c, wormField, 262, makeNoBones, 7);
    snTets mesh = makeBox(snV3(-0.15, -0.1, -0.6), snV3(0.15, 0.1, 0.6), 3, 2, 12);
    mesh.tet[4 * 17 + 2] = mesh.tet[4 * 17 + 1];
    c.def.given = &mesh;
    assert_int_equal(snFlesh_Build(&c.arena, &c.def, &c.flesh, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "tet 17"));
    // and cells that miss the body
    freeBox(&mesh);
    mesh = makeBox(snV3(1, 1, 1), snV3(2, 2, 2), 2, 2, 2);
    assert_int_equal(snFlesh_Build(&c.arena, &c.def, &c.flesh, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "encloses nothing"));
    drop(&c);
    freeBox(&mesh);
}

// Broken surfaces make about the same body: a triangle in 20 missing, and one shell within another.
static void brokenSurfacesMakeBodies(void** state)
{
    (void)state;
    Case c;
    setUp(&c, wormField, 1000, makeNoBones, 1000);
    double whole = 1000 * volumeOf(&c.surface);
    int32_t left = 0;
    for (int32_t t = 0; t < c.surface.triangle_count; ++t) {
        if (t % 20) {
            memmove(c.surface.triangle + 3 * (size_t)left++, c.surface.triangle + 3 * (size_t)t,
                    3 * sizeof(int32_t));
        }
    }
    c.surface.triangle_count = left;
    build(&c);
    print_message("with holes: mass %.3f kg of %.3f, %d cells\n", massOf(&c.flesh), whole,
                  (int)c.flesh.tets.tet_count);
    assert_relative(massOf(&c.flesh), whole, 0.02, 0);
    assert_relative(c.flesh.tets.tet_count, 1000, 0.15, 0);
    drop(&c);
}

// Bones and regions that miss the body, and bodies of the wrong unit, are told of; others not.
static void keepLog(void* user, snLogLevel level, const char* text)
{
    char* all = user;
    assert_int_equal(level, sn_logWarning);
    strcat(all, text);
    strcat(all, "\n");
}

static void missesAreTold(void** state)
{
    (void)state;
    char log[2000] = "";
    snHost host;
    snHost_Init(&host);
    host.log = keepLog;
    host.user = log;
    for (int far = 0; far < 2; ++far) {
        Case c;
        snArena arena;
        snRegionDef regions[2] = {{{0, 0, 0}, {0, 0, 0.1}, 0.05, {1000, 30e3, 0.4, 12}},
                                  {{0, 0, 0}, {0, 0, 0.1}, 0.05, {1000, 30e3, 0.4, 12}}};
        setUp(&c, wormField, 262, snMakeWorm, 300);
        for (int32_t i = 0; far && i < c.surface.vertex_count; ++i) {
            snVec3* p = &c.surface.position[i];
            *p = snAdd(snScale(100, *p), snV3(300, 0, 0));
        }
        regions[1].a.x = regions[1].b.x = far ? 300 : 0;
        c.def.regions = regions;
        c.def.region_count = 2;
        snArena_Init(&arena, &host);
        snMessage why;
        assert_ok(snMesh_Build(&arena, &c.def, &c.flesh, &why), why);
        snArena_Free(&arena);
        drop(&c);
        assert_true(far || log[0] == 0);
    }
    assert_non_null(strstr(log, "metres"));
    assert_non_null(strstr(log, "bone '"));
    assert_non_null(strstr(log, "region 0 misses"));
    assert_null(strstr(log, "region 1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fingersMoveApart),         cmocka_unit_test(cellSizeIsTaken),
        cmocka_unit_test(givenTetsAreTaken),        cmocka_unit_test(flatTetsAreRefused),
        cmocka_unit_test(brokenSurfacesMakeBodies), cmocka_unit_test(missesAreTold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
