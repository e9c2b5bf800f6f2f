// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Tets against triangles, ways through triangles, and kinds of cells.
#include "flesh/inside.h"

#include "base/random.h"
#include "flesh/bodies.h"
#include "flesh/box.h"

static snVec3 randomPoint(snRandom* r, double size)
{
    double x = snRandom_Range(r, -size, size), y = snRandom_Range(r, -size, size);
    return snV3(x, y, snRandom_Range(r, -size, size));
}

// A solid of one triangle.
static void setTriangle(snArena* arena, snSurface* surface, snInside* inside)
{
    snMessage why;
    assert_ok(snInside_Build(arena, surface, inside, &why), why);
}

// Where sampling finds a common point, the test finds one; where it finds none although it is
// dense, the two are nearly apart: moving the triangle away by the spacing separates them.
static void touchingIsFound(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(5);
    int meeting = 0, apart = 0;
    for (int i = 0; i < 3000; ++i) {
        snVec3 t[4], p[3];
        int32_t index[3] = {0, 1, 2};
        snSurface surface = {3, 1, p, index};
        snArena arena;
        snInside inside;
        for (int k = 0; k < 4; ++k) {
            t[k] = randomPoint(&r, 1);
        }
        for (int k = 0; k < 3; ++k) {
            p[k] = randomPoint(&r, 1.2);
        }
        snTets tets = {4, 1, t, (int32_t[4]){0, 1, 2, 3}};
        if (fabs(snTets_Volume(&tets, 0)) < 0.01) {
            continue;
        }
        snArena_Init(&arena, NULL);
        setTriangle(&arena, &surface, &inside);
        bool common = false;
        for (int a = 0; a <= 30 && !common; ++a) {
            for (int b = 0; b <= 30 - a && !common; ++b) {
                double w[4], u = a / 30.0, v = b / 30.0;
                snVec3 x = snMulAdd(snMulAdd(snScale(1 - u - v, p[0]), u, p[1]), v, p[2]);
                snVec3 d = snSub(x, t[0]), e1 = snSub(t[1], t[0]), e2 = snSub(t[2], t[0]),
                       e3 = snSub(t[3], t[0]);
                double det = snDot(e1, snCross(e2, e3));
                w[1] = snDot(d, snCross(e2, e3)) / det;
                w[2] = snDot(e1, snCross(d, e3)) / det;
                w[3] = snDot(e1, snCross(e2, d)) / det;
                common = w[1] >= 0 && w[2] >= 0 && w[3] >= 0 && w[1] + w[2] + w[3] <= 1;
            }
        }
        bool found = snInside_Meets(&inside, 0, t);
        assert_true(!common || found);
        meeting += found;
        apart += found && !common;
        snArena_Free(&arena);
    }
    print_message("%d pairs meet, %d of them between the samples\n", meeting, apart);
    assert_true(meeting > 500 && apart < meeting / 10);
}

// Along any way the crossings add up to the change of the winding number.
static void crossingsAddUp(void** state)
{
    (void)state;
    Case c;
    snInside inside;
    snMessage why;
    snRandom r = snRandom_Seed(2);
    setUp(&c, fingerField, 400, makeNoBones, 100);
    assert_ok(snInside_Build(&c.arena, &c.surface, &inside, &why), why);
    int doubts = 0, changes = 0;
    for (int i = 0; i < 500; ++i) {
        snVec3 a = randomPoint(&r, 0.3), b = randomPoint(&r, 0.3);
        int sum = 0;
        bool doubt = false;
        for (int32_t t = 0; t < c.surface.triangle_count; ++t) {
            int change = snInside_Cross(&inside, t, a, b);
            doubt = doubt || change == SN_DOUBT;
            sum += change;
        }
        doubts += doubt;
        if (!doubt) {
            double w = snWinding_Exact(&c.surface, b) - snWinding_Exact(&c.surface, a);
            assert_close(sum, w, 1e-6);
            changes += sum != 0;
        }
    }
    print_message("%d ways change sides, %d are in doubt\n", changes, doubts);
    assert_true(doubts < 3 && changes > 50);
    // through a corner, or ending on a triangle: in doubt
    snVec3 p = c.surface.position[c.surface.triangle[0]];
    snVec3 d = snV3(0.01, 0.02, 0.03);
    assert_int_equal(snInside_Cross(&inside, 0, snSub(p, d), snAdd(p, d)), SN_DOUBT);
    assert_int_equal(snInside_Cross(&inside, 0, snSub(p, d), p), SN_DOUBT);
    snArena_Free(&c.arena);
    snSkeleton_Release(c.skeleton);
}

// Cells told full or empty are.
static void kindsAreTrue(void** state)
{
    (void)state;
    Case c;
    snInside inside;
    snMessage why;
    snRandom r = snRandom_Seed(9);
    setUp(&c, fingerField, 400, makeNoBones, 100);
    snTets mesh = makeBox(snV3(-0.3, -0.2, -0.4), snV3(0.3, 0.2, 0.8), 12, 8, 24);
    uint8_t* kind = snArena_Push(&c.arena, (size_t)mesh.tet_count, 1);
    assert_ok(snInside_Build(&c.arena, &c.surface, &inside, &why), why);
    assert_ok(snInside_Kinds(&inside, &c.arena, &mesh, kind, &why), why);
    int count[3] = {0};
    for (int32_t e = 0; e < mesh.tet_count; ++e) {
        snVec3 p[4];
        uint8_t in[4];
        count[kind[e]]++;
        for (int i = 0; i < 4; ++i) {
            double w[4], sum = 0;
            p[i] = snV3(0, 0, 0);
            for (int k = 0; k < 4; ++k) {
                sum += w[k] = snRandom_Unit(&r);
            }
            for (int k = 0; k < 4; ++k) {
                p[i] = snMulAdd(p[i], w[k] / sum, mesh.position[mesh.tet[4 * e + k]]);
            }
        }
        assert_ok(snInside_Material(&inside, p, 4, in, &why), why);
        for (int i = 0; i < 4 && kind[e] != sn_cellMixed; ++i) {
            assert_int_equal(in[i], kind[e] == sn_cellFull);
        }
    }
    print_message("%d mixed, %d full, %d empty\n", count[0], count[1], count[2]);
    assert_true(count[0] > 100 && count[1] > 100 && count[2] > 100);
    freeBox(&mesh);
    snArena_Free(&c.arena);
    snSkeleton_Release(c.skeleton);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touchingIsFound),
        cmocka_unit_test(crossingsAddUp),
        cmocka_unit_test(kindsAreTrue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
