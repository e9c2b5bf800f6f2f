// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Flesh that is not held well. Where a body is about as thin as its cells, some of it hangs on a
// node or an edge alone and would swing like a door, so slowly that no stiffness made it jiggle as
// fast as wanted. Such bits are held as a whole; what nothing holds is held in its middle.
#ifndef SN_CHARACTER_HELD_BITS_H
#define SN_CHARACTER_HELD_BITS_H

#include "flesh/mode.h"

typedef struct snHeldBitsDef {
    const snTets* mesh;
    const double* stiff;  // of cells, in any unit; (tet_count)
    const double* mass;   // kg; (node_count)
    const float* soft;    // how soft nodes are, 0..1; (node_count)
    const uint8_t* still; // nodes that something else draws to their places; (node_count)
    double cell;          // m
    double poisson;
    double slowest; // small regions with a smaller eigenvalue are held too, 1/(Pa s^2)
} snHeldBitsDef;

// Adds to held; (node_count).
snStatus snHeldBits_Mark(snArena* arena, const snHeldBitsDef* def, uint8_t* held, snMessage* why);

#endif
