// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Masses of nodes and fill of cells by sampling the body.
#ifndef SN_FLESH_SAMPLE_H
#define SN_FLESH_SAMPLE_H

#include "base/memory.h"
#include "flesh/body.h"

SN_BEGIN_C

// What sampling found.
typedef struct snSampling {
    double* fill;  // share of each cell that the body fills, 0..1; (cell_count)
    double* mass;  // of each node, kg: integral of density times its shape function; (node_count)
    double volume; // of the body, m^3
    double error;  // one standard deviation of the volume, relative
} snSampling;

// Samples every cell at the places of snSample_Place (Kim & Pollard 2011, eqs. 10 and 11). density
// in kg/m^3 per cell. `kind` (may be NULL) says which cells are full or empty and need no samples:
// a quarter of a full one goes to each node. Arrays come from the arena.
typedef struct snSampleDef {
    const snTets* mesh;
    snSampledBody body;
    const double* density; // (cell_count)
    const uint8_t* kind;   // snCellKind; (cell_count)
    const int64_t* seed;   // NULL: the cell's number; (cell_count)
    int32_t strata;
} snSampleDef;

snStatus snSample_Mesh(snArena* arena, const snSampleDef* def, snSampling* out, snMessage* why);

// Where a cell is sampled: strata^3 (1..16) places, one at random in each stratum (the fold of a
// cube into a tet is Rocchini & Cignoni's, 2000). bary, point: (strata^3)
void snSample_Place(uint64_t seed, int32_t strata, const snVec3 corner[4], double (*bary)[4],
                    snVec3* point);

// The nearest number of strata there can be.
#define SN_MOST_STRATA 16
int32_t snSample_Strata(int32_t strata);

// What flooring changed, relative.
typedef struct snFloorChange {
    double mass;    // that had to be added before all masses were scaled back
    double inertia; // largest change of a moment of inertia about the centre of mass
} snFloorChange;

// Raises each node's mass to half of what the fill of its cells alone would give it, m_i >= 1/2
// sum_e max(w_e, 0.08) rho_e V_e / 4, and scales all so that the total stays. With eqs. 10 and 11
// alone stiffness over mass is unbounded as a cell empties: the stable step then depends on how the
// lattice happens to lie.
snStatus snSample_FloorMasses(snArena* arena, const snTets* mesh, const double* density,
                              snSampling* sampling, snFloorChange* change, snMessage* why);

SN_END_C

#endif
