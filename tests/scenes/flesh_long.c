// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long

// Four densities of cells, as in Kim & Pollard 2011: minutes of the finest.
#include "scenes/run.h"

static void testFreeFall(void** state)
{
    (void)state;
    checkDensities(start("free_fall"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testFreeFall)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
