// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Steps with flesh: the paper's are stable, and the automatic one is not much shorter than need be.
// steps_long.c has the finest bodies.
#include "sim/step.h"

// Kim & Pollard 2011, Table III; the worm's from Table II. Arms beat all the time.
static void papersStepsAreStable(void** state)
{
    (void)state;
    fallAt("starfish_coarse", 3e-3, 2);
    fallAt("starfish", 1e-3, 2);
    fallAt("starfish_fine", 0.5e-3, 1);
    fallAt("worm", 1e-3, 2);
}

static void automaticStepIsNearTheLargest(void** state)
{
    (void)state;
    checkChoice("starfish_coarse", 0.2);
    checkChoice("starfish", 0.2);
    checkChoice("worm", 0.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(papersStepsAreStable),
        cmocka_unit_test(automaticStepIsNearTheLargest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
