// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "linsolve/eigen.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

// Sweeps over all pairs; a dozen are enough for any matrix that is met
#define SWEEPS 40

// Turns rows and columns p and q of A so that A_pq becomes 0, and rows p and q of V along
static void turn(double* A, double* V, size_t n, size_t p, size_t q)
{
    double off = A[p * n + q], theta = (A[q * n + q] - A[p * n + p]) / (2 * off);
    double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (size_t k = 0; k < n; ++k) {
        double a = A[k * n + p], b = A[k * n + q];
        A[k * n + p] = c * a - s * b;
        A[k * n + q] = s * a + c * b;
    }
    for (size_t k = 0; k < n; ++k) {
        double a = A[p * n + k], b = A[q * n + k];
        A[p * n + k] = c * a - s * b;
        A[q * n + k] = s * a + c * b;
        a = V[p * n + k], b = V[q * n + k];
        V[p * n + k] = c * a - s * b;
        V[q * n + k] = s * a + c * b;
    }
}

void snEigen_Find(double* A, double* V, size_t n)
{
    double trace = 0;
    memset(V, 0, n * n * sizeof *V);
    for (size_t i = 0; i < n; ++i) {
        V[i * n + i] = 1;
        trace += fabs(A[i * n + i]);
    }
    for (int sweep = 0; sweep < SWEEPS; ++sweep) {
        bool done = true;
        for (size_t p = 0; p + 1 < n; ++p) {
            for (size_t q = p + 1; q < n; ++q) {
                double off = fabs(A[p * n + q]), least = fabs(A[p * n + p] * A[q * n + q]);
                if (off > 1e-17 * trace && off * off > 1e-26 * least) {
                    turn(A, V, n, p, q);
                    done = false;
                }
            }
        }
        if (done) {
            return;
        }
    }
}
