// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Viscosity of flesh: what moves against its neighbours is slowed down, so that fast jiggles, which
// would buzz, die sooner than slow ones.
//
//   m w' = - eta L w,   L_ij = sum of cells V fill grad N_i . grad N_j
//
// the part of Stokes' friction that shear and stretch have in common. Of flesh that swings against
// what is held it grows about as the square of the frequency: the ratio to critical damping grows
// as the frequency. Unlike that of the elastic forces' own strain rates it is cheap and allows for
// as long steps: after each kick velocities are swept,
//
//   w_i += h/n (sum of rate[k] w[node[k]] - total[i] w_i),   n times,
//
// which leaves every mode between what it was and nothing. eta is such that what one sees of each
// region, how it sways, is slowed at the rate that is asked for.
#ifndef SN_FLESH_VISCOUS_H
#define SN_FLESH_VISCOUS_H

#include "flesh/mode.h"

SN_BEGIN_C

typedef struct snViscousDef {
    const snTets* mesh;
    const double* fill;       // (tet_count)
    const double* mass;       // kg; (node_count)
    const snRegions* regions; // with how they sway
    const double* rate;       // of each region: 2 zeta omega wanted of that, 1/s
    const double* usual;      // of each region that does not sway: sum of V fill |grad u|^2 of what
                              // would be as fast
    const float* factor;      // of nodes, on what they feel; NULL: 1; (node_count)
    double step;              // with which it must be stable, s
} snViscousDef;

// Most sweeps a step
#define SN_VISCOUS_SWEEPS 2

// Rows of free nodes: k = first[i] .. first[i + 1] - 1
typedef struct snViscous {
    const int32_t* first; // (node_count + 1)
    const int32_t* node;
    const float* rate;  // 1/s
    const float* total; // sum of a row's; (node_count)
    const double* made; // 2 zeta omega of how each region sways; less than asked for where steps
                        // are too long; (regions)
    int32_t sweeps;     // a step
} snViscous;

snStatus snViscous_Build(snArena* arena, const snViscousDef* def, snViscous* out, snMessage* why);

SN_END_C

#endif
