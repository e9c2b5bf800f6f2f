// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Shapes of a bake: the mean of all frames, and the principal shapes of what they differ from it
// by. All clips share them. A clip that they miss by more than was asked for gets its own; if these
// still do, the clip is cut into spans of time, each with half as many and as long as they show
// within that error. Between two spans both are active, so there are never more at a time than were
// asked for. When all clips together need more shapes than renderers and files bear, errors may be
// larger, up to MOST_EASE times; then clips that still need too many keep the shared shapes.
#include "bake/search.h"

#include <math.h>

// When there are too few shapes for all clips, errors may be larger by this.
#define MOST_EASE 2.0

static snStatus failMemory(const snBaker* b)
{
    snFail(b->why, sn_errorMemory, "out of memory");
    return sn_errorMemory;
}

// A clip whose spans are looked for
typedef struct Cut {
    snBaker* b;
    const snBakeClip* c;
    snBakeGram gram;
    double limit; // m
} Cut;

// Whether shapes show a span within the limit
static snStatus trySpan(Cut* cut, int32_t begin, int32_t end, int32_t most, bool* good)
{
    snArena scratch;
    snBakeSpan span = {.begin = begin, .end = end};
    int32_t* order;
    double error = 0;
    snArena_Init(&scratch, &cut->b->host);
    snStatus status = snBaker_FindShapes(cut->b, cut->c, &span, most, &cut->gram, &scratch, &order);
    status = status ? status : snBaker_Judge(cut->b, cut->c, &span, order, cut->limit, &error);
    *good = error <= cut->limit;
    snArena_Free(&scratch);
    return status;
}

// One more span
static snStatus addSpan(Cut* cut, snBakeOwn* own, int32_t end, int32_t most)
{
    snBakeSpan* span = &own->spans[own->span_count];
    *span = (snBakeSpan){.begin = own->span_count > 0 ? span[-1].end : 0, .end = end};
    snStatus status = snBaker_FindShapes(cut->b, cut->c, span, most, &cut->gram, &own->arena, NULL);
    if (!status) {
        ++own->span_count;
        own->shape_count += span->shapes->count;
    }
    return status;
}

// Where the longest span ends that some shapes show within the limit, to an eighth of its length.
// As many frames as there are shapes they show in any case. like: a length to try first
static snStatus findEnd(Cut* cut, int32_t begin, int32_t like, int32_t most, int32_t* end)
{
    int32_t last = snBakeClip_Count(cut->c), good = last - begin < most ? last : begin + most;
    last = last - begin < cut->gram.band ? last : begin + cut->gram.band;
    int32_t bad = last + 1, next = begin + like;
    while (good < last && bad - good > 1 + (good - begin) / 8) {
        next = next > good ? next : good + 1;
        next = next < bad ? next : bad - 1;
        bool fits;
        snStatus status = trySpan(cut, begin, next, most, &fits);
        if (status) {
            return status;
        }
        good = fits ? next : good;
        bad = fits ? bad : next;
        next = bad > last ? good + (good - begin) / 2 : (good + bad) / 2;
    }
    *end = good;
    return sn_ok;
}

// In as few spans as the limit takes. Ends when there are more than `left` shapes.
static snStatus cutClip(Cut* cut, int32_t left, snBakeOwn* own)
{
    snBaker* b = cut->b;
    int32_t count = snBakeClip_Count(cut->c), half = b->def->shapes / 2;
    snStatus status = sn_ok;
    for (int32_t end = 0, like = 2 * half; end < count && !status && own->shape_count <= left;) {
        int32_t begin = end;
        status = findEnd(cut, begin, like, half, &end);
        status = status ? status : addSpan(cut, own, end, half);
        like = end - begin;
        b->done += like;
        snBaker_Tell(b, "shapes", cut->c);
    }
    return status;
}

// A clip within a limit, whole if that goes. Too few shapes for spans that overlap show it as they
// can.
static snStatus fitOwn(Cut* cut, int32_t left, snBakeOwn* own)
{
    snBaker* b = cut->b;
    int32_t count = snBakeClip_Count(cut->c), most = b->def->shapes;
    bool few = most / 2 < 2, whole = false;
    snStatus status = sn_ok;
    own->spans = snArena_Push(&own->arena, (size_t)count, sizeof *own->spans);
    if (!own->spans) {
        return failMemory(b);
    }
    if (b->clip_count > 1 && !few && count <= cut->gram.band) {
        status = trySpan(cut, 0, count, most, &whole);
    }
    if (status || whole || few) {
        return status ? status : addSpan(cut, own, count, most);
    }
    return cutClip(cut, left, own);
}

// Its own shapes of a clip, unless they are more than `left`, or it is too long for few
static snStatus searchClip(snBaker* b, const snBakeClip* c, double limit, int32_t left,
                           snBakeOwn* own)
{
    snArena scratch;
    Cut cut = {.b = b, .c = c, .limit = limit};
    int32_t count = snBakeClip_Count(c);
    int32_t longest = b->rows.room < SN_BAKE_LONGEST ? (int32_t)b->rows.room : SN_BAKE_LONGEST;
    if (b->def->shapes < 4 && count > longest) {
        return sn_ok;
    }
    snArena_Init(&own->arena, &b->host);
    snArena_Init(&scratch, &b->host);
    bool made = snBakeGram_Build(&cut.gram, &scratch, b->tasks, snBaker_Half(b), count, longest);
    snStatus status = made ? fitOwn(&cut, left, own) : failMemory(b);
    snArena_Free(&scratch);
    return status;
}

// The error that is small enough; that closing a loop makes no shapes take away
static double limitOf(const snBaker* b, const snBakeClip* c)
{
    double size = b->body->made.size, closing = c->is_closed ? c->facts->seam : 0;
    return closing + fmax(fmin(SN_BAKE_UNSEEN, b->def->error) * size,
                          fmin(b->def->error * size, SN_BAKE_PART * c->facts->largest));
}

static void dropOwn(snBakeSearch* s)
{
    snArena_Free(&s->own.arena);
    s->own = (snBakeOwn){0};
}

// Clips, those first that shared shapes miss most. order: (clip_count)
static void sortClips(const snBakeSearch* searches, int32_t count, int32_t* order)
{
    for (int32_t i = 0; i < count; ++i) {
        const snBakeSearch* s = &searches[i];
        int32_t at = i;
        for (; at > 0; --at) {
            const snBakeSearch* w = &searches[order[at - 1]];
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
                          snBakeSearch* searches, bool* enough)
{
    int32_t left = SN_BAKE_MOST_SHAPES - b->shared.count;
    int64_t done = b->done = 0;
    snStatus status = sn_ok;
    *enough = true;
    for (int32_t i = 0; i < b->clip_count; ++i) {
        dropOwn(&searches[i]);
    }
    for (int32_t i = 0; i < b->clip_count && !status && (*enough || is_last); ++i) {
        snBakeSearch* s = &searches[order[i]];
        const snBakeClip* c = &b->clips[order[i]];
        snBaker_Tell(b, "shapes", c);
        if (s->shared > ease * s->limit) {
            status = searchClip(b, c, ease * s->limit, left, &s->own);
        }
        bool fits = s->own.shape_count <= left;
        *enough = *enough && fits;
        if (status || !fits) {
            dropOwn(s);
        }
        left -= s->own.shape_count;
        b->done = done += c->made;
    }
    return status;
}

// The shared shapes' weights of a clip
static snStatus weighShared(snBaker* b, snBakeClip* c, snBakeSearch* s, snArena* arena)
{
    c->spans = snArena_Push(arena, 1, sizeof *c->spans);
    if (!c->spans) {
        return failMemory(b);
    }
    *c->spans = (snBakeSpan){.end = snBakeClip_Count(c)};
    c->span_count = c->made > 0;
    snStatus status = snBaker_Weigh(b, c, c->spans, arena);
    return status ? status : snBaker_Judge(b, c, c->spans, NULL, s->limit, &s->shared);
}

snStatus snBaker_Search(snBaker* b, snBakeSearch* searches, snArena* scratch)
{
    bool enough = false;
    int32_t* order = snArena_Push(scratch, (size_t)b->clip_count, sizeof *order);
    snStatus status = order ? sn_ok : failMemory(b);
    for (int32_t i = 0; i < b->clip_count && !status; ++i) {
        searches[i].limit = limitOf(b, &b->clips[i]);
        status = weighShared(b, &b->clips[i], &searches[i], &b->arena);
    }
    if (!status) {
        sortClips(searches, b->clip_count, order);
        status = searchAll(b, order, 1, false, searches, &enough);
    }
    if (!status && !enough) {
        status = searchAll(b, order, MOST_EASE, true, searches, &enough);
    }
    return status;
}
