// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// How much flesh is stretched or squeezed.
#ifndef SINEW_APPS_CLI_STRETCH_H
#define SINEW_APPS_CLI_STRETCH_H

#include <sinew/sinew.h>
#include <stdbool.h>

// Of the three principal stretches of a cell, the one that is farthest from 1 as a ratio: 1.3 =
// longer by 30 % along some direction, 0.8 = shorter by 20 %. The largest alone would tell
// squeezed flesh, which bulges sideways, from stretched flesh by a shade of the same colour. 0: it
// is inside out.
double cellStretch(const snFleshInfo* flesh, int32_t cell, const float* nodes);

// The mean of the cells around each node, weighted by what they hold; (node_count). nodes: where
// they are, xyz. False: no memory.
bool nodeStretch(const snFleshInfo* flesh, const float* nodes, float* stretch);

#endif
