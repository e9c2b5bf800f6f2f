// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Surfaces whose every property is known.
#ifndef SN_TESTS_GEOM_SHAPES_H
#define SN_TESTS_GEOM_SHAPES_H

#include "check.h"
#include "geom/surface.h"
#include "math/trig.h"

static inline snSurface newSurface(snArena* arena, int32_t vertices, int32_t triangles)
{
    snSurface s = {vertices, triangles, snArena_Push(arena, (size_t)vertices, sizeof(snVec3)),
                   snArena_Push(arena, 3 * (size_t)triangles, sizeof(int32_t))};
    assert_false(arena->failed);
    return s;
}

// A torus about the Y axis, n x m quads cut in two, oriented outwards.
static inline snSurface makeTorus(snArena* arena, int n, int m, double R, double r)
{
    snSurface s = newSurface(arena, n * m, 2 * n * m);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < m; ++j) {
            double u = 2 * SN_PI * i / n, v = 2 * SN_PI * j / m;
            double ring = R + r * snCos(v);
            s.position[i * m + j] = snV3(ring * snCos(u), r * snSin(v), ring * snSin(u));
            int32_t a = i * m + j, b = (i + 1) % n * m + j;
            int32_t c = (i + 1) % n * m + (j + 1) % m, d = i * m + (j + 1) % m;
            const int32_t two[6] = {a, d, c, a, c, b};
            memcpy(s.triangle + 6 * (i * m + j), two, sizeof(two));
        }
    }
    return s;
}

// A ball: an octahedron whose faces are cut into n^2 triangles each; seams are shared.
static inline snSurface makeBall(snArena* arena, int n, snVec3 centre, double radius)
{
    snSurface soup = newSurface(arena, 24 * n * n, 8 * n * n), ball;
    int32_t count = 0;
    for (int face = 0; face < 8; ++face) {
        double x = face & 1 ? -1 : 1, y = face & 2 ? -1 : 1, z = face & 4 ? -1 : 1;
        bool flip = x * y * z < 0;
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < 2 * (n - i) - 1; ++j) {
                int k = j / 2, up = j % 2;
                const int grid[3][2] = {
                    {i + up, k}, {i + 1, k + up}, {i, k + 1}}; // two coordinates; n - sum the third
                for (int c = 0; c < 3; ++c) {
                    const int* g = grid[flip ? 2 - c : c];
                    snVec3 p = snV3(x * g[0], y * g[1], z * (n - g[0] - g[1]));
                    soup.position[count] = snMulAdd(centre, radius, snNormalize(p));
                    soup.triangle[count] = count;
                    ++count;
                }
            }
        }
    }
    snMessage why;
    assert_int_equal(count, 24 * n * n);
    assert_ok(snSurface_Weld(arena, &soup, &ball, NULL, &why), why);
    return ball;
}

// Both in one, sharing nothing.
static inline snSurface joinSurfaces(snArena* arena, const snSurface* a, const snSurface* b)
{
    snSurface s =
        newSurface(arena, a->vertex_count + b->vertex_count, a->triangle_count + b->triangle_count);
    memcpy(s.position, a->position, (size_t)a->vertex_count * sizeof(snVec3));
    memcpy(s.position + a->vertex_count, b->position, (size_t)b->vertex_count * sizeof(snVec3));
    memcpy(s.triangle, a->triangle, 3 * (size_t)a->triangle_count * sizeof(int32_t));
    for (int32_t i = 0; i < 3 * b->triangle_count; ++i) {
        s.triangle[3 * a->triangle_count + i] = b->triangle[i] + a->vertex_count;
    }
    return s;
}

static inline void turnInsideOut(snSurface* s)
{
    for (int32_t t = 0; t < s->triangle_count; ++t) {
        int32_t swap = s->triangle[3 * t];
        s->triangle[3 * t] = s->triangle[3 * t + 1];
        s->triangle[3 * t + 1] = swap;
    }
}

static inline snSurfaceFacts factsOf(const snSurface* s)
{
    snSurfaceFacts facts;
    snMessage why;
    assert_ok(snSurface_Inspect(s, NULL, &facts, &why), why);
    return facts;
}

static inline int eulerOf(const snSurface* s, const snSurfaceFacts* facts)
{
    return s->vertex_count - facts->unreferenced_vertices - facts->edges + s->triangle_count;
}

#endif
