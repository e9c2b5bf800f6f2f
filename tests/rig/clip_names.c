// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Clips by name, number, pattern and in other letters' size; suggestions for what is not there.

#include "rig/rig.h"

#include "check.h"

static snRigClipData clips[] = {{.info = {.name = "Walk_Fast"}},
                                {.info = {.name = "Run"}},
                                {.info = {.name = ""}},
                                {.info = {.name = "Walk_Slow"}},
                                {.info = {.name = "3 Idle"}}};

static const snRig RIG = {.clips = clips, .info = {.clip_count = 5}};

// found: digits
static void check(const char* word, const char* found)
{
    int32_t list[5], count;
    char text[6] = "";
    snMessage why;
    assert_ok(snRig_FindClips(&RIG, word, list, &count, &why), why);
    for (int32_t i = 0; i < count; ++i) {
        text[i] = (char)('0' + list[i]);
    }
    assert_string_equal(text, found);
}

static void test_words(void** state)
{
    (void)state;
    check("Run", "1");
    check("run", "1");
    check("2", "2");
    check("3", "3");
    check("3*", "4");
    check("Walk*", "03");
    check("*w", "3");
    check("R?n", "1");
    check("all", "01234");
    check("*", "0134");
}

static void test_none(void** state)
{
    (void)state;
    int32_t list[5], count;
    snMessage why;
    assert_int_equal(snRig_FindClips(&RIG, "Rum", list, &count, &why), sn_errorArgument);
    assert_string_equal(why.text, "it has no clip 'Rum'; did you mean 'Run'?");
    assert_int_equal(snRig_FindClips(&RIG, "Fly*", list, &count, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "it has 'Walk_Fast', 'Run', '2', 'Walk_Slow', '3 Idle'"));
    assert_int_equal(snRig_FindClips(&RIG, "5", list, &count, &why), sn_errorArgument);
    const snRig none = {.info = {.clip_count = 0}};
    assert_int_equal(snRig_FindClips(&none, "all", list, &count, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "it has no clips"));
    assert_int_equal(snRig_FindClips(NULL, "all", list, &count, &why), sn_errorArgument);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words), cmocka_unit_test(test_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
