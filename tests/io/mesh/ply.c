// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Any types, orders and formats give the same tetrahedron; every mistake names its place.
#include "io/mesh/ply.h"
#include "io/mesh/meshes.h"

static snStatus parse(snArena* arena, const char* bytes, size_t count, Mesh* out, snMessage* why)
{
    return snPly_Parse(arena, (const uint8_t*)bytes, count, &out->surface, why);
}

static const char* const TYPES[] = {"char",   "uint8", "int16",  "ushort", "int",
                                    "uint32", "int64", "uint64", "float",  "float64"};
static const int SIZES[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};

typedef enum Format { formatText, formatLittle, formatBig } Format;

// How one file is written.
typedef struct Form {
    Format format;
    int coordinate, length, index; // types
    bool swapped;                  // z, y, x, and faces before vertices
    bool extras;                   // other elements and properties around all
} Form;

static void putValue(Bytes* b, const Form* form, int type, int value)
{
    char text[32];
    if (form->format == formatText) {
        snprintf(text, sizeof text, "%d ", value);
        putText(b, text);
    } else if (type == 8) {
        putFloat(b, (float)value);
    } else if (type == 9) {
        putDouble(b, value);
    } else {
        putBits(b, (uint64_t)(int64_t)value, SIZES[type]);
    }
}

static void putEnd(Bytes* b, const Form* form)
{
    if (form->format == formatText) {
        putText(b, "\n");
    }
}

static void putVertices(Bytes* b, const Form* form)
{
    for (int v = 0; v < 4; ++v) {
        if (form->extras) {
            putValue(b, form, 1, 77);
        }
        for (int k = 0; k < 3; ++k) {
            int axis = form->swapped ? 3 - k : k + 1;
            putValue(b, form, form->coordinate, v == axis);
        }
        if (form->extras) {
            putValue(b, form, 1, 2); // a list of two
            putValue(b, form, 9, 5);
            putValue(b, form, 9, 6);
        }
        putEnd(b, form);
    }
}

static void putFaces(Bytes* b, const Form* form)
{
    for (int t = 0; t < 4; ++t) {
        if (form->extras) {
            putValue(b, form, 8, -3);
        }
        putValue(b, form, form->length, 3);
        for (int k = 0; k < 3; ++k) {
            putValue(b, form, form->index, CORNER_TRIANGLES[3 * t + k]);
        }
        if (form->extras) {
            putValue(b, form, 4, 0); // an empty list
        }
        putEnd(b, form);
    }
}

static void putHeader(Bytes* b, const Form* form)
{
    static const char* const FORMATS[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    char vertex[512], face[512], all[2048];
    const char* c = TYPES[form->coordinate];
    snprintf(vertex, sizeof vertex,
             "element vertex 4\n%sproperty %s %s\nproperty %s y\nproperty %s %s\n%s",
             form->extras ? "property uchar red\n" : "", c, form->swapped ? "z" : "x", c, c,
             form->swapped ? "x" : "z", form->extras ? "property list uchar double uv\n" : "");
    snprintf(face, sizeof face, "element face 4\n%sproperty list %s %s %s\n%s",
             form->extras ? "property float quality\n" : "", TYPES[form->length],
             TYPES[form->index], form->extras ? "vertex_index" : "vertex_indices",
             form->extras ? "property list int char more\n" : "");
    snprintf(all, sizeof all,
             "ply\nformat %s 1.0\ncomment by hand\nobj_info none\n%s%s%s%send_header\n",
             FORMATS[form->format],
             form->extras ? "element camera 2\nproperty short a\nproperty double b\n" : "",
             form->swapped ? face : vertex, form->swapped ? vertex : face,
             form->extras ? "element edge 1\nproperty int vertex1\n" : "");
    putText(b, all);
}

static void putPly(Bytes* b, const Form* form)
{
    *b = (Bytes){.big = form->format == formatBig};
    putHeader(b, form);
    for (int i = 0; form->extras && i < 2; ++i) {
        putValue(b, form, 2, 1000);
        putValue(b, form, 9, 1);
        putEnd(b, form);
    }
    if (form->swapped) {
        putFaces(b, form);
        putVertices(b, form);
    } else {
        putVertices(b, form);
        putFaces(b, form);
    }
    if (form->extras) {
        putValue(b, form, 4, 1);
        putEnd(b, form);
    }
}

static void checkForm(const Form* form)
{
    static Bytes b;
    snArena arena;
    snArena_Init(&arena, NULL);
    snSurface s;
    snMessage why;
    putPly(&b, form);
    assert_ok(snPly_Parse(&arena, (const uint8_t*)b.data, b.count, &s, &why), why);
    assert_int_equal(s.vertex_count, 4);
    assert_int_equal(s.triangle_count, 4);
    checkCorner(s.position);
    assert_memory_equal(s.triangle, CORNER_TRIANGLES, sizeof CORNER_TRIANGLES);
    snArena_Free(&arena);
}

static void test_forms(void** state)
{
    (void)state;
    for (int format = 0; format < 3; ++format) {
        for (int mask = 0; mask < 4; ++mask) {
            for (int coordinate = 0; coordinate < 10; ++coordinate) {
                for (int index = 0; index < 10; ++index) {
                    checkForm(&(Form){(Format)format, coordinate, index % 8, (index + 3) % 10,
                                      mask & 1, mask & 2});
                    checkForm(&(Form){(Format)format, coordinate, (index + 5) % 8, index, mask & 1,
                                      mask & 2});
                }
            }
        }
    }
}

static void test_cuts(void** state)
{
    (void)state;
    static Bytes b;
    for (int format = 0; format < 3; ++format) {
        putPly(&b, &(Form){(Format)format, 8, 1, 4, false, true});
        checkCuts(parse, b.data, b.count);
        checkMemory(parse, b.data, b.count);
    }
}

// The first line says which kind of new line stands before the numbers, of which the first may be
// a new line too.
static void test_newlines(void** state)
{
    (void)state;
    static const char* const ends[] = {"\n", "\r\n", "\r"};
    for (int i = 0; i < 3; ++i) {
        static const char* const lines[] = {"ply",
                                            "format binary_little_endian 1.0",
                                            "element vertex 3",
                                            "property uchar x",
                                            "property uchar y",
                                            "property uchar z",
                                            "element face 1",
                                            "property list uchar uchar vertex_index",
                                            "end_header"};
        static Bytes b;
        b.count = 0;
        for (size_t k = 0; k < sizeof lines / sizeof *lines; ++k) {
            putText(&b, lines[k]);
            putText(&b, ends[i]);
        }
        putText(&b, "\n\r\n\r\n\r\n\n\n\x03");
        putBits(&b, 0x020100, 3);
        snArena arena;
        snArena_Init(&arena, NULL);
        snSurface s;
        snMessage why;
        assert_ok(snPly_Parse(&arena, (const uint8_t*)b.data, b.count, &s, &why), why);
        assert_true(s.position[0].x == 10 && s.position[0].y == 13 && s.position[2].z == 10);
        assert_int_equal(s.triangle[2], 2);
        snArena_Free(&arena);
    }
}

#define HEAD "ply\nformat ascii 1.0\n"
#define XYZ "property float x\nproperty float y\nproperty float z\n"
#define LIST "property list uchar int vertex_indices\n"

static void test_mistakes(void** state)
{
    (void)state;
    static const Mistake cases[] = {
        {"", "line 1: a PLY file begins with 'ply', this one with ''"},
        {"plyx\n", "line 1: a PLY file begins with 'ply'"},
        {"ply\nelement vertex 1\n" XYZ, "is not a line of a PLY header; it may be cut"},
        {"ply\nelement vertex 1\n" XYZ "end_header\n", "the header does not say its format"},
        {"ply\nformat text 1.0\n", "line 2: 'text' is not a format of PLY"},
        {"ply\nformat ascii 2.0\n", "line 2: PLY 2.0 is not known"},
        {HEAD "element vertex many\n", "line 3: expected the number of elements, but 'many'"},
        {HEAD "element vertex -1\n", "line 3: expected the number of elements, found -1"},
        {HEAD "property float x\n", "line 3: a property before the first element"},
        {HEAD "element vertex 3\nproperty real x\n", "line 4: 'real' is not a type of PLY"},
        {HEAD "element face 3\nproperty list float int i\n", "line 4: the length of a list must"},
        {HEAD "vertices 3\n", "line 3: 'vertices' is not a line of a PLY header"},
        {HEAD "element vertex 3\nelement vertex 3\n", "line 4: a second element 'vertex'"},
        {HEAD "element vertex 3\nproperty float x\nend_header\n", "no element 'vertex' with x, y"},
        {HEAD "element vertex 1\n" XYZ "end_header\n0 0 0\n", "1 points without faces"},
        {HEAD "element vertex 1\n" XYZ "element tristrips 1\n" LIST "end_header\n0 0 0\n",
         "triangle strips"},
        {HEAD "element vertex 1\n" XYZ "element face 1\nproperty list uchar int corners\n"
              "end_header\n0 0 0\n",
         "the element 'face' needs one list 'vertex_indices', it has 0"},
        {HEAD "element vertex 3\n" XYZ "element face 1\n" LIST "end_header\n0 0 0\n1 0 0\n0 1 0\n"
              "3 0 1 3\n",
         "line 13: face 0 names a vertex that is not there; the file has 3"},
        {HEAD "element vertex 3\n" XYZ "element face 1\n" LIST "end_header\n0 0 0\n1 0 0\n0 1 0\n"
              "3 0 1 -1\n",
         "line 13: face 0 names a vertex"},
        {HEAD "element vertex 3\n" XYZ "element face 1\n" LIST "end_header\n0 0 0\n1 0 0\n0 1 0\n"
              "3 0 1 1.5\n",
         "line 13: face 0 names a vertex"},
        {HEAD "element vertex 3\n" XYZ "element face 1\n" LIST "end_header\n0 0 0\n1 0 0\n0 1 0\n"
              "3 0 1\n",
         "line 13: expected more numbers, found the end of the line"},
        {HEAD "element vertex 3\n" XYZ "element face 1\n" LIST "end_header\n0 0 0\n1 0 0\n0 1 0\n"
              "2 0 1\n",
         "no surface in it: 3 vertices, 0 faces"},
        {HEAD "element vertex 3\n" XYZ "element face 1\n" LIST "end_header\n0 0 0\n1 nan 0\n0 1 0\n"
              "3 0 1 2\n",
         "line 11: vertex 1 has a coordinate that is not finite"},
        {HEAD "element vertex 2147483647\n" XYZ "element face 1\n" LIST "end_header\n0 0 0\n",
         "line 10: 2147483647 vertices are promised, but only 6 bytes"},
        {HEAD "element vertex 1\n" XYZ "element face 9223372036854775807\n" LIST
              "end_header\n0 0 0\n",
         "9223372036854775807 faces are promised"},
        {HEAD "element vertex 1\n" XYZ "element face 1\n" LIST "end_header\n0 0 0\n4000000000 0\n",
         "a list of 4e+09 numbers cannot be"},
        {"ply\nformat binary_big_endian 1.0\nelement vertex 99999999\n" XYZ "element face 1\n" LIST
         "end_header\nxxxxxxxxxxxx",
         "99999999 vertices are promised, but only 12 bytes"},
        {"ply\nformat binary_little_endian 1.0\nelement odd 4611686018427387904\nproperty int a\n"
         "element vertex 1\n" XYZ "element face 1\n" LIST "end_header\n",
         "4611686018427387904 elements are promised, but only 0 bytes"},
        // an element without properties has no bytes, however many there are
        {"ply\nformat binary_little_endian 1.0\nelement odd 4611686018427387904\n"
         "element vertex 1\n" XYZ "element face 1\n" LIST "end_header\n",
         "1 vertices are promised, but only 0 bytes"},
    };
    checkMistakes(parse, cases, sizeof cases / sizeof *cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forms), cmocka_unit_test(test_cuts),
                                       cmocka_unit_test(test_newlines),
                                       cmocka_unit_test(test_mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
