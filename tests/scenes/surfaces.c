// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// A surface, broken or not, becomes a body that falls on the ground and stays there, or gets an
// error that says what is wrong with it. surfaces_long.c drops every one, surfaces_rest.c waits
// until each lies still.
#include "scenes/fall.h"

static void testSurfaces(void** state)
{
    (void)state;
    if (!haveSurfaces()) {
        skip();
    }
    dropFiles(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testSurfaces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
