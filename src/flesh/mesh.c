// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "flesh/mesh.h"

#include "base/log.h"
#include "base/message.h"
#include "flesh/cover.h"
#include "flesh/points.h"
#include "flesh/rod.h"
#include "flesh/sheets.h"
#include "flesh/tables.h"
#include "geom/parts.h"
#include <string.h>

typedef struct Maker {
    const snFleshDef* def;
    snArena scratch; // for the whole making
    snInside inside;
    // lattice: its cells that may hold material, what they hold, and `all` as copies of them
    snCover cover;
    snTets given;
    int64_t* origin; // number of each in the lattice
    snContents contents;
    snSplit split;
    snTets all;       // cells before those without material leave
    uint8_t* kind;    // snCellKind of each
    int64_t* seed;    // lattice: number of its tet
    int32_t* kept;    // final cell of each, or -1
    int32_t* copy_of; // which of `all` a final cell is
} Maker;

// Cells -------------------------------------------------------------------------

// Besides the cells that samples found material in, those that the surface only touches: parts of
// the body hang together through them too, and vertices lie in them.
static snStatus takeTouched(Maker* m, snMessage* why)
{
    size_t count = (size_t)snBcc_TetCount(&m->cover.lattice);
    uint8_t* touched = snArena_Push(&m->scratch, count, 1);
    if (!touched) {
        return snFail(why, sn_errorMemory, "no memory for %zu cells", count);
    }
    for (size_t t = 0; t < count; ++t) {
        touched[t] = m->cover.kind[t] != sn_cellEmpty;
    }
    return snBcc_Extract(&m->scratch, &m->cover.lattice, touched, &m->given, &m->origin, why);
}

static snStatus makeLattice(Maker* m, double* cell, snMessage* why)
{
    const snFleshDef* def = m->def;
    snCover* cover = &m->cover;
    snStatus status =
        def->cell_size > 0
            ? snCover_Lay(&m->inside, def->cell_size, def->shift, def->strata, cover, why)
            : snCover_Search(&m->inside, def->cells, def->shift, def->strata, cover, why);
    status = status ? status : takeTouched(m, why);
    status = status ? status
                    : snSheets_Find(&m->scratch, cover, &m->given, m->origin, &m->contents, why);
    status = status ? status : snBcc_Split(&m->scratch, &m->given, &m->contents, &m->split, why);
    if (status) {
        return status;
    }
    *cell = cover->lattice.cell;
    m->all = m->split.tets;
    m->kind = snArena_Push(&m->scratch, (size_t)m->all.tet_count, 1);
    m->seed = snArena_Push(&m->scratch, (size_t)m->all.tet_count, sizeof(int64_t));
    if (m->scratch.failed) {
        return snFail(why, sn_errorMemory, "no memory for %d cells", (int)m->all.tet_count);
    }
    for (int32_t e = 0; e < m->all.tet_count; ++e) {
        m->seed[e] = m->origin[m->split.origin[e]];
        m->kind[e] = cover->keep[m->seed[e]] ? cover->kind[m->seed[e]] : sn_cellEmpty;
    }
    return sn_ok;
}

// A cell is flat below this volume over its longest edge cubed: rounding decides its sign.
#define FLAT 1e-9

// Turns a given cell if its nodes are in the order of negative volume; false when it is flat.
static bool turnCell(snTets* tets, int32_t cell, double* edges)
{
    static const int EDGES[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    int32_t* n = tets->tet + 4 * (size_t)cell;
    double longest = 0, V = snTets_Volume(tets, cell);
    for (int k = 0; k < 6; ++k) {
        snVec3 a = tets->position[n[EDGES[k][0]]], b = tets->position[n[EDGES[k][1]]];
        double length = snLength(snSub(b, a));
        *edges += length;
        longest = length > longest ? length : longest;
    }
    if (V < 0) {
        int32_t was = n[2];
        n[2] = n[3];
        n[3] = was;
    }
    return fabs(V) > FLAT * longest * longest * longest;
}

static snStatus takeGiven(Maker* m, double* cell, snMessage* why)
{
    size_t count = (size_t)m->def->given->tet_count;
    double edges = 0;
    m->all = *m->def->given;
    m->all.tet = snArena_Push(&m->scratch, 4 * count, sizeof(int32_t));
    m->kind = snArena_Push(&m->scratch, count, 1);
    if (m->scratch.failed) {
        return snFail(why, sn_errorMemory, "no memory for %zu cells", count);
    }
    memcpy(m->all.tet, m->def->given->tet, 4 * count * sizeof(int32_t));
    for (int32_t e = 0; e < m->all.tet_count; ++e) {
        if (!turnCell(&m->all, e, &edges)) {
            return snFail(why, sn_errorArgument, "tet %d has no volume; leave it out", (int)e);
        }
    }
    *cell = count > 0 ? edges / (6 * (double)count) : 0;
    return snInside_Kinds(&m->inside, &m->scratch, &m->all, m->kind, why);
}

// Material ----------------------------------------------------------------------

static snStatus material(void* user, const snVec3* p, int64_t count, uint8_t* in, snMessage* why)
{
    Maker* m = user;
    return m->def->given ? snInside_Material(&m->inside, p, count, in, why)
                         : snCover_Material(&m->cover, p, count, in, why);
}

static bool owns(void* user, int32_t copy, snVec3 p)
{
    const Maker* m = user;
    int32_t given = m->split.origin[copy];
    return m->contents.parts[given] <= 1 ||
           copy - m->split.first_copy[given] ==
               snSheets_Part(&m->cover, &m->given, &m->contents, given, p);
}

// Parts of the mesh that hang together with nothing and hold less than this share of the mass are
// crumbs: corners of the body that its own cells just miss. They would fall off, and through the
// ground where no surface point lies in them.
#define CRUMB 2e-3

// Takes the material out of crumbs. Parts share no nodes, so masses elsewhere stay.
static snStatus dropCrumbs(Maker* m, const snSampling* sampling, snMessage* why)
{
    const snTets* all = &m->all;
    int32_t* part = snArena_Push(&m->scratch, (size_t)all->node_count, sizeof(int32_t));
    double* mass = snArena_Push(&m->scratch, (size_t)all->node_count, sizeof(double));
    double largest = 0;
    if (m->scratch.failed) {
        return snFail(why, sn_errorMemory, "no memory for %d nodes", (int)all->node_count);
    }
    snParts_Start(part, all->node_count);
    for (int32_t e = 0; e < all->tet_count; ++e) {
        const int32_t* n = all->tet + 4 * (size_t)e;
        for (int k = 1; k < 4 && sampling->fill[e] > 0; ++k) {
            snParts_Join(part, n[0], n[k]);
        }
    }
    for (int32_t i = 0; i < all->node_count; ++i) {
        mass[snParts_Find(part, i)] += sampling->mass[i];
    }
    for (int32_t i = 0; i < all->node_count; ++i) {
        largest = mass[i] > largest ? mass[i] : largest;
    }
    for (int32_t e = 0; e < all->tet_count; ++e) {
        if (mass[snParts_Find(part, all->tet[4 * (size_t)e])] < CRUMB * largest) {
            sampling->fill[e] = 0;
        }
    }
    return sn_ok;
}

// The cells with fill > 0 and the nodes they use; fill and mass go along.
static snStatus dropEmpty(Maker* m, snArena* arena, const snSampling* sampling, snFlesh* out,
                          snMessage* why)
{
    const snTets* all = &m->all;
    int32_t* number = snArena_Push(&m->scratch, (size_t)all->node_count, sizeof(int32_t));
    double* fill = snArena_Push(arena, (size_t)all->tet_count, sizeof(double));
    double* mass = snArena_Push(arena, (size_t)all->node_count, sizeof(double));
    out->tets.position = snArena_Push(arena, (size_t)all->node_count, sizeof(snVec3));
    out->tets.tet = snArena_Push(arena, 4 * (size_t)all->tet_count, sizeof(int32_t));
    m->kept = snArena_Push(&m->scratch, (size_t)all->tet_count, sizeof(int32_t));
    m->copy_of = snArena_Push(&m->scratch, (size_t)all->tet_count, sizeof(int32_t));
    if (arena->failed || m->scratch.failed) {
        return snFail(why, sn_errorMemory, "no memory for %d cells", (int)all->tet_count);
    }
    for (int32_t e = 0; e < all->tet_count; ++e) {
        m->kept[e] = -1;
        if (sampling->fill[e] > 0) {
            int32_t at = out->tets.tet_count++;
            m->kept[e] = at;
            m->copy_of[at] = e;
            fill[at] = sampling->fill[e];
            for (int k = 0; k < 4; ++k) {
                number[all->tet[4 * (size_t)e + (size_t)k]] = 1;
            }
        }
    }
    for (int32_t i = 0; i < all->node_count; ++i) {
        if (number[i]) {
            int32_t at = out->tets.node_count++;
            number[i] = at;
            out->tets.position[at] = all->position[i];
            mass[at] = sampling->mass[i];
        }
    }
    for (int32_t i = 0; i < 4 * out->tets.tet_count; ++i) {
        out->tets.tet[i] = number[all->tet[4 * (size_t)m->copy_of[i / 4] + (size_t)(i % 4)]];
    }
    out->fill = fill;
    out->mass = mass;
    return out->tets.tet_count > 0
               ? sn_ok
               : snFail(why, sn_errorArgument,
                        "the surface encloses nothing that cells of %g m could hold; ask for more "
                        "cells or close it",
                        out->cell);
}

static snStatus fillCells(Maker* m, snArena* arena, snFlesh* out, snMessage* why)
{
    snSampling sampling;
    double* density = snArena_Push(&m->scratch, (size_t)m->all.tet_count, sizeof(double));
    if (!density) {
        return snFail(why, sn_errorMemory, "no memory for %d cells", (int)m->all.tet_count);
    }
    for (int32_t e = 0; e < m->all.tet_count; ++e) {
        density[e] = snFleshDef_MaterialOf(m->def, &m->all, e)->density;
    }
    const snSampleDef def = {.mesh = &m->all,
                             .body = {material, m, m->def->given ? NULL : owns},
                             .density = density,
                             .kind = m->kind,
                             .seed = m->seed,
                             .strata = m->def->strata};
    snStatus status = snSample_Mesh(&m->scratch, &def, &sampling, why);
    if (!status && m->def->floor_masses) {
        status = snSample_FloorMasses(&m->scratch, &m->all, density, &sampling, &out->floored, why);
    }
    out->volume = sampling.volume;
    out->error = sampling.error;
    status = status ? status : dropCrumbs(m, &sampling, why);
    return status ? status : dropEmpty(m, arena, &sampling, out, why);
}

// Surface -----------------------------------------------------------------------

// Copies around nodes, for points whose own copy has no samples with material: they hang on the
// nearest one that their part reaches through a face.
typedef struct Around {
    int32_t* begin; // into list; (node_count + 1)
    int32_t* list;  // copies around each node
    int32_t* seen;  // 1 + point for which a copy was last looked at; (copies)
    int32_t* queue; // (copies)
} Around;

// Steps from copy to copy after which a part counts as lost: a needle, a crumb.
#define MOST_STEPS 4

static snStatus listAround(Maker* m, Around* a, snMessage* why)
{
    const snTets* all = &m->all;
    size_t nodes = (size_t)all->node_count, copies = (size_t)all->tet_count;
    *a = (Around){snArena_Push(&m->scratch, nodes + 2, sizeof(int32_t)),
                  snArena_Push(&m->scratch, 4 * copies, sizeof(int32_t)),
                  snArena_Push(&m->scratch, copies, sizeof(int32_t)),
                  snArena_Push(&m->scratch, copies, sizeof(int32_t))};
    if (m->scratch.failed) {
        return snFail(why, sn_errorMemory, "no memory for %zu cells", copies);
    }
    // counts sit two behind; they become starts, one behind while the list is filled
    for (size_t i = 0; i < 4 * copies; ++i) {
        ++a->begin[all->tet[i] + 2];
    }
    for (size_t i = 2; i < nodes + 2; ++i) {
        a->begin[i] += a->begin[i - 1];
    }
    for (size_t i = 0; i < 4 * copies; ++i) {
        a->list[a->begin[all->tet[i] + 1]++] = (int32_t)(i / 4);
    }
    return sn_ok;
}

// Do copies of different cells share a face? To share fewer nodes is not enough: where legs meet,
// copies that hold one or the other have common nodes.
static bool isBeside(const Maker* m, int32_t a, int32_t b)
{
    const int32_t *n = m->all.tet + 4 * (size_t)a, *o = m->all.tet + 4 * (size_t)b;
    int shared = 0;
    for (int k = 0; k < 16; ++k) {
        shared += n[k / 4] == o[k % 4];
    }
    return shared == 3 && m->split.origin[a] != m->split.origin[b];
}

// Puts the copies beside one in the queue, behind the `count` that are there; returns how many
// there are then.
static int32_t queueBeside(const Maker* m, Around* a, int32_t copy, int32_t point, int32_t count)
{
    for (int k = 0; k < 4; ++k) {
        int32_t node = m->all.tet[4 * (size_t)copy + (size_t)k];
        for (int32_t i = a->begin[node]; i < a->begin[node + 1]; ++i) {
            int32_t other = a->list[i];
            if (a->seen[other] != point + 1 && isBeside(m, copy, other)) {
                a->seen[other] = point + 1;
                a->queue[count++] = other;
            }
        }
    }
    return count;
}

// The final cell nearest to the point among those fewest steps from the copy; -1 when none is near.
static int32_t nearestOf(const Maker* m, Around* a, const snTets* cells, int32_t copy,
                         int32_t point, snVec3 p)
{
    int32_t best = m->kept[copy], count = 1, done = 0;
    double least = HUGE_VAL;
    a->queue[0] = copy;
    a->seen[copy] = point + 1;
    for (int step = 0; step < MOST_STEPS && best < 0; ++step) {
        for (int32_t end = count; done < end; ++done) {
            count = queueBeside(m, a, a->queue[done], point, count);
        }
        for (int32_t i = done; i < count; ++i) {
            int32_t cell = m->kept[a->queue[i]];
            double gap = cell < 0 ? HUGE_VAL : snEmbed_Gap(cells, cell, p);
            if (gap < least || (gap == least && cell >= 0 && cell < best)) {
                least = gap;
                best = cell;
            }
        }
    }
    return best;
}

// The copy whose part of the body the surface around a point belongs to, or -1.
static int32_t copyAt(const Maker* m, snVec3 p, int32_t triangle)
{
    int64_t tet = snBcc_Locate(&m->cover.lattice, p);
    int32_t lo = 0, hi = m->given.tet_count;
    while (lo < hi) {
        int32_t middle = lo + (hi - lo) / 2;
        if (m->origin[middle] < tet) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    if (triangle < 0 || lo == m->given.tet_count || m->origin[lo] != tet) {
        return -1;
    }
    int32_t part = snContents_Part(&m->contents, lo, triangle);
    return part < 0 ? -1 : m->split.first_copy[lo] + part;
}

// Points without a cell of their own part, crumbs and vertices that no triangle uses, hang on the
// nearest one.
static snStatus embedLost(Maker* m, const snPoints* points, snFlesh* out, snMessage* why)
{
    snEmbedding nearest;
    snVec3* lost = snArena_Push(&m->scratch, (size_t)points->count, sizeof(snVec3));
    int32_t count = 0;
    if (!lost) {
        return snFail(why, sn_errorMemory, "no memory for %d points", (int)points->count);
    }
    for (int32_t i = 0; i < points->count; ++i) {
        if (out->embedding.cell[i] < 0) {
            lost[count++] = points->position[i];
        }
    }
    if (count == 0) {
        return sn_ok;
    }
    snStatus status = snEmbed_Points(&m->scratch, &out->tets, lost, count, &nearest, why);
    count = 0;
    for (int32_t i = 0; i < points->count && !status; ++i) {
        if (out->embedding.cell[i] < 0) {
            out->embedding.cell[i] = nearest.cell[count++];
        }
    }
    return status;
}

// Cells of a lattice overlap where they hold separate parts: every point goes to the cell that
// holds the part it lies on, which need not be one that it lies in.
static snStatus embedInParts(Maker* m, snArena* arena, const snPoints* points, snFlesh* out,
                             snMessage* why)
{
    Around around = {0};
    snEmbedding* e = &out->embedding;
    *e = (snEmbedding){.cell = snArena_Push(arena, (size_t)points->count, sizeof(int32_t)),
                       .weight = snArena_Push(arena, (size_t)points->count, sizeof *e->weight)};
    snStatus status = arena->failed ? snFail(why, sn_errorMemory, "no memory to embed %d points",
                                             (int)points->count)
                                    : listAround(m, &around, why);
    for (int32_t i = 0; i < points->count && !status; ++i) {
        int32_t copy = copyAt(m, points->position[i], points->triangle[i]);
        e->cell[i] =
            copy < 0 ? -1 : nearestOf(m, &around, &out->tets, copy, i, points->position[i]);
    }
    status = status ? status : embedLost(m, points, out, why);
    for (int32_t i = 0; i < points->count && !status; ++i) {
        double gap = snEmbed_Gap(&out->tets, e->cell[i], points->position[i]);
        snEmbed_Weights(&out->tets, e->cell[i], points->position[i], e->weight[i]);
        e->outside += i < m->def->surface->vertex_count && gap > 0;
        e->farthest = gap > e->farthest ? gap : e->farthest;
    }
    return status;
}

static snStatus embedSurface(Maker* m, snArena* arena, snFlesh* out, snMessage* why)
{
    snPoints points;
    snStatus status =
        snPoints_SpreadForCells(&m->scratch, m->def->surface, out->cell, &points, why);
    if (!status) {
        status = m->def->given ? snEmbed_Points(arena, &out->tets, points.position, points.count,
                                                &out->embedding, why)
                               : embedInParts(m, arena, &points, out, why);
    }
    out->vertex_count = m->def->surface->vertex_count;
    out->point_count = points.count;
    return status;
}

// Warnings ----------------------------------------------------------------------

// Larger bodies usually come in centimetres or millimetres.
#define LARGE 50.0 // m

// How far the nearest node is from a segment, m.
static double nodeGap(const snTets* tets, snVec3 from, snVec3 to)
{
    double least = HUGE_VAL;
    for (int32_t i = 0; i < tets->node_count; ++i) {
        double d = snSegmentDistance(from, to, tets->position[i]);
        least = d < least ? d : least;
    }
    return least;
}

// What is no mistake of form but hardly meant. Nodes lie up to a cell outside the body.
static snStatus warn(Maker* m, const snFlesh* out, snMessage* why)
{
    const snFleshDef* def = m->def;
    const snHost* host = &m->scratch.host;
    snVec3 span = snSub(m->inside.box.hi, m->inside.box.lo);
    double size = fmax(span.x, fmax(span.y, span.z));
    if (size > LARGE) {
        snLog(host, sn_logWarning,
              "the body is %.4g m large; lengths are in metres: scale it by 0.01 or 0.001 if it "
              "came in centimetres or millimetres",
              size);
    }
    int32_t bones = def->skeleton ? def->skeleton->bone_count : 0;
    const snRod* rods = bones > 0 ? snRods_Place(&m->scratch, def->skeleton) : NULL;
    if (bones > 0 && !rods) {
        return snFail(why, sn_errorMemory, "no memory for %d bones", (int)bones);
    }
    for (int32_t b = 0; b < bones; ++b) {
        double gap = nodeGap(&out->tets, rods[b].from, rods[b].to);
        if (gap > out->cell) {
            snLog(host, sn_logWarning, "bone '%s' misses the body by %.3g m; nothing hangs on it",
                  snSkeleton_Bone(def->skeleton, b)->name, gap);
        }
    }
    for (int32_t r = 0; r < def->region_count; ++r) {
        double gap = nodeGap(&out->tets, def->regions[r].a, def->regions[r].b);
        if (gap > def->regions[r].radius + out->cell) {
            snLog(host, sn_logWarning, "region %d misses the body by %.3g m", r,
                  gap - def->regions[r].radius);
        }
    }
    return sn_ok;
}

snStatus snMesh_Build(snArena* arena, const snFleshDef* def, snFlesh* out, snMessage* why)
{
    Maker m = {.def = def};
    snArena_Init(&m.scratch, &arena->host);
    snStatus status = snInside_Build(&m.scratch, def->surface, &m.inside, why);
    if (!status) {
        status = def->given ? takeGiven(&m, &out->cell, why) : makeLattice(&m, &out->cell, why);
    }
    status = status ? status : fillCells(&m, arena, out, why);
    status = status ? status : embedSurface(&m, arena, out, why);
    status = status ? status : warn(&m, out, why);
    snCover_Free(&m.cover);
    snArena_Free(&m.scratch);
    return status;
}
