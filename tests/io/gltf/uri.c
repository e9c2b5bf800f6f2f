// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Paths as URIs and back, and from folder to folder. A result in another folder names its images so
// that they are found; this is written in the document as what it was.

#include "io/folder.h"

#include <sys/stat.h>

#include "check.h"
#include "io/gltf/patch.h"
#include "io/gltf/uri.h"

static void test_text(void** state)
{
    (void)state;
    snArena arena;
    char path[64];
    snArena_Init(&arena, NULL);
    assert_string_equal(snUri_Of(&arena, "a\\b c/100%.png"), "a/b%20c/100%25.png");
    assert_true(snUri_Path("a/b%20c/100%25.png", path, sizeof path));
    assert_string_equal(path, "a/b c/100%.png");
    static const char* const HERE[] = {"a.png", "../a.png", "a/b:c.png", "%20"};
    static const char* const THERE[] = {
        "", "/a.png", "data:image/png;base64,AA", "https://a/b", "C:/a.png", "\\a.png"};
    for (size_t i = 0; i < sizeof HERE / sizeof *HERE; ++i) {
        assert_true(snUri_IsRelative(HERE[i]));
    }
    for (size_t i = 0; i < sizeof THERE / sizeof *THERE; ++i) {
        assert_false(snUri_IsRelative(THERE[i]));
    }
    snArena_Free(&arena);
}

static void makeFolder(const char* name)
{
    assert_int_equal(mkdir(name, 0755), 0);
}

static void test_between(void** state)
{
    (void)state;
    static const struct {
        const char *from, *to, *uri;
    } CASES[] = {
        {"", "", ""},
        {"rigs/", "rigs", ""},
        {"rigs/", "", "rigs/"},
        {"", "rigs/", "../"},
        {"rigs/", "rigs old/", "../rigs/"},
        {"rigs old/", "rigs/", "../rigs%20old/"},
        {"rigs/in/", "rigs old/", "../rigs/in/"},
        {"rigs old/", "rigs/in/", "../../rigs%20old/"},
        {"rigs/", "rigs/in/../in/./", "../"},
        {"link/", "rigs old/", "../rigs/in/"}, // what it leads to
        {"nowhere/", "rigs/", NULL},
    };
    snArena arena;
    snArena_Init(&arena, NULL);
    makeFolder("rigs");
    makeFolder("rigs/in");
    makeFolder("rigs old");
    assert_int_equal(symlink("rigs/in", "link"), 0);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        const char* uri = snUri_Between(&arena, CASES[i].from, CASES[i].to);
        if (CASES[i].uri) {
            assert_non_null(uri);
            assert_string_equal(uri, CASES[i].uri);
        } else {
            assert_null(uri);
        }
    }
    assert_non_null(strstr(snUri_Between(&arena, "/", "rigs"), "../"));
    snArena_Free(&arena);
}

// Documents ------------------------------------------------------------------------

static const char DOCUMENT[] =
    "{\"asset\":{\"version\":\"2.0\"},\"images\":[{\"uri\":\"tex/a%20b.png\"},"
    "{\"uri\" : \"lost.png\", \"name\":\"n\"},{\"uri\":\"data:image/png;base64,AAAA\"},"
    "{\"uri\":\"https://example.org/a.png\"}],\"nodes\":[{\"name\":\"root\"}],"
    "\"scenes\":[{\"nodes\":[0]}]}";

static void putFile(const char* path, const char* text)
{
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void expectSaved(const snRig* rig, const char* path, const char* images, const char* note)
{
    snMessage why;
    snRig* new;
    snGltfPatch patch = {.rig = rig};
    assert_ok(snGltfPatch_Save(&patch, path, &why), why);
    assert_ok(snRig_Load(NULL, path, &new, &why), why);
    const char* text = (const char*)new->source.bytes + new->source.json_begin;
    if (!strstr(text, images) || (note && !strstr(text, note))) {
        fail_msg("'%s' or '%s' is not in %s", images, note ? note : "", text);
    }
    assert_true(note || !strstr(text, "\"images\":[["));
    snRig_Release(new);
}

static void test_documents(void** state)
{
    (void)state;
    snMessage why;
    snRig* rig;
    makeFolder("art");
    makeFolder("art/tex");
    makeFolder("out");
    putFile("art/hero.gltf", DOCUMENT);
    putFile("art/tex/a b.png", "");
    assert_ok(snRig_Load(NULL, "art/hero.gltf", &rig, &why), why);
    assert_int_equal(snRig_Info(rig)->warning_count, 1);
    assert_string_equal(snRig_Info(rig)->warnings[0],
                        "1 image is not where the file says, such as 'lost.png'");
    const char *data = "data:image/png;base64,AAAA", *web = "https://example.org/a.png";
    char wanted[400];
    snprintf(wanted, sizeof wanted,
             "[{\"uri\":\"../art/tex/a%%20b.png\"},{\"uri\" : \"../art/lost.png\", "
             "\"name\":\"n\"},{\"uri\":\"%s\"},{\"uri\":\"%s\"}]",
             data, web);
    expectSaved(rig, "out/hero.glb", wanted, "\"images\":[[0,\"tex/a%20b.png\"],[1,\"lost.png\"]]");
    // beside it all stays
    const char* old = strstr(DOCUMENT, "[{\"uri\"");
    snprintf(wanted, sizeof wanted, "%.*s", (int)(strstr(old, "}],") + 2 - old), old);
    expectSaved(rig, "art/soft.glb", wanted, NULL);
    snRig_Release(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_text), cmocka_unit_test(test_between),
                                       cmocka_unit_test(test_documents)};
    return cmocka_run_group_tests(tests, enterFolder, leaveFolder);
}
