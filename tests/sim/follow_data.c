// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// The shared rigs: ten random frames of each are held, and the surface settles to the plain skinned
// one; no number ever is not finite, no limit is passed.

#include "sim/still.h"

static void test_still(void** state)
{
    (void)state;
    checkStill(sn_qualityDraft, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_still)};
    return haveRigs() ? cmocka_run_group_tests(tests, NULL, NULL) : SKIPPED;
}
