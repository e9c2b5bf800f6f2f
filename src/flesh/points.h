// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The points of a surface that contact sees: its vertices, and more on triangles that are large
// against the cells. A cube of eight vertices would stand on four of them and sag through the
// ground in between.
#ifndef SN_FLESH_POINTS_H
#define SN_FLESH_POINTS_H

#include "geom/surface.h"

SN_BEGIN_C

typedef struct snPoints {
    int32_t count;     // the surface's vertices come first
    snVec3* position;  // (count)
    int32_t* triangle; // one that it lies on, or -1; (count)
    double* area;      // that it stands for, m^2; their sum is the surface's; (count)
} snPoints;

// Triangles with an edge longer than 1.5 spacings are cut into n^2 equal ones of which each gives
// its middle, n such that edges are at most a spacing; coarser when that made more than `most`.
snStatus snPoints_Spread(snArena* arena, const snSurface* surface, double spacing, int32_t most,
                         snPoints* out, snMessage* why);

// The points of flesh with cells of this size.
snStatus snPoints_SpreadForCells(snArena* arena, const snSurface* surface, double cell,
                                 snPoints* out, snMessage* why);

SN_END_C

#endif
