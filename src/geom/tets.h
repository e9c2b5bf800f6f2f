// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Tetrahedra on shared nodes.
#ifndef SN_GEOM_TETS_H
#define SN_GEOM_TETS_H

#include "math/vec.h"

// The memory belongs to whoever made it, usually an arena.
typedef struct snTets {
    int32_t node_count;
    int32_t tet_count;
    snVec3* position; // m; (node_count)
    int32_t* tet;     // node indices, positive volume; (4 tet_count)
} snTets;

// (b - a) . ((c - a) x (d - a)) / 6: positive when b, c, d turn counter-clockwise seen from
// outside.
SN_FN double snTetVolume(snVec3 a, snVec3 b, snVec3 c, snVec3 d)
{
    return snDot(snSub(b, a), snCross(snSub(c, a), snSub(d, a))) / 6;
}

#endif
