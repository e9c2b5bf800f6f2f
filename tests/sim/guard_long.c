// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long

// What guard.c begins: a second of the short steps that follow violence.
#include "sim/violence.h"

static void jumpsStayFinite(void** state)
{
    (void)state;
    checkJumps(1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(jumpsStayFinite)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
