// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Dense Cholesky: factors multiply back, solutions solve, what is not positive definite is refused.
#include "linsolve/dense.h"
#include "base/random.h"
#include "check.h"

#define MOST 40
#define EPS 1.1102230246251565e-16

// B B' + shift I: eigenvalues of at least `shift`.
static void randomSpd(snRandom* r, int32_t n, double shift, double* A)
{
    double B[MOST * MOST];
    for (int32_t i = 0; i < n * n; ++i) {
        B[i] = snRandom_Range(r, -1, 1);
    }
    for (int32_t i = 0; i < n; ++i) {
        for (int32_t j = 0; j < n; ++j) {
            A[i * n + j] = i == j ? shift : 0;
            for (int32_t k = 0; k < n; ++k) {
                A[i * n + j] += B[i * n + k] * B[j * n + k];
            }
        }
    }
}

static void factorsMultiplyBack(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    for (int32_t n = 1; n <= MOST; ++n) {
        double A[MOST * MOST], L[MOST * MOST];
        randomSpd(&r, n, 0.01, A);
        memcpy(L, A, sizeof L);
        assert_true(snCholesky_Factor(L, n));
        for (int32_t i = 0; i < n; ++i) {
            assert_true(L[i * n + i] > 0);
            for (int32_t j = 0; j <= i; ++j) {
                double sum = 0;
                for (int32_t k = 0; k <= j; ++k) {
                    sum += L[i * n + k] * L[j * n + k];
                }
                // backward stable whatever the condition: n + 1 roundings of the diagonal's size
                double scale = sqrt(A[i * n + i] * A[j * n + j]);
                assert_close(sum, A[i * n + j], 2 * (n + 1) * EPS * scale);
            }
        }
    }
}

static void solutionsSolve(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    for (int round = 0; round < 5; ++round) {
        for (int32_t n = 1; n <= MOST; ++n) {
            double A[MOST * MOST], L[MOST * MOST], x[MOST], b[MOST];
            randomSpd(&r, n, 1, A);
            memcpy(L, A, sizeof L);
            for (int32_t i = 0; i < n; ++i) {
                x[i] = snRandom_Range(&r, -1, 1);
            }
            for (int32_t i = 0; i < n; ++i) {
                b[i] = 0;
                for (int32_t j = 0; j < n; ++j) {
                    b[i] += A[i * n + j] * x[j];
                }
            }
            assert_true(snCholesky_Factor(L, n));
            snCholesky_Solve(L, n, b);
            for (int32_t i = 0; i < n; ++i) {
                // the condition is below n^2 here (largest eigenvalue n^2/3 + 1, smallest 1)
                assert_close(b[i], x[i], 10.0 * (n + 2) * (n + 2) * EPS * n);
            }
        }
    }
}

static void onlyTheLowerTriangleIsRead(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(3);
    const int32_t n = 9;
    double A[MOST * MOST], B[MOST * MOST], b[MOST], c[MOST];
    randomSpd(&r, n, 0.1, A);
    memcpy(B, A, sizeof B);
    for (int32_t i = 0; i < n; ++i) {
        b[i] = c[i] = i;
        for (int32_t j = i + 1; j < n; ++j) {
            B[i * n + j] = (double)NAN;
        }
    }
    assert_true(snCholesky_Factor(A, n) && snCholesky_Factor(B, n));
    snCholesky_Solve(A, n, b);
    snCholesky_Solve(B, n, c);
    assert_memory_equal(b, c, sizeof(double) * (size_t)n);
}

// Row by row, each entry one sum.
static void factor_ref(double* A, int32_t n)
{
    for (int32_t j = 0; j < n; ++j) {
        for (int32_t i = 0; i <= j; ++i) {
            double sum = A[j * n + i];
            for (int32_t k = 0; k < i; ++k) {
                sum -= A[j * n + k] * A[i * n + k];
            }
            A[j * n + i] = i < j ? sum / A[i * n + i] : sqrt(sum);
        }
    }
}

static void solve_ref(const double* L, int32_t n, double* b)
{
    for (int32_t i = 0; i < n; ++i) {
        for (int32_t k = 0; k < i; ++k) {
            b[i] -= L[i * n + k] * b[k];
        }
        b[i] /= L[i * n + i];
    }
    for (int32_t i = n - 1; i >= 0; --i) {
        for (int32_t k = n - 1; k > i; --k) {
            b[i] -= L[k * n + i] * b[k];
        }
        b[i] /= L[i * n + i];
    }
}

static void bitsAreThoseOfPlainSums(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(5);
    for (int32_t n = 1; n <= MOST; ++n) {
        double A[MOST * MOST], B[MOST * MOST], b[MOST], c[MOST];
        randomSpd(&r, n, 0.01, A);
        memcpy(B, A, sizeof B);
        for (int32_t i = 0; i < n; ++i) {
            b[i] = c[i] = snRandom_Range(&r, -1, 1);
        }
        assert_true(snCholesky_Factor(A, n));
        factor_ref(B, n);
        snCholesky_Solve(A, n, b);
        solve_ref(B, n, c);
        assert_memory_equal(b, c, sizeof(double) * (size_t)n);
        for (int32_t j = 0; j < n; ++j) {
            for (int32_t i = 0; i <= j; ++i) {
                assert_true(A[j * n + i] == B[j * n + i] && A[i * n + j] == B[j * n + i]);
            }
        }
    }
}

static void whatIsNotPositiveDefiniteIsRefused(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(4);
    for (int32_t n = 1; n <= MOST; ++n) {
        double A[MOST * MOST], v[MOST], square = 0, along = 0;
        randomSpd(&r, n, 0.01, A);
        for (int32_t i = 0; i < n; ++i) {
            v[i] = snRandom_Range(&r, -1, 1);
            square += v[i] * v[i];
        }
        for (int32_t i = 0; i < n; ++i) {
            for (int32_t j = 0; j < n; ++j) {
                along += v[i] * A[i * n + j] * v[j];
            }
        }
        // A - s v v' with s v'v > v'Av / v'v has a negative value along v
        double s = 1.1 * along / (square * square);
        for (int32_t i = 0; i < n; ++i) {
            for (int32_t j = 0; j < n; ++j) {
                A[i * n + j] -= s * v[i] * v[j];
            }
        }
        assert_false(snCholesky_Factor(A, n));
    }
    double zero[4] = {0}, nan[4] = {1, 0, (double)NAN, 1}, negative[1] = {-1};
    assert_false(snCholesky_Factor(zero, 2));
    assert_false(snCholesky_Factor(nan, 2));
    assert_false(snCholesky_Factor(negative, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factorsMultiplyBack),
        cmocka_unit_test(solutionsSolve),
        cmocka_unit_test(onlyTheLowerTriangleIsRead),
        cmocka_unit_test(bitsAreThoseOfPlainSums),
        cmocka_unit_test(whatIsNotPositiveDefiniteIsRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
