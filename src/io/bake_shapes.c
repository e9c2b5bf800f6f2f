// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Shapes of a bake: the mean of all frames, and the principal shapes of what they differ from it
// by. All clips share them. A clip that they miss by too much gets its own; if these still do, the
// clip is cut into spans of time, each with half as many, until its error is small enough or shapes
// are too many; the clip that misses most comes first. Between two spans both are active, so there
// are never more at a time than were asked for. With the shapes s of a span and their mean c, the
// weights of a frame x are those of least squares, and so are the shapes' normals over the weights
// of all frames, the mean's 1:
//
//   w = (s s')^-1 s (x - c),   normals = (sum w w')^-1 sum w n'
//
// In the end weights are moved into 0..1, which is all that Blender and most engines let a weight
// be: what the least weights did goes into the mean.
#include <math.h>
#include <string.h>

#include "io/baker.h"
#include "io/basis.h"
#include "linsolve/dense.h"

// Numbers in a task
#define CHUNK 4096

#define MOST 64 // shapes of a span

// Weights of frames are told apart by this part of their largest.
#define RIDGE 1e-12

// Other shapes are taken when they miss by less than this part.
#define BETTER 0.9

static snStatus failMemory(const snBaker* b)
{
    snFail(b->why, sn_errorMemory, "out of memory");
    return sn_errorMemory;
}

// Fitting --------------------------------------------------------------------------

// Spans with the same shapes
typedef struct Fit {
    snBaker* b;
    snBakeShapes* shapes;
    double error, sum;      // largest, m; sum of squares, m^2
    double L[MOST * MOST];  // of s s', without the mean
    double mean[MOST];      // s c
    double ww[MOST * MOST]; // sum w w'
    double* normals;        // sum w n'; (count, moving_count, 3)
    // the frame
    double dots[MOST];
    float w[MOST];
} Fit;

static void dotTask(void* argument, int index, int worker)
{
    Fit* f = argument;
    (void)worker;
    f->dots[index] = snBasis_Dot(f->shapes->position[index + 1], f->b->frame, snBaker_Half(f->b)) -
                     f->mean[index];
}

// Takes the shapes off positions, adds normals up
static void addTask(void* argument, int index, int worker)
{
    Fit* f = argument;
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

static snStatus startFit(Fit* f, snBaker* b, snBakeShapes* shapes, snArena* arena)
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

static void fitFrame(Fit* f, const snBakeClip* c, const snBakeSpan* span, int32_t i)
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

// Weights of a span, which are allocated. snBaker_BeginClip was called.
static snStatus fitSpan(Fit* f, const snBakeClip* c, snBakeSpan* span, snArena* arena)
{
    snBaker* b = f->b;
    size_t frames = (size_t)(span->end - span->begin);
    snStatus status = sn_ok;
    span->shapes = f->shapes;
    span->weights = snArena_Push(arena, frames * (size_t)f->shapes->count, sizeof(float));
    if (!span->weights) {
        return failMemory(b);
    }
    for (int32_t i = span->begin; i < span->end && !status; ++i) {
        status = snBaker_Frame(b, c, i);
        if (!status) {
            fitFrame(f, c, span, i);
        }
    }
    return status;
}

// Normals of shapes by what was summed up
static void solveNormals(Fit* f)
{
    int32_t n = f->shapes->count;
    size_t half = snBaker_Half(f->b);
    double most = 0, column[MOST];
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

static snStatus findShared(snBaker* b)
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

static snStatus findShapes(snBaker* b, const snBakeClip* c, const snBakeSpan* span, int32_t most,
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

// Clips ----------------------------------------------------------------------------

// A clip in spans of its own
typedef struct Own {
    snArena arena; // everything below
    int32_t span_count;
    snBakeSpan* spans;
    int32_t shape_count;
    double error, sum;
} Own;

static snStatus fitOwnSpan(snBaker* b, const snBakeClip* c, Own* own, snBakeSpan* span,
                           int32_t most)
{
    snArena scratch;
    snArena_Init(&scratch, &b->host);
    Fit* f = snArena_Push(&scratch, 1, sizeof *f);
    snBakeShapes* shapes = snArena_Push(&own->arena, 1, sizeof *shapes);
    snStatus status =
        f && shapes ? findShapes(b, c, span, most, shapes, &own->arena) : failMemory(b);
    status = status ? status : startFit(f, b, shapes, &scratch);
    status = status ? status : fitSpan(f, c, span, &own->arena);
    if (!status) {
        solveNormals(f);
        own->shape_count += shapes->count;
        own->error = fmax(own->error, f->error);
        own->sum += f->sum;
    }
    snArena_Free(&scratch);
    return status;
}

// Into `count` spans, each with `most` shapes
static snStatus fitOwn(snBaker* b, const snBakeClip* c, int32_t count, int32_t most, Own* own)
{
    int64_t frames = snBakeClip_Count(c);
    *own = (Own){.span_count = count};
    snArena_Init(&own->arena, &b->host);
    own->spans = snArena_Push(&own->arena, (size_t)count, sizeof *own->spans);
    snStatus status = own->spans ? sn_ok : failMemory(b);
    for (int64_t k = 0; k < count && !status; ++k) {
        own->spans[k].begin = (int32_t)(k * frames / count);
        own->spans[k].end = (int32_t)((k + 1) * frames / count);
        status = fitOwnSpan(b, c, own, &own->spans[k], most);
    }
    return status;
}

// The error that is small enough
static double limitOf(const snBaker* b, const snBakeClip* c)
{
    double size = b->body->made.size;
    return fmax(SN_BAKE_UNSEEN * size,
                fmin(SN_BAKE_ERROR * size, SN_BAKE_PART * c->facts->largest));
}

// What a clip is made of, while that is looked for
typedef struct Search {
    double error;  // of the best so far, m
    double limit;  // that is small enough, m
    int32_t tried; // spans; 0 = the shared shapes
    bool done;     // more spans would be too many
    Own own;       // its spans are NULL while the shared shapes are best
} Search;

static int32_t spansAfter(const snBaker* b, int32_t spans)
{
    return spans == 0 ? (b->clip_count > 1 ? 1 : 3) : spans < 3 ? 3 : spans + (spans + 1) / 2;
}

// Tries more spans for a clip. *left: shapes that nobody has
static snStatus searchOn(snBaker* b, const snBakeClip* c, Search* s, int32_t* left)
{
    int32_t half = b->def->shapes / 2, spans = spansAfter(b, s->tried);
    int32_t most = half > 1 ? (snBakeClip_Count(c) + half - 1) / half : 1; // then they miss nothing
    spans = spans < most ? spans : most;
    s->done = spans <= s->tried || (spans > 1 && spans * half > *left + s->own.shape_count);
    if (s->done) {
        return sn_ok;
    }
    Own own;
    snStatus status = fitOwn(b, c, spans, spans == 1 ? b->def->shapes : half, &own);
    s->tried = spans;
    if (status || !(own.error < BETTER * s->error)) {
        snArena_Free(&own.arena);
        return status;
    }
    *left += s->own.shape_count - own.shape_count;
    snArena_Free(&s->own.arena);
    s->own = own;
    s->error = own.error;
    return sn_ok;
}

// Shapes go where they are needed most, until all clips are good enough or no more shapes are left.
static snStatus searchAll(snBaker* b, Search* searches)
{
    int32_t left = SN_BAKE_MOST_SHAPES - b->shared.count;
    for (snStatus status = sn_ok;;) {
        int32_t worst = -1;
        for (int32_t i = 0; i < b->clip_count; ++i) {
            const Search *s = &searches[i], *w = worst < 0 ? NULL : &searches[worst];
            if (!s->done && s->error > s->limit &&
                (!w || s->error * w->limit > w->error * s->limit)) {
                worst = i;
            }
        }
        if (worst < 0 || status) {
            return status;
        }
        status = searchOn(b, &b->clips[worst], &searches[worst], &left);
    }
}

static void report(snBaker* b, const snBakeClip* c, double error, double sum)
{
    double places = (double)b->surface->moving_count * c->made;
    c->facts->error = error;
    c->facts->error_rms = places > 0 ? sqrt(sum / places) : 0;
}

// With the shared shapes. f adds up what was fitted before.
static snStatus fitShared(Fit* f, snBakeClip* c, snArena* arena)
{
    c->spans = snArena_Push(arena, 1, sizeof *c->spans);
    if (!c->spans) {
        return failMemory(f->b);
    }
    c->span_count = 1;
    *c->spans = (snBakeSpan){.end = snBakeClip_Count(c)};
    f->error = f->sum = 0;
    snStatus status = snBaker_BeginClip(f->b, c);
    return status ? status : fitSpan(f, c, c->spans, arena);
}

// Takes what was found: own shapes, or the shared ones, whose normals come of all clips that do.
static snStatus takeFound(snBaker* b, Search* searches, Fit* f)
{
    snStatus status = sn_ok;
    for (int32_t i = 0; i < b->clip_count && !status; ++i) {
        snBakeClip* c = &b->clips[i];
        const Own* own = &searches[i].own;
        if (own->spans) {
            c->own = own->arena;
            c->spans = own->spans;
            c->span_count = own->span_count;
            report(b, c, own->error, own->sum);
            searches[i].own = (Own){0};
        } else if (c->made > 0) {
            status = fitShared(f, c, &b->arena);
            report(b, c, f->error, f->sum);
        }
        if (c->facts->error >= c->facts->largest) { // what stands almost still would move: none
            c->span_count = 0;
            c->facts->error = c->facts->largest;
            c->facts->error_rms = fmin(c->facts->error_rms, c->facts->largest);
        }
    }
    if (!status) {
        solveNormals(f);
    }
    return status;
}

static snStatus fitClips(snBaker* b)
{
    snArena scratch;
    snArena_Init(&scratch, &b->host);
    Fit* f = snArena_Push(&scratch, 1, sizeof *f);
    Search* searches = snArena_Push(&scratch, (size_t)b->clip_count, sizeof *searches);
    snStatus status = scratch.failed ? failMemory(b) : startFit(f, b, &b->shared, &scratch);
    for (int32_t i = 0; i < b->clip_count && !status; ++i) {
        snBakeClip* c = &b->clips[i];
        status = c->made > 0 ? fitShared(f, c, &scratch) : sn_ok;
        searches[i] = (Search){.error = c->made > 0 ? f->error : 0, .limit = limitOf(b, c)};
    }
    status = status ? status : searchAll(b, searches);
    status = status ? status : startFit(f, b, &b->shared, &scratch);
    status = status ? status : takeFound(b, searches, f);
    for (int32_t i = 0; i < b->clip_count && searches; ++i) {
        snArena_Free(&searches[i].own.arena);
    }
    snArena_Free(&scratch);
    return status;
}

// The end --------------------------------------------------------------------------

// Smallest and largest weight of a shape
typedef struct Range {
    float low, high;
} Range;

static void widen(Range* range, const float* weight)
{
    range->low = fminf(range->low, *weight);
    range->high = fmaxf(range->high, *weight);
}

static void moveInto(const Range* range, float* weight)
{
    float width = range->high - range->low;
    *weight = width > 0 ? (*weight - range->low) / width : 0;
}

// Finds the range of all weights of a shape, or moves them all from it into 0..1
static void visitWeights(const snBaker* b, const snBakeShapes* s, int32_t k, Range* range,
                         bool move)
{
    for (int32_t n = 0; n < b->clip_count; ++n) {
        for (int32_t j = 0; j < b->clips[n].span_count; ++j) {
            const snBakeSpan* span = &b->clips[n].spans[j];
            for (int32_t i = 0; span->shapes == s && i < span->end - span->begin; ++i) {
                float* weight = &span->weights[(size_t)i * (size_t)s->count + (size_t)k];
                if (move) {
                    moveInto(range, weight);
                } else {
                    widen(range, weight);
                }
            }
        }
    }
}

// The shape grows by the range of its weights, and what the least one did goes into the mean.
static void scaleShape(const snBaker* b, const snBakeShapes* s, int32_t k)
{
    Range range = {INFINITY, -INFINITY};
    visitWeights(b, s, k, &range, false);
    visitWeights(b, s, k, &range, true);
    for (size_t i = 0; i < snBaker_Half(b); ++i) {
        s->position[0][i] += range.low * s->position[k][i];
        s->normal[0][i] += range.low * s->normal[k][i];
        s->position[k][i] *= range.high - range.low;
        s->normal[k][i] *= range.high - range.low;
    }
}

static void finishShapes(snBaker* b, snBakeShapes* s)
{
    Range range = {INFINITY, -INFINITY};
    visitWeights(b, s, 0, &range, false);
    s->count = range.high > 0 ? s->count : 0; // nobody uses the shared ones
    s->first = b->shape_count;
    b->shape_count += s->count;
    for (int32_t k = 1; k < s->count; ++k) {
        scaleShape(b, s, k);
    }
}

// Numbers shapes, and counts those that are active at a time: between spans those of both
static void finish(snBaker* b)
{
    b->shape_count = 0;
    finishShapes(b, &b->shared);
    for (int32_t i = 0; i < b->clip_count; ++i) {
        const snBakeClip* c = &b->clips[i];
        for (int32_t k = 0; k < c->span_count; ++k) {
            const snBakeSpan *span = &c->spans[k], *next = &c->spans[(k + 1) % c->span_count];
            int32_t active = span->shapes->count;
            if (span->shapes != &b->shared) {
                finishShapes(b, span->shapes);
            }
            active +=
                next != span && (k + 1 < c->span_count || c->is_closed) ? next->shapes->count : 0;
            b->report->active_most =
                active > b->report->active_most ? active : b->report->active_most;
        }
    }
}

// Every frame is a shape
static snStatus keepFrames(snBaker* b)
{
    size_t half = snBaker_Half(b);
    snStatus status = sn_ok;
    for (int32_t n = 0; n < b->clip_count && !status; ++n) {
        snBakeClip* c = &b->clips[n];
        int32_t count = snBakeClip_Count(c);
        snBakeShapes* s = snArena_Push(&b->arena, 1, sizeof *s);
        float** lists = snArena_Push(&b->arena, 2 * (size_t)count, sizeof *lists);
        c->spans = snArena_Push(&b->arena, 1, sizeof *c->spans);
        if (b->arena.failed) {
            return failMemory(b);
        }
        *s = (snBakeShapes){b->shape_count, count, lists, lists + count};
        *c->spans = (snBakeSpan){.end = count, .shapes = s};
        c->span_count = count > 0;
        status = snBaker_BeginClip(b, c);
        for (int32_t i = 0; i < count && !status; ++i) {
            status = snBaker_Frame(b, c, i);
            s->position[i] = c->frames + 2 * half * (size_t)i;
            s->normal[i] = s->position[i] + half;
            memcpy(s->position[i], b->frame, 2 * half * sizeof(float));
        }
        c->facts->error = c->is_closed ? c->facts->seam : 0; // which closing takes away
        b->shape_count += count;
        b->report->active_most = count > 1 ? 2 : b->report->active_most;
    }
    return status;
}

snStatus snBaker_Shapes(snBaker* b)
{
    snStatus status = snBaker_Look(b);
    if (!status && b->def->shapes == 0) {
        status = keepFrames(b);
    } else if (!status) {
        status = findShared(b);
        status = status ? status : fitClips(b);
        if (!status) {
            finish(b);
        }
    }
    b->report->shape_count = b->shape_count;
    return status;
}
