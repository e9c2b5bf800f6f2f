// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// A body's def as JSON: what is written reads back to the same def, what is not said has its
// default, mistakes get their place and a remedy, and no memory is lost when it runs out.
#include "check.h"

#include <sinew/body.h>

#include "base/memory.h"

static snStatus parse(const char* text, snBodyFile** file, snMessage* why)
{
    return snBodyFile_Parse(NULL, text, strlen(text), "hero.sinew.json", file, why);
}

static void everythingComesBack(void** state)
{
    (void)state;
    static const char* const SOFT[] = {"belly*", "\"quoted\" \\ name"};
    static const char* const RIGID[] = {"*armour*"};
    snBodyDef def;
    snBodyDef_Init(&def);
    int i = 0;
    for (const snBodyControl* c = snBodyControls(); c->name; ++c) {
        // an odd place in the range, which needs all digits
        *snBodyDef_Number(&def, c) = c->low + (c->high - c->low) * (1 + ++i) / 12.7;
    }
    def.quality = sn_qualityFine;
    def.soft = SOFT;
    def.soft_count = 2;
    def.rigid = RIGID;
    def.rigid_count = 1;
    def.paint = "COLOR_0";
    snMessage why;
    snBodyFile* file;
    assert_ok(snBodyDef_Save(&def, "all.sinew.json", &why), why);
    assert_ok(snBodyFile_Load(NULL, "all.sinew.json", &file, &why), why);
    snBodyDef back = *snBodyFile_Def(file);
    for (const snBodyControl* c = snBodyControls(); c->name; ++c) {
        assert_true(*snBodyDef_Number(&back, c) == *snBodyDef_Number(&def, c));
    }
    assert_int_equal(back.quality, sn_qualityFine);
    assert_int_equal(back.soft_count, 2);
    assert_int_equal(back.rigid_count, 1);
    assert_string_equal(back.soft[0], SOFT[0]);
    assert_string_equal(back.soft[1], SOFT[1]);
    assert_string_equal(back.rigid[0], RIGID[0]);
    assert_string_equal(back.paint, "COLOR_0");
    snBodyFile_Free(file);
    remove("all.sinew.json");
}

static void whatIsNotSaidHasItsDefault(void** state)
{
    (void)state;
    snMessage why;
    snBodyFile* file;
    snBodyDef usual;
    snBodyDef_Init(&usual);
    assert_ok(parse("{\"limit\": 0.5, \"soft\": []}", &file, &why), why);
    snBodyDef def = *snBodyFile_Def(file);
    assert_true(def.limit == 0.5);
    def.limit = usual.limit;
    def.soft = NULL;
    assert_memory_equal(&def, &usual, sizeof def);
    snBodyFile_Free(file);

    // defaults that the library finds are not pinned by a file
    assert_ok(snBodyDef_Save(&usual, "usual.sinew.json", &why), why);
    assert_ok(snBodyFile_Load(NULL, "usual.sinew.json", &file, &why), why);
    def = *snBodyFile_Def(file);
    def.soft = def.rigid = NULL;
    assert_memory_equal(&def, &usual, sizeof def);
    snBodyFile_Free(file);
    remove("usual.sinew.json");
}

static void defaultsAreTheTables(void** state)
{
    (void)state;
    snBodyDef def;
    snBodyDef_Init(&def);
    for (const snBodyControl* c = snBodyControls(); c->name; ++c) {
        assert_true(*snBodyDef_Number(&def, c) == c->usual);
        assert_true(c->low < c->high && c->about[0]);
    }
}

static void mistakesAreExplained(void** state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } CASES[] = {
        {"", "hero.sinew.json: line 1, column 1"},
        {"[]", "give an object"},
        {"{\"sofness\": 3}", "column 2: a body has no key \"sofness\"; did you mean \"softness\"?"},
        {"{\n  \"softness\": 0.1}", "line 2, column 3: \"softness\" is 0.1; give a number from 0.5 "
                                    "to 50 Hz"},
        {"{\"limit\": \"much\"}", "\"limit\" is \"much\"; give a number from 0.01 to 1"},
        {"{\"quality\": \"fin\"}", "did you mean \"fine\"?"},
        {"{\"soft\": \"belly\"}", "give an array of 0 to 1000 entries"},
        {"{\"rigid\": [\"a\", 3]}", "is 3; give a text"},
        {"{\"softness\": 3, \"softness\": 4}", "softness"},
        {"{\"softness\": 3", "line 1, column"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        snMessage why;
        snBodyFile* file = (snBodyFile*)&why;
        assert_int_equal(parse(CASES[i].text, &file, &why), sn_errorFile);
        assert_null(file);
        if (!strstr(why.text, CASES[i].said)) {
            fail_msg("'%s': no '%s' in '%s'", CASES[i].text, CASES[i].said, why.text);
        }
    }
    snMessage why;
    snBodyFile* file;
    assert_int_equal(snBodyFile_Load(NULL, "none.sinew.json", &file, &why), sn_errorIo);
    snBodyDef def;
    snBodyDef_Init(&def);
    def.limit = 3;
    assert_int_equal(snBodyDef_Save(&def, "bad.sinew.json", &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "limit must lie in 0.01..1"));
    assert_int_equal(snBodyDef_Save(NULL, "bad.sinew.json", &why), sn_errorArgument);
}

typedef struct Ration {
    int left, out;
} Ration;

static void* allocate(void* user, size_t bytes, size_t alignment)
{
    Ration* r = user;
    if (r->left-- <= 0) {
        return NULL;
    }
    ++r->out;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void release(void* user, void* memory, size_t bytes)
{
    (void)bytes;
    --((Ration*)user)->out;
    free(memory);
}

static void memoryMayRunOut(void** state)
{
    (void)state;
    static const char TEXT[] = "{\"soft\": [\"a\", \"b\"], \"rigid\": [\"c\"], \"paint\": \"_X\"}";
    snStatus status = sn_errorMemory;
    for (int most = 0; status; ++most) {
        Ration ration = {most, 0};
        snHost host;
        snHost_Init(&host);
        host.user = &ration;
        host.allocate = allocate;
        host.release = release;
        snMessage why;
        snBodyFile* file;
        status = snBodyFile_Parse(&host, TEXT, sizeof TEXT - 1, "x", &file, &why);
        assert_true(status == sn_ok || status == sn_errorMemory);
        snBodyFile_Free(file);
        assert_int_equal(ration.out, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everythingComesBack),  cmocka_unit_test(whatIsNotSaidHasItsDefault),
        cmocka_unit_test(defaultsAreTheTables), cmocka_unit_test(mistakesAreExplained),
        cmocka_unit_test(memoryMayRunOut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
