// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What the kernels of nodes_isa.c read and write in one pass over the nodes.
#ifndef SN_METHOD_EXPLICIT_NODES_PASS_H
#define SN_METHOD_EXPLICIT_NODES_PASS_H

#include "method/explicit/nodes.h"

// Blocks of nodes in a task. Fixed, so that sums do not depend on the number of threads.
#define SN_RANGE_BLOCKS 16

typedef struct snNodesPass {
    snNodes* nodes;
    float h;          // of the step, s
    float drift;      // that nodes move on for, s
    snVec4f gravity;  // m/s^2
    bool measured;    // sums of mass and motion are wanted
    bool accelerated; // carriers hold the bones' accelerations, which nodes have yet to follow
    snVec3 com;       // of a turn, relative to the origin, m
    snTwist change;   // of a turn
} snNodesPass;

// One range of blocks; compiled per instruction set.
typedef void snNodesRangeFcn(const snNodesPass* pass, int range);

#endif
