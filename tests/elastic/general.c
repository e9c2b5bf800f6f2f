// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

#include "elastic/box.h"

#include "base/importers.h"
#include "import/host.h"
#include "sim/puppet.h"

// The general SVD leads to the same forces as the 3 x 3 one, and is refused where it is missing.
static void generalAgreesWithOwn(void** state)
{
    (void)state;
    Box b;
    boxInit(&b, 4, 3, 3, 0.1, 30e3, 0.4);
    snRandom r = snRandom_Seed(1);
    for (int32_t n = 0; n < b.def.node_count; ++n) {
        const double* X = b.rest + 3 * (size_t)n;
        snVec3 x = snMulAdd(snV3(X[0], X[1], X[2]), 0.03, drawVec(&r));
        b.x[n] = (snVec4f){(float)x.x, (float)x.y, (float)x.z, 0};
    }
    b.def.general_svd = true;
    snMessage why;
    assert_refused(snCells_Build(&b.arena, &b.def, &b.cells, &why), sn_errorUnsupported, why,
                   "LAPACK");
    snImport_Register(&b.arena.host);
    if (!b.arena.host.importers->svd) {
        boxFree(&b);
        skip();
    }
    size_t count = 3 * (size_t)b.def.node_count;
    double* want = boxArray(&b, count, sizeof *want);
    double* got = boxArray(&b, count, sizeof *got);
    for (int mode = sn_diagonalizeSelective; mode <= sn_diagonalizeAlways; ++mode) {
        snCellsCount counts[2];
        b.def.material.diagonalize = (snDiagonalize)mode;
        for (int general = 0; general < 2; ++general) {
            b.def.general_svd = general;
            boxBuild(&b, 1);
            counts[general] =
                snCells_Forces(b.cells, b.tasks, snCpu_Best(), b.x, NULL, b.work, b.f);
            boxGet(general ? got : want, b.f, b.def.node_count);
        }
        assert_memory_equal(&counts[0], &counts[1], sizeof *counts);
        assert_true(counts[0].diagonalized > 30 && counts[0].inverted > 0);
        // two SVDs in float
        assert_below(gap(got, want, count), 1e-4 * gap(want, NULL, count));
    }
    boxFree(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(generalAgreesWithOwn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
