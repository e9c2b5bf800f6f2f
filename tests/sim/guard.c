// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// The guard: steps that are too long become shorter and long again, what cannot go on stops, good
// runs are left alone, and no frame ever holds a number that is none.
#include "sim/violence.h"

#define CALM_FRAMES 30 // that sim.h promises

// Steps -----------------------------------------------------------------------

// A scene of a skeleton that does nothing wrong and a worm let go bent.
static snScene* makeBent(double h, double angle)
{
    snMessage why;
    snSceneDef def = sceneDef(1 / h, h, 0);
    snScene* scene = NULL;
    snStart start;
    double q[PUPPET_MOST];
    assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
    addPuppet(NULL, scene, makeSingle(sn_jointFree), NULL);
    snCharacter* worm = makeBuiltin("worm");
    bendPose(snCharacter_Skeleton(worm), angle, q);
    snStart_Init(&start);
    start.q = q;
    assert_ok(snScene_Add(scene, worm, &start, NULL, &why), why);
    snCharacter_Release(worm);
    return scene;
}

static double stableStep(void)
{
    snCharacter* worm = makeBuiltin("worm");
    double h = snCharacter_Flesh(worm)->stable_step;
    snCharacter_Release(worm);
    return h;
}

// Steps three times too long: the guard shortens them, tries longer ones again and again, and the
// run goes on.
static void tooLongStepsAreShortened(void** state)
{
    (void)state;
    double h = 3 * stableStep();
    snScene* scene = makeBent(h, 0.3);
    snSim* sim = startSim(scene);
    snGuardCounts last = {.character = -1, .bone = -1};
    int calm = 0, lowered = 0;
    for (int i = 1; i <= 900; ++i) {
        advance(sim, h);
        const snFrame* frame = snSim_Frame(sim);
        snGuardCounts now = frame->guard;
        assert_true(isFrameFinite(frame));
        assert_relative(frame->time, i * h, 1e-12, 0);
        assert_relative(frame->step_size, h / (1 << now.level), 1e-12, 0);
        if (now.retries > last.retries) {
            calm = now.level > 0;
            // the frame may count as the last calm one before it lowers the level
            assert_int_equal(now.level, last.level + (now.retries - last.retries));
            assert_int_equal(now.character, 1);
            assert_true(now.time >= (i - 1) * h - 1e-9 && now.time <= i * h + 1e-9);
        } else if (now.level > 0 || last.level > 0) {
            calm++;
            // each further trouble doubles the wait
            int wait = CALM_FRAMES << (now.retries < 8 ? now.retries - 1 : 7);
            assert_int_equal(now.level, last.level - (calm == wait));
            lowered += calm == wait;
            calm = calm == wait ? 0 : calm;
        }
        last = now;
    }
    print_message(
        "h %.1f ms: %d retries, steps tried longer again %d times, last trouble at %.3f s\n",
        1e3 * h, (int)last.retries, lowered, last.time);
    assert_true(last.retries > 2 && lowered > 1);
    assert_true(snSim_Frame(sim)->step > 900);
    snSim_Free(sim);
    snScene_Free(scene);
}

// After a blow the steps grow back to what they were.
static void stepsGrowBack(void** state)
{
    (void)state;
    double h = 0.5 * stableStep();
    snScene* scene = makeBent(h, 0.1);
    snSim* sim = startSim(scene);
    advance(sim, 10 * h);
    assert_int_equal(snSim_Frame(sim)->guard.retries, 0);
    setJump(scene, 1, sn_driveTrajectory);
    int most = 0;
    for (int i = 0; i < 400; ++i) {
        if (i == 5) {
            setValue(scene, 1, sn_driveFree, 2, 0);
        }
        advance(sim, h);
        const snFrame* frame = snSim_Frame(sim);
        assert_true(isFrameFinite(frame));
        most = frame->guard.level > most ? frame->guard.level : most;
    }
    snGuardCounts end = snSim_Frame(sim)->guard;
    print_message("a joint jumps: %d retries up to level %d, last trouble at %.3f of %.3f s, now "
                  "level %d\n",
                  (int)end.retries, most, end.time, snSim_Time(sim), end.level);
    assert_true(end.retries > 0 && most > 0);
    assert_int_equal(end.level, 0);
    assert_int_equal(end.character, 1);
    snSim_Free(sim);
    snScene_Free(scene);
}

// Nothing helps: the run stops with the last good frame as it was.
static void hopelessRunsStop(void** state)
{
    (void)state;
    snMessage why;
    snSceneDef def = sceneDef(60, 0, 1);
    snStart start;
    snStart_Init(&start);
    start.pose.p = snV3(0, 0.1, 0);
    snScene* scene = makeSceneOf(NULL, &def, makeBuiltin("worm"), &start);
    snSim* sim = startSim(scene);
    for (int i = 0; i < 12; ++i) {
        advance(sim, 1.0 / 60);
    }
    const snFrameCharacter* c = &snSim_Frame(sim)->characters[0];
    size_t bytes = 3 * (size_t)c->node_count * sizeof(float);
    float* nodes = malloc(bytes);
    memcpy(nodes, c->nodes, bytes);
    uint64_t good = snSim_Hash(sim);
    double time = snSim_Time(sim);
    advance(sim, 2 * snSim_Step(sim)); // between frames
    setValue(scene, 0, sn_driveTorque, 2, 1e12);
    assert_refused(snSim_Advance(sim, 0.1, &why), sn_errorNumeric, why, "worm");
    print_message("%s\n", why.text);
    assert_true(snSim_Hash(sim) == good);
    assert_close(snSim_Time(sim), time, 0);
    assert_true(isFrameFinite(snSim_Frame(sim)));
    assert_memory_equal(snSim_Frame(sim)->characters[0].nodes, nodes, bytes);
    // fine again when the cause is gone
    setValue(scene, 0, sn_driveFree, 2, 0);
    advance(sim, 0.1);
    assert_close(snSim_Time(sim), time + 0.1, 1e-12);
    free(nodes);
    snSim_Free(sim);
    snScene_Free(scene);
}

static void goodRunsAreLeftAlone(void** state)
{
    (void)state;
    static const char* const NAMES[] = {"starfish_fall", "starfish_float", "worm_fall"};
    for (int i = 0; i < 3; ++i) {
        snScene* scene = NULL;
        snMessage why;
        assert_ok(snBuiltinScene_Find(NAMES[i])->make(NULL, &scene, &why), why);
        snSim* sim = startSim(scene);
        for (int k = 0; k < 90; ++k) { // they have landed; scenes/flesh.c goes on to the end
            advance(sim, 1.0 / 60);
            assert_true(isFrameFinite(snSim_Frame(sim)));
        }
        snGuardCounts end = snSim_Frame(sim)->guard;
        print_message("%s: %d retries in %.1f s\n", NAMES[i], (int)end.retries, snSim_Time(sim));
        assert_int_equal(end.retries, 0);
        assert_int_equal(end.level, 0);
        assert_int_equal(end.character, -1);
        snSim_Free(sim);
        snScene_Free(scene);
    }
}

// Violence --------------------------------------------------------------------

static snStatus endure(const char* what, snScene* scene, double seconds, double most)
{
    snSim* sim = startSim(scene);
    snStatus status = endureMore(what, sim, seconds, most);
    snSim_Free(sim);
    snScene_Free(scene);
    return status;
}

static snCharacter* makeBlockOf(double young, double density)
{
    snCharacterDef def;
    snCharacterDef_Init(&def);
    def.name = "block";
    def.cells = 100;
    def.material.young = young;
    def.material.density = density;
    return buildBlock(&def, snV3(0.1, 0.1, 0.1));
}

static void strangeMaterialRuns(void** state)
{
    (void)state;
    static const double YOUNG[] = {1e7, 30e3, 100, 1e7}, DENSITY[] = {1000, 1, 1000, 1};
    for (int i = 0; i < 4; ++i) {
        char what[64];
        snSceneDef def = sceneDef(60, 0, 1);
        snStart start;
        snStart_Init(&start);
        start.pose.p = snV3(0, 0.3, 0);
        start.spin = snV3(3, 1, 2);
        snprintf(what, sizeof what, "block of %g Pa, %g kg/m^3", YOUNG[i], DENSITY[i]);
        snScene* scene = makeSceneOf(NULL, &def, makeBlockOf(YOUNG[i], DENSITY[i]), &start);
        assert_int_equal(endure(what, scene, YOUNG[i] > 1e6 && DENSITY[i] < 2 ? 0.1 : 1, 4), sn_ok);
    }
}

static void wildStartsStayFinite(void** state)
{
    (void)state;
    static const char* const NAMES[] = {"worm", "starfish_coarse"};
    static const double SPINS[] = {30, 300, 1e4};
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 3; ++k) {
            char what[64];
            snSceneDef def = sceneDef(60, 0, 0);
            snStart start;
            snStart_Init(&start);
            start.spin = snV3(0.6 * SPINS[k], 0.8 * SPINS[k], 0);
            snprintf(what, sizeof what, "%s spun at %g rad/s", NAMES[i], SPINS[k]);
            snStatus status = endure(what, makeSceneOf(NULL, &def, makeBuiltin(NAMES[i]), &start),
                                     0.5, SPINS[k] > 30 ? 6 : 4);
            assert_true(status == sn_ok || SPINS[k] > 30);
        }
        snSceneDef def = sceneDef(60, 0, 1);
        snStart start;
        snStart_Init(&start);
        start.pose.p = snV3(0, 50, 0);
        start.spin = snV3(1, 0, 1);
        assert_int_equal(endure("dropped from 50 m",
                                makeSceneOf(NULL, &def, makeBuiltin(NAMES[i]), &start), 4.5, 4),
                         sn_ok);
    }
}

// guard_long.c goes on for longer
static void jumpsStayFinite(void** state)
{
    (void)state;
    checkJumps(0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tooLongStepsAreShortened), cmocka_unit_test(stepsGrowBack),
        cmocka_unit_test(hopelessRunsStop),         cmocka_unit_test(goodRunsAreLeftAlone),
        cmocka_unit_test(strangeMaterialRuns),      cmocka_unit_test(wildStartsStayFinite),
        cmocka_unit_test(jumpsStayFinite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
