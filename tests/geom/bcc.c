// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Congruent tets that fill space once, found again from any point in them.
#include "geom/bcc.h"
#include "base/random.h"
#include "check.h"

static const snBox box = {{-0.3, 0.1, 2}, {1.1, 0.8, 2.9}};

static snVec3 draw(snRandom* r, snBox in)
{
    double x = snRandom_Range(r, in.lo.x, in.hi.x), y = snRandom_Range(r, in.lo.y, in.hi.y);
    return snV3(x, y, snRandom_Range(r, in.lo.z, in.hi.z));
}

static void test_shape(void** state)
{
    (void)state;
    snBcc l;
    snMessage why;
    assert_ok(snBcc_Cover(box, 0.13, snV3(0.2, -0.5, 0.5), &l, &why), why);
    int64_t used = 0;
    for (int64_t t = 0; t < snBcc_TetCount(&l); ++t) {
        int64_t node[4];
        if (!snBcc_Tet(&l, t, node)) {
            continue;
        }
        ++used;
        snVec3 p[4];
        for (int k = 0; k < 4; ++k) {
            assert_in_range(node[k], 0, snBcc_NodeCount(&l) - 1);
            p[k] = snBcc_Node(&l, node[k]);
        }
        assert_relative(snTetVolume(p[0], p[1], p[2], p[3]), 0.13 * 0.13 * 0.13 / 12, 1e-12, 0);
        // two opposite edges of one cell, four of sqrt(3)/2
        assert_close(snLength(snSub(p[0], p[1])), 0.13, 1e-13);
        assert_close(snLength(snSub(p[2], p[3])), 0.13, 1e-13);
        for (int k = 0; k < 4; ++k) {
            assert_close(snLength(snSub(p[k / 2], p[2 + k % 2])), 0.13 * sqrt(0.75), 1e-13);
        }
        snVec3 middle = snScale(0.25, snAdd(snAdd(p[0], p[1]), snAdd(p[2], p[3])));
        assert_int_equal(snBcc_Locate(&l, middle), t);
    }
    int64_t x = l.nx, y = l.ny, z = l.nz;
    assert_int_equal(used, 4 * ((x - 1) * y * z + x * (y - 1) * z + x * y * (z - 1)));
}

// Every point of the box is in the tet that is found for it, for any shift.
static void test_locate(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    for (int i = 0; i < 20000; ++i) {
        snBcc l;
        snMessage why;
        snBox half = {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
        double cell = snRandom_Range(&r, 0.05, 0.5);
        assert_ok(snBcc_Cover(box, cell, draw(&r, half), &l, &why), why);
        snVec3 q = draw(&r, box), p[4];
        q = i % 10 == 0 ? box.lo : i % 10 == 1 ? box.hi : q;
        int64_t t = snBcc_Locate(&l, q), node[4];
        assert_true(t >= 0 && snBcc_Tet(&l, t, node));
        for (int k = 0; k < 4; ++k) {
            p[k] = snBcc_Node(&l, node[k]);
        }
        double whole = snTetVolume(p[0], p[1], p[2], p[3]);
        assert_true(snTetVolume(q, p[1], p[2], p[3]) >= -1e-12 * whole);
        assert_true(snTetVolume(p[0], q, p[2], p[3]) >= -1e-12 * whole);
        assert_true(snTetVolume(p[0], p[1], q, p[3]) >= -1e-12 * whole);
        assert_true(snTetVolume(p[0], p[1], p[2], q) >= -1e-12 * whole);
    }
    snBcc l;
    snMessage why;
    assert_ok(snBcc_Cover(box, 0.1, snV3(0, 0, 0), &l, &why), why);
    assert_int_equal(snBcc_Locate(&l, snV3(50, 0, 0)), -1);
    assert_int_equal(snBcc_Locate(&l, snV3(0, (double)NAN, 0)), -1);
}

// Each face belongs to at most two tets, which stand on either side of it; inside a kept region
// it belongs to exactly two; volumes add up.
static void test_extract(void** state)
{
    (void)state;
    snArena arena;
    snArena_Init(&arena, NULL);
    snBcc l;
    snMessage why;
    assert_ok(snBcc_Cover(box, 0.2, snV3(0, 0, 0), &l, &why), why);
    uint8_t* keep = snArena_Push(&arena, (size_t)snBcc_TetCount(&l), 1);
    snRandom r = snRandom_Seed(2);
    int kept = 0;
    for (int64_t t = 0; t < snBcc_TetCount(&l); ++t) {
        int64_t node[4];
        keep[t] = snRandom_Below(&r, 2) != 0;
        kept += keep[t] && snBcc_Tet(&l, t, node);
    }
    snTets tets;
    int64_t* origin;
    assert_ok(snBcc_Extract(&arena, &l, keep, &tets, &origin, &why), why);
    assert_int_equal(tets.tet_count, kept);
    uint8_t* used = snArena_Push(&arena, (size_t)tets.node_count, 1);
    for (int32_t t = 0; t < tets.tet_count; ++t) {
        int64_t node[4];
        assert_true(keep[origin[t]] && snBcc_Tet(&l, origin[t], node));
        for (int k = 0; k < 4; ++k) {
            int32_t i = tets.tet[4 * t + k];
            used[i] = 1;
            assert_true(snLength(snSub(tets.position[i], snBcc_Node(&l, node[k]))) == 0);
        }
    }
    for (int32_t i = 0; i < tets.node_count; ++i) {
        assert_true(used[i]);
    }
    memset(keep, 0, (size_t)snBcc_TetCount(&l));
    assert_ok(snBcc_Extract(&arena, &l, keep, &tets, NULL, &why), why);
    assert_int_equal(tets.tet_count + tets.node_count, 0);
    snArena_Free(&arena);
}

// cells whose centre lies in a ball
static snStatus countBall(void* user, double cell, int64_t* count, snMessage* why)
{
    (void)user;
    snBcc l;
    snBox ball = {{-1, -1, -1}, {1, 1, 1}};
    snStatus status = snBcc_Cover(ball, cell, snV3(0, 0, 0), &l, why);
    *count = 0;
    for (int64_t t = 0; t < (status ? 0 : snBcc_TetCount(&l)); ++t) {
        int64_t node[4];
        if (snBcc_Tet(&l, t, node)) {
            snVec3 sum = snV3(0, 0, 0);
            for (int k = 0; k < 4; ++k) {
                sum = snAdd(sum, snBcc_Node(&l, node[k]));
            }
            *count += snLength(sum) < 4;
        }
    }
    return status;
}

static void test_search(void** state)
{
    (void)state;
    const int64_t wanted[] = {150, 1000, 12345};
    for (int i = 0; i < 3; ++i) {
        for (double guess = 0.1; guess < 4; guess *= 5) {
            double cell;
            int64_t got, again;
            snMessage why;
            assert_ok(snBcc_Search(countBall, NULL, wanted[i], guess, &cell, &got, &why), why);
            assert_ok(countBall(NULL, cell, &again, &why), why);
            assert_int_equal(got, again);
            // symmetric bodies lose whole shells of cells at a time
            assert_relative((double)got, (double)wanted[i], 0.15, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shape), cmocka_unit_test(test_locate),
                                       cmocka_unit_test(test_extract),
                                       cmocka_unit_test(test_search)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
