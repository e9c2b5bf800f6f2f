// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "linsolve/cg.h"

#include "math/fn.h"

#include <assert.h>
#include <string.h>

typedef struct Lane {
    bool runs;
    snCgEnd end; // once it does not
    double goal; // b' M^-1 b
    double rz;   // r' M^-1 r, and that of the iteration before
    double old;
} Lane;

typedef struct Run {
    const snCg* cg;
    size_t lanes; // a constant to the compiler where it is 1 or SN_CG_LANES
    double *x, *r, *p;
    double* q; // A p, and between its uses z = M^-1 r
    Lane lane[SN_CG_LANES];
} Run;

// Loops ----------------------------------------------------------------------------

// sum a b of each lane
SN_KERNEL void dot(const Run* run, const double* a, const double* b, double* out)
{
    size_t n = run->cg->n, chunk = run->cg->chunk, lanes = run->lanes;
    memset(out, 0, SN_CG_LANES * sizeof *out);
    for (size_t begin = 0; begin < n;) {
        size_t end = n - begin < chunk ? n : begin + chunk;
        double part[SN_CG_LANES] = {0};
        for (size_t i = begin; i < end; ++i) {
            for (size_t l = 0; l < lanes; ++l) {
                part[l] += a[i * lanes + l] * b[i * lanes + l];
            }
        }
        for (size_t l = 0; l < lanes; ++l) {
            out[l] += part[l];
        }
        begin = end;
    }
}

// p = z + beta p; 0 in lanes that stand still
SN_KERNEL void turn(const Run* run)
{
    const double* restrict z = run->q;
    double* restrict p = run->p, beta[SN_CG_LANES];
    size_t lanes = run->lanes;
    for (size_t l = 0; l < lanes; ++l) {
        const Lane* lane = &run->lane[l];
        beta[l] = lane->old > 0 ? lane->rz / lane->old : 0;
    }
    for (size_t i = 0; i < run->cg->n; ++i) {
        for (size_t l = 0; l < lanes; ++l) {
            double along = z[i * lanes + l] + beta[l] * p[i * lanes + l];
            p[i * lanes + l] = run->lane[l].runs ? along : 0;
        }
    }
}

// x += alpha p, r -= alpha q
SN_KERNEL void advance(const Run* run, const double* alpha)
{
    const double* restrict p = run->p, * restrict q = run->q;
    double* restrict x = run->x, * restrict r = run->r;
    size_t lanes = run->lanes;
    for (size_t i = 0; i < run->cg->n; ++i) {
        for (size_t l = 0; l < lanes; ++l) {
            x[i * lanes + l] += alpha[l] * p[i * lanes + l];
            r[i * lanes + l] -= alpha[l] * q[i * lanes + l];
        }
    }
}

static void forget(const Run* run, size_t l, double* v)
{
    for (size_t i = 0; i < run->cg->n; ++i) {
        v[i * run->lanes + l] = 0;
    }
}

// Steps ----------------------------------------------------------------------------

static void stop(Lane* lane, snCgEnd end)
{
    lane->runs = false;
    lane->end = end;
}

// q = M^-1 r
static void precondition(const Run* run)
{
    const snCg* cg = run->cg;
    if (cg->precondition) {
        cg->precondition(cg->user, run->r, run->q);
    } else {
        memcpy(run->q, run->r, cg->n * cg->lanes * sizeof(double));
    }
}

// r = b - A x, p = 0. The solution for b = 0 is 0: nothing could be relative to that.
SN_KERNEL void start(Run* run)
{
    const snCg* cg = run->cg;
    double goal[SN_CG_LANES];
    precondition(run);
    dot(run, run->r, run->q, goal);
    for (size_t l = 0; l < run->lanes; ++l) {
        run->lane[l] = (Lane){.runs = true, .goal = goal[l]};
        if (goal[l] == 0) {
            forget(run, l, run->x);
        }
    }
    cg->operate(cg->user, run->x, run->q);
    for (size_t i = 0; i < cg->n * run->lanes; ++i) {
        run->r[i] -= run->q[i];
        run->p[i] = 0;
    }
}

static void judge(Lane* lane, double rz, double tolerance)
{
    lane->old = lane->rz;
    lane->rz = rz;
    if (!isfinite(rz) || !isfinite(lane->goal)) {
        stop(lane, sn_cgNotFinite);
    } else if (rz < 0 || lane->goal < 0) {
        stop(lane, sn_cgIndefinite);
    } else if (!(rz > tolerance * tolerance * lane->goal)) {
        stop(lane, sn_cgDone);
    }
}

// q = M^-1 r; whether any lane goes on
SN_KERNEL bool measure(Run* run)
{
    double rz[SN_CG_LANES];
    bool any = false;
    precondition(run);
    dot(run, run->r, run->q, rz);
    for (size_t l = 0; l < run->lanes; ++l) {
        if (run->lane[l].runs) {
            judge(&run->lane[l], rz[l], run->cg->tolerance);
        }
        any = any || run->lane[l].runs;
    }
    return any;
}

// Along p as far as the energy x'Ax / 2 - b'x falls
SN_KERNEL void descend(Run* run)
{
    const snCg* cg = run->cg;
    double pAp[SN_CG_LANES], alpha[SN_CG_LANES];
    cg->operate(cg->user, run->p, run->q);
    dot(run, run->p, run->q, pAp);
    for (size_t l = 0; l < run->lanes; ++l) {
        Lane* lane = &run->lane[l];
        if (lane->runs && !(pAp[l] > 0 && isfinite(pAp[l]))) {
            stop(lane, isfinite(pAp[l]) ? sn_cgIndefinite : sn_cgNotFinite);
        }
        alpha[l] = lane->runs ? lane->rz / pAp[l] : 0;
    }
    advance(run, alpha);
}

static snCgFacts report(const Run* run, int32_t iterations)
{
    snCgFacts facts = {.iterations = iterations};
    for (size_t l = 0; l < run->lanes; ++l) {
        const Lane* lane = &run->lane[l];
        snCgEnd end = lane->runs ? sn_cgMost : lane->end;
        double residual = lane->rz == 0 ? 0 : sqrt(fabs(lane->rz / lane->goal));
        facts.end = end > facts.end ? end : facts.end;
        facts.residual = fmax(facts.residual, end == sn_cgNotFinite ? HUGE_VAL : residual);
    }
    return facts;
}

SN_KERNEL snCgFacts solve(Run* run, size_t lanes)
{
    int32_t iteration = 0;
    run->lanes = lanes;
    start(run);
    while (measure(run) && iteration < run->cg->most) {
        turn(run);
        descend(run);
        ++iteration;
    }
    return report(run, iteration);
}

size_t snCg_WorkSize(const snCg* cg)
{
    return 2 * cg->n * cg->lanes * sizeof(double);
}

snCgFacts snCg_Solve(const snCg* cg, double* x, double* r, void* work)
{
    assert(cg->lanes > 0 && cg->lanes <= SN_CG_LANES && (cg->chunk > 0 || cg->n == 0));
    Run run = {.cg = cg, .p = work, .q = (double*)work + cg->n * cg->lanes};
    run.x = x;
    run.r = r;
    return cg->lanes == 1             ? solve(&run, 1)
           : cg->lanes == SN_CG_LANES ? solve(&run, SN_CG_LANES)
                                      : solve(&run, cg->lanes);
}
