// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Tets that hold separate parts of a body (two fingers, the inner thighs) become one copy per part,
// with nodes of their own, so that the parts can move apart. The copies hang together where one
// part reaches from tet to tet, and nowhere else.
#ifndef SN_GEOM_BCC_SPLIT_H
#define SN_GEOM_BCC_SPLIT_H

#include "base/memory.h"
#include "geom/tets.h"

SN_BEGIN_C

// What the tets hold: parts of the body, and things in them (triangles of its surface). A thing
// that lies in two neighbours is in the same part of the body in both, and so is a shared corner.
typedef struct snContents {
    int32_t* parts;  // how many; 0 counts as 1; (tet_count)
    int32_t* corner; // part that corner k of tet t lies in, or -1, at 4 t + k; (4 tet_count)
    uint8_t* open;   // 1: things may be missing here; ties to neighbours that nothing tells apart;
                     // (tet_count)
    int32_t* begin;  // of each tet's things; (tet_count + 1)
    int32_t* thing;  // ascending in each tet; (begin[tet_count])
    int32_t* part;   // that it lies in; (begin[tet_count])
} snContents;

typedef struct snSplit {
    snTets tets;         // the copies, in the order of the tets they come from
    int32_t* origin;     // tet that a copy comes from; (tets.tet_count)
    int32_t* node;       // node that a copied node comes from; (tets.node_count)
    int32_t* first_copy; // of each given tet, which is that of part 0; the copies end where the
                         // next one's begin; (given + 1)
} snSplit;

// tets: at most two on a face.
snStatus snBcc_Split(snArena* arena, const snTets* tets, const snContents* contents, snSplit* out,
                     snMessage* why);

// The part of the tet that a thing lies in, or -1 when it is not in the tet.
int32_t snContents_Part(const snContents* contents, int32_t tet, int32_t thing);

SN_END_C

#endif
