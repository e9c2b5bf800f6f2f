// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Flesh: one discretisation of a body around its skeleton, ready to be stepped.
#ifndef SN_FLESH_FLESH_H
#define SN_FLESH_FLESH_H

#include "elastic/cells.h"
#include "flesh/bind.h"
#include "flesh/embed.h"
#include "flesh/sample.h"
#include "geom/surface.h"

// What flesh is built from.
typedef struct snFleshDef {
    const snSurface*
        surface; // of the body at rest, in the character's frame; any soup that winds around it
    const snSkeleton* skeleton; // in its zero pose
    int32_t cells;              // wanted number of cells, 1..10,000,000
    double young;               // Young's modulus, Pa, > 0; usually 30e3
    double poisson;             // Poisson's ratio, 0..0.49; usually 0.40
    double density;             // kg/m^3, > 0; usually 1000
    int32_t strata;             // samples along each side of a cell, 1..16; usually 4
    snVec3 shift;               // of the lattice, in cells, each -1/2..1/2; usually 0
    snBindDef bind;
} snFleshDef;

// Fills the usual values.
void snFleshDef_Init(snFleshDef* def);

// Immutable; everything lies in the arena given to snFlesh_Build.
typedef struct snFlesh {
    double cell;           // side of the lattice's cubes, m
    snTets tets;           // cells with material, nodes with mass
    const double* fill;    // (tets.tet_count)
    const double* mass;    // floored, kg; (tets.node_count)
    double volume;         // of the body, m^3
    double error;          // one standard deviation of the volume, relative
    snFloorChange floored; // what flooring the masses changed
    snBinding binding;     // nodes to bones
    snEmbedding embedding; // surface vertices in cells
    const snCells* cells;  // what computes elastic forces
    snStableStep step;     // s; fixed nodes held
} snFlesh;

// Builds a lattice of about def->cells cells around the surface, drops cells without material,
// gives separate parts in one cell their own copies, samples masses, binds, embeds. Fails with what
// to do when the body is empty or too thin for the cells.
snStatus snFlesh_Build(snArena* arena, const snFleshDef* def, snFlesh* out, snMessage* why);

#endif
