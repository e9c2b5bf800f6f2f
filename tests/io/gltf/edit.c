// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Edits of a JSON text: what they should give, whatever their order, and all else as it was.

#include "io/gltf/edit.h"

#include "check.h"

static const char TEXT[] = " { \"a\" : [ 1 , 2.0e+0 ] ,\n\"b\":{},\t\"c\":[ ], \"d\":{ \"x\" : "
                           "\"\\u00e9]}\" , \"y\":3 , \"z\":[0,1,2] } } ";

typedef struct Stage {
    snArena arena;
    const snJson* root;
    snGltfEdits edits;
} Stage;

static void openStage(Stage* s)
{
    snMessage why;
    snArena_Init(&s->arena, NULL);
    assert_ok(snJson_Parse(&s->arena, TEXT, strlen(TEXT), &s->root, &why), why);
    s->edits = (snGltfEdits){.arena = &s->arena, .source = TEXT};
}

static void closeStage(Stage* s, const char* wanted)
{
    size_t length;
    const char* text = snGltfEdits_Render(&s->edits, 0, strlen(TEXT), &length);
    assert_non_null(text);
    assert_string_equal(text, wanted);
    assert_int_equal(length, strlen(wanted));
    snArena_Free(&s->arena);
}

static void test_nothing(void** state)
{
    (void)state;
    Stage s;
    openStage(&s);
    snGltfEdits_Append(&s.edits, snJson_Get(s.root, "a"), "");
    closeStage(&s, TEXT);
}

static void test_changes(void** state)
{
    (void)state;
    Stage s;
    openStage(&s);
    const snJson* d = snJson_Get(s.root, "d");
    // last places first
    snGltfEdits_KeepFirst(&s.edits, snJson_Get(d, "z"));
    snGltfEdits_Replace(&s.edits, snJson_Get(d, "y"), "40");
    snGltfEdits_Remove(&s.edits, d, snJson_Get(d, "x"));
    snGltfEdits_Append(&s.edits, snJson_Get(s.root, "c"), "7,8");
    snGltfEdits_Add(&s.edits, snJson_Get(s.root, "b"), "n", "null");
    snGltfEdits_Add(&s.edits, snJson_Get(s.root, "b"), "m", "[]");
    snGltfEdits_Append(&s.edits, snJson_Get(s.root, "a"), "3");
    snGltfEdits_Add(&s.edits, s.root, "e", "5");
    closeStage(&s, " { \"a\" : [ 1 , 2.0e+0,3 ] ,\n\"b\":{\"n\":null,\"m\":[]},\t\"c\":[7,8 ], "
                   "\"d\":{ \"y\":40 , \"z\":[0] },\"e\":5 } ");
}

static void test_removal(void** state)
{
    (void)state;
    static const char* const keys[2] = {"y", "z"};
    static const char* const wanted[2] = {
        "{ \"x\" : \"\\u00e9]}\" , \"z\":[0,1,2] }",
        "{ \"x\" : \"\\u00e9]}\" , \"y\":3 }",
    };
    for (int i = 0; i < 2; ++i) {
        Stage s;
        size_t length;
        openStage(&s);
        const snJson* d = snJson_Get(s.root, "d");
        snGltfEdits_Remove(&s.edits, d, snJson_Get(d, keys[i]));
        assert_string_equal(snGltfEdits_Render(&s.edits, d->begin, d->end, &length), wanted[i]);
        assert_int_equal(length, strlen(wanted[i]));
        snArena_Free(&s.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing),
                                       cmocka_unit_test(test_changes),
                                       cmocka_unit_test(test_removal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
