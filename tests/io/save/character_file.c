// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Characters from surfaces and tets.
#include "io/folder.h"

#include <sinew/io.h>

// A corner of a cube of 1 m: volume 1/6 m^3
#define CORNER "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"

static void writeText(const char* path, const char* text)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

// Without a def, the name is the file's.
static void test_name(void** state)
{
    (void)state;
    static const char* const paths[][2] = {{"corner.obj", "corner"},
                                           {"folder.d/corner.of.cube.obj", "corner.of.cube"},
                                           {"folder.d/corner", "corner"},
                                           {"folder.d/.obj", ".obj"}};
    mkdir("folder.d", 0700);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; ++i) {
        snMessage why;
        snCharacter* character;
        writeText(paths[i][0], CORNER);
        assert_ok(snCharacter_Load(NULL, paths[i][0], NULL, &character, &why), why);
        assert_string_equal(snCharacter_Name(character), paths[i][1]);
        assert_string_equal(why.text, "");
        snCharacter_Release(character);
    }
}

// All but the surface is the def's.
static void test_def(void** state)
{
    (void)state;
    snMessage why;
    snCharacter* character;
    snCharacterDef def;
    snCharacterDef_Init(&def);
    def.name = "wedge";
    def.cells = 100;
    def.material.density = 600;
    def.vertex_count = 77; // does not count
    writeText("corner.obj", CORNER);
    assert_ok(snCharacter_Load(NULL, "corner.obj", &def, &character, &why), why);
    const snFleshInfo* info = snCharacter_Flesh(character);
    assert_string_equal(snCharacter_Name(character), "wedge");
    assert_int_equal(info->vertex_count, 4);
    assert_true(info->vertices[3] == 1 && info->vertices[4] == 0);
    assert_in_range(info->cell_count, 30, 300);
    assert_relative(info->flesh_mass, 100, 0.05, 0); // to the error of sampling
    snCharacter_Release(character);
}

// Two tets, one of them inside out, with a stray node between theirs: mass and surface are those of
// the tets, whatever the def says about cells.
#define NODES "6 3 0 0\n0 0 0 0\n1 1 0 0\n2 9 9 9\n3 0 1 0\n4 0 0 1\n5 1 1 1\n"
#define TETS "2 4 0\n0 0 1 4 3\n1 1 3 4 5\n"

typedef struct Log {
    int lines;
    char last[SN_MESSAGE_SIZE];
} Log;

static void keepLog(void* user, snLogLevel level, const char* text)
{
    Log* log = user;
    ++log->lines;
    (void)level;
    snprintf(log->last, sizeof log->last, "%s", text);
}

static void test_tets(void** state)
{
    (void)state;
    snMessage why;
    snCharacter* character;
    snCharacterDef def;
    snHost host;
    Log log = {0};
    snHost_Init(&host);
    host.user = &log;
    host.log = keepLog;
    snCharacterDef_Init(&def);
    def.material.density = 600;
    def.cells = 100;
    writeText("two.node", NODES);
    writeText("two.ele", TETS);
    assert_ok(snCharacter_Load(&host, "two.ele", &def, &character, &why), why);
    const snFleshInfo* info = snCharacter_Flesh(character);
    assert_int_equal(info->cell_count, 2);
    assert_int_equal(info->node_count, 5);
    assert_int_equal(info->vertex_count, 5);
    assert_int_equal(info->triangle_count, 6);
    assert_int_equal(info->outside_count, 0);
    // 1/6 and 1/3 m^3, all full
    assert_relative(info->flesh_mass, 600 * 0.5, 1e-9, 0);
    assert_true(info->fill[0] == 1 && info->fill[1] == 1);
    assert_int_equal(log.lines, 1);
    assert_non_null(
        strstr(log.last, "two.ele: 1 tets were inside out and are turned, the first is 0"));
    snCharacter_Release(character);
    assert_ok(snCharacter_Load(NULL, "two.node", NULL, &character, &why), why);
    assert_string_equal(snCharacter_Name(character), "two");
    snCharacter_Release(character);
}

static void test_errors(void** state)
{
    (void)state;
    snMessage why;
    snCharacter* character = NULL;
    snCharacterDef def;
    snCharacterDef_Init(&def);
    writeText("corner.obj", CORNER);
    writeText("bad.obj", "v 0 0\n");
    assert_int_equal(snCharacter_Load(NULL, "no.obj", NULL, &character, &why), sn_errorIo);
    assert_non_null(strstr(why.text, "no.obj"));
    assert_int_equal(snCharacter_Load(NULL, "bad.obj", NULL, &character, &why), sn_errorFile);
    assert_memory_equal(why.text, "bad.obj: line 1", 15);
    def.material.young = -1;
    assert_int_equal(snCharacter_Load(NULL, "corner.obj", &def, &character, &why),
                     sn_errorArgument);
    assert_memory_equal(why.text, "corner.obj: ", 12);
    assert_int_equal(snCharacter_Load(NULL, NULL, &def, &character, &why), sn_errorArgument);
    assert_int_equal(snCharacter_Load(NULL, "corner.obj", &def, NULL, &why), sn_errorArgument);
    assert_null(character);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_name),
        cmocka_unit_test(test_def),
        cmocka_unit_test(test_tets),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, enterFolder, leaveFolder);
}
