// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Jumps and falls at steps of 1, 1/2 and 1/4 ms. step_spread_long.c has finer bodies and longer
// scenes.
#include "scenes/step_spread.h"

static void jumpsDoNotDependOnTheStep(void** state)
{
    (void)state;
    int bad = countSpread("jump_turn_starfish", builtinScene, 1e-3, true);
    bad += countSpread("jumping_fish", builtinScene, 1e-3, true);
    assert_int_equal(bad, 0);
}

static void fallsDoNotDependOnTheStep(void** state)
{
    (void)state;
    int bad = countSpread("starfish_coarse", dropStarfish, 1e-3, true);
    bad += countSpread("starfish", dropStarfish, 1e-3, true);
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jumpsDoNotDependOnTheStep),
        cmocka_unit_test(fallsDoNotDependOnTheStep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
