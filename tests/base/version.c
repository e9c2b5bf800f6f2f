// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
#include "check.h"

#include "sinew/base.h"

static void testVersionIsTheHeaders(void** state)
{
    (void)state;
    assert_int_equal(snVersion(),
                     SN_VERSION_MAJOR * 10000 + SN_VERSION_MINOR * 100 + SN_VERSION_PATCH);
}

static void testEveryStatusHasItsOwnName(void** state)
{
    (void)state;
    for (int i = sn_ok; i <= sn_errorInterrupted; ++i) {
        assert_string_not_equal(snStatus_Name((snStatus)i), "unknown status");
        for (int j = sn_ok; j < i; ++j) {
            assert_string_not_equal(snStatus_Name((snStatus)i), snStatus_Name((snStatus)j));
        }
    }
    assert_string_equal(snStatus_Name(sn_errorFile), "file error");
    assert_string_equal(snStatus_Name((snStatus)99), "unknown status");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testVersionIsTheHeaders),
        cmocka_unit_test(testEveryStatusHasItsOwnName),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
