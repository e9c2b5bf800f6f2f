// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Files are known by what is in them, and what is wrong with them is told by their own numbers.
// Real ones are read in data.c.
#include "io/folder.h"

#include "io/mesh/file.h"

// Content --------------------------------------------------------------------------

#define OFF_TEXT "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"
#define VEG_TEXT                                                                              \
    "# Vega\n*VERTICES\n4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n*ELEMENTS\nTET\n1 4 0\n" \
    "1 1 2 4 3\n"
#define MEDIT_TEXT                                                                          \
    "MeshVersionFormatted 1\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n" \
    "Tetrahedra 1\n1 2 3 4 0\nEnd\n"
#define GMSH_TEXT                                                                           \
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n" \
    "17 9 9 9\n$EndNodes\n$Elements\n3\n5 4 0 1 2 3 4\n6 4 0 2 3 1 4\n8 4 0 1 2 1 4\n"      \
    "$EndElements\n"
#define OBJ_TEXT "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
#define PLY_TEXT                                                                                   \
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty int x\nproperty int y\nproperty int z\n"    \
    "element face 4\nproperty list int int vertex_index\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n" \
    "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"
#define STL_TEXT                                                                          \
    "solid x\nfacet outer loop vertex 0 0 0 vertex 0 1 0 vertex 1 0 0 endloop endfacet\n" \
    "facet outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 0 1 endloop endfacet\n"          \
    "facet outer loop vertex 0 0 0 vertex 0 0 1 vertex 0 1 0 endloop endfacet\n"          \
    "facet outer loop vertex 1 0 0 vertex 0 1 0 vertex 0 0 1 endloop endfacet\nendsolid x\n"

// Whatever a file is called, it is read as what it is.
static void test_content(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        const char* format;
    } cases[] = {{OFF_TEXT, "OFF"},     {VEG_TEXT, "Vega"},
                 {MEDIT_TEXT, "Medit"}, {GMSH_TEXT, "Gmsh 2.2, text"},
                 {PLY_TEXT, "PLY"},     {STL_TEXT, "STL"}};
    static const char* const names[] = {"a.obj", "a.stl", "a.msh", "b/a.PLY", "a.mesh", "a"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
            snArena arena;
            snMeshFile file;
            snMessage why;
            snArena_Init(&arena, NULL);
            const char* text = cases[i].text;
            assert_ok(
                snMeshFile_Parse(&arena, names[k], (const uint8_t*)text, strlen(text), &file, &why),
                why);
            assert_string_equal(file.facts.format, cases[i].format);
            assert_int_equal(file.facts.triangle_count, 4);
            assert_ok(snMeshFile_Inspect(&file, NULL, &why), why);
            assert_relative(file.facts.volume, 1.0 / 6, 1e-12, 0); // faces outwards
            snArena_Free(&arena);
        }
    }
}

static void test_names(void** state)
{
    (void)state;
    static const char* const names[] = {"a.obj", "a.OBJ", "a", "a.b/c", "noext."};
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        snArena arena;
        snMeshFile file;
        snMessage why;
        snArena_Init(&arena, NULL);
        assert_ok(snMeshFile_Parse(&arena, names[k], (const uint8_t*)OBJ_TEXT, strlen(OBJ_TEXT),
                                   &file, &why),
                  why);
        assert_string_equal(file.facts.format, "OBJ");
        assert_int_equal(file.tets.tet_count, 0);
        snArena_Free(&arena);
    }
}

// Two squares that meet in an edge: whole, and with vertices of their own, as exporters cut them.
static void test_seams(void** state)
{
    (void)state;
    static const char* const texts[] = {
        "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nv 1 1 0\nv 2 1 0\nf 1 2 5 4\nf 2 3 6 5\n",
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 1 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nf 1 2 3 4\n"
        "f 5 6 7 8\n"};
    for (int i = 0; i < 2; ++i) {
        snArena arena;
        snMeshFile file;
        snMessage why;
        snArena_Init(&arena, NULL);
        // what is no STL is not read as one
        assert_ok(snMeshFile_Parse(&arena, "a.stl", (const uint8_t*)texts[i], strlen(texts[i]),
                                   &file, &why),
                  why);
        assert_string_equal(file.facts.format, "OBJ");
        assert_ok(snMeshFile_Inspect(&file, NULL, &why), why);
        assert_int_equal(file.facts.twin_vertices, 2 * i);
        assert_int_equal(file.facts.seam_edges, 2 * i);
        assert_int_equal(file.facts.open_edges, 6 + 2 * i);
        snArena_Free(&arena);
    }
}

static void test_strangers(void** state)
{
    (void)state;
    static const struct {
        const char* bytes;
        size_t count;
        const char* says;
    } cases[] = {{"\x1f\x8b\x08\0\0", 5, "gzip"},
                 {"PK\x03\x04zzzz", 8, "zip archive"},
                 {"glTF\x02\0\0\0", 8, "GLB"},
                 {"Kaydara FBX Binary", 18, "FBX"},
                 {"<!DOCTYPE html>", 15, "web page"},
                 {"version https://git-lfs.github.com/spec/v1", 42, "Git LFS"},
                 {"# vtk DataFile Version 3.0", 26, "VTK"},
                 {"\x01\0\0\0\x02\0\0\0\x03\0\0\0", 12, "binary Medit"},
                 {"", 0, "the file is empty"},
                 {"v 0 0 \x1b[2J\nf 1 1 1\n", 19, "'\\x1b[2J'"},
                 {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 x\n", 52,
                  "; correct it there, or save the mesh again"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        snArena arena;
        snMeshFile file;
        snMessage why;
        snArena_Init(&arena, NULL);
        assert_int_not_equal(snMeshFile_Parse(&arena, "a.obj", (const uint8_t*)cases[i].bytes,
                                              cases[i].count, &file, &why),
                             sn_ok);
        if (!strstr(why.text, cases[i].says)) {
            fail_msg("'%s' should say '%s'", why.text, cases[i].says);
        }
        snArena_Free(&arena);
    }
}

// What is wrong is told by the file's own numbers.
static void test_numbers(void** state)
{
    (void)state;
    snArena arena;
    snMeshFile file;
    snMessage why;
    snArena_Init(&arena, NULL);
    assert_ok(snMeshFile_Parse(&arena, "a.msh", (const uint8_t*)GMSH_TEXT, strlen(GMSH_TEXT), &file,
                               &why),
              why);
    assert_int_equal(file.facts.tet_count, 1);
    assert_int_equal(file.facts.node_count, 5);
    assert_int_equal(file.facts.duplicate_tets, 1);
    assert_int_equal(file.facts.first_duplicate_tet, 6);
    assert_int_equal(file.facts.flat_tets, 1);
    assert_int_equal(file.facts.first_flat_tet, 8);
    assert_int_equal(file.facts.stray_nodes, 1);
    assert_int_equal(file.facts.first_stray_node, 17);
    assert_int_equal(file.facts.first_turned_tet, -1);
    assert_ok(
        snMeshFile_Parse(&arena, "a.veg", (const uint8_t*)VEG_TEXT, strlen(VEG_TEXT), &file, &why),
        why);
    assert_int_equal(file.facts.turned_tets, 1);
    assert_int_equal(file.facts.first_turned_tet, 1);
    static const char flat[] = "MeshVersionFormatted 1\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n"
                               "1 1 0 0\nTetrahedra 1\n1 2 3 4 0\n";
    assert_int_equal(
        snMeshFile_Parse(&arena, "a.mesh", (const uint8_t*)flat, strlen(flat), &file, &why),
        sn_errorFile);
    assert_non_null(strstr(why.text, "none of its 1 tets has a volume"));
    snArena_Free(&arena);
}

static void writeText(const char* path, const char* text)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void test_pairs(void** state)
{
    (void)state;
    snMeshFacts f;
    snMessage why;
    writeText("one.1.node", "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n");
    writeText("one.1.ele", "1 4 0\n1 1 2 3 4\n");
    writeText("bad.ele", "1 4 0\n1 1 2 3 9\n");
    writeText("bad.node", "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n");
    writeText("alone.ele", "1 4 0\n1 1 2 3 4\n");
    assert_ok(snMeshFacts_Read(NULL, "one.1.ele", &f, &why), why);
    assert_int_equal(f.tet_count, 1);
    assert_ok(snMeshFacts_Read(NULL, "one.1.node", &f, &why), why);
    assert_int_equal(f.node_count, 4);
    assert_int_equal(f.triangle_count, 4);
    assert_int_equal(snMeshFacts_Read(NULL, "bad.ele", &f, &why), sn_errorFile);
    assert_non_null(strstr(why.text, "bad.ele: tet file: line 2: tet 1 names node 9"));
    assert_int_equal(snMeshFacts_Read(NULL, "alone.ele", &f, &why), sn_errorIo);
    assert_non_null(strstr(why.text, "alone.node"));
    assert_non_null(strstr(why.text, "belong together"));
    assert_int_equal(snMeshFacts_Read(NULL, "none.ele", &f, &why), sn_errorIo);
    assert_int_equal(snMeshFacts_Read(NULL, "none.msh", &f, &why), sn_errorIo);
    assert_int_equal(snMeshFacts_Read(NULL, NULL, &f, &why), sn_errorArgument);
    assert_int_equal(snMeshFacts_Read(NULL, "none.msh", NULL, &why), sn_errorArgument);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_content), cmocka_unit_test(test_names),
        cmocka_unit_test(test_seams),   cmocka_unit_test(test_strangers),
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_pairs)};
    return cmocka_run_group_tests(tests, enterFolder, leaveFolder);
}
