// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Scenes: settings, starts, who is there; what is refused; running out of memory; placement.
#include "sim/scene.h"

#include "math/quat.h"
#include "math/transform.h"
#include "sim/puppet.h"

// Settings ----------------------------------------------------------------------------------------

static void spoilSize(snSceneDef* d)
{
    d->size = 4;
}
static void spoilMethod(snSceneDef* d)
{
    d->method = "blended";
}
static void spoilNoMethod(snSceneDef* d)
{
    d->method = NULL;
}
static void spoilSlow(snSceneDef* d)
{
    d->frame_rate = 0.5;
}
static void spoilFast(snSceneDef* d)
{
    d->frame_rate = 10001;
}
static void spoilNanRate(snSceneDef* d)
{
    d->frame_rate = (double)NAN;
}
static void spoilDuration(snSceneDef* d)
{
    d->duration = -1;
}
static void spoilLong(snSceneDef* d)
{
    d->duration = 86401;
}
static void spoilNanDuration(snSceneDef* d)
{
    d->duration = (double)NAN;
}
static void spoilStep(snSceneDef* d)
{
    d->step = 0.11;
}
static void spoilShort(snSceneDef* d)
{
    d->step = 1e-8;
}
static void spoilNegative(snSceneDef* d)
{
    d->step = -0.001;
}
static void spoilNanStep(snSceneDef* d)
{
    d->step = (double)NAN;
}
static void spoilGravity(snSceneDef* d)
{
    d->gravity.y = (double)NAN;
}
static void spoilHeavy(snSceneDef* d)
{
    d->gravity.x = 2e6;
}

static void testDefs(void** state)
{
    (void)state;
    static const struct {
        void (*spoil)(snSceneDef* def);
        snStatus status;
        const char* word;
    } CASES[] = {
        {spoilSize, sn_errorArgument, "snSceneDef_Init"},
        {spoilMethod, sn_errorUnsupported, "explicit"}, // names one that there is
        {spoilNoMethod, sn_errorUnsupported, "explicit"},
        {spoilSlow, sn_errorArgument, "frame_rate"},
        {spoilFast, sn_errorArgument, "frame_rate"},
        {spoilNanRate, sn_errorArgument, "frame_rate"},
        {spoilDuration, sn_errorArgument, "duration"},
        {spoilLong, sn_errorArgument, "duration"},
        {spoilNanDuration, sn_errorArgument, "duration"},
        {spoilStep, sn_errorArgument, "step"},
        {spoilShort, sn_errorArgument, "step"},
        {spoilNegative, sn_errorArgument, "step"},
        {spoilNanStep, sn_errorArgument, "step"},
        {spoilGravity, sn_errorArgument, "gravity"},
        {spoilHeavy, sn_errorArgument, "gravity"},
    };
    snScene* kept = makePuppetScene(NULL, NULL, 1);
    snMessage why;
    snSceneDef def;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        snScene* scene = kept;
        snSceneDef_Init(&def);
        def.duration = 77;
        CASES[i].spoil(&def);
        assert_refused(snScene_Create(NULL, &def, &scene, &why), CASES[i].status, why,
                       CASES[i].word);
        assert_null(scene);
        assert_refused(snScene_SetDef(kept, &def, &why), CASES[i].status, why, CASES[i].word);
        assert_close(snScene_Def(kept)->duration, 5, 0); // nothing was changed
    }
    assert_int_equal(snScene_Create(NULL, NULL, NULL, &why), sn_errorArgument);
    assert_int_equal(snScene_SetDef(kept, NULL, &why), sn_errorArgument);
    assert_int_equal(snScene_SetDef(NULL, &def, &why), sn_errorArgument);
    snScene_Free(kept);
    snScene_Free(NULL);
}

// The edges of the ranges are inside, and settings are a copy.
static void testSetDef(void** state)
{
    (void)state;
    char method[] = "explicit";
    snScene* scene = makePuppetScene(NULL, NULL, 1);
    snMessage why;
    snSceneDef def;
    snSceneDef_Init(&def);
    def.method = method;
    def.frame_rate = 10000;
    def.duration = 86400;
    def.step = 1e-7;
    def.self_contact = 0;
    assert_ok(snScene_SetDef(scene, &def, &why), why);
    method[0] = '?';
    assert_string_equal(snScene_Def(scene)->method, "explicit");
    assert_close(snScene_Def(scene)->step, 1e-7, 0);
    assert_int_equal(snScene_Def(scene)->self_contact, 0);
    def = *snScene_Def(scene);
    def.frame_rate = 1;
    def.duration = 0;
    def.step = 0.1;
    assert_ok(snScene_SetDef(scene, &def, &why), why);
    snSim* sim = startSim(scene);
    assert_close(snSim_Step(sim), 0.1, 1e-16);
    assert_refused(snScene_SetDef(scene, &def, &why), sn_errorArgument, why, "sims");
    snSim_Free(sim);
    assert_ok(snScene_SetDef(scene, &def, &why), why);
    snScene_Free(scene);
}

// Starts ------------------------------------------------------------------------------------------

static double nan_q[PUPPET_MOST], flat_q[PUPPET_MOST];

static void startSize(snStart* s)
{
    s->size = 0;
}
static void startPlace(snStart* s)
{
    s->pose.p.x = 1e10;
}
static void startNanPlace(snStart* s)
{
    s->pose.p.z = (double)NAN;
}
static void startNoTurn(snStart* s)
{
    s->pose.q.w = 0;
}
static void startNanTurn(snStart* s)
{
    s->pose.q.x = (double)NAN;
}
static void startLongTurn(snStart* s)
{
    s->pose.q.w = 10;
}
static void startFast(snStart* s)
{
    s->velocity.y = 1e5;
}
static void startNanSpeed(snStart* s)
{
    s->velocity.y = (double)NAN;
}
static void startDizzy(snStart* s)
{
    s->spin.y = 1e5;
}
static void startNanSpin(snStart* s)
{
    s->spin.x = (double)NAN;
}
static void startNanQ(snStart* s)
{
    s->q = nan_q;
}
static void startFlatQ(snStart* s)
{
    s->q = flat_q;
}

static void testStarts(void** state)
{
    (void)state;
    static const struct {
        void (*spoil)(snStart* start);
        const char* word;
    } CASES[] = {
        {startSize, "snStart_Init"}, {startPlace, "1e9"},         {startNanPlace, "1e9"},
        {startNoTurn, "unit"},       {startNanTurn, "unit"},      {startLongTurn, "unit"},
        {startFast, "velocity"},     {startNanSpeed, "velocity"}, {startDizzy, "spin"},
        {startNanSpin, "spin"},      {startNanQ, "coordinate 5"}, {startFlatQ, "'hub'"},
    };
    snMessage why;
    snScene* scene = NULL;
    snCharacter* c = NULL;
    snSkeleton* skeleton = makePuppet(NULL, sn_jointFree);
    snSkeleton_ZeroPose(skeleton, nan_q);
    nan_q[5] = (double)NAN;
    assert_ok(snScene_Create(NULL, NULL, &scene, &why), why);
    assert_ok(snCharacter_Create(NULL, "c", skeleton, &c, &why), why);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        snStart start;
        int32_t who = -7;
        snStart_Init(&start);
        CASES[i].spoil(&start);
        assert_refused(snScene_Add(scene, c, &start, &who, &why), sn_errorArgument, why,
                       CASES[i].word);
        assert_int_equal(who, -7);
        assert_int_equal(snScene_CharacterCount(scene), 0);
    }
    assert_int_equal(snScene_Add(scene, NULL, NULL, NULL, &why), sn_errorArgument);
    assert_int_equal(snScene_Add(NULL, c, NULL, NULL, &why), sn_errorArgument);
    snCharacter_Release(c);
    snSkeleton_Release(skeleton);
    snScene_Free(scene);
}

// Only what floats can be thrown.
static void testHeldRoots(void** state)
{
    (void)state;
    for (int32_t joint = sn_jointWeld; joint < sn_jointTypeCount; ++joint) {
        snMessage why;
        snScene* scene = NULL;
        snCharacter* c = NULL;
        snStart start;
        snSkeleton* skeleton = makePuppet(NULL, joint);
        assert_ok(snScene_Create(NULL, NULL, &scene, &why), why);
        assert_ok(snCharacter_Create(NULL, "c", skeleton, &c, &why), why);
        for (int spin = 0; spin < 2; ++spin) {
            snStart_Init(&start);
            *(spin ? &start.spin : &start.velocity) = (snVec3){0, 0, 1e-3};
            snStatus status = snScene_Add(scene, c, &start, NULL, &why);
            if (joint == sn_jointFree) {
                assert_ok(status, why);
            } else {
                assert_refused(status, sn_errorArgument, why, "free joint");
            }
        }
        snCharacter_Release(c);
        snSkeleton_Release(skeleton);
        snScene_Free(scene);
    }
}

static void testWho(void** state)
{
    (void)state;
    enum { MANY = 300 };
    snMessage why;
    snScene* scene = NULL;
    assert_ok(snScene_Create(NULL, NULL, &scene, &why), why);
    assert_null(snScene_Character(scene, 0));
    snSim* sim = (snSim*)(void*)scene;
    assert_refused(snSim_Create(scene, &sim, &why), sn_errorArgument, why, "empty");
    assert_null(sim);
    snCharacter* c = NULL;
    snSkeleton* skeleton = makePuppet(NULL, sn_jointFree);
    assert_ok(snCharacter_Create(NULL, "many", skeleton, &c, &why), why);
    for (int32_t i = 0; i < MANY; ++i) {
        int32_t who = -1;
        assert_ok(snScene_Add(scene, c, NULL, &who, &why), why);
        assert_int_equal(who, i);
        drivePuppet(scene, who);
    }
    assert_int_equal(snScene_CharacterCount(scene), MANY);
    assert_ptr_equal(snScene_Character(scene, MANY - 1), c);
    assert_null(snScene_Character(scene, MANY));
    assert_null(snScene_Character(scene, -1));
    sim = startSim(scene);
    assert_refused(snScene_Add(scene, c, NULL, NULL, &why), sn_errorArgument, why, "sims");
    advance(sim, 0.05);
    const snFrame* frame = snSim_Frame(sim);
    assert_int_equal(frame->character_count, MANY);
    // all of them are the same and do the same
    for (int32_t i = 1; i < MANY; ++i) {
        assert_string_equal(frame->characters[i].name, "many");
        assert_memory_equal(frame->characters[i].bones, frame->characters[0].bones,
                            PUPPET_BONES * sizeof(snTransform));
    }
    snSim_Free(sim);
    assert_ok(snScene_Add(scene, c, NULL, NULL, &why), why);
    snCharacter_Release(c);
    snSkeleton_Release(skeleton);
    snScene_Free(scene);
}

// Out of memory -----------------------------------------------------------------------------------

typedef struct Meter {
    long left; // allocations that still succeed
    long live; // blocks
    size_t bytes;
} Meter;

static void* meterAllocate(void* user, size_t bytes, size_t alignment)
{
    Meter* m = user;
    if (m->left-- <= 0) {
        return NULL;
    }
    m->live++;
    m->bytes += bytes;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void meterRelease(void* user, void* memory, size_t bytes)
{
    Meter* m = user;
    m->live--;
    m->bytes -= bytes;
    free(memory);
}

// Everything that takes memory for a scene with two characters, drives and a sim. The statuses of
// the calls.
static snStatus buildAll(const snHost* host, snSkeleton* skeleton, snMessage* why)
{
    static const double TIMES[3] = {0, 1, 2}, KEYS[12] = {0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1};
    snScene* scene = NULL;
    snCharacter* c = NULL;
    snSim* sim = NULL;
    snDriveDef drive;
    snDriveDef_Init(&drive);
    drive.kind = sn_driveTrajectory;
    drive.bone = PUPPET_TAIL;
    drive.key_count = 3;
    drive.times = TIMES;
    drive.keys = KEYS;
    snStatus status = snScene_Create(host, NULL, &scene, why);
    status = status ? status : snCharacter_Create(host, "c", skeleton, &c, why);
    for (int i = 0; i < 6 && !status; ++i) { // grows the list
        status = snScene_Add(scene, c, NULL, NULL, why);
        status = status ? status : snScene_SetDrive(scene, i, &drive, why);
    }
    status = status ? status : snScene_SetDrive(scene, 0, &drive, why); // in place of the old one
    status = status ? status : snSim_Create(scene, &sim, why);
    status = status ? status : snSim_Advance(sim, 0.01, why);
    if (!sim && scene) { // a sim that failed to be made does not lock the scene
        assert_int_equal(snScene_SetDef(scene, snScene_Def(scene), NULL), sn_ok);
    }
    snSim_Free(sim);
    snCharacter_Release(c);
    snScene_Free(scene);
    return status;
}

static void testMemory(void** state)
{
    (void)state;
    snMessage why;
    Meter meter = {1000000, 0, 0};
    snHost host;
    snHost_Init(&host);
    host.user = &meter;
    host.allocate = meterAllocate;
    host.release = meterRelease;
    host.thread_count = 1;
    snSkeleton* skeleton = makePuppet(NULL, sn_jointFree);
    assert_ok(buildAll(&host, skeleton, &why), why);
    long needed = 1000000 - meter.left;
    assert_int_equal(meter.live, 0);
    assert_int_equal(meter.bytes, 0);
    assert_true(needed > 20);
    for (long n = 0; n < needed; ++n) {
        meter.left = n;
        assert_refused(buildAll(&host, skeleton, &why), sn_errorMemory, why, "memory");
        assert_int_equal(meter.live, 0);
        assert_int_equal(meter.bytes, 0);
    }
    snSkeleton_Release(skeleton);
}

// Placement ---------------------------------------------------------------------------------------

// A character that stands elsewhere, turned, with everything else turned likewise, does the same.
static void comparePlacement(int32_t root)
{
    const snTransform place = {{3, -2, 5}, snQNormalize(snQ(0.3, -0.5, 0.2, 0.6))};
    const double tolerance = 1e-9; // rounding, after a second with limits and servos in play
    snScene* scenes[2];
    snSim* sims[2];
    for (int i = 0; i < 2; ++i) {
        snTransform t = i ? place : snTIdentity();
        snMessage why;
        snSceneDef def;
        snStart start;
        snSceneDef_Init(&def);
        snStart_Init(&start);
        def.gravity = snQRotate(t.q, def.gravity);
        start.pose = t;
        if (root == sn_jointFree) {
            start.velocity = snQRotate(t.q, snV3(1, 3, -0.5));
            start.spin = snQRotate(t.q, snV3(0.5, 2, 1));
        }
        assert_ok(snScene_Create(NULL, &def, &scenes[i], &why), why);
        drivePuppet(scenes[i], addPuppet(NULL, scenes[i], makePuppet(NULL, root), &start));
        sims[i] = startSim(scenes[i]);
    }
    for (int k = 0; k <= 60; ++k) {
        const snFrameCharacter* home = &snSim_Frame(sims[0])->characters[0];
        const snFrameCharacter* away = &snSim_Frame(sims[1])->characters[0];
        for (int32_t b = 0; b < PUPPET_BONES; ++b) {
            snTransform expected = snTMul(place, home->bones[b]);
            assert_below(snLength(snSub(away->bones[b].p, expected.p)), tolerance);
            assert_below(snLength(snQLog(snQMul(away->bones[b].q, snQConj(expected.q)))),
                         tolerance);
            snVec3 w = snQRotate(place.q, home->twists[b].w);
            assert_below(snLength(snSub(away->twists[b].w, w)),
                         1e3 * tolerance); // rates are larger
        }
        assert_relative(away->energy.kinetic, home->energy.kinetic, 1e-7, 1e-3);
        advance(sims[0], 1.0 / 60);
        advance(sims[1], 1.0 / 60);
    }
    for (int i = 0; i < 2; ++i) {
        snSim_Free(sims[i]);
        snScene_Free(scenes[i]);
    }
}

static void testPlacement(void** state)
{
    (void)state;
    comparePlacement(sn_jointFree);
    comparePlacement(sn_jointWeld);
}

// The first frame shows the start: pose, coordinates, velocity and spin.
static void testFirstFrame(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = NULL;
    snStart start;
    snStart_Init(&start);
    start.pose = (snTransform){{1, 2, 3}, {0, 0.9, 0, 1.2}}; // is normalised
    start.velocity = snV3(1, 2, -3);
    start.spin = snV3(-0.5, 4, 2);
    snSkeleton* skeleton = makePuppet(NULL, sn_jointFree);
    double q[PUPPET_MOST];
    snSkeleton_ZeroPose(skeleton, q);
    int32_t wrist = snSkeleton_PositionStart(skeleton, PUPPET_WRIST);
    q[wrist] = 0.2;
    q[6] = 3; // a rotation of another length
    start.q = q;
    assert_ok(snScene_Create(NULL, NULL, &scene, &why), why);
    snTransform hub = snSkeleton_Bone(skeleton, PUPPET_HUB)->anchor;
    addPuppet(NULL, scene, skeleton, &start);
    q[wrist] = 99; // copied
    snSim* sim = startSim(scene);
    const snFrameCharacter* c = &snSim_Frame(sim)->characters[0];
    assert_close(c->q[wrist], 0.2, 0);
    assert_close(c->q[6], 1, 0);
    snTransform pose = {start.pose.p, snQNormalize(start.pose.q)};
    assert_below(snLength(snSub(c->bones[0].p, snTMul(pose, hub).p)), 1e-14);
    for (int32_t b = 0; b < c->bone_count; ++b) {
        snVec3 arm = snSub(c->bones[b].p, c->bones[0].p);
        snVec3 v = snAdd(start.velocity, snCross(start.spin, arm));
        assert_below(snLength(snSub(c->twists[b].w, start.spin)), 1e-13);
        assert_below(snLength(snSub(c->twists[b].v, v)), 1e-13);
    }
    snSim_Free(sim);
    snScene_Free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testDefs),      cmocka_unit_test(testSetDef),
        cmocka_unit_test(testStarts),    cmocka_unit_test(testHeldRoots),
        cmocka_unit_test(testWho),       cmocka_unit_test(testMemory),
        cmocka_unit_test(testPlacement), cmocka_unit_test(testFirstFrame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
