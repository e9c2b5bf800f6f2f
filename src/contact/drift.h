// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// How a soft body moves as a whole, and how fast its nodes are against that. Lists of what may
// touch need no exact fit: any rigid motion leaves distances within the body as they are.
#ifndef SN_CONTACT_DRIFT_H
#define SN_CONTACT_DRIFT_H

#include "elastic/cells.h"
#include <stdint.h>

SN_BEGIN_C

typedef struct snDrift {
    snVec3 v, w;  // mean velocity of some of the nodes, m/s, and turning about their middle, rad/s
    double outer; // the fastest node in the world, m/s
    double inner; // against v
    double own;   // against v and w
    snVec3 u;     // of the origin of places in that motion, m/s
} snDrift;

// Of each node, m; (node count)
typedef struct snWander {
    float since, more; // s, m
    float *margin, *way, *travel;
} snWander;

// x, v: of nodes, relative to one origin; m, m/s.
void snDrift_Measure(snIsa isa, const snVec4f* x, const snVec4f* v, int32_t count, snDrift* drift);

// How far each node comes against the rigid motion in a step of `since`, and `more`: way is that,
// travel the sum since it was 0. Returns whether one has travelled farther than its margin.
bool snDrift_Travel(snIsa isa, const snDrift* drift, const snVec4f* x, const snVec4f* v,
                    int32_t count, snWander* wander);

SN_END_C

#endif
