// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long

// Steps of the finest bodies: the paper's is stable, and the automatic one is near the largest.
#include "sim/step.h"

static void papersStepIsStable(void** state)
{
    (void)state;
    fallAt("starfish_very_fine", 0.2e-3, 1);
}

static void automaticStepIsNearTheLargest(void** state)
{
    (void)state;
    checkChoice("starfish_fine", 0.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(papersStepIsStable),
        cmocka_unit_test(automaticStepIsNearTheLargest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
