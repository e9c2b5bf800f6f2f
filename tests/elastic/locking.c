// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long

// The finest column of the table that beam.c begins: minutes of conjugate gradients.

#include "accuracy/table.h"
#include "elastic/bar.h"

static Table table = {.test = "elastic_locking"};

static void eightCellsAcross(void** state)
{
    (void)state;
    const double poissons[2] = {0.45, 0.49}, locked[2] = {0.96, 0.93};
    for (int k = 0; k < 2; ++k) {
        char what[100];
        double plain = measure(8, poissons[k], false).deflection;
        assert_close(plain, locked[k], 0.015);
        double averaged = measure(8, poissons[k], true).deflection;
        assert_true(averaged > plain && averaged > 0.95 && averaged < 1);
        snprintf(what, sizeof what, "deflection of a clamped bar, ν %.2f, 8 across, of the beam's",
                 poissons[k]);
        addFigure(&table, what, 1, averaged, 0.05, "volume averaged at nodes");
    }
    closeTable(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(eightCellsAcross)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
