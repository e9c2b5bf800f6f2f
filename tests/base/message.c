// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
#include "check.h"

#include "base/message.h"

static void testFailFillsAndReturns(void** state)
{
    (void)state;
    snMessage why;
    assert_int_equal(snFail(&why, sn_errorFile, "line %d: %s", 3, "odd"), sn_errorFile);
    assert_string_equal(why.text, "line 3: odd");
    assert_int_equal(snFail(NULL, sn_errorIo, "nobody listens to %d", 1), sn_errorIo);
    snMessage_Clear(&why);
    assert_string_equal(why.text, "");
    snMessage_Clear(NULL);
    snMessage_Prefix(NULL, "a");
}

static void testArgumentsMayPointIntoTheMessage(void** state)
{
    (void)state;
    snMessage why;
    snFail(&why, sn_errorFile, "inner");
    snFail(&why, sn_errorFile, "outer (%s)", why.text);
    assert_string_equal(why.text, "outer (inner)");
    snMessage_Prefix(&why, "%s.json", "hero");
    assert_string_equal(why.text, "hero.json: outer (inner)");
}

// Files may hold anything; terminals obey some of it.
static void testWhatCannotBeShownIsEscaped(void** state)
{
    (void)state;
    snMessage why;
    snFail(&why, sn_errorFile, "found '%s'", "\x1b[31m\xC3\xA9\xff\x7f\t\n");
    assert_string_equal(why.text, "found '\\x1b[31m\xC3\xA9\\xff\\x7f\\x09\n'");
    snMessage_Prefix(&why, "a\rb");
    assert_string_equal(why.text, "a\\x0db: found '\\x1b[31m\xC3\xA9\\xff\\x7f\\x09\n'");
    char text[SN_MESSAGE_SIZE];
    memset(text, 1, sizeof text - 1);
    text[sizeof text - 1] = 0;
    snFail(&why, sn_errorFile, "%s", text);
    assert_memory_equal(why.text, "\\x01\\x01", 8);
    assert_string_equal(why.text + strlen(why.text) - 3, "...");
}

// Whatever the length, the text ends inside the buffer, says that it was cut, and stays UTF-8.
static void testLongTextsAreCut(void** state)
{
    (void)state;
    for (int length = SN_MESSAGE_SIZE - 12; length < SN_MESSAGE_SIZE + 12; ++length) {
        char text[2 * SN_MESSAGE_SIZE + 32];
        text[0] = 0;
        memset(text, 'a', (size_t)(length % 2));
        for (int i = length % 2; i < length; i += 2) {
            memcpy(text + i, "\xC3\xA9", 2);
        }
        text[length] = 0;
        snMessage why;
        snFail(&why, sn_errorFile, "%s", text);
        size_t got = strlen(why.text);
        if (length < SN_MESSAGE_SIZE) {
            assert_string_equal(why.text, text);
        } else {
            assert_true(got < SN_MESSAGE_SIZE && got > SN_MESSAGE_SIZE - 8);
            assert_string_equal(why.text + got - 3, "...");
            assert_int_equal((got - 3 - (size_t)(length % 2)) % 2, 0);
        }
        snMessage_Prefix(&why, "file");
        assert_memory_equal(why.text, "file: ", 6);
        assert_true(strlen(why.text) < SN_MESSAGE_SIZE);
        snMessage_Prefix(&why, "%s", text);
        assert_true(strlen(why.text) < SN_MESSAGE_SIZE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testFailFillsAndReturns),
        cmocka_unit_test(testArgumentsMayPointIntoTheMessage),
        cmocka_unit_test(testWhatCannotBeShownIsEscaped),
        cmocka_unit_test(testLongTextsAreCut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
