// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Where two parts of a body come close at rest (fingers, the inner thighs), the distance to the
// whole surface is wrong for both: to a cell of one, the other's surface is nothing. Cells near
// such a surface get patches: the distance to the surface of their own part.
//
// A triangle belongs to a cell's part when a contact point on it is tied to a cell that is at most
// two away over shared nodes. Parts share nodes only where they are joined.
#include "base/message.h"
#include "contact/tissue.h"
#include "geom/nearest.h"

// Samples closer to a foreign triangle than this, in spacings, can touch the zero of the field.
#define CLOSE 1.75

// How much farther from a cell than its box its own triangles are looked for, in cells.
#define OWN_REACH 1.5

// Lists of numbers per item, those of item i at begin[i] .. begin[i + 1] - 1.
typedef struct Lists {
    int32_t* begin;
    int32_t* list;
} Lists;

typedef struct Maker {
    snTissue* tissue;
    snArena* arena;
    snArena scratch;
    snNearest nearest;
    int32_t* nearest_of; // triangle nearest to a sample that is close to it, else -1; (samples)
    Lists cells;         // of a node
    Lists points;        // contact points on a triangle, besides its corners
    int32_t* ring;       // of a node: the cell in whose ring it was last; (node_count)
    int32_t* patch_of;
    snDistanceField* patches;
    int32_t patch_count;
} Maker;

// Neighbours ---------------------------------------------------------------------

// item[i] < items gets i; negative ones none.
static Lists listBy(snArena* scratch, const int32_t* item, int32_t count, int32_t items)
{
    Lists l = {snArena_Push(scratch, (size_t)items + 2, sizeof(int32_t)),
               snArena_Push(scratch, (size_t)count, sizeof(int32_t))};
    for (int32_t i = 0; i < count && !scratch->failed; ++i) {
        if (item[i] >= 0) {
            ++l.begin[item[i] + 2];
        }
    }
    for (int32_t i = 0; i < items && !scratch->failed; ++i) {
        l.begin[i + 2] += l.begin[i + 1];
    }
    for (int32_t i = 0; i < count && !scratch->failed; ++i) {
        if (item[i] >= 0) {
            l.list[l.begin[item[i] + 1]++] = i;
        }
    }
    return l;
}

// The triangle that each contact point besides the vertices lies on.
static const int32_t* trianglesOfPoints(Maker* m)
{
    const snFleshView* flesh = &m->tissue->flesh;
    int32_t* on = snArena_Push(&m->scratch, (size_t)flesh->point_count, sizeof(int32_t));
    for (int32_t i = 0; i < flesh->point_count && on; ++i) {
        snNearestHit hit;
        on[i] = -1;
        if (i >= flesh->vertex_count &&
            snNearest_Find(&m->nearest, m->tissue->point_rest[i], 0.01 * flesh->cell, &hit)) {
            on[i] = hit.triangle;
        }
    }
    return on;
}

// Marks the nodes of all cells that share a node with this one.
static void markRing(Maker* m, int32_t cell)
{
    const int32_t* tet = m->tissue->flesh.tets.tet;
    for (int k = 0; k < 4; ++k) {
        int32_t node = tet[4 * (size_t)cell + (size_t)k];
        for (int32_t i = m->cells.begin[node]; i < m->cells.begin[node + 1]; ++i) {
            const int32_t* n = tet + (m->cells.list[i] & ~3);
            m->ring[n[0]] = m->ring[n[1]] = m->ring[n[2]] = m->ring[n[3]] = cell;
        }
    }
}

static bool isTied(const Maker* m, int32_t point, int32_t cell)
{
    const int32_t* n = m->tissue->flesh.ties[point].node;
    return m->ring[n[0]] == cell || m->ring[n[1]] == cell || m->ring[n[2]] == cell ||
           m->ring[n[3]] == cell;
}

// Whether a triangle belongs to the part of the cell whose ring was marked last.
static bool isOwn(const Maker* m, int32_t triangle, int32_t cell)
{
    const int32_t* v = m->nearest.surface.triangle + 3 * (size_t)triangle;
    bool own = isTied(m, v[0], cell) || isTied(m, v[1], cell) || isTied(m, v[2], cell);
    for (int32_t i = m->points.begin[triangle]; i < m->points.begin[triangle + 1] && !own; ++i) {
        own = isTied(m, m->points.list[i], cell);
    }
    return own;
}

// Cells at risk ------------------------------------------------------------------

// Samples that a cell's places are interpolated from: i0 <= i < i1 and so on.
typedef struct Span {
    int32_t i0, i1, j0, j1, k0, k1;
} Span;

static snBox restBox(const snTets* tets, int32_t cell)
{
    snBox box = snBox_Empty();
    for (int k = 0; k < 4; ++k) {
        box = snBox_Point(box, tets->position[tets->tet[4 * (size_t)cell + (size_t)k]]);
    }
    return box;
}

static void spanAxis(double lo, double hi, double origin, double spacing, int32_t n, int32_t* from,
                     int32_t* to)
{
    double first = floor((lo - origin) / spacing), last = floor((hi - origin) / spacing) + 3;
    *from = first > 0 ? first < n ? (int32_t)first : n : 0;
    *to = last < n ? last > *from ? (int32_t)last : *from : n;
}

static Span spanOf(const snTissue* tissue, int32_t cell)
{
    const snDistanceField* f = &tissue->field;
    snBox box = restBox(&tissue->flesh.tets, cell);
    Span s;
    spanAxis(box.lo.x, box.hi.x, f->origin.x, f->spacing, f->nx, &s.i0, &s.i1);
    spanAxis(box.lo.y, box.hi.y, f->origin.y, f->spacing, f->ny, &s.j0, &s.j1);
    spanAxis(box.lo.z, box.hi.z, f->origin.z, f->spacing, f->nz, &s.k0, &s.k1);
    return s;
}

static ptrdiff_t indexOf(const snDistanceField* f, int32_t i, int32_t j, int32_t k)
{
    return ((ptrdiff_t)k * f->ny + j) * f->nx + i;
}

static snVec3 placeOf(const snDistanceField* f, int32_t i, int32_t j, int32_t k)
{
    return snMulAdd(f->origin, f->spacing, snV3(i, j, k));
}

static void findNearest(Maker* m)
{
    const snDistanceField* f = &m->tissue->field;
    for (int32_t k = 0; k < f->nz; ++k) {
        for (int32_t j = 0; j < f->ny; ++j) {
            for (int32_t i = 0; i < f->nx; ++i) {
                ptrdiff_t at = indexOf(f, i, j, k);
                double far = fabs((double)f->samples[at]), slack = 1e-4 * f->spacing;
                snNearestHit hit;
                bool close = far < CLOSE * f->spacing &&
                             snNearest_Find(&m->nearest, placeOf(f, i, j, k), far + slack, &hit);
                m->nearest_of[at] = close ? hit.triangle : -1;
            }
        }
    }
}

// Whether a foreign triangle is near the cell. Marks its ring.
static bool isAtRisk(Maker* m, int32_t cell)
{
    const snDistanceField* f = &m->tissue->field;
    Span s = spanOf(m->tissue, cell);
    int32_t own = -1; // the last one that was
    bool marked = false;
    for (int32_t k = s.k0; k < s.k1; ++k) {
        for (int32_t j = s.j0; j < s.j1; ++j) {
            for (int32_t i = s.i0; i < s.i1; ++i) {
                int32_t t = m->nearest_of[indexOf(f, i, j, k)];
                if (t < 0 || t == own) {
                    continue;
                }
                if (!marked) {
                    markRing(m, cell);
                    marked = true;
                }
                if (!isOwn(m, t, cell)) {
                    return true;
                }
                own = t;
            }
        }
    }
    return false;
}

// Patches ------------------------------------------------------------------------

static bool meet(const snBox* a, const snBox* b)
{
    return a->lo.x <= b->hi.x && b->lo.x <= a->hi.x && a->lo.y <= b->hi.y && b->lo.y <= a->hi.y &&
           a->lo.z <= b->hi.z && b->lo.z <= a->hi.z;
}

// The cell's own triangles near it, each with corners of its own.
static snSurface gatherOwn(Maker* m, snArena* scratch, int32_t cell)
{
    const snSurface* all = &m->nearest.surface;
    const snBvh* bvh = &m->nearest.bvh;
    double reach = OWN_REACH * m->tissue->flesh.cell;
    snBox box = restBox(&m->tissue->flesh.tets, cell);
    box.lo = snSub(box.lo, snV3(reach, reach, reach));
    box.hi = snAdd(box.hi, snV3(reach, reach, reach));
    int32_t* found = snArena_Push(scratch, (size_t)all->triangle_count, sizeof(int32_t));
    int32_t stack[SN_BVH_DEPTH + 2], count = 0;
    int top = 0;
    stack[top++] = 0;
    while (top > 0 && found) {
        const snBvhNode* node = &bvh->nodes[stack[--top]];
        if (!meet(&node->box, &box)) {
            continue;
        }
        for (int32_t i = node->first; i < node->first + node->count; ++i) {
            if (isOwn(m, bvh->order[i], cell)) {
                found[count++] = bvh->order[i];
            }
        }
        if (node->count == 0) {
            stack[top++] = node->first + 1;
            stack[top++] = node->first;
        }
    }
    snSurface own = {3 * count, count, snArena_Push(scratch, 3 * (size_t)count, sizeof(snVec3)),
                     snArena_Push(scratch, 3 * (size_t)count, sizeof(int32_t))};
    for (int32_t i = 0; i < 3 * count && !scratch->failed; ++i) {
        own.triangle[i] = i;
        own.position[i] = all->position[all->triangle[3 * (size_t)found[i / 3] + (size_t)(i % 3)]];
    }
    return own;
}

// Inside its part lies a sample that is inside the body and nearest to the part's own surface: from
// another part one would come out of that first.
static void fillPatch(const Maker* m, const snNearest* own, const snDistanceField* patch, Span s,
                      float* samples)
{
    const snDistanceField* f = &m->tissue->field;
    for (int32_t k = s.k0; k < s.k1; ++k) {
        for (int32_t j = s.j0; j < s.j1; ++j) {
            for (int32_t i = s.i0; i < s.i1; ++i) {
                double phi = (double)f->samples[indexOf(f, i, j, k)];
                snNearestHit hit;
                snNearest_Find(own, placeOf(f, i, j, k), HUGE_VAL, &hit);
                bool inside = phi < 0 && hit.distance <= 1e-4 * f->spacing - phi;
                samples[indexOf(patch, i - s.i0, j - s.j0, k - s.k0)] =
                    (float)(inside ? phi : hit.distance);
            }
        }
    }
}

static snStatus addPatch(Maker* m, int32_t cell, snMessage* why)
{
    const snDistanceField* f = &m->tissue->field;
    snArena scratch;
    snArena_Init(&scratch, &m->arena->host);
    snSurface surface = gatherOwn(m, &scratch, cell);
    Span s = spanOf(m->tissue, cell);
    snDistanceField patch = *f;
    patch.origin = placeOf(f, s.i0, s.j0, s.k0);
    patch.nx = s.i1 - s.i0, patch.ny = s.j1 - s.j0, patch.nz = s.k1 - s.k0;
    snStatus status = sn_ok;
    if (surface.triangle_count > 0 && !scratch.failed) { // else it has nothing to go by
        size_t count = (size_t)patch.nx * (size_t)patch.ny * (size_t)patch.nz;
        float* samples = snArena_Push(m->arena, count, sizeof(float));
        snNearest own;
        status = samples ? snNearest_Build(&scratch, &surface, &own, why)
                         : snFail(why, sn_errorMemory, "no memory for patches of a field");
        if (!status) {
            fillPatch(m, &own, &patch, s, samples);
            patch.samples = samples;
            m->patch_of[cell] = m->patch_count;
            m->patches[m->patch_count++] = patch;
        }
    }
    bool failed = scratch.failed;
    snArena_Free(&scratch);
    return failed && !status ? snFail(why, sn_errorMemory, "no memory for patches of a field")
                             : status;
}

static snStatus prepare(Maker* m, const snSurface* surface, snMessage* why)
{
    const snTets* tets = &m->tissue->flesh.tets;
    const snDistanceField* f = &m->tissue->field;
    size_t samples = (size_t)f->nx * (size_t)f->ny * (size_t)f->nz;
    snStatus status = snNearest_Build(&m->scratch, surface, &m->nearest, why);
    if (status) {
        return status;
    }
    m->nearest_of = snArena_Push(&m->scratch, samples, sizeof(int32_t));
    m->cells = listBy(&m->scratch, tets->tet, 4 * tets->tet_count, tets->node_count);
    m->ring = snArena_Push(&m->scratch, (size_t)tets->node_count, sizeof(int32_t));
    const int32_t* on = trianglesOfPoints(m);
    if (on) {
        m->points = listBy(&m->scratch, on, m->tissue->flesh.point_count, surface->triangle_count);
    }
    m->patch_of = snArena_Push(m->arena, (size_t)tets->tet_count, sizeof(int32_t));
    if (m->scratch.failed || m->arena->failed) {
        return snFail(why, sn_errorMemory, "no memory for patches of a field");
    }
    findNearest(m);
    int32_t count = 0;
    for (int32_t i = 0; i < tets->node_count; ++i) {
        m->ring[i] = -1;
    }
    for (int32_t e = 0; e < tets->tet_count; ++e) {
        m->patch_of[e] = isAtRisk(m, e) ? 0 : -1;
        count += m->patch_of[e] + 1;
    }
    m->patches = snArena_Push(m->arena, (size_t)count, sizeof(snDistanceField));
    return m->patches ? sn_ok : snFail(why, sn_errorMemory, "no memory for %d patches", (int)count);
}

snStatus snTissue_BuildPatches(snArena* arena, snTissue* tissue, const snSurface* surface,
                               snMessage* why)
{
    Maker m = {.tissue = tissue, .arena = arena};
    snArena_Init(&m.scratch, &arena->host);
    snStatus status = prepare(&m, surface, why);
    for (int32_t e = 0; e < tissue->flesh.tets.tet_count && !status; ++e) {
        if (m.patch_of[e] == 0) {
            m.patch_of[e] = -1;
            markRing(&m, e);
            status = addPatch(&m, e, why);
        }
    }
    tissue->patch_of = m.patch_of;
    tissue->patch_count = m.patch_count;
    tissue->patches = m.patches;
    snArena_Free(&m.scratch);
    return status;
}
