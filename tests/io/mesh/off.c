// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Every variant gives the same tetrahedron; every mistake names its line.
#include "io/mesh/off.h"
#include "io/mesh/meshes.h"

static snStatus parse(snArena* arena, const char* bytes, size_t count, Mesh* out, snMessage* why)
{
    return snOff_Parse(arena, bytes, count, &out->surface, why);
}

#define POINTS "0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
#define FACES "3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n"

static const char* const texts[] = {
    "OFF\n4 4 6\n" POINTS FACES,
    "OFF 4 4 6\n" POINTS FACES,
    "off\n4 4\n" POINTS FACES,
    "4 4 0\n" POINTS FACES,
    "\xef\xbb\xbf# comment\n\nOFF # more\n# and more\n4 4 0 # end\n\n" POINTS "\n# faces\n" FACES,
    "COFF\n4 4 0\n0 0 0 255 0 0 255\n1 0 0 0 255 0 255\n0 1 0 0 0 255 255\n0 0 1 1 1 1 1\n" FACES,
    "NOFF\n4 4 0\n0 0 0 -1 -1 -1\n1 0 0 1 0 0\n0 1 0 0 1 0\n0 0 1 0 0 1\n" FACES,
    "STCNOFF\n4 4 0\n0 0 0 9 9 9 1 1 1 1 0 0\n1 0 0 9 9\n0 1 0 9 9\n0 0 1 9 9\n" FACES,
    "OFF\r\n4 4 6\r\n0 0 0\r\n+1. 0 0\r\n0 1e0 0\r\n0 0 01\r\n3 0 2 1 0.5 0.5 0.5\r\n"
    "3 0 1 3 255 0 0\r\n3 1 2 3 7\r\n3 2 0 3",
    "OFF\n4 6 0\n" POINTS "2 0 1\n1 3\n" FACES,
};

static void test_forms(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        snArena arena;
        snArena_Init(&arena, NULL);
        snSurface s;
        snMessage why;
        assert_ok(snOff_Parse(&arena, texts[i], strlen(texts[i]), &s, &why), why);
        assert_int_equal(s.vertex_count, 4);
        assert_int_equal(s.triangle_count, 4);
        checkCorner(s.position);
        assert_memory_equal(s.triangle, CORNER_TRIANGLES, sizeof CORNER_TRIANGLES);
        snArena_Free(&arena);
        checkCuts(parse, texts[i], strlen(texts[i]));
    }
    checkMemory(parse, texts[0], strlen(texts[0]));
}

static void test_polygon(void** state)
{
    (void)state;
    static const char text[] = "OFF\n5 1 5\n0 0 0\n1 0 0\n2 1 0\n1 2 0\n0 1 0\n5 0 1 2 3 4\n";
    static const int32_t fan[9] = {0, 1, 2, 0, 2, 3, 0, 3, 4};
    snArena arena;
    snArena_Init(&arena, NULL);
    snSurface s;
    snMessage why;
    assert_ok(snOff_Parse(&arena, text, strlen(text), &s, &why), why);
    assert_int_equal(s.triangle_count, 3);
    assert_memory_equal(s.triangle, fan, sizeof fan);
    snArena_Free(&arena);
}

static void test_mistakes(void** state)
{
    (void)state;
    static const Mistake cases[] = {
        {"", "line 1: '' is not OFF"},
        {"solid x\n", "line 1: 'solid' is not OFF"},
        {"OFF\n", "line 2: expected the number of vertices, found the end of the file"},
        {"OFF\n-4 4 0\n", "line 2: expected the number of vertices, found -4"},
        {"OFF\n4 four 0\n", "line 2: expected the number of faces, but 'four'"},
        {"OFF BINARY\n4 4 0\n", "line 1: binary OFF is not read"},
        {"4OFF\n4 4 0\n", "line 1: '4OFF' has other coordinates"},
        {"nOFF\n4\n4 4 0\n", "line 1: 'nOFF' has other coordinates"},
        {"OFF\n2147483647 1 0\n0 0 0\n", "line 3: 2147483647 vertices are promised, but only 6"},
        {"OFF\n99999999999999999999 1 0\n0 0 0\n", "'99999999999999999999' is not a whole number"},
        {"OFF\n1 1000000000000 0\n0 0 0\n", "1000000000000 faces are promised"},
        {"OFF\n4 4 0\n0 0 0\n1 0\n0 1 0\n0 0 1\n" FACES, "line 4: expected the three coordinates"},
        {"OFF\n4 4 0\n0 0 0\n1 0 nan\n0 1 0\n0 0 1\n" FACES, "line 4: expected the three coord"},
        {"OFF\n4 4 0\n0 0 0\n1 0 1e999\n0 1 0\n0 0 1\n" FACES, "'1e999' is not a finite"},
        {"OFF\n4 4 0\n" POINTS "3 0 2 1\n3 0 1 4\n3 1 2 3\n3 2 0 3\n",
         "line 8: face 1 names vertex 4, but the file has 4 (numbered from 0)"},
        {"OFF\n4 1 0\n" POINTS "3 0 2 -1\n", "line 7: face 0 names vertex -1"},
        {"OFF\n4 1 0\n" POINTS "3 0 2\n", "line 7: expected a corner of a face, found the end"},
        {"OFF\n4 1 0\n" POINTS "-3 0 2 1\n", "line 7: expected a face's number of corners"},
        {"OFF\n4 1 0\n" POINTS "2 0 1\n", "no surface in it: 4 vertices"},
        {"OFF\n4 2 0\n" POINTS "3 0 1 2\n", "line 8: expected a face's number of corners, found"},
    };
    checkMistakes(parse, cases, sizeof cases / sizeof *cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forms), cmocka_unit_test(test_polygon),
                                       cmocka_unit_test(test_mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
