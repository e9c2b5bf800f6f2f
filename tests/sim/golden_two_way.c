// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// The same bits everywhere: a clip played by a skeleton that flesh and ground push back on.
#include "sim/golden.h"
#include "sim/mast.h"
#include "sim/result_hash.h"

static const Golden TWO_WAY_GROUND = {"TWO_WAY_GROUND", 0xf2b07e3f65a2afae};
static const Golden TWO_WAY_FREE = {"TWO_WAY_FREE", 0xb49bf26453713ec1};

#define FRAMES 6

static uint64_t hashBone(const snBoneMotion* b, uint64_t hash)
{
    hash = hashVec(snMatVec(b->R, snV3(1, 0, 0)), hashVec(b->p, hash));
    hash = hashVec(snMatVec(b->R, snV3(0, 1, 0)), hash);
    return hashVec(b->v, hashVec(b->w, hash));
}

static uint64_t hashTwoWay(const snTwoWay* two, uint64_t hash)
{
    const snSkeleton* skeleton = snTwoWay_Skeleton(two)->skeleton;
    snTwoWayFacts f = snTwoWay_Facts(two);
    snMomentum m = snTwoWay_Momentum(two);
    double numbers[4] = {snTwoWay_Time(two), f.turn_rms, f.turn_most, f.root_most};
    hash = hashDoubles(numbers, 4, hash);
    hash = hashWhole(f.resets, hashWhole(f.interventions, hashWhole(f.limited, hash)));
    hash = hashDoubles(snTwoWay_State(two), snSkeleton_PositionCount(skeleton), hash);
    hash = hashDoubles(snTwoWay_Goal(two), snSkeleton_PositionCount(skeleton), hash);
    for (int32_t i = 0; i < snSkeleton_BoneCount(skeleton); ++i) {
        hash = hashBone(&snTwoWay_Bones(two)[i], hash);
    }
    return hashVec(m.com, hashVec(m.angular, hashVec(m.linear, hash)));
}

static uint64_t runMast(const snTwoWayDef* def, const snHost* host)
{
    snMessage why;
    snTwoWay* two;
    uint64_t hash = 0;
    assert_ok(snTwoWay_Create(host, def, &two, &why), why);
    snTwoWay_Begin(two);
    for (int i = 0; i < FRAMES; ++i) {
        snTwoWay_Advance(two);
        hash = hashTwoWay(two, hash);
    }
    snTwoWay_Free(two);
    return hash;
}

static void checkMast(const Golden* golden, const snTwoWayDef* def)
{
    for (int32_t threads = GOLDEN_LEAST; threads <= GOLDEN_MOST; ++threads) {
        snHost host = goldenHost(threads);
        checkGolden(golden, threads, runMast(def, &host));
    }
}

// Sways while it walks away: no loop, whose lead-in is longer
static void wander(double t, snVec3* turn, snVec3* place)
{
    sway(t, turn, place);
    place->x += 0.2 * t;
}

static void testGround(void** state)
{
    Mast m;
    (void)state;
    openMast(&m, wander);
    snTwoWayDef def = defOf(&m);
    def.ground = true;
    def.ground_height = 0.02;
    checkMast(&TWO_WAY_GROUND, &def);
    closeMast(&m);
}

static void testFree(void** state)
{
    Mast m;
    (void)state;
    openMast(&m, lean);
    snTwoWayDef def = defOf(&m);
    def.is_free = true;
    def.strength = 0.3;
    checkMast(&TWO_WAY_FREE, &def);
    closeMast(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testGround), cmocka_unit_test(testFree)};
    int refused = chooseIsa();
    return refused ? refused : cmocka_run_group_tests(tests, NULL, NULL);
}
