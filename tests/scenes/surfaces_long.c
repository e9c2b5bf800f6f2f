// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long

// What surfaces.c tests, with every surface there is.
#include "scenes/fall.h"

static void testSurfaces(void** state)
{
    (void)state;
    if (!haveSurfaces()) {
        skip();
    }
    dropFiles(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testSurfaces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
