// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "flesh/mesh.h"

#include "base/message.h"
#include "flesh/cover.h"
#include "flesh/points.h"
#include "flesh/tables.h"
#include "geom/parts.h"
#include <string.h>

// Points besides the vertices that contact sees, at most.
#define MOST_POINTS 100000

typedef struct Maker {
    const snFleshDef* def;
    snArena scratch; // for the whole making
    snSolid solid;
    snCover cover;    // lattice
    snTets all;       // cells before those without material leave
    uint8_t* kind;    // snCellKind of each
    int64_t* seed;    // lattice: number of its tet
    snSplit split;    // lattice: `all` are copies of cells that hold separate parts
    int32_t* kept;    // final cell of each, or -1
    int32_t* copy_of; // which of `all` a final cell is
} Maker;

// Cells -------------------------------------------------------------------------

static snStatus makeLattice(Maker* m, double* cell, snMessage* why)
{
    const snFleshDef* def = m->def;
    snTets given;
    int64_t* origin;
    snCover* cover = &m->cover;
    snStatus status =
        def->cell_size > 0
            ? snCover_Lay(&m->solid, def->cell_size, def->shift, def->strata, cover, why)
            : snCover_Search(&m->solid, def->cells, def->shift, def->strata, cover, why);
    status =
        status ? status
               : snLattice_Extract(&m->scratch, &cover->lattice, cover->keep, &given, &origin, why);
    status = status ? status
                    : snLattice_Split(&m->scratch, &given, snCover_Material, cover, &m->split, why);
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
        m->seed[e] = origin[m->split.origin[e]];
        m->kind[e] = cover->kind[m->seed[e]];
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
    return snSolid_Kinds(&m->solid, &m->scratch, &m->all, m->kind, why);
}

// Material ----------------------------------------------------------------------

static snStatus material(void* user, const snVec3* p, int64_t count, uint8_t* in, snMessage* why)
{
    Maker* m = user;
    return m->def->given ? snSolid_Material(&m->solid, p, count, in, why)
                         : snCover_Material(&m->cover, p, count, in, why);
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
        density[e] = snFleshDef_StuffOf(m->def, &m->all, e)->density;
    }
    const snSampleDef def = {.mesh = &m->all,
                             .split = m->split.origin ? &m->split : NULL,
                             .body = {material, m},
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

// Copies of a cell lie in the same place: each surface point goes to the one that holds the
// material just below it.
static void chooseCopies(Maker* m, const snPoints* points, snFlesh* out)
{
    for (int32_t i = 0; i < points->count; ++i) {
        int32_t cell = out->embedding.cell[i], given = m->split.origin[m->copy_of[cell]];
        if (m->split.first_copy[given + 1] - m->split.first_copy[given] > 1) {
            double w[4];
            snVec3 below = snMulAdd(points->position[i], -0.05 * out->cell, points->normal[i]);
            snEmbed_Weights(&out->tets, cell, below, w);
            int32_t copy = m->kept[snSplit_Copy(&m->split, given, w)];
            out->embedding.cell[i] = copy >= 0 ? copy : cell;
        }
    }
}

static snStatus embedSurface(Maker* m, snArena* arena, snFlesh* out, snMessage* why)
{
    snPoints points;
    snStatus status =
        snPoints_Spread(&m->scratch, m->def->surface, 0.5 * out->cell, MOST_POINTS, &points, why);
    status = status ? status
                    : snEmbed_Points(arena, &out->tets, points.position, points.count,
                                     &out->embedding, why);
    if (!status && !m->def->given) {
        chooseCopies(m, &points, out);
    }
    out->vertex_count = m->def->surface->vertex_count;
    out->point_count = points.count;
    return status;
}

snStatus snMesh_Make(snArena* arena, const snFleshDef* def, snFlesh* out, snMessage* why)
{
    Maker m = {.def = def};
    snArena_Init(&m.scratch, &arena->host);
    snStatus status = snSolid_Build(&m.scratch, def->surface, &m.solid, why);
    if (!status) {
        status = def->given ? takeGiven(&m, &out->cell, why) : makeLattice(&m, &out->cell, why);
    }
    status = status ? status : fillCells(&m, arena, out, why);
    status = status ? status : embedSurface(&m, arena, out, why);
    snCover_Free(&m.cover);
    snArena_Free(&m.scratch);
    return status;
}
