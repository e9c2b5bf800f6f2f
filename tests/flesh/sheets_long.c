// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long

// What sheets.c tests, at many more places of the lattice.
#include "flesh/legs.h"

#define SHIFTS 30

static void slabsComeApart(void** state)
{
    (void)state;
    sweep(4, 0, SHIFTS);
}

static void pillarsComeApart(void** state)
{
    (void)state;
    sweep(16, 0, SHIFTS);
}

static void legsOnAHipComeApart(void** state)
{
    (void)state;
    sweep(16, 0.8, SHIFTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slabsComeApart),
                                       cmocka_unit_test(pillarsComeApart),
                                       cmocka_unit_test(legsOnAHipComeApart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
