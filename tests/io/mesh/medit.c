// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Vertices and tets are read in any order, other elements are counted; every mistake names its
// line.
#include "io/mesh/medit.h"
#include "io/mesh/meshes.h"

static snStatus parse(snArena* arena, const char* bytes, size_t count, Mesh* out, snMessage* why)
{
    return snMedit_Parse(arena, bytes, count, &out->tets, why);
}

#define HEAD "MeshVersionFormatted 2\nDimension 3\n"
#define VERTICES "Vertices\n4\n0 0 0 0\n1 0 0 1\n0 1 0 2\n0 0 1 3\n"
#define TETS "Tetrahedra\n1\n1 2 3 4 5\n"

static const char* const texts[] = {
    HEAD VERTICES TETS "End\n",
    "# c\nMeshVersionFormatted\n1\n\nDimension\n3\nVertices 4\n0 0 0 0 1 0 0 1 0 1 0 2 0 0 1. 3\n"
    "Corners\n1\n1\nEdges 1\n1 2 0\nTriangles\n2\n1 2 3 0\n1 2 4 0\nHexahedra\n1\n"
    "1 2 3 4 1 2 3 4 0\nRidges 1\n1\n" TETS,
    HEAD TETS VERTICES "End\ntrailing words do not matter",
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
        assert_int_equal(mesh.tets.others, i == 1 ? 4 : 0);
        assert_int_equal(mesh.tets.other_volumes, i == 1);
        snArena_Free(&arena);
        checkCuts(parse, texts[i], strlen(texts[i]));
    }
    checkMemory(parse, texts[0], strlen(texts[0]));
}

static void test_mistakes(void** state)
{
    (void)state;
    static const Mistake cases[] = {
        {"", "line 1: a Medit mesh begins with 'MeshVersionFormatted', found ''"},
        {"Vertices 4\n", "line 1: a Medit mesh begins with"},
        {HEAD, "no tets in it: 0 nodes"},
        {"MeshVersionFormatted 2\nDimension 2\n", "line 2: the mesh is of dimension 2"},
        {HEAD VERTICES, "no tets in it: 4 nodes"},
        {HEAD VERTICES VERTICES, "line 10: a second list of vertices"},
        {HEAD VERTICES TETS TETS, "a second list of tets"},
        {HEAD "Vertices\n4\n0 0 0 0\n1 0 0\n0 1 0 2\n0 0 1 3\n" TETS,
         "line 9: expected three coordinates and a reference, but 'Tetrahedra'"},
        {HEAD "Vertices\n3\n0 0 0 0\n1 0 0 0\n0 1 0 2\n0 0 1 3\n" TETS,
         "line 8: expected a keyword, found '0'"},
        {HEAD VERTICES "Tetrahedra\n2\n1 2 3 4 0\n1 2 3 5 0\n",
         "line 12: tet 2 names node 5, but the file has 4 (numbered from 1)"},
        {HEAD VERTICES "Tetrahedra\n1\n1 2 3 x 0\n", "line 11: expected the four nodes of a tet"},
        {HEAD VERTICES "Tetrahedra\n1\n1 2  3  4", "line 11: expected the reference of a tet"},
        {HEAD VERTICES "TetrahedraP2\n1\n1 2 3 4 1 2 3 4 1 2 0\n",
         "line 9: 'TetrahedraP2' are of higher order"},
        {HEAD "Vertices\n2000000000\n0 0 0 0\n", "2000000000 vertices are promised"},
        {HEAD VERTICES "Tetrahedra\n2000000000\n1 2 3 4 0\n", "2000000000 tets are promised"},
        {HEAD VERTICES "Triangles\n9000000000000000000\n1 2 3 0\n", "9000000000000000000 elements"},
    };
    checkMistakes(parse, cases, sizeof cases / sizeof *cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forms),
                                       cmocka_unit_test(test_mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
