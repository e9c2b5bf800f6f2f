// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "linsolve/dense.h"

#include <math.h>
#include <stddef.h>

bool snCholesky_Factor(double* A, int32_t n)
{
    for (int32_t j = 0; j < n; ++j) {
        double* row = A + (ptrdiff_t)j * n;
        for (int32_t i = 0; i <= j; ++i) {
            const double* upper = A + (ptrdiff_t)i * n;
            double sum = row[i];
            for (int32_t k = 0; k < i; ++k) {
                sum -= row[k] * upper[k];
            }
            if (i < j) {
                row[i] = sum / upper[i];
            } else if (sum > 0) {
                row[j] = sqrt(sum);
            } else {
                return false;
            }
        }
    }
    return true;
}

void snCholesky_Solve(const double* L, int32_t n, double* b)
{
    for (int32_t i = 0; i < n; ++i) {
        const double* row = L + (ptrdiff_t)i * n;
        for (int32_t k = 0; k < i; ++k) {
            b[i] -= row[k] * b[k];
        }
        b[i] /= row[i];
    }
    for (int32_t i = n - 1; i >= 0; --i) {
        b[i] /= L[(ptrdiff_t)i * n + i];
        for (int32_t k = 0; k < i; ++k) {
            b[k] -= L[(ptrdiff_t)i * n + k] * b[i];
        }
    }
}
