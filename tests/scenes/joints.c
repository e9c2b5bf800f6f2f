// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Joints bent each way: one by one, and several at once. joints_long.c bends those of finer cells.
#include "scenes/bend.h"

static void testWorm(void** state)
{
    (void)state;
    static const Bend BENDS[] = {
        {"front", 1, 90, 0, VOLUME},       {"front down", 1, -90, 0, VOLUME},
        {"middle", 2, 90, 0, VOLUME},      {"middle down", 2, -90, 0, VOLUME},
        {"back", 4, 90, 0, VOLUME},        {"back down", 4, -90, 0, VOLUME},
        {"a ring", 7, 90, 0, RING_VOLUME},
    };
    BEND_ALL("worm", BENDS);
}

static void testCage(void** state)
{
    (void)state;
    static const Bend BENDS[] = ARM_BENDS(CAGE_VOLUME, ALL_VOLUME);
    BEND_ALL("starfish_coarse", BENDS);
}

static void testStarfish(void** state)
{
    (void)state;
    static const Bend BENDS[] = ARM_BENDS(VOLUME, ALL_VOLUME);
    BEND_ALL("starfish", BENDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testWorm), cmocka_unit_test(testCage),
                                       cmocka_unit_test(testStarfish)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
