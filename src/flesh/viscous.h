// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Viscosity of flesh: what moves against its neighbours is slowed down, so that fast jiggles, which
// would buzz, die sooner than slow ones.
//
//   m w' = - eta L w,   L_ij = sum of cells V fill grad N_i . grad N_j
//
// the part of Stokes' friction that shear and stretch have in common. Of flesh that swings against
// what is held it grows about as the square of the frequency. Unlike that of the elastic forces'
// own strain rates it is cheap and allows for as long steps. eta is such that the slowest mode of
// each region is slowed at the rate that is asked for.
#ifndef SN_FLESH_VISCOUS_H
#define SN_FLESH_VISCOUS_H

#include "flesh/mode.h"

typedef struct snViscousDef {
    const snTets* mesh;
    const double* fill;       // (tet_count)
    const double* mass;       // kg; (node_count)
    const snRegions* regions; // with their slowest modes
    const double* rate;       // of each region: 2 zeta omega wanted of its slowest mode, 1/s
    const float* factor;      // of nodes, on what they feel; NULL: 1; (node_count)
    double step;              // with which it must be stable, s
} snViscousDef;

// Rows of free nodes: a_i = sum of rate[k] w[node[k]] - total[i] w_i, k = first[i] .. first[i + 1]
// - 1
typedef struct snViscous {
    const int32_t* first; // (node_count + 1)
    const int32_t* node;
    const float* rate;  // 1/s
    const float* total; // sum of a row's; (node_count)
    const double* made; // 2 zeta omega of each region's slowest mode; less than asked for where
                        // steps are too long; (regions)
} snViscous;

snStatus snViscous_Make(snArena* arena, const snViscousDef* def, snViscous* out, snMessage* why);

#endif
