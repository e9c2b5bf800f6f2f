// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Words, lines, numbers of text and of bytes.
#include "io/mesh/cursor.h"
#include "check.h"

static snWord wordOf(const char* text)
{
    return (snWord){text, strlen(text)};
}

static void test_reals(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        double value;
    } good[] = {{"0", 0},         {"-1", -1},
                {"+2.5", 2.5},    {".5", 0.5},
                {"-.5", -0.5},    {"5.", 5},
                {"5.e2", 500},    {"007", 7},
                {"00.25", 0.25},  {"1E+2", 100},
                {"-1e-2", -0.01}, {"1e-999", 0},
                {"0.1", 0.1},     {"+.5e1", 5},
                {"0e0", 0},       {"1.7976931348623157e308", 1.7976931348623157e308}};
    static const char* const bad[] = {"",    "-",     ".",    "+.",  "e5",  "1e",    "1,5", "nan",
                                      "inf", "1e999", "0x10", "1d2", "--1", "1.2.3", "1 2"};
    for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
        double value = -77;
        assert_true(snWord_Real(wordOf(good[i].text), &value));
        assert_true(value == good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        double value;
        assert_false(snWord_Real(wordOf(bad[i]), &value));
    }
    char lengthy[200];
    double value;
    memset(lengthy, '1', sizeof lengthy);
    assert_false(snWord_Real((snWord){lengthy, sizeof lengthy}, &value));
}

static void test_integers(void** state)
{
    (void)state;
    int64_t value;
    assert_true(snWord_Integer(wordOf("-12"), &value) && value == -12);
    assert_true(snWord_Integer(wordOf("+0012"), &value) && value == 12);
    assert_true(snWord_Integer(wordOf("9223372036854775807"), &value) && value == INT64_MAX);
    assert_false(snWord_Integer(wordOf("9223372036854775808"), &value));
    assert_false(snWord_Integer(wordOf("1.0"), &value));
    assert_false(snWord_Integer(wordOf("-"), &value));
    assert_false(snWord_Integer(wordOf(""), &value));
}

// New lines of all systems count once; comments and empty lines are passed over.
static void test_lines(void** state)
{
    (void)state;
    static const char text[] = "\xef\xbb\xbf"
                               "one two # three\r\n\r\n# four\n\t five\r six #\n\n  ";
    static const struct {
        const char* word;
        int line;
    } expected[] = {{"one", 1}, {"two", 1}, {"five", 4}, {"six", 5}};
    snCursor c = snCursor_Start(text, strlen(text), '#', NULL), d = c;
    for (int i = 0; i < 4; ++i) {
        assert_true(snWord_Is(snCursor_Word(&c), expected[i].word));
        assert_int_equal(c.line, expected[i].line);
    }
    assert_int_equal(snCursor_Word(&c).length, 0);
    assert_int_equal(snCursor_Left(&c), 0);
    assert_true(snWord_Is(snCursor_LineWord(&d), "one"));
    snCursor_NextLine(&d);
    assert_true(snWord_IsLike(snCursor_LineWord(&d), "FIVE"));
    assert_int_equal(snCursor_LineWord(&d).length, 0);
    snCursor_NextLine(&d);
    assert_true(snWord_Is(snCursor_LineWord(&d), "six"));
    snCursor_NextLine(&d);
    assert_int_equal(snCursor_Left(&d), 0);
}

static void test_bytes(void** state)
{
    (void)state;
    static const uint8_t bytes[] = {0x01, 0x02, 0x03, 0x04, 0x3f, 0x80, 0, 0, 0, 0, 0x80, 0x3f};
    snCursor c = snCursor_Start(bytes, sizeof bytes, 0, NULL);
    assert_int_equal(snCursor_Bits(&c, 4), 0x04030201);
    c.at -= 4;
    c.big = true;
    assert_int_equal(snCursor_Bits(&c, 4), 0x01020304);
    assert_true(snCursor_Float(&c) == 1);
    c.big = false;
    assert_true(snCursor_Float(&c) == 1);
    static const uint8_t pi[] = {0x18, 0x2d, 0x44, 0x54, 0xfb, 0x21, 0x09, 0x40};
    c = snCursor_Start(pi, sizeof pi, 0, NULL);
    assert_true(snCursor_Double(&c) == 3.141592653589793);
}

static void test_messages(void** state)
{
    (void)state;
    snMessage why;
    snCursor c = snCursor_Start("a\nb c", 5, 0, &why);
    snCursor_NextLine(&c);
    snCursor_LineWord(&c);
    assert_int_equal(snCursor_Fail(&c, "found %d", 7), sn_errorFile);
    assert_string_equal(why.text, "line 2: found 7");
    c.binary = true;
    assert_int_equal(snCursor_Refuse(&c, "found %d", 8), sn_errorUnsupported);
    assert_string_equal(why.text, "byte 3: found 8");
    // " c" and one more that need not be there
    assert_int_equal(snCursor_Promise(&c, 1, 3, 10, "things"), sn_ok);
    assert_int_equal(snCursor_Promise(&c, 1, 4, 10, "things"), sn_errorFile);
    assert_int_equal(snCursor_Promise(&c, INT64_MAX, 8, INT64_MAX, "things"), sn_errorFile);
    assert_int_equal(snCursor_Promise(&c, -1, 1, 10, "things"), sn_errorFile);
    assert_int_equal(snCursor_Promise(&c, 2, 1, 1, "things"), sn_errorUnsupported);
    c.why = NULL;
    assert_int_equal(snCursor_Fail(&c, "nobody listens"), sn_errorFile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reals), cmocka_unit_test(test_integers), cmocka_unit_test(test_lines),
        cmocka_unit_test(test_bytes), cmocka_unit_test(test_messages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
