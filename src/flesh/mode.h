// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The slowest jiggle of flesh at rest: the smallest eigenvalue of M^-1 K, K the stiffness of linear
// elasticity with Young's modulus 1 Pa, some nodes held. It grows with the modulus, so what makes a
// part jiggle at f Hz is (2 pi f)^2 over it.
#ifndef SN_FLESH_MODE_H
#define SN_FLESH_MODE_H

#include "flesh/body.h"

SN_BEGIN_C

// Free nodes that cells join, directly or through others, are a region.
typedef struct snRegions {
    int32_t count;
    int32_t* of_node;    // -1: it is held; (node_count)
    int32_t* of_cell;    // -1: all its nodes are held; (tet_count)
    uint8_t* is_held;    // 1: some cell joins the region to a held node; (count)
    double* slowest;     // eigenvalue with 1 Pa, 1/(Pa s^2); 0 of a region that nothing holds
    snVec3* mode;        // how nodes move in it, the region's kinetic energy 1/2; (node_count)
    double* sway;        // Rayleigh's quotient of how they sway, likewise
    snVec3* swaying;     // how they do, likewise
    double* share;       // (sum m |u|)^2 / (sum m sum m u^2) of what can move: how much does, 0..1
    int32_t* loosest;    // node that moves most in it; -1: none
    int32_t* node_count; // of each region
    int32_t* cell_count; // of each region
    double* mass;        // of its free nodes, kg
} snRegions;

// Numbers the regions in the order of their first nodes. Arrays come from the arena.
snStatus snRegions_Find(snArena* arena, const snTets* mesh, const double* mass, const uint8_t* held,
                        snRegions* out, snMessage* why);

// The slowest mode of each, from above, by inverse iteration until eigenvalues change by less than
// this part in a round; with SN_MODE_WELL usually within 1 %. fill: part of each cell that is body;
// (tet_count). still: nodes that are not held but do not move in it; NULL: none; (node_count)
#define SN_MODE_WELL 2e-3
snStatus snRegions_Slowest(snRegions* regions, const snHost* host, const snTets* mesh,
                           const double* fill, const double* mass, const uint8_t* still,
                           double poisson, double change, snMessage* why);

// How flesh sways when it is shaken: as it sags, along the axis along which it is softest. That is
// the jiggle that one sees; the slowest mode may be that of some part.
snStatus snRegions_Sway(snRegions* regions, const snHost* host, const snTets* mesh,
                        const double* fill, const double* mass, const uint8_t* still,
                        double poisson, snMessage* why);

// How far nodes sag with 1 Pa when everything weighs 1 m/s^2 times its mass: the root of the sum of
// squares for three directions, m. It is about 1/(1 Pa) over the eigenvalue of the slowest jiggle
// of what is about them: soft parts have their own, other than modes. 0 of what is held, or what
// nothing holds. (node_count)
snStatus snRegions_Sag(const snRegions* regions, const snHost* host, const snTets* mesh,
                       const double* fill, const double* mass, const uint8_t* still, double poisson,
                       double* sag, snMessage* why);

SN_END_C

#endif
