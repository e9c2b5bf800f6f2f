// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long
// waits: the seeds that stress.h knows to fail

// A thousand random scenes of stress.h.
#include "sim/stress.h"

static void energyOnlyFalls(void** state)
{
    (void)state;
    checkSeeds(0, 1000, 1, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(energyOnlyFalls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
