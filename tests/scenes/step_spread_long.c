// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long
// waits: a first run under the contact law

// Fine starfish that fall, at steps that their cells bear, and scenes on the ground.
#include "scenes/step_spread.h"

static void fallsDoNotDependOnTheStep(void** state)
{
    (void)state;
    int bad = countSpread("starfish_fine", dropStarfish, 0.5e-3, true);
    bad += countSpread("starfish_very_fine", dropStarfish, 0.25e-3, true);
    assert_int_equal(bad, 0);
}

static void groundScenesDoNotDependOnTheStep(void** state)
{
    (void)state;
    int bad = countSpread("rolling_worm", builtinScene, 1e-3, false);
    bad += countSpread("glass_box", builtinScene, 1e-3, false);
    bad += countSpread("fatman_stairs", builtinScene, 1e-3, false);
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fallsDoNotDependOnTheStep),
        cmocka_unit_test(groundScenesDoNotDependOnTheStep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
