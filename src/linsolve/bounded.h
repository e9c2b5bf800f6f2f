// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Small dense quadratic problems with bounds. Both start from the objective x'Hx / 2 - g'x with a
// symmetric positive semidefinite H, which is what least squares come to: H = A'A, g = A'b.
#ifndef SN_LINSOLVE_BOUNDED_H
#define SN_LINSOLVE_BOUNDED_H

#include "base/language.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

SN_BEGIN_C

// Bounds on the unknowns themselves.
typedef struct snBoxProblem {
    int32_t n;
    const double* H;     // row-major, both triangles; (n, n)
    const double* g;     // in the range of H; (n)
    const double* lower; // -infinity = none; (n)
    const double* upper; // at least lower, infinity = none; (n)
} snBoxProblem;

// Bytes of work memory for n unknowns.
size_t snBoxProblem_WorkSize(int32_t n);

// Writes the minimiser to x. Primal active sets: the set is guessed by clamping all that lies
// outside at once, then corrected one unknown at a time, each time with a lower objective, so it
// ends. Where H is singular one of the minimisers is found. False when rounding kept it from
// ending; x is within the bounds all the same.
bool snBoxProblem_Solve(const snBoxProblem* problem, double* x, void* work);

// Bounds on linear functions of the unknowns: lower <= C x <= upper.
typedef struct snRowProblem {
    int32_t n, m;
    double* H;           // positive definite; spoiled; (n, n)
    const double* g;     // (n)
    const double* C;     // row-major; (m, n)
    const double* lower; // (m)
    const double* upper; // (m)
    // How far a row may be beyond its bound for each unit of force that holds it back, as a part of
    // what the unknowns give way by: 0 = not at all. Rows that do not give must be independent.
    const double* give; // (m)
} snRowProblem;

size_t snRowProblem_WorkSize(int32_t n, int32_t m);

// Writes the minimiser to x. Only rows that were found violated enter: for them the dual, a box
// problem of their forces, is solved until no other row is violated. False when H is not positive
// definite (x is then not written) or the rows could not all be satisfied.
bool snRowProblem_Solve(const snRowProblem* problem, double* x, void* work);

SN_END_C

#endif
