// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Vertices and tets are read, all else is passed over; every mistake names its line.
#include "io/mesh/veg.h"
#include "io/mesh/meshes.h"

static snStatus parse(snArena* arena, const char* bytes, size_t count, Mesh* out, snMessage* why)
{
    return snVeg_Parse(arena, bytes, count, &out->tets, why);
}

#define VERTICES "*VERTICES\n4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
#define TETS "*ELEMENTS\nTET\n1 4 0\n1 1 2 3 4\n"

#define OTHER                                                                                  \
    "\n*vertices\r\n4 3 0 0\r\n0 0 0 0 # first\r\n1 1 0 0\r\n2 0 1 0\r\n3 0 0 1\r\n*MATERIAL " \
    "x\r\n"                                                                                    \
    "MOONEYRIVLIN, 1000, 1, 2, 3\r\n*elements\r\nTETS\r\n1 4 0\r\n0 0 1 2 3"

static const char* const texts[] = {
    VERTICES TETS,
    "# Vega mesh file.\n\n" VERTICES "\n" TETS
    "\n*MATERIAL body\nENU, 1000, 1e7, 0.45\n\n*SET left\n1, 2,\n3\n\n*REGION\nleft, body\n\n  ",
    OTHER,
};

static void test_forms(void** state)
{
    (void)state;
    static const int32_t corner[4] = {0, 1, 2, 3};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        snArena arena;
        snArena_Init(&arena, NULL);
        Mesh mesh;
        snMessage why;
        assert_ok(parse(&arena, texts[i], strlen(texts[i]), &mesh, &why), why);
        assert_int_equal(mesh.tets.tets.node_count, 4);
        assert_int_equal(mesh.tets.tets.tet_count, 1);
        checkCorner(mesh.tets.tets.position);
        assert_memory_equal(mesh.tets.tets.tet, corner, sizeof corner);
        assert_int_equal(snTetFile_Tet(&mesh.tets, 0), i < 2);
        snArena_Free(&arena);
        checkCuts(parse, texts[i], strlen(texts[i]));
    }
    checkMemory(parse, texts[1], strlen(texts[1]));
}

static void test_mistakes(void** state)
{
    (void)state;
    static const Mistake cases[] = {
        {"", "no tets in it: 0 nodes"},
        {"hello\n", "line 1: expected a section (*VERTICES"},
        {"# x\n*VERTICIES\n4 3 0 0\n", "line 2: expected a section (*VERTICES"},
        {"*VERTICES\n*INCLUDE other.node\n", "line 2: expected the number of nodes"},
        {"*INCLUDE other.veg\n", "line 1: *INCLUDE is not followed"},
        {TETS, "*ELEMENTS must come after *VERTICES"},
        {VERTICES "5 1 1 1\n" TETS, "line 7: expected a section (*VERTICES"},
        {"*VERTICES\n5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n" TETS,
         "line 7: expected the number of a node, but '*ELEMENTS' is not"},
        {VERTICES VERTICES, "line 7: a second list of vertices"},
        {VERTICES TETS TETS, "a second list of elements"},
        {VERTICES "*ELEMENTS\nCUBIC\n1 8 0\n1 1 2 3 4 1 2 3 4\n", "line 8: the elements are cubes"},
        {VERTICES "*ELEMENTS\n1 4 0\n1 1 2 3 4\n", "line 8: expected TET, the kind of the elem"},
        {VERTICES "*ELEMENTS\nTET\n1 10 0\n", "line 9: second-order tets"},
        {VERTICES "*ELEMENTS\nTET\n1 4 0\n1 1 2 3 5\n",
         "line 10: tet 1 names node 5, but the file has 4 (numbered from 1)"},
        {"*VERTICES\n2000000000 3 0 0\n1 0 0 0\n", "2000000000 nodes are promised"},
        {VERTICES "*ELEMENTS\nTET\n2000000000 4 0\n", "2000000000 tets are promised"},
        {VERTICES "*MATERIAL a\n", "no tets in it: 4 nodes"},
    };
    checkMistakes(parse, cases, sizeof cases / sizeof *cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forms),
                                       cmocka_unit_test(test_mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
