// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Containers, versions and extensions; the document is kept as it was.

#include "io/gltf/gltf.h"

static void test_source(void** state)
{
    (void)state;
    static Bytes b;
    Document d = {0};
    addTriangle(&d);
    finishGlb(&d, ONE_MESH, &b);
    snRig* rig = parseBytes(&b);
    const snRigSource* s = &rig->source;
    assert_string_equal(rig->info.kind, "glb");
    assert_true(s->binary);
    assert_int_equal(s->size, b.count);
    assert_memory_equal(s->bytes, b.data, b.count);
    assert_int_equal(s->bytes[s->json_begin], '{');
    assert_int_equal(s->bin_size, 36);
    assert_int_equal(s->bin_begin, 20 + s->json_size + 8);
    assert_true(s->buffers[0].data == s->bytes + s->bin_begin);
    // plain floats are used where they lie
    assert_true((const void*)rig->shapes[0].position == (const void*)(s->bytes + s->bin_begin));
    snRig_Release(rig);
}

static void test_containers(void** state)
{
    (void)state;
    static Bytes b;
    Document d = {0};
    addTriangle(&d);
    finishGlb(&d, ONE_MESH, &b);
    Bytes whole = b;
    // what follows the end, and chunks that are not known, are passed over
    putText(&b, "more");
    snRig* rig = parseBytes(&b);
    assert_true(warns(rig, "4 bytes follow"));
    snRig_Release(rig);
    b = whole;
    putBits(&b, 4, 4);
    putText(&b, "ABCDabcd");
    b.data[8] = (char)b.count;
    b.data[9] = (char)(b.count >> 8);
    rig = parseBytes(&b);
    assert_int_equal(rig->info.warning_count, 0);
    snRig_Release(rig);
    // wherever it is cut, it is refused
    for (size_t cut = 0; cut < whole.count; ++cut) {
        snMessage why;
        char* copy = malloc(cut + 1);
        assert_non_null(copy);
        memcpy(copy, whole.data, cut);
        assert_int_equal(snRig_Parse(NULL, copy, cut, "test", &rig, &why), sn_errorFile);
        assert_null(rig);
        free(copy);
    }
    static const struct {
        size_t at;
        const char *bytes, *says;
    } cases[] = {
        {0, "G", "test: it is no GLB file, and no glTF document: line 1, column 1"},
        {4, "\1", "version 1"},
        {8, "\377\377\377", "cut off"},
        {12, "\377\377\377", "its document reaches beyond the file"},
        {16, "B", "does not come first"},
        {20, "[", "line 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        b = whole;
        memcpy(b.data + cases[i].at, cases[i].bytes, strlen(cases[i].bytes));
        expectRefusal(b.data, b.count, sn_errorFile, cases[i].says);
    }
}

static void test_versions(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        snStatus status;
        const char* says;
    } cases[] = {
        {"{}", sn_errorFile, "no glTF document"},
        {"{\"sinew\": 1}", sn_errorFile, "no glTF document"},
        {"[]", sn_errorFile, "no glTF document"},
        {"", sn_errorFile, "it is empty, of 0 bytes"},
        {"{\"asset\":{}}", sn_errorFile, "no glTF document"},
        {"{\"asset\":{\"version\":\"1.0\"}}", sn_errorUnsupported, "it is glTF 1.0; export"},
        {"{\"asset\":{\"version\":\"2.1\",\"minVersion\":\"2.1\"}}", sn_errorUnsupported,
         "asset.minVersion"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        expectRefusal(cases[i].text, strlen(cases[i].text), cases[i].status, cases[i].says);
    }
    // a document with nothing in it is a rig with nothing in it
    static const char empty[] =
        "\xef\xbb\xbf {\"asset\":{\"version\":\"2.0\",\"generator\":\"me\"}}";
    snRig* rig;
    snMessage why;
    assert_ok(snRig_Parse(NULL, empty, strlen(empty), "test", &rig, &why), why);
    assert_string_equal(rig->info.generator, "me");
    assert_int_equal(rig->info.node_count, 0);
    snRig_Release(rig);
}

static void test_extensions(void** state)
{
    (void)state;
    Document d = {0};
    addTriangle(&d);
    snRig* rig = parseDocument(
        &d, ONE_MESH ",'extensionsRequired':['KHR_mesh_quantization','KHR_materials_unlit',"
                     "'KHR_texture_transform','KHR_lights_punctual','KHR_texture_basisu',"
                     "'EXT_texture_webp','VRM','VRMC_vrm','VRMC_springBone']");
    snRig_Release(rig);
    refuse(&d, ONE_MESH ",'extensionsRequired':['KHR_draco_mesh_compression']", sn_errorUnsupported,
           "KHR_draco_mesh_compression, which is not understood here; export "
           "it again without Draco compression");
    refuse(&d, ONE_MESH ",'extensionsRequired':['EXT_meshopt_compression']", sn_errorUnsupported,
           "without meshopt compression");
    refuse(&d, ONE_MESH ",'extensionsRequired':['A_b','KHR_materials_unlit','C_d']",
           sn_errorUnsupported, "without A_b, C_d, which");
    // those that are merely used do no harm
    rig = parseDocument(&d, ONE_MESH ",'extensionsUsed':['A_b']");
    snRig_Release(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_source), cmocka_unit_test(test_containers),
        cmocka_unit_test(test_versions), cmocka_unit_test(test_extensions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
