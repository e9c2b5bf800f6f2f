// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The table of file kinds: paths, lists, and that it says what readers and writers do.
#include "io/kind.h"
#include "check.h"

static void testPaths(void** state)
{
    (void)state;
    static const struct {
        const char* path;
        snKindNumber kind;
    } CASES[] = {
        {"x.glb", sn_kindGlb},
        {"x.GLB", sn_kindGlb},
        {"x.glTF", sn_kindGltf},
        {"a.b/x.pc2", sn_kindPc2},
        {"x.sinew.json", sn_kindJson},
        {"x.msh", sn_kindGmsh},
        {"x.mesh", sn_kindMedit},
        {"x.node", sn_kindTetgenNodes},
        {"x.ele", sn_kindTetgen},
        {"x.Character", sn_kindCharacter},
        {"", sn_kindNone},
        {"glb", sn_kindNone},
        {".glb", sn_kindNone},
        {"a/.glb", sn_kindNone},
        {"x.glb/y", sn_kindNone},
        {"x.glbx", sn_kindNone},
        {"x.gl", sn_kindNone},
        {"x.", sn_kindNone},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        assert_int_equal(snKind_OfPath(CASES[i].path), CASES[i].kind);
        assert_ptr_equal(snFileKind_OfPath(CASES[i].path), snFileKind_At(CASES[i].kind));
    }
    assert_null(snFileKind_OfPath(NULL));
    assert_null(snFileKind_At(-1));
    assert_null(snFileKind_At(sn_kindCount));
    assert_string_equal(snKind_Extension("a.b/c.tar.GZ"), ".GZ");
    assert_string_equal(snKind_Extension("a.b/c"), "");
}

// Every kind is complete, and found by its own extension.
static void testTable(void** state)
{
    (void)state;
    for (int32_t i = 0; i < sn_kindCount; ++i) {
        const snFileKind* kind = snFileKind_At(i);
        char path[32];
        snprintf(path, sizeof path, "hero%s", kind->extension);
        assert_int_equal(snKind_OfPath(path), i);
        assert_true(kind->name[0] && (kind->reads || kind->writes));
        assert_int_equal(kind->frames[0] != 0, (kind->writes & sn_fileFrames) != 0);
    }
}

static void testLists(void** state)
{
    (void)state;
    char text[128], small[8];
    assert_string_equal(snFileKind_List(sn_fileRig, 0, text, sizeof text),
                        ".glb, .gltf, .vrm, .fbx or .dae");
    assert_string_equal(snFileKind_List(sn_fileMotion, 0, text, sizeof text), ".bvh");
    assert_string_equal(snFileKind_List(0, sn_fileBody | sn_fileCharacter, text, sizeof text),
                        ".body or .character");
    assert_string_equal(snFileKind_List(0, 0, text, sizeof text), "");
    assert_string_equal(snFileKind_List(sn_fileRig, 0, small, sizeof small), ".glb, .");
    assert_string_equal(snFileKind_List(sn_fileRig, 0, NULL, 0), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testPaths), cmocka_unit_test(testTable),
                                       cmocka_unit_test(testLists)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
