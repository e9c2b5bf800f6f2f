// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A skeleton in motion, ready to be timed.
#ifndef SINEW_BENCH_TREE_H
#define SINEW_BENCH_TREE_H

#include <sinew/sinew.h>

typedef struct snTree {
    snSkeleton* skeleton;
    snDynamics* dynamics;
    double *q, *qd, *qdd;
} snTree;

// Takes over one reference to the skeleton, also on failure. Every joint is bent a little and
// moves. Close it in any case.
snStatus snTree_Open(snTree* tree, snSkeleton* skeleton, snMessage* why);
void snTree_Close(snTree* tree);

// What runners call: poses, velocities and accelerations; the first two; a step with all its parts.
void snTree_Forward(void* tree, int n);
void snTree_Kinematics(void* tree, int n);
void snTree_Step(void* tree, int n);

#endif
