// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full
// alone: it is called by hand with numbers

// The first sixty random scenes of stress.h; stress_long.c runs a thousand.
//
// `sim_stress FIRST [COUNT [FINER]]` runs some of them, with steps FINER times as short as the
// automatic one, and says more.
#include "sim/stress.h"

static int first = 0, count = 60, finer = 1;
static bool talkative = false;

static void energyOnlyFalls(void** state)
{
    (void)state;
    checkSeeds(first, count, finer, talkative);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(energyOnlyFalls)};
    if (argc > 1) {
        first = atoi(argv[1]);
        count = argc > 2 ? atoi(argv[2]) : 1;
        finer = argc > 3 ? atoi(argv[3]) : 1;
        talkative = true;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
