// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Every form of the grammar gives the same tetrahedron; every mistake names its line.
#include "io/mesh/obj.h"
#include "check.h"

static snStatus parse(snArena* arena, const char* text, snSurface* s, snMessage* why)
{
    return snObj_Parse(arena, text, strlen(text), s, why);
}

static void test_forms(void** state)
{
    (void)state;
    static const char* const texts[] = {
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
        "\xef\xbb\xbf# a comment \\\nv 0 0 0\r\nv 1 0 0 1.0\r\nv 0 1 0 0.5 .5 1\r\nv 0 0 1\r\n"
        "vt 0 0\r\nvn 0 0 1\r\nf 1/1/1 3/1/1 2/1/1\r\nf 1//1 2//1 4//1\r\nf 2/1 3/1 4/1\r\nf 3 1 4",
        "o name\ng a b\nusemtl none\nmtllib x.mtl\ns off\nl 1 2\np 1\n"
        "v -0 +0. .0e3\nv 001.0 0 0 # x\n\tv  0 1e0 0\nv 0 0 \\\n 1\n"
        "f -4 -2 -3\nf -4 -3 -1\nf -3 \\\r\n-2 -1\nf -2 -4 -1 # end",
        "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 3 2\rf 1 2 4\rf 2 3 4\rf 3 1 4\rv 0 0 1",
    };
    static const int32_t expected[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i) {
        snArena arena;
        snArena_Init(&arena, NULL);
        snSurface s;
        snMessage why;
        assert_ok(parse(&arena, texts[i], &s, &why), why);
        assert_int_equal(s.vertex_count, 4);
        assert_int_equal(s.triangle_count, 4);
        assert_memory_equal(s.triangle, expected, sizeof(expected));
        for (int32_t v = 0; v < 4; ++v) {
            snVec3 p = snV3(v == 1, v == 2, v == 3);
            assert_true(snLength(snSub(p, s.position[v])) == 0);
        }
        snArena_Free(&arena);
    }
}

static void test_polygon(void** state)
{
    (void)state;
    snArena arena;
    snArena_Init(&arena, NULL);
    snSurface s;
    snMessage why;
    assert_ok(parse(&arena, "v 0 0 0\nv 1 0 0\nv 2 1 0\nv 1 2 0\nv 0 1 0\nf 1 2 3 4 5\n", &s, &why),
              why);
    static const int32_t fan[9] = {0, 1, 2, 0, 2, 3, 0, 3, 4};
    assert_int_equal(s.triangle_count, 3);
    assert_memory_equal(s.triangle, fan, sizeof(fan));
    snArena_Free(&arena);
}

static void test_mistakes(void** state)
{
    (void)state;
#define THREE "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
    static const struct {
        const char* text;
        const char* says;
    } cases[] = {
        {"", "no surface"},
        {"# nothing\n", "no surface"},
        {"solid box\nfacet normal 0 0 1\n", "line 1 begins with 'solid'"},
        {THREE, "3 vertices, 0 faces"},
        {THREE "f 1 2\n", "line 4: a face needs three corners, found 2"},
        {THREE "f 1 2 4\n", "line 4: there is no vertex 4"},
        {THREE "f 1 2 0\n", "line 4: there is no vertex 0"},
        {THREE "\nf 1 2 -4\n", "line 5: there is no vertex -4"},
        {THREE "f 1 2 99999999999999999999\n", "line 4: there is no vertex"},
        {THREE "f 1 2 x\n", "line 4: 'x' is not a corner"},
        {THREE "f 1/1/1/1 2 3\n", "line 4: '1/1/1/1' is not a corner"},
        {THREE "f 1/a 2 3\n", "line 4: '1/a' is not a corner"},
        {THREE "f 1- 2 3\n", "line 4: '1-' is not a corner"},
        {"v 0 0\nf 1 1 1\n", "line 1: 'v' needs three coordinates, found 2"},
        {"v 0 \\\n0 nan\nf 1 1 1\n", "line 2: 'nan' is not a finite number"},
        {"v 0 0 1e999\nf 1 1 1\n", "line 1: '1e999' is not a finite number"},
        {"v 0 0 1,5\nf 1 1 1\n", "line 1: '1,5' is not a finite number"},
        {"v . 0 1\nf 1 1 1\n", "line 1: '.' is not a finite number"},
        {"v - 0 1\nf 1 1 1\n", "line 1: '-' is not a finite number"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        snArena arena;
        snArena_Init(&arena, NULL);
        snSurface s;
        snMessage why = {""};
        assert_int_equal(parse(&arena, cases[i].text, &s, &why), sn_errorFile);
        if (!strstr(why.text, cases[i].says)) {
            fail_msg("'%s' should say '%s'", why.text, cases[i].says);
        }
        assert_true(s.position == NULL && s.vertex_count == 0);
        snArena_Free(&arena);
    }
    snArena arena;
    snArena_Init(&arena, NULL);
    snSurface s;
    snMessage why;
    assert_int_equal(snObj_Parse(&arena, "v 0\0", 4, &s, &why), sn_errorFile);
    assert_non_null(strstr(why.text, "byte 3"));
    assert_int_equal(snObj_Read(&arena, "absent.obj", &s, &why), sn_errorIo);
    assert_non_null(strstr(why.text, "absent.obj"));
    snArena_Free(&arena);
}

// An allocator that refuses everything after some blocks.
static void* allocateFew(void* user, size_t bytes, size_t alignment)
{
    int* left = user;
    return --*left < 0 ? NULL : aligned_alloc(alignment, (bytes + 63) / 64 * 64);
}

static void releaseFew(void* user, void* memory, size_t bytes)
{
    (void)user;
    (void)bytes;
    free(memory);
}

static void test_memory(void** state)
{
    (void)state;
    bool done = false;
    for (int blocks = 0; !done && blocks < 20; ++blocks) {
        int left = blocks;
        snHost host;
        snHost_Init(&host);
        host.user = &left;
        host.allocate = allocateFew;
        host.release = releaseFew;
        snArena arena;
        snArena_Init(&arena, &host);
        snSurface s;
        snMessage why;
        snStatus status = parse(&arena, THREE "f 1 2 3\n", &s, &why);
        assert_true(status == sn_ok || status == sn_errorMemory);
        assert_true(blocks > 0 || status == sn_errorMemory);
        done = status == sn_ok;
        snArena_Free(&arena);
    }
    assert_true(done);
}

// Another format is refused for what it is.
static void test_strangers(void** state)
{
    (void)state;
    snArena arena;
    snSurface s;
    snMessage why;
    snArena_Init(&arena, NULL);
    assert_int_equal(parse(&arena, "solid a\nfacet normal 0 0 1\nouter loop\n", &s, &why),
                     sn_errorFile);
    assert_non_null(strstr(why.text, "not OBJ"));
    assert_int_equal(snObj_Parse(&arena, "\0\1\2\3\0\0\0\0", 8, &s, &why), sn_errorFile);
    assert_non_null(strstr(why.text, "binary"));
    snArena_Free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forms), cmocka_unit_test(test_polygon),
                                       cmocka_unit_test(test_mistakes),
                                       cmocka_unit_test(test_memory),
                                       cmocka_unit_test(test_strangers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
