// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Every variant gives the same tet; every mistake names its file and line.
#include "io/mesh/tetgen.h"
#include "io/mesh/meshes.h"

// Both texts in one, separated by '|'.
static snStatus parse(snArena* arena, const char* bytes, size_t count, Mesh* out, snMessage* why)
{
    const char* bar = count > 0 ? memchr(bytes, '|', count) : NULL;
    size_t length = bar ? (size_t)(bar - bytes) : count;
    return snTetgen_Parse(arena, bytes, length, bytes + length + (bar != NULL),
                          count - length - (bar != NULL), &out->tets, why);
}

#define ZERO "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n"
#define ONE "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"

#define LOOSE                                                                                     \
    "# made by hand\n\n4  3  2  1 # nodes\r\n 1 0 0 0 9 9 1\r\n\r\n2 1.0 0 0 9 9 1\r\n# more\r\n" \
    "3 0 1e0 0 9 9 -1\r\n4 0 0 +1. 9 9 0\r\n# end|# tets\n1 4 1\n\n  1 1 2 3 4 7 # seven"

static const char* const texts[] = {
    ZERO "|1 4 0\n0 0 1 2 3\n",
    ONE "|1 4 0\n1 1 2 3 4\n",
    LOOSE,
    "4 3\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1|1 4\n0 0 1 2 3",
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
        const snTets* t = &mesh.tets.tets;
        assert_int_equal(t->node_count, 4);
        assert_int_equal(t->tet_count, 1);
        checkCorner(t->position);
        assert_memory_equal(t->tet, corner, sizeof corner);
        assert_int_equal(snTetFile_Node(&mesh.tets, 3), i == 0 || i == 3 ? 3 : 4);
        snArena_Free(&arena);
        checkCuts(parse, texts[i], strlen(texts[i]));
    }
    checkMemory(parse, texts[0], strlen(texts[0]));
}

static void test_mistakes(void** state)
{
    (void)state;
    static const Mistake cases[] = {
        {"", "node file: line 1: expected the number of nodes, found the end of the file"},
        {"4 2 0 0\n", "node file: line 1: expected the dimension, 3, found 2"},
        {"4 3\n0 0 0 0\n1 1 0 0\n3 0 1 0\n3 0 0 1|1 4\n0 0 1 2 3",
         "node file: line 4: expected the number of a node, 2, found 3; a line is missing"},
        {"4 3\n2 0 0 0\n3 1 0 0\n4 0 1 0\n5 0 0 1|", "line 2: numbers start at 0 or 1, not at 2"},
        {"4 3\n0 0 0 0\n1 1 0.0\n2 0 1 0\n3 0 0 1|", "line 3: expected the coordinates of a node"},
        {"4 3\n0 0 0 inf\n1 1 0 0\n2 0 1 0\n3 0 0 1|", "line 2: expected the coordinates of a"},
        {"2147483647 3\n0 0 0 0\n|", "2147483647 nodes are promised, but only"},
        {ZERO "|", "tet file: line 1: expected the number of tets"},
        {ZERO "|1 10 0\n0 0 1 2 3 4 5 6 7 8 9\n", "tet file: line 1: second-order tets of 10"},
        {ZERO "|1 8 0\n", "tet file: line 1: expected 4, the nodes of a tet, found 8"},
        {ZERO "|1 4 0\n0 0 1 2 4\n",
         "tet file: line 2: tet 0 names node 4, but the file has 4 (numbered from 0)"},
        {ONE "|1 4 0\n1 1 2 3 0\n", "tet file: line 2: tet 1 names node 0"},
        {ONE "|1 4 0\n1 1 2 3\n", "line 2: expected the four nodes of a tet"},
        {ONE "|2 4 0\n1 1 2 3 4\n4 1 2 3 4\n", "line 3: expected the number of a tet, 2, found 4"},
        {ONE "|1000000000 4 0\n1 1 2 3 4\n", "1000000000 tets are promised, but only"},
        {ONE "|0 4 0\n", "no tets in it: 4 nodes"},
        {"0 3\n|0 4 0\n", "no tets in it: 0 nodes"},
    };
    checkMistakes(parse, cases, sizeof cases / sizeof *cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forms),
                                       cmocka_unit_test(test_mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
