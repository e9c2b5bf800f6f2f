// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
#include "check.h"

#include "base/json.h"

static const char* const names[] = {"gravity",        "damping", "frame_rate",
                                    "youngs_modulus", "mass",    "x"};

static const char* suggest(const char* word)
{
    return snSuggest(word, names, sizeof(names) / sizeof(names[0]));
}

static void testSlipsAreFound(void** state)
{
    (void)state;
    static const struct {
        const char* word;
        const char* name;
    } cases[] = {
        {"gravity", "gravity"},
        {"Gravity", "gravity"},
        {"gravty", "gravity"},
        {"garvity", "gravity"},
        {"graviity", "gravity"},
        {"dampening", "damping"},
        {"framerate", "frame_rate"},
        {"young_modulus", "youngs_modulus"},
        {"msas", "mass"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        const char* found = suggest(cases[i].word);
        assert_non_null(found);
        assert_string_equal(found, cases[i].name);
    }
}

static void testOtherWordsAreNot(void** state)
{
    (void)state;
    assert_null(suggest("friction"));
    assert_null(suggest(""));
    assert_null(suggest("y"));
    assert_null(snSuggest("mass", names, 0));
    char long_word[200];
    memset(long_word, 'a', sizeof(long_word) - 1);
    long_word[sizeof(long_word) - 1] = 0;
    assert_null(suggest(long_word));
    const char* const long_names[] = {long_word};
    assert_null(snSuggest("aaaa", long_names, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testSlipsAreFound),
        cmocka_unit_test(testOtherWordsAreNot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
