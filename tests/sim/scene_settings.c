// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Settings of methods in scenes, and requests that a method does not do.
#include "method/explicit/explicit.h"
#include "sim/puppet.h"
#include "sim/scene.h"

// The explicit method under another name, with more settings and fewer capabilities.
static snSetting more[24];
static snMethod lame;

static int makeLame(void** state)
{
    (void)state;
    static char names[20][8];
    int32_t count = 0;
    lame = snExplicit;
    lame.name = "lame";
    lame.does = sn_doesTwoWay | sn_doesDynamic;
    lame.settings = more;
    for (const snSetting* s = snExplicit.settings; s->name; ++s) {
        more[count++] = *s;
    }
    more[2].name = "touch"; // contact
    more[count++] = (snSetting){.name = "mood",
                                .scope = sn_scopeCharacter,
                                .kind = sn_settingFlag,
                                .unit = "",
                                .preset = "true",
                                .about = "of each"};
    for (int32_t i = 0; i < 12; ++i) {
        snprintf(names[i], sizeof names[i], "knob%d", (int)i);
        more[count++] = (snSetting){.name = names[i],
                                    .kind = sn_settingNumber,
                                    .unit = "m",
                                    .high = 100,
                                    .preset = "1",
                                    .about = "a knob"};
    }
    return 0;
}

static void settingsAreKept(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = makePuppetScene(NULL, NULL, 1);
    assert_string_equal(snScene_Get(scene, NULL, "integrator"), "midpoint");
    assert_ok(snScene_Set(scene, NULL, "integrator", "euler", &why), why);
    assert_ok(snScene_Set(scene, "explicit", "keep_momentum", "false", &why), why);
    assert_string_equal(snScene_Get(scene, "explicit", "integrator"), "euler");
    assert_string_equal(snScene_Get(scene, NULL, "keep_momentum"), "false");
    assert_string_equal(snScene_Get(scene, NULL, "contact"), "penalty");
    // another def leaves them; the last word counts
    snSceneDef def = *snScene_Def(scene);
    def.duration = 1;
    assert_ok(snScene_SetDef(scene, &def, &why), why);
    assert_string_equal(snScene_Get(scene, NULL, "integrator"), "euler");
    assert_ok(snScene_Set(scene, NULL, "integrator", "midpoint", &why), why);
    assert_string_equal(snScene_Get(scene, NULL, "integrator"), "midpoint");
    assert_null(snScene_Get(scene, NULL, "nothing"));
    assert_null(snScene_Get(scene, "magic", "integrator"));
    assert_null(snScene_Get(scene, NULL, NULL));
    assert_null(snScene_Get(NULL, NULL, "integrator"));
    snScene_Free(scene);
}

static void wrongSettingsChangeNothing(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = makePuppetScene(NULL, NULL, 1);
    assert_ok(snScene_Set(scene, NULL, "integrator", "euler", &why), why);
    assert_refused(snScene_Set(scene, NULL, "integrater", "euler", &why), sn_errorArgument, why,
                   "method 'explicit' has no setting 'integrater'; did you mean 'integrator'?");
    assert_refused(snScene_Set(scene, "explict", "integrator", "euler", &why), sn_errorUnsupported,
                   why, "there is no method 'explict' in this version; did you mean 'explicit'?");
    assert_refused(snScene_Set(scene, NULL, "integrator", "rk4", &why), sn_errorArgument, why,
                   "method 'explicit': 'integrator' takes midpoint or euler, found 'rk4'");
    assert_refused(snScene_Set(scene, NULL, "keep_momentum", "yes", &why), sn_errorArgument, why,
                   "'keep_momentum' takes true or false, found 'yes'");
    assert_int_equal(snScene_Set(NULL, NULL, "integrator", "euler", &why), sn_errorArgument);
    assert_int_equal(snScene_Set(scene, NULL, NULL, "euler", &why), sn_errorArgument);
    assert_int_equal(snScene_Set(scene, NULL, "integrator", NULL, &why), sn_errorArgument);
    snSim* sim = startSim(scene);
    assert_refused(snScene_Set(scene, NULL, "integrator", "midpoint", &why), sn_errorArgument, why,
                   "free the scene's sims");
    snSim_Free(sim);
    assert_string_equal(snScene_Get(scene, NULL, "integrator"), "euler");
    snScene_Free(scene);
}

// Each setting gives another model, and so another hash; a default that is spelled out does not.
static void settingsAreHashed(void** state)
{
    (void)state;
    static const char* const SETTINGS[][2] = {{"integrator", "midpoint"},
                                              {"integrator", "euler"},
                                              {"keep_momentum", "false"},
                                              {"contact", "projection"}};
    uint64_t hashes[4];
    for (int i = 0; i < 4; ++i) {
        snMessage why;
        snScene* scene = makePuppetScene(NULL, NULL, 1);
        snSim* sim = startSim(scene);
        uint64_t plain = snSim_Hash(sim);
        snSim_Free(sim);
        assert_ok(snScene_Set(scene, NULL, SETTINGS[i][0], SETTINGS[i][1], &why), why);
        sim = startSim(scene);
        hashes[i] = snSim_Hash(sim);
        assert_true((hashes[i] == plain) == (i == 0));
        snSim_Free(sim);
        snScene_Free(scene);
        for (int k = 0; k < i; ++k) {
            assert_true(hashes[i] != hashes[k]);
        }
    }
}

// Settings of a method that does not run are checked and wait.
static void othersWait(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = makePuppetScene(NULL, NULL, 1);
    snScene_UseMethod(scene, &lame);
    assert_string_equal(snScene_Def(scene)->method, "lame");
    assert_ok(snScene_Set(scene, "explicit", "integrator", "euler", &why), why);
    assert_refused(snScene_Set(scene, "explicit", "integrator", "rk4", &why), sn_errorArgument, why,
                   "method 'explicit': 'integrator' takes");
    assert_string_equal(snScene_Get(scene, NULL, "integrator"), "midpoint");
    for (int i = 0; i < 12; ++i) { // more than there was room for at first
        char name[16], value[16];
        snprintf(name, sizeof name, "knob%d", i);
        snprintf(value, sizeof value, "%d.50", i);
        assert_ok(snScene_Set(scene, "lame", name, value, &why), why);
        int32_t at = snSettings_Find(more, name);
        assert_close(scene->world.settings.value[at], i + 0.5, 0);
        assert_string_equal(snScene_Get(scene, NULL, name), value);
    }
    assert_refused(snScene_Set(scene, NULL, "knob3", "101", &why), sn_errorArgument, why,
                   "method 'lame': 'knob3' takes a number from 0 to 100 m, found '101'");
    assert_refused(snScene_Set(scene, NULL, "contact", "penalty", &why), sn_errorArgument, why,
                   "method 'lame' has no setting 'contact'; method 'explicit' has one");
    assert_refused(snScene_Set(scene, NULL, "mood", "true", &why), sn_errorUnsupported, why,
                   "method 'lame': 'mood' is a setting of each character");
    // a def that names the running method keeps it
    snSceneDef def = *snScene_Def(scene);
    assert_ok(snScene_SetDef(scene, &def, &why), why);
    assert_true(scene->method == &lame);
    assert_close(scene->world.settings.value[snSettings_Find(more, "knob7")], 7.5, 0);
    snScene_UseMethod(scene, &snExplicit);
    assert_string_equal(snScene_Get(scene, NULL, "integrator"), "euler");
    assert_close(scene->world.settings.value[0], 1, 0);
    snScene_Free(scene);
}

// Requests --------------------------------------------------------------------

static void askGround(snScene* scene)
{
    snSceneDef def = *snScene_Def(scene);
    snMessage why;
    def.ground = 1;
    assert_ok(snScene_SetDef(scene, &def, &why), why);
}

static void askSleep(snScene* scene)
{
    snSceneDef def = *snScene_Def(scene);
    snMessage why;
    def.sleep = 1;
    assert_ok(snScene_SetDef(scene, &def, &why), why);
}

static void askEvents(snScene* scene)
{
    snSceneDef def = *snScene_Def(scene);
    snMessage why;
    def.events = 8;
    assert_ok(snScene_SetDef(scene, &def, &why), why);
}

static void askObstacle(snScene* scene, double mass)
{
    const snShapeDef ball = {
        .kind = sn_shapeSphere, .pose = {{0, 0, 0}, {0, 0, 0, 1}}, .radius = 1};
    snObstacleDef def;
    snObstacleDef_Init(&def);
    def.shape_count = 1;
    def.shapes = &ball;
    def.mass = mass;
    snMessage why;
    assert_ok(snScene_AddObstacle(scene, &def, NULL, &why), why);
}

static void askFixed(snScene* scene)
{
    askObstacle(scene, 0);
}

static void askMovable(snScene* scene)
{
    askObstacle(scene, 2);
}

static void askField(snScene* scene)
{
    snForceDef def;
    snForceDef_Init(&def);
    snMessage why;
    assert_ok(snScene_AddForce(scene, &def, &why), why);
}

static void askDrag(snScene* scene)
{
    snDragDef def;
    snDragDef_Init(&def);
    const double time = 0;
    const snVec3 place = {0, 0, 0};
    def.key_count = 1;
    def.times = &time;
    def.positions = &place;
    snMessage why;
    assert_ok(snScene_AddDrag(scene, 0, &def, &why), why);
}

static void scenesThatAskForMore(void** state)
{
    (void)state;
    static const struct {
        void (*ask)(snScene* scene);
        uint32_t besides;
        const char* said;
    } CASES[] = {
        {askGround, 0,
         "method 'lame' has no 'ground' (contact with the ground); method 'explicit'"},
        {askSleep, 0, "has no 'sleep'"},
        {askEvents, 0, "has no 'events'"},
        {askFixed, 0, "has no 'obstacles'"},
        {askMovable, sn_doesObstacles, "has no 'movable obstacles'"},
        {askField, 0, "has no 'fields'"},
        {askDrag, 0, "has no 'drags'"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        snMethod weak = lame;
        weak.does |= CASES[i].besides;
        snScene* scene = makePuppetScene(NULL, NULL, 1);
        snScene_UseMethod(scene, &weak);
        CASES[i].ask(scene);
        snSim* sim = NULL;
        snMessage why;
        assert_refused(snSim_Create(scene, &sim, &why), sn_errorUnsupported, why, CASES[i].said);
        assert_null(sim);
        snScene_UseMethod(scene, &snExplicit);
        assert_ok(snSim_Create(scene, &sim, &why), why);
        snSim_Free(sim);
        snScene_Free(scene);
    }
}

static void simsThatAskForMore(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = makePuppetScene(NULL, NULL, 1);
    snScene_UseMethod(scene, &lame);
    snSim* sim = startSim(scene);
    uint64_t hash = snSim_Hash(sim);
    snTransform by = {{0, 0, 0}, {0, 0, 0, 1}};
    snVec3 none = {0, 0, 0};
    snForceDef field;
    snForceDef_Init(&field);
    assert_refused(
        snSim_Push(sim, 0, none, none, 1, &why), sn_errorUnsupported, why,
        "method 'lame' has no 'push' (impulses between steps); method 'explicit' has it");
    assert_refused(snSim_Teleport(sim, 0, by, &why), sn_errorUnsupported, why, "no 'teleport'");
    assert_refused(snSim_Remove(sim, 0, &why), sn_errorUnsupported, why, "no 'coming and going'");
    assert_refused(snScene_AddForce(scene, &field, &why), sn_errorUnsupported, why, "no 'fields'");
    assert_true(snSim_Hash(sim) == hash);
    advance(sim, 0.05);
    snSim_Free(sim);
    snScene_Free(scene);
}

// An obstacle that comes later asks for what the method must do, too.
static void changesThatAskForMore(void** state)
{
    (void)state;
    snMessage why;
    snMethod changing = lame;
    changing.does |= sn_doesChange;
    snScene* scene = makePuppetScene(NULL, NULL, 1);
    snScene_UseMethod(scene, &changing);
    snSim* sim = startSim(scene);
    const snShapeDef ball = {
        .kind = sn_shapeSphere, .pose = {{0, 0, 0}, {0, 0, 0, 1}}, .radius = 1};
    snObstacleDef def;
    snObstacleDef_Init(&def);
    def.shape_count = 1;
    def.shapes = &ball;
    assert_refused(snSim_AddObstacle(sim, &def, NULL, &why), sn_errorUnsupported, why,
                   "no 'obstacles'");
    assert_int_equal(snScene_ObstacleCount(scene), 0);
    advance(sim, 0.05);
    snSim_Free(sim);
    snScene_Free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settingsAreKept),       cmocka_unit_test(wrongSettingsChangeNothing),
        cmocka_unit_test(settingsAreHashed),     cmocka_unit_test(othersWait),
        cmocka_unit_test(scenesThatAskForMore),  cmocka_unit_test(simsThatAskForMore),
        cmocka_unit_test(changesThatAskForMore),
    };
    return cmocka_run_group_tests(tests, makeLame, NULL);
}
