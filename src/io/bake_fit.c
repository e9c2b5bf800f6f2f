// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/bake_fit.h"

#include <math.h>
#include <string.h>

#include "io/basis.h"
#include "linsolve/dense.h"

// Numbers in a task
#define CHUNK 4096

// Weights of frames are told apart by this part of their largest.
#define RIDGE 1e-12

static snStatus failMemory(const snBaker* b)
{
    snFail(b->why, sn_errorMemory, "out of memory");
    return sn_errorMemory;
}

// Fitting --------------------------------------------------------------------------

static void dotTask(void* argument, int index, int worker)
{
    snBakeFit* f = argument;
    (void)worker;
    f->dots[index] = snBasis_Dot(f->shapes->position[index + 1], f->b->frame, snBaker_Half(f->b)) -
                     f->mean[index];
}

// Takes the shapes off positions, adds normals up
static void addTask(void* argument, int index, int worker)
{
    snBakeFit* f = argument;
    size_t half = snBaker_Half(f->b), begin = (size_t)index * CHUNK;
    size_t end = half - begin < CHUNK ? half : begin + CHUNK;
    float *x = f->b->frame, *n = f->b->frame + half;
    (void)worker;
    for (int32_t k = 0; k < f->shapes->count; ++k) {
        const float* s = f->shapes->position[k];
        float w = f->w[k];
        double* sums = f->normals + (size_t)k * half;
        for (size_t i = begin; i < end; ++i) {
            x[i] -= w * s[i];
            sums[i] += (double)w * (double)n[i];
        }
    }
}

snStatus snBakeFit_Start(snBakeFit* f, snBaker* b, snBakeShapes* shapes, snArena* arena)
{
    int32_t n = shapes->count - 1;
    size_t half = snBaker_Half(b);
    memset(f, 0, sizeof *f);
    f->b = b;
    f->shapes = shapes;
    f->normals = snArena_Push(arena, (size_t)shapes->count * half, sizeof(double));
    for (int32_t i = 0; i < n; ++i) {
        f->mean[i] = snBasis_Dot(shapes->position[i + 1], shapes->position[0], half);
        for (int32_t j = 0; j <= i; ++j) {
            f->L[i * n + j] = snBasis_Dot(shapes->position[i + 1], shapes->position[j + 1], half);
        }
    }
    if (!f->normals) {
        return failMemory(b);
    }
    return snCholesky_Factor(f->L, n)
               ? sn_ok
               : snFail(b->why, sn_errorNumeric, "shapes depend on each other");
}

static void fitFrame(snBakeFit* f, const snBakeClip* c, const snBakeSpan* span, int32_t i)
{
    snBaker* b = f->b;
    int32_t n = f->shapes->count;
    snTasks_Run(b->tasks, n - 1, dotTask, f);
    snCholesky_Solve(f->L, n - 1, f->dots);
    for (int32_t k = 0; k < n; ++k) {
        f->w[k] = k == 0 ? 1 : (float)f->dots[k - 1];
        span->weights[(size_t)(i - span->begin) * (size_t)n + (size_t)k] = f->w[k];
        for (int32_t j = 0; j <= k; ++j) {
            f->ww[k * n + j] += (double)f->w[k] * (double)f->w[j];
        }
    }
    snTasks_Run(b->tasks, (int)((snBaker_Half(b) + CHUNK - 1) / CHUNK), addTask, f);
    if (i == 0 && c->is_closed) { // it is the last frame, too; the frame's normals are done with
        float* left = b->frame + snBaker_Half(b);
        memcpy(left, b->frame, snBaker_Half(b) * sizeof *left);
        f->error = fmax(f->error, snBaker_Miss(b, c, c->made - 1, left, &f->sum));
    }
    f->error = fmax(f->error, snBaker_Miss(b, c, i, b->frame, &f->sum));
}

snStatus snBakeFit_Span(snBakeFit* f, const snBakeClip* c, snBakeSpan* span, double most,
                        snArena* arena)
{
    snBaker* b = f->b;
    size_t frames = (size_t)(span->end - span->begin);
    snStatus status = sn_ok;
    span->shapes = f->shapes;
    span->weights = snArena_Push(arena, frames * (size_t)f->shapes->count, sizeof(float));
    if (!span->weights) {
        return failMemory(b);
    }
    for (int32_t i = span->begin; i < span->end && !status && f->error <= most; ++i) {
        status = snBaker_Frame(b, c, i);
        if (!status) {
            fitFrame(f, c, span, i);
        }
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

// Mean and principal shapes --------------------------------------------------------

// Frames that get shapes
typedef struct Frames {
    snBaker* b;
    snArena scratch;
    double* sum;   // of positions; (moving_count, 3)
    int64_t count; // in it
    float* mean;   // of them, NULL while they are summed up
    snBasis basis; // of what is left without it
} Frames;

// One pass over frames begin .. end - 1 of a clip
static snStatus addFrames(Frames* f, const snBakeClip* c, int32_t begin, int32_t end)
{
    snBaker* b = f->b;
    size_t half = snBaker_Half(b);
    snStatus status = snBaker_BeginClip(b, c);
    for (int32_t i = begin; i < end && !status; ++i) {
        status = snBaker_Frame(b, c, i);
        if (status) {
            break;
        }
        for (size_t k = 0; k < half; ++k) {
            if (f->mean) {
                b->frame[k] -= f->mean[k];
            } else {
                f->sum[k] += (double)b->frame[k];
            }
        }
        if (f->mean) {
            snBasis_Add(&f->basis, b->frame);
        } else {
            ++f->count;
        }
    }
    return status;
}

static snStatus startFrames(Frames* f, snBaker* b, int32_t shapes)
{
    *f = (Frames){.b = b};
    snArena_Init(&f->scratch, &b->host);
    f->sum = snArena_Push(&f->scratch, snBaker_Half(b), sizeof *f->sum);
    return snBasis_Make(&f->basis, &f->scratch, b->tasks, snBaker_Half(b), shapes - 1)
               ? sn_ok
               : failMemory(b);
}

// After the first pass
static snStatus findMean(Frames* f)
{
    f->mean = snArena_Push(&f->scratch, snBaker_Half(f->b), sizeof *f->mean);
    for (size_t k = 0; k < snBaker_Half(f->b) && f->mean && f->count > 0; ++k) {
        f->mean[k] = (float)(f->sum[k] / (double)f->count);
    }
    return f->mean ? sn_ok : failMemory(f->b);
}

// After the second one
static snStatus keepShapes(Frames* f, snBakeShapes* out, snArena* arena)
{
    size_t half = snBaker_Half(f->b);
    snBasis_Finish(&f->basis);
    *out = (snBakeShapes){.count = f->basis.count + 1};
    out->position = snArena_Push(arena, (size_t)out->count, sizeof(float*));
    out->normal = snArena_Push(arena, (size_t)out->count, sizeof(float*));
    for (int32_t k = 0; k < out->count && !arena->failed; ++k) {
        out->position[k] = snArena_Push(arena, half, sizeof(float));
        out->normal[k] = snArena_Push(arena, half, sizeof(float));
        if (!arena->failed) {
            memcpy(out->position[k], k == 0 ? f->mean : f->basis.rows[k - 1], half * sizeof(float));
        }
    }
    return arena->failed ? failMemory(f->b) : sn_ok;
}

snStatus snBaker_FindShared(snBaker* b)
{
    Frames f;
    snStatus status = startFrames(&f, b, b->def->shapes);
    for (int pass = 0; pass < 2 && !status; ++pass) {
        for (int32_t n = 0; n < b->clip_count && !status; ++n) {
            status = addFrames(&f, &b->clips[n], 0, snBakeClip_Count(&b->clips[n]));
        }
        if (pass == 0 && !status) {
            status = findMean(&f);
        }
    }
    status = status ? status : keepShapes(&f, &b->shared, &b->arena);
    snArena_Free(&f.scratch);
    return status;
}

snStatus snBaker_FindShapes(snBaker* b, const snBakeClip* c, const snBakeSpan* span, int32_t most,
                            snBakeShapes* out, snArena* arena)
{
    Frames f;
    snStatus status = startFrames(&f, b, most);
    status = status ? status : addFrames(&f, c, span->begin, span->end);
    status = status ? status : findMean(&f);
    status = status ? status : addFrames(&f, c, span->begin, span->end);
    status = status ? status : keepShapes(&f, out, arena);
    snArena_Free(&f.scratch);
    return status;
}
