// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SINEW_APPS_OVERLAP_H
#define SINEW_APPS_OVERLAP_H

#include <sinew/sim.h>
#include <stdio.h>

// A line for each two things that a scene puts into each other, with names and depth; returns how
// many. The sim is new; a step of it is done, which finds them.
int printOverlaps(FILE* out, snSim* sim);

#endif
