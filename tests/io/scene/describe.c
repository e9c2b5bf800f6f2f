// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The description of methods and defs: JSON that our own reader takes, and ranges that the library
// keeps to.
#include "base/json.h"
#include "io/scene/defs.h"
#include "sim/puppet.h"

#include <sinew/sinew.h>

typedef struct Description {
    snArena arena;
    const snJson* root;
} Description;

static Description describe(const char* what)
{
    Description d;
    snMessage why;
    size_t length = 0;
    assert_ok(snDescribe(NULL, what, NULL, 0, &length, &why), why);
    char* text = malloc(length + 1);
    assert_ok(snDescribe(NULL, what, text, length + 1, NULL, &why), why);
    assert_int_equal(strlen(text), length);
    snHost host;
    snHost_Init(&host);
    snArena_Init(&d.arena, &host);
    assert_ok(snJson_Parse(&d.arena, text, length, &d.root, &why), why);
    free(text);
    return d;
}

static const snJson* named(const snJson* list, const char* name)
{
    for (const snJson* m = list->child; m; m = m->next) {
        if (strcmp(snJson_Get(m, "name")->string, name) == 0) {
            return m;
        }
    }
    fail_msg("there is no '%s'", name);
    return NULL;
}

static double numberOf(const snJson* object, const char* key)
{
    const snJson* m = snJson_Get(object, key);
    assert_non_null(m);
    assert_int_equal(m->kind, sn_jsonNumber);
    return m->number;
}

static const char* textOf(const snJson* object, const char* key)
{
    const snJson* m = snJson_Get(object, key);
    assert_non_null(m);
    assert_int_equal(m->kind, sn_jsonString);
    return m->string;
}

static void methodsAreWhole(void** state)
{
    (void)state;
    Description d = describe(NULL);
    const snJson* methods = snJson_Get(d.root, "methods");
    assert_int_equal(methods->count, snMethod_Count());
    const snJson* method = named(methods, "explicit");
    assert_string_equal(textOf(method, "about"), snMethod_About("explicit"));
    const snJson* does = snJson_Get(method, "does");
    assert_string_equal(does->child->string, "one-way");
    assert_true(does->count >= 10 && does->count < snJson_Get(d.root, "capabilities")->count);
    const snJson* setting = named(snJson_Get(method, "settings"), "integrator");
    assert_string_equal(textOf(setting, "kind"), "choice");
    assert_string_equal(textOf(setting, "scope"), "scene");
    assert_string_equal(textOf(setting, "default"), "midpoint");
    assert_int_equal(snJson_Get(setting, "choices")->count, 2);
    assert_string_equal(snJson_Get(setting, "choices")->child->next->string, "euler");
    setting = named(snJson_Get(method, "settings"), "keep_momentum");
    assert_int_equal(snJson_Get(setting, "default")->kind, sn_jsonBool);
    assert_true(snJson_Get(setting, "default")->boolean);
    snArena_Free(&d.arena);
}

static void defsAreWhole(void** state)
{
    (void)state;
    Description d = describe("all");
    const snJson* defs = snJson_Get(d.root, "defs");
    int32_t count = 0;
    for (; snDefs_At(count); ++count) {
        const snJson* def = named(defs, snDefs_At(count)->name);
        assert_true(textOf(def, "about")[0]);
        for (const snJson* f = snJson_Get(def, "fields")->child; f; f = f->next) {
            assert_true(textOf(f, "about")[0] && textOf(f, "type")[0]);
            assert_ptr_equal(named(snJson_Get(def, "fields"), textOf(f, "name")), f); // no twins
        }
    }
    assert_int_equal(defs->count, count);
    assert_null(snDefs_At(-1));
    snArena_Free(&d.arena);
}

static void fieldsSayWhatInitFills(void** state)
{
    (void)state;
    Description d = describe("snSceneDef");
    const snJson* fields = snJson_Get(d.root, "fields");
    assert_string_equal(textOf(d.root, "name"), "snSceneDef");
    const snJson* rate = named(fields, "frame_rate");
    assert_string_equal(textOf(rate, "type"), "number");
    assert_string_equal(textOf(rate, "unit"), "frames/s");
    assert_close(numberOf(rate, "low"), 1, 0);
    assert_close(numberOf(rate, "high"), 10000, 0);
    assert_close(numberOf(rate, "default"), 60, 0);
    const snJson* gravity = snJson_Get(named(fields, "gravity"), "default");
    assert_int_equal(gravity->count, 3);
    assert_close(snJson_At(gravity, 1)->number, -9.81, 0);
    assert_string_equal(textOf(named(fields, "method"), "default"), "explicit");
    assert_true(snJson_Get(named(fields, "self_contact"), "default")->boolean);
    snArena_Free(&d.arena);

    d = describe("snBodyDef"); // the controls among them
    const snJson* damping = named(snJson_Get(d.root, "fields"), "damping");
    assert_close(numberOf(damping, "default"), 0.2, 0);
    assert_close(numberOf(damping, "high"), 2, 0);
    const snJson* quality = named(snJson_Get(d.root, "fields"), "quality");
    assert_string_equal(textOf(quality, "default"), "normal");
    assert_int_equal(snJson_Get(quality, "choices")->count, sn_qualityCount);
    snArena_Free(&d.arena);

    d = describe("snDragDef");
    fields = snJson_Get(d.root, "fields");
    assert_int_equal(snJson_Get(named(fields, "end"), "default")->kind, sn_jsonNull); // infinite
    assert_null(snJson_Get(named(fields, "end"), "high"));
    assert_string_equal(textOf(named(fields, "positions"), "count"), "key_count");
    assert_null(snJson_Get(named(fields, "positions"), "default"));
    snArena_Free(&d.arena);

    d = describe("snWantDef");
    const snJson* wanted = named(snJson_Get(d.root, "fields"), "wanted");
    assert_string_equal(textOf(wanted, "type"), "bits");
    assert_close(numberOf(wanted, "default"), sn_wantedAll, 0);
    size_t bits = snJson_Get(wanted, "choices")->count;
    assert_int_equal(((uint32_t)1 << bits) - 1, sn_wantedAll); // a name for each
    assert_close(numberOf(named(snJson_Get(d.root, "fields"), "stride"), "default"), 12, 0);
    snArena_Free(&d.arena);
}

// Words of choices stand for as many numbers as there are.
static void choicesAreWhole(void** state)
{
    (void)state;
    static const struct {
        const char *def, *field;
        size_t count;
    } CASES[] = {
        {"snForceDef", "kind", sn_forceKindCount},        {"snBakeDef", "as", sn_bakeAsCount},
        {"snClipDef", "rest", sn_restKindCount},          {"snCharacterDef", "law", sn_lawCount},
        {"snDriveDef", "kind", sn_driveKindCount},        {"snBoneDef", "joint", sn_jointTypeCount},
        {"snShapeDef", "kind", sn_shapeKindCount},        {"snFollowDef", "motion", sn_motionCount},
        {"snCharacterDef", "diagonal", sn_diagonalCount}, {"snWantDef", "axes", sn_axesCount},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        Description d = describe(CASES[i].def);
        const snJson* f = named(snJson_Get(d.root, "fields"), CASES[i].field);
        assert_int_equal(snJson_Get(f, "choices")->count, CASES[i].count);
        snArena_Free(&d.arena);
    }
}

static void wrongCalls(void** state)
{
    (void)state;
    snMessage why;
    char text[64];
    size_t length = 0;
    assert_refused(snDescribe(NULL, "snScenDef", NULL, 0, NULL, &why), sn_errorArgument, why,
                   "there is no method and no def 'snScenDef'; did you mean 'snSceneDef'?");
    assert_refused(snDescribe(NULL, "explict", NULL, 0, NULL, &why), sn_errorArgument, why,
                   "did you mean 'explicit'?");
    assert_refused(snDescribe(NULL, "", NULL, 0, NULL, &why), sn_errorArgument, why,
                   "give the name of one, or all");
    assert_refused(snDescribe(NULL, "explicit", text, sizeof text, &length, &why), sn_errorArgument,
                   why, "found room for 64");
    assert_true(length > sizeof text);
    snHost host = {0};
    assert_int_equal(snDescribe(&host, NULL, NULL, 0, NULL, &why), sn_errorArgument);
}

// Ranges ----------------------------------------------------------------------

typedef union AnyDef {
    snSceneDef scene;
    snStart start;
    snObstacleDef obstacle;
    snForceDef force;
    snDriveDef drive;
    snDragDef drag;
    snDirectDef direct;
    snCharacterDef character;
} AnyDef;

static snStatus tryScene(AnyDef* def, snMessage* why)
{
    snScene* scene;
    snStatus status = snScene_Create(NULL, &def->scene, &scene, why);
    snScene_Free(scene);
    return status;
}

static snStatus tryStart(AnyDef* def, snMessage* why)
{
    snScene* scene = makePuppetScene(NULL, NULL, 1);
    snCharacter* puppet = (snCharacter*)(uintptr_t)snScene_Character(scene, 0);
    snStatus status = snScene_Add(scene, puppet, &def->start, NULL, why);
    snScene_Free(scene);
    return status;
}

static snStatus tryObstacle(AnyDef* def, snMessage* why)
{
    const snShapeDef ball = {
        .kind = sn_shapeSphere, .pose = {{0, 0, 0}, {0, 0, 0, 1}}, .radius = 1};
    snScene* scene = makePuppetScene(NULL, NULL, 1);
    def->obstacle.shapes = &ball;
    def->obstacle.shape_count = 1;
    snStatus status = snScene_AddObstacle(scene, &def->obstacle, NULL, why);
    snScene_Free(scene);
    return status;
}

static snStatus tryForce(AnyDef* def, snMessage* why)
{
    snScene* scene = makePuppetScene(NULL, NULL, 1);
    snStatus status = snScene_AddForce(scene, &def->force, why);
    snScene_Free(scene);
    return status;
}

static snStatus tryDrive(AnyDef* def, snMessage* why)
{
    snScene* scene = makePuppetScene(NULL, NULL, 1);
    def->drive.bone = PUPPET_KNEE;
    snStatus status = snScene_SetDrive(scene, 0, &def->drive, why);
    snScene_Free(scene);
    return status;
}

static snStatus tryDrag(AnyDef* def, snMessage* why)
{
    const double time = 0;
    const snVec3 place = {0, 0, 0};
    snScene* scene = makePuppetScene(NULL, NULL, 1);
    def->drag.key_count = 1;
    def->drag.times = &time;
    def->drag.positions = &place;
    snStatus status = snScene_AddDrag(scene, 0, &def->drag, why);
    snScene_Free(scene);
    return status;
}

static snStatus tryDirect(AnyDef* def, snMessage* why)
{
    snScene* scene = makePuppetScene(NULL, NULL, 1);
    snStatus status = snScene_SetDirect(scene, 0, &def->direct, why);
    snScene_Free(scene);
    return status;
}

static snStatus tryCharacter(AnyDef* def, snMessage* why)
{
    static const double VERTICES[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const int32_t TRIANGLES[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    snCharacter* c = NULL;
    def->character.vertex_count = def->character.triangle_count = 4;
    def->character.vertices = VERTICES;
    def->character.triangles = TRIANGLES;
    def->character.cell_size = 0.5;
    snStatus status = snCharacter_Build(NULL, &def->character, &c, why);
    snCharacter_Release(c);
    return status;
}

// Puts a number where the field is.
static void put(const snDefField* f, AnyDef* def, double value)
{
    char* at = (char*)def + f->offset;
    if (f->kind == sn_defInteger) {
        int32_t whole = (int32_t)value;
        memcpy(at, &whole, sizeof whole);
    } else if (f->kind == sn_defVector) {
        snVec3 v = {value, 0, 0};
        memcpy(at, &v, sizeof v);
    } else {
        memcpy(at, &value, sizeof value);
    }
}

// The ends of its range are taken, what is beyond is refused.
static void checkRange(const snDefTable* table, const snDefField* f,
                       snStatus (*attempt)(AnyDef*, snMessage*))
{
    const double ends[2] = {f->low, f->high};
    for (int i = 0; i < 2; ++i) {
        AnyDef def;
        snMessage why;
        double beyond = f->kind == sn_defInteger ? 1 : 1e-3 * fabs(ends[i]) + 1e-12;
        table->init(&def);
        put(f, &def, ends[i]);
        assert_ok(attempt(&def, &why), why);
        table->init(&def);
        put(f, &def, ends[i] + (i ? beyond : -beyond));
        if (attempt(&def, &why) != sn_errorArgument) {
            print_error("%s.%s goes beyond %g\n", table->name, f->name, ends[i]);
            fail();
        }
    }
}

static void rangesAreKept(void** state)
{
    (void)state;
    static const struct {
        const char* def;
        snStatus (*attempt)(AnyDef*, snMessage*);
        const char* fields; // with blanks around each; "" = all
    } CASES[] = {
        {"snSceneDef", tryScene, ""},
        {"snStart", tryStart, " velocity spin "},
        {"snObstacleDef", tryObstacle, " mass "},
        {"snForceDef", tryForce, " place value rate towards "},
        {"snDriveDef", tryDrive, " begin "},
        {"snDragDef", tryDrag, " point frequency weight turn_weight begin "},
        {"snDirectDef", tryDirect, " hold_frequency hold_weight "},
        {"snCharacterDef", tryCharacter, " bone_mass strain_damping lattice_shift "},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        int32_t t = 0, checked = 0;
        while (strcmp(snDefs_At(t)->name, CASES[i].def) != 0) {
            ++t;
        }
        const snDefTable* table = snDefs_At(t);
        assert_true(table->size <= sizeof(AnyDef));
        for (int32_t k = 0; k < table->count; ++k) {
            const snDefField* f = &table->fields[k];
            char word[64];
            snprintf(word, sizeof word, " %s ", f->name);
            bool numeric = f->kind <= sn_defInteger || f->kind == sn_defVector;
            if (numeric && (!CASES[i].fields[0] || strstr(CASES[i].fields, word))) {
                checkRange(table, f, CASES[i].attempt);
                ++checked;
            }
        }
        assert_true(checked > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methodsAreWhole),
        cmocka_unit_test(defsAreWhole),
        cmocka_unit_test(fieldsSayWhatInitFills),
        cmocka_unit_test(choicesAreWhole),
        cmocka_unit_test(wrongCalls),
        cmocka_unit_test(rangesAreKept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
