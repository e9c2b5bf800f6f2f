// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Small dense systems.
#ifndef SN_LINSOLVE_DENSE_H
#define SN_LINSOLVE_DENSE_H

#include "base/language.h"
#include <stdbool.h>
#include <stdint.h>

SN_BEGIN_C

// A = L L' in place (row-major n x n; only the lower triangle is read). L is written below the
// diagonal and L' above. False, with A spoiled, when A is not positive definite.
bool snCholesky_Factor(double* A, int32_t n);

// Solves L L' x = b in place in b, with L and L' from Factor.
void snCholesky_Solve(const double* L, int32_t n, double* b);

SN_END_C

#endif
