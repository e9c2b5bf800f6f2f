// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Conjugate gradients for A x = b, A symmetric and positive definite, known only by what it makes
// of a vector, with a preconditioner M of the same kind (Hestenes & Stiefel 1952; Concus, Golub &
// O'Leary 1976):
//   r = b - A x,  z = M^-1 r,  p = z + (r'z / r'z before) p,  x += (r'z / p'Ap) p.
// It ends when r' M^-1 r <= tolerance^2 b' M^-1 b. Semidefinite A and M serve where b and the first
// x hold nothing that A leaves out.
//
// Several systems with the same A may be solved side by side, in lanes: one pass over A serves them
// all, while each has numbers of its own and stands still once it has ended.
#ifndef SN_LINSOLVE_CG_H
#define SN_LINSOLVE_CG_H

#include "base/language.h"
#include <stddef.h>
#include <stdint.h>

SN_BEGIN_C

#define SN_CG_LANES 8 // systems side by side, at most

// Writes A in, or M^-1 in, to out. Entry i of lane l is at [i * lanes + l] of both; (n, lanes)
typedef void snCgFcn(void* user, const double* in, double* out);

typedef struct snCg {
    size_t n;     // unknowns of one system
    size_t lanes; // 1 .. SN_CG_LANES
    // Sums are taken over this many unknowns each and then over these parts, always in that order,
    // so that the bits depend on nothing else; 1 and n and more are the plain sum; at least 1
    size_t chunk;
    double tolerance;      // of the residual, as a part of the right side
    int32_t most;          // iterations
    snCgFcn* operate;      // A
    snCgFcn* precondition; // M^-1; NULL: M = I
    void* user;            // what both are called with
} snCg;

typedef enum snCgEnd {
    sn_cgDone = 0,   // the residual is within the tolerance
    sn_cgMost,       // the iterations were used up
    sn_cgIndefinite, // p'Ap or r' M^-1 r was not positive: A or M is not positive definite
    sn_cgNotFinite,  // numbers are not finite any more, and x with them
} snCgEnd;

// What was done; of several lanes the worst
typedef struct snCgFacts {
    snCgEnd end;
    int32_t iterations;
    // sqrt(r' M^-1 r / b' M^-1 b) with the r of the recurrence. It is that of b - A x as long as it
    // is well above rounding, 1e-16 times the condition of A. Infinite where numbers are not
    // finite.
    double residual;
} snCgFacts;

// Bytes of work memory: two vectors of (n, lanes) doubles.
size_t snCg_WorkSize(const snCg* cg);

// x: the first guess, then the solution; r: b, then the residual; both (n, lanes). Lanes with b = 0
// get x = 0. A lane that ends as indefinite keeps the x that it had.
snCgFacts snCg_Solve(const snCg* cg, double* x, double* r, void* work);

SN_END_C

#endif
