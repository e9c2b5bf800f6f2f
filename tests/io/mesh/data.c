// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Every real surface and tet mesh has the counts that the list beside them states, or is refused
// for the right reason. The folders are searched, so a file that the list does not have fails too.
#include <dirent.h>

#include "base/file.h"
#include "base/memory.h"
#include "check.h"
#include "io/mesh/file.h"

#define DATA SN_SHARED_DATA "/"
#define SKIPPED 77

static char* list; // README.md
static size_t list_size;

// Those that are not read, and what is said of them.
static const struct {
    const char* name;
    const char* says;
} REFUSED[] = {
    {"tets/malformed/malformed_cube_22_ascii_missing_node.msh",
     "line 19: 14 nodes are promised, but only 13 are there"},
    {"tets/malformed/malformed_cube_22_ascii_missing_element.msh",
     "line 46: 24 elements are promised, but only 23 are there"},
    {"tets/malformed/malformed_cube_22_ascii_missing_num_nodes.msh",
     "line 5: expected the line to end after the number of nodes, found '-0.5'"},
    {"tets/malformed/malformed_cube_41_ascii_missing_node_index.msh",
     "line 24: expected the number of a node, but '-0.5' is not a whole number"},
    {"tets/malformed/malformed_cube_41_ascii_missing_element_header.msh",
     "line 41: expected the line to end after the four totals of the elements"},
    {"tets/sphere_p2.msh", "second-order tets of 10 nodes"},
};
#define REFUSED_COUNT ((int)(sizeof REFUSED / sizeof *REFUSED))

// The list -----------------------------------------------------------------------

// What the list counts of a file, without what it counts after welding
static void findRow(const char* name, char row[512])
{
    char section[64], start[256];
    const char* slash = strchr(name, '/');
    snprintf(section, sizeof section, "\n## %.*s/\n", (int)(slash - name), name);
    snprintf(start, sizeof start, "\n| `%s` (", slash + 1);
    const char* at = strstr(list, section);
    at = at ? strstr(at, start) : NULL;
    for (int column = 0; at && column < 3; ++column) {
        at = strchr(at + 1, '|');
    }
    if (!at) {
        fail_msg("%s: README.md has no row of it", name);
    }
    snprintf(row, 512, "%.*s", (int)strcspn(at + 1, "|\n"), at + 1);
    char* welded = strstr(row, "after welding");
    if (welded) {
        *welded = 0;
    }
    if (strstr(row, "see .node")) {
        char other[256];
        snprintf(other, sizeof other, "%.*s.node", (int)(strrchr(name, '.') - name), name);
        findRow(other, row);
    }
}

// The number before words in a row; `otherwise` when they are not there
static int32_t stated(const char* row, const char* words, int32_t otherwise)
{
    const char* at = strstr(row, words);
    if (!at || at < row + 2) {
        return otherwise;
    }
    const char* digit = at - 1;
    while (digit > row && digit[-1] != ' ') {
        --digit;
    }
    return atoi(digit);
}

// -1: the list does not say
static void compare(const char* name, const char* what, int32_t found, int32_t wanted)
{
    if (wanted >= 0 && found != wanted) {
        fail_msg("%s: %d %s, README.md says %d", name, found, what, wanted);
    }
}

// Files --------------------------------------------------------------------------

static void checkTets(const char* name, const char* row, const snMeshFacts* f)
{
    compare(name, "nodes", f->node_count, stated(row, " vertices", 0));
    compare(name, "tets", f->tet_count, stated(row, " tets", 0));
    compare(name, "faces", f->triangle_count, stated(row, " boundary faces", 0));
    // the list says of all: every tet has positive volume and every face at most two tets
    compare(name, "odd tets", f->turned_tets + f->flat_tets + f->duplicate_tets, 0);
    compare(name, "odd faces", f->crowded_faces + f->open_edges + f->misoriented_edges, 0);
    compare(name, "stray nodes", f->stray_nodes, 0);
    assert_true(f->volume > 0);
    // "Gmsh 4.1 ascii" is "Gmsh 4.1, text" here
    size_t word = strcspn(f->format, ",");
    if (strncmp(row + 1, f->format, word) != 0 ||
        (strstr(f->format, "binary") != NULL) != (strstr(row, "binary") != NULL)) {
        fail_msg("%s: '%s', README.md says '%s'", name, f->format, row);
    }
}

static void checkSurface(const char* name, const char* row, const snMeshFacts* f)
{
    int32_t quads = stated(row, " quads", -1), crowded = stated(row, " non-manifold edges", 0);
    compare(name, "vertices", f->vertex_count, stated(row, " vertices", 0));
    compare(name, "triangles", f->triangle_count,
            quads >= 0 ? 2 * quads : stated(row, " triangles", -1));
    compare(name, "shells", f->shells, stated(row, " shells", -1));
    compare(name, "open edges", f->open_edges, stated(row, " boundary edges", 0));
    compare(name, "crowded edges", f->crowded_edges, crowded);
    // not counted where edges with three faces leave open what is consistent
    compare(name, "misoriented edges", f->misoriented_edges,
            stated(row, " misoriented edges", crowded > 0 ? -1 : 0));
    compare(name, "degenerate faces", f->degenerate_count, stated(row, " degenerate face", 0));
    compare(name, "duplicate faces", f->duplicate_count, stated(row, " duplicate face", 0));
    compare(name, "unused vertices", f->unused_count, stated(row, " unreferenced vert", 0));
    const char* genus = strstr(row, "genus ");
    if (strstr(row, "closed manifold") && f->shells == 1) { // Euler: V - E + F = 2 - 2 genus
        compare(name, "handles", 1 - (f->vertex_count - f->triangle_count / 2) / 2,
                genus ? atoi(genus + 6) : 0);
    }
}

static void checkFile(const char* name)
{
    char path[1024], row[512];
    snMeshFacts f;
    snMessage why;
    snprintf(path, sizeof path, DATA "%s", name);
    findRow(name, row);
    snStatus status = snMeshFacts_Read(NULL, path, &f, &why);
    for (int i = 0; i < REFUSED_COUNT; ++i) {
        if (strcmp(name, REFUSED[i].name) == 0) {
            assert_true(status == sn_errorFile || status == sn_errorUnsupported);
            assert_memory_equal(why.text, path, strlen(path));
            if (!strstr(why.text, REFUSED[i].says)) {
                fail_msg("'%s' should say '%s'", why.text, REFUSED[i].says);
            }
            return;
        }
    }
    assert_ok(status, why);
    if (strncmp(name, "tets/", 5) == 0) {
        checkTets(name, row, &f);
    } else {
        checkSurface(name, row, &f);
    }
}

// Returns how many files there are.
static int checkFolder(const char* name)
{
    char path[1024];
    int count = 0;
    snprintf(path, sizeof path, DATA "%s", name);
    DIR* folder = opendir(path);
    struct dirent* entry;
    if (!folder) {
        checkFile(name);
        return 1;
    }
    while ((entry = readdir(folder))) {
        if (entry->d_name[0] != '.') {
            char inner[512];
            snprintf(inner, sizeof inner, "%.200s/%.255s", name, entry->d_name);
            count += checkFolder(inner);
        }
    }
    closedir(folder);
    return count;
}

// As many as the list has rows, so that none is missing either
static void test_files(void** state)
{
    (void)state;
    static const char* const folders[] = {"surfaces", "tets"};
    for (int i = 0; i < 2; ++i) {
        char section[64];
        snprintf(section, sizeof section, "\n## %s/\n", folders[i]);
        const char* at = strstr(list, section);
        assert_non_null(at);
        const char* end = strstr(at + 1, "\n## ");
        int rows = 0;
        while ((at = strstr(at + 1, "\n| `")) && at < end) {
            ++rows;
        }
        assert_true(rows > 0);
        assert_int_equal(checkFolder(folders[i]), rows);
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

// The tets of a closed surface have it around them.
static void test_around(void** state)
{
    (void)state;
    snMeshFacts f, spot;
    snMessage why;
    assert_ok(snMeshFacts_Read(NULL, DATA "surfaces/spot.obj", &spot, &why), why);
    assert_ok(snMeshFacts_Read(NULL, DATA "tets/spot.ele", &f, &why), why);
    assert_int_equal(f.vertex_count, spot.vertex_count);
    assert_int_equal(f.triangle_count, spot.triangle_count);
    assert_relative(f.volume, spot.volume, 1e-12, 0); // rounding of sums
    assert_true(f.low.x == spot.low.x && f.high.y == spot.high.y);
}

static void test_weld(void** state)
{
    (void)state;
    snArena arena;
    snMeshFile file;
    snSurface welded;
    snSurfaceFacts f;
    snMessage why;
    snArena_Init(&arena, NULL);
    assert_ok(snMeshFile_Read(&arena, DATA "surfaces/broken/not_convex.obj", &file, &why), why);
    assert_ok(snSurface_Weld(&arena, &file.surface, &welded, NULL, &why), why);
    assert_ok(snSurface_Inspect(&welded, NULL, &f, &why), why);
    assert_int_equal(welded.vertex_count, 44);
    assert_int_equal(f.boundary_edges, 0);
    assert_int_equal(f.nonmanifold_edges, 12);
    snArena_Free(&arena);
}

int main(void)
{
    snMessage why;
    uint8_t* bytes = NULL;
    if (snFile_Read(NULL, DATA "README.md", 1 << 22, &bytes, &list_size, &why)) {
        print_message("SKIP: no real file was read: %s\n", why.text);
        return SKIPPED;
    }
    list = (char*)bytes;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_files),
                                       cmocka_unit_test(test_dialects),
                                       cmocka_unit_test(test_around), cmocka_unit_test(test_weld)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    snHost_Release(NULL, bytes, list_size + 1);
    return failed;
}
