// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What is wrong with the tets of a file, what of it can be mended, and the surface around them.
#ifndef SN_GEOM_TET_FACTS_H
#define SN_GEOM_TET_FACTS_H

#include "geom/surface.h"
#include "geom/tets.h"

SN_BEGIN_C

// A tet is flat below this volume over its longest edge cubed: rounding decides its sign. One of
// equal edges has 0.118.
#define SN_TET_FLAT 1e-9

// And a sliver below this, a hundredth of the best: it takes steps ten times shorter.
#define SN_TET_SLIVER 1e-3

// Counts, and the first of each kind by its index before mending, -1 if there is none.
typedef struct snTetFacts {
    double volume;         // of all that is kept, m^3
    int32_t turned;        // of those kept: nodes were in the order of negative volume; put right
    int32_t flat;          // no volume, or a node named twice; left out
    int32_t duplicate;     // the nodes of an earlier one, in any order; left out
    int32_t slivers;       // kept
    int32_t stray;         // nodes of no tet; kept
    int32_t crowded_faces; // with three tets or more, or two on the same side; see snTets_Boundary
    int32_t parts;         // sets of tets connected by nodes
    int32_t first_turned, first_flat, first_duplicate, first_stray;
    int32_t worst;      // tet with the least volume for its longest edge
    double worst_shape; // its volume over the longest edge cubed
} snTetFacts;

// Turns, and leaves out, in place. All but crowded_faces is filled in. Indices must be in range and
// positions finite. Fails only for lack of memory.
snStatus snTets_Mend(snTets* tets, const snHost* host, snTetFacts* facts, snMessage* why);

// The faces that one tet has alone, seen from outside, on those nodes that they use, in the order
// of the nodes. *crowded: faces that more tets share than fit. Where tets overlap, the surface
// winds around a point as often as tets cover it.
snStatus snTets_Boundary(snArena* arena, const snTets* tets, snSurface* out, int32_t* crowded,
                         snMessage* why);

SN_END_C

#endif
