// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long
// waits: a first run under the contact law

// Depth of contact in the built-in scenes of many cells.
#include "scenes/depths.h"

static void nothingSinksIn(void** state)
{
    (void)state;
    static const char* const NAMES[] = {"free_fall",   "dancing_fatman", "fatman_dance",
                                        "three_fills", "fatman_stairs",  "starfish_bowl",
                                        NULL};
    checkDepths(NAMES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothingSinksIn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
