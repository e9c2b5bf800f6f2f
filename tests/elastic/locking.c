// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long

// The finest column of the table that beam.c begins: minutes of conjugate gradients.

#include "elastic/bar.h"

static void eightCellsAcross(void** state)
{
    (void)state;
    const double poissons[2] = {0.45, 0.49}, table[2] = {0.96, 0.93};
    for (int k = 0; k < 2; ++k) {
        double plain = measure(8, poissons[k], false).deflection;
        assert_close(plain, table[k], 0.015);
        double averaged = measure(8, poissons[k], true).deflection;
        assert_true(averaged > plain && averaged > 0.95 && averaged < 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(eightCellsAcross)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
