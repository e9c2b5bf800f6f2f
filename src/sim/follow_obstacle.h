// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Solid things that the host moves about, and flesh gives way to.
//
// After each step every vertex in the flesh that is inside one of them is put on its surface by the
// nodes that it hangs on: with n the way out, d its length, w_k the vertex' weights and m_k the
// nodes' masses, node k goes by (w_k / m_k) / (sum w^2 / m) d n, which is the least motion, by
// mass, that does so. Velocities likewise: what goes inwards stops, against the thing's own
// velocity, with Coulomb's friction. Then limits hold, so what is pressed in deeper than that stays
// inside.
#ifndef SN_SIM_FOLLOW_OBSTACLE_H
#define SN_SIM_FOLLOW_OBSTACLE_H

#include "sim/follow_skin.h"
#include <sinew/shape.h>

#define SN_FOLLOW_SOLIDS 16

typedef struct snFollowSolid {
    int32_t kind; // an snShapeKind
    int32_t unused;
    snTransform from, to; // during the frame, m
    snVec3 half;
    double radius, half_length;
} snFollowSolid;

// Part of the state
typedef struct snFollowSolids {
    int32_t count;
    int32_t tick; // intervals of the frame that are over
    snFollowSolid of[SN_FOLLOW_SOLIDS];
} snFollowSolids;

// As skinning has the vertices at both ends of the drive's interval
typedef struct snFollowContact {
    snVec3 *begin, *end; // m; (skin's vertex_count); NULL: there was never an obstacle
} snFollowContact;

// Memory is the arena's.
snStatus snFollowContact_Build(snFollowContact* contact, snArena* arena, const snFollowSkin* skin,
                               snMessage* why);

// After the skin went on; jumped: both ends are there.
void snFollowContact_Update(snFollowContact* contact, const snFollowSkin* skin, bool jumped);

// One of them goes somewhere in this frame.
bool snFollowSolids_Move(const snFollowSolids* solids);

// The frame ends.
void snFollowSolids_End(snFollowSolids* solids);

// The world moves, m.
void snFollowSolids_Shift(snFollowSolids* solids, snVec3 by);

#endif
