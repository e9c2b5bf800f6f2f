// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// The balance of energy: what drives, gravity, contact, damping, fields, drags and hosts do is all
// that changes the energy of a body, and each does what the laws say. Parts that are left over are
// of the sum of the magnitudes of all kinds of work: at most 3 % at the automatic step, 1 % at half
// of it.
#include "sim/obstacles.h"
#include "sim/sim_state.h"

// Makes a scene with this largest step, s; 0 = automatic.
typedef snScene* MakeFcn(double step);

static snSim* startBalanced(snScene* scene)
{
    snMessage why;
    snSim* sim = startSim(scene);
    for (int32_t i = 0; i < snScene_CharacterCount(scene); ++i) {
        snWantDef def;
        snWantDef_Init(&def);
        def.wanted |= sn_wantedBalance;
        assert_ok(snSim_Want(sim, i, &def, &why), why);
    }
    return sim;
}

static double work(const snEnergyBalance* b, int32_t kind)
{
    return b->in[kind] - b->out[kind];
}

static double leftOver(const snEnergyBalance* b)
{
    double sum = 0, change = b->now - b->start;
    for (int32_t k = 0; k < sn_workCount; ++k) {
        sum += fabs(work(b, k));
        change -= work(b, k);
    }
    assert_close(b->rest, change, 1e-9 * (b->turnover + 1));
    assert_true(b->turnover >= sum * (1 - 1e-12));
    return sum > 0 ? fabs(b->rest) / sum : fabs(b->rest) / (b->start + 1e-12);
}

static snEnergyBalance balanceOfAll(snSim* sim)
{
    snEnergyBalance all;
    assert_true(snFrame_Balance(snSim_Frame(sim), &all));
    return all;
}

// Runs at the automatic step and at half of it. Returns the balance of the first character at the
// latter.
static snEnergyBalance closes(const char* name, MakeFcn* make, double seconds)
{
    snEnergyBalance first = {0};
    double step = 0, parts[2];
    for (int i = 0; i < 2; ++i) {
        snScene* scene = make(0.5 * step);
        snSim* sim = startBalanced(scene);
        step = snSim_Step(sim);
        advance(sim, seconds);
        const snFrame* frame = snSim_Frame(sim);
        for (int32_t k = 0; k < frame->character_count; ++k) {
            assert_true(work(frame->characters[k].balance, sn_workDamping) <= 0);
        }
        snEnergyBalance all = balanceOfAll(sim);
        parts[i] = leftOver(&all);
        first = *snFrame_Character(frame, 0)->balance;
        if (i == 1) {
            print_message("%s: left over %.2g %% at %.2g ms, %.2g %% at half\n", name,
                          100 * parts[0], 2e3 * step, 100 * parts[1]);
        }
        snSim_Free(sim);
        snScene_Free(scene);
    }
    assert_below(parts[0], 0.03);
    assert_below(parts[1], 0.01);
    return first;
}

static snSceneDef sceneOf(double step, bool ground)
{
    snSceneDef def;
    snSceneDef_Init(&def);
    def.step = step;
    def.ground = ground;
    return def;
}

static snScene* makeBodied(double step, bool ground, snCharacterDef* body, snVec3 half,
                           const snStart* start)
{
    snSceneDef def = sceneOf(step, ground);
    return makeSceneOf(NULL, &def, buildBlock(body, half), start);
}

// Falling ---------------------------------------------------------------------

static snScene* makeFall(double step)
{
    snCharacterDef body;
    snStart start;
    snCharacterDef_Init(&body);
    body.cells = 200;
    body.material.damping = 0;
    snStart_Init(&start);
    start.spin = snV3(1, 2, 3);
    return makeBodied(step, false, &body, snV3(0.1, 0.2, 0.1), &start);
}

// Gravity does all, and as much as weight times height.
static void fallsClose(void** state)
{
    (void)state;
    snEnergyBalance b = closes("fall", makeFall, 1);
    assert_true(b.out[sn_workDamping] == 0 && b.out[sn_workContact] == 0);
    snScene* scene = makeFall(0);
    snSim* sim = startBalanced(scene);
    snMomentum high = snSim_Frame(sim)->characters[0].momentum;
    advance(sim, 1);
    const snFrameCharacter* c = snFrame_Character(snSim_Frame(sim), 0);
    double fall = high.com.y - c->momentum.com.y;
    assert_close(fall, 4.9, 0.01);
    assert_relative(work(c->balance, sn_workGravity), high.mass * SN_GRAVITY * fall, 1e-6, 0);
    snSim_Free(sim);
    snScene_Free(scene);
}

static snScene* makeChain(double step)
{
    snScene* scene = NULL;
    snMessage why;
    assert_ok(snBuiltinScene_Find("pendulum_chain")->make(NULL, &scene, &why), why);
    snSceneDef def = *snScene_Def(scene);
    def.step = step;
    assert_ok(snScene_SetDef(scene, &def, &why), why);
    return scene;
}

static void pendulumsClose(void** state)
{
    (void)state;
    snEnergyBalance b = closes("pendulum", makeChain, 2);
    assert_true(b.in[sn_workGravity] > 1 &&
                b.turnover == b.in[sn_workGravity] + b.out[sn_workGravity]);
}

// A puppet whose joints have springs, dampers and limits.
static snScene* makeLimp(double step)
{
    snSceneDef def = sceneOf(step, false);
    snScene* scene = NULL;
    snMessage why;
    snStart start;
    snStart_Init(&start);
    start.pose.p = snV3(0, 3, 0);
    assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
    addPuppet(NULL, scene, makePuppet(NULL, sn_jointWeld), &start);
    return scene;
}

static void limpJointsClose(void** state)
{
    (void)state;
    snEnergyBalance b = closes("joints", makeLimp, 1);
    assert_true(b.out[sn_workDamping] > 1);
}

// Driving ---------------------------------------------------------------------

static snScene* makeDriven(double step, int32_t kind)
{
    snSceneDef def = sceneOf(step, false);
    snScene* scene = makeSceneOf(NULL, &def, makeBuiltin("worm"), NULL);
    driveWaves(scene, kind, 0.4, 0.5);
    return scene;
}

static snScene* makeFollowing(double step)
{
    return makeDriven(step, sn_driveTrajectory);
}

static snScene* makeServed(double step)
{
    return makeDriven(step, sn_driveServo);
}

static void drivesClose(void** state)
{
    (void)state;
    snEnergyBalance b = closes("driven arm", makeFollowing, 1);
    assert_true(work(&b, sn_workDrives) > 0.1 && work(&b, sn_workDamping) < -0.1);
    b = closes("servos", makeServed, 1);
    assert_true(b.in[sn_workDrives] > 0);
}

static snScene* makeDragged(double step)
{
    snSceneDef def = sceneOf(step, false);
    snMessage why;
    snDragDef drag;
    double zero = 0;
    snVec3 place = snV3(0.1, 0.3, 0.1);
    def.gravity = snV3(0, 0, 0);
    snScene* scene = makeSceneOf(NULL, &def, makeBuiltin("worm"), NULL);
    snDragDef_Init(&drag);
    drag.bone = 3;
    drag.key_count = 1;
    drag.times = &zero;
    drag.positions = &place;
    assert_ok(snScene_AddDrag(scene, 0, &drag, &why), why);
    return scene;
}

static void dragsClose(void** state)
{
    (void)state;
    snEnergyBalance b = closes("drags", makeDragged, 1);
    assert_true(b.in[sn_workDrags] > 0.1 && b.in[sn_workDrives] == 0);
}

static snScene* makeWindy(double step)
{
    snMessage why;
    snForceDef wind;
    snSceneDef def = sceneOf(step, false);
    const snShapeDef box = boxShape(snV3(0.1, 0.1, 0.1));
    snScene* scene = makeSceneOf(NULL, &def, makeBuiltin("worm"), NULL);
    addObstacle(scene, &box, poseAt(snV3(5, 0, 0)), 2, snV3(0, 0, 0), snV3(0, 0, 0));
    snForceDef_Init(&wind);
    wind.kind = sn_forceWind;
    wind.value = snV3(3, 0, 1);
    wind.rate = 2;
    assert_ok(snScene_AddForce(scene, &wind, &why), why);
    return scene;
}

static void fieldsClose(void** state)
{
    (void)state;
    snEnergyBalance b = closes("fields", makeWindy, 1);
    assert_true(b.in[sn_workFields] > 0.1 && b.in[sn_workDrives] == 0);
}

// Touching --------------------------------------------------------------------

static snScene* makeBounce(double step)
{
    snCharacterDef body;
    snStart start;
    snCharacterDef_Init(&body);
    body.cells = 200;
    body.material.damping = 5;
    body.material.young = 1e5;
    snStart_Init(&start);
    start.pose.p = snV3(0, 0.6, 0);
    start.spin = snV3(1, 0, 2);
    return makeBodied(step, true, &body, snV3(0.1, 0.1, 0.1), &start);
}

static snScene* makeViscous(double step)
{
    snCharacterDef body;
    snStart start;
    snCharacterDef_Init(&body);
    body.cells = 200;
    body.material.damping = 0;
    body.strain_damping = 1e-3;
    snStart_Init(&start);
    start.pose.p = snV3(0, 0.6, 0);
    return makeBodied(step, true, &body, snV3(0.1, 0.1, 0.1), &start);
}

static snScene* makeUndamped(double step)
{
    snCharacterDef body;
    snStart start;
    snCharacterDef_Init(&body);
    body.cells = 200;
    body.material.damping = 0;
    snStart_Init(&start);
    start.pose.p = snV3(0, 0.6, 0);
    return makeBodied(step, true, &body, snV3(0.1, 0.1, 0.1), &start);
}

static void bouncesClose(void** state)
{
    (void)state;
    snEnergyBalance b = closes("bounce", makeBounce, 1);
    assert_true(work(&b, sn_workContact) < 0 && work(&b, sn_workDamping) < 0);
    assert_true(b.in[sn_workContact] > 0); // it gave back
    assert_true(b.in[sn_workDamping] == 0);
    b = closes("strain-rate damping", makeViscous, 1);
    assert_true(work(&b, sn_workDamping) < -0.01 * b.in[sn_workGravity]);
    b = closes("undamped", makeUndamped, 1);
    assert_true(b.out[sn_workDamping] == 0);
}

static snScene* makeProjected(double step)
{
    snMessage why;
    snScene* scene = makeBounce(step);
    assert_ok(snScene_Set(scene, NULL, "contact", "projection", &why), why);
    return scene;
}

static void projectionCloses(void** state)
{
    (void)state;
    snEnergyBalance b = closes("projection", makeProjected, 1);
    assert_true(work(&b, sn_workContact) < 0);
}

// Flesh that knocks a box about: what contact takes from one and does not give to the other is
// lost.
static snScene* makeKnock(double step)
{
    snCharacterDef body;
    snStart start;
    snCharacterDef_Init(&body);
    body.cells = 200;
    snStart_Init(&start);
    start.pose.p = snV3(-0.5, 0.1, 0);
    start.velocity = snV3(3, 1, 0);
    snScene* scene = makeBodied(step, true, &body, snV3(0.1, 0.1, 0.1), &start);
    const snShapeDef box = boxShape(snV3(0.1, 0.15, 0.1));
    addObstacle(scene, &box, poseAt(snV3(0, 0.15, 0)), 4, snV3(0, 0, 0), snV3(0, 0, 0));
    return scene;
}

static void obstaclesClose(void** state)
{
    (void)state;
    closes("flesh and box", makeKnock, 1);
    snScene* scene = makeKnock(0);
    snSim* sim = startBalanced(scene);
    advance(sim, 1);
    const snEnergyBalance* box = snFrame_Obstacle(snSim_Frame(sim), 0)->balance;
    snEnergyBalance all = balanceOfAll(sim);
    assert_true(box->in[sn_workContact] > 0.1);
    assert_below(leftOver(box), 0.01);
    assert_true(work(&all, sn_workContact) < 0);
    snSim_Free(sim);
    snScene_Free(scene);
}

#define SLIDE_SPEED 2.0 // m/s
#define SLIDE_FRICTION 0.4

// A rigid box and a soft one that slide to a stop.
static snScene* makeSlides(double step)
{
    snCharacterDef body;
    snStart start;
    snSceneDef def = sceneOf(step, true);
    const snShapeDef box = boxShape(snV3(0.3, 0.05, 0.3));
    def.friction = SLIDE_FRICTION;
    snCharacterDef_Init(&body);
    body.cells = 200;
    body.material.young = 3e5;
    snStart_Init(&start);
    start.pose.p = snV3(0, 0.05, 0);
    start.velocity = snV3(SLIDE_SPEED, 0, 0);
    snScene* scene = makeSceneOf(NULL, &def, buildBlock(&body, snV3(0.3, 0.05, 0.3)), &start);
    addObstacle(scene, &box, poseAt(snV3(0, 0.05, 5)), 3, snV3(SLIDE_SPEED, 0, 0), snV3(0, 0, 0));
    return scene;
}

// Friction takes mu m g along the way, as long as they slide.
static void slidingDoesItsWork(void** state)
{
    (void)state;
    snScene* scene = makeSlides(0);
    snSim* sim = startBalanced(scene);
    snVec3 soft = snSim_Frame(sim)->characters[0].momentum.com;
    snVec3 hard = snSim_Frame(sim)->obstacles[0].momentum.com;
    advance(sim, 0.3);
    const snFrameCharacter* c = snFrame_Character(snSim_Frame(sim), 0);
    const snFrameObstacle* o = snFrame_Obstacle(snSim_Frame(sim), 0);
    double pull = SLIDE_FRICTION * SN_GRAVITY;
    assert_relative(work(o->balance, sn_workContact),
                    -pull * o->momentum.mass * (o->momentum.com.x - hard.x), 0.01, 0);
    assert_relative(work(c->balance, sn_workContact),
                    -pull * c->momentum.mass * (c->momentum.com.x - soft.x), 0.01, 0);
    assert_below(leftOver(o->balance), 0.01);
    assert_below(leftOver(c->balance), 0.03);
    snSim_Free(sim);
    snScene_Free(scene);
}

// Keeping ---------------------------------------------------------------------

// Whoever is looked at does the same; who is not has no balance.
static void lookingChangesNothing(void** state)
{
    (void)state;
    snMessage why;
    snEnergyBalance none;
    snScene* scenes[2] = {makeKnock(0), makeKnock(0)};
    snSim* sims[2] = {startBalanced(scenes[0]), startSim(scenes[1])};
    for (int i = 0; i < 2; ++i) {
        advance(sims[i], 0.5);
    }
    assert_true(snSim_Hash(sims[0]) == snSim_Hash(sims[1]));
    const snFrame* frame = snSim_Frame(sims[1]);
    assert_null(frame->characters[0].balance);
    assert_null(frame->obstacles[0].balance);
    assert_int_equal(snFrame_Balance(frame, &none), 0);
    assert_int_equal(snFrame_Balance(NULL, &none), 0);
    snWantDef def; // wanted later it begins then
    snWantDef_Init(&def);
    def.wanted = sn_wantedBalance;
    assert_ok(snSim_Want(sims[1], 0, &def, &why), why);
    assert_true(snSim_Frame(sims[1])->characters[0].balance->turnover == 0);
    assert_true(snSim_Frame(sims[1])->characters[0].balance->start > 0);
    advance(sims[1], 0.2);
    snEnergyBalance all = balanceOfAll(sims[1]);
    assert_below(leftOver(&all), 0.03);
    for (int i = 0; i < 2; ++i) {
        snSim_Free(sims[i]);
        snScene_Free(scenes[i]);
    }
    assert_string_equal(snWorkKind_Name(sn_workContact), "contact");
    assert_null(snWorkKind_Name(sn_workCount));
    assert_null(snWorkKind_Name(-1));
}

// Saved with the state.
static void balancesAreState(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = makeKnock(0);
    snSim* sim = startBalanced(scene);
    size_t size = snSim_StateSize(sim);
    void* saved = malloc(size);
    advance(sim, 0.3);
    snSim_Save(sim, saved);
    advance(sim, 0.3);
    snEnergyBalance once = balanceOfAll(sim);
    assert_ok(snSim_Restore(sim, saved, size, &why), why);
    advance(sim, 0.3);
    snEnergyBalance twice = balanceOfAll(sim);
    assert_memory_equal(&once, &twice, sizeof once);
    free(saved);
    snSim_Free(sim);
    snScene_Free(scene);
}

// Steps that came to nothing have done no work.
static void failuresAreForgotten(void** state)
{
    (void)state;
    snMessage why;
    snSceneDef def = sceneOf(0, false);
    snScene* scene = makeSceneOf(NULL, &def, makeBuiltin("worm"), NULL);
    driveWaves(scene, sn_driveTrajectory, 0.4, 0.5);
    snSim* sim = startBalanced(scene);
    advance(sim, 0.2);
    snEnergyBalance good = balanceOfAll(sim);
    setValue(scene, 0, sn_driveTorque, 2, 1e12);
    assert_refused(snSim_Advance(sim, 0.1, &why), sn_errorNumeric, why, "worm");
    snEnergyBalance back = balanceOfAll(sim);
    assert_memory_equal(&good, &back, sizeof good);
    snSim_Free(sim);
    snScene_Free(scene);
}

// Energy that no work explains is found.
static void gainsAreFound(void** state)
{
    (void)state;
    snScene* scene = makeFall(0);
    snSim* sim = startBalanced(scene);
    advance(sim, 0.1);
    assert_int_equal(snSim_Frame(sim)->finding_count, 0);
    snAccount* account =
        snSurroundings_Account(&sim->data->around, snSim_Slices(sim->state), false, 0);
    double missing = 0.5 * snSim_Frame(sim)->characters[0].balance->turnover;
    account->start -= missing;
    snSim_Changed(sim);
    const snFinding* f = snFrame_Finding(snSim_Frame(sim), 0);
    assert_non_null(f);
    assert_int_equal(f->kind, sn_findingEnergy);
    assert_relative(f->figure, missing, 1e-3, 0);
    assert_string_equal(f->unit, "J");
    assert_non_null(strstr(f->text, "from nowhere"));
    snSim_Free(sim);
    snScene_Free(scene);
}

// What hosts do is a work of its own.
static void hostsDoWork(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = makeKnock(0);
    snSim* sim = startBalanced(scene);
    size_t size = snSim_SliceSize(sim, 0);
    void* slice = malloc(size);
    advance(sim, 0.1);
    assert_ok(snSim_SaveSlice(sim, 0, slice, &why), why);
    assert_ok(snSim_Push(sim, 0, snV3(0, 0.2, 0), snV3(0, 8, 0), 1, &why), why);
    assert_ok(snSim_PushObstacle(sim, 0, snV3(0, 0.15, 0), snV3(0, 0, 6), &why), why);
    const snFrame* frame = snSim_Frame(sim);
    double pushed = work(frame->characters[0].balance, sn_workHost);
    assert_true(pushed > 1);
    assert_relative(work(frame->obstacles[0].balance, sn_workHost), 0.5 * 36 / 4, 0.1, 0);
    advance(sim, 0.1);
    snTransform by = {{0, 3, 5}, {0, 0, 0, 1}};
    assert_ok(snSim_Teleport(sim, 0, by, &why), why);
    assert_relative(work(snSim_Frame(sim)->characters[0].balance, sn_workHost), pushed, 1e-3, 0);
    advance(sim, 0.1);
    assert_ok(snSim_RestoreSlice(sim, 0, slice, size, &why), why);
    advance(sim, 0.1);
    snEnergyBalance all = balanceOfAll(sim);
    assert_below(leftOver(&all), 0.01);
    assert_ok(snSim_Shift(sim, snV3(0, 100, 0), &why), why);
    assert_close(snSim_Frame(sim)->characters[0].balance->rest, 0, 0.01 * all.turnover);
    free(slice);
    snSim_Free(sim);
    snScene_Free(scene);
}

// Who comes later has a balance of his own, and those of the others go on.
static void balancesAreCarried(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = makeKnock(0);
    snSim* sim = startBalanced(scene);
    advance(sim, 0.2);
    snEnergyBalance before = *snSim_Frame(sim)->characters[0].balance;
    snEnergyBalance box = *snSim_Frame(sim)->obstacles[0].balance;
    snStart start;
    snStart_Init(&start);
    start.pose.p = snV3(0, 1, 5);
    snCharacter* other = makeBlock(snV3(0.1, 0.1, 0.1), 100);
    assert_ok(snSim_Add(sim, other, &start, NULL, &why), why);
    snCharacter_Release(other);
    assert_memory_equal(snSim_Frame(sim)->characters[0].balance, &before, sizeof before);
    assert_memory_equal(snSim_Frame(sim)->obstacles[0].balance, &box, sizeof box);
    assert_null(snSim_Frame(sim)->characters[1].balance);
    assert_ok(snSim_Remove(sim, 1, &why), why);
    advance(sim, 0.2);
    snEnergyBalance all = balanceOfAll(sim);
    assert_below(leftOver(&all), 0.03);
    snSim_Free(sim);
    snScene_Free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fallsClose),
        cmocka_unit_test(pendulumsClose),
        cmocka_unit_test(limpJointsClose),
        cmocka_unit_test(drivesClose),
        cmocka_unit_test(dragsClose),
        cmocka_unit_test(fieldsClose),
        cmocka_unit_test(bouncesClose),
        cmocka_unit_test(projectionCloses),
        cmocka_unit_test(obstaclesClose),
        cmocka_unit_test(slidingDoesItsWork),
        cmocka_unit_test(lookingChangesNothing),
        cmocka_unit_test(balancesAreState),
        cmocka_unit_test(failuresAreForgotten),
        cmocka_unit_test(gainsAreFound),
        cmocka_unit_test(hostsDoWork),
        cmocka_unit_test(balancesAreCarried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
