// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long

// Momentum stays for as long as scenes last.
#include "method/flight.h"

#define SECONDS 10.0

static void momentumErrorsFallAtTheIntegratorsOrder(void** state)
{
    (void)state;
    checkOrder(SECONDS);
}

static void correctedMomentumStays(void** state)
{
    (void)state;
    checkCorrection(SECONDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentumErrorsFallAtTheIntegratorsOrder),
        cmocka_unit_test(correctedMomentumStays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
