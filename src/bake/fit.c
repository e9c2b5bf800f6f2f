// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Errors and normals of shapes.
#include "bake/fit.h"

#include <math.h>
#include <string.h>

#include "linsolve/dense.h"

// Numbers in a task
#define CHUNK 4096

// Vertices whose differences are made at a time
#define BLOCK 64

// Frames that are judged at a time; the same for any number of threads
#define BATCH 16

// Weights of frames are told apart by this part of their largest.
#define RIDGE 1e-12

static snStatus failMemory(const snBaker* b)
{
    snFail(b->why, sn_errorMemory, "out of memory");
    return sn_errorMemory;
}

// x less what shapes show of it, of some numbers from `at` on
static void leave(const snBakeShapes* shapes, const float* w, const float* x, size_t at,
                  size_t count, float* left)
{
    for (size_t i = 0; i < count; ++i) {
        left[i] = x[at + i];
    }
    for (int32_t k = 0; k < shapes->count; ++k) {
        const float* s = shapes->position[k] + at;
        for (size_t i = 0; i < count; ++i) {
            left[i] -= w[k] * s[i];
        }
    }
}

static const float* weightsOf(const snBakeSpan* span, int32_t i)
{
    return span->weights + (size_t)(i - span->begin) * (size_t)span->shapes->count;
}

// Judging --------------------------------------------------------------------------

typedef struct Judge {
    const snBaker* b;
    const snBakeClip* c;
    const snBakeSpan* span;
    int32_t frames[BATCH];
    const float* rows[BATCH];
    double most[BATCH]; // from above, m
} Judge;

// The largest distance, m, squared, if the pose made no length longer
static float farthest(const snBaker* b, const snBakeShapes* shapes, const float* w, const float* x,
                      float part, const float* seam)
{
    size_t half = snBaker_Half(b);
    float left[3 * BLOCK], most = 0;
    for (size_t at = 0; at < half; at += 3 * BLOCK) {
        size_t count = half - at < 3 * BLOCK ? half - at : 3 * BLOCK;
        leave(shapes, w, x, at, count, left);
        for (size_t i = 0; part > 0 && i < count; ++i) {
            left[i] += part * seam[at + i];
        }
        for (size_t v = 0; v < count / 3; ++v) {
            const float* d = left + 3 * v;
            float square = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) * b->inverse[at / 3 + v];
            most = square > most ? square : most;
        }
    }
    return most;
}

static void judgeTask(void* argument, int index, int worker)
{
    Judge* j = argument;
    const snBakeClip* c = j->c;
    int32_t i = j->frames[index];
    const float *w = weightsOf(j->span, i), *x = j->rows[index];
    const snBakeShapes* shapes = j->span->shapes;
    (void)worker;
    double square = (double)farthest(j->b, shapes, w, x, snBakeClip_Closing(c, i), c->seam);
    j->most[index] = (double)c->stretch[i] * sqrt(square);
    if (i == 0 && c->is_closed) { // it is the last frame, too
        square = (double)farthest(j->b, shapes, w, x, 1, c->seam);
        j->most[index] = fmax(j->most[index], (double)c->stretch[c->made - 1] * sqrt(square));
    }
}

// A frame in the surface's pose
static double missOf(snBaker* b, const snBakeClip* c, const snBakeSpan* span, int32_t i,
                     int32_t posed, const float* x, double* sum)
{
    leave(span->shapes, weightsOf(span, i), x, 0, snBaker_Half(b), b->frame);
    return snBaker_Miss(b, c, posed, b->frame, sum);
}

static double exactly(snBaker* b, const snBakeClip* c, const snBakeSpan* span, int32_t i,
                      const float* x)
{
    double sum = 0, error = 0;
    if (i == 0 && c->is_closed) {
        snBaker_Pose(b, c, c->made - 1);
        error = missOf(b, c, span, i, c->made - 1, x, &sum);
    }
    snBaker_Pose(b, c, i);
    return fmax(error, missOf(b, c, span, i, i, x, &sum));
}

snStatus snBaker_Judge(snBaker* b, const snBakeClip* c, const snBakeSpan* span,
                       const int32_t* order, double limit, double* error)
{
    int32_t count = span->end - span->begin;
    Judge judge = {.b = b, .c = c, .span = span};
    *error = 0;
    for (int32_t first = 0; first < count && !(order && *error > limit); first += BATCH) {
        int32_t some = count - first < BATCH ? count - first : BATCH;
        for (int32_t k = 0; k < some; ++k) {
            judge.frames[k] = order ? order[first + k] : span->begin + first + k;
            snStatus status = snBaker_Row(b, c, judge.frames[k], &judge.rows[k]);
            if (status) {
                return status;
            }
        }
        snTasks_Run(b->tasks, some, judgeTask, &judge);
        for (int32_t k = 0; k < some && !(order && *error > limit); ++k) {
            double most = judge.most[k];
            if (most > limit && *error <= limit) {
                most = exactly(b, c, span, judge.frames[k], judge.rows[k]);
            }
            *error = fmax(*error, most);
        }
    }
    return snBaker_IsStopped(b) ? sn_errorInterrupted : sn_ok;
}

// The end --------------------------------------------------------------------------

// Adds normals up
static void addTask(void* argument, int index, int worker)
{
    snBakeFit* f = argument;
    size_t half = snBaker_Half(f->b), begin = (size_t)index * CHUNK;
    size_t end = half - begin < CHUNK ? half : begin + CHUNK;
    const float* n = f->b->normals;
    (void)worker;
    for (int32_t k = 0; k < f->shapes->count; ++k) {
        double w = (double)f->w[k], *sums = f->normals + (size_t)k * half;
        for (size_t i = begin; i < end; ++i) {
            sums[i] += w * (double)n[i];
        }
    }
}

snStatus snBakeFit_Start(snBakeFit* f, snBaker* b, snBakeShapes* shapes, snArena* arena)
{
    memset(f, 0, sizeof *f);
    f->b = b;
    f->shapes = shapes;
    f->normals = snArena_Push(arena, (size_t)shapes->count * snBaker_Half(b), sizeof(double));
    return f->normals ? sn_ok : failMemory(b);
}

static snStatus addFrame(snBakeFit* f, const snBakeClip* c, const snBakeSpan* span, int32_t i)
{
    snBaker* b = f->b;
    int32_t n = f->shapes->count;
    snStatus status = snBaker_Row(b, c, i, &f->x);
    status = status ? status : snBaker_Normals(b, c, i);
    if (status) {
        return status;
    }
    f->w = weightsOf(span, i);
    for (int32_t k = 0; k < n; ++k) {
        for (int32_t j = 0; j <= k; ++j) {
            f->ww[k * n + j] += (double)f->w[k] * (double)f->w[j];
        }
    }
    snTasks_Run(b->tasks, (int)((snBaker_Half(b) + CHUNK - 1) / CHUNK), addTask, f);
    f->error = fmax(f->error, missOf(b, c, span, i, i, f->x, &f->sum));
    if (i == 0 && c->is_closed) { // it is the last frame, too
        snBaker_Pose(b, c, c->made - 1);
        f->error = fmax(f->error, missOf(b, c, span, i, c->made - 1, f->x, &f->sum));
    }
    return sn_ok;
}

snStatus snBakeFit_Span(snBakeFit* f, const snBakeClip* c, const snBakeSpan* span)
{
    snStatus status = sn_ok;
    for (int32_t i = span->begin; i < span->end && !status; ++i) {
        snBaker_Tell(f->b, "normals", c);
        status = addFrame(f, c, span, i);
        ++f->b->done;
    }
    return status;
}

void snBakeFit_Normals(snBakeFit* f)
{
    int32_t n = f->shapes->count;
    size_t half = snBaker_Half(f->b);
    double most = 0, column[SN_BAKE_SPAN_MOST];
    for (int32_t k = 0; k < n; ++k) {
        most = fmax(most, f->ww[k * n + k]);
    }
    for (int32_t k = 0; k < n; ++k) {
        f->ww[k * n + k] += RIDGE * most + 1e-300;
    }
    if (!snCholesky_Factor(f->ww, n)) {
        return; // nothing shows them
    }
    for (size_t i = 0; i < half; ++i) {
        for (int32_t k = 0; k < n; ++k) {
            column[k] = f->normals[(size_t)k * half + i];
        }
        snCholesky_Solve(f->ww, n, column);
        for (int32_t k = 0; k < n; ++k) {
            f->shapes->normal[k][i] = (float)column[k];
        }
    }
}
