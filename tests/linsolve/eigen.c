// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

#include "linsolve/eigen.h"

#include "base/random.h"
#include "check.h"

#define N 24

// Of the largest eigenvalue
static const double rounding = 1e-12;

// A v = lambda v, and vectors are orthogonal and of length 1.
static void test_vectors(void** state)
{
    (void)state;
    static double A[N * N], D[N * N], V[N * N];
    snRandom random = snRandom_Seed(5);
    for (int i = 0; i < N; ++i) {
        for (int j = 0; j <= i; ++j) {
            A[i * N + j] = A[j * N + i] = snRandom_Range(&random, -1, 1);
        }
    }
    memcpy(D, A, sizeof A);
    snEigen_Find(D, V, N);
    for (int k = 0; k < N; ++k) {
        for (int i = 0; i < N; ++i) {
            double sum = 0, dot = 0;
            for (int j = 0; j < N; ++j) {
                sum += A[i * N + j] * V[k * N + j];
                dot += V[i * N + j] * V[k * N + j];
            }
            assert_close(sum, D[k * N + k] * V[k * N + i], N * rounding);
            assert_close(dot, i == k, N * rounding);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_vectors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
