// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Forces of nodes that are known better than floats say, in double for stiff flesh; and what a look
// at the flesh tells: its energy, and how much stiffer it is than at rest.
#include "base/hash.h"
#include "elastic/box.h"
#include "elastic/states.h"

static const double EDGE = 0.1, YOUNG = 3e4, POISSON = 0.4;

// Nodes off their places by up to `by` edges, `away` m from the origin; what rounding takes is
// lost.
static void place(Box* b, snVec4f* lost, double by, double away)
{
    snRandom random = snRandom_Seed(5);
    for (int32_t n = 0; n < b->def.node_count; ++n) {
        float* x = &b->x[n].x;
        float* l = &lost[n].x;
        for (int k = 0; k < 3; ++k) {
            double at = b->rest[3 * n + k] + away + by * EDGE * snRandom_Range(&random, -1, 1);
            x[k] = (float)at;
            l[k] = (float)(at - (double)x[k]);
        }
    }
}

static void begin(Box* b, const snMaterial* law, int threads)
{
    boxLattice(b, 5, 11, EDGE, YOUNG, POISSON);
    b->def.material = *law;
    boxBuild(b, threads);
}

static snCellsLook lookOf(Box* b)
{
    snCellsLook look = {0, boxArray(b, (size_t)b->def.node_count, sizeof(float))};
    return look;
}

// Both kernels, near rest and where many cells are inverted, against the plain sum in double.
static void looksAgreeWithReference(void** state)
{
    (void)state;
    for (int law = 0; law < LAWS; ++law) {
        for (int fine = 0; fine < 4; ++fine) {
            Box b;
            begin(&b, &laws[law], 1);
            size_t count = 3 * (size_t)b.def.node_count;
            snVec4f* lost = boxArray(&b, (size_t)b.def.node_count, sizeof *lost);
            double *x = boxArray(&b, count, sizeof *x), *work = boxArray(&b, count, sizeof *x);
            double *want = boxArray(&b, count, sizeof *x), *got = boxArray(&b, count, sizeof *x);
            snCellsLook look = lookOf(&b);
            place(&b, lost, fine < 2 ? 0.05 : 0.5, 0);
            boxGet(x, b.x, b.def.node_count);
            const snCellsMotion at = {b.x, NULL, NULL, fine % 2 == 1};
            double energy = snCells_Forces_ref(&b.def, x, NULL, work, want);
            snCells_ForcesAt(b.cells, b.tasks, snCpu_Best(), &at, b.work, b.f, &look);
            boxGet(got, b.f, b.def.node_count);
            assert_relative(look.energy, energy, 1e-5, 0);
            assert_below(gap(got, want, count), (fine < 2 ? 2e-5 : 2e-4) * gap(want, NULL, count));
            boxFree(&b);
        }
    }
}

// A strain of 1e-5, 100 m from the origin, where floats are 8e-6 m apart.
static void farAwayIsAsExact(void** state)
{
    static const double MOST[2] = {0.05, 1e-3};
    (void)state;
    for (int fine = 0; fine < 2; ++fine) {
        Box b;
        begin(&b, &laws[0], 1);
        size_t count = 3 * (size_t)b.def.node_count;
        snVec4f* lost = boxArray(&b, (size_t)b.def.node_count, sizeof *lost);
        double *near = boxArray(&b, count, sizeof *near), *far = boxArray(&b, count, sizeof *far);
        const snCellsMotion at = {b.x, lost, NULL, fine};
        place(&b, lost, 1e-5, 0);
        snCells_ForcesAt(b.cells, b.tasks, snCpu_Best(), &at, b.work, b.f, NULL);
        boxGet(near, b.f, b.def.node_count);
        place(&b, lost, 1e-5, 100);
        snCells_ForcesAt(b.cells, b.tasks, snCpu_Best(), &at, b.work, b.f, NULL);
        boxGet(far, b.f, b.def.node_count);
        print_message("100 m away forces of a strain of 1e-5 are off by %.2g\n",
                      gap(far, near, count) / gap(near, NULL, count));
        assert_below(gap(far, near, count), MOST[fine] * gap(near, NULL, count));
        boxFree(&b);
    }
}

// How much a node's own force changes with its place, at most over the axes, by differences.
static double stiffnessOf(Box* b, snVec4f* lost, int32_t node)
{
    const snCellsMotion at = {b->x, lost, NULL, true};
    const float by = 1e-4f * (float)EDGE;
    double most = 0;
    for (int k = 0; k < 3; ++k) {
        float *l = &lost[node].x + k, *f = &b->f[node].x + k, kept = *l;
        *l = kept + by;
        snCells_ForcesAt(b->cells, b->tasks, snCpu_Best(), &at, b->work, b->f, NULL);
        double plus = (double)*f;
        *l = kept - by;
        snCells_ForcesAt(b->cells, b->tasks, snCpu_Best(), &at, b->work, b->f, NULL);
        most = fmax(most, ((double)*f - plus) / (2 * (double)by));
        *l = kept;
    }
    return most;
}

// All nodes of a body that is deformed the same everywhere.
static void stretchAll(Box* b, snVec4f* lost, double sx, double sy, double sz)
{
    const double s[3] = {sx, sy, sz};
    for (int32_t n = 0; n < b->def.node_count; ++n) {
        for (int k = 0; k < 3; ++k) {
            double at = s[k] * b->rest[3 * n + k];
            (&b->x[n].x)[k] = (float)at;
            (&lost[n].x)[k] = (float)(at - (double)(float)at);
        }
    }
}

// What a look says of the stiffness is never too small, and not many times too large.
static void stiffnessIsBounded(void** state)
{
    static const double STATES_OF[][3] = {{1, 1, 1}, {1.9, 1.8, 0.4}, {0.5, 0.6, 0.5}, {2.5, 1, 1}};
    (void)state;
    for (int law = 0; law < LAWS; ++law) {
        for (size_t k = 0; k < sizeof STATES_OF / sizeof *STATES_OF; ++k) {
            Box b;
            const double* s = STATES_OF[k];
            begin(&b, &laws[law], 1);
            if (laws[law].diagonalize == sn_diagonalizeNone && k > 0) {
                boxFree(&b);
                continue; // it has no safe side, and is not looked at
            }
            snVec4f* lost = boxArray(&b, (size_t)b.def.node_count, sizeof *lost);
            float* rest = boxArray(&b, (size_t)b.def.node_count, sizeof *rest);
            snCellsLook look = lookOf(&b);
            const snCellsMotion at = {b.x, lost, NULL, false};
            stretchAll(&b, lost, s[0], s[1], s[2]);
            snCells_RestStiffness(b.cells, rest);
            snCells_ForcesAt(b.cells, b.tasks, snCpu_Best(), &at, b.work, b.f, &look);
            for (int32_t n = 0; n < b.def.node_count; n += 17) {
                double bound = (double)rest[n] + (double)look.stiffness[n];
                double found = stiffnessOf(&b, lost, n);
                assert_below(found, 1.01 * bound);
                assert_below(bound, 4 * (found + (double)rest[n]));
            }
            boxFree(&b);
        }
    }
}

static void sameBitsForThreadsAndInstructions(void** state)
{
    (void)state;
    for (int law = 0; law < LAWS; ++law) {
        uint64_t want[2] = {0, 0};
        for (int threads = 1; threads <= 3; threads += 2) {
            Box b;
            begin(&b, &laws[law], threads);
            size_t nodes = (size_t)b.def.node_count;
            snVec4f* lost = boxArray(&b, nodes, sizeof *lost);
            snCellsLook look = lookOf(&b);
            place(&b, lost, 0.4, 3);
            for (int i = 2 * sn_isaBaseline; i < 2 * (int)snCpu_Best() + 2; ++i) {
                const snCellsMotion at = {b.x, lost, NULL, i % 2 == 1};
                snCells_ForcesAt(b.cells, b.tasks, (snIsa)(i / 2), &at, b.work, b.f, &look);
                uint64_t hash = snHash(b.f, nodes * sizeof *b.f, 0);
                hash = snHash(look.stiffness, nodes * sizeof(float), hash);
                hash = snHash(&look.energy, sizeof look.energy, hash);
                want[i % 2] = want[i % 2] ? want[i % 2] : hash;
                assert_int_equal(hash, want[i % 2]);
            }
            boxFree(&b);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looksAgreeWithReference),
        cmocka_unit_test(farAwayIsAsExact),
        cmocka_unit_test(stiffnessIsBounded),
        cmocka_unit_test(sameBitsForThreadsAndInstructions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
