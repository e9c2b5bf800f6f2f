// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

#include "elastic/box.h"

static const double edge = 0.1, young = 30e3, density = 1000;

// Lumped masses of the box's cells; nodes at x = 0 are held if asked for.
static double* inverseMasses(Box* b, bool held)
{
    double* m = boxArray(b, (size_t)b->def.node_count, sizeof *m);
    for (int32_t i = 0; i < 4 * b->def.cell_count; ++i) {
        m[b->tets[i]] += density * edge * edge * edge / 24 * b->weight[i / 4];
    }
    for (int32_t n = 0; n < b->def.node_count; ++n) {
        m[n] = held && b->rest[3 * n] == 0 ? 0 : 1 / m[n];
    }
    return m;
}

static snStableStep stepOf(Box* b, const double* inverse_mass, int iterations)
{
    snMessage why;
    snStableStep s;
    boxBuild(b, 1);
    assert_ok(snCells_StableStep(b->cells, NULL, inverse_mass, iterations, &s, &why), why);
    return s;
}

// Largest displacement after small noise was left alone, in units of the noise. Symplectic Euler.
static double growth(Box* b, const double* inverse_mass, double h, int steps)
{
    const double noise = 1e-7 * edge;
    size_t count = 3 * (size_t)b->def.node_count;
    double* x = boxArray(b, count, sizeof *x);
    double* v = boxArray(b, count, sizeof *v);
    double* f = boxArray(b, count, sizeof *f);
    double* work = boxArray(b, count, sizeof *work);
    snRandom r = snRandom_Seed(1);
    for (size_t i = 0; i < count; ++i) {
        double kick = snRandom_Range(&r, -noise, noise);
        x[i] = b->rest[i] + (inverse_mass[i / 3] > 0 ? kick : 0);
    }
    for (int k = 0; k < steps; ++k) {
        snCells_Forces_ref(&b->def, x, v, work, f);
        for (size_t i = 0; i < count; ++i) {
            v[i] += h * f[i] * inverse_mass[i / 3];
            x[i] += h * v[i];
        }
    }
    return gap(x, b->rest, count) / noise;
}

static void trialAgreesWithTheStep(void** state)
{
    (void)state;
    for (int i = 0; i < 8; ++i) {
        Box b;
        boxInit(&b, 3, 2, 2, edge, young, i & 1 ? 0.45 : 0.3);
        b.def.material.diagonalize = sn_diagonalizeNone; // small displacements: the same, faster
        b.def.node_averaged = i & 2;
        b.def.damping = i & 4 ? 2e-3 : 0;
        for (int32_t k = 0; k < b.def.cell_count; ++k) {
            b.weight[k] = k % 5 ? 1 : 0.3;
        }
        double* m = inverseMasses(&b, i & 1);
        snStableStep s = stepOf(&b, m, 400);
        assert_true(s.bound > 0.3 * s.rest && s.bound < s.rest * (1 + 1e-6));
        assert_true(growth(&b, m, 0.97 * s.rest, 1500) < 100);
        // node-averaged volume is damped in its cells' shear alone, so counted too much
        double beyond = i & 2 && i & 4 ? 2 : 1.04;
        assert_false(growth(&b, m, beyond * s.rest, 1500) < 1e4); // or not a number
        assert_relative(s.admitted / s.rest, i & 4 ? 0.5 : 0.64, i & 4 ? 0.3 : 0.01, 0);
        boxFree(&b);
    }
}

static void stepScalesAsItShould(void** state)
{
    (void)state;
    Box b;
    boxInit(&b, 4, 3, 3, edge, young, 0.4);
    double* m = inverseMasses(&b, false);
    snStableStep one = stepOf(&b, m, 200);
    // the same start vector, the same numbers
    snStableStep again = stepOf(&b, m, 200);
    assert_memory_equal(&one, &again, sizeof one);
    for (int32_t i = 0; i < b.def.cell_count; ++i) {
        b.mu[i] *= 4, b.lambda[i] *= 4;
    }
    snStableStep stiff = stepOf(&b, m, 200);
    assert_relative(stiff.rest, one.rest / 2, 1e-5, 0);
    assert_relative(stiff.bound, one.bound / 2, 1e-5, 0);
    for (int32_t n = 0; n < b.def.node_count; ++n) {
        m[n] /= 16;
    }
    assert_relative(stepOf(&b, m, 200).rest, 2 * one.rest, 1e-5, 0);
    // a cell's edge over the speed of pressure waves is the order of it
    snLame c = snLame_FromYoung(young, 0.4);
    double wave = sqrt((c.lambda + 2 * c.mu) / density);
    assert_true(one.rest > 0.2 * edge / wave && one.rest < edge / wave);
    // sixty iterations are nearly there
    assert_relative(stepOf(&b, m, 60).rest, 2 * one.rest, 0.01, 0);
    boxFree(&b);
}

static void nothingMoves(void** state)
{
    (void)state;
    Box b;
    boxInit(&b, 1, 1, 1, edge, young, 0.4);
    double* m = boxArray(&b, (size_t)b.def.node_count, sizeof *m);
    snStableStep s = stepOf(&b, m, 50);
    assert_true(isinf(s.rest) && isinf(s.bound) && isinf(s.admitted));
    m[3] = -1;
    snMessage why;
    assert_int_equal(snCells_StableStep(b.cells, NULL, m, 50, &s, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "node 3"));
    boxFree(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trialAgreesWithTheStep),
        cmocka_unit_test(stepScalesAsItShould),
        cmocka_unit_test(nothingMoves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
