// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Depth of contact in the smaller built-in scenes; depths_long.c has the others.
#include "scenes/depths.h"

static void nothingSinksIn(void** state)
{
    (void)state;
    static const char* const NAMES[] = {"starfish_fall", "jump_turn_starfish", "glass_box",
                                        "worm_fall",     "fish_flop",          "rolling_worm",
                                        "jumping_fish",  "tug_of_war",         NULL};
    checkDepths(NAMES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothingSinksIn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
