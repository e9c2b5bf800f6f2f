// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "flesh/points.h"

#include "base/message.h"
#include <string.h>

// Points besides the vertices, at most: a larger spacing then.
#define MOST_POINTS 100000

// What a corner of a triangle that is cut counts, in middles of its parts.
#define CORNER (1.0 / 3)

typedef struct Triangle {
    snVec3 a, b, c;
} Triangle;

static Triangle triangleAt(const snSurface* s, int32_t t)
{
    const int32_t* v = s->triangle + 3 * (size_t)t;
    Triangle out = {s->position[v[0]], s->position[v[1]], s->position[v[2]]};
    return out;
}

// into how many parts each side is cut; 0 = small enough as it is
static int32_t cutsOf(const Triangle* t, double spacing)
{
    double longest = fmax(snLength(snSub(t->b, t->a)),
                          fmax(snLength(snSub(t->c, t->b)), snLength(snSub(t->a, t->c))));
    double cuts = ceil(longest / spacing);
    return longest > 1.5 * spacing ? (int32_t)(cuts < 1000 ? cuts : 1000) : 0;
}

static int64_t countPoints(const snSurface* s, double spacing)
{
    int64_t count = s->vertex_count;
    for (int32_t i = 0; i < s->triangle_count; ++i) {
        Triangle t = triangleAt(s, i);
        int64_t n = cutsOf(&t, spacing);
        count += n * n;
    }
    return count;
}

// Shares a triangle's area among its corners, if it is not cut, or the middles of its n^2 parts and
// a little for the corners, which touch first.
static void shareArea(const snSurface* s, int32_t number, int32_t n, int32_t first, snPoints* out)
{
    Triangle t = triangleAt(s, number);
    double area = 0.5 * snLength(snTriangleCross(t.a, t.b, t.c)), parts = (double)n * n;
    double part = area / (parts + 3 * CORNER);
    for (int k = 0; k < 3; ++k) {
        out->area[s->triangle[3 * (size_t)number + (size_t)k]] += CORNER * part;
    }
    for (int32_t i = first; i < out->count; ++i) {
        out->area[i] = part;
    }
}

// middles of the n^2 parts: of row i, the ones that point up and, between them, those that point
// down
static void spreadTriangle(const Triangle* t, int32_t number, int32_t n, snPoints* out)
{
    for (int32_t i = 0; i < n; ++i) {
        for (int32_t k = 0; k < 2 * (n - i) - 1; ++k) {
            int32_t column = k / 2;
            double off = k % 2 ? 2.0 / 3 : 1.0 / 3;
            double u = (i + off) / n, v = (column + off) / n;
            snVec3 p = snMulAdd(t->a, u, snSub(t->b, t->a));
            out->position[out->count] = snMulAdd(p, v, snSub(t->c, t->a));
            out->triangle[out->count++] = number;
        }
    }
}

snStatus snPoints_Spread(snArena* arena, const snSurface* surface, double spacing, int32_t most,
                         snPoints* out, snMessage* why)
{
    int64_t count = countPoints(surface, spacing);
    for (int i = 0; count > surface->vertex_count + (int64_t)most && i < 60; ++i) {
        spacing *= 1.5;
        count = countPoints(surface, spacing);
    }
    *out = (snPoints){0, snArena_Push(arena, (size_t)count, sizeof(snVec3)),
                      snArena_Push(arena, (size_t)count, sizeof(int32_t)),
                      snArena_Push(arena, (size_t)count, sizeof(double))};
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "no memory for %lld points of a surface",
                      (long long)count);
    }
    memcpy(out->position, surface->position, (size_t)surface->vertex_count * sizeof(snVec3));
    for (int32_t i = 0; i < surface->vertex_count; ++i) {
        out->triangle[i] = -1;
    }
    for (int32_t i = 0; i < 3 * surface->triangle_count; ++i) {
        out->triangle[surface->triangle[i]] = i / 3;
    }
    out->count = surface->vertex_count;
    for (int32_t i = 0; i < surface->triangle_count; ++i) {
        Triangle t = triangleAt(surface, i);
        int32_t first = out->count, n = cutsOf(&t, spacing);
        spreadTriangle(&t, i, n, out);
        shareArea(surface, i, n, first, out);
    }
    return sn_ok;
}

snStatus snPoints_SpreadForCells(snArena* arena, const snSurface* surface, double cell,
                                 snPoints* out, snMessage* why)
{
    return snPoints_Spread(arena, surface, 0.5 * cell, MOST_POINTS, out, why);
}
