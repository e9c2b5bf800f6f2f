// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
#include "check.h"

#include "base/json.h"

static void writeSample(snJsonWriter* w)
{
    snJsonWriter_BeginObject(w);
    snJsonWriter_Key(w, "gravity");
    snJsonWriter_BeginArray(w);
    snJsonWriter_Number(w, 0);
    snJsonWriter_Number(w, -9.81);
    snJsonWriter_NumberFloat(w, 0.1f);
    snJsonWriter_EndArray(w);
    snJsonWriter_Key(w, "na\"me");
    snJsonWriter_String(w, "a\tb\n\\\x01\xC3\xA9");
    snJsonWriter_Key(w, "parts");
    snJsonWriter_BeginArray(w);
    snJsonWriter_BeginObject(w);
    snJsonWriter_EndObject(w);
    snJsonWriter_Bool(w, true);
    snJsonWriter_Null(w);
    snJsonWriter_String(w, "x");
    snJsonWriter_Int(w, INT64_MIN);
    snJsonWriter_EndArray(w);
    snJsonWriter_Key(w, "raw");
    snJsonWriter_Raw(w, "[false]", 7);
    snJsonWriter_EndObject(w);
}

static void testForms(void** state)
{
    (void)state;
    static const char compact[] = "{\"gravity\":[0,-9.81,0.1],\"na\\\"me\":"
                                  "\"a\\u0009b\\n\\\\\\u0001\xC3\xA9\",\"parts\":[{},true,"
                                  "null,\"x\",-9223372036854775808],\"raw\":[false]}";
    static const char indented[] = "{\n"
                                   "  \"gravity\": [0, -9.81, 0.1],\n"
                                   "  \"na\\\"me\": \"a\\u0009b\\n\\\\\\u0001\xC3\xA9\",\n"
                                   "  \"parts\": [\n"
                                   "    {}, true, null,\n"
                                   "    \"x\", -9223372036854775808\n"
                                   "  ],\n"
                                   "  \"raw\": [false]\n"
                                   "}\n";
    for (int indent = 0; indent <= 2; indent += 2) {
        snJsonWriter w;
        snMessage why;
        snJsonWriter_Init(&w, NULL, indent);
        writeSample(&w);
        assert_ok(snJsonWriter_Finish(&w, &why), why);
        assert_string_equal(w.text, indent == 0 ? compact : indented);
        assert_int_equal(w.length, strlen(w.text));
        snJsonWriter_Free(&w);
    }
}

// What no JSON can hold becomes something that it can.
static void testAlwaysValid(void** state)
{
    (void)state;
    snJsonWriter w;
    snMessage why;
    snJsonWriter_Init(&w, NULL, 0);
    snJsonWriter_BeginArray(&w);
    snJsonWriter_Number(&w, (double)NAN);
    snJsonWriter_NumberFloat(&w, -INFINITY);
    snJsonWriter_String(&w, "a\xFFz\xE2\x82");
    snJsonWriter_Bytes(&w, "\0", 1);
    snJsonWriter_EndArray(&w);
    assert_ok(snJsonWriter_Finish(&w, &why), why);
    assert_string_equal(w.text,
                        "[null,null,\"a\xEF\xBF\xBDz\xEF\xBF\xBD\xEF\xBF\xBD\",\"\\u0000\"]");
    snArena arena;
    snArena_Init(&arena, NULL);
    const snJson* root;
    assert_ok(snJson_Parse(&arena, w.text, w.length, &root, &why), why);
    snArena_Free(&arena);
    snJsonWriter_Free(&w);
}

static void testScalarDocument(void** state)
{
    (void)state;
    snJsonWriter w;
    snMessage why;
    snJsonWriter_Init(&w, NULL, 4);
    snJsonWriter_Int(&w, 7);
    assert_ok(snJsonWriter_Finish(&w, &why), why);
    assert_string_equal(w.text, "7\n");
    snJsonWriter_Free(&w);
}

static void testDepth(void** state)
{
    (void)state;
    for (int depth = SN_JSON_DEPTH; depth <= SN_JSON_DEPTH + 1; ++depth) {
        snJsonWriter w;
        snMessage why;
        snJsonWriter_Init(&w, NULL, 0);
        for (int i = 0; i < depth; ++i) {
            snJsonWriter_BeginArray(&w);
        }
        for (int i = 0; i < depth; ++i) {
            snJsonWriter_EndArray(&w);
        }
        snStatus expected = depth > SN_JSON_DEPTH ? sn_errorUnsupported : sn_ok;
        assert_int_equal(snJsonWriter_Finish(&w, &why), expected);
        snJsonWriter_Free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testForms),
        cmocka_unit_test(testAlwaysValid),
        cmocka_unit_test(testScalarDocument),
        cmocka_unit_test(testDepth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
