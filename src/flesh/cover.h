// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A lattice laid over a solid, so fine that about the wanted number of its cells hold material.
#ifndef SN_FLESH_COVER_H
#define SN_FLESH_COVER_H

#include "flesh/inside.h"
#include "geom/bcc.h"

SN_BEGIN_C

// A triangle that touches tets of a cube.
typedef struct snCrossed {
    int32_t triangle;
    uint32_t tets; // a bit for each of the cube's 12
} snCrossed;

typedef struct snCover {
    snArena arena; // of what follows
    const snInside* inside;
    snBcc lattice;
    int64_t count; // cells kept
    uint8_t* keep; // 1 where a probe found material; (snBcc_TetCount)
    uint8_t* kind; // snCellKind; (snBcc_TetCount)
    // winding number of each node, where it is near a whole one, and triangles from cube to cube:
    // what tells inside from outside in most of the mixed cells
    uint8_t* side;      // snSide of each node; (snBcc_NodeCount)
    int16_t* winding;   // SN_NOT_WHOLE where it is not; (snBcc_NodeCount)
    int32_t* begin;     // into crossed; (snBcc_CubeCount + 1)
    snCrossed* crossed; // (begin[snBcc_CubeCount])
} snCover;

#define SN_NOT_WHOLE 127

// Lays one of a given cell size; mixed cells are probed where snSample_Place with the tet's number
// as seed has its places. The solid must outlive it. On failure there is nothing to free.
snStatus snCover_Lay(const snInside* inside, double cell, snVec3 shift, int32_t strata,
                     snCover* out, snMessage* why);

void snCover_Free(snCover* cover);

// Finds the cell size that keeps about `wanted` cells. Fails when nothing is enclosed.
snStatus snCover_Search(const snInside* inside, int64_t wanted, snVec3 shift, int32_t strata,
                        snCover* out, snMessage* why);

// Can counting crossings tell inside from outside in a mixed cell? Then `from` is a corner of it to
// start from and `winding` the number there.
bool snCover_Start(const snCover* cover, int64_t tet, snVec3* from, int* winding);

// Which points hold material: an snMaterialFcn; user is the snCover. Full and empty cells answer
// for their points. In a mixed cell whose corners have whole winding numbers, counting crossings on
// the way from a corner does; the others, and those that pass an edge too closely, are asked of the
// solid, which takes fifty times longer.
snStatus snCover_Material(void* user, const snVec3* p, int64_t count, uint8_t* in, snMessage* why);

SN_END_C

#endif
