// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "bake/gram.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "linsolve/basis.h"
#include "linsolve/eigen.h"

// Numbers of a frame at a time
#define CHUNK 512

// Frames of a tile, by as many others: a chunk of all of them stays in the first-level cache.
#define TILE 8

// Shapes weaker than this part of the strongest are rounding.
#define WEAKEST 1e-6

// Directions that are searched, besides two for each shape that is wanted: the strongest of them
// are found to more digits than products have.
#define EXTRA 24

bool snBakeGram_Build(snBakeGram* g, snArena* arena, snTasks* tasks, size_t width, int32_t count,
                      int32_t longest)
{
    *g = (snBakeGram){.tasks = tasks, .width = width, .count = count};
    g->band = count < longest ? count : longest;
    g->rows = snArena_Push(arena, (size_t)count, sizeof *g->rows);
    g->products = snArena_Push(arena, (size_t)count * (size_t)g->band, sizeof *g->products);
    g->from = snArena_Push(arena, (size_t)count, sizeof *g->from);
    for (int32_t i = 0; i < count && g->from; ++i) {
        g->from[i] = i + 1;
    }
    return !arena->failed;
}

// Products -------------------------------------------------------------------------

static double* productOf(const snBakeGram* g, int32_t i, int32_t j)
{
    return &g->products[(size_t)i * (size_t)g->band + (size_t)(i - j)];
}

static bool isMissing(const snBakeGram* g, int32_t i, int32_t j)
{
    return i < g->next && j >= g->begin && j <= i && j < g->from[i];
}

// Tiles are numbered along the lower triangle, row by row.
static void tileTask(void* argument, int index, int worker)
{
    const snBakeGram* g = argument;
    int row = (int)((sqrt(8.0 * index + 1) - 1) / 2);
    row += (row + 1) * (row + 2) / 2 <= index;
    row -= row * (row + 1) / 2 > index;
    int32_t first = g->begin + TILE * row;
    int32_t second = g->begin + TILE * (index - row * (row + 1) / 2);
    double sums[TILE][TILE] = {{0}};
    (void)worker;
    for (size_t at = 0; at < g->width; at += CHUNK) {
        size_t some = g->width - at < CHUNK ? g->width - at : CHUNK;
        for (int32_t i = 0; i < TILE; ++i) {
            for (int32_t j = 0; j < TILE; ++j) {
                if (isMissing(g, first + i, second + j)) {
                    sums[i][j] +=
                        snBasis_Dot(g->rows[first + i] + at, g->rows[second + j] + at, some);
                }
            }
        }
    }
    for (int32_t i = 0; i < TILE; ++i) {
        for (int32_t j = 0; j < TILE; ++j) {
            if (isMissing(g, first + i, second + j)) {
                *productOf(g, first + i, second + j) = sums[i][j];
            }
        }
    }
}

void snBakeGram_Add(snBakeGram* g, int32_t begin, int32_t end)
{
    int tiles = (end - begin + TILE - 1) / TILE;
    g->begin = begin;
    g->next = end;
    snTasks_Run(g->tasks, tiles * (tiles + 1) / 2, tileTask, g);
    for (int32_t i = begin; i < end; ++i) {
        g->from[i] = g->from[i] < begin ? g->from[i] : begin;
    }
}

// Eigenvectors ---------------------------------------------------------------------

// Lanczos' method, each direction made orthogonal to all before it: Q A Q' = T is tridiagonal
typedef struct Search {
    size_t n, most; // frames, directions at most
    double* A;      // products of frames less their mean; (n, n)
    double* Q;      // directions; (most, n)
    double* T;      // (most, most)
    double* Y;      // eigenvectors of T; (most, most)
    snRandom random;
} Search;

static double dot(const double* a, const double* b, size_t n)
{
    double sums[4] = {0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        for (size_t k = 0; k < 4; ++k) {
            sums[k] += a[i + k] * b[i + k];
        }
    }
    for (; i < n; ++i) {
        sums[0] += a[i] * b[i];
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

static void centre(double* x, size_t n)
{
    double mean = 0;
    for (size_t i = 0; i < n; ++i) {
        mean += x[i] / (double)n;
    }
    for (size_t i = 0; i < n; ++i) {
        x[i] -= mean;
    }
}

static void takeProducts(const snBakeGram* g, int32_t begin, Search* s)
{
    for (size_t i = 0; i < s->n; ++i) {
        for (size_t j = 0; j <= i; ++j) {
            double p = *productOf(g, begin + (int32_t)i, begin + (int32_t)j);
            s->A[i * s->n + j] = s->A[j * s->n + i] = p;
        }
    }
    double mean = 0;
    for (size_t i = 0; i < s->n; ++i) {
        s->Y[i] = 0; // of a row; there is room for n numbers
        for (size_t j = 0; j < s->n; ++j) {
            s->Y[i] += s->A[i * s->n + j] / (double)s->n;
        }
        mean += s->Y[i] / (double)s->n;
    }
    for (size_t i = 0; i < s->n; ++i) {
        for (size_t j = 0; j < s->n; ++j) {
            s->A[i * s->n + j] += mean - s->Y[i] - s->Y[j];
        }
    }
}

// What is left of q without the directions before it, of unit length. Returns how long it was.
static double straighten(const Search* s, double* q, size_t before)
{
    for (int pass = 0; pass < 2; ++pass) { // the second takes off what the first left by rounding
        centre(q, s->n);
        for (size_t k = 0; k < before; ++k) {
            const double* p = s->Q + k * s->n;
            double along = dot(p, q, s->n);
            for (size_t i = 0; i < s->n; ++i) {
                q[i] -= along * p[i];
            }
        }
    }
    double length = sqrt(dot(q, q, s->n));
    for (size_t i = 0; i < s->n && length > 0; ++i) {
        q[i] /= length;
    }
    return length;
}

static void anyDirection(Search* s, double* q, size_t before)
{
    for (size_t i = 0; i < s->n; ++i) {
        q[i] = snRandom_Range(&s->random, -1, 1);
    }
    (void)straighten(s, q, before);
}

static void findDirections(Search* s)
{
    double trace = 0;
    for (size_t i = 0; i < s->n; ++i) {
        trace += s->A[i * (s->n + 1)];
    }
    memset(s->T, 0, s->most * s->most * sizeof *s->T);
    anyDirection(s, s->Q, 0);
    for (size_t k = 0; k < s->most; ++k) {
        const double* q = s->Q + k * s->n;
        double* next = s->Y; // A q, then the next direction; room for n numbers
        for (size_t i = 0; i < s->n; ++i) {
            next[i] = dot(s->A + i * s->n, q, s->n);
        }
        s->T[k * (s->most + 1)] = dot(q, next, s->n);
        if (k + 1 < s->most) {
            double* to = s->Q + (k + 1) * s->n;
            memcpy(to, next, s->n * sizeof *to);
            double length = straighten(s, to, k + 1);
            if (length > 1e-14 * trace) {
                s->T[k * s->most + k + 1] = s->T[(k + 1) * s->most + k] = length;
            } else { // all that these directions reach is found
                anyDirection(s, to, k + 1);
            }
        }
    }
}

// The strongest, one after the other
static void takeStrongest(const Search* s, int32_t most, snBakePrincipal* out)
{
    double first = 0;
    for (int32_t c = 0; c < most; ++c) {
        size_t best = 0;
        for (size_t k = 1; k < s->most; ++k) {
            best = s->T[k * (s->most + 1)] > s->T[best * (s->most + 1)] ? k : best;
        }
        double value = s->T[best * (s->most + 1)];
        first = c == 0 ? value : first;
        if (!(value > WEAKEST * WEAKEST * first)) {
            return;
        }
        s->T[best * (s->most + 1)] = -1; // taken
        double* v = out->weights + (size_t)out->count++ * s->n;
        for (size_t k = 0; k < s->most; ++k) {
            double y = s->Y[best * s->most + k];
            for (size_t i = 0; i < s->n; ++i) {
                v[i] += y * s->Q[k * s->n + i];
            }
        }
        for (size_t i = 0; i < s->n; ++i) {
            out->left[i] -= value * v[i] * v[i];
        }
    }
}

bool snBakeGram_Find(const snBakeGram* g, int32_t begin, int32_t end, int32_t most, snArena* arena,
                     snBakePrincipal* out)
{
    Search s = {.n = (size_t)(end - begin), .random = snRandom_Seed(1)};
    most = most < end - begin - 1 ? most : end - begin - 1; // the mean is one
    s.most = 2 * (size_t)most + EXTRA < s.n - 1 ? 2 * (size_t)most + EXTRA : s.n - 1;
    size_t room = s.n > s.most * s.most ? s.n : s.most * s.most;
    *out = (snBakePrincipal){0};
    out->weights = snArena_Push(arena, (size_t)most * s.n, sizeof *out->weights);
    out->left = snArena_Push(arena, s.n, sizeof *out->left);
    s.A = snArena_Push(arena, s.n * s.n, sizeof *s.A);
    s.Q = snArena_Push(arena, s.most * s.n, sizeof *s.Q);
    s.T = snArena_Push(arena, s.most * s.most, sizeof *s.T);
    s.Y = snArena_Push(arena, room, sizeof *s.Y);
    if (arena->failed) {
        return false;
    }
    takeProducts(g, begin, &s);
    for (size_t i = 0; i < s.n; ++i) {
        out->left[i] = s.A[i * (s.n + 1)];
    }
    if (most > 0) {
        findDirections(&s);
        snEigen_Find(s.T, s.Y, s.most);
        takeStrongest(&s, most, out);
    }
    return true;
}
