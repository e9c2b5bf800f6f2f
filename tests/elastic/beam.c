// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

#include "accuracy/table.h"
#include "elastic/bar.h"

static Table table = {.test = "elastic_beam"};

// Deflection over that of Euler's beam, and how far below 1 it may be.
static void addBeam(int across, double poisson, double ratio, double allowed)
{
    char what[100];
    snprintf(what, sizeof what, "deflection of a clamped bar, ν %.2f, %d across, of the beam's",
             poisson, across);
    addFigure(&table, what, 1, ratio, allowed, poisson > 0.42 ? "volume averaged at nodes" : "");
}

static void cellsConvergeToTheBeam(void** state)
{
    (void)state;
    const double expected[4] = {0.30, 0.71, 0.92, 0.98};
    Ratio r = {0, 0};
    double last = 1;
    for (int i = 0; i < 4; ++i) {
        r = measure(1 << i, 0.3, false);
        assert_close(r.deflection, expected[i], 0.015);
        addBeam(1 << i, 0.3, r.deflection, 1.02 - expected[i]);
        // from below, and faster the finer
        assert_true(1 - r.deflection < (i == 0 ? 0.75 : 0.5) * last && r.deflection < 1);
        last = 1 - r.deflection;
    }
    assert_close(r.deflection, 1, 0.05);
    addFigure(&table, "frequency of a clamped bar, ν 0.30, 8 across, of the beam's", 1, r.frequency,
              0.05, "");
}

static void lockingIsRepairedByAveraging(void** state)
{
    (void)state;
    const double poissons[2] = {0.45, 0.49};
    const double locked[2][3] = {{0.18, 0.57, 0.87}, {0.06, 0.29, 0.73}};
    for (int i = 0; i < 3; ++i) {
        double soft = measure(1 << i, 0.3, false).deflection;
        for (int k = 0; k < 2; ++k) {
            assert_close(measure(1 << i, poissons[k], false).deflection, locked[k][i], 0.015);
            // what is left is the stiffness of any linear tets: no worse than plain ones at 0.3,
            // less 3 % for the clamp, which hinders the thinning and thickening the more
            double r = measure(1 << i, poissons[k], true).deflection;
            assert_true(r > 0.97 * soft && r < 1);
            addBeam(1 << i, poissons[k], r, 1.005 - 0.97 * soft);
        }
    }
    closeTable(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cellsConvergeToTheBeam),
        cmocka_unit_test(lockingIsRepairedByAveraging),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
