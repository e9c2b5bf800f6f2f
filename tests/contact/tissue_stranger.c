// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// What a body feels of itself: the other finger from the first touch, its own flesh never; and what
// lists leave out cannot hold anything while they are good.
#include "contact/own.h"
#include "contact/tissue_clear.h"
#include "math/isa.h"

static snVec3 stay(void* user, snVec3 p)
{
    (void)user;
    return p;
}

// Two fingers with less than a cell between them.
static void openFingers(Body* b)
{
    setUp(&b->c, fingerField, 3000, makeNoBones, 400);
    build(&b->c);
    finish(b);
    deform(b, stay, NULL);
}

// Which finger nodes belong to, far from the palm: 1 and -1 by the points that hang on them, 2 when
// on both; 0 no points.
static int8_t* sidesOf(const Body* b)
{
    int8_t* side = calloc((size_t)b->flesh->tets.node_count, 1);
    for (int32_t u = 0; u < b->flesh->point_count; ++u) {
        int8_t here = b->tissue.point_rest[u].x > 0 ? 1 : -1;
        for (int k = 0; k < 4 && b->tissue.point_rest[u].z > 0.3; ++k) {
            int8_t* s = &side[b->flesh->ties[u].node[k]];
            *s = *s == 0 || *s == here ? here : 2;
        }
    }
    return side;
}

static int sideOf(const Body* b, const int8_t* side, int32_t e)
{
    int all = side[b->flesh->tets.tet[4 * (size_t)e]];
    for (int k = 1; k < 4; ++k) {
        all = side[b->flesh->tets.tet[4 * (size_t)e + (size_t)k]] == all ? all : 0;
    }
    return all == 2 ? 0 : all;
}

static bool isStranger(const Body* b, int32_t point, int32_t cell)
{
    int32_t home = b->tissue.home[cell];
    return snTissue_StrangersIn(&b->tissue, point, home / SN_TISSUE_LANES) >>
               home % SN_TISSUE_LANES &
           1;
}

static void theOtherFingerIsAStranger(void** state)
{
    (void)state;
    Body b;
    openFingers(&b);
    int8_t* side = sidesOf(&b);
    int strangers = 0, own = 0;
    for (int32_t u = 0; u < b.flesh->point_count; ++u) {
        snVec3 at = b.tissue.point_rest[u];
        for (int32_t e = 0; e < b.flesh->tets.tet_count && at.z > 0.5; ++e) {
            snVec3 corner = b.flesh->tets.position[b.flesh->tets.tet[4 * (size_t)e]];
            int here = sideOf(&b, side, e);
            if (here == 0 || snLength(snSub(corner, at)) > b.tissue.apart) {
                continue;
            }
            assert_int_equal(isStranger(&b, u, e), here * at.x < 0);
            strangers += here * at.x < 0;
            own += here * at.x > 0;
        }
    }
    print_message("%d pairs with the other finger, %d with the own one\n", strangers, own);
    assert_true(strangers > 1000 && own > 1000);
    free(side);
    drop(&b.c);
}

static int countFelt(const Body* b)
{
    int felt = 0;
    for (int32_t u = 0; u < b->flesh->point_count; ++u) {
        bool in = false;
        snVec3 p = snV3(0, 0, 0);
        for (int k = 0; k < 4; ++k) {
            snVec4f n = b->x[b->flesh->ties[u].node[k]];
            p = snMulAdd(p, (double)b->flesh->ties[u].weight[k],
                         snV3((double)n.x, (double)n.y, (double)n.z));
        }
        for (int32_t e = 0; e < b->flesh->tets.tet_count && !in; ++e) {
            snTissueHit hit;
            in = snTissue_ProbeOwn(&b->tissue, b->x, e, p, u, &hit);
        }
        felt += in;
    }
    return felt;
}

// Moves nodes by the side of the finger that they belong to, which copies of cells have in common.
static void closeFingers(Body* b, const int8_t* side, double by)
{
    for (int32_t i = 0; i < b->flesh->tets.node_count; ++i) {
        snVec3 p = b->flesh->tets.position[i];
        double way = side[i] == 1 || side[i] == -1 ? -by * side[i] : 0;
        b->x[i].x = (float)(p.x + way * fmin(fmax(p.z - 0.3, 0), 0.1) / 0.1);
    }
}

static void fingersFeelEachOtherFromTheFirstTouch(void** state)
{
    (void)state;
    Body b;
    openFingers(&b);
    int8_t* side = sidesOf(&b);
    assert_int_equal(countFelt(&b), 0);
    closeFingers(&b, side, 0.02); // of a gap of 0.05 in all
    assert_int_equal(countFelt(&b), 0);
    closeFingers(&b, side, 0.03);
    int felt = countFelt(&b);
    print_message("%d points are felt with fingers 1 cm in each other\n", felt);
    assert_true(felt > 20);
    free(side);
    drop(&b.c);
}

// What the list of a body with strangers leaves out cannot touch, near the other finger and in it.
static void fingersListEachOther(void** state)
{
    (void)state;
    Body b;
    openFingers(&b);
    int8_t* side = sidesOf(&b);
    Own own = openOwn(&b);
    for (int i = 0; i < 3; ++i) {
        int strange = 0;
        closeFingers(&b, side, 0.015 * i);
        snTissueTree_Refit(&b.tree, &b.tissue, b.x, b.tree.margin);
        assert_true(listOwn(&b, &own, own.capacity));
        checkOwn(&b, &own.near);
        for (int32_t k = 0; k < own.near.count; ++k) {
            strange += isStranger(&b, own.near.pairs[k].point, own.near.pairs[k].cell);
        }
        print_message("%d pairs, %d with strangers\n", (int)own.near.count, strange);
        assert_true(i == 0 ? strange == 0 : i < 2 || strange > 100);
    }
    closeOwn(&own);
    free(side);
    drop(&b.c);
}

static int32_t ownOf(const snTissue* tissue, int32_t point, int32_t cell)
{
    int32_t home = tissue->home[cell];
    uint32_t lanes = snTissue_StrangersIn(tissue, point, home / SN_TISSUE_LANES);
    return lanes >> home % SN_TISSUE_LANES & 1 ? -1 : point;
}

// Whatever is found after places have moved by half of the way each may be found before, also by
// any of the body's own points.
static void whatMayNotHoldDoesNot(void** state)
{
    (void)state;
    Body b;
    openBody(&b, starField, 437, 800);
    snRandom r = snRandom_Seed(11);
    int32_t count = b.flesh->tets.node_count;
    snVec4f* moved = calloc((size_t)count, sizeof *moved);
    int held = 0, left_out = 0, felt = 0, unfelt = 0;
    for (int pose = 0; pose < 12; ++pose) {
        double bend = 0.3 * pose, half = snRandom_Range(&r, 0.01, 0.1) * b.flesh->cell;
        deform(&b, swirl, &bend);
        for (int32_t i = 0; i < count; ++i) {
            snVec3 d = snScale(half, snNormalize(drawIn(&r, 1)));
            snVec4f p = b.x[i];
            moved[i] = (snVec4f){p.x + (float)d.x, p.y + (float)d.y, p.z + (float)d.z, 0};
        }
        for (int i = 0; i < 20000; ++i) {
            int32_t e = (int32_t)snRandom_Below(&r, (uint32_t)b.flesh->tets.tet_count);
            snVec4f n = moved[b.flesh->tets.tet[4 * (size_t)e]];
            snVec3 p =
                snAdd(snV3((double)n.x, (double)n.y, (double)n.z), drawIn(&r, 0.5 * b.flesh->cell));
            snVec3 before = snMulAdd(p, half, snNormalize(drawIn(&r, 1)));
            double clear = snTissue_Clear(&b.tissue, b.x, e, before, -1, 2 * half + 1e-6);
            bool may = clear <= 2 * half + 1e-6;
            snTissueHit hit;
            bool holds = snTissue_Probe(&b.tissue, moved, e, p, &hit);
            assert_true(may || !holds);
            held += holds;
            left_out += !may;
            for (int k = 0; k < 8 && may; ++k) {
                int32_t point = (int32_t)snRandom_Below(&r, (uint32_t)b.flesh->point_count);
                bool feels = snTissue_ProbeOwn(&b.tissue, moved, e, p, point, &hit);
                clear = snTissue_Clear(&b.tissue, b.x, e, before, ownOf(&b.tissue, point, e),
                                       2 * half + 1e-6);
                assert_true(clear <= 2 * half + 1e-6 || !feels);
                felt += feels;
                unfelt += !(clear <= 2 * half + 1e-6);
            }
        }
    }
    print_message("%d held, %d left out; %d felt, %d left out\n", held, left_out, felt, unfelt);
    assert_true(held > 3000 && left_out > 50000 && felt > 3000 && unfelt > 3000);
    free(moved);
    drop(&b.c);
}

SN_ISA_DECLARE(snClearFcn, snTissueClear);

// All lanes, full or not, against one pair after the other.
static void batchesHaveTheSameBits(void** state)
{
    (void)state;
    Body b;
    openBody(&b, starField, 437, 800);
    snRandom r = snRandom_Seed(12);
    int32_t cells = b.flesh->tets.tet_count, points = b.flesh->point_count;
    int far = 0, near = 0;
    for (int i = 0; i < 4000; ++i) {
        double bend = i / 1000;
        if (i % 1000 == 0) {
            deform(&b, swirl, &bend);
            snVec4f* first = &b.x[b.flesh->tets.tet[0]]; // a flat cell
            b.x[b.flesh->tets.tet[1]] = *first;
        }
        snClearBatch batch = {.count = 1 + (int32_t)snRandom_Below(&r, SN_CLEAR_LANES)};
        for (int k = 0; k < batch.count; ++k) {
            batch.cell[k] = i % 50 == 0 ? 0 : (int32_t)snRandom_Below(&r, (uint32_t)cells);
            batch.own[k] = (int32_t)snRandom_Below(&r, (uint32_t)points + 1) - 1;
            batch.way[k] = snRandom_Range(&r, 0, 0.4) * b.flesh->cell;
            snVec4f n = b.x[b.flesh->tets.tet[4 * (size_t)batch.cell[k]]];
            batch.place[k] =
                snAdd(snV3((double)n.x, (double)n.y, (double)n.z), drawIn(&r, 0.7 * b.flesh->cell));
        }
        for (int32_t isa = sn_isaBaseline; isa <= (int32_t)snCpu_Best(); ++isa) {
            SN_ISA_CHOOSE(isa, snTissueClear)(&b.tissue, b.x, &batch);
            for (int k = 0; k < batch.count; ++k) {
                double clear = snTissue_Clear(&b.tissue, b.x, batch.cell[k], batch.place[k],
                                              batch.own[k], batch.way[k]);
                assert_true(batch.clear[k] == clear);
                far += isinf(clear) != 0;
                near += !isinf(clear);
            }
        }
    }
    assert_true(far > 3000 && near > 3000);
    drop(&b.c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(theOtherFingerIsAStranger),
        cmocka_unit_test(fingersFeelEachOtherFromTheFirstTouch),
        cmocka_unit_test(fingersListEachOther),
        cmocka_unit_test(batchesHaveTheSameBits),
        cmocka_unit_test(whatMayNotHoldDoesNot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
