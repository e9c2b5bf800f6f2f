// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// What is planted in a mesh is found and mended; the surface around tets is closed, faces outwards
// and encloses their volume.
#include "geom/tet_facts.h"
#include "base/random.h"
#include "check.h"

#define SIDE 5               // cubes along each edge of the block
#define NODES (6 * 6 * 6)    // of the block
#define TETS (6 * 5 * 5 * 5) // of the block
#define SPARE 8              // room for what is planted
#define ROUNDING 1e-12       // of sums of some hundred volumes

static int32_t nodeAt(int x, int y, int z)
{
    return x + (SIDE + 1) * (y + (SIDE + 1) * z);
}

// A block of unit cubes, six tets each around the diagonal. (NODES + SPARE, TETS + SPARE)
static snTets makeBlock(snVec3* position, int32_t* tet)
{
    static const int PATHS[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    snTets t = {NODES, 0, position, tet};
    for (int i = 0; i < NODES; ++i) {
        position[i] =
            snV3(i % (SIDE + 1), i / (SIDE + 1) % (SIDE + 1), i / (SIDE + 1) / (SIDE + 1));
    }
    for (int i = 0; i < SIDE * SIDE * SIDE; ++i) {
        for (int p = 0; p < 6; ++p) {
            int at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
            int32_t* n = tet + 4 * t.tet_count++;
            n[0] = nodeAt(at[0], at[1], at[2]);
            for (int k = 0; k < 3; ++k) {
                ++at[PATHS[p][k]];
                n[k + 1] = nodeAt(at[0], at[1], at[2]);
            }
        }
    }
    return t;
}

static void swap(int32_t* a, int32_t* b)
{
    int32_t was = *a;
    *a = *b;
    *b = was;
}

// Every order of nodes and tets gives the same surface and volume.
static void test_block(void** state)
{
    (void)state;
    static snVec3 position[NODES + SPARE];
    static int32_t tet[4 * (TETS + SPARE)];
    snRandom random = snRandom_Seed(7);
    for (int round = 0; round < 5; ++round) {
        snTets t = makeBlock(position, tet);
        for (uint32_t e = 0; e < TETS && round > 0; ++e) {
            uint32_t other = snRandom_Below(&random, TETS);
            for (uint32_t k = 0; k < 4; ++k) {
                swap(&tet[4 * e + k], &tet[4 * other + k]);
            }
            swap(&tet[4 * e + snRandom_Below(&random, 4)],
                 &tet[4 * e + snRandom_Below(&random, 4)]);
        }
        int32_t negative = 0, crowded;
        for (int32_t e = 0; e < TETS; ++e) {
            const int32_t* n = tet + 4 * (size_t)e;
            negative +=
                snTetVolume(position[n[0]], position[n[1]], position[n[2]], position[n[3]]) < 0;
        }
        snArena arena;
        snArena_Init(&arena, NULL);
        snTetFacts f;
        snMessage why;
        assert_ok(snTets_Mend(&t, NULL, &f, &why), why);
        assert_int_equal(f.turned, negative);
        assert_int_equal(t.tet_count, TETS);
        assert_int_equal(f.flat + f.duplicate + f.slivers + f.stray, 0);
        assert_int_equal(f.parts, 1);
        assert_relative(f.volume, SIDE * SIDE * SIDE, ROUNDING, 0);
        // edges 1, sqrt 2, sqrt 3: 1/6 over sqrt 27
        assert_relative(f.worst_shape, 1 / (6 * sqrt(27)), ROUNDING, 0);
        snSurface s;
        snSurfaceFacts facts;
        assert_ok(snTets_Boundary(&arena, &t, &s, &crowded, &why), why);
        assert_ok(snSurface_Inspect(&s, NULL, &facts, &why), why);
        assert_int_equal(crowded, 0);
        assert_int_equal(s.triangle_count, 6 * 2 * SIDE * SIDE);
        assert_int_equal(s.vertex_count, NODES - (SIDE - 1) * (SIDE - 1) * (SIDE - 1));
        assert_true(snSurfaceFacts_IsClosed(&facts) && facts.shells == 1);
        assert_int_equal(facts.unreferenced_vertices, 0);
        assert_relative(facts.volume, SIDE * SIDE * SIDE, ROUNDING, 0);
        assert_relative(facts.area, 6 * SIDE * SIDE, ROUNDING, 0);
        snArena_Free(&arena);
    }
}

static void test_planted(void** state)
{
    (void)state;
    static snVec3 position[NODES + SPARE];
    static int32_t tet[4 * (TETS + SPARE)];
    snTets t = makeBlock(position, tet);
    snTetFacts f;
    snMessage why;
    position[NODES] = snV3(20, 0, 0);     // stray
    position[NODES + 1] = snV3(30, 0, 0); // a part of its own, of one sliver
    position[NODES + 2] = snV3(31, 0, 0);
    position[NODES + 3] = snV3(30, 1, 0);
    position[NODES + 4] = snV3(30.3, 0.3, 1e-4);
    t.node_count = NODES + 5;
    const int32_t planted[5][4] = {{tet[9], tet[10], tet[8], tet[11]},   // of tet 2, even order
                                   {0, 1, 2, 8},                         // flat
                                   {5, 5, 60, 80},                       // a node twice
                                   {tet[40], tet[41], tet[43], tet[42]}, // of tet 10, odd order
                                   {NODES + 1, NODES + 3, NODES + 2, NODES + 4}};
    memcpy(tet + 4 * t.tet_count, planted, sizeof planted);
    t.tet_count += 5;
    assert_ok(snTets_Mend(&t, NULL, &f, &why), why);
    assert_int_equal(f.duplicate, 2);
    assert_int_equal(f.first_duplicate, TETS);
    assert_int_equal(f.flat, 2);
    assert_int_equal(f.first_flat, TETS + 1);
    assert_int_equal(f.stray, 1);
    assert_int_equal(f.first_stray, NODES);
    assert_int_equal(f.slivers, 1);
    assert_int_equal(f.worst, TETS + 4);
    assert_relative(f.worst_shape, 1e-4 / 6 / (2 * sqrt(2)), 1e-6, 0); // its longest edge is sqrt 2
    assert_int_equal(f.parts, 2);
    assert_int_equal(t.tet_count, TETS + 1);
    for (int32_t e = 0; e < t.tet_count; ++e) {
        const int32_t* n = tet + 4 * (size_t)e;
        assert_true(snTetVolume(position[n[0]], position[n[1]], position[n[2]], position[n[3]]) >
                    0);
    }
}

// Two tets on the same side of a face: where they overlap the surface winds twice.
static void test_overlap(void** state)
{
    (void)state;
    snVec3 position[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 2}};
    int32_t tet[8] = {0, 1, 2, 3, 0, 1, 2, 4};
    snTets t = {5, 2, position, tet};
    int32_t crowded;
    snSurface s;
    snSurfaceFacts f;
    snMessage why;
    snArena arena;
    snArena_Init(&arena, NULL);
    assert_ok(snTets_Boundary(&arena, &t, &s, &crowded, &why), why);
    assert_ok(snSurface_Inspect(&s, NULL, &f, &why), why);
    assert_int_equal(crowded, 1);
    assert_int_equal(s.triangle_count, 8);
    assert_relative(f.volume, 1.0 / 6 + 2.0 / 6, ROUNDING, 0);
    snArena_Free(&arena);
}

static void test_empty(void** state)
{
    (void)state;
    snVec3 position[1] = {{0, 0, 0}};
    int32_t tet[4] = {0, 0, 0, 0}, crowded;
    snTets t = {1, 1, position, tet};
    snTetFacts f;
    snSurface s;
    snMessage why;
    snArena arena;
    snArena_Init(&arena, NULL);
    assert_ok(snTets_Mend(&t, NULL, &f, &why), why);
    assert_int_equal(t.tet_count, 0);
    assert_int_equal(f.flat, 1);
    assert_int_equal(f.worst, -1);
    assert_ok(snTets_Boundary(&arena, &t, &s, &crowded, &why), why);
    assert_int_equal(s.triangle_count, 0);
    snArena_Free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_block), cmocka_unit_test(test_planted),
                                       cmocka_unit_test(test_overlap),
                                       cmocka_unit_test(test_empty)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
