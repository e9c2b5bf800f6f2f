// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Every dialect gives the same tet, whatever stands around it; every mistake names its place.
#include "io/mesh/gmsh.h"
#include "io/mesh/meshes.h"

static snStatus parse(snArena* arena, const char* bytes, size_t count, Mesh* out, snMessage* why)
{
    return snGmsh_Parse(arena, (const uint8_t*)bytes, count, &out->tets, why);
}

// How one file is written.
typedef struct Form {
    int version; // 2 or 4
    bool binary, big;
    bool sparse; // node numbers do not follow each other
    bool extras; // other sections and elements; version 4: nodes with parameters
} Form;

static void putWhole(Bytes* b, const Form* f, int64_t value, int bytes)
{
    char text[32];
    if (f->binary) {
        putBits(b, (uint64_t)value, bytes);
    } else {
        snprintf(text, sizeof text, "%lld ", (long long)value);
        putText(b, text);
    }
}

static void putReal(Bytes* b, const Form* f, int value)
{
    if (f->binary) {
        putDouble(b, value);
    } else {
        putWhole(b, f, value, 0);
    }
}

static void putEnd(Bytes* b, const Form* f)
{
    if (!f->binary) {
        putText(b, "\n");
    }
}

static void putRow(Bytes* b, const Form* f, int bytes, int count, const int64_t* values)
{
    for (int k = 0; k < count; ++k) {
        putWhole(b, f, values[k], bytes);
    }
}

// A number that stands on a line of text in both.
static void putCount(Bytes* b, int count)
{
    char text[32];
    snprintf(text, sizeof text, "%d\n", count);
    putText(b, text);
}

static int64_t nodeName(const Form* f, int node)
{
    static const int64_t names[4] = {70, 3, 1000000000000, 9};
    static const int64_t small[4] = {70, 3, 2000000000, 9};
    return !f->sparse ? node + 5 : f->version == 2 ? small[node] : names[node];
}

static void putNodes2(Bytes* b, const Form* f)
{
    putCount(b, 4);
    for (int v = 0; v < 4; ++v) {
        putWhole(b, f, nodeName(f, v), 4);
        for (int k = 1; k <= 3; ++k) {
            putReal(b, f, v == k);
        }
        putEnd(b, f);
    }
}

// Two blocks of two nodes, on a surface and on points, and an empty one in a volume.
static void putNodes4(Bytes* b, const Form* f)
{
    putRow(b, f, 8, 4, (const int64_t[]){3, 4, 1, 1000000000000});
    putEnd(b, f);
    for (int block = 0; block < 3; ++block) {
        bool parametric = f->extras && block == 0;
        int64_t dimension = block == 0 ? 2 : block == 1 ? 0 : 3;
        putRow(b, f, 4, 3, (const int64_t[]){dimension, 1 + block, parametric});
        putWhole(b, f, block < 2 ? 2 : 0, 8);
        putEnd(b, f);
        for (int v = 2 * block; v < 2 * block + 2 && block < 2; ++v) {
            putWhole(b, f, nodeName(f, v), 8);
            putEnd(b, f);
        }
        for (int v = 2 * block; v < 2 * block + 2 && block < 2; ++v) {
            for (int k = 1; k <= 3; ++k) {
                putReal(b, f, v == k);
            }
            for (int k = 0; k < 2 && parametric; ++k) {
                putReal(b, f, 7);
            }
            putEnd(b, f);
        }
    }
}

// An element of the first `count` nodes, taken in turn.
static void putElement(Bytes* b, const Form* f, int64_t name, int type, int count)
{
    int bytes = f->version == 2 ? 4 : 8;
    if (f->version == 2 && f->binary) {
        putRow(b, f, 4, 3, (const int64_t[]){type, 1, 2});
    } else if (f->version == 4) {
        putRow(b, f, 4, 3, (const int64_t[]){type == 2 ? 2 : 3, 1, type});
        putWhole(b, f, 1, 8);
        putEnd(b, f);
    }
    putWhole(b, f, name, bytes);
    if (f->version == 2 && !f->binary) {
        putRow(b, f, 4, 2, (const int64_t[]){type, 2});
    }
    if (f->version == 2) {
        putRow(b, f, 4, 2, (const int64_t[]){1, 1});
    }
    for (int k = 0; k < count; ++k) {
        putWhole(b, f, nodeName(f, k % 4), bytes);
    }
    putEnd(b, f);
}

static void putElements(Bytes* b, const Form* f)
{
    int count = f->extras ? 3 : 1;
    if (f->version == 2) {
        putCount(b, count);
    } else {
        putRow(b, f, 8, 4, (const int64_t[]){count, count, 1, 99});
        putEnd(b, f);
    }
    if (f->extras) {
        putElement(b, f, 1, 2, 3); // a triangle
        putElement(b, f, 2, 5, 8); // a hexahedron
    }
    putElement(b, f, 99, 4, 4);
}

static void putGmsh(Bytes* b, const Form* f)
{
    *b = (Bytes){.big = f->big};
    putText(b, f->extras ? "$Comments\nby hand\n$EndComments\n$MeshFormat\n" : "$MeshFormat\n");
    putText(b, f->version == 2 ? "2.2 " : "4.1 ");
    putText(b, f->binary ? "1 8\n" : "0 8\n");
    if (f->binary) {
        putBits(b, 1, 4);
    }
    putText(b, "\n$EndMeshFormat\n");
    if (f->extras) {
        putText(b, "$PhysicalNames\n1\n3 1 \"body\"\n$EndPhysicalNames\n$Entities\n$ $Nodes "
                   "$$EndEntities\n");
    }
    putText(b, "$Nodes\n");
    (f->version == 2 ? putNodes2 : putNodes4)(b, f);
    // some writers leave the new line out behind binary numbers
    putText(b, f->extras ? "$EndNodes\n$Elements\n" : "\n$EndNodes\n$Elements\n");
    putElements(b, f);
    putText(b,
            f->extras ? "$EndElements\n$ElementData\n1\n\"x\"\n$EndElementData" : "$EndElements");
}

static void test_forms(void** state)
{
    (void)state;
    static const int32_t corner[4] = {0, 1, 2, 3};
    static Bytes b;
    for (int i = 0; i < 32; ++i) {
        Form f = {i & 1 ? 4 : 2, i & 2, i & 4, i & 8, i & 16};
        if (f.big && !f.binary) {
            continue;
        }
        putGmsh(&b, &f);
        snArena arena;
        snArena_Init(&arena, NULL);
        Mesh mesh;
        snMessage why;
        assert_ok(parse(&arena, b.data, b.count, &mesh, &why), why);
        assert_int_equal(mesh.tets.tets.node_count, 4);
        assert_int_equal(mesh.tets.tets.tet_count, 1);
        checkCorner(mesh.tets.tets.position);
        assert_memory_equal(mesh.tets.tets.tet, corner, sizeof corner);
        assert_int_equal(mesh.tets.others, f.extras ? 2 : 0);
        assert_int_equal(mesh.tets.other_volumes, f.extras);
        assert_int_equal(snTetFile_Tet(&mesh.tets, 0), 99);
        assert_int_equal(snTetFile_Node(&mesh.tets, 2), nodeName(&f, 2));
        snArena_Free(&arena);
        checkCuts(parse, b.data, b.count);
        checkMemory(parse, b.data, b.count);
    }
}

#define HEAD2 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define NODES2 "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
#define HEAD4 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES4 "$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"

static void test_mistakes(void** state)
{
    (void)state;
    static const Mistake cases[] = {
        {"", "no tets in it"},
        {"(0 \"made by another program\")\n", "line 1: expected a section like $Nodes, found '(0'"},
        {"$NOD\n1\n1 0 0 0\n$ENDNOD\n", "line 1: $NOD without $MeshFormat"},
        {"$MeshFormat\n4 0 8\n", "line 2: Gmsh's version 4 is not read; save it as 4.1 or 2.2"},
        {"$MeshFormat\n4.1 2 8\n", "line 2: file type 2 with numbers of 8 bytes"},
        {"$MeshFormat\n4.1 0 4\n", "line 2: file type 0 with numbers of 4 bytes"},
        {"$MeshFormat\n4.1 1 8\nxxxx", "expected the number 1, which shows the byte order"},
        {"$MeshFormat\n2.2 0 8\n", "line 3: expected the end of $MeshFormat, found ''"},
        {HEAD2 "$Entities\n", "$Entities has no end; the file is cut"},
        {HEAD2 "$EndNodes\n", "line 4: expected a section like $Nodes, found '$EndNodes'"},
        {HEAD2 "$Elements\n0\n$EndElements\n", "the elements stand before the nodes"},
        {HEAD2 NODES2, "no tets in it: 4 nodes, 0 other elements"},
        {HEAD2 NODES2 NODES2, "a second list of nodes"},
        {HEAD2 "$Nodes\n1 0 0 0\n", "line 5: expected the line to end after the number of nodes"},
        {HEAD2 "$Nodes\n2\n1 0 0 0\n$EndNodes\n", "2 nodes are promised, but only 1 are there"},
        {HEAD2 "$Nodes\n1\n1 0 0 0\n2 0 0 0\n$EndNodes\n",
         "line 7: expected the end of $Nodes, found '2'; is a count wrong?"},
        {HEAD2 "$Nodes\n1\n1 0 0 0 7\n$EndNodes\n",
         "line 6: expected the line to end after a node"},
        {HEAD2 "$Nodes\n1\n0 0 0 0\n$EndNodes\n", "line 6: 0 is not the number of a node"},
        {HEAD2 "$Nodes\n2\n7 0 0 0\n7 0 0 1\n$EndNodes\n", "line 8: node 7 is there twice"},
        {HEAD2 "$Nodes\n2147483647\n1 0 0 0\n", "2147483647 nodes are promised, but only 8 bytes"},
        {HEAD2 NODES2 "$Elements\n1\n7 4 2 0 1 1 2 3 5\n$EndElements\n",
         "line 13: element 7 names node 5, which is not in the file"},
        {HEAD2 NODES2 "$Elements\n1\n7 4 2 0 1 1 2 3 -4\n$EndElements\n",
         "element 7 names node -4"},
        {HEAD2 NODES2 "$Elements\n1\n7 4 2 0 1 1 2 3\n$EndElements\n",
         "line 13: expected the four"},
        {HEAD2 NODES2 "$Elements\n1\n7 4 2 0 1 1 2 3 4 4\n$EndElements\n",
         "line 13: expected the line to end after a tet, found '4'"},
        {HEAD2 NODES2 "$Elements\n1\n7 4 -2 0 1 1 2 3 4\n$EndElements\n", "with -2 tags cannot be"},
        {HEAD2 NODES2 "$Elements\n1\n7 11 0 1 2 3 4 1 2 3 4 1 2\n$EndElements\n",
         "line 13: second-order tets of 10 nodes (Gmsh's type 11) are not taken"},
        {HEAD2 NODES2 "$Elements\n1\n7 30 0 1\n$EndElements\n", "fourth-order tets of 35 nodes"},
        {HEAD2 NODES2 "$Elements\n1\n7 77 0 1\n$EndElements\n", "Gmsh's type 77 are not known"},
        {HEAD2 NODES2 "$Elements\n1\n7 2 0 1 2 3\n$EndElements\n",
         "no tets in it: 4 nodes, 1 other elements, of them 0 hexahedra"},
        {HEAD2 NODES2 "$Elements\n2\n7 4 0 1 2 3 4\n$EndElements\n",
         "line 14: 2 elements are promised, but only 1 are there"},
        {HEAD2 NODES2 "$Elements\n1000000000\n7 4 0 1 2 3 4\n$EndElements\n",
         "1000000000 elements are promised, but only"},
        {HEAD4 "$Nodes\n1 14 1\n", "line 5: expected the four totals of the nodes, found the end"},
        {HEAD4 "$Nodes\n1 2 1 2\n3 1 0 3\n1\n2\n0 0 0\n0 0 1\n",
         "a block of 3 nodes of dimension 3"},
        {HEAD4 "$Nodes\n1 2 1 2\n4 1 0 2\n1\n2\n0 0 0\n0 0 1\n", "nodes of dimension 4 cannot be"},
        {HEAD4 "$Nodes\n1 2 1 2\n3 1 0 1\n1\n0 0 0\n$EndNodes\n",
         "2 nodes are promised, the blocks have 1"},
        {HEAD4 NODES4 "$Elements\n1 1 1 1\n3 1 4 2\n7 1 2 3 4\n",
         "a block of 2 elements cannot be"},
        {HEAD4 NODES4 "$Elements\n1 2 1 1\n3 1 4 1\n7 1 2 3 4\n$EndElements\n",
         "2 elements are promised, the blocks have 1"},
        {HEAD4 NODES4 "$Elements\n1 1 1 1\n3 1 11 1\n", "line 18: second-order tets of 10 nodes"},
        {HEAD4 NODES4 "$Elements\n1 1 1 1\n3 1 4 1\n7 1 2 3 5\n", "element 7 names node 5"},
    };
    checkMistakes(parse, cases, sizeof cases / sizeof *cases);
}

// Binary files that lie about every size.
static void test_lies(void** state)
{
    (void)state;
    static Bytes b;
    for (int version = 2; version <= 4; version += 2) {
        putGmsh(&b, &(Form){.version = version, .binary = true});
        size_t nodes = strlen("$MeshFormat\n2.2 1 8\n1234\n$EndMeshFormat\n$Nodes\n");
        if (version == 4) {
            b.count = nodes + 8;
            putBits(&b, (uint64_t)1 << 62, 8);
            b.count = 2000;
            checkMistake(parse, b.data, b.count, "4611686018427387904 nodes are promised");
        } else {
            b.count = nodes;
            putText(&b, "2147483647\n");
            b.count = 2000;
            checkMistake(parse, b.data, b.count, "2147483647 nodes are promised, but only");
        }
    }
    putGmsh(&b, &(Form){.version = 2, .binary = true});
    size_t at = b.count - strlen("$EndElements") - 4 * 7;
    b.count = at - 8; // the size of the only block
    putBits(&b, 2, 4);
    b.count = 2000;
    checkMistake(parse, b.data, b.count, "a block of 2 elements cannot be, 1 are left");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms), cmocka_unit_test(test_mistakes), cmocka_unit_test(test_lies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
