// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Tets that hold separate parts of a body (two fingers, the inner thighs) become one copy per part,
// with nodes of their own, so that the parts can move apart. The copies hang together through faces
// that material crosses, and nowhere else.
#ifndef SN_GEOM_LATTICE_SPLIT_H
#define SN_GEOM_LATTICE_SPLIT_H

#include "base/memory.h"
#include "geom/tets.h"

// Which points hold material: in[i] becomes 0 or 1.
typedef snStatus snMaterialFcn(void* user, const snVec3* p, int64_t count, uint8_t* in,
                               snMessage* why);

typedef struct snSplit {
    snTets tets;     // the copies, in the order of the tets they come from
    int32_t* origin; // tet that a copy comes from; (tets.tet_count)
    int32_t* node;   // node that a copied node comes from; (tets.node_count)
    int32_t*
        first_copy; // of each given tet; the copies end where the next one's begin; (given + 1)
    uint8_t* label; // of each given tet's samples: 0 or 1 + which copy; (given * samples)
} snSplit;

// tets: at most two on a face. Samples are taken on a grid of 8 steps along every edge; parts that
// come closer than a step stay together. A part that no face's sample connects to anything is taken
// for an artefact of sampling and tied to its neighbours.
snStatus snLattice_Split(snArena* arena, const snTets* tets, snMaterialFcn* material, void* user,
                         snSplit* out, snMessage* why);

// The copy whose material is nearest to the point with these weights of the tet's corners. For a
// point on the surface pass one a little below it.
int32_t snSplit_Copy(const snSplit* split, int32_t tet, const double weight[4]);

#endif
