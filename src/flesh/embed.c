// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "flesh/embed.h"

#include "base/message.h"
#include "geom/nearest.h"
#include <math.h>
#include <stdlib.h>

// A uniform grid over the mesh: every cell is listed in the boxes that its bounding box touches.
typedef struct Grid {
    snVec3 lo;
    double size; // of a box, m
    int32_t n[3];
    int32_t* start; // into list; (boxes + 1)
    int32_t* list;
} Grid;

static snVec3 lower(snVec3 a, snVec3 b)
{
    return snV3(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}

static snVec3 upper(snVec3 a, snVec3 b)
{
    return snNeg(lower(snNeg(a), snNeg(b)));
}

static void cellBounds(const snTets* mesh, int32_t e, snVec3* lo, snVec3* hi)
{
    const int32_t* c = mesh->tet + 4 * (ptrdiff_t)e;
    *lo = *hi = mesh->position[c[0]];
    for (int k = 1; k < 4; ++k) {
        *lo = lower(*lo, mesh->position[c[k]]);
        *hi = upper(*hi, mesh->position[c[k]]);
    }
}

static int32_t clampIndex(double x, int32_t n)
{
    return x < 0 ? 0 : x >= n ? n - 1 : (int32_t)x;
}

static void boxOf(const Grid* g, snVec3 p, int32_t box[3])
{
    snVec3 x = snScale(1 / g->size, snSub(p, g->lo));
    box[0] = clampIndex(x.x, g->n[0]);
    box[1] = clampIndex(x.y, g->n[1]);
    box[2] = clampIndex(x.z, g->n[2]);
}

static int32_t boxIndex(const Grid* g, int32_t i, int32_t j, int32_t k)
{
    return (k * g->n[1] + j) * g->n[0] + i;
}

// Counts (list NULL) or lists the cells of every box.
static void sweepCells(const snTets* mesh, Grid* g)
{
    for (int32_t e = 0; e < mesh->tet_count; ++e) {
        snVec3 lo, hi;
        int32_t a[3], b[3];
        cellBounds(mesh, e, &lo, &hi);
        boxOf(g, lo, a);
        boxOf(g, hi, b);
        for (int32_t k = a[2]; k <= b[2]; ++k) {
            for (int32_t j = a[1]; j <= b[1]; ++j) {
                for (int32_t i = a[0]; i <= b[0]; ++i) {
                    int32_t* at = &g->start[boxIndex(g, i, j, k) + 1];
                    if (g->list) {
                        g->list[*at] = e;
                    }
                    ++*at;
                }
            }
        }
    }
}

static snStatus buildGrid(snArena* arena, const snTets* mesh, Grid* g, snMessage* why)
{
    snVec3 lo = mesh->position[0], hi = lo;
    for (int32_t i = 1; i < mesh->node_count; ++i) {
        lo = lower(lo, mesh->position[i]);
        hi = upper(hi, mesh->position[i]);
    }
    snVec3 span = snSub(hi, lo);
    double longest =
        upper(upper(span, snV3(span.y, span.z, span.x)), snV3(span.z, span.x, span.y)).x;
    int32_t across = 1; // boxes along the longest side, about one per cell in a cube
    while (across < 256 && across * across * across < mesh->tet_count) {
        ++across;
    }
    g->size = longest / across + 1e-9;
    g->lo = lo;
    g->n[0] = (int32_t)(span.x / g->size) + 1;
    g->n[1] = (int32_t)(span.y / g->size) + 1;
    g->n[2] = (int32_t)(span.z / g->size) + 1;
    size_t boxes = (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2];
    g->start = snArena_Push(arena, boxes + 2, sizeof(int32_t));
    if (!g->start) {
        return snFail(why, sn_errorMemory, "no memory for a grid of %zu boxes", boxes);
    }
    sweepCells(mesh, g);
    // counts sit one behind; make them starts, one further behind while the list is filled
    int32_t sum = 0;
    for (size_t i = 0; i <= boxes; ++i) {
        int32_t count = g->start[i + 1];
        g->start[i + 1] = sum;
        sum += count;
    }
    g->list = snArena_Push(arena, (size_t)sum, sizeof(int32_t));
    if (!g->list) {
        return snFail(why, sn_errorMemory, "no memory for %d grid entries", (int)sum);
    }
    sweepCells(mesh, g);
    return sn_ok;
}

bool snEmbed_Weights(const snTets* mesh, int32_t e, snVec3 p, double w[4])
{
    const int32_t* c = mesh->tet + 4 * (ptrdiff_t)e;
    snVec3 a = mesh->position[c[0]], d = snSub(p, a);
    snVec3 u = snSub(mesh->position[c[1]], a), v = snSub(mesh->position[c[2]], a);
    snVec3 t = snSub(mesh->position[c[3]], a);
    double det = snDot(u, snCross(v, t));
    w[1] = snDot(d, snCross(v, t)) / det;
    w[2] = snDot(u, snCross(d, t)) / det;
    w[3] = snDot(u, snCross(v, d)) / det;
    w[0] = 1 - w[1] - w[2] - w[3];
    return w[0] >= -1e-12 && w[1] >= -1e-12 && w[2] >= -1e-12 && w[3] >= -1e-12;
}

// Distance to the tet of a point outside it.
static double outsideBy(const snTets* mesh, int32_t e, snVec3 p)
{
    const int32_t* c = mesh->tet + 4 * (ptrdiff_t)e;
    double least = HUGE_VAL;
    for (int k = 0; k < 4; ++k) {
        snVec3 corner[3], on = snV3(0, 0, 0);
        double w[3];
        for (int i = 0; i < 3; ++i) {
            corner[i] = mesh->position[c[(k + 1 + i) % 4]];
        }
        snTriangle_Nearest(corner[0], corner[1], corner[2], p, w);
        for (int i = 0; i < 3; ++i) {
            on = snMulAdd(on, w[i], corner[i]);
        }
        double square = snLengthSq(snSub(on, p));
        least = square < least ? square : least;
    }
    return sqrt(least);
}

double snEmbed_Gap(const snTets* mesh, int32_t cell, snVec3 p)
{
    double w[4];
    return snEmbed_Weights(mesh, cell, p, w) ? 0 : outsideBy(mesh, cell, p);
}

// Looks through the boxes at Chebyshev distance `ring` from the point's own.
static void searchRing(const snTets* mesh, const Grid* g, snVec3 p, int32_t ring, int32_t* cell,
                       double best[4], double* nearest)
{
    int32_t at[3];
    boxOf(g, p, at);
    for (int32_t k = at[2] - ring; k <= at[2] + ring; ++k) {
        for (int32_t j = at[1] - ring; j <= at[1] + ring; ++j) {
            for (int32_t i = at[0] - ring; i <= at[0] + ring; ++i) {
                bool shell =
                    abs(i - at[0]) == ring || abs(j - at[1]) == ring || abs(k - at[2]) == ring;
                if (!shell || i < 0 || j < 0 || k < 0 || i >= g->n[0] || j >= g->n[1] ||
                    k >= g->n[2]) {
                    continue;
                }
                int32_t box = boxIndex(g, i, j, k);
                for (int32_t n = g->start[box]; n < g->start[box + 1]; ++n) {
                    double w[4];
                    double gap = snEmbed_Weights(mesh, g->list[n], p, w)
                                     ? 0
                                     : outsideBy(mesh, g->list[n], p);
                    if (gap < *nearest || (gap == *nearest && g->list[n] < *cell)) {
                        *nearest = gap;
                        *cell = g->list[n];
                        for (int m = 0; m < 4; ++m) {
                            best[m] = w[m];
                        }
                    }
                }
            }
        }
    }
}

snStatus snEmbed_Points(snArena* arena, const snTets* mesh, const snVec3* points, int32_t count,
                        snEmbedding* out, snMessage* why)
{
    Grid grid = {.list = NULL};
    snStatus status = buildGrid(arena, mesh, &grid, why);
    if (status) {
        return status;
    }
    *out = (snEmbedding){.cell = snArena_Push(arena, (size_t)count, sizeof(int32_t)),
                         .weight = snArena_Push(arena, (size_t)count, sizeof *out->weight)};
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "no memory to embed %d vertices", (int)count);
    }
    int32_t rings = grid.n[0] > grid.n[1] ? grid.n[0] : grid.n[1];
    rings = rings > grid.n[2] ? rings : grid.n[2];
    for (int32_t i = 0; i < count; ++i) {
        double nearest = HUGE_VAL;
        int32_t cell = 0;
        // a cell found in ring r may be beaten by one in the next ring, never by one further out
        // than its gap
        for (int32_t r = 0; r <= rings && (nearest > 0 && (r - 1) * grid.size <= nearest); ++r) {
            searchRing(mesh, &grid, points[i], r, &cell, out->weight[i], &nearest);
        }
        out->cell[i] = cell;
        if (nearest > 0) {
            out->outside++;
            out->farthest = nearest > out->farthest ? nearest : out->farthest;
        }
    }
    return sn_ok;
}
