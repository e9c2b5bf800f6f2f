// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A retargeted loop three times, one after the other: what is done to the middle one by its
// neighbours (rig/feet.h) is the same at its end as at its start, and it stays a loop.
#ifndef SN_RIG_CYCLE_H
#define SN_RIG_CYCLE_H

#include "rig/retarget.h"

typedef struct snCycle {
    snRetarget thrice; // legs and coordinates of its own
    int32_t before;    // frames of it before those of the clip; 0: it is no loop
} snCycle;

// A loop ends in its first pose, or a frame short of it, but for its travel along the ground.
snStatus snCycle_Find(snArena* arena, const snRetarget* retarget, snCycle* cycle, snMessage* why);

// What became of it
void snCycle_Take(const snCycle* cycle, snRetarget* retarget);

#endif
