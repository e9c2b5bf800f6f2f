// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// How a soft body moves as a whole, and how fast its nodes are against that. Lists of what may
// touch need no exact fit: any rigid motion leaves distances within the body as they are.
#ifndef SN_CONTACT_DRIFT_H
#define SN_CONTACT_DRIFT_H

#include "elastic/cells.h"
#include <stdint.h>

typedef struct snDrift {
    snVec3 v, w;  // mean velocity of some of the nodes, m/s, and turning about their middle, rad/s
    double outer; // the fastest node in the world, m/s
    double inner; // against v
    double own;   // against v and w
} snDrift;

// x, v: of nodes, relative to one origin; m, m/s.
void snDrift_Measure(snIsa isa, const snVec4f* x, const snVec4f* v, int32_t count, snDrift* drift);

#endif
