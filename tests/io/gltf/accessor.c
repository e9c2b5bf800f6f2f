// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Every component type, normalised or not, gives the numbers that glTF says; strides, gaps in
// matrices and sparse accessors likewise. What reaches beyond its data is refused.

#include "io/gltf/gltf.h"

// The three numbers of an own attribute of a single vertex with that accessor, through the reader
static snRig* readOwn(Document* d, int own)
{
    char rest[256];
    snprintf(rest, sizeof rest,
             "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'_OWN':%d}}]}],'nodes':[{'mesh':"
             "0}]",
             own);
    return parseDocument(d, rest);
}

static const float* ownValues(const snRig* rig, int32_t width)
{
    assert_int_equal(rig->shapes[0].attribute_count, 1);
    assert_string_equal(rig->shapes[0].attributes[0].name, "_OWN");
    assert_int_equal(rig->shapes[0].attributes[0].width, width);
    return rig->shapes[0].attributes[0].values;
}

static void test_components(void** state)
{
    (void)state;
    static const struct {
        int component;
        double low, high; // stored
        double normal_low, normal_high;
    } cases[] = {
        {G_BYTE, -128, 127, -1, 1},       {G_UBYTE, 0, 255, 0, 1},
        {G_SHORT, -32768, 32767, -1, 1},  {G_USHORT, 0, 65535, 0, 1},
        {G_UINT, 0, 4000000000.0, 0, -1}, {G_FLOAT, -1.5e10, 2.5, -1.5e10, 2.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        for (int normalized = 0; normalized < 2; ++normalized) {
            Document d = {0};
            double v[9] = {cases[i].low, cases[i].high, 1, 0, 0, 0, 0, 0, 0};
            addTriangle(&d);
            int view = addView(&d, cases[i].component, v, 9);
            int own = addAccessor(&d,
                                  "\"bufferView\":%d,\"componentType\":%d,\"count\":3,\"type\":"
                                  "\"VEC3\",\"normalized\":%s",
                                  view, cases[i].component, normalized ? "true" : "false");
            if (normalized && cases[i].component == G_UINT) {
                refuse(&d,
                       "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'_OWN':1}}]}],'nodes':"
                       "[{'mesh':0}]",
                       sn_errorFile, "accessors[1].componentType");
                continue;
            }
            snRig* rig = readOwn(&d, own);
            const float* got = ownValues(rig, 3);
            double most = cases[i].component == G_FLOAT ? 1 : cases[i].high;
            assert_true(got[0] == (float)(normalized ? cases[i].normal_low : cases[i].low));
            assert_true(got[1] == (float)(normalized ? cases[i].normal_high : cases[i].high));
            assert_true(got[2] == (float)(normalized ? 1 / most : 1));
            snRig_Release(rig);
        }
    }
}

// Interleaved bytes at odd places
static void test_strides(void** state)
{
    (void)state;
    Document d = {0};
    addTriangle(&d);
    size_t begin = d.bin.count;
    for (int i = 0; i < 3; ++i) {
        putBits(&d.bin, 99, 2);
        putFloat(&d.bin, (float)i + 0.5f);
        putFloat(&d.bin, (float)-i);
        putBits(&d.bin, 99, 2);
    }
    appendText(d.views, sizeof d.views,
               ",{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":36,\"byteStride\":12}", begin);
    ++d.view_count;
    int own =
        addAccessor(&d, "\"bufferView\":1,\"byteOffset\":2,\"componentType\":5126,\"count\":3,"
                        "\"type\":\"VEC2\"");
    snRig* rig = readOwn(&d, own);
    const float* got = ownValues(rig, 2);
    for (int i = 0; i < 3; ++i) {
        assert_true(got[2 * i] == (float)i + 0.5f && got[2 * i + 1] == (float)-i);
    }
    snRig_Release(rig);
}

// Columns of matrices of bytes begin at multiples of 4.
static void test_matrices(void** state)
{
    (void)state;
    double v[36] = {0};
    for (int m = 0; m < 3; ++m) {
        for (int k = 0; k < 9; ++k) {
            v[12 * m + 4 * (k / 3) + k % 3] = 10 * m + k;
        }
    }
    Document d = {0};
    addTriangle(&d);
    int view = addView(&d, G_UBYTE, v, 36);
    int own = addAccessor(
        &d, "\"bufferView\":%d,\"componentType\":5121,\"count\":3,\"type\":\"MAT3\"", view);
    snRig* rig = readOwn(&d, own);
    const float* got = ownValues(rig, 9);
    for (int k = 0; k < 27; ++k) {
        assert_true(got[k] == (float)(10 * (k / 9) + k % 9));
    }
    snRig_Release(rig);
}

static void test_sparse(void** state)
{
    (void)state;
    static const double base[6] = {1, 2, 3, 4, 5, 6}, put[4] = {-1, -2, -3, -4}, at[2] = {0, 2};
    static const int kinds[3] = {G_UBYTE, G_USHORT, G_UINT};
    for (int over = 0; over < 2; ++over) { // over numbers, over nothing
        for (int k = 0; k < 3; ++k) {
            Document d = {0};
            char head[64] = "";
            addTriangle(&d);
            int view = addView(&d, G_FLOAT, base, 6), values = addView(&d, G_FLOAT, put, 4);
            int indices = addView(&d, kinds[k], at, 2);
            if (!over) {
                snprintf(head, sizeof head, "\"bufferView\":%d,", view);
            }
            int own = addAccessor(&d,
                                  "%s\"componentType\":5126,\"count\":3,\"type\":\"VEC2\","
                                  "\"sparse\":{\"count\":2,\"indices\":{\"bufferView\":%d,"
                                  "\"componentType\":%d},\"values\":{\"bufferView\":%d}}",
                                  head, indices, kinds[k], values);
            snRig* rig = readOwn(&d, own);
            const float* got = ownValues(rig, 2);
            assert_true(got[0] == -1 && got[1] == -2 && got[4] == -3 && got[5] == -4);
            assert_true(got[2] == (over ? 0 : 3) && got[3] == (over ? 0 : 4));
            snRig_Release(rig);
        }
    }
}

// Of an accessor that is POSITION of the only mesh
static void refuseAccessor(const char* text, const char* says)
{
    static const double numbers[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    Document d = {0};
    addView(&d, G_FLOAT, numbers, 9);
    addView(&d, G_FLOAT, &(double){(double)NAN}, 1); // bytes 36..39
    addView(&d, G_UBYTE, &(double){7}, 1);
    appendText(d.views, sizeof d.views,
               ",{\"buffer\":0,\"byteLength\":40},{\"buffer\":0,\"byteLength\":45},"
               "{\"buffer\":3,\"byteLength\":4},"
               "{\"buffer\":0,\"byteLength\":36,\"byteStride\":8},"
               "{\"buffer\":0,\"byteOffset\":1e300,\"byteLength\":4}");
    addAccessor(&d, "%s", text);
    refuse(&d, ONE_MESH, sn_errorFile, says);
}

static void test_refused(void** state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
#define F "\"type\":\"VEC3\",\"componentType\":5126,"
        {F "\"bufferView\":0,\"count\":4", "accessors[0]: its 4 elements reach beyond its data"},
        {F "\"bufferView\":0,\"count\":3,\"byteOffset\":4", "reach beyond its data"},
        {F "\"bufferView\":0,\"count\":3,\"byteOffset\":-4", "reach beyond its data"},
        {F "\"bufferView\":0,\"count\":4000000000", "reach beyond its data"},
        {F "\"bufferView\":0,\"count\":1e300", "accessors[0].count"},
        {F "\"bufferView\":0,\"count\":0", "accessors[0].count"},
        {F "\"bufferView\":0,\"count\":1.5", "accessors[0].count"},
        {F "\"bufferView\":0", "accessors[0].count"},
        {F "\"bufferView\":9,\"count\":1", "accessors[0].bufferView"},
        {F "\"bufferView\":4,\"count\":1", "bufferViews[4]: it reaches beyond"},
        {F "\"bufferView\":5,\"count\":1", "it is of no buffer"},
        {F "\"bufferView\":6,\"count\":3", "bufferViews[6].byteStride: expected 12..252"},
        {F "\"bufferView\":7,\"count\":1", "bufferViews[7]: it reaches beyond"},
        {F "\"bufferView\":3,\"byteOffset\":28,\"count\":1",
         "accessors[0]: a number of element 0 of 1 is not finite"},
        {"\"type\":\"VEC2\",\"componentType\":5126,\"bufferView\":0,\"count\":3",
         "meshes[0].primitives[0].attributes.POSITION: accessors[0].type: expected VEC3"},
        {"\"type\":\"VEC3\",\"componentType\":5124,\"bufferView\":0,\"count\":3",
         "accessors[0].componentType"},
        {"\"type\":\"VEC3\",\"bufferView\":0,\"count\":3", "accessors[0].componentType"},
        {F "\"count\":3,\"sparse\":{\"count\":4}", "accessors[0].sparse: expected a count in 1..3"},
#define S(indices, kind, values)                                                 \
    F "\"count\":3,\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":" indices \
      ",\"componentType\":" kind "},\"values\":{\"bufferView\":" values "}}"
        {S("2", "5121", "0"), "accessors[0].sparse.indices: number 0 is 7"},
        {S("2", "5120", "0"), "accessors[0].sparse: expected"},
        {S("2", "5123", "0"), "accessors[0].sparse.indices: its 1 elements reach beyond"},
        {S("2", "5121", "1"), "accessors[0].sparse.values: its 1 elements reach beyond"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        refuseAccessor(cases[i].text, cases[i].says);
    }
}

// Zeros by the billion, or one accessor again and again, are promised by few bytes.
static void test_lies(void** state)
{
    (void)state;
    static const double zero = 0;
    Document d = {0};
    addView(&d, G_UBYTE, &zero, 1);
    addAccessor(&d, "\"componentType\":5126,\"count\":500000000,\"type\":\"VEC3\",\"sparse\":{"
                    "\"count\":1,\"indices\":{\"bufferView\":0,\"componentType\":5121},\"values\":{"
                    "\"bufferView\":0}}");
    refuse(&d, ONE_MESH, sn_errorFile, "sparse.values"); // the values are not there
    d = (Document){0};
    addAccessor(&d, "\"componentType\":5126,\"count\":500000000,\"type\":\"VEC3\"");
    refuse(&d, ONE_MESH, sn_errorUnsupported, "far more numbers");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_components), cmocka_unit_test(test_strides),
        cmocka_unit_test(test_matrices),   cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_refused),    cmocka_unit_test(test_lies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
