// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "flesh/flesh.h"

#include "base/message.h"
#include "geom/lattice.h"
#include "geom/winding.h"
#include <string.h>

#define MOST_CELLS 10000000

// Cells smaller than this part of the body's size mean that it has no volume to speak of.
#define LEAST_CELL 1e-3

void snFleshDef_Init(snFleshDef* def)
{
    *def = (snFleshDef){.cells = 3000,
                        .young = 30e3,
                        .poisson = 0.40,
                        .density = 1000,
                        .strata = 4,
                        .bind = {0.6, 1}};
}

// The body as the winding number sees it -----------------------------------------

typedef struct Builder {
    const snFleshDef* def;
    snArena scratch; // for the whole build
    snWinding winding;
    snBox box;
    snSplit split;    // copies of cells that hold separate parts
    int32_t* kept;    // final cell of each copy, or -1
    int32_t* copy_of; // copy that a final cell is
} Builder;

static snStatus isMaterial(void* user, const snVec3* p, int64_t count, uint8_t* in, snMessage* why)
{
    Builder* b = user;
    double w[256];
    for (int64_t i = 0; i < count; i += 256) {
        int64_t n = count - i < 256 ? count - i : 256;
        snStatus status = snWinding_Batch(&b->winding, p + i, n, w, &b->scratch.host, NULL, why);
        if (status) {
            return status;
        }
        for (int64_t k = 0; k < n; ++k) {
            in[i + k] = snWinding_IsInside(w[k]);
        }
    }
    return sn_ok;
}

// Samples of a cell that decide whether it is kept: its centre, and places near its corners, edges
// and faces.
#define PROBES 15
#define PROBE_CELLS 16

static void placeProbes(const snLattice* lattice, const int64_t node[4], snVec3* p)
{
    snVec3 corner[4], sum = snV3(0, 0, 0);
    int n = 0;
    for (int k = 0; k < 4; ++k) {
        corner[k] = snLattice_Node(lattice, node[k]);
        sum = snAdd(sum, corner[k]);
    }
    snVec3 centre = snScale(0.25, sum);
    p[n++] = centre;
    for (int k = 0; k < 4; ++k) {
        snVec3 face = snScale(1.0 / 3, snSub(sum, corner[k]));
        p[n++] = snMulAdd(centre, 0.8, snSub(corner[k], centre));
        p[n++] = snMulAdd(centre, 0.9, snSub(face, centre));
        for (int l = k + 1; l < 4; ++l) {
            snVec3 edge = snScale(0.5, snAdd(corner[k], corner[l]));
            p[n++] = snMulAdd(centre, 0.9, snSub(edge, centre));
        }
    }
}

// Keeps those of `count` cells that have a probe inside the body.
static snStatus probeCells(Builder* b, const snVec3* p, const int64_t* tet, int count,
                           uint8_t* keep, snMessage* why)
{
    uint8_t in[PROBES * PROBE_CELLS];
    snStatus status = isMaterial(b, p, (int64_t)count * PROBES, in, why);
    for (int i = 0; i < count * PROBES && !status; ++i) {
        keep[tet[i / PROBES]] |= in[i];
    }
    return status;
}

// Cells that matter: those that hold a surface vertex, and those with a probe inside the body.
static snStatus markCells(Builder* b, const snLattice* lattice, uint8_t* keep, int64_t* count,
                          snMessage* why)
{
    const snSurface* s = b->def->surface;
    int64_t tets = snLattice_TetCount(lattice), node[4], waiting[PROBE_CELLS];
    snVec3 p[PROBES * PROBE_CELLS];
    snStatus status = sn_ok;
    int n = 0;
    memset(keep, 0, (size_t)tets);
    for (int32_t i = 0; i < s->vertex_count; ++i) {
        int64_t t = snLattice_Locate(lattice, s->position[i]);
        if (t >= 0) {
            keep[t] = 1;
        }
    }
    for (int64_t t = 0; t < tets && !status; ++t) {
        if (!keep[t] && snLattice_Tet(lattice, t, node)) {
            waiting[n] = t;
            placeProbes(lattice, node, p + PROBES * n++);
        }
        if (n == PROBE_CELLS || t == tets - 1) {
            status = probeCells(b, p, waiting, n, keep, why);
            n = 0;
        }
    }
    *count = 0;
    for (int64_t t = 0; t < tets; ++t) {
        *count += keep[t];
    }
    return status;
}

static snStatus coverBody(Builder* b, double cell, snArena* arena, snLattice* lattice,
                          uint8_t** keep, int64_t* count, snMessage* why)
{
    snStatus status = snLattice_Cover(b->box, cell, b->def->shift, lattice, why);
    if (status) {
        return status;
    }
    *keep = snArena_Push(arena, (size_t)snLattice_TetCount(lattice), 1);
    if (!*keep) {
        return snFail(why, sn_errorMemory, "no memory for a lattice with cells of %g m", cell);
    }
    return markCells(b, lattice, *keep, count, why);
}

static snStatus countCells(void* user, double cell, int64_t* count, snMessage* why)
{
    Builder* b = user;
    snArena arena;
    snLattice lattice;
    uint8_t* keep;
    snVec3 span = snSub(b->box.hi, b->box.lo);
    if (cell < LEAST_CELL * (span.x + span.y + span.z)) {
        return snFail(
            why, sn_errorArgument,
            "the surface encloses nothing, or too little for %d cells; close its holes or "
            "ask for fewer",
            (int)b->def->cells);
    }
    snArena_Init(&arena, &b->scratch.host);
    snStatus status = coverBody(b, cell, &arena, &lattice, &keep, count, why);
    snArena_Free(&arena);
    return status;
}

// From lattice to cells with material ---------------------------------------------

// The cells with fill > 0 and the nodes they use; fill and mass go along.
static snStatus dropEmpty(Builder* b, snArena* arena, const snSampling* sampling, snFlesh* out,
                          snMessage* why)
{
    const snTets* all = &b->split.tets;
    int32_t* number = snArena_Push(arena, (size_t)all->node_count, sizeof(int32_t));
    double* fill = snArena_Push(arena, (size_t)all->tet_count, sizeof(double));
    double* mass = snArena_Push(arena, (size_t)all->node_count, sizeof(double));
    out->tets.position = snArena_Push(arena, (size_t)all->node_count, sizeof(snVec3));
    out->tets.tet = snArena_Push(arena, 4 * (size_t)all->tet_count, sizeof(int32_t));
    b->kept = snArena_Push(&b->scratch, (size_t)all->tet_count, sizeof(int32_t));
    b->copy_of = snArena_Push(&b->scratch, (size_t)all->tet_count, sizeof(int32_t));
    if (arena->failed || b->scratch.failed) {
        return snFail(why, sn_errorMemory, "no memory for %d cells", (int)all->tet_count);
    }
    for (int32_t e = 0; e < all->tet_count; ++e) {
        b->kept[e] = -1;
        if (sampling->fill[e] > 0) {
            int32_t at = out->tets.tet_count++;
            b->kept[e] = at;
            b->copy_of[at] = e;
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
    for (int32_t e = 0; e < all->tet_count; ++e) {
        for (int k = 0; k < 4 && b->kept[e] >= 0; ++k) {
            out->tets.tet[4 * (size_t)b->kept[e] + (size_t)k] =
                number[all->tet[4 * (size_t)e + (size_t)k]];
        }
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

static snStatus fillCells(Builder* b, snArena* arena, snFlesh* out, snMessage* why)
{
    snLattice lattice;
    uint8_t* keep;
    int64_t count;
    snTets given;
    snSampling sampling;
    snBody body = {isMaterial, b};
    snStatus status = coverBody(b, out->cell, &b->scratch, &lattice, &keep, &count, why);
    status = status ? status : snLattice_Extract(&b->scratch, &lattice, keep, &given, NULL, why);
    status = status ? status : snLattice_Split(&b->scratch, &given, isMaterial, b, &b->split, why);
    if (status) {
        return status;
    }
    double* density = snArena_Push(&b->scratch, (size_t)b->split.tets.tet_count, sizeof(double));
    if (!density) {
        return snFail(why, sn_errorMemory, "no memory for %d cells", (int)b->split.tets.tet_count);
    }
    for (int32_t e = 0; e < b->split.tets.tet_count; ++e) {
        density[e] = b->def->density;
    }
    status = snSample_Mesh(&b->scratch, &b->split.tets, &b->split, &body, density, b->def->strata,
                           &sampling, why);
    status = status ? status
                    : snSample_FloorMasses(&b->scratch, &b->split.tets, density, &sampling,
                                           &out->floored, why);
    out->volume = sampling.volume;
    out->error = sampling.error;
    return status ? status : dropEmpty(b, arena, &sampling, out, why);
}

// Copies of a cell lie in the same place: each surface vertex goes to the one that holds the
// material just below it.
static snStatus chooseCopies(Builder* b, snFlesh* out, snMessage* why)
{
    const snSurface* s = b->def->surface;
    snVec3* normal = snArena_Push(&b->scratch, (size_t)s->vertex_count, sizeof(snVec3));
    if (!normal) {
        return snFail(why, sn_errorMemory, "no memory for %d normals", (int)s->vertex_count);
    }
    snSurface_Normals(s, normal);
    for (int32_t i = 0; i < s->vertex_count; ++i) {
        int32_t cell = out->embedding.cell[i], given = b->split.origin[b->copy_of[cell]];
        if (b->split.first_copy[given + 1] - b->split.first_copy[given] > 1) {
            double w[4];
            snVec3 below = snMulAdd(s->position[i], -0.05 * out->cell, normal[i]);
            snEmbed_Weights(&out->tets, cell, below, w);
            int32_t copy = b->kept[snSplit_Copy(&b->split, given, w)];
            out->embedding.cell[i] = copy >= 0 ? copy : cell;
        }
    }
    return sn_ok;
}

// Elasticity ----------------------------------------------------------------------

static snStatus buildCells(Builder* b, snArena* arena, snFlesh* out, snMessage* why)
{
    size_t cells = (size_t)out->tets.tet_count, nodes = (size_t)out->tets.node_count;
    double E = b->def->young, nu = b->def->poisson;
    double* mu = snArena_Push(&b->scratch, cells, sizeof(double));
    double* lambda = snArena_Push(&b->scratch, cells, sizeof(double));
    double* rest = snArena_Push(&b->scratch, 3 * nodes, sizeof(double));
    double* inverse = snArena_Push(&b->scratch, nodes, sizeof(double));
    if (b->scratch.failed) {
        return snFail(why, sn_errorMemory, "no memory for %zu cells", cells);
    }
    for (size_t e = 0; e < cells; ++e) {
        mu[e] = E / (2 * (1 + nu));
        lambda[e] = E * nu / ((1 + nu) * (1 - 2 * nu));
    }
    for (size_t i = 0; i < nodes; ++i) {
        rest[3 * i] = out->tets.position[i].x;
        rest[3 * i + 1] = out->tets.position[i].y;
        rest[3 * i + 2] = out->tets.position[i].z;
        inverse[i] = out->binding.fixed[i] < 0 ? 1 / out->mass[i] : 0;
    }
    snCellsDef def;
    snCellsDef_Init(&def);
    def.node_count = out->tets.node_count;
    def.cell_count = out->tets.tet_count;
    def.rest = rest;
    def.tets = out->tets.tet;
    def.mu = mu;
    def.lambda = lambda;
    def.weight = out->fill;
    snStatus status = snCells_Build(arena, &def, &out->cells, why);
    return status ? status
                  : snCells_StableStep(out->cells, &b->scratch.host, inverse, 60, &out->step, why);
}

static snStatus checkDef(const snFleshDef* def, snMessage* why)
{
    if (!def->surface || !def->skeleton || def->surface->triangle_count < 1) {
        return snFail(why, sn_errorArgument, "flesh needs a surface with triangles and a skeleton");
    }
    if (def->cells < 1 || def->cells > MOST_CELLS) {
        return snFail(why, sn_errorArgument, "the number of cells must lie in 1..%d, found %d",
                      MOST_CELLS, (int)def->cells);
    }
    if (!(def->young > 0 && def->young < 1e12) || !(def->poisson >= 0 && def->poisson <= 0.49) ||
        !(def->density > 0 && def->density < 1e6)) {
        return snFail(
            why, sn_errorArgument,
            "Young's modulus must be above 0 Pa, Poisson's ratio in 0..0.49 and density above "
            "0 kg/m^3, found %g, %g and %g",
            def->young, def->poisson, def->density);
    }
    return sn_ok;
}

snStatus snFlesh_Build(snArena* arena, const snFleshDef* def, snFlesh* out, snMessage* why)
{
    Builder b = {.def = def};
    int64_t got;
    *out = (snFlesh){0};
    snStatus status = checkDef(def, why);
    if (status) {
        return status;
    }
    snArena_Init(&b.scratch, &arena->host);
    b.box = snSurface_Bounds(def->surface);
    snVec3 span = snSub(b.box.hi, b.box.lo);
    double longest = span.x > span.y ? span.x : span.y;
    longest = longest > span.z ? longest : span.z;
    status = snWinding_Build(&b.scratch, def->surface, &b.winding, why);
    status = status
                 ? status
                 : snLattice_Search(countCells, &b, def->cells, longest / 8, &out->cell, &got, why);
    status = status ? status : fillCells(&b, arena, out, why);
    status = status
                 ? status
                 : snBind_Nodes(arena, &out->tets, def->skeleton, &def->bind, &out->binding, why);
    status = status ? status
                    : snEmbed_Points(arena, &out->tets, def->surface->position,
                                     def->surface->vertex_count, &out->embedding, why);
    status = status ? status : chooseCopies(&b, out, why);
    status = status ? status : buildCells(&b, arena, out, why);
    snArena_Free(&b.scratch);
    return status;
}
