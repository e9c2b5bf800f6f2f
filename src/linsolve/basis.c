// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "linsolve/basis.h"

#include <string.h>

#include "linsolve/eigen.h"

// Partial sums of a product
#define LANES 16

// Numbers of a row in a task; a chunk of all rows stays in the second-level cache.
#define CHUNK 1024

// Rows weaker than this part of the strongest are rounding.
#define WEAKEST 1e-6

double snBasis_Dot(const float* a, const float* b, size_t count)
{
    double sums[LANES] = {0}, sum = 0;
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        for (size_t k = 0; k < LANES; ++k) {
            sums[k] += (double)a[i + k] * (double)b[i + k];
        }
    }
    for (; i < count; ++i) {
        sums[0] += (double)a[i] * (double)b[i];
    }
    for (size_t k = 0; k < LANES; ++k) {
        sum += sums[k];
    }
    return sum;
}

static int32_t roomOf(const snBasis* b)
{
    return b->wanted + SN_BASIS_EXTRA + SN_BASIS_BLOCK;
}

static size_t chunksOf(const snBasis* b)
{
    return (b->width + CHUNK - 1) / CHUNK;
}

bool snBasis_Build(snBasis* b, snArena* arena, snTasks* tasks, size_t width, int32_t wanted)
{
    *b = (snBasis){.tasks = tasks, .width = width, .wanted = wanted};
    size_t room = (size_t)roomOf(b);
    b->rows = snArena_Push(arena, room, sizeof *b->rows);
    for (size_t i = 0; i < room && b->rows; ++i) {
        b->rows[i] = snArena_Push(arena, width, sizeof(float));
    }
    b->gram = snArena_Push(arena, room * room, sizeof(double));
    b->vectors = snArena_Push(arena, room * room, sizeof(double));
    b->partial = snArena_Push(arena, chunksOf(b) * room * room, sizeof(double));
    return !arena->failed;
}

// Merging --------------------------------------------------------------------------

typedef struct Pass {
    snBasis* basis;
    int32_t kept;
    const int32_t* order; // eigenvectors, strongest first
} Pass;

static size_t rangeOf(const snBasis* b, int index)
{
    size_t left = b->width - (size_t)index * CHUNK;
    return left < CHUNK ? left : CHUNK;
}

static void gramTask(void* argument, int index, int worker)
{
    snBasis* b = argument;
    size_t n = (size_t)b->filled, begin = (size_t)index * CHUNK, count = rangeOf(b, index);
    double* out = b->partial + (size_t)index * n * n;
    (void)worker;
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j <= i; ++j) {
            out[i * n + j] = snBasis_Dot(b->rows[i] + begin, b->rows[j] + begin, count);
        }
    }
}

static void combineTask(void* argument, int index, int worker)
{
    const Pass* pass = argument;
    snBasis* b = pass->basis;
    size_t n = (size_t)b->filled, count = rangeOf(b, index), begin = (size_t)index * CHUNK;
    float made[64 + SN_BASIS_EXTRA][64];
    (void)worker;
    for (size_t at = 0; at < count; at += 64) {
        size_t some = count - at < 64 ? count - at : 64;
        for (int32_t k = 0; k < pass->kept; ++k) {
            const double* v = b->vectors + (size_t)pass->order[k] * n;
            double sums[64] = {0};
            for (size_t r = 0; r < n; ++r) {
                const float* row = b->rows[r] + begin + at;
                for (size_t i = 0; i < some; ++i) {
                    sums[i] += v[r] * (double)row[i];
                }
            }
            for (size_t i = 0; i < some; ++i) {
                made[k][i] = (float)sums[i];
            }
        }
        for (int32_t k = 0; k < pass->kept; ++k) {
            memcpy(b->rows[k] + begin + at, made[k], some * sizeof(float));
        }
    }
}

static void sumGram(snBasis* b)
{
    size_t n = (size_t)b->filled, chunks = chunksOf(b);
    memset(b->gram, 0, n * n * sizeof *b->gram);
    for (size_t c = 0; c < chunks; ++c) {
        for (size_t i = 0; i < n * n; ++i) {
            b->gram[i] += b->partial[c * n * n + i];
        }
    }
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = i + 1; j < n; ++j) {
            b->gram[i * n + j] = b->gram[j * n + i];
        }
    }
}

// The strongest rows of all that there are
static void merge(snBasis* b, int32_t most)
{
    int32_t order[64 + SN_BASIS_EXTRA + SN_BASIS_BLOCK] = {0}, n = b->filled;
    Pass pass = {b, 0, order};
    if (n == 0) {
        return;
    }
    snTasks_Run(b->tasks, (int)chunksOf(b), gramTask, b);
    sumGram(b);
    snEigen_Find(b->gram, b->vectors, (size_t)n);
    for (int32_t i = 0; i < n; ++i) { // by insertion: equal ones stay in their order
        int32_t at = i;
        for (; at > 0 && b->gram[order[at - 1] * (n + 1)] < b->gram[i * (n + 1)]; --at) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    double strongest = b->gram[order[0] * (n + 1)];
    while (pass.kept < n && pass.kept < most &&
           b->gram[order[pass.kept] * (n + 1)] > WEAKEST * WEAKEST * strongest) {
        ++pass.kept;
    }
    snTasks_Run(b->tasks, (int)chunksOf(b), combineTask, &pass);
    b->count = b->filled = pass.kept;
}

void snBasis_Add(snBasis* b, const float* frame)
{
    memcpy(b->rows[b->filled++], frame, b->width * sizeof *frame);
    if (b->filled == roomOf(b)) {
        merge(b, b->wanted + SN_BASIS_EXTRA);
    }
}

void snBasis_Finish(snBasis* b)
{
    merge(b, b->wanted);
}
