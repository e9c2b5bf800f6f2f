// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Tells whether a clip is a loop: whether its last pose leads to its first again, but for a travel
// along the ground and a turn about the vertical of the node that carries the body.
//
//   closed   the last pose is the first
//   open     the last pose is a key's step short of it, as of cycles whose last key would repeat
//   the
//            first and is left out
//
// Nodes that carry few of the vertices may miss it: strays.
#ifndef SN_RIG_LOOP_H
#define SN_RIG_LOOP_H

#include "rig/curve.h"

// Steps between keys that are shorter than this are none, s
#define SN_LOOP_SHORTEST 2e-3

// How a loop is told; see snRigTrackDef_Init.
typedef struct snRigTrackDef {
    int32_t loop;         // 0 never, 1 always, usually -1: when it is found to be one
    double loop_distance; // by which nodes may miss their place at the seam, parts of the rig's
                          // size; usually 0.005
    double loop_angle;    // by which they may miss their orientation, rad, and part by which they
                          // may miss their scale; usually a degree
} snRigTrackDef;

// x -> turn about +y, then + move; move.y is 0
typedef struct snTravel {
    double turn; // rad
    snVec3 move;
} snTravel;

snMatrix snTravel_Matrix(snTravel t);

// n times
snTravel snTravel_Repeat(snTravel t, double n);

typedef struct snRigLoop {
    const snMatrix* first; // given: the first pose; (node_count)
    double size;           // given: of the rig
    uint8_t* travels;      // given, filled: 1: the node goes along with the travel; (node_count)
    bool is_found;
    double gap;      // from the last pose to the first again, s; 0: it is closed
    bool has_strays; // some of what one sees misses
    double distance; // farthest that something one sees misses its place, in sizes; if no loop is
                     // found, with the travel that fits best
    double angle;    // likewise, rad
    double mean;     // of both together over what one sees
    int32_t node;    // that misses most; -1 = none
    snTravel travel;
} snRigLoop;

// False when memory is out.
bool snRigLoop_Find(snArena* scratch, const snRig* rig, const snRigClipData* clip,
                    const snRigTrackDef* def, snRigLoop* out);

#endif
