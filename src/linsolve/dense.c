// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "linsolve/dense.h"

#include <math.h>
#include <stddef.h>

// Column by column, each taken from all that is left at once: every entry loses its products in the
// order of the columns, as in the plain sum, but none waits for the one before. What is above the
// diagonal of row k becomes column k of L, which loops then read in a row.
bool snCholesky_Factor(double* A, int32_t n)
{
    for (int32_t k = 0; k < n; ++k) {
        double* column = A + (ptrdiff_t)k * n;
        if (!(column[k] > 0)) {
            return false;
        }
        column[k] = sqrt(column[k]);
        for (int32_t j = k + 1; j < n; ++j) {
            double* entry = A + (ptrdiff_t)j * n + k;
            column[j] = *entry = *entry / column[k];
        }
        for (int32_t j = k + 1; j < n; ++j) {
            double *row = A + (ptrdiff_t)j * n, scale = column[j];
            for (int32_t i = k + 1; i <= j; ++i) {
                row[i] -= scale * column[i];
            }
        }
    }
    return true;
}

void snCholesky_Solve(const double* L, int32_t n, double* b)
{
    for (int32_t k = 0; k < n; ++k) {
        const double* column = L + (ptrdiff_t)k * n;
        double x = b[k] /= column[k];
        for (int32_t i = k + 1; i < n; ++i) {
            b[i] -= column[i] * x;
        }
    }
    for (int32_t i = n - 1; i >= 0; --i) {
        const double* row = L + (ptrdiff_t)i * n;
        double x = b[i] /= row[i];
        for (int32_t k = 0; k < i; ++k) {
            b[k] -= row[k] * x;
        }
    }
}
