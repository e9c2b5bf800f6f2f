// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Fingers closer than a cell come apart, a palm holds them together, a solid body stays as it is.
#include "geom/lattice_split.h"
#include "check.h"
#include "geom/lattice.h"
#include "geom/parts.h"

#define CELL 0.5

// Two fingers along y with a gap of 0.12, a quarter of a cell; kind 1 joins them below y = 0.6.
static bool isMaterial(int kind, snVec3 p)
{
    bool length = p.y > 0 && p.y < 3 && p.z > 0 && p.z < 0.4;
    bool fingers = (p.x > 0 && p.x < 0.34) || (p.x > 0.46 && p.x < 0.8);
    bool palm = kind == 1 && p.y < 0.6 && p.x > 0 && p.x < 0.8;
    bool solid = kind == 2 && p.x > 0 && p.x < 0.8;
    return length && (fingers || palm || solid);
}

static snStatus material(void* user, const snVec3* p, int64_t count, uint8_t* in, snMessage* why)
{
    (void)why;
    for (int64_t i = 0; i < count; ++i) {
        in[i] = isMaterial(*(int*)user, p[i]);
    }
    return sn_ok;
}

static snTets coverBody(snArena* arena, int kind, snVec3 shift)
{
    snBox box = {{0, 0, 0}, {0.8, 3, 0.4}};
    snLattice l;
    snTets tets;
    snMessage why;
    assert_ok(snLattice_Cover(box, CELL, shift, &l, &why), why);
    uint8_t* keep = snArena_Push(arena, (size_t)snLattice_TetCount(&l), 1);
    for (int i = 0; i < 200 * 1000; ++i) {
        snVec3 p = snV3(0.8 * (i % 40 + 0.5) / 40, 3 * (i / 40 % 200 + 0.5) / 200,
                        0.4 * (i / 8000 + 0.5) / 25);
        if (isMaterial(kind, p)) {
            int64_t t = snLattice_Locate(&l, p);
            assert_true(t >= 0);
            keep[t] = 1;
        }
    }
    assert_ok(snLattice_Extract(arena, &l, keep, &tets, NULL, &why), why);
    return tets;
}

static int32_t countParts(snArena* arena, const snTets* tets, int32_t** parent)
{
    int32_t count = 0;
    *parent = snArena_Push(arena, (size_t)tets->node_count, sizeof(int32_t));
    snParts_Start(*parent, tets->node_count);
    for (int32_t i = 0; i < 4 * tets->tet_count; ++i) {
        snParts_Join(*parent, tets->tet[i], tets->tet[i / 4 * 4]);
    }
    for (int32_t i = 0; i < tets->node_count; ++i) {
        count += (*parent)[i] == i;
    }
    return count;
}

static void checkSound(const snTets* given, const snSplit* split)
{
    for (int32_t c = 0; c < split->tets.tet_count; ++c) {
        for (int k = 0; k < 4; ++k) {
            int32_t node = split->tets.tet[4 * c + k];
            assert_int_equal(split->node[node], given->tet[4 * split->origin[c] + k]);
        }
        assert_true(split->first_copy[split->origin[c]] <= c);
        assert_true(split->first_copy[split->origin[c] + 1] > c);
    }
}

// The corner weights of a point in a tet.
static void weightsOf(const snTets* tets, int32_t t, snVec3 q, double w[4])
{
    snVec3 p[4], x[4];
    for (int k = 0; k < 4; ++k) {
        p[k] = tets->position[tets->tet[4 * t + k]];
    }
    double whole = snTetVolume(p[0], p[1], p[2], p[3]);
    for (int k = 0; k < 4; ++k) {
        memcpy(x, p, sizeof(x));
        x[k] = q;
        w[k] = snTetVolume(x[0], x[1], x[2], x[3]) / whole;
    }
}

static const snVec3 shifts[4] = {{0, 0, 0}, {0.25, 0.1, -0.3}, {-0.4, 0.3, 0.2}, {0.5, -0.5, 0.5}};

static void test_fingers(void** state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        snArena arena;
        snArena_Init(&arena, NULL);
        int kind = 0;
        snTets given = coverBody(&arena, kind, shifts[i]);
        snSplit split;
        snMessage why;
        int32_t* parent;
        assert_int_equal(countParts(&arena, &given, &parent), 1); // welded by the cells
        assert_ok(snLattice_Split(&arena, &given, material, &kind, &split, &why), why);
        checkSound(&given, &split);
        assert_true(split.tets.tet_count > given.tet_count);
        assert_int_equal(countParts(&arena, &split.tets, &parent), 2);
        // every point of a finger lies in a copy of that finger
        int32_t part[2] = {-1, -1};
        for (int32_t t = 0; t < given.tet_count; ++t) {
            for (int k = 0; k < 100; ++k) {
                snVec3 q = snV3(k % 2 == 0 ? 0.17 : 0.63, 3 * (k / 2 + 0.5) / 50, 0.2);
                double w[4];
                weightsOf(&given, t, q, w);
                if (w[0] > 0 && w[1] > 0 && w[2] > 0 && w[3] > 0) {
                    int32_t copy = snSplit_Copy(&split, t, w);
                    int32_t root = snParts_Find(parent, split.tets.tet[4 * copy]);
                    part[k % 2] = part[k % 2] < 0 ? root : part[k % 2];
                    assert_int_equal(part[k % 2], root);
                }
            }
        }
        assert_true(part[0] >= 0 && part[1] >= 0 && part[0] != part[1]);
        snArena_Free(&arena);
    }
}

static void test_palm(void** state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        snArena arena;
        snArena_Init(&arena, NULL);
        int kind = 1;
        snTets given = coverBody(&arena, kind, shifts[i]);
        snSplit split;
        snMessage why;
        int32_t* parent;
        assert_ok(snLattice_Split(&arena, &given, material, &kind, &split, &why), why);
        checkSound(&given, &split);
        assert_int_equal(countParts(&arena, &split.tets, &parent), 1);
        // above the palm, two copies of one cell share no node
        int copies = 0;
        for (int32_t c = 0; c + 1 < split.tets.tet_count; ++c) {
            bool above = true;
            for (int k = 0; k < 4; ++k) {
                above &= split.tets.position[split.tets.tet[4 * c + k]].y > 0.6 + CELL;
            }
            if (split.origin[c] != split.origin[c + 1] || !above) {
                continue;
            }
            ++copies;
            for (int k = 0; k < 16; ++k) {
                assert_true(split.tets.tet[4 * c + k / 4] != split.tets.tet[4 * c + 4 + k % 4]);
            }
        }
        assert_true(copies > 10);
        snArena_Free(&arena);
    }
}

static void test_solid(void** state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        snArena arena;
        snArena_Init(&arena, NULL);
        int kind = 2;
        snTets given = coverBody(&arena, kind, shifts[i]);
        snSplit split;
        snMessage why;
        assert_ok(snLattice_Split(&arena, &given, material, &kind, &split, &why), why);
        assert_int_equal(split.tets.tet_count, given.tet_count);
        assert_int_equal(split.tets.node_count, given.node_count);
        assert_memory_equal(split.tets.tet, given.tet,
                            4 * (size_t)given.tet_count * sizeof(int32_t));
        snArena_Free(&arena);
    }
}

static snStatus refuse(void* user, const snVec3* p, int64_t count, uint8_t* in, snMessage* why)
{
    (void)user, (void)p, (void)count, (void)in, (void)why;
    return sn_errorInterrupted;
}

static snStatus nothing(void* user, const snVec3* p, int64_t count, uint8_t* in, snMessage* why)
{
    (void)user, (void)p, (void)why;
    memset(in, 0, (size_t)count);
    return sn_ok;
}

// Cells without any sample stay tied together; failures of the caller come back.
static void test_edges(void** state)
{
    (void)state;
    snArena arena;
    snArena_Init(&arena, NULL);
    snTets given = coverBody(&arena, 2, shifts[0]), none = {0};
    snSplit split;
    snMessage why;
    int32_t* parent;
    assert_int_equal(snLattice_Split(&arena, &given, refuse, NULL, &split, &why),
                     sn_errorInterrupted);
    assert_ok(snLattice_Split(&arena, &given, nothing, NULL, &split, &why), why);
    assert_int_equal(split.tets.node_count, given.node_count);
    assert_int_equal(countParts(&arena, &split.tets, &parent), 1);
    assert_ok(snLattice_Split(&arena, &none, nothing, NULL, &split, &why), why);
    assert_int_equal(split.tets.tet_count, 0);
    snArena_Free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fingers), cmocka_unit_test(test_palm),
                                       cmocka_unit_test(test_solid), cmocka_unit_test(test_edges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
