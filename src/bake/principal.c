// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Mean and principal shapes of frames, and their weights.
#include <stdlib.h>
#include <string.h>

#include "bake/fit.h"
#include "linsolve/basis.h"
#include "linsolve/dense.h"

// Numbers of shapes in a task, and at a time
#define CHUNK 1024
#define BLOCK 64

// Frames that are summed up as floats
#define GROUP 8

// Frames that get weights at a time
#define BATCH 16

static snStatus failMemory(const snBaker* b)
{
    snFail(b->why, sn_errorMemory, "out of memory");
    return sn_errorMemory;
}

// Memory for shapes
static snStatus makeShapes(const snBaker* b, int32_t count, snBakeShapes* out, snArena* arena)
{
    size_t half = snBaker_Half(b);
    *out = (snBakeShapes){.count = count};
    out->position = snArena_Push(arena, (size_t)count, sizeof(float*));
    out->normal = snArena_Push(arena, (size_t)count, sizeof(float*));
    for (int32_t k = 0; k < count && !arena->failed; ++k) {
        out->position[k] = snArena_Push(arena, half, sizeof(float));
        out->normal[k] = snArena_Push(arena, half, sizeof(float));
    }
    return arena->failed ? failMemory(b) : sn_ok;
}

// All clips ------------------------------------------------------------------------

// b->sum becomes the mean, b->frame, too
static void findMean(snBaker* b)
{
    int64_t count = 0;
    for (int32_t n = 0; n < b->clip_count; ++n) {
        count += snBakeClip_Count(&b->clips[n]);
    }
    for (size_t k = 0; k < snBaker_Half(b); ++k) {
        b->sum[k] = count > 0 ? (double)(float)(b->sum[k] / (double)count) : 0;
    }
}

static snStatus addClip(snBaker* b, const snBakeClip* c, snBasis* basis)
{
    snStatus status = sn_ok;
    for (int32_t i = 0; i < snBakeClip_Count(c) && !status; ++i) {
        const float* x;
        status = snBaker_Row(b, c, i, &x);
        for (size_t k = 0; k < snBaker_Half(b); ++k) {
            b->frame[k] = x[k] - (float)b->sum[k];
        }
        snBasis_Add(basis, b->frame);
        status = !status && snBaker_IsStopped(b) ? sn_errorInterrupted : status;
    }
    return status;
}

snStatus snBaker_FindShared(snBaker* b)
{
    snArena scratch;
    snBasis basis;
    size_t half = snBaker_Half(b);
    snArena_Init(&scratch, &b->host);
    findMean(b);
    snStatus status =
        snBasis_Build(&basis, &scratch, b->tasks, half, b->def->shapes - 1) ? sn_ok : failMemory(b);
    for (int32_t n = 0; n < b->clip_count && !status; ++n) {
        status = addClip(b, &b->clips[n], &basis);
    }
    if (!status) {
        snBasis_Finish(&basis);
        status = makeShapes(b, basis.count + 1, &b->shared, &b->arena);
    }
    for (int32_t k = 1; k < b->shared.count && !status; ++k) {
        memcpy(b->shared.position[k], basis.rows[k - 1], half * sizeof(float));
    }
    for (size_t k = 0; k < half && !status; ++k) {
        b->shared.position[0][k] = (float)b->sum[k];
    }
    snArena_Free(&scratch);
    return status;
}

// Their weights --------------------------------------------------------------------

typedef struct Weigh {
    const snBakeShapes* shapes;
    size_t half;
    double L[SN_BAKE_SPAN_MOST * SN_BAKE_SPAN_MOST]; // of s s', without the mean
    double mean[SN_BAKE_SPAN_MOST];                  // s c
    const float* rows[BATCH];
    float* weights; // of the batch
} Weigh;

static bool startWeigh(Weigh* w, const snBakeShapes* shapes, size_t half)
{
    int32_t n = shapes->count - 1;
    w->shapes = shapes;
    w->half = half;
    for (int32_t i = 0; i < n; ++i) {
        w->mean[i] = snBasis_Dot(shapes->position[i + 1], shapes->position[0], half);
        for (int32_t j = 0; j <= i; ++j) {
            w->L[i * n + j] = snBasis_Dot(shapes->position[i + 1], shapes->position[j + 1], half);
        }
    }
    return snCholesky_Factor(w->L, n);
}

static void weighTask(void* argument, int index, int worker)
{
    const Weigh* w = argument;
    int32_t n = w->shapes->count - 1;
    double dots[SN_BAKE_SPAN_MOST];
    float* out = w->weights + (size_t)index * (size_t)w->shapes->count;
    (void)worker;
    for (int32_t k = 0; k < n; ++k) {
        dots[k] = snBasis_Dot(w->shapes->position[k + 1], w->rows[index], w->half) - w->mean[k];
    }
    snCholesky_Solve(w->L, n, dots);
    out[0] = 1;
    for (int32_t k = 0; k < n; ++k) {
        out[k + 1] = (float)dots[k];
    }
}

snStatus snBaker_Weigh(snBaker* b, const snBakeClip* c, snBakeSpan* span, snArena* arena)
{
    int32_t count = span->end - span->begin, n = b->shared.count;
    Weigh* w = snArena_Push(arena, 1, sizeof *w);
    span->shapes = &b->shared;
    span->weights = snArena_Push(arena, (size_t)count * (size_t)n, sizeof *span->weights);
    if (arena->failed) {
        return failMemory(b);
    }
    if (!startWeigh(w, &b->shared, snBaker_Half(b))) {
        return snFail(b->why, sn_errorNumeric, "shapes depend on each other");
    }
    for (int32_t first = 0; first < count; first += BATCH) {
        int32_t some = count - first < BATCH ? count - first : BATCH;
        for (int32_t k = 0; k < some; ++k) {
            snStatus status = snBaker_Row(b, c, span->begin + first + k, &w->rows[k]);
            if (status) {
                return status;
            }
        }
        w->weights = span->weights + (size_t)first * (size_t)n;
        snTasks_Run(b->tasks, some, weighTask, w);
    }
    return sn_ok;
}

// A span ---------------------------------------------------------------------------

typedef struct Combine {
    const float* const* rows; // of the span; (n)
    int32_t n;
    size_t half;
    const snBakeSpan* span;
} Combine;

// Sums of frames times the weights of a shape, of some numbers from `at` on
static void combine(const Combine* c, int32_t shape, size_t at, size_t count, double* sums)
{
    size_t all = (size_t)c->span->shapes->count;
    memset(sums, 0, count * sizeof *sums);
    for (int32_t first = 0; first < c->n; first += GROUP) {
        float group[BLOCK] = {0};
        for (int32_t i = first; i < c->n && i < first + GROUP; ++i) {
            const float *x = c->rows[i] + at, w = c->span->weights[(size_t)i * all + (size_t)shape];
            for (size_t k = 0; k < count; ++k) {
                group[k] += w * x[k];
            }
        }
        for (size_t k = 0; k < count; ++k) {
            sums[k] += (double)group[k];
        }
    }
}

static void combineTask(void* argument, int index, int worker)
{
    const Combine* c = argument;
    const snBakeShapes* shapes = c->span->shapes;
    size_t begin = (size_t)index * CHUNK, end = c->half - begin < CHUNK ? c->half : begin + CHUNK;
    double sums[BLOCK];
    (void)worker;
    for (size_t at = begin; at < end; at += BLOCK) {
        size_t count = end - at < BLOCK ? end - at : BLOCK;
        for (int32_t k = 0; k < shapes->count; ++k) {
            combine(c, k, at, count, sums);
            for (size_t i = 0; i < count; ++i) {
                shapes->position[k][at + i] = (float)(sums[i] / (k == 0 ? c->n : 1));
            }
        }
    }
}

// Frames of a span with what is left of them
typedef struct Left {
    double square;
    int32_t frame;
} Left;

static int falling(const void* a, const void* b)
{
    const Left *x = a, *y = b;
    int by = (x->square < y->square) - (x->square > y->square);
    return by ? by : x->frame - y->frame;
}

static bool sortFrames(const snBakeSpan* span, const double* left, snArena* arena, int32_t** order)
{
    int32_t n = span->end - span->begin;
    Left* list = snArena_Push(arena, (size_t)n, sizeof *list);
    *order = snArena_Push(arena, (size_t)n, sizeof **order);
    for (int32_t i = 0; i < n && !arena->failed; ++i) {
        list[i] = (Left){left[i], span->begin + i};
    }
    if (!arena->failed) {
        qsort(list, (size_t)n, sizeof *list, falling);
    }
    for (int32_t i = 0; i < n && !arena->failed; ++i) {
        (*order)[i] = list[i].frame;
    }
    return !arena->failed;
}

// Weights of the mean are 1, those of other shapes the eigenvectors.
static bool keepWeights(snBakeSpan* span, const snBakePrincipal* principal, snArena* arena)
{
    size_t n = (size_t)(span->end - span->begin), count = (size_t)principal->count + 1;
    span->weights = snArena_Push(arena, n * count, sizeof *span->weights);
    for (size_t i = 0; i < n && span->weights; ++i) {
        for (size_t k = 0; k < count; ++k) {
            span->weights[i * count + k] = k == 0 ? 1 : (float)principal->weights[(k - 1) * n + i];
        }
    }
    return span->weights != NULL;
}

static snStatus addFrames(snBaker* b, const snBakeClip* c, const snBakeSpan* span, snBakeGram* gram)
{
    for (int32_t i = span->begin; i < span->end; ++i) {
        snStatus status = snBaker_Row(b, c, i, &gram->rows[i]);
        if (status) {
            return status;
        }
    }
    snBakeGram_Add(gram, span->begin, span->end);
    return sn_ok;
}

snStatus snBaker_FindShapes(snBaker* b, const snBakeClip* c, snBakeSpan* span, int32_t most,
                            snBakeGram* gram, snArena* arena, int32_t** order)
{
    snArena scratch;
    snBakePrincipal principal;
    size_t half = snBaker_Half(b);
    snArena_Init(&scratch, &b->host);
    span->shapes = snArena_Push(arena, 1, sizeof *span->shapes);
    snStatus status = span->shapes ? addFrames(b, c, span, gram) : failMemory(b);
    if (!status &&
        !(snBakeGram_Find(gram, span->begin, span->end, most - 1, &scratch, &principal) &&
          keepWeights(span, &principal, arena) &&
          (!order || sortFrames(span, principal.left, arena, order)))) {
        status = failMemory(b);
    }
    status = status ? status : makeShapes(b, principal.count + 1, span->shapes, arena);
    if (!status) {
        Combine task = {gram->rows + span->begin, span->end - span->begin, half, span};
        snTasks_Run(b->tasks, (int)((half + CHUNK - 1) / CHUNK), combineTask, &task);
    }
    snArena_Free(&scratch);
    return status;
}
