// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// What hosts do to a sim while it runs, and that nobody else feels it.
#include "base/hash.h"
#include "math/quat.h"
#include "sim/obstacles.h"
#include "sim/scarce.h"

#define FLOAT_SUM 2e-6 // of sums over float velocities, relative

static snStart startAt(snVec3 p)
{
    snStart start;
    snStart_Init(&start);
    start.pose.p = p;
    return start;
}

// A worm and a block that fall on the ground, and on each other.
// Short enough that no guest makes steps shorter, s.
#define STEP 4e-4

static snScene* makePair(const snHost* host, double step)
{
    snMessage why;
    snSceneDef def;
    snScene* scene = NULL;
    snSceneDef_Init(&def);
    def.ground = 1;
    def.step = step;
    def.events = 8;
    assert_ok(snScene_Create(host, &def, &scene, &why), why);
    for (int i = 0; i < 2; ++i) {
        snCharacter* c = i ? makeBlock(snV3(0.15, 0.1, 0.1), 200) : makeBuiltin("worm");
        snStart start = startAt(snV3(0.3 * i, 0.15 + 0.25 * i, 0));
        start.velocity = snV3(0.5, -2, 0.1);
        assert_ok(snScene_Add(scene, c, &start, NULL, &why), why);
        snCharacter_Release(c);
    }
    return scene;
}

static uint64_t hashNodes(snSim* sim, int32_t count)
{
    const snFrame* frame = snSim_Frame(sim);
    uint64_t hash = 0;
    for (int32_t i = 0; i < count; ++i) {
        const snFrameCharacter* c = &frame->characters[i];
        size_t bytes = 3 * (size_t)c->node_count * sizeof(float);
        hash = snHash(c->node_velocities, bytes, snHash(c->nodes, bytes, hash));
    }
    return hash;
}

// Coming and going ------------------------------------------------------------

#define MOMENTS 30

// Every frame's bits of A and B alone.
static uint64_t runAlone(uint64_t* moments)
{
    snScene* scene = makePair(NULL, STEP);
    snSim* sim = startSim(scene);
    for (int i = 0; i < MOMENTS; ++i) {
        advance(sim, 1.0 / 75); // ends between frames
        moments[i] = hashNodes(sim, 2);
    }
    assert_true(snSim_Frame(sim)->contact_count > 0);
    uint64_t end = snSim_Hash(sim);
    snSim_Free(sim);
    snScene_Free(scene);
    return end;
}

static int32_t addBox(snSim* sim, snVec3 p, double mass, int hosted)
{
    snMessage why;
    snObstacleDef def;
    snShapeDef shape = boxShape(snV3(0.2, 0.1, 0.2));
    int32_t number;
    snObstacleDef_Init(&def);
    def.shape_count = 1;
    def.shapes = &shape;
    def.pose.p = p;
    def.mass = mass;
    def.hosted = hosted;
    assert_ok(snSim_AddObstacle(sim, &def, &number, &why), why);
    return number;
}

static void othersKeepTheirBits(void** state)
{
    (void)state;
    snMessage why;
    uint64_t alone[MOMENTS];
    uint64_t end = runAlone(alone);
    snScene* scene = makePair(NULL, STEP);
    snSim* sim = startSim(scene);
    snCharacter* guest = makeBlock(snV3(0.15, 0.1, 0.1), 200);
    snStart start = startAt(snV3(30, 0.1, 0));
    for (int i = 0; i < MOMENTS; ++i) {
        if (i == 3) { // in front of the others by contact's numbers, while they touch
            addBox(sim, snV3(-20, 0.05, 0), 0, 0);
            addBox(sim, snV3(-25, 0.3, 0), 2, 0);
        }
        if (i == 5) {
            int32_t who;
            assert_ok(snSim_Add(sim, guest, &start, &who, &why), why);
            assert_int_equal(who, 2);
        }
        if (i == 20) {
            assert_int_equal(snSim_Frame(sim)->characters[2].contact_count > 0, 1);
            assert_int_equal(snSim_Frame(sim)->obstacle_count, 2);
            assert_ok(snSim_Remove(sim, 2, &why), why);
            assert_ok(snSim_RemoveObstacle(sim, 0, &why), why);
            assert_ok(snSim_RemoveObstacle(sim, 0, &why), why);
        }
        advance(sim, 1.0 / 75);
        assert_true(hashNodes(sim, 2) == alone[i]);
    }
    assert_true(snSim_Hash(sim) == end); // the scene is as it was, too
    snCharacter_Release(guest);
    snSim_Free(sim);
    snScene_Free(scene);
}

// Numbers move up; who is left touches what he touched.
static void firstOneLeaves(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = makePair(NULL, 0);
    snSim* sim = startSim(scene);
    advance(sim, 0.6);
    double x = snSim_Frame(sim)->characters[1].momentum.com.x;
    assert_ok(snSim_Remove(sim, 0, &why), why);
    const snFrame* frame = snSim_Frame(sim);
    assert_int_equal(frame->character_count, 1);
    assert_string_equal(frame->characters[0].name, "block");
    assert_close(frame->characters[0].momentum.com.x, x, 0);
    assert_close(frame->time, 0.6, 1e-12);
    advance(sim, 1);
    assert_true(snSim_Frame(sim)->characters[0].contact_count > 0);
    assert_refused(snSim_Remove(sim, 0, &why), sn_errorArgument, why, "last");
    snSim_Free(sim);
    snScene_Free(scene);
}

// One that needs shorter steps makes them a whole number of times shorter; time stays what it is.
static void stiffOneShortensSteps(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = makePair(NULL, 0);
    snSim* sim = startSim(scene);
    snCharacterDef def;
    snCharacterDef_Init(&def);
    def.cells = 200;
    def.material.young = 40 * def.material.young;
    snCharacter* stiff = buildBlock(&def, snV3(0.15, 0.1, 0.1));
    snStart start = startAt(snV3(30, 1, 0));
    advance(sim, 1.0 / 75);
    double t = snSim_Time(sim), h = snSim_Step(sim);
    assert_ok(snSim_Add(sim, stiff, &start, NULL, &why), why);
    assert_close(snSim_Time(sim), t, 1e-15);
    double times = h / snSim_Step(sim);
    assert_true(times > 1.5);
    assert_close(times, floor(times + 0.5), 1e-9);
    advance(sim, 0.5);
    assert_close(snSim_Time(sim), t + 0.5, 1.01 * snSim_Step(sim));
    assert_true(isFrameFinite(snSim_Frame(sim)));
    snCharacter_Release(stiff);
    snSim_Free(sim);
    snScene_Free(scene);
}

// Whenever memory runs out, the sim goes on as if nobody had been asked.
static void memoryMayRunOut(void** state)
{
    (void)state;
    snMessage why;
    snHost host;
    snHost_Init(&host);
    host.allocate = scarce;
    host.release = giveBack;
    host.thread_count = 1;
    allowed = 1000000;
    snScene* scene = makePair(&host, 0);
    snSim* sim = startSim(scene);
    snCharacter* guest = makeBuiltin("worm");
    snStart start = startAt(snV3(30, 0.1, 0));
    advance(sim, 0.3);
    uint64_t before = snSim_Hash(sim);
    snStatus status = sn_errorMemory;
    int tries = 0;
    for (; status && tries < 500; ++tries) {
        allowed = tries;
        status = snSim_Add(sim, guest, &start, NULL, &why);
        assert_true(status == sn_ok || status == sn_errorMemory);
        assert_true(status == sn_ok || snSim_Hash(sim) == before);
        assert_true(status == sn_ok || snScene_CharacterCount(scene) == 2);
    }
    assert_true(tries > 10 && !status);
    for (status = sn_errorMemory, tries = 0; status && tries < 500; ++tries) {
        allowed = tries;
        status = snSim_Remove(sim, 2, &why);
    }
    assert_true(tries > 5 && !status && snSim_Hash(sim) == before);
    allowed = 1000000;
    advance(sim, 0.1);
    snCharacter_Release(guest);
    snSim_Free(sim);
    snScene_Free(scene);
}

// Pushes ----------------------------------------------------------------------

static snMomentum momentumOf(snSim* sim, int32_t who)
{
    return snSim_Frame(sim)->characters[who].momentum;
}

// A character in the air.
static snSim* floating(snCharacter* character, snScene** scene)
{
    snSceneDef def;
    snStart start = startAt(snV3(1000.3, 2, -3));
    snSceneDef_Init(&def);
    def.gravity = snV3(0, 0, 0);
    *scene = makeSceneOf(NULL, &def, character, &start);
    return startSim(*scene);
}

static snCharacter* makePuppetCharacter(void)
{
    snMessage why;
    snSkeleton* skeleton = makePuppet(NULL, sn_jointFree);
    snCharacter* character = NULL;
    assert_ok(snCharacter_Create(NULL, "puppet", skeleton, &character, &why), why);
    snSkeleton_Release(skeleton);
    return character;
}

// Momentum changes by what was given, and stays; bones without flesh also turn as they must.
static void momentumIsWhatWasGiven(void** state)
{
    (void)state;
    for (int kind = 0; kind < 3; ++kind) {
        snMessage why;
        snScene* scene;
        snSim* sim = floating(kind == 0   ? makeBuiltin("worm")
                              : kind == 1 ? makeBlock(snV3(0.15, 0.1, 0.1), 200)
                                          : makePuppetCharacter(),
                              &scene);
        advance(sim, 0.01);
        snMomentum before = momentumOf(sim, 0);
        snVec3 place = snAdd(before.com, snV3(0.1, 0.05, 0)), J = snV3(0.1, 0.02, -0.3);
        assert_ok(snSim_Push(sim, 0, place, J, kind ? 0.2 : 0, &why), why);
        snMomentum after = momentumOf(sim, 0);
        snVec3 gained = snSub(after.linear, before.linear);
        double bound = FLOAT_SUM * snLength(J) + (kind == 2 ? 1e-12 : 1e-7);
        print_message("kind %d: %g of %g Ns missing\n", kind, snLength(snSub(gained, J)),
                      snLength(J));
        assert_true(snLength(snSub(gained, J)) <= bound);
        snVec3 turn = snSub(after.angular, before.angular);
        assert_true(snLength(turn) > 0.1 * snLength(snCross(snSub(place, before.com), J)));
        if (kind == 2) {
            snVec3 moment = snCross(snSub(place, before.com), J);
            assert_true(snLength(snSub(turn, moment)) < 1e-9 * snLength(moment) + 1e-12);
        }
        advance(sim, 0.2);
        gained = snSub(momentumOf(sim, 0).linear, before.linear);
        assert_true(snLength(snSub(gained, J)) <= 10 * bound);
        snSim_Free(sim);
        snScene_Free(scene);
    }
}

// A push between frames, and then trouble: the guard goes back, but not behind it. Without friction
// nothing else changes the momentum along the ground.
static void guardKeepsPushes(void** state)
{
    (void)state;
    snMessage why;
    snSceneDef def;
    snStart start = startAt(snV3(0, 0.35, 0));
    snSceneDef_Init(&def);
    def.ground = 1;
    def.friction = 0;
    def.step = 1.0 / 180;
    start.velocity = snV3(0, -9, 0);
    snScene* scene = makeSceneOf(NULL, &def, makeBlock(snV3(0.15, 0.1, 0.1), 200), &start);
    snSim* sim = startSim(scene);
    int crossed = 0;
    double given = 0;
    for (int i = 0; i < 24; ++i) {
        int64_t before = snSim_Frame(sim)->guard.retries;
        snVec3 com = momentumOf(sim, 0).com;
        assert_ok(snSim_Push(sim, 0, com, snV3(0.25, 0, 0), 0.5, &why), why);
        given += 0.25;
        advance(sim, 1.0 / 180);
        crossed += snSim_Frame(sim)->guard.retries > before;
    }
    print_message("trouble after %d pushes, momentum %g of %g Ns\n", crossed,
                  momentumOf(sim, 0).linear.x, given);
    assert_true(crossed > 0);
    assert_close(momentumOf(sim, 0).linear.x, given, 1e-4 * given);
    assert_close(snSim_Time(sim), 24.0 / 180, 1e-12);
    snSim_Free(sim);
    snScene_Free(scene);
}

static void obstaclesArePushed(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = makePair(NULL, 0);
    snSim* sim = startSim(scene);
    int32_t box = addBox(sim, snV3(20, 3, 0), 2, 0), wall = addBox(sim, snV3(25, 0, 0), 0, 0);
    snVec3 J = snV3(1, 0.5, 0), arm = snV3(0, 0.1, 0.1);
    assert_ok(snSim_PushObstacle(sim, box, snAdd(snV3(20, 3, 0), arm), J, &why), why);
    const snFrameObstacle* o = &snSim_Frame(sim)->obstacles[box];
    assert_true(snLength(snSub(o->momentum.linear, J)) < 1e-12);
    assert_true(snLength(snSub(o->momentum.angular, snCross(arm, J))) < 1e-12);
    assert_refused(snSim_PushObstacle(sim, wall, arm, J, &why), sn_errorArgument, why, "mass");
    snSim_Free(sim);
    snScene_Free(scene);
}

// Moving ----------------------------------------------------------------------

// Elsewhere it moves on as it did. Turned: momentum turns along, energy stays.
static void teleportIsRigid(void** state)
{
    (void)state;
    snMessage why;
    snScene *here, *there;
    snSim *a = floating(makeBuiltin("worm"), &here), *b = floating(makeBuiltin("worm"), &there);
    assert_ok(snSim_Push(a, 0, snV3(1000.3, 2, -3), snV3(1, 0.3, 0), 0.1, &why), why);
    assert_ok(snSim_Push(b, 0, snV3(1000.3, 2, -3), snV3(1, 0.3, 0), 0.1, &why), why);
    advance(a, 0.1);
    advance(b, 0.1);
    snTransform by = {{-7, 300, 12}, {0, 0, 0, 1}};
    assert_ok(snSim_Teleport(b, 0, by, &why), why);
    advance(a, 0.02);
    advance(b, 0.02);
    const snFrameCharacter *ca = snSim_Frame(a)->characters, *cb = snSim_Frame(b)->characters;
    for (int32_t i = 0; i < ca->node_count; ++i) { // bones are rounded otherwise there
        snVec3 va = pointAt(ca->node_velocities, i), vb = pointAt(cb->node_velocities, i);
        assert_true(snLength(snSub(va, vb)) < 1e-5 * fastestNode(ca));
    }
    assert_true(snLength(snSub(snSub(cb->bones[0].p, ca->bones[0].p), by.p)) < 1e-9);

    by.q = snQFromAxisAngle(snV3(0, 0.6, 0.8), 2);
    snMomentum before = cb->momentum;
    snEnergy energy = cb->energy;
    assert_ok(snSim_Teleport(b, 0, by, &why), why);
    cb = snSim_Frame(b)->characters;
    assert_true(snLength(snSub(cb->momentum.linear, snQRotate(by.q, before.linear))) < 1e-6);
    assert_true(snLength(snSub(cb->momentum.angular, snQRotate(by.q, before.angular))) < 1e-6);
    snVec3 com = snAdd(snQRotate(by.q, before.com), by.p);
    assert_true(snLength(snSub(cb->momentum.com, com)) < 1e-6);
    assert_relative(cb->energy.kinetic, energy.kinetic, 1e-5, 0);
    assert_relative(cb->energy.elastic, energy.elastic, 1e-3, 1e-9);
    advance(b, 0.3);
    assert_int_equal(snSim_Frame(b)->guard.retries, 0);
    assert_true(snLength(snSub(momentumOf(b, 0).linear, snQRotate(by.q, before.linear))) < 1e-5);
    snSim_Free(a);
    snSim_Free(b);
    snScene_Free(here);
    snScene_Free(there);
}

// Onto the ground, off it, into another one: nothing explodes.
static void teleportInContact(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = makePair(NULL, 0);
    snSim* sim = startSim(scene);
    for (int i = 0; i < 6; ++i) {
        advance(sim, 0.3);
        const snFrame* frame = snSim_Frame(sim);
        snVec3 way = snSub(frame->characters[(i + 1) % 2].momentum.com,
                           frame->characters[i % 2].momentum.com);
        way.y += 0.25;
        snTransform by = {way, {0, 0, 0, 1}};
        assert_ok(snSim_Teleport(sim, i % 2, by, &why), why);
    }
    advance(sim, 2);
    const snFrame* frame = snSim_Frame(sim);
    assert_true(isFrameFinite(frame));
    for (int i = 0; i < 2; ++i) {
        assert_true(frame->characters[i].contact_count > 0);
        assert_true(fastestNode(&frame->characters[i]) < 3);
    }
    snSim_Free(sim);
    snScene_Free(scene);
}

static void originMayMove(void** state)
{
    (void)state;
    snMessage why;
    snScene *one = makePair(NULL, 0), *two = makePair(NULL, 0);
    snSim *a = startSim(one), *b = startSim(two);
    snVec3 by = {4096, -8, 1024};
    advance(a, 0.4);
    advance(b, 0.2);
    assert_ok(snSim_Shift(b, by, &why), why);
    advance(b, 0.2);
    assert_true(snSim_Hash(a) == snSim_Hash(b));
    const snFrame *fa = snSim_Frame(a), *fb = snSim_Frame(b);
    for (int i = 0; i < 2; ++i) {
        const snFrameCharacter *ca = &fa->characters[i], *cb = &fb->characters[i];
        for (int32_t k = 0; k < ca->node_count; k += 7) {
            snVec3 pa = snAdd(ca->origin, pointAt(ca->nodes, k));
            snVec3 pb = snAdd(cb->origin, pointAt(cb->nodes, k));
            assert_true(snLength(snSub(snSub(pb, pa), by)) < 1e-4); // float within 512 m
        }
        assert_true(snLength(snSub(snSub(cb->momentum.com, ca->momentum.com), by)) < 1e-9);
    }
    assert_true(fa->contact_count > 0 && fa->contact_count == fb->contact_count);
    assert_true(snLength(snSub(snSub(fb->contacts[0].place, fa->contacts[0].place), by)) < 1e-9);
    snVec3 place = fa->characters[1].momentum.com, J = snV3(0.5, 0.5, 0);
    assert_ok(snSim_Push(a, 1, place, J, 0.25, &why), why);
    assert_ok(snSim_Push(b, 1, snAdd(place, by), J, 0.25, &why), why);
    assert_true(snSim_Hash(a) == snSim_Hash(b));
    // saved states take it along
    void* saved = malloc(snSim_StateSize(b));
    snSim_Save(b, saved);
    assert_ok(snSim_Restore(a, saved, snSim_StateSize(a), &why), why);
    assert_close(snSim_Frame(a)->shift.x, by.x, 0);
    free(saved);
    snSim_Free(a);
    snSim_Free(b);
    snScene_Free(one);
    snScene_Free(two);
}

// A hosted wall shoves a block along; a state that is saved on the way goes on with the same bits.
static void hostedObstaclesMove(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = makePair(NULL, 0);
    snSim* sim = startSim(scene);
    int32_t wall = addBox(sim, snV3(1.5, 0.1, 0), 0, 1), fixed = addBox(sim, snV3(9, 0, 0), 0, 0);
    advance(sim, 1);
    double x = momentumOf(sim, 1).com.x;
    snTransform to = {{x - 0.6, 0.1, 0}, {0, 0, 0, 1}};
    assert_refused(snSim_MoveObstacle(sim, fixed, to, 1, &why), sn_errorArgument, why, "hosted");
    assert_ok(snSim_MoveObstacle(sim, wall, to, 0.5, &why), why);
    advance(sim, 0.25);
    const snFrameObstacle* o = &snSim_Frame(sim)->obstacles[wall];
    assert_close(o->pose.p.x, 0.5 * (1.5 + to.p.x), 1e-9);
    assert_close(o->twist.v.x, (to.p.x - 1.5) / 0.5, 1e-9);
    size_t size = snSim_StateSize(sim);
    void* saved = malloc(size);
    snSim_Save(sim, saved);
    advance(sim, 0.5);
    uint64_t end = snSim_Hash(sim);
    o = &snSim_Frame(sim)->obstacles[wall];
    assert_close(o->pose.p.x, to.p.x, 0);
    assert_close(o->twist.v.x, 0, 0);
    print_message("the block went from %g to %g m\n", x, momentumOf(sim, 1).com.x);
    assert_true(momentumOf(sim, 1).com.x < x - 0.3);
    to.p.x = -3;
    assert_ok(snSim_MoveObstacle(sim, wall, to, 0, &why), why);
    assert_close(snSim_Frame(sim)->obstacles[wall].pose.p.x, -3, 0);
    assert_ok(snSim_Restore(sim, saved, size, &why), why);
    advance(sim, 0.5);
    assert_true(snSim_Hash(sim) == end);
    free(saved);
    snSim_Free(sim);
    snScene_Free(scene);
}

// Budget ----------------------------------------------------------------------

static void stepsCanBeCapped(void** state)
{
    (void)state;
    snMessage why;
    snScene *one = makePair(NULL, 0), *two = makePair(NULL, 0);
    snSim *a = startSim(one), *b = startSim(two);
    double left = 0, h = snSim_Step(a);
    advance(a, 0.2);
    assert_ok(snSim_AdvanceWithin(b, 0.2, 3, (double)INFINITY, &left, &why), why);
    assert_int_equal(snSim_Frame(b)->step, 3);
    assert_close(left, 0.2 - 3 * h, 1.01 * h);
    int calls = 1;
    for (; left > 0; ++calls) {
        int64_t before = snSim_Frame(b)->step;
        assert_ok(snSim_AdvanceWithin(b, 0, 7, (double)INFINITY, &left, &why), why);
        assert_true(snSim_Frame(b)->step - before <= 7);
    }
    assert_true(calls > 3 && snSim_Hash(a) == snSim_Hash(b));
    // no time at all: nothing is begun; what is skipped is gone
    assert_ok(snSim_AdvanceWithin(b, 1, INT64_MAX, 0, &left, &why), why);
    assert_close(left, 1, 1.01 * h);
    assert_true(snSim_Hash(a) == snSim_Hash(b));
    snSim_Skip(b);
    assert_ok(snSim_AdvanceWithin(b, 0, INT64_MAX, 1, &left, &why), why);
    assert_close(left, 0, 0);
    assert_true(snSim_Hash(a) == snSim_Hash(b));
    assert_refused(snSim_AdvanceWithin(b, 0, -1, 1, &left, &why), sn_errorArgument, why, "steps");
    snSim_Free(a);
    snSim_Free(b);
    snScene_Free(one);
    snScene_Free(two);
}

static void wrongCallsAreRefused(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = makePair(NULL, 0);
    snSim *sim = startSim(scene), *other = startSim(scene);
    snTransform by = {{0, 0, 0}, {0, 0, 0, 1}}, bent = {{0, 0, 0}, {0, 0, 0, 0}};
    snVec3 no = {(double)NAN, 0, 0}, zero = {0, 0, 0};
    uint64_t before = snSim_Hash(sim);
    assert_refused(snSim_Remove(sim, 0, &why), sn_errorArgument, why, "other sims");
    snSim_Free(other);
    assert_refused(snSim_Remove(sim, 2, &why), sn_errorArgument, why, "no character 2");
    assert_refused(snSim_RemoveObstacle(sim, 0, &why), sn_errorArgument, why, "no obstacle 0");
    assert_refused(snSim_Add(sim, NULL, NULL, NULL, &why), sn_errorArgument, why, "NULL");
    assert_refused(snSim_Push(sim, 5, zero, zero, 0, &why), sn_errorArgument, why, "character");
    assert_refused(snSim_Push(sim, 0, no, zero, 0, &why), sn_errorArgument, why, "place");
    assert_refused(snSim_Push(sim, 0, zero, no, 0, &why), sn_errorArgument, why, "impulse");
    assert_refused(snSim_Teleport(sim, 0, bent, &why), sn_errorArgument, why, "unit");
    assert_refused(snSim_Teleport(sim, -1, by, &why), sn_errorArgument, why, "character");
    assert_refused(snSim_Shift(sim, no, &why), sn_errorArgument, why, "origin");
    assert_refused(snSim_Shift(NULL, zero, &why), sn_errorArgument, why, "origin");
    assert_true(snSim_Hash(sim) == before);
    snSim_Wake(NULL);
    snSim_Skip(NULL);
    snSim_Free(sim);
    snScene_Free(scene);

    scene = makePuppetScene(NULL, NULL, 2); // the second is held
    sim = startSim(scene);
    assert_ok(snSim_Teleport(sim, 0, by, &why), why);
    assert_refused(snSim_Teleport(sim, 1, by, &why), sn_errorUnsupported, why, "held");
    snSim_Free(sim);
    snScene_Free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(othersKeepTheirBits),    cmocka_unit_test(firstOneLeaves),
        cmocka_unit_test(stiffOneShortensSteps),  cmocka_unit_test(memoryMayRunOut),
        cmocka_unit_test(momentumIsWhatWasGiven), cmocka_unit_test(guardKeepsPushes),
        cmocka_unit_test(obstaclesArePushed),     cmocka_unit_test(teleportIsRigid),
        cmocka_unit_test(teleportInContact),      cmocka_unit_test(originMayMove),
        cmocka_unit_test(hostedObstaclesMove),    cmocka_unit_test(stepsCanBeCapped),
        cmocka_unit_test(wrongCallsAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
