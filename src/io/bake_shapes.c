// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Shapes of a bake: the mean of all frames, and the principal shapes of what they differ from it
// by. All clips share them. A clip that they miss by more than was asked for gets its own; if these
// still do, the clip is cut into spans of time, each with half as many and as long as they show
// within that error. Between two spans both are active, so there are never more at a time than were
// asked for. When all clips together need more shapes than renderers and files bear, errors may be
// larger, up to MOST_EASE times; then clips that still need too many keep the shared shapes.
//
// In the end weights are moved into 0..1, which is all that Blender and most engines let a weight
// be: what the least weights did goes into the mean.
#include "io/bake_fit.h"

#include <math.h>
#include <string.h>

// Other shapes are taken when they miss by less than this part.
#define BETTER 0.9

// When there are too few shapes for all clips, errors may be larger by this.
#define MOST_EASE 2.0

static snStatus failMemory(const snBaker* b)
{
    snFail(b->why, sn_errorMemory, "out of memory");
    return sn_errorMemory;
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

// Shapes of a span and its weights, which lie in the arena. Above `limit` they are left half done.
static snStatus fitSpan(snBaker* b, const snBakeClip* c, snBakeSpan* span, int32_t most,
                        double limit, snArena* arena, double* error, double* sum)
{
    snArena scratch;
    snArena_Init(&scratch, &b->host);
    snBakeFit* f = snArena_Push(&scratch, 1, sizeof *f);
    snBakeShapes* shapes = snArena_Push(arena, 1, sizeof *shapes);
    snStatus status =
        f && shapes ? snBaker_FindShapes(b, c, span, most, shapes, arena) : failMemory(b);
    status = status ? status : snBakeFit_Start(f, b, shapes, &scratch);
    status = status ? status : snBakeFit_Span(f, c, span, limit, arena);
    if (!status) {
        *error = f->error;
        *sum = f->sum;
        if (f->error <= limit) {
            snBakeFit_Normals(f);
        }
    }
    snArena_Free(&scratch);
    return status;
}

// One more span
static snStatus addSpan(snBaker* b, const snBakeClip* c, Own* own, int32_t end, int32_t most,
                        double limit)
{
    snBakeSpan* span = &own->spans[own->span_count];
    double error, sum;
    *span = (snBakeSpan){.begin = own->span_count > 0 ? span[-1].end : 0, .end = end};
    snStatus status = fitSpan(b, c, span, most, limit, &own->arena, &error, &sum);
    if (!status) {
        ++own->span_count;
        own->shape_count += span->shapes->count;
        own->error = fmax(own->error, error);
        own->sum += sum;
    }
    return status;
}

// Where the longest span ends that some shapes show within the limit, to a quarter of its length.
// As many frames as there are shapes they show in any case. like: a length to try first
static snStatus findEnd(snBaker* b, const snBakeClip* c, int32_t begin, int32_t like, int32_t most,
                        double limit, int32_t* end)
{
    int32_t last = snBakeClip_Count(c), good = last - begin < most ? last : begin + most;
    int32_t bad = last + 1, next = begin + like;
    while (good < last && bad - good > 1 + (good - begin) / 4) {
        next = next > good ? next : good + 1;
        next = next < bad ? next : bad - 1;
        snArena scratch;
        snArena_Init(&scratch, &b->host);
        snBakeSpan span = {.begin = begin, .end = next};
        double error = 0, sum;
        snStatus status = fitSpan(b, c, &span, most, limit, &scratch, &error, &sum);
        snArena_Free(&scratch);
        if (status) {
            return status;
        }
        good = error <= limit ? next : good;
        bad = error <= limit ? bad : next;
        next = bad > last ? good + (good - begin) / 2 : (good + bad) / 2;
    }
    *end = good;
    return sn_ok;
}

// A clip within a limit, in as few spans as that takes. Ends when there are more than `left`
// shapes.
static snStatus fitOwn(snBaker* b, const snBakeClip* c, double limit, int32_t left, Own* own)
{
    int32_t count = snBakeClip_Count(c), half = b->def->shapes / 2, most = b->def->shapes;
    *own = (Own){0};
    snArena_Init(&own->arena, &b->host);
    own->spans = snArena_Push(&own->arena, (size_t)count, sizeof *own->spans);
    if (!own->spans) {
        return failMemory(b);
    }
    bool all = b->clip_count > 1 || half < 2;
    snStatus status =
        all ? addSpan(b, c, own, count, most, half < 2 ? (double)INFINITY : limit) : sn_ok;
    if (status || half < 2 || (all && own->error <= limit)) {
        return status;
    }
    own->span_count = own->shape_count = 0;
    own->error = own->sum = 0;
    for (int32_t end = 0, like = 2 * half; end < count && !status && own->shape_count <= left;) {
        int32_t begin = end;
        status = findEnd(b, c, begin, like, half, limit, &end);
        status = status ? status : addSpan(b, c, own, end, half, (double)INFINITY);
        like = end - begin;
    }
    return status;
}

// The error that is small enough; that closing a loop makes no shapes take away
static double limitOf(const snBaker* b, const snBakeClip* c)
{
    double size = b->body->made.size, closing = c->is_closed ? c->facts->seam : 0;
    return closing + fmax(fmin(SN_BAKE_UNSEEN, b->def->error) * size,
                          fmin(b->def->error * size, SN_BAKE_PART * c->facts->largest));
}

// What a clip is made of, while that is looked for
typedef struct Search {
    double shared; // error of the shared shapes, m
    double limit;  // that is small enough, m
    Own own;       // its spans are NULL while the shared shapes are best
} Search;

static void dropOwn(Search* s)
{
    snArena_Free(&s->own.arena);
    s->own = (Own){0};
}

// Clips, those first that shared shapes miss most. order: (clip_count)
static void sortClips(const Search* searches, int32_t count, int32_t* order)
{
    for (int32_t i = 0; i < count; ++i) {
        const Search* s = &searches[i];
        int32_t at = i;
        for (; at > 0; --at) {
            const Search* w = &searches[order[at - 1]];
            if (w->shared * s->limit >= s->shared * w->limit) {
                break;
            }
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

// Clips within `ease` times their limits. *enough: all are. If shapes do not last, the first time
// that is all; the last time clips that need too many go without their own.
static snStatus searchAll(snBaker* b, const int32_t* order, double ease, bool is_last,
                          Search* searches, bool* enough)
{
    int32_t left = SN_BAKE_MOST_SHAPES - b->shared.count;
    snStatus status = sn_ok;
    *enough = true;
    for (int32_t i = 0; i < b->clip_count; ++i) {
        dropOwn(&searches[i]);
    }
    for (int32_t i = 0; i < b->clip_count && !status && (*enough || is_last); ++i) {
        Search* s = &searches[order[i]];
        if (s->shared <= ease * s->limit) {
            continue;
        }
        status = fitOwn(b, &b->clips[order[i]], ease * s->limit, left, &s->own);
        bool fits = s->own.shape_count <= left;
        *enough = *enough && fits;
        if (!status && (!fits || !(s->own.error < BETTER * s->shared))) {
            dropOwn(s);
        }
        left -= s->own.shape_count;
    }
    return status;
}

static void report(snBaker* b, const snBakeClip* c, double error, double sum)
{
    double places = (double)b->surface->moving_count * c->made;
    c->facts->error = error;
    c->facts->error_rms = places > 0 ? sqrt(sum / places) : 0;
}

// With the shared shapes. f adds up what was fitted before.
static snStatus fitShared(snBakeFit* f, snBakeClip* c, snArena* arena)
{
    c->spans = snArena_Push(arena, 1, sizeof *c->spans);
    if (!c->spans) {
        return failMemory(f->b);
    }
    c->span_count = 1;
    *c->spans = (snBakeSpan){.end = snBakeClip_Count(c)};
    f->error = f->sum = 0;
    snStatus status = snBaker_BeginClip(f->b, c);
    return status ? status : snBakeFit_Span(f, c, c->spans, (double)INFINITY, arena);
}

// Takes what was found: own shapes, or the shared ones, whose normals come of all clips that do.
static snStatus takeFound(snBaker* b, Search* searches, snBakeFit* f)
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
        snBakeFit_Normals(f);
    }
    return status;
}

static snStatus fitClips(snBaker* b)
{
    snArena scratch;
    snArena_Init(&scratch, &b->host);
    snBakeFit* f = snArena_Push(&scratch, 1, sizeof *f);
    Search* searches = snArena_Push(&scratch, (size_t)b->clip_count, sizeof *searches);
    snStatus status = scratch.failed ? failMemory(b) : snBakeFit_Start(f, b, &b->shared, &scratch);
    for (int32_t i = 0; i < b->clip_count && !status; ++i) {
        snBakeClip* c = &b->clips[i];
        status = c->made > 0 ? fitShared(f, c, &scratch) : sn_ok;
        searches[i] = (Search){.shared = c->made > 0 ? f->error : 0, .limit = limitOf(b, c)};
    }
    int32_t* order = snArena_Push(&scratch, (size_t)b->clip_count, sizeof *order);
    status = status || order ? status : failMemory(b);
    bool enough = false;
    if (!status) {
        sortClips(searches, b->clip_count, order);
    }
    if (!status) {
        status = searchAll(b, order, 1, false, searches, &enough);
    }
    if (!status && !enough) {
        status = searchAll(b, order, MOST_EASE, true, searches, &enough);
    }
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
        status = snBaker_FindShared(b);
        status = status ? status : fitClips(b);
        if (!status) {
            finish(b);
        }
    }
    b->report->shape_count = b->shape_count;
    return status;
}
