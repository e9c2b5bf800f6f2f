// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
#include "check.h"

#include "base/utf8.h"

// Every code encodes to bytes that are accepted at full length, and in no shorter piece.
static void testEveryCode(void** state)
{
    (void)state;
    for (uint32_t code = 0; code <= 0x10FFFF; ++code) {
        if (code >= 0xD800 && code <= 0xDFFF) {
            continue;
        }
        char bytes[4];
        size_t length = snUtf8_Encode(code, bytes);
        assert_int_equal(length, code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);
        assert_int_equal(snUtf8_Length(bytes, bytes + length), length);
        assert_int_equal(snUtf8_Length(bytes, bytes + length - 1), 0);
    }
}

// Of all two- and three-byte texts exactly as many are one character as there are codes of that
// size.
static void testNothingElseIsAccepted(void** state)
{
    (void)state;
    long found[5] = {0};
    for (long n = 0; n < 1L << 24; ++n) {
        char bytes[3] = {(char)(n >> 16), (char)(n >> 8), (char)n};
        found[snUtf8_Length(bytes, bytes + 3)] += 1;
    }
    assert_int_equal(found[1], 0x80 * 0x10000);
    assert_int_equal(found[2], (0x800 - 0x80) * 0x100);
    assert_int_equal(found[3], 0x10000 - 0x800 - 0x800);
    assert_int_equal(found[4], 0);
    const char* last = "\xF4\x8F\xBF\xBF";
    assert_int_equal(snUtf8_Length(last, last + 4), 4);
    const char* beyond = "\xF4\x90\x80\x80";
    assert_int_equal(snUtf8_Length(beyond, beyond + 4), 0);
    const char* overlong = "\xF0\x8F\xBF\xBF";
    assert_int_equal(snUtf8_Length(overlong, overlong + 4), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testEveryCode),
        cmocka_unit_test(testNothingElseIsAccepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
