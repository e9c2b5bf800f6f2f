// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long

// The same as follow_data as users have it: of whole clips, at the usual quality.

#include "sim/still.h"

static void test_still(void** state)
{
    (void)state;
    checkStill(sn_qualityNormal, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_still)};
    return haveRigs() ? cmocka_run_group_tests(tests, NULL, NULL) : SKIPPED;
}
