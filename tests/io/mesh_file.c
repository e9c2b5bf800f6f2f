// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Real files have the counts that their list states, or are refused for the right reason; files
// are known by what is in them.
#include "io/mesh_file.h"
#include "check.h"

#define DATA SN_SHARED_DATA "/"

static bool hasData(void)
{
    FILE* file = fopen(DATA "tets/spot.ele", "rb");
    if (!file) {
        print_message("SKIP: there is no " DATA "tets, so no real file was read\n");
        return false;
    }
    fclose(file);
    return true;
}

// As shared/data/README.md counts them.
static const struct {
    const char* name;
    const char* format;
    int32_t nodes, tets, faces;
} tet_files[] = {
    {"beam3_tet.veg", "Vega", 208, 450, 412},
    {"doubleLoopWithCube.veg", "Vega", 1181, 4650, 1362},
    {"yeahright-on-ground.veg", "Vega", 21122, 71577, 31608},
    {"sphere1K.msh", "Gmsh 4.1, text", 1760, 6851, 2474},
    {"torus.msh", "Gmsh 4.1, text", 200, 491, 400},
    {"rod.msh", "Gmsh 4.1, text", 630, 1722, 1162},
    {"table.msh", "Gmsh 2.2, binary", 4641, 17004, 6418},
    {"square_beam.mesh", "Medit", 739, 2886, 894},
    {"msh_variants/22_ascii.msh", "Gmsh 2.2, text", 8, 5, 12},
    {"msh_variants/22_binary.msh", "Gmsh 2.2, binary", 8, 5, 12},
    {"msh_variants/41_ascii.msh", "Gmsh 4.1, text", 8, 5, 12},
    {"msh_variants/41_binary.msh", "Gmsh 4.1, binary", 8, 5, 12},
    {"shark_22_ascii_fTetWild.msh", "Gmsh 2.2, text", 425, 1070, 786},
    {"shark_22_binary_fTetWild.msh", "Gmsh 2.2, binary", 429, 1073, 792},
    {"spot.ele", "TetGen", 4498, 18176, 5856},
    {"spot.node", "TetGen", 4498, 18176, 5856},
};

static void test_tets(void** state)
{
    (void)state;
    if (!hasData()) {
        skip();
    }
    for (size_t i = 0; i < sizeof tet_files / sizeof *tet_files; ++i) {
        char path[512];
        snMeshFacts f;
        snMessage why;
        snprintf(path, sizeof path, DATA "tets/%s", tet_files[i].name);
        assert_ok(snMeshFacts_Read(NULL, path, &f, &why), why);
        assert_string_equal(f.format, tet_files[i].format);
        if (f.node_count != tet_files[i].nodes || f.tet_count != tet_files[i].tets ||
            f.triangle_count != tet_files[i].faces) {
            fail_msg("%s: %d nodes, %d tets, %d faces", path, f.node_count, f.tet_count,
                     f.triangle_count);
        }
        // every tet has positive volume and every face at most two tets, says the list
        assert_int_equal(f.turned_tets + f.flat_tets + f.duplicate_tets + f.crowded_faces, 0);
        assert_int_equal(f.stray_nodes, 0);
        assert_int_equal(f.open_edges + f.misoriented_edges, 0);
        assert_true(f.volume > 0);
    }
}

// The same two bodies in four dialects have the same bits.
static void test_dialects(void** state)
{
    (void)state;
    static const char* const names[] = {"22_ascii", "22_binary", "41_ascii", "41_binary"};
    snMeshFile file[4];
    snMessage why;
    snArena arena;
    if (!hasData()) {
        skip();
    }
    snArena_Init(&arena, NULL);
    for (int i = 0; i < 4; ++i) {
        char path[512];
        snprintf(path, sizeof path, DATA "tets/msh_variants/%s.msh", names[i]);
        assert_ok(snMeshFile_Read(&arena, path, &file[i], &why), why);
    }
    assert_memory_equal(file[0].tets.position, file[1].tets.position, 8 * sizeof(snVec3));
    assert_memory_equal(file[2].tets.position, file[3].tets.position, 8 * sizeof(snVec3));
    assert_memory_equal(file[0].tets.tet, file[1].tets.tet, 20 * sizeof(int32_t));
    assert_memory_equal(file[2].tets.tet, file[3].tets.tet, 20 * sizeof(int32_t));
    // version 4.1 has the nodes in another order, but they make the same tets
    for (int i = 0; i < 20; ++i) {
        snVec3 a = file[0].tets.position[file[0].tets.tet[i]];
        snVec3 b = file[2].tets.position[file[2].tets.tet[i]];
        assert_true(a.x == b.x && a.y == b.y && a.z == b.z);
    }
    snArena_Free(&arena);
}

static void test_refused(void** state)
{
    (void)state;
    static const struct {
        const char* name;
        const char* says;
    } files[] = {
        {"malformed/malformed_cube_22_ascii_missing_node.msh",
         "line 19: 14 nodes are promised, but only 13 are there"},
        {"malformed/malformed_cube_22_ascii_missing_element.msh",
         "line 46: 24 elements are promised, but only 23 are there"},
        {"malformed/malformed_cube_22_ascii_missing_num_nodes.msh",
         "line 5: expected the line to end after the number of nodes, found '-0.5'"},
        {"malformed/malformed_cube_41_ascii_missing_node_index.msh",
         "line 24: expected the number of a node, but '-0.5' is not a whole number"},
        {"malformed/malformed_cube_41_ascii_missing_element_header.msh",
         "line 41: expected the line to end after the four totals of the elements"},
        {"sphere_p2.msh", "second-order tets of 10 nodes"},
    };
    if (!hasData()) {
        skip();
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
        char path[512];
        snMeshFacts f;
        snMessage why;
        snprintf(path, sizeof path, DATA "tets/%s", files[i].name);
        assert_int_not_equal(snMeshFacts_Read(NULL, path, &f, &why), sn_ok);
        assert_memory_equal(why.text, path, strlen(path));
        if (!strstr(why.text, files[i].says)) {
            fail_msg("'%s' should say '%s'", why.text, files[i].says);
        }
    }
}

// The OBJ files are counted in tests/io/obj.c.
static void test_surfaces(void** state)
{
    (void)state;
    snMeshFacts f;
    snMessage why;
    if (!hasData()) {
        skip();
    }
    assert_ok(snMeshFacts_Read(NULL, DATA "surfaces/broken/multibody.stl", &f, &why), why);
    assert_string_equal(f.format, "STL");
    assert_int_equal(f.vertex_count, 20);
    assert_int_equal(f.triangle_count, 32);
    assert_int_equal(f.shells, 2);
    assert_int_equal(f.misoriented_edges, 12);
    assert_int_equal(f.open_edges, 0);
    assert_ok(snMeshFacts_Read(NULL, DATA "surfaces/broken/soup.stl", &f, &why), why);
    assert_string_equal(f.format, "STL, binary");
    assert_int_equal(f.vertex_count, 300);
    assert_int_equal(f.triangle_count, 100);
    assert_int_equal(f.shells, 100);
    assert_int_equal(f.open_edges, 300);
    // the tets of a closed surface have it around them
    snMeshFacts spot;
    assert_ok(snMeshFacts_Read(NULL, DATA "surfaces/spot.obj", &spot, &why), why);
    assert_ok(snMeshFacts_Read(NULL, DATA "tets/spot.ele", &f, &why), why);
    assert_int_equal(f.vertex_count, spot.vertex_count);
    assert_int_equal(f.triangle_count, spot.triangle_count);
    assert_relative(f.volume, spot.volume, 1e-12, 0); // rounding of sums
    assert_true(f.low.x == spot.low.x && f.high.y == spot.high.y);
}

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
                 {"", 0, "no surface"}};
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
        cmocka_unit_test(test_tets),      cmocka_unit_test(test_dialects),
        cmocka_unit_test(test_refused),   cmocka_unit_test(test_surfaces),
        cmocka_unit_test(test_content),   cmocka_unit_test(test_names),
        cmocka_unit_test(test_strangers), cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
