// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Conjugate gradients: solutions are those of Cholesky, in as many steps as theory gives; what is
// not positive definite is refused; bits are those of plain sums, in lanes as alone.
#include "linsolve/cg.h"
#include "base/random.h"
#include "check.h"
#include "linsolve/dense.h"

#define MOST 40

typedef struct System {
    size_t n, lanes;
    double A[MOST * MOST];
    double inverse[MOST]; // of M's diagonal
    int calls;            // of the operator
} System;

static void operate(void* user, const double* in, double* out)
{
    System* s = user;
    ++s->calls;
    for (size_t i = 0; i < s->n; ++i) {
        for (size_t l = 0; l < s->lanes; ++l) {
            double sum = 0;
            for (size_t j = 0; j < s->n; ++j) {
                sum += s->A[i * s->n + j] * in[j * s->lanes + l];
            }
            out[i * s->lanes + l] = sum;
        }
    }
}

static void precondition(void* user, const double* in, double* out)
{
    const System* s = user;
    for (size_t i = 0; i < s->n * s->lanes; ++i) {
        out[i] = s->inverse[i / s->lanes] * in[i];
    }
}

// B B' + shift I, rows and columns scaled by up to `spread`
static void drawSystem(System* s, snRandom* r, size_t n, double shift, double spread)
{
    double B[MOST * MOST], scale[MOST];
    *s = (System){.n = n, .lanes = 1};
    for (size_t i = 0; i < n * n; ++i) {
        B[i] = snRandom_Range(r, -1, 1);
    }
    for (size_t i = 0; i < n; ++i) {
        scale[i] = pow(spread, snRandom_Unit(r));
    }
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < n; ++j) {
            double sum = i == j ? shift : 0;
            for (size_t k = 0; k < n; ++k) {
                sum += B[i * n + k] * B[j * n + k];
            }
            s->A[i * n + j] = scale[i] * scale[j] * sum;
        }
        s->inverse[i] = 1 / s->A[i * n + i];
    }
}

static snCg solver(System* s, double tolerance)
{
    return (snCg){.n = s->n,
                  .lanes = s->lanes,
                  .chunk = s->n,
                  .tolerance = tolerance,
                  .most = 1000,
                  .operate = operate,
                  .precondition = precondition,
                  .user = s};
}

static snCgFacts run(const snCg* cg, double* x, const double* b)
{
    double r[MOST * SN_CG_LANES], work[2 * MOST * SN_CG_LANES];
    assert_true(snCg_WorkSize(cg) <= sizeof work);
    memcpy(r, b, cg->n * cg->lanes * sizeof *r);
    return snCg_Solve(cg, x, r, work);
}

static void draw(snRandom* r, size_t n, double* v)
{
    for (size_t i = 0; i < n; ++i) {
        v[i] = snRandom_Range(r, -1, 1);
    }
}

static void solutionsAreThoseOfCholesky(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    for (size_t n = 1; n <= MOST; ++n) {
        System s;
        double L[MOST * MOST], b[MOST], want[MOST], x[MOST];
        drawSystem(&s, &r, n, 1, 10);
        memcpy(L, s.A, sizeof L);
        draw(&r, n, b);
        draw(&r, n, x); // any first guess
        memcpy(want, b, sizeof want);
        assert_true(snCholesky_Factor(L, (int32_t)n));
        snCholesky_Solve(L, (int32_t)n, want);
        snCg cg = solver(&s, 1e-13);
        snCgFacts facts = run(&cg, x, b);
        assert_int_equal(facts.end, sn_cgDone);
        assert_below(facts.residual, 1e-13);
        for (size_t i = 0; i < n; ++i) {
            // the residual times the condition, below n^2 once the scales are out
            assert_close(x[i], want[i], 1e-12 * (double)(n * n));
        }
    }
}

// As many steps as there are different eigenvalues, or unknowns; one with M = A.
static void stepsAreThoseOfTheory(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    for (size_t n = 1; n <= MOST; ++n) {
        System s = {.n = n, .lanes = 1};
        double b[MOST], x[MOST] = {0};
        draw(&r, n, b);
        for (size_t i = 0; i < n; ++i) {
            s.A[i * n + i] = 1 + (double)(i % 4);
            s.inverse[i] = 1 / s.A[i * n + i];
        }
        snCg cg = solver(&s, 1e-12);
        assert_int_equal(run(&cg, x, b).iterations, 1);
        cg.precondition = NULL;
        memset(x, 0, sizeof x);
        assert_int_equal(run(&cg, x, b).iterations, n < 4 ? n : 4);
        if (n > 10) {
            continue; // beyond, rounding asks for some steps more
        }
        drawSystem(&s, &r, n, 1, 1);
        memset(x, 0, sizeof x);
        snCgFacts facts = run(&cg, x, b);
        assert_true(facts.end == sn_cgDone && facts.iterations <= (int32_t)n);
        assert_int_equal(s.calls, facts.iterations + 1);
    }
}

static void preconditionerSavesSteps(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(3);
    for (int round = 0; round < 20; ++round) {
        System s;
        double b[MOST], x[MOST] = {0}, y[MOST] = {0};
        drawSystem(&s, &r, MOST, 5, 100);
        draw(&r, MOST, b);
        snCg cg = solver(&s, 1e-6);
        snCgFacts with = run(&cg, x, b);
        cg.precondition = NULL;
        snCgFacts without = run(&cg, y, b);
        assert_true(with.end == sn_cgDone && without.end == sn_cgDone);
        assert_true(2 * with.iterations < without.iterations);
    }
}

static void whatIsNotDefiniteIsRefused(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(4);
    for (size_t n = 2; n <= MOST; ++n) {
        System s;
        double b[MOST], x[MOST] = {0};
        drawSystem(&s, &r, n, 1, 1);
        draw(&r, n, b);
        s.A[n + 1] = -s.A[n + 1];
        snCg cg = solver(&s, 1e-10);
        cg.precondition = NULL;
        snCgFacts facts = run(&cg, x, b);
        assert_int_equal(facts.end, sn_cgIndefinite);
        assert_true(facts.iterations <= (int32_t)n && facts.residual > 1e-10);
        for (size_t i = 0; i < n; ++i) {
            assert_true(isfinite(x[i]));
        }
        s.A[n + 1] = -s.A[n + 1];
        cg.precondition = precondition;
        for (size_t i = 0; i < n; ++i) {
            s.inverse[i] = -1;
        }
        memset(x, 0, sizeof x);
        facts = run(&cg, x, b);
        assert_true(facts.end == sn_cgIndefinite && facts.iterations == 0 && x[0] == 0);
    }
}

static void nothingGivesNothing(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(5);
    System s;
    double b[MOST] = {0}, x[MOST];
    drawSystem(&s, &r, MOST, 1, 1);
    draw(&r, MOST, x);
    snCg cg = solver(&s, 1e-10);
    snCgFacts facts = run(&cg, x, b);
    assert_true(facts.end == sn_cgDone && facts.iterations == 0 && facts.residual == 0);
    assert_memory_equal(x, b, sizeof x);
}

static double norm(const System* s, const double* v)
{
    double sum = 0;
    for (size_t i = 0; i < s->n; ++i) {
        sum += s->inverse[i] * v[i] * v[i];
    }
    return sqrt(sum);
}

static void residualIsTheTrueOne(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(6);
    for (int32_t most = 0; most < 30; ++most) {
        System s;
        double b[MOST], x[MOST], Ax[MOST], rest[MOST], left[MOST], work[2 * MOST];
        drawSystem(&s, &r, MOST, 1, 10);
        draw(&r, MOST, b);
        draw(&r, MOST, x);
        snCg cg = solver(&s, 1e-6);
        cg.most = most;
        memcpy(rest, b, sizeof rest);
        snCgFacts facts = snCg_Solve(&cg, x, rest, work);
        assert_int_equal(facts.end, facts.residual <= 1e-6 ? sn_cgDone : sn_cgMost);
        assert_true(facts.end == sn_cgDone || facts.iterations == most);
        operate(&s, x, Ax);
        for (size_t i = 0; i < MOST; ++i) {
            left[i] = b[i] - Ax[i];
            assert_close(rest[i], left[i], 1e-11);
        }
        // rounding of A x, about 1e-14 of the right side
        assert_relative(facts.residual, norm(&s, left) / norm(&s, b), 1e-6, 0);
    }
}

// Sums by chunk, one system, everything in the order of the formulas
static double dot_ref(size_t n, size_t chunk, const double* a, const double* b)
{
    double sum = 0, part = 0;
    for (size_t i = 0; i < n; ++i) {
        part += a[i] * b[i];
        if (i % chunk == chunk - 1 || i == n - 1) {
            sum += part;
            part = 0;
        }
    }
    return sum;
}

static void solve_ref(const snCg* cg, double* x, const double* b)
{
    double r[MOST], z[MOST], p[MOST], q[MOST];
    precondition(cg->user, b, z);
    double goal = dot_ref(cg->n, cg->chunk, b, z);
    operate(cg->user, x, q);
    for (size_t i = 0; i < cg->n; ++i) {
        r[i] = b[i] - q[i];
    }
    precondition(cg->user, r, z);
    memcpy(p, z, sizeof p);
    double rz = dot_ref(cg->n, cg->chunk, r, z);
    while (rz > cg->tolerance * cg->tolerance * goal) {
        operate(cg->user, p, q);
        double alpha = rz / dot_ref(cg->n, cg->chunk, p, q), old = rz;
        for (size_t i = 0; i < cg->n; ++i) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        precondition(cg->user, r, z);
        rz = dot_ref(cg->n, cg->chunk, r, z);
        for (size_t i = 0; i < cg->n; ++i) {
            p[i] = z[i] + rz / old * p[i];
        }
    }
}

// By chunks of any length, and for each lane as if it were alone
static void bitsAreThoseOfPlainSums(void** state)
{
    (void)state;
    const size_t chunks[] = {1, 3, 7, MOST - 1, MOST, 10 * MOST};
    enum { CHUNKS = sizeof chunks / sizeof *chunks };
    snRandom r = snRandom_Seed(7);
    int different = 0;
    for (size_t lanes = 1; lanes <= SN_CG_LANES; ++lanes) {
        System s;
        double b[MOST * SN_CG_LANES], guess[MOST * SN_CG_LANES], got[CHUNKS][MOST * SN_CG_LANES];
        drawSystem(&s, &r, MOST, 0.1, 3);
        draw(&r, MOST * lanes, b);
        draw(&r, MOST * lanes, guess);
        for (size_t c = 0; c < CHUNKS; ++c) {
            s.lanes = lanes;
            snCg cg = solver(&s, 1e-8);
            cg.chunk = chunks[c];
            memcpy(got[c], guess, sizeof guess);
            assert_int_equal(run(&cg, got[c], b).end, sn_cgDone);
            s.lanes = 1;
            for (size_t l = 0; l < lanes; ++l) {
                double x[MOST], one[MOST];
                for (size_t i = 0; i < MOST; ++i) {
                    x[i] = guess[i * lanes + l];
                    one[i] = b[i * lanes + l];
                }
                solve_ref(&cg, x, one);
                for (size_t i = 0; i < MOST; ++i) {
                    assert_true(x[i] == got[c][i * lanes + l]);
                }
            }
        }
        size_t size = MOST * lanes * sizeof(double);
        assert_memory_equal(got[0], got[4], size);
        assert_memory_equal(got[4], got[5], size);
        different += memcmp(got[1], got[0], size) != 0;
    }
    assert_int_equal(different, SN_CG_LANES);
}

// A lane that breaks down is reported and leaves the others alone.
static void lanesAreAlone(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(8);
    for (size_t bad = 0; bad < 3; ++bad) {
        System s;
        double b[MOST * 3], x[MOST * 3] = {0}, y[MOST * 3] = {0};
        drawSystem(&s, &r, MOST, 1, 1);
        s.lanes = 3;
        draw(&r, MOST * 3, b);
        snCg cg = solver(&s, 1e-8);
        assert_int_equal(run(&cg, x, b).end, sn_cgDone);
        b[5 * 3 + bad] = (double)NAN;
        snCgFacts facts = run(&cg, y, b);
        assert_int_equal(facts.end, sn_cgNotFinite);
        assert_true(isinf(facts.residual));
        for (size_t i = 0; i < MOST * 3; ++i) {
            assert_true(i % 3 == bad || x[i] == y[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutionsAreThoseOfCholesky), cmocka_unit_test(stepsAreThoseOfTheory),
        cmocka_unit_test(preconditionerSavesSteps),    cmocka_unit_test(whatIsNotDefiniteIsRefused),
        cmocka_unit_test(nothingGivesNothing),         cmocka_unit_test(residualIsTheTrueOne),
        cmocka_unit_test(bitsAreThoseOfPlainSums),     cmocka_unit_test(lanesAreAlone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
