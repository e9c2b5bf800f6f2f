// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Bounded quadratic problems: the conditions of a minimum hold, nothing is better than what is
// found, and degenerate problems are no different.
#include "linsolve/bounded.h"

#include "base/random.h"
#include "check.h"

#define MOST 60
#define MOST_ROWS 130

// Slopes at the minimum, relative to the terms they are summed from: H is squared once and its
// condition reaches 1e6.
#define SLOPE 1e-8

// What may be special about a random problem.
enum {
    PLAIN,
    FEW_EQUATIONS, // fewer than unknowns: H is singular
    TWIN_COLUMNS,  // pairs of unknowns that do the same
    PINNED,        // lower = upper for some
    ONE_SIDED,     // infinite bounds on one side or both
    ON_THE_EDGE,   // the free minimum lies on bounds
    KIND_COUNT,
};

typedef struct Problem {
    int32_t n;
    double H[MOST * MOST], g[MOST], lower[MOST], upper[MOST];
} Problem;

// H = A'A, g = A'b
static void square(Problem* p, int32_t rows, const double* A, const double* b)
{
    int32_t n = p->n;
    for (int32_t i = 0; i < n; ++i) {
        p->g[i] = 0;
        for (int32_t k = 0; k < rows; ++k) {
            p->g[i] += A[k * n + i] * b[k];
        }
        for (int32_t j = 0; j < n; ++j) {
            p->H[i * n + j] = 0;
            for (int32_t k = 0; k < rows; ++k) {
                p->H[i * n + j] += A[k * n + i] * A[k * n + j];
            }
        }
    }
}

static void randomProblem(snRandom* r, int32_t n, int kind, Problem* p)
{
    static double A[2 * MOST * MOST];
    double b[2 * MOST], x[MOST];
    int32_t rows = kind == FEW_EQUATIONS ? (n + 1) / 2 : n + (int32_t)snRandom_Below(r, 3);
    p->n = n;
    for (int32_t i = 0; i < n; ++i) {
        x[i] = snRandom_Range(r, -1, 1);
        p->lower[i] = snRandom_Range(r, -1, 0.2);
        p->upper[i] = p->lower[i] + snRandom_Range(r, 0.1, 1);
        if (kind == PINNED && i % 3 == 0) {
            p->upper[i] = p->lower[i];
        }
        if (kind == ONE_SIDED) {
            p->lower[i] = i % 3 == 0 ? -(double)INFINITY : p->lower[i];
            p->upper[i] = i % 3 < 2 ? (double)INFINITY : p->upper[i];
        }
        if (kind == ON_THE_EDGE && i % 2) {
            x[i] = i % 4 == 1 ? p->lower[i] : p->upper[i];
        }
    }
    for (int32_t k = 0; k < rows; ++k) {
        b[k] = 0;
        for (int32_t i = 0; i < n; ++i) {
            A[k * n + i] = snRandom_Range(r, -1, 1);
            if (kind == TWIN_COLUMNS && i % 2) {
                A[k * n + i] = (i % 4 == 1 ? 1 : -2) * A[k * n + i - 1];
            }
            b[k] += A[k * n + i] * x[i];
        }
        b[k] += kind == ON_THE_EDGE ? 0 : snRandom_Range(r, -2, 2);
    }
    square(p, rows, A, b);
}

static double objective(const Problem* p, const double* x)
{
    double sum = 0;
    for (int32_t i = 0; i < p->n; ++i) {
        sum -= p->g[i] * x[i];
        for (int32_t j = 0; j < p->n; ++j) {
            sum += 0.5 * x[i] * p->H[i * p->n + j] * x[j];
        }
    }
    return sum;
}

static void* workFor(size_t bytes)
{
    void* work = malloc(bytes);
    assert_non_null(work);
    return work;
}

static void solveBox(const Problem* p, double* x)
{
    void* work = workFor(snBoxProblem_WorkSize(p->n));
    snBoxProblem box = {p->n, p->H, p->g, p->lower, p->upper};
    assert_true(snBoxProblem_Solve(&box, x, work));
    free(work);
}

// Inside: slope 0. At a bound: the slope points out of the box.
static void assertMinimum(const Problem* p, const double* x)
{
    for (int32_t i = 0; i < p->n; ++i) {
        double slope = -p->g[i], size = fabs(p->g[i]);
        for (int32_t k = 0; k < p->n; ++k) {
            slope += p->H[i * p->n + k] * x[k];
            size += fabs(p->H[i * p->n + k] * x[k]);
        }
        assert_true(x[i] >= p->lower[i] && x[i] <= p->upper[i]);
        if (x[i] > p->lower[i]) {
            assert_below(slope, SLOPE * size);
        }
        if (x[i] < p->upper[i]) {
            assert_below(-slope, SLOPE * size);
        }
    }
}

static void boxMinimum(void** state)
{
    (void)state;
    static Problem p;
    snRandom r = snRandom_Seed(1);
    for (int kind = 0; kind < KIND_COUNT; ++kind) {
        for (int32_t n = 1; n <= MOST; n += n < 10 ? 1 : 5) {
            for (int round = 0; round < 10; ++round) {
                double x[MOST];
                randomProblem(&r, n, kind, &p);
                solveBox(&p, x);
                assertMinimum(&p, x);
            }
        }
    }
}

// Every assignment of "at the lower bound, at the upper bound, free" of a small problem: none that
// stays within the bounds is better. Free unknowns by Gauss-Seidel, which knows no active sets and
// comes close enough.
static void boxBruteForce(void** state)
{
    (void)state;
    enum { N = 4, SETS = 81 };
    static Problem p;
    snRandom r = snRandom_Seed(2);
    for (int round = 0; round < 60; ++round) {
        double x[MOST], best = (double)INFINITY;
        randomProblem(&r, N, round % KIND_COUNT, &p);
        solveBox(&p, x);
        for (int set = 0; set < SETS; ++set) {
            double y[N] = {0};
            int code[N], rest = set;
            bool inside = true;
            for (int i = 0; i < N; ++i, rest /= 3) {
                code[i] = rest % 3;
                y[i] = code[i] == 1 ? p.lower[i] : code[i] == 2 ? p.upper[i] : 0;
                inside = inside && isfinite(y[i]);
            }
            for (int sweep = 0; inside && sweep < 500; ++sweep) {
                for (int i = 0; i < N; ++i) {
                    double sum = p.g[i];
                    for (int k = 0; k < N; ++k) {
                        sum -= k == i ? 0 : p.H[i * N + k] * y[k];
                    }
                    y[i] = code[i] == 0 ? sum / p.H[i * N + i] : y[i];
                }
            }
            for (int i = 0; i < N; ++i) {
                inside = inside && y[i] >= p.lower[i] && y[i] <= p.upper[i];
            }
            double value = inside ? objective(&p, y) : (double)INFINITY;
            best = value < best ? value : best;
        }
        assert_below(objective(&p, x), best + 1e-9);
    }
}

// Rows ------------------------------------------------------------------------

typedef struct RowCase {
    Problem p; // bounds unused
    int32_t m;
    double C[MOST_ROWS * MOST], lower[MOST_ROWS], upper[MOST_ROWS], give[MOST_ROWS];
} RowCase;

// `hard` rows that do not give, at most n; the others do, some of them twins of hard ones.
static void randomRows(snRandom* r, int32_t n, int32_t hard, int32_t soft, RowCase* c)
{
    randomProblem(r, n, PLAIN, &c->p);
    for (int32_t i = 0; i < n; ++i) {
        c->p.H[i * n + i] += 0.1;
    }
    c->m = hard + soft;
    for (int32_t j = 0; j < c->m; ++j) {
        bool twin = j >= hard && hard > 0 && j % 2;
        for (int32_t k = 0; k < n; ++k) {
            c->C[j * n + k] = twin ? c->C[(j % hard) * n + k] : snRandom_Range(r, -1, 1);
        }
        c->give[j] = j < hard ? 0 : 1e-6;
        c->lower[j] = snRandom_Range(r, -1, 0.5);
        c->upper[j] = c->lower[j] + (j % 5 == 4 ? 0 : snRandom_Range(r, 0, 1));
    }
}

static bool solveRows(const RowCase* c, double* x)
{
    static double H[MOST * MOST];
    void* work = workFor(snRowProblem_WorkSize(c->p.n, c->m));
    memcpy(H, c->p.H, sizeof H);
    snRowProblem rows = {c->p.n, c->m, H, c->p.g, c->C, c->lower, c->upper, c->give};
    bool ok = snRowProblem_Solve(&rows, x, work);
    free(work);
    return ok;
}

// The same as one box problem: a row z = C x with z within the bounds, tied to C x by a stiff
// spring where it gives. Only for rows that give.
static void rowsAsBox(const RowCase* c, double* x)
{
    static Problem big;
    double y[MOST];
    int32_t n = c->p.n, all = n + c->m;
    static double Hinv[MOST * MOST];
    big.n = all;
    memset(big.H, 0, sizeof big.H);
    for (int32_t i = 0; i < all; ++i) {
        big.lower[i] = i < n ? -(double)INFINITY : c->lower[i - n];
        big.upper[i] = i < n ? (double)INFINITY : c->upper[i - n];
        big.g[i] = i < n ? c->p.g[i] : 0;
    }
    for (int32_t i = 0; i < n; ++i) { // columns of H^-1 by unbounded problems
        Problem unit = {.n = n};
        memcpy(unit.H, c->p.H, sizeof unit.H);
        unit.g[i] = 1;
        for (int32_t k = 0; k < n; ++k) {
            unit.lower[k] = -(double)INFINITY, unit.upper[k] = (double)INFINITY;
        }
        solveBox(&unit, Hinv + i * n);
        for (int32_t k = 0; k < n; ++k) {
            big.H[i * all + k] = c->p.H[i * n + k];
        }
    }
    for (int32_t j = 0; j < c->m; ++j) {
        double own = 0;
        for (int32_t i = 0; i < n; ++i) {
            for (int32_t k = 0; k < n; ++k) {
                own += c->C[j * n + i] * Hinv[i * n + k] * c->C[j * n + k];
            }
        }
        double stiff = 1 / (c->give[j] * own);
        for (int32_t i = 0; i < n; ++i) {
            for (int32_t k = 0; k < n; ++k) {
                big.H[i * all + k] += stiff * c->C[j * n + i] * c->C[j * n + k];
            }
            big.H[i * all + n + j] = big.H[(n + j) * all + i] = -stiff * c->C[j * n + i];
        }
        big.H[(n + j) * (all + 1)] = stiff;
    }
    solveBox(&big, y);
    memcpy(x, y, (size_t)n * sizeof(double));
}

static void rowsMatchBox(void** state)
{
    (void)state;
    static RowCase c;
    snRandom r = snRandom_Seed(3);
    for (int round = 0; round < 60; ++round) {
        int32_t n = 1 + (int32_t)snRandom_Below(&r, 6);
        double x[MOST], y[MOST];
        randomRows(&r, n, 0, (int32_t)snRandom_Below(&r, 10), &c);
        for (int32_t j = 0; j < c.m; ++j) {
            c.give[j] = 0.01; // so that the box problem is not stiff
        }
        assert_true(solveRows(&c, x));
        rowsAsBox(&c, y);
        for (int32_t i = 0; i < n; ++i) {
            assert_close(x[i], y[i], 1e-7);
        }
    }
}

// Rows that do not give are kept, and no feasible move lowers the objective: from the minimum, to
// many random points that satisfy all rows, it only rises.
static void rowsHold(void** state)
{
    (void)state;
    static RowCase c;
    snRandom r = snRandom_Seed(4);
    for (int32_t n = 1; n <= MOST; n += n < 8 ? 1 : 13) {
        for (int round = 0; round < 12; ++round) {
            double x[MOST], y[MOST];
            int32_t hard = 1 + (int32_t)snRandom_Below(&r, (uint32_t)n);
            randomRows(&r, n, hard, 0, &c);
            assert_true(solveRows(&c, x));
            for (int32_t j = 0; j < c.m; ++j) {
                double at = 0;
                for (int32_t k = 0; k < n; ++k) {
                    at += c.C[j * n + k] * x[k];
                }
                assert_below(at, c.upper[j] + 1e-8);
                assert_below(c.lower[j], at + 1e-8);
            }
            // a feasible point with other bounds inside these ones
            RowCase* inner = malloc(sizeof *inner);
            assert_non_null(inner);
            for (int trial = 0; trial < 5; ++trial) {
                *inner = c;
                for (int32_t j = 0; j < c.m; ++j) {
                    double t = snRandom_Unit(&r), width = c.upper[j] - c.lower[j];
                    inner->lower[j] = inner->upper[j] = c.lower[j] + t * width;
                }
                assert_true(solveRows(inner, y));
                assert_below(objective(&c.p, x), objective(&c.p, y) + 1e-8);
            }
            free(inner);
        }
    }
}

// Rows that contradict each other: hard ones win, those that give meet in the middle of nothing.
static void contradictions(void** state)
{
    (void)state;
    static RowCase c;
    snRandom r = snRandom_Seed(5);
    for (int round = 0; round < 40; ++round) {
        int32_t n = 2 + (int32_t)snRandom_Below(&r, 20);
        double x[MOST];
        randomRows(&r, n, n, 2 * n, &c);
        assert_true(solveRows(&c, x));
        for (int32_t j = 0; j < n; ++j) {
            double at = 0;
            for (int32_t k = 0; k < n; ++k) {
                at += c.C[j * n + k] * x[k];
            }
            assert_below(at, c.upper[j] + 1e-6);
            assert_below(c.lower[j], at + 1e-6);
        }
    }
    c.p.n = 1, c.m = 2;
    c.p.H[0] = 1, c.p.g[0] = 0;
    c.C[0] = c.C[1] = 1;
    c.lower[0] = 1, c.upper[0] = 2, c.lower[1] = -2, c.upper[1] = -1;
    c.give[0] = c.give[1] = 1e-6;
    double x;
    assert_true(solveRows(&c, &x));
    assert_close(x, 0, 1e-6);
    c.p.H[0] = -1;
    assert_false(solveRows(&c, &x));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxMinimum),     cmocka_unit_test(boxBruteForce),
        cmocka_unit_test(rowsMatchBox),   cmocka_unit_test(rowsHold),
        cmocka_unit_test(contradictions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
