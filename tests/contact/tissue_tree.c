// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Trees of a soft body against trying all, and what they say of a body that touches itself.
#include "contact/own.h"

// Trees ------------------------------------------------------------------------

typedef struct Shake {
    double bend, noise;
    snRandom random;
} Shake;

static snVec3 shake(void* user, snVec3 p)
{
    Shake* s = user;
    return snAdd(swirl(&s->bend, p), drawIn(&s->random, s->noise));
}

static snTissueBox shifted(snTissueBox a, snVec3 by)
{
    float x = (float)by.x, y = (float)by.y, z = (float)by.z;
    snTissueBox box = {{a.lo.x + x, a.lo.y + y, a.lo.z + z, 0},
                       {a.hi.x + x, a.hi.y + y, a.hi.z + z, 0}};
    return box;
}

static snTissueBox within(snTissueBox a, double reach)
{
    float r = (float)reach;
    snTissueBox box = {{a.lo.x - r, a.lo.y - r, a.lo.z - r, 0},
                       {a.hi.x + r, a.hi.y + r, a.hi.z + r, 0}};
    return box;
}

static int byNumber(const void* a, const void* b)
{
    int32_t x = *(const int32_t*)a, y = *(const int32_t*)b;
    return (x > y) - (x < y);
}

static void cellsAreAllOfThem(void** state)
{
    (void)state;
    Body b;
    openBody(&b, starField, 500, 1200);
    Shake s = {1, 0, snRandom_Seed(5)};
    for (int pose = 0; pose < 3; ++pose) {
        double reach = 0.01 * pose;
        s.noise = 0.02 * pose;
        deform(&b, shake, &s);
        snBox all = snTissueTree_Box(&b.tree);
        for (int i = 0; i < 300; ++i) {
            snVec3 p = snMul3(drawIn(&s.random, 0.5), snV3(1, 0.2, 1));
            int32_t cells[2000], few[3], next = 0, met = 0;
            int32_t count = snTissueTree_Cells(&b.tree, &b.tissue, p, reach, cells, 2000);
            snVec4f q = {(float)p.x, (float)p.y, (float)p.z, 0};
            // too little room: the count is right, what is there are the first
            assert_int_equal(snTissueTree_Cells(&b.tree, &b.tissue, p, reach, few, 3), count);
            for (; met < 3 && met < count; ++met) {
                assert_int_equal(few[met], cells[met]);
            }
            qsort(cells, (size_t)count, sizeof *cells, byNumber);
            for (int32_t e = 0; e < b.flesh->tets.tet_count; ++e) {
                if (boxesMeet(cellBox(&b, e), within((snTissueBox){q, q}, reach))) {
                    assert_true(next < count && cells[next] == e);
                    ++next;
                }
            }
            assert_int_equal(next, count);
            assert_true(count == 0 || snBox_DistanceSq(&all, p) <= 3 * reach * reach);
        }
    }
    drop(&b.c);
}

static void checkList(const int32_t* found, int32_t count, const bool* wanted, int32_t points)
{
    int32_t next = 0;
    for (int32_t u = 0; u < points; ++u) {
        if (wanted[u]) {
            assert_true(next < count && found[next] == u);
            ++next;
        }
    }
    assert_int_equal(next, count);
}

static void pointsNearAreAllOfThem(void** state)
{
    (void)state;
    Body a, b;
    openBody(&a, starField, 437, 600); // not a whole number of words of marks
    openBody(&b, wormField, 300, 500);
    int32_t points = a.flesh->point_count;
    int32_t* found = calloc((size_t)points, sizeof(int32_t));
    bool* wanted = calloc((size_t)points, sizeof(bool));
    Shake s = {1, 0.01, snRandom_Seed(6)};
    int most = 0, none = 0;
    for (int pose = 0; pose < 12; ++pose) {
        deform(&a, shake, &s);
        deform(&b, shake, &s);
        snVec3 shift = drawIn(&s.random, pose < 9 ? 0.4 : 2);
        double reach = 0.01 * (pose % 3);
        int32_t count =
            snTissueTree_PointsNear(&a.tree, &a.tissue, &b.tree, &b.tissue, shift, reach, found);
        for (int32_t u = 0; u < points; ++u) {
            snTissueBox box = within(shifted(pointBox(&a, u), shift), reach);
            wanted[u] = false;
            for (int32_t e = 0; e < b.flesh->tets.tet_count && !wanted[u]; ++e) {
                wanted[u] = boxesMeet(box, cellBox(&b, e));
            }
        }
        checkList(found, count, wanted, points);
        most = count > most ? count : most;
        none += count == 0;
        // and in a box
        snVec3 at = drawIn(&s.random, 0.3);
        snBox box = {at, snAdd(at, snV3(0.3, 0.1, 0.2))};
        snTissueBox narrow = {{(float)box.lo.x, (float)box.lo.y, (float)box.lo.z, 0},
                              {(float)box.hi.x, (float)box.hi.y, (float)box.hi.z, 0}};
        for (int32_t u = 0; u < points; ++u) {
            wanted[u] = boxesMeet(pointBox(&a, u), narrow);
        }
        count = snTissueTree_PointsInBoxes(&a.tree, &a.tissue, &box, 1, found);
        checkList(found, count, wanted, points);
    }
    snBox everywhere = {{-9, -9, -9}, {9, 9, 9}};
    assert_int_equal(snTissueTree_PointsInBoxes(&a.tree, &a.tissue, &everywhere, 1, found), points);
    checkList(found, points, memset(wanted, 1, (size_t)points), points);
    assert_true(most > 30 && none > 0);
    free(found);
    free(wanted);
    drop(&a.c);
    drop(&b.c);
}

// Itself -----------------------------------------------------------------------

// Whatever a body is mangled to, and whatever the margin.
static void selfIsAllOfThem(void** state)
{
    (void)state;
    Body b;
    openBody(&b, starField, 437, 1500);
    Own own = openOwn(&b);
    Shake s = {1, 0, snRandom_Seed(9)};
    int some = 0;
    for (int pose = 0; pose < 40; ++pose) {
        s.bend = 0.3 * pose;
        s.noise = pose % 2 ? 0.001 * pose : 0;
        deform(&b, shake, &s);
        snTissueTree_Refit(&b.tree, &b.tissue, b.x, (float)(0.03 * (pose % 5) * b.flesh->cell));
        assert_true(listOwn(&b, &own, own.capacity));
        checkOwn(&b, &own.near);
        some += own.near.count > 0;
    }
    assert_true(some > 10);
    closeOwn(&own);
    drop(&b.c);
}

// Half of the room is used. Without it the points that need some are told.
static void listsHaveRoomOrSaySo(void** state)
{
    (void)state;
    Body b;
    openBody(&b, starField, 437, 1500);
    int32_t points = b.flesh->point_count, all = 0;
    Own own = openOwn(&b);
    Shake s = {6, 0, snRandom_Seed(9)};
    deform(&b, shake, &s);
    assert_true(listOwn(&b, &own, own.capacity));
    int32_t count = own.near.count;
    int32_t* wanted = calloc((size_t)points, sizeof(int32_t));
    for (int32_t i = 0; i < count; ++i) {
        wanted[own.near.pairs[i].point]++;
    }
    assert_true(count > 100);
    assert_true(listOwn(&b, &own, 2 * count));
    assert_int_equal(own.near.count, count);
    assert_false(listOwn(&b, &own, 2 * count - 1));
    for (int32_t u = 0; u < points; ++u) {
        assert_int_equal(own.counts[u], wanted[u]);
        all += own.counts[u];
    }
    assert_int_equal(all, count);
    free(wanted);
    closeOwn(&own);
    drop(&b.c);
}

// Bends the worm, which lies along z, into a ring of the given radius.
static snVec3 roll(void* user, snVec3 p)
{
    double radius = *(const double*)user, angle = p.z / radius;
    return snV3((radius + p.x) * snCos(angle), p.y, (radius + p.x) * snSin(angle));
}

static void restingBodiesDoNotTouchThemselves(void** state)
{
    (void)state;
    snFieldFcn* const fields[3] = {starField, wormField, ballField};
    snRandom r = snRandom_Seed(7);
    for (int i = 0; i < 3; ++i) {
        Body b;
        openBody(&b, fields[i], 600, 2000);
        Own own = openOwn(&b);
        for (int pose = 0; pose < 10; ++pose) {
            Affine map = {pose ? snMatFromQ(drawTurn(&r)) : snMat3_Identity(), drawIn(&r, 3)};
            deform(&b, affine, &map);
            snTissueTree_Refit(&b.tree, &b.tissue, b.x, (float)(0.2 * b.flesh->cell));
            assert_true(listOwn(&b, &own, own.capacity));
            assert_int_equal(own.near.count, 0);
        }
        closeOwn(&own);
        drop(&b.c);
    }
}

// The worm rolled up until its ends lie in each other: every point that is inside the other end is
// found, and what is found is what trying all finds.
static void foldedBodiesFeelThemselves(void** state)
{
    (void)state;
    Body b;
    openBody(&b, wormField, 600, 800);
    int32_t points = b.flesh->point_count;
    Own own = openOwn(&b);
    const double radii[4] = {0.6, 0.155, 0.145, 0.13}; // 1 m long: ends meet at 1/(2 pi)
    for (int i = 0; i < 4; ++i) {
        double radius = radii[i];
        deform(&b, roll, &radius);
        assert_true(listOwn(&b, &own, own.capacity));
        checkOwn(&b, &own.near);
        int32_t count = own.near.count, inside = 0, run = 0;
        for (int32_t u = 0; u < points; ++u) {
            const snTie* tie = &b.flesh->ties[u];
            snTissueBox at = boxAround(&b, tie->node, 4, tie->weight);
            snVec3 p = snV3(0.5 * ((double)at.lo.x + (double)at.hi.x),
                            0.5 * ((double)at.lo.y + (double)at.hi.y),
                            0.5 * ((double)at.lo.z + (double)at.hi.z));
            for (; run < count && own.near.pairs[run].point < u; ++run) {
            }
            bool listed = run < count && own.near.pairs[run].point == u;
            int32_t cells[512], n = snTissueTree_Cells(&b.tree, &b.tissue, p, 0, cells, 512);
            for (int32_t k = 0; k < n; ++k) {
                snTissueHit hit;
                if (snTissue_ProbeOwn(&b.tissue, b.x, cells[k], p, u, &hit)) {
                    assert_true(listed);
                    // the other end's
                    assert_true(hit.rest.z * b.tissue.point_rest[u].z < 0);
                    ++inside;
                    break;
                }
            }
        }
        print_message("rolled to %.3f m: %d pairs near, %d inside\n", radius, (int)count,
                      (int)inside);
        assert_true(i == 0 ? count == 0 : i < 2 || inside > 10);
    }
    closeOwn(&own);
    drop(&b.c);
}

static bool isListed(const snNearList* near, int32_t point, int32_t cell)
{
    bool listed = false;
    for (int32_t i = 0; i < near->count && !listed; ++i) {
        listed = near->pairs[i].point == point && near->pairs[i].cell == cell;
    }
    return listed;
}

// Nodes that have moved by their own margins, most of them by little: whatever is inside then is in
// the list.
static void marginsOfNodesHold(void** state)
{
    (void)state;
    Body b;
    openBody(&b, wormField, 300, 500);
    Own own = openOwn(&b);
    snRandom r = snRandom_Seed(17);
    int32_t nodes = b.flesh->tets.node_count, felt = 0, uniform = 0, each = 0;
    snVec4f* moved = calloc((size_t)nodes, sizeof *moved);
    for (int pose = 0; pose < 6; ++pose) {
        double radius = 0.145, slow = 0.3 * b.flesh->cell;
        deform(&b, roll, &radius);
        snTissueTree_Refit(&b.tree, &b.tissue, b.x, (float)slow);
        assert_true(listOwn(&b, &own, own.capacity));
        uniform += own.near.count;
        for (int32_t i = 0; i < nodes; ++i) {
            double part = b.x[i].z > 0 ? 1 : 0.2;
            b.tree.margins[i] = (float)(part * snRandom_Range(&r, 0.2, 1) * slow);
            snVec3 d = snScale((double)b.tree.margins[i], snNormalize(drawIn(&r, 1)));
            snVec4f p = b.x[i];
            moved[i] = (snVec4f){p.x + (float)d.x, p.y + (float)d.y, p.z + (float)d.z, 0};
        }
        snTissueTree_RefitEach(&b.tree, &b.tissue, b.x, NULL);
        assert_true(listOwn(&b, &own, own.capacity));
        each += own.near.count;
        for (int32_t u = 0; u < b.flesh->point_count; ++u) {
            snVec3 p = snTie_Blend(&b.flesh->ties[u], moved);
            for (int32_t e = 0; e < b.flesh->tets.tet_count; ++e) {
                snTissueHit hit;
                if (snTissue_ProbeOwn(&b.tissue, moved, e, p, u, &hit)) {
                    assert_true(isListed(&own.near, u, e));
                    ++felt;
                }
            }
        }
    }
    print_message("%d felt; %d pairs, %d with one margin\n", felt, each, uniform);
    assert_true(felt > 50 && each < uniform);
    free(moved);
    closeOwn(&own);
    drop(&b.c);
}

typedef struct Ride {
    double radius;
    snMat3 R;
    snVec3 t;
} Ride;

static snVec3 ride(void* user, snVec3 p)
{
    Ride* r = user;
    return snAdd(r->t, snMatVec(r->R, roll(&r->radius, p)));
}

static void listAgain(Body* b, Own* own)
{
    assert_true(snTissueTree_NearSelf(sn_isaBaseline, NULL, &b->tree, &b->tissue, b->x, &own->near,
                                      own->capacity, own->counts));
}

// A worm rolls up and opens again while it turns and travels. Each list knows what the lists before
// it saw, and has every pair that is inside when all nodes have moved by their margin.
static void listsRememberGaps(void** state)
{
    (void)state;
    Body b;
    openBody(&b, wormField, 300, 1500);
    Own own = openOwn(&b);
    snRandom r = snRandom_Seed(23);
    int32_t nodes = b.flesh->tets.node_count, felt = 0;
    snVec4f* moved = calloc((size_t)nodes, sizeof *moved);
    snTissueTree_Forget(&b.tree, &b.tissue);
    assert_true(b.tissue.point_parts.count > 2 && b.tissue.cell_parts.count > 2);
    for (int pose = 0; pose < 60; ++pose) {
        Ride now = {0.14 + 0.004 * fabs(pose - 30.0), snMatFromQ(snQExp(snV3(0, 0.05 * pose, 0))),
                    snV3(0.02 * pose, 0, 0)};
        deform(&b, ride, &now);
        listAgain(&b, &own);
        for (int32_t i = 0; i < nodes; ++i) {
            snVec3 d = snScale((double)b.tree.margins[i], snNormalize(drawIn(&r, 1)));
            snVec4f p = b.x[i];
            moved[i] = (snVec4f){p.x + (float)d.x, p.y + (float)d.y, p.z + (float)d.z, 0};
        }
        for (int32_t u = 0; u < b.flesh->point_count; ++u) {
            snVec3 p = snTie_Blend(&b.flesh->ties[u], moved);
            for (int32_t e = 0; e < b.flesh->tets.tet_count; ++e) {
                snTissueHit hit;
                if (snTissue_ProbeOwn(&b.tissue, moved, e, p, u, &hit)) {
                    assert_true(isListed(&own.near, u, e));
                    ++felt;
                }
            }
        }
    }
    print_message("%d felt\n", felt);
    assert_true(felt > 200);
    free(moved);
    closeOwn(&own);
    drop(&b.c);
}

// What moves as one makes nothing old, however far it comes.
static void rigidMotionMakesNothingOld(void** state)
{
    (void)state;
    Body b;
    openBody(&b, wormField, 300, 1500);
    Own own = openOwn(&b);
    snTissueTree_Forget(&b.tree, &b.tissue);
    for (int pose = 0; pose < 20; ++pose) {
        Ride now = {0.17, snMatFromQ(snQExp(snV3(0.02 * pose, 0.1 * pose, 0))),
                    snV3(0.1 * pose, 0, 0)};
        deform(&b, ride, &now);
        listAgain(&b, &own);
        assert_below(b.tree.travel, 1e-3 * pose * b.flesh->cell);
    }
    closeOwn(&own);
    drop(&b.c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cellsAreAllOfThem),
        cmocka_unit_test(pointsNearAreAllOfThem),
        cmocka_unit_test(selfIsAllOfThem),
        cmocka_unit_test(listsHaveRoomOrSaySo),
        cmocka_unit_test(restingBodiesDoNotTouchThemselves),
        cmocka_unit_test(foldedBodiesFeelThemselves),
        cmocka_unit_test(marginsOfNodesHold),
        cmocka_unit_test(listsRememberGaps),
        cmocka_unit_test(rigidMotionMakesNothingOld),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
