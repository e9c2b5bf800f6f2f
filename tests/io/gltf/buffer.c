// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Buffers in the text, beside the document, and where they must not be.

#include "io/folder.h"

#include "io/gltf/buffer.h"
#include "io/gltf/gltf.h"
#include "io/gltf/uri.h"

static void test_base64(void** state)
{
    (void)state;
    static const struct {
        const char *text, *bytes; // RFC 4648, section 10
    } cases[] = {{"", ""},           {"Zg==", "f"},         {"Zm8=", "fo"},        {"Zm9v", "foo"},
                 {"Zm9vYg", "foob"}, {"Zm9vYmE=", "fooba"}, {"Zm9vYmFy", "foobar"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        uint8_t out[16];
        size_t count;
        assert_true(snBase64_Decode(cases[i].text, strlen(cases[i].text), out, &count));
        assert_int_equal(count, strlen(cases[i].bytes));
        assert_memory_equal(out, cases[i].bytes, count);
    }
    uint8_t out[16];
    size_t count;
    assert_false(snBase64_Decode("Zg!=", 4, out, &count));
    assert_false(snBase64_Decode("Z", 1, out, &count));
    assert_false(snBase64_Decode("Z=g=", 4, out, &count));
}

static void test_paths(void** state)
{
    (void)state;
    static const struct {
        const char *uri, *path; // NULL: refused
    } cases[] = {
        {"a.bin", "a.bin"},
        {"sub/a.bin", "sub/a.bin"},
        {"a%20b.bin", "a b.bin"},
        {"..bin", "..bin"},
        {"a..b/c", "a..b/c"},
        {"100%.bin", "100%.bin"},
        {"../a.bin", NULL},
        {"sub/../a.bin", NULL},
        {"..", NULL},
        {"%2e%2e/a", NULL},
        {"a/..", NULL},
        {"/etc/passwd", NULL},
        {"%2Fetc/passwd", NULL},
        {"C:\\a.bin", NULL},
        {"..\\a.bin", NULL},
        {"http://a/b.bin", NULL},
        {"file:a.bin", NULL},
        {"a%00b", NULL},
        {"", NULL},
        {"0123456789012345678901234567890123456789", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char path[32];
        bool taken = snUri_Path(cases[i].uri, path, sizeof path);
        assert_int_equal(taken, cases[i].path != NULL);
        if (taken) {
            assert_string_equal(path, cases[i].path);
        }
    }
}

// A triangle in a buffer of that description
static const char* documentOf(const char* buffer)
{
    static char text[1024];
    snprintf(text, sizeof text,
             "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{%s}],\"bufferViews\":[{\"buffer\":0,"
             "\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"type\":"
             "\"VEC3\",\"count\":3}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}"
             "]}],\"nodes\":[{\"mesh\":0}]}",
             buffer);
    return text;
}

#define ZEROS "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

static void writeFile(const char* path, const void* bytes, size_t count)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    fclose(file);
}

static void checkTriangle(const snRig* rig, float x)
{
    assert_int_equal(rig->info.triangle_count, 1);
    assert_true(rig->shapes[0].position[3] == x && rig->shapes[0].position[7] == x);
}

static void test_text(void** state)
{
    (void)state;
    snRig* rig;
    snMessage why;
    const char* good =
        documentOf("\"byteLength\":36,\"uri\":\"data:application/octet-stream;base64,"
                   "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"");
    assert_ok(snRig_Parse(NULL, good, strlen(good), "test", &rig, &why), why);
    assert_string_equal(rig->info.kind, "gltf");
    checkTriangle(rig, 1);
    snRig_Release(rig);
    static const struct {
        const char* buffer;
        snStatus status;
        const char* says;
    } cases[] = {
        {"\"byteLength\":37,\"uri\":\"data:;base64," ZEROS "\"", sn_errorFile,
         "buffers[0].byteLength"},
        {"\"uri\":\"data:;base64," ZEROS "\"", sn_errorFile, "buffers[0].byteLength"},
        {"\"byteLength\":36,\"uri\":\"data:;base64,!!!!\"", sn_errorFile, "base64"},
        {"\"byteLength\":36,\"uri\":\"data:text,abc\"", sn_errorUnsupported, "base64"},
        {"\"byteLength\":36", sn_errorFile, "buffers[0]: it has no uri"},
        {"\"byteLength\":36,\"uri\":\"a.bin\"", sn_errorUnsupported, "from memory"},
        {"\"byteLength\":36,\"uri\":\"../a.bin\"", sn_errorUnsupported, "folder of the document"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const char* text = documentOf(cases[i].buffer);
        expectRefusal(text, strlen(text), cases[i].status, cases[i].says);
    }
}

static void test_files(void** state)
{
    (void)state;
    snRig* rig;
    snMessage why;
    const float corners[9] = {0, 0, 0, 2, 0, 0, 0, 2, 0};
    assert_int_equal(mkdir("inner", 0700), 0);
    assert_int_equal(mkdir("inner/b c", 0700), 0);
    writeFile("outside.bin", corners, sizeof corners);
    writeFile("inner/b c/in.bin", corners, sizeof corners);
    const char* text = documentOf("\"byteLength\":36,\"uri\":\"b%20c/in.bin\"");
    writeFile("inner/good.gltf", text, strlen(text));
    assert_ok(snRig_Load(NULL, "inner/good.gltf", &rig, &why), why);
    checkTriangle(rig, 2);
    assert_string_equal(rig->source.buffers[0].uri, "b%20c/in.bin");
    snRig_Release(rig);
    // beside it from its own folder, too
    assert_int_equal(chdir("inner"), 0);
    assert_ok(snRig_Load(NULL, "good.gltf", &rig, &why), why);
    snRig_Release(rig);
    assert_int_equal(chdir(".."), 0);
    text = documentOf("\"byteLength\":36,\"uri\":\"../outside.bin\"");
    writeFile("inner/bad.gltf", text, strlen(text));
    assert_int_equal(snRig_Load(NULL, "inner/bad.gltf", &rig, &why), sn_errorUnsupported);
    assert_non_null(strstr(why.text, "inner/bad.gltf: buffers[0].uri: '../outside.bin'"));
    text = documentOf("\"byteLength\":36,\"uri\":\"absent.bin\"");
    writeFile("inner/bad.gltf", text, strlen(text));
    assert_int_equal(snRig_Load(NULL, "inner/bad.gltf", &rig, &why), sn_errorIo);
    assert_non_null(strstr(why.text, "inner/absent.bin"));
    assert_null(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_base64), cmocka_unit_test(test_paths),
                                       cmocka_unit_test(test_text), cmocka_unit_test(test_files)};
    return cmocka_run_group_tests(tests, enterFolder, leaveFolder);
}
