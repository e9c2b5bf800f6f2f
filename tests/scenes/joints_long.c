// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long

// Every bend of an arm of fine cells.
#include "scenes/bend.h"

static void testStarfish(void** state)
{
    (void)state;
    static const Bend BENDS[] = ARM_BENDS(VOLUME, ALL_VOLUME);
    BEND_ALL("starfish_fine", BENDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testStarfish)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
