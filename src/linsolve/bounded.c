// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "linsolve/bounded.h"

#include "linsolve/dense.h"
#include <math.h>
#include <string.h>

// A pivot below this part of its diagonal is rounding: the unknown depends on those before it.
#define DEPENDENT 1e-13

// Slopes and distances below this part of the terms they are summed from are rounding.
#define ROUNDING 1e-12

// Rows that are beyond a bound by less than this part of their terms hold: the condition of H eats
// more digits than the sum itself.
#define VIOLATION 1e-10

// Work of a box problem.
typedef struct Box {
    const snBoxProblem* p;
    double* x;
    double* L;     // factor of the free part of H; (n, n)
    double* y;     // minimiser over the free unknowns; (n)
    int32_t* free; // numbers of the free unknowns; (n)
    int32_t count; // of them
    bool* is_free; // (n)
} Box;

size_t snBoxProblem_WorkSize(int32_t n)
{
    size_t k = (size_t)n;
    return (k * k + k) * sizeof(double) + k * (sizeof(int32_t) + sizeof(bool));
}

// Box -------------------------------------------------------------------------

// L L' of the free part; dependent unknowns get a zero row, and keep their value when solving.
static void factorFree(Box* b)
{
    int32_t n = b->p->n;
    for (int32_t j = 0; j < b->count; ++j) {
        double* row = b->L + (ptrdiff_t)j * n;
        const double* from = b->p->H + (ptrdiff_t)b->free[j] * n;
        double diagonal = from[b->free[j]], left = diagonal;
        for (int32_t i = 0; i < j; ++i) {
            const double* up = b->L + (ptrdiff_t)i * n;
            double sum = from[b->free[i]];
            for (int32_t k = 0; k < i; ++k) {
                sum -= row[k] * up[k];
            }
            row[i] = up[i] > 0 ? sum / up[i] : 0;
            left -= row[i] * row[i];
        }
        bool dependent = !(left > DEPENDENT * diagonal);
        row[j] = dependent ? 0 : sqrt(left);
        for (int32_t i = 0; dependent && i < j; ++i) {
            row[i] = 0;
        }
    }
}

// Slope of the objective along unknown i, and the size of its terms.
static double slopeAt(const Box* b, int32_t i, double* size)
{
    const double* row = b->p->H + (ptrdiff_t)i * b->p->n;
    double sum = -b->p->g[i];
    *size = fabs(sum);
    for (int32_t k = 0; k < b->p->n; ++k) {
        sum += row[k] * b->x[k];
        *size += fabs(row[k] * b->x[k]);
    }
    return sum;
}

// y = minimiser over the free unknowns, the others staying: x - (free part of H)^-1 slope.
static void minimiseFree(Box* b)
{
    int32_t n = b->p->n, count = b->count;
    double size;
    factorFree(b);
    for (int32_t j = 0; j < count; ++j) {
        const double* row = b->L + (ptrdiff_t)j * n;
        double sum = -slopeAt(b, b->free[j], &size);
        for (int32_t k = 0; k < j; ++k) {
            sum -= row[k] * b->y[k];
        }
        b->y[j] = row[j] > 0 ? sum / row[j] : 0;
    }
    for (int32_t j = count - 1; j >= 0; --j) {
        const double* row = b->L + (ptrdiff_t)j * n;
        b->y[j] = row[j] > 0 ? b->y[j] / row[j] : 0;
        for (int32_t k = 0; k < j; ++k) {
            b->y[k] -= row[k] * b->y[j];
        }
    }
    for (int32_t j = 0; j < count; ++j) {
        b->y[j] += b->x[b->free[j]];
    }
}

static double clampTo(double v, double lower, double upper)
{
    return v < lower ? lower : v > upper ? upper : v;
}

// Clamps all that the minimiser takes outside, until it takes nothing outside.
static void guess(Box* b)
{
    const snBoxProblem* p = b->p;
    b->count = 0;
    for (int32_t i = 0; i < p->n; ++i) {
        b->x[i] = clampTo(0, p->lower[i], p->upper[i]);
        b->is_free[i] = p->lower[i] < p->upper[i];
        if (b->is_free[i]) {
            b->free[b->count++] = i;
        }
    }
    for (;;) {
        int32_t kept = 0;
        minimiseFree(b);
        for (int32_t j = 0; j < b->count; ++j) {
            int32_t i = b->free[j];
            if (b->y[j] >= p->lower[i] && b->y[j] <= p->upper[i]) {
                b->free[kept++] = i;
            } else {
                b->x[i] = clampTo(b->y[j], p->lower[i], p->upper[i]);
                b->is_free[i] = false;
            }
        }
        if (kept == b->count) {
            break;
        }
        b->count = kept;
    }
    for (int32_t j = 0; j < b->count; ++j) {
        b->x[b->free[j]] = b->y[j];
    }
}

// The unknown at a bound that wants most to leave it, or -1. Slopes count by what a move gains.
// What is left of the slopes along free unknowns is rounding, and tells how much there is.
static int32_t findLeaver(const Box* b)
{
    const snBoxProblem* p = b->p;
    int32_t best = -1;
    double most = 0, noise = ROUNDING;
    for (int32_t j = 0; j < b->count; ++j) {
        double size, slope = fabs(slopeAt(b, b->free[j], &size));
        noise = slope > noise * size ? slope / size : noise;
    }
    for (int32_t i = 0; i < p->n; ++i) {
        double size, slope = slopeAt(b, i, &size);
        bool leaves = (slope < -2 * noise * size && b->x[i] == p->lower[i]) ||
                      (slope > 2 * noise * size && b->x[i] == p->upper[i]);
        double gain = slope * slope / p->H[(ptrdiff_t)i * p->n + i];
        if (leaves && !b->is_free[i] && p->lower[i] < p->upper[i] && gain > most) {
            best = i;
            most = gain;
        }
    }
    return best;
}

// Moves towards the free minimiser as far as the first bound in the way, which is then kept.
// Returns false when nothing was in the way.
static bool moveToBound(Box* b)
{
    const snBoxProblem* p = b->p;
    double part = 1;
    int32_t first = -1;
    for (int32_t j = 0; j < b->count; ++j) {
        int32_t i = b->free[j];
        double bound = clampTo(b->y[j], p->lower[i], p->upper[i]);
        if (bound != b->y[j]) {
            double share = (bound - b->x[i]) / (b->y[j] - b->x[i]);
            if (share < part || first < 0) {
                part = share;
                first = j;
            }
        }
    }
    for (int32_t j = 0; j < b->count; ++j) {
        int32_t i = b->free[j];
        double moved = first < 0 ? b->y[j] : b->x[i] + part * (b->y[j] - b->x[i]);
        b->x[i] = clampTo(j == first ? b->y[j] : moved, p->lower[i], p->upper[i]);
    }
    if (first >= 0) {
        b->is_free[b->free[first]] = false;
        b->count--;
        memmove(b->free + first, b->free + first + 1, (size_t)(b->count - first) * sizeof(int32_t));
    }
    return first >= 0;
}

bool snBoxProblem_Solve(const snBoxProblem* problem, double* x, void* work)
{
    size_t n = (size_t)problem->n;
    Box b = {.p = problem, .L = work};
    b.x = x;
    b.y = b.L + n * n;
    b.free = (int32_t*)(b.y + n);
    b.is_free = (bool*)(b.free + n);
    guess(&b);
    // every turn lowers the objective; sets seldom change more often than there are unknowns
    for (int32_t turn = 0; turn < 20 + 8 * problem->n; ++turn) {
        int32_t leaver = findLeaver(&b);
        if (leaver < 0) {
            return true;
        }
        b.free[b.count++] = leaver;
        b.is_free[leaver] = true;
        do {
            minimiseFree(&b);
        } while (moveToBound(&b));
    }
    return false;
}

// Rows ------------------------------------------------------------------------

// Work of a row problem; the rows that entered are numbered 0 .. count - 1.
typedef struct Rows {
    const snRowProblem* p;
    double* x;
    double* free;   // minimiser without rows; (n)
    double* Y;      // H^-1 times each row; (m, n)
    double* Q;      // what a force on one does to the other, packed to count x count; (m, m)
    double* miss;   // how far `free` is beyond the bound; (m)
    double* force;  // (m)
    double* lower;  // of forces: 0; (m)
    double* upper;  // infinity; (m)
    int32_t* row;   // (m)
    int32_t* place; // of the problem's rows among those that entered, plus 1; 0 = outside; (m)
    int8_t* side;   // -1 held at the lower, +1 at the upper bound; (m)
    int32_t count;
    void* box;
} Rows;

size_t snRowProblem_WorkSize(int32_t n, int32_t m)
{
    size_t k = (size_t)n, r = (size_t)m;
    return (k + r * k + r * r + 4 * r) * sizeof(double) + snBoxProblem_WorkSize(m) +
           r * (2 * sizeof(int32_t) + 1);
}

static Rows splitWork(const snRowProblem* p, double* x, void* work)
{
    size_t n = (size_t)p->n, m = (size_t)p->m;
    Rows r = {.p = p, .free = work};
    r.x = x;
    r.Y = r.free + n;
    r.Q = r.Y + m * n;
    r.miss = r.Q + m * m;
    r.force = r.miss + m;
    r.lower = r.force + m;
    r.upper = r.lower + m;
    r.row = (int32_t*)(r.upper + m);
    r.place = r.row + m;
    r.box = r.place + m; // row and place fill whole doubles
    r.side = (int8_t*)r.box + snBoxProblem_WorkSize(p->m);
    return r;
}

static double dot(const double* a, const double* b, int32_t n)
{
    double sum = 0;
    for (int32_t i = 0; i < n; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

// Lets row j in at the side where it is violated, or moves it there. A row that is held at its
// other side is beyond this one by rounding only. True when something changed.
static bool enter(Rows* r, int32_t j, int8_t side)
{
    const snRowProblem* p = r->p;
    int32_t a = r->place[j] - 1;
    if (a >= 0 && (r->side[a] == side || r->force[a] > 0)) {
        return false;
    }
    if (a < 0) {
        a = r->count++;
        r->row[a] = j;
        r->place[j] = a + 1;
        double* y = r->Y + (ptrdiff_t)a * p->n;
        memcpy(y, p->C + (ptrdiff_t)j * p->n, (size_t)p->n * sizeof(double));
        snCholesky_Solve(p->H, p->n, y);
    }
    r->side[a] = side;
    return true;
}

// Rows that x violates enter; how many.
static int32_t enterViolated(Rows* r)
{
    const snRowProblem* p = r->p;
    int32_t entered = 0;
    for (int32_t j = 0; j < p->m; ++j) {
        const double* c = p->C + (ptrdiff_t)j * p->n;
        double at = 0, size = 0;
        for (int32_t k = 0; k < p->n; ++k) {
            at += c[k] * r->x[k];
            size += fabs(c[k] * r->x[k]);
        }
        double above = at - p->upper[j], below = p->lower[j] - at;
        int8_t side = above > VIOLATION * size ? 1 : below > VIOLATION * size ? -1 : 0;
        entered += side != 0 && enter(r, j, side);
    }
    return entered;
}

// The dual of the rows that entered: forces >= 0 that minimise f'Qf / 2 - miss'f. Then
// x = free - H^-1 C' f.
static bool balance(Rows* r)
{
    const snRowProblem* p = r->p;
    int32_t count = r->count;
    for (int32_t a = 0; a < count; ++a) {
        int32_t i = r->row[a];
        const double* c = p->C + (ptrdiff_t)i * p->n;
        for (int32_t b = 0; b <= a; ++b) {
            double q = r->side[a] * r->side[b] * dot(c, r->Y + (ptrdiff_t)b * p->n, p->n);
            r->Q[(ptrdiff_t)a * count + b] = r->Q[(ptrdiff_t)b * count + a] = q;
        }
        r->Q[(ptrdiff_t)a * (count + 1)] *= 1 + p->give[i];
        double bound = r->side[a] > 0 ? p->upper[i] : p->lower[i];
        r->miss[a] = r->side[a] * (dot(c, r->free, p->n) - bound);
        r->lower[a] = 0;
        r->upper[a] = (double)INFINITY;
    }
    snBoxProblem dual = {count, r->Q, r->miss, r->lower, r->upper};
    bool ok = snBoxProblem_Solve(&dual, r->force, r->box);
    memcpy(r->x, r->free, (size_t)p->n * sizeof(double));
    for (int32_t a = 0; a < count; ++a) {
        double push = r->side[a] * r->force[a];
        const double* y = r->Y + (ptrdiff_t)a * p->n;
        for (int32_t k = 0; k < p->n; ++k) {
            r->x[k] -= push * y[k];
        }
    }
    return ok;
}

bool snRowProblem_Solve(const snRowProblem* problem, double* x, void* work)
{
    const snRowProblem* p = problem;
    Rows r = splitWork(p, x, work);
    if (!snCholesky_Factor(p->H, p->n)) {
        return false;
    }
    memcpy(r.free, p->g, (size_t)p->n * sizeof(double));
    snCholesky_Solve(p->H, p->n, r.free);
    memcpy(x, r.free, (size_t)p->n * sizeof(double));
    memset(r.place, 0, (size_t)p->m * sizeof(int32_t));
    // rows enter once, but may change sides: the objective grows every time, so that ends
    bool ok = true;
    for (int32_t round = 0; ok && enterViolated(&r) > 0; ++round) {
        ok = balance(&r) && round < 2 * p->m + 20;
    }
    return ok;
}
