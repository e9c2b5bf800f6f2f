// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// What lies inside a soft body: against maps whose answer is known, and next to other parts of the
// same body.
#include "contact/soft.h"
#include "geom/shapes.h"

// Share of a cell by which depths may be off: the surface's triangles and the field's samples.
#define ROUGH 0.05

// The same where the deformation differs from cell to cell by a tenth, and half a cell deep.
#define BENT 0.08

static snVec3 stay(void* user, snVec3 p)
{
    (void)user;
    return p;
}

// The same, trying each cell.
static int32_t probeAll(const Body* b, snVec3 p, snTissueHit* best)
{
    int32_t count = 0;
    *best = (snTissueHit){.cell = -1};
    for (int32_t e = 0; e < b->flesh->tets.tet_count; ++e) {
        snTissueHit hit;
        if (snTissue_Probe(&b->tissue, b->x, e, p, &hit)) {
            ++count;
            assert_true(hit.depth > 0 && hit.cell == e);
            assert_close(snLength(hit.normal), 1, 1e-12);
            *best = hit.depth > best->depth ? hit : *best;
        }
    }
    return count;
}

// Known maps -------------------------------------------------------------------

// At rest and moved as a whole: inside is inside the ball, depth and normal are the ball's.
static void ballsStayBalls(void** state)
{
    (void)state;
    Body b;
    openBody(&b, ballField, 3000, 1500);
    snRandom r = snRandom_Seed(1);
    double rough = ROUGH * b.flesh->cell;
    assert_int_equal(b.tissue.patch_count, 0);
    assert_close(b.tissue.reach, RADIUS, 0.2 * b.flesh->cell);
    for (int pose = 0; pose < 3; ++pose) {
        Affine map = {pose ? snMatFromQ(drawTurn(&r)) : snMat3_Identity(), {0, 0, 0}};
        map.t = pose ? drawIn(&r, 5) : map.t;
        deform(&b, affine, &map);
        int inside = 0;
        for (int i = 0; i < 1000; ++i) {
            snVec3 q = drawIn(&r, 0.45), p = snAdd(map.t, q);
            double depth = RADIUS - snLength(q);
            snTissueHit hit, same;
            int32_t count = probeTree(&b, p, &hit);
            assert_int_equal(probeAll(&b, p, &same), count);
            assert_true(same.depth == hit.depth);
            if (fabs(depth) > rough) {
                assert_int_equal(count > 0, depth > 0);
            }
            if (count > 0 && depth < RADIUS / 2) {
                assert_close(hit.depth, depth, rough);
                assert_close(snDot(hit.normal, snNormalize(q)), 1, 0.02);
                assert_close(snLength(snSub(hit.rest, snMatTVec(map.A, q))), 0, 1e-5);
                ++inside;
            }
        }
        assert_true(inside > 200);
    }
    drop(&b.c);
}

// Weights put the hit where the point is.
static void weightsAreTheCellsOwn(void** state)
{
    (void)state;
    Body b;
    openBody(&b, ballField, 1000, 500);
    snRandom r = snRandom_Seed(2);
    Affine map = {snMatFromRows(snV3(1.3, 0.2, 0), snV3(-0.1, 0.7, 0.3), snV3(0, 0.2, 1.1)),
                  {3, 2, 1}};
    deform(&b, affine, &map);
    int found = 0;
    for (int i = 0; i < 500; ++i) {
        snVec3 p = affine(&map, drawIn(&r, 0.4)), sum = snV3(0, 0, 0);
        snTissueHit hit;
        if (probeTree(&b, p, &hit) == 0) {
            continue;
        }
        for (int k = 0; k < 4; ++k) {
            snVec4f n = b.x[b.flesh->tets.tet[4 * (size_t)hit.cell + (size_t)k]];
            sum = snMulAdd(sum, (double)hit.weight[k], snV3((double)n.x, (double)n.y, (double)n.z));
            assert_true(hit.weight[k] > -1e-6f);
        }
        assert_close(snLength(snSub(sum, p)), 0, 1e-6);
        assert_close(snLength(snSub(affine(&map, hit.rest), p)), 0, 1e-5);
        ++found;
    }
    assert_true(found > 150);
    drop(&b.c);
}

static snSurface makeSlab(snArena* arena, snVec3 half)
{
    snSurface s = newSurface(arena, 8, 12);
    static const int32_t T[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                  2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    for (int i = 0; i < 8; ++i) {
        s.position[i] = snMul3(half, snV3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
    }
    memcpy(s.triangle, T, sizeof(T));
    return s;
}

// A body around any surface.
static void openAround(Body* b, snSurface surface, int32_t cells)
{
    setUp(&b->c, ballField, 100, makeNoBones, cells);
    b->c.surface = surface;
    build(&b->c);
    finish(b);
}

// The upper face of a slab under affine maps stays a plane: depth and normal are exact.
static void planesStayPlanes(void** state)
{
    (void)state;
    const snVec3 half = {0.5, 0.15, 0.5};
    snArena arena;
    Body b;
    snArena_Init(&arena, NULL);
    openAround(&b, makeSlab(&arena, half), 1500);
    snRandom r = snRandom_Seed(3);
    for (int pose = 0; pose < 20; ++pose) {
        Affine map = {snMatFromQ(drawTurn(&r)), drawIn(&r, 2)};
        snMat3 S =
            snMatAdd(snMat3_Diagonal(snRandom_Range(&r, 0.5, 1.5), snRandom_Range(&r, 0.4, 2),
                                     snRandom_Range(&r, 0.5, 1.5)),
                     snMatFromRows(snV3(0, snRandom_Range(&r, -0.5, 0.5), 0), snV3(0, 0, 0),
                                   snV3(0, snRandom_Range(&r, -0.5, 0.5), 0)));
        map.A = snMatMul(map.A, S);
        deform(&b, affine, &map);
        snVec3 up = snNormalize(snMatTVec(snMatInverse(map.A, NULL), snV3(0, 1, 0)));
        for (int i = 0; i < 200; ++i) {
            snVec3 q = snMul3(drawIn(&r, 1), snV3(0.25, 0, 0.25));
            q.y = half.y - snRandom_Range(&r, 0.002, 0.09);
            snTissueHit hit;
            snVec3 p = affine(&map, q);
            assert_true(probeTree(&b, p, &hit) > 0);
            double depth = snDot(up, snSub(affine(&map, snV3(0, half.y, 0)), p));
            assert_close(snLength(snSub(hit.normal, up)), 0, 2e-5);
            assert_close(hit.depth, depth, 2e-6);
        }
    }
    drop(&b.c);
    snArena_Free(&arena);
}

// The way out of a bent, twisted and stretched ball ends on its surface, for shallow points.
static void waysOutEndOnTheSurface(void** state)
{
    (void)state;
    Body b;
    openBody(&b, ballField, 4000, 4000);
    snRandom r = snRandom_Seed(4);
    double amount = 0.8, rough = BENT * b.flesh->cell, most = 0;
    int found = 0, uncovered = 0; // corners of the body that no cell holds
    deform(&b, swirl, &amount);
    for (int i = 0; i < 2000; ++i) {
        snVec3 n = snNormalize(drawIn(&r, 1));
        snVec3 q = snScale(RADIUS - snRandom_Range(&r, 0.02, 0.5) * b.flesh->cell, n);
        snVec3 p = swirl(&amount, q);
        snTissueHit hit, out;
        if (probeTree(&b, p, &hit) == 0) {
            continue; // the swirl is not affine within cells
        }
        // just before the surface is inside and shallow, just beyond it outside
        assert_int_equal(probeTree(&b, snMulAdd(p, hit.depth + rough, hit.normal), &out), 0);
        if (hit.depth > rough) {
            uncovered += !probeTree(&b, snMulAdd(p, hit.depth - rough, hit.normal), &out);
            most = fmax(most, out.depth);
        }
        ++found;
    }
    print_message("%d points; the last %.2f cells are %.3f cells deep at most; %d in no cell\n",
                  found, BENT, most / b.flesh->cell, uncovered);
    assert_below(most, 2 * rough);
    assert_below(uncovered, 0.01 * found);
    assert_true(found > 1900);
    drop(&b.c);
}

static void squashedCellsHoldNothing(void** state)
{
    (void)state;
    Body b;
    openBody(&b, ballField, 500, 300);
    const double heights[3] = {0.04, 0, -1};
    snTissueHit hit;
    for (int i = 0; i < 3; ++i) {
        Affine map = {snMat3_Diagonal(1, heights[i], 1), {0, 0, 0}};
        deform(&b, affine, &map);
        assert_int_equal(probeAll(&b, snV3(0.01, 0.02 * heights[i], 0.03), &hit), 0);
    }
    Affine map = {snMat3_Diagonal(1, 0.06, 1), {0, 0, 0}};
    deform(&b, affine, &map);
    assert_true(probeAll(&b, snV3(0.01, 0.02 * 0.06, 0.03), &hit) > 0);
    assert_int_equal(probeTree(&b, snV3((double)NAN, 0, 0), &hit), 0);
    drop(&b.c);
}

// Of two balls that overlap, what lies inside is no surface: the depth in the middle is that to the
// circle where they meet.
static void innerTrianglesDoNotCount(void** state)
{
    (void)state;
    snArena arena;
    Body b;
    snArena_Init(&arena, NULL);
    snSurface left = makeBall(&arena, 16, snV3(-0.1, 0, 0), 0.2);
    snSurface right = makeBall(&arena, 16, snV3(0.1, 0, 0), 0.2);
    openAround(&b, joinSurfaces(&arena, &left, &right), 2000);
    deform(&b, stay, NULL);
    snTissueHit hit;
    assert_true(probeAll(&b, snV3(0.001, 0.002, 0.003), &hit) > 0);
    print_message("depth %.3f, the circle is at %.3f, triangles at 0.1\n", hit.depth, sqrt(0.03));
    assert_close(hit.depth, sqrt(0.03), 0.02);
    drop(&b.c);
    snArena_Free(&arena);
}

// Parts ------------------------------------------------------------------------

// Distance to one of the two fingers.
static double oneFinger(snVec3 p, double side)
{
    return snField_Capsule(p, snV3(0.075 * side, 0, 0), snV3(0.075 * side, 0, 0.6), 0.05);
}

// Whose vertices a node far from the palm carries.
enum { nobodys = 0, lefts = 1, rights = 2, boths = 3 };

// Which finger a cell belongs to, by the vertices in it and in cells that share a node with it: 1,
// -1, or 0 when that does not say.
static double sideOf(const Body* b, const uint8_t* whose, int32_t e)
{
    int all = nobodys;
    for (int k = 0; k < 4; ++k) {
        all |= whose[b->flesh->tets.tet[4 * (size_t)e + (size_t)k]];
    }
    return all == rights ? 1 : all == lefts ? -1 : 0;
}

static void checkFingers(const Body* b, const uint8_t* whose, int* hits, int* foreign)
{
    const double rough = 0.1 * b->flesh->cell;
    snRandom r = snRandom_Seed(8);
    for (int i = 0; i < 2000; ++i) {
        snVec3 p = snV3(snRandom_Range(&r, -0.1, 0.1), snRandom_Range(&r, -0.06, 0.06),
                        snRandom_Range(&r, 0.4, 0.6));
        for (int32_t e = 0; e < b->flesh->tets.tet_count; ++e) {
            double w[4], side = 0;
            if (snEmbed_Weights(&b->flesh->tets, e, p, w)) {
                side = sideOf(b, whose, e);
            }
            if (side == 0) {
                continue;
            }
            double d = oneFinger(p, side);
            snTissueHit hit;
            bool inside = snTissue_Probe(&b->tissue, b->x, e, p, &hit);
            if (d > rough) {
                assert_false(inside);
                *foreign += oneFinger(p, -side) < -rough;
            } else if (d < -rough) {
                assert_true(inside);
                assert_close(hit.depth, -d, d < -0.03 ? b->tissue.field.spacing : rough);
                ++*hits;
            }
        }
    }
}

// Two fingers closer than a cell: copies of cells that lie in the same place answer each for its
// own finger, exactly where that is.
static void fingersDoNotSeeEachOther(void** state)
{
    (void)state;
    int hits = 0, foreign = 0;
    for (int shift = 0; shift < 4; ++shift) {
        Body b;
        setUp(&b.c, fingerField, 3000, makeNoBones, shift % 2 ? 200 : 400);
        b.c.def.shift = snV3(0.12 * shift, 0, 0.1 * shift);
        build(&b.c);
        finish(&b);
        deform(&b, stay, NULL);
        uint8_t* whose = calloc((size_t)b.flesh->tets.node_count, 1);
        for (int32_t v = 0; v < b.flesh->vertex_count; ++v) {
            for (int k = 0; k < 4 && b.c.surface.position[v].z > 0.3; ++k) {
                whose[b.flesh->ties[v].node[k]] |= b.c.surface.position[v].x > 0 ? rights : lefts;
            }
        }
        print_message("cells of %.3f m, gap 0.05 m, %d patches of %d cells\n", b.flesh->cell,
                      (int)b.tissue.patch_count, (int)b.flesh->tets.tet_count);
        assert_true(b.tissue.patch_count > 0 && b.flesh->cell > 0.06);
        checkFingers(&b, whose, &hits, &foreign);
        free(whose);
        drop(&b.c);
    }
    print_message("%d hits, %d times in the other's copy\n", hits, foreign);
    assert_true(hits > 1000 && foreign > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ballsStayBalls),           cmocka_unit_test(weightsAreTheCellsOwn),
        cmocka_unit_test(planesStayPlanes),         cmocka_unit_test(waysOutEndOnTheSurface),
        cmocka_unit_test(squashedCellsHoldNothing), cmocka_unit_test(innerTrianglesDoNotCount),
        cmocka_unit_test(fingersDoNotSeeEachOther),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
