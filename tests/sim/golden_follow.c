// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// The same bits everywhere: flesh that follows clips, motions and poses that a host feeds, on the
// ground, among obstacles, in fields, and asleep.
#include "math/quat.h"
#include "math/vec.h"
#include "rig/matrix.h"
#include "sim/golden_worm.h"

static const Golden FOLLOW_CLIP = {"FOLLOW_CLIP", 0xb9e283a88ae20142};
static const Golden FOLLOW_SHAPE = {"FOLLOW_SHAPE", 0x0340ad2577be3d35};
static const Golden FOLLOW_MOTION = {"FOLLOW_MOTION", 0xbb005c49ec1ded47};
static const Golden FOLLOW_FED = {"FOLLOW_FED", 0x2b26056ed74d0a5a};
static const Golden FOLLOW_SLEEP = {"FOLLOW_SLEEP", 0x51bd63d1ce48cd97};

#define RATE 30.0

enum { WAVE = 1, HOP = 3 }; // clips of the worm

// Hashing ---------------------------------------------------------------------

static uint64_t hashFacts(snFollowFacts f, uint64_t hash)
{
    double numbers[4] = {f.time, f.step, f.farthest, f.nearest_limit};
    hash = hashDoubles(numbers, 4, hash);
    hash = hashWhole(f.interventions, hashWhole(f.limited, hashWhole(f.frames, hash)));
    return hashWhole(f.is_asleep != 0, hashWhole(f.is_loop != 0, hash));
}

static uint64_t hashPlaces(const snFollow* follow, const snBody* body, uint64_t hash)
{
    snMessage why;
    int32_t floats = 4 * snBody_Table(body)->place_count;
    float* places = calloc((size_t)floats, sizeof *places);
    assert_ok(snFollow_Displacements(follow, places, &why), why);
    hash = hashFloats(places, floats, hash);
    free(places);
    return hash;
}

// The present instant: where the flesh's places, the rig's nodes and the skin are
static uint64_t hashFollow(snFollow* follow, const snBody* body, uint64_t hash)
{
    snMessage why;
    const snRigInfo* info = snRig_Info(snBody_Rig(body));
    RigRoom room = openRoom(info);
    hash = hashPlaces(follow, body, hashFacts(snFollow_Facts(follow), hash));
    assert_ok(snFollow_Pose(follow, room.nodes, room.weights, &why), why);
    hash = hashRoom(&room, info, hash);
    for (int32_t i = 0; i < info->mesh_count; ++i) {
        assert_ok(snFollow_Surface(follow, i, room.positions, room.normals, &why), why);
        hash = hashSkin(&room, snRig_Mesh(snBody_Rig(body), i)->vertex_count, hash);
    }
    closeRoom(&room);
    return hash;
}

// Runs ------------------------------------------------------------------------

typedef uint64_t FollowFcn(snFollow* follow, const snBody* body);

static uint64_t runFollow(snBody* body, const snFollowDef* def, FollowFcn* run)
{
    snMessage why;
    snFollow* follow;
    assert_ok(snFollow_Create(body, def, &follow, &why), why);
    uint64_t hash = run(follow, body);
    assert_true(snFollow_Facts(follow).farthest > 1e-3);
    snFollow_Free(follow);
    return hash;
}

static void checkFollow(const Golden* golden, const snFollowDef* def, FollowFcn* run)
{
    for (int32_t threads = GOLDEN_LEAST; threads <= GOLDEN_MOST; ++threads) {
        checkGolden(golden, threads, runFollow(worms[threads], def, run));
    }
}

static snFollowDef defOf(int32_t clip)
{
    snFollowDef def;
    snFollowDef_Init(&def);
    def.clip = clip;
    def.rate = RATE;
    return def;
}

static uint64_t playOn(snFollow* follow, const snBody* body)
{
    snMessage why;
    uint64_t hash = 0;
    for (int i = 0; i < 12; ++i) {
        assert_ok(snFollow_Advance(follow, &why), why);
        hash = i % 4 == 3 ? hashFollow(follow, body, hash) : hash;
    }
    return hash;
}

static void testClip(void** state)
{
    (void)state;
    snFollowDef def = defOf(WAVE);
    def.ground = 1;
    checkFollow(&FOLLOW_CLIP, &def, playOn);
}

// Flesh that rests half way to its own shape
static void testShape(void** state)
{
    (void)state;
    snFollowDef def = defOf(HOP);
    for (int32_t threads = GOLDEN_LEAST; threads <= GOLDEN_MOST; ++threads) {
        snHost host = goldenHost(threads);
        snBody* body = makeWorm(&host, 0.5);
        checkGolden(&FOLLOW_SHAPE, threads, runFollow(body, &def, playOn));
        snBody_Release(body);
    }
}

static void testMotion(void** state)
{
    (void)state;
    snFollowDef def = defOf(0);
    def.motion = sn_motionShake;
    checkFollow(&FOLLOW_MOTION, &def, playOn);
}

// Of a clip, turned about the vertical and moved
static void feed(snFollow* follow, const snBody* body, double time, double turn, snVec3 by)
{
    snMessage why;
    const snRig* rig = snBody_Rig(body);
    RigRoom room = openRoom(snRig_Info(rig));
    snMatrix to = snMatrix_FromParts(by, snQFromAxisAngle(snV3(0, 1, 0), turn), snV3(1, 1, 1));
    assert_ok(snRig_Pose(rig, WAVE, time, room.nodes, room.weights, &why), why);
    for (int32_t i = 0; i < snRig_Info(rig)->node_count; ++i) {
        room.nodes[i] = snMatrix_Mul(&to, &room.nodes[i]);
    }
    assert_ok(snFollow_SetPose(follow, room.nodes, room.weights, &why), why);
    assert_ok(snFollow_Advance(follow, &why), why);
    closeRoom(&room);
}

// A ball and a box that come at it from two sides
static void setObstacles(snFollow* follow, int frame)
{
    snMessage why;
    snVec3 ball = snV3(0.3 - 0.01 * frame, 0.4, 0), box = snV3(0, 0.3, 0.01 * frame - 0.3);
    snShapeDef shapes[2] = {
        {.kind = sn_shapeSphere, .pose = {ball, snQ(0, 0, 0, 1)}, .radius = 0.1},
        {.kind = sn_shapeBox, .pose = {box, snQ(0, 0, 0, 1)}, .half = {0.1, 0.1, 0.1}}};
    assert_ok(snFollow_SetObstacles(follow, shapes, 2, &why), why);
}

static void addWind(snFollow* follow)
{
    snMessage why;
    snForceDef wind;
    snForceDef_Init(&wind);
    wind.kind = sn_forceWind;
    wind.value = snV3(3, 0, 1);
    assert_ok(snFollow_AddForce(follow, &wind, &why), why);
}

// A frame that is not to have been
static void goBack(snFollow* follow, const snBody* body)
{
    snMessage why;
    size_t size = snFollow_StateSize(follow);
    void* saved = malloc(size);
    assert_ok(snFollow_Save(follow, saved, size, &why), why);
    feed(follow, body, 0.1, 0.5, snV3(0.1, 0, 0));
    assert_ok(snFollow_Restore(follow, saved, size, &why), why);
    free(saved);
}

// All that a host does at run time.
static uint64_t beFed(snFollow* follow, const snBody* body)
{
    snMessage why;
    uint64_t hash = 0;
    snVec3 at = snV3(0, 0, 0);
    for (int i = 0; i < 16; ++i) {
        setObstacles(follow, i);
        if (i == 4) {
            assert_ok(snFollow_Push(follow, snV3(0, 0.5, 0), snV3(0, 1, 1), 0.3, &why), why);
        } else if (i == 7) {
            addWind(follow);
            goBack(follow, body);
        } else if (i == 10) {
            assert_ok(snFollow_Teleport(follow, &why), why);
            at = snV3(5, 1, 0);
        } else if (i == 12) {
            assert_ok(snFollow_Shift(follow, snV3(-5, -1, 0), &why), why);
            at = snV3(0, 0, 0);
        }
        feed(follow, body, i / RATE, 0.1 * i, at);
        hash = i % 4 == 3 ? hashFollow(follow, body, hash) : hash;
    }
    return hash;
}

static void testFed(void** state)
{
    (void)state;
    snFollowDef def = defOf(-1);
    def.ground = 1;
    checkFollow(&FOLLOW_FED, &def, beFed);
}

// It moves, stands until it sleeps, and moves again.
static uint64_t fallAsleep(snFollow* follow, const snBody* body)
{
    for (int i = 0; i < 6; ++i) {
        feed(follow, body, i / RATE, 0, snV3(0, 0, 0));
    }
    int still = 0;
    for (; still < 600 && !snFollow_Facts(follow).is_asleep; ++still) {
        feed(follow, body, 6 / RATE, 0, snV3(0, 0, 0));
    }
    print_message("asleep after %d frames\n", still);
    assert_int_equal(snFollow_Facts(follow).is_asleep, 1);
    uint64_t hash = hashFollow(follow, body, 0);
    feed(follow, body, 6 / RATE, 0, snV3(0.05, 0, 0));
    feed(follow, body, 6 / RATE, 0, snV3(0.1, 0, 0));
    assert_int_equal(snFollow_Facts(follow).is_asleep, 0);
    return hashFollow(follow, body, hash);
}

static void testSleep(void** state)
{
    (void)state;
    snFollowDef def = defOf(-1);
    checkFollow(&FOLLOW_SLEEP, &def, fallAsleep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testClip), cmocka_unit_test(testShape), cmocka_unit_test(testMotion),
        cmocka_unit_test(testFed),  cmocka_unit_test(testSleep),
    };
    int refused = chooseIsa();
    return refused ? refused : cmocka_run_group_tests(tests, openWorms, closeWorms);
}
