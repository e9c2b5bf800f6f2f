// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A ground that flesh does not go below. Only what flesh adds is held: a foot that the clip puts
// below it stays there.
//
// A node may not go down by more than the clearance of any vertex that hangs on it, how far
// skinning has that above the ground. Vertices move by means of their nodes' ways, so none of them
// goes below. That is projected, with Coulomb's friction against the ground.
#ifndef SN_SIM_FOLLOW_GROUND_H
#define SN_SIM_FOLLOW_GROUND_H

#include "sim/follow_skin.h"

#define SN_GROUND_FRICTION 0.5

typedef struct snFollowGround {
    bool is_on;
    double height;      // m
    double lift;        // by which it is higher than that, m
    snFollowSkin* skin; // of the drive's pose
    // clearance of nodes at both ends of the drive's interval, m; (node_count)
    float *begin, *end;
} snFollowGround;

// Memory is the arena's. The skin outlives it.
snStatus snFollowGround_Build(snFollowGround* g, snArena* arena, snFollowSkin* skin, double height,
                              snMessage* why);

// After the skin went on; jumped: both ends are there.
void snFollowGround_Update(snFollowGround* g, bool jumped);

// Holds a node at a part of the interval.
void snFollowGround_Hold(const snFollowGround* g, const snFollowDrive* drive, int32_t node,
                         float part, snVec4f* u, snVec4f* w);

#endif
