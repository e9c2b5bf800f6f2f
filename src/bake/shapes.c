// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Shapes of a bake: those that were looked for (search.c) get their normals.
//
// In the end weights are moved into 0..1, which is all that Blender and most engines let a weight
// be: what the least weights did goes into the mean.
#include "bake/search.h"

#include <math.h>
#include <string.h>

static snStatus failMemory(const snBaker* b)
{
    snFail(b->why, sn_errorMemory, "out of memory");
    return sn_errorMemory;
}

// What was found ---------------------------------------------------------------------

static void report(const snBaker* b, const snBakeClip* c, double error, double sum)
{
    double places = (double)b->surface->moving_count * c->made;
    c->facts->error = error;
    c->facts->error_rms = places > 0 ? sqrt(sum / places) : 0;
}

// Normals of its own shapes
static snStatus finishOwn(snBaker* b, const snBakeClip* c)
{
    double error = 0, sum = 0;
    snStatus status = sn_ok;
    for (int32_t k = 0; k < c->span_count && !status; ++k) {
        snArena scratch;
        snArena_Init(&scratch, &b->host);
        snBakeFit* f = snArena_Push(&scratch, 1, sizeof *f);
        status = f ? snBakeFit_Start(f, b, c->spans[k].shapes, &scratch) : failMemory(b);
        status = status ? status : snBakeFit_Span(f, c, &c->spans[k]);
        if (!status) {
            snBakeFit_Normals(f);
            error = fmax(error, f->error);
            sum += f->sum;
        }
        snArena_Free(&scratch);
    }
    report(b, c, error, sum);
    return status;
}

// Takes own shapes, or the shared ones, whose normals come of all clips that do.
static snStatus takeFound(snBaker* b, snBakeSearch* searches, snBakeFit* f)
{
    snStatus status = sn_ok;
    b->done = 0;
    for (int32_t i = 0; i < b->clip_count && !status; ++i) {
        snBakeClip* c = &b->clips[i];
        const snBakeOwn* own = &searches[i].own;
        status = c->made > 0 ? snBaker_BeginNormals(b, c) : sn_ok;
        if (!status && own->spans) {
            c->own = own->arena;
            c->spans = own->spans;
            c->span_count = own->span_count;
            searches[i].own = (snBakeOwn){0};
            status = finishOwn(b, c);
        } else if (!status && c->span_count > 0) {
            f->error = f->sum = 0;
            status = snBakeFit_Span(f, c, c->spans);
            report(b, c, f->error, f->sum);
        }
        if (c->facts->error >= c->facts->largest) { // what stands almost still would move: none
            c->span_count = 0;
            c->facts->error = c->facts->largest;
            c->facts->error_rms = fmin(c->facts->error_rms, c->facts->largest);
        }
    }
    if (!status) {
        snBakeFit_Normals(f);
    }
    return status;
}

static snStatus fitClips(snBaker* b)
{
    snArena scratch;
    snArena_Init(&scratch, &b->host);
    snBakeFit* f = snArena_Push(&scratch, 1, sizeof *f);
    snBakeSearch* searches = snArena_Push(&scratch, (size_t)b->clip_count, sizeof *searches);
    snStatus status = scratch.failed ? failMemory(b) : snBaker_Search(b, searches, &scratch);
    status = status ? status : snBakeFit_Start(f, b, &b->shared, &scratch);
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

static snStatus keepFrame(snBaker* b, const snBakeClip* c, int32_t i)
{
    const float* x;
    size_t half = snBaker_Half(b);
    float* to = c->frames + 2 * half * (size_t)i;
    snBaker_Tell(b, "normals", c);
    snStatus status = snBaker_Row(b, c, i, &x);
    status = status ? status : snBaker_Normals(b, c, i);
    if (!status) {
        memcpy(to, x, half * sizeof *to);
        memcpy(to + half, b->normals, half * sizeof *to);
    }
    ++b->done;
    return status;
}

// Every frame is a shape
static snStatus keepFrames(snBaker* b)
{
    size_t half = snBaker_Half(b);
    snStatus status = sn_ok;
    b->done = 0;
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
        c->frames = snArena_Push(&b->arena, 2 * half * (size_t)count, sizeof *c->frames);
        status = !c->frames ? failMemory(b) : count > 0 ? snBaker_BeginNormals(b, c) : sn_ok;
        for (int32_t i = 0; i < count && !status; ++i) {
            s->position[i] = c->frames + 2 * half * (size_t)i;
            s->normal[i] = s->position[i] + half;
            status = keepFrame(b, c, i);
        }
        c->facts->error = c->is_closed ? c->facts->seam : 0; // which closing takes away
        b->shape_count += count;
        b->report->active_most = count > 1 ? 2 : b->report->active_most;
    }
    return status;
}

snStatus snBaker_Shapes(snBaker* b)
{
    snStatus status = snBaker_BuildFrames(b);
    if (!status && b->def->shapes == 0) {
        status = keepFrames(b);
    } else if (!status) {
        status = snBaker_FindShared(b);
        status = status ? status : fitClips(b);
        if (!status) {
            finish(b);
        }
    }
    b->report->shape_count = b->shape_count;
    return status;
}
