// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Eigenvectors of small symmetric matrices.
#ifndef SN_LINSOLVE_EIGEN_H
#define SN_LINSOLVE_EIGEN_H

#include "base/language.h"
#include <stddef.h>

SN_BEGIN_C

// Jacobi's method: A becomes diagonal, in no order, rows of V the eigenvectors. Both row-major n x
// n
void snEigen_Find(double* A, double* V, size_t n);

SN_END_C

#endif
