// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "geom/surface.h"

#include <string.h>

#include "base/hash.h"
#include "base/message.h"
#include "geom/parts.h"
#include "geom/sort.h"

static bool isDegenerate(const int32_t* t)
{
    return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

static snStatus outOfMemory(snMessage* why, const snSurface* surface)
{
    return snFail(why, sn_errorMemory, "out of memory for a surface of %d triangles",
                  surface->triangle_count);
}

// Edges ------------------------------------------------------------------------

// Side h = 3 t + k runs from corner k of triangle t to the next corner.
static int32_t sideEnd(int32_t h)
{
    return h % 3 == 2 ? h - 2 : h + 1;
}

static bool runsUp(const snSurface* surface, int32_t h)
{
    return surface->triangle[h] < surface->triangle[sideEnd(h)];
}

// The sides of all sound triangles, sorted so that those of one edge stand together.
typedef struct Sides {
    int64_t count;
    uint64_t* edge; // lower vertex, higher vertex
    int32_t* side;
} Sides;

static Sides listSides(snArena* arena, const snSurface* surface)
{
    size_t most = 3 * (size_t)surface->triangle_count;
    Sides sides = {0, snArena_Push(arena, most, sizeof(uint64_t)),
                   snArena_Push(arena, most, sizeof(int32_t))};
    if (arena->failed) {
        return sides;
    }
    for (int32_t t = 0; t < surface->triangle_count; ++t) {
        const int32_t* v = surface->triangle + 3 * (size_t)t;
        for (int k = 0; k < 3 && !isDegenerate(v); ++k) {
            int32_t a = v[k], b = v[(k + 1) % 3];
            uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
            sides.edge[sides.count] = low << 32 | high;
            sides.side[sides.count++] = 3 * t + k;
        }
    }
    snSort_Pairs(arena, sides.edge, sides.side, sides.count);
    return sides;
}

static int64_t edgeEnd(const Sides* sides, int64_t first)
{
    int64_t end = first + 1;
    while (end < sides->count && sides->edge[end] == sides->edge[first]) {
        ++end;
    }
    return end;
}

static void countEdges(const snSurface* surface, const Sides* sides, snSurfaceFacts* facts)
{
    for (int64_t i = 0, end; i < sides->count; i = end) {
        end = edgeEnd(sides, i);
        ++facts->edges;
        if (end - i == 1) {
            ++facts->boundary_edges;
        } else if (end - i > 2) {
            ++facts->nonmanifold_edges;
        } else if (runsUp(surface, sides->side[i]) == runsUp(surface, sides->side[i + 1])) {
            ++facts->misoriented_edges;
        }
    }
}

// Facts ------------------------------------------------------------------------

static void sortCorners(const int32_t* t, uint64_t out[3])
{
    int32_t low = t[0] < t[1] ? t[0] : t[1], high = t[0] < t[1] ? t[1] : t[0];
    out[0] = (uint64_t)(t[2] < low ? t[2] : low);
    out[1] = (uint64_t)(t[2] < low ? low : t[2] > high ? high : t[2]);
    out[2] = (uint64_t)(t[2] > high ? t[2] : high);
}

// Sorted by the highest corner, then, stably, by the other two, equal triangles are neighbours.
static void countDuplicates(const snSurface* surface, snArena* arena, snSurfaceFacts* facts)
{
    uint64_t* key = snArena_Push(arena, (size_t)surface->triangle_count, sizeof(uint64_t));
    int32_t* triangle = snArena_Push(arena, (size_t)surface->triangle_count, sizeof(int32_t));
    if (arena->failed) {
        return;
    }
    int32_t count = 0;
    uint64_t corner[3], earlier[3];
    for (int32_t t = 0; t < surface->triangle_count; ++t) {
        if (!isDegenerate(surface->triangle + 3 * (size_t)t)) {
            sortCorners(surface->triangle + 3 * (size_t)t, corner);
            key[count] = corner[2];
            triangle[count++] = t;
        }
    }
    snSort_Pairs(arena, key, triangle, count);
    for (int32_t i = 0; i < count; ++i) {
        sortCorners(surface->triangle + 3 * (size_t)triangle[i], corner);
        key[i] = corner[0] << 32 | corner[1];
    }
    snSort_Pairs(arena, key, triangle, count);
    for (int32_t i = 1; i < count; ++i) {
        sortCorners(surface->triangle + 3 * (size_t)triangle[i - 1], earlier);
        sortCorners(surface->triangle + 3 * (size_t)triangle[i], corner);
        facts->duplicate_triangles += key[i] == key[i - 1] && corner[2] == earlier[2];
    }
}

static void countVertices(const snSurface* surface, snArena* arena, snSurfaceFacts* facts)
{
    size_t n = (size_t)surface->vertex_count;
    int32_t* parent = snArena_Push(arena, n, sizeof(int32_t));
    uint8_t* named = snArena_Push(arena, n, 1);
    uint8_t* solid = snArena_Push(arena, n, 1);
    if (arena->failed) {
        return;
    }
    snParts_Start(parent, surface->vertex_count);
    for (int32_t t = 0; t < surface->triangle_count; ++t) {
        const int32_t* v = surface->triangle + 3 * (size_t)t;
        bool degenerate = isDegenerate(v);
        facts->degenerate_triangles += degenerate;
        for (int k = 0; k < 3; ++k) {
            named[v[k]] = 1;
            if (!degenerate) {
                solid[v[k]] = 1;
                snParts_Join(parent, v[k], v[0]);
            }
        }
    }
    for (int32_t i = 0; i < surface->vertex_count; ++i) {
        facts->unreferenced_vertices += !named[i];
        facts->shells += solid[i] && parent[i] == i;
    }
}

// V = sum of (a x b) . c / 6 about a point of the surface, so that far surfaces lose no digits.
static void measure(const snSurface* surface, snSurfaceFacts* facts)
{
    facts->bounds = snSurface_Bounds(surface);
    snVec3 base = snScale(0.5, snAdd(facts->bounds.lo, facts->bounds.hi));
    for (int32_t t = 0; t < surface->triangle_count; ++t) {
        const int32_t* v = surface->triangle + 3 * (size_t)t;
        snVec3 a = surface->position[v[0]], b = surface->position[v[1]];
        snVec3 cross = snTriangleCross(a, b, surface->position[v[2]]);
        facts->area += 0.5 * snLength(cross);
        facts->volume += snDot(snSub(a, base), cross) / 6;
    }
}

snStatus snSurface_Inspect(const snSurface* surface, const snHost* host, snSurfaceFacts* facts,
                           snMessage* why)
{
    memset(facts, 0, sizeof(*facts));
    snArena arena;
    snArena_Init(&arena, host);
    Sides sides = listSides(&arena, surface);
    if (!arena.failed) {
        countEdges(surface, &sides, facts);
        countDuplicates(surface, &arena, facts);
        countVertices(surface, &arena, facts);
        measure(surface, facts);
    }
    bool failed = arena.failed;
    snArena_Free(&arena);
    return failed ? outOfMemory(why, surface) : sn_ok;
}

bool snSurfaceFacts_IsClosed(const snSurfaceFacts* facts)
{
    return facts->edges > 0 && facts->boundary_edges == 0 && facts->nonmanifold_edges == 0 &&
           facts->misoriented_edges == 0;
}

snBox snSurface_Bounds(const snSurface* surface)
{
    snBox box = snBox_Empty();
    for (size_t i = 0; i < 3 * (size_t)surface->triangle_count; ++i) {
        box = snBox_Point(box, surface->position[surface->triangle[i]]);
    }
    return box;
}

void snSurface_Normals(const snSurface* surface, snVec3* normal)
{
    for (int32_t i = 0; i < surface->vertex_count; ++i) {
        normal[i] = snV3(0, 0, 0);
    }
    for (int32_t t = 0; t < surface->triangle_count; ++t) {
        const int32_t* v = surface->triangle + 3 * (size_t)t;
        const snVec3* p = surface->position;
        snVec3 cross = snTriangleCross(p[v[0]], p[v[1]], p[v[2]]);
        for (int k = 0; k < 3; ++k) {
            normal[v[k]] = snAdd(normal[v[k]], cross);
        }
    }
    for (int32_t i = 0; i < surface->vertex_count; ++i) {
        normal[i] = snNormalize(normal[i]);
    }
}

// Repair -----------------------------------------------------------------------

// The entry of the hash table where p is or goes. Adding 0 makes -0 a 0.
static size_t findSlot(const int32_t* slots, size_t mask, const snVec3* position, snVec3 p)
{
    size_t at = (size_t)snHash(&p, sizeof(p), 0) & mask;
    while (slots[at] > 0) {
        const snVec3* q = &position[slots[at] - 1];
        if (q->x == p.x && q->y == p.y && q->z == p.z) {
            break;
        }
        at = (at + 1) & mask;
    }
    return at;
}

snStatus snSurface_Weld(snArena* arena, const snSurface* surface, snSurface* welded, int32_t** map,
                        snMessage* why)
{
    size_t n = (size_t)surface->vertex_count, sides = 3 * (size_t)surface->triangle_count;
    size_t capacity = 16;
    while (capacity < 2 * n) {
        capacity *= 2;
    }
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    int32_t* slots = snArena_Push(&scratch, capacity, sizeof(int32_t));
    int32_t* to = snArena_Push(arena, n, sizeof(int32_t));
    snVec3* position = snArena_Push(arena, n, sizeof(snVec3));
    int32_t* triangle = snArena_Push(arena, sides, sizeof(int32_t));
    if (scratch.failed || arena->failed) {
        snArena_Free(&scratch);
        return outOfMemory(why, surface);
    }
    int32_t count = 0;
    for (size_t i = 0; i < n; ++i) {
        snVec3 p = snAdd(surface->position[i], snV3(0, 0, 0));
        size_t at = findSlot(slots, capacity - 1, position, p);
        if (slots[at] == 0) {
            position[count++] = p;
            slots[at] = count;
        }
        to[i] = slots[at] - 1;
    }
    for (size_t i = 0; i < sides; ++i) {
        triangle[i] = to[surface->triangle[i]];
    }
    snArena_Free(&scratch);
    *welded = (snSurface){count, surface->triangle_count, position, triangle};
    if (map) {
        *map = to;
    }
    return sn_ok;
}

// Breadth first from one triangle: turn[] becomes 1 kept or 2 turned, relative to the first.
static int32_t walkPart(const snSurface* surface, const int32_t* twin, int32_t first, uint8_t* turn,
                        int32_t* queue)
{
    int32_t count = 1;
    queue[0] = first;
    turn[first] = 1;
    for (int32_t i = 0; i < count; ++i) {
        for (int32_t h = 3 * queue[i]; h < 3 * queue[i] + 3; ++h) {
            int32_t other = twin[h] - 1;
            if (other < 0 || turn[other / 3]) {
                continue;
            }
            bool agree = runsUp(surface, h) != runsUp(surface, other);
            turn[other / 3] = (uint8_t)(agree ? turn[queue[i]] : 3 - turn[queue[i]]);
            queue[count++] = other / 3;
        }
    }
    return count;
}

snStatus snSurface_Orient(snSurface* surface, const snHost* host, int32_t* turned, snMessage* why)
{
    size_t n = (size_t)surface->triangle_count;
    snArena arena;
    snArena_Init(&arena, host);
    Sides sides = listSides(&arena, surface);
    int32_t* twin = snArena_Push(&arena, 3 * n, sizeof(int32_t)); // plus one; 0: none
    uint8_t* turn = snArena_Push(&arena, n, 1);
    int32_t* queue = snArena_Push(&arena, n, sizeof(int32_t));
    *turned = 0;
    if (arena.failed) {
        snArena_Free(&arena);
        return outOfMemory(why, surface);
    }
    for (int64_t i = 0, end; i < sides.count; i = end) {
        end = edgeEnd(&sides, i);
        if (end - i == 2) {
            twin[sides.side[i]] = sides.side[i + 1] + 1;
            twin[sides.side[i + 1]] = sides.side[i] + 1;
        }
    }
    for (int32_t t = 0; t < surface->triangle_count; ++t) {
        if (turn[t]) {
            continue;
        }
        int32_t count = walkPart(surface, twin, t, turn, queue), against = 0;
        for (int32_t i = 0; i < count; ++i) {
            against += turn[queue[i]] == 2;
        }
        int minority = 2 * against > count ? 1 : 2;
        for (int32_t i = 0; i < count; ++i) {
            if (turn[queue[i]] == minority) {
                int32_t* v = surface->triangle + 3 * (size_t)queue[i];
                int32_t swap = v[1];
                v[1] = v[2];
                v[2] = swap;
                ++*turned;
            }
        }
    }
    snArena_Free(&arena);
    return sn_ok;
}
