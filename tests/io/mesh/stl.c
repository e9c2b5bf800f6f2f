// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Text and binary give the same tetrahedron on four vertices; every mistake names its place.
#include "io/mesh/stl.h"
#include "io/mesh/meshes.h"

static snStatus parse(snArena* arena, const char* bytes, size_t count, Mesh* out, snMessage* why)
{
    return snStl_Parse(arena, (const uint8_t*)bytes, count, &out->surface, why);
}

#define BOTTOM "outer loop vertex 0 0 0 vertex 0 1 0 vertex 1 0 0 endloop endfacet\n"
#define FRONT "outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 0 1 endloop endfacet\n"
#define SLOPE "outer loop vertex 1 0 0 vertex 0 1 0 vertex 0 0 1 endloop endfacet\n"
#define LEFT "outer loop vertex 0 1 0 vertex -0 +0. 0e5 vertex 0 0 1 endloop endfacet\n"

static const char* const texts[] = {
    "solid\nfacet normal 0 0 -1\n" BOTTOM "facet normal 0 -1 0\n" FRONT "facet normal 1 1 1\n" SLOPE
    "facet normal -1 0 0\n" LEFT "endsolid\n",
    "  SOLID two words\r\n FACET NORMAL nan nan nan\r\n" BOTTOM "facet\r\n" FRONT
    "endsolid two words\nsolid facet\nfacet normal 0 0 0\n" SLOPE "facet normal -1 0 0 " LEFT
    "endsolid facet",
};

static void checkTetrahedron(const char* bytes, size_t count)
{
    // vertices are numbered as they first come: O Y X Z
    static const int32_t triangle[12] = {0, 1, 2, 0, 2, 3, 2, 1, 3, 1, 0, 3};
    static const int order[4] = {0, 2, 1, 3};
    snArena arena;
    snArena_Init(&arena, NULL);
    snSurface s;
    snMessage why;
    assert_ok(snStl_Parse(&arena, (const uint8_t*)bytes, count, &s, &why), why);
    assert_int_equal(s.vertex_count, 4);
    assert_int_equal(s.triangle_count, 4);
    assert_memory_equal(s.triangle, triangle, sizeof triangle);
    snVec3 sorted[4];
    for (int v = 0; v < 4; ++v) {
        sorted[order[v]] = s.position[v];
    }
    checkCorner(sorted);
    snArena_Free(&arena);
}

// Of CORNER_TRIANGLES.
static void putBinary(Bytes* b, const char* header, uint32_t triangles)
{
    memset(b, 0, sizeof *b);
    putText(b, header);
    b->count = 80;
    putBits(b, triangles, 4);
    for (int i = 0; i < 12; ++i) {
        b->count += i % 3 == 0 ? 12 : 0;
        for (int k = 1; k <= 3; ++k) {
            putFloat(b, CORNER_TRIANGLES[i] == k);
        }
        b->count += i % 3 == 2 ? 2 : 0;
    }
}

static void test_forms(void** state)
{
    (void)state;
    static Bytes b;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        assert_false(snStl_IsBinary((const uint8_t*)texts[i], strlen(texts[i])));
        checkTetrahedron(texts[i], strlen(texts[i]));
        checkCuts(parse, texts[i], strlen(texts[i]));
    }
    static const char* const headers[] = {"", "solid of steel", "made by hand"};
    for (int i = 0; i < 3; ++i) {
        putBinary(&b, headers[i], 4);
        assert_true(snStl_IsBinary((const uint8_t*)b.data, b.count));
        checkTetrahedron(b.data, b.count);
        checkCuts(parse, b.data, b.count);
        putText(&b, "what some programs append");
        checkTetrahedron(b.data, b.count);
    }
    checkMemory(parse, texts[0], strlen(texts[0]));
    checkMemory(parse, b.data, b.count);
}

static void test_mistakes(void** state)
{
    (void)state;
    static Bytes b;
    static const Mistake cases[] = {
        {"", "byte 0: a binary STL begins with 84 bytes, this file has 0"},
        {"solid\nendsolid\n", "line 3: no surface in it: 0 triangles"},
        {"solid\nfacet normal 0 0 1\n" BOTTOM, "expected 'endsolid', found the end"},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 x\n", "line 4: expected the three"},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nendloop\n",
         "line 6: expected 'vertex', found 'endloop'"},
        {"solid\nfacet normal 0 0 1\nouter ring\n", "line 3: expected 'loop', found 'ring'"},
        {"solid\nvertex 0 0 0\n", "line 2: expected 'facet' or 'endsolid', found 'vertex'"},
        {"solid\nfacet normal 0 0 1\n", "line 3: expected 'outer', found the end of the file"},
    };
    checkMistakes(parse, cases, sizeof cases / sizeof *cases);
    putBinary(&b, "", 5);
    checkMistake(parse, b.data, b.count, "byte 84: it promises 5 triangles, only 200 bytes");
    putBinary(&b, "solid", UINT32_MAX);
    checkMistake(parse, b.data, b.count, "4294967295 triangles");
    putBinary(&b, "", 0);
    checkMistake(parse, b.data, b.count, "0 triangles");
    putBinary(&b, "", 4);
    b.count = 84 + 50 + 12 + 12;
    putFloat(&b, (float)NAN);
    b.count = 284;
    checkMistake(parse, b.data, b.count, "byte 158: triangle 1 has a coordinate that is not fin");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forms),
                                       cmocka_unit_test(test_mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
