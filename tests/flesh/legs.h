// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Two legs that come closer than a cell, filled with cells.
#ifndef SN_TESTS_FLESH_LEGS_H
#define SN_TESTS_FLESH_LEGS_H

#include "flesh/sheets.h"

#include "base/random.h"
#include "flesh/mesh.h"
#include "flesh/points.h"
#include "geom/parts.h"
#include "geom/shapes.h"

static const double CELLS[3] = {0.1, 0.14, 0.23};      // m
static const double GAPS[4] = {0.05, 0.15, 0.35, 0.6}; // cells

// A prism along y with `sides` corners on a circle, in `rings` stretches: closed, outwards. Four
// sides make a box along the axes.
static inline snSurface makePrism(snArena* arena, int sides, int rings, snVec3 foot, double radius,
                                  double height)
{
    snSurface s = newSurface(arena, sides * (rings + 1) + 2, 2 * sides * rings + 2 * sides);
    int32_t bottom = sides * (rings + 1), top = bottom + 1, *t = s.triangle;
    for (int i = 0; i <= rings; ++i) {
        for (int k = 0; k < sides; ++k) {
            double angle = 2 * SN_PI * (k + 0.5) / sides;
            s.position[i * sides + k] =
                snAdd(foot, snV3(radius * snCos(angle), height * i / rings, radius * snSin(angle)));
        }
    }
    s.position[bottom] = foot;
    s.position[top] = snAdd(foot, snV3(0, height, 0));
    for (int k = 0; k < sides; ++k) {
        int32_t a = k, b = (k + 1) % sides, up = rings * sides;
        for (int i = 0; i < rings; ++i, a += sides, b += sides) {
            const int32_t two[6] = {a, a + sides, b, b, a + sides, b + sides};
            memcpy(t, two, sizeof two);
            t += 6;
        }
        const int32_t caps[6] = {bottom, k, (k + 1) % sides, top, up + (k + 1) % sides, up + k};
        memcpy(t, caps, sizeof caps);
        t += 6;
    }
    return s;
}

// Two prisms side by side, `gap` apart, and a third across their upper ends when there is a hip.
// Shells overlap there.
static inline snSurface makeLegs(snArena* arena, int sides, double radius, double gap, double hip)
{
    double half = radius * snCos(SN_PI / sides), x = half + 0.5 * gap;
    snSurface left = makePrism(arena, sides, sides == 4 ? 2 : 24, snV3(x, 0, 0), radius, 1);
    snSurface right = makePrism(arena, sides, sides == 4 ? 2 : 24, snV3(-x, 0, 0), radius, 1);
    snSurface both = joinSurfaces(arena, &left, &right);
    if (hip <= 0) {
        return both;
    }
    snSurface across = makePrism(arena, 4, 2, snV3(0, hip, 0), 3 * radius, 0.3);
    return joinSurfaces(arena, &both, &across);
}

typedef struct Made {
    snArena arena;
    snFlesh flesh;
    snPoints points;
} Made;

static inline void make(Made* m, const snSurface* surface, double cell, snVec3 shift)
{
    snMessage why;
    snFleshDef def;
    snFleshDef_Init(&def);
    def.surface = surface;
    def.cell_size = cell;
    def.shift = shift;
    m->flesh = (snFlesh){0};
    snArena_Init(&m->arena, NULL);
    assert_ok(snMesh_Build(&m->arena, &def, &m->flesh, &why), why);
    assert_ok(snPoints_Spread(&m->arena, surface, 0.5 * cell, 100000, &m->points, &why), why);
    assert_int_equal(m->points.count, m->flesh.point_count);
}

// Nodes that hang together through cells whose nodes are all below a height.
static inline int32_t* partsBelow(Made* m, double height)
{
    const snTets* tets = &m->flesh.tets;
    int32_t* part = snArena_Push(&m->arena, (size_t)tets->node_count, sizeof(int32_t));
    snParts_Start(part, tets->node_count);
    for (int32_t e = 0; e < tets->tet_count; ++e) {
        const int32_t* n = tets->tet + 4 * (size_t)e;
        bool below = true;
        for (int k = 0; k < 4; ++k) {
            below = below && tets->position[n[k]].y < height;
        }
        for (int k = 1; k < 4 && below; ++k) {
            snParts_Join(part, n[0], n[k]);
        }
    }
    return part;
}

// Pulls all that hangs on the left leg's nodes to the left: left points move along, right ones
// stay.
static inline void pullApart(Made* m, double height, double reach)
{
    const snFlesh* f = &m->flesh;
    int32_t* part = partsBelow(m, height);
    uint8_t* pulled = snArena_Push(&m->arena, (size_t)f->tets.node_count, 1);
    for (int pass = 0; pass < 2; ++pass) {
        for (int32_t i = 0; i < f->point_count; ++i) {
            snVec3 p = m->points.position[i];
            double moved = 0;
            for (int k = 0; k < 4; ++k) {
                int32_t n = f->tets.tet[4 * (size_t)f->embedding.cell[i] + (size_t)k];
                int32_t whole = snParts_Find(part, n);
                if (pass == 0 && p.x > 0 && p.y < reach) {
                    pulled[whole] = 1;
                }
                moved += pulled[whole] ? f->embedding.weight[i][k] : 0;
            }
            if (pass == 1 && p.y < reach) {
                assert_close(moved, p.x > 0 ? 1 : 0, 1e-9);
            }
        }
    }
}

static inline snVec3 shiftOf(snRandom* random, int i)
{
    double x = snRandom_Range(random, -0.5, 0.5), y = snRandom_Range(random, -0.5, 0.5);
    return i == 0 ? snV3(0, 0, 0) : snV3(x, y, snRandom_Range(random, -0.5, 0.5));
}

// What samples say of the volume, all copies together.
static inline void checkVolume(const Made* m, double volume)
{
    double sum = 0;
    for (int32_t e = 0; e < m->flesh.tets.tet_count; ++e) {
        sum += m->flesh.fill[e] * snTets_Volume(&m->flesh.tets, e);
    }
    assert_relative(sum, volume, 4 * m->flesh.error + 2e-3, 0);
}

static inline void sweep(int sides, double hip, int shifts)
{
    snRandom random = snRandom_Seed(7);
    for (int c = 0; c < 3; ++c) {
        for (int g = 0; g < 4; ++g) {
            snArena arena;
            snArena_Init(&arena, NULL);
            snSurface s = makeLegs(&arena, sides, 0.12, GAPS[g] * CELLS[c], hip);
            double volume = hip > 0 ? 0 : factsOf(&s).volume;
            for (int i = 0; i < shifts; ++i) {
                Made m;
                make(&m, &s, CELLS[c], shiftOf(&random, i));
                // cells with some of the hip tie both legs to their nodes, at most a cell below it
                double height = hip > 0 ? hip - CELLS[c] : 9;
                pullApart(&m, height, height - 1.5 * CELLS[c]);
                if (hip <= 0) {
                    checkVolume(&m, volume);
                }
                snArena_Free(&m.arena);
            }
            snArena_Free(&arena);
        }
    }
}

#endif
