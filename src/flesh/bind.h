// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Which bone each node of the flesh belongs to, and which nodes are fixed to theirs.
#ifndef SN_FLESH_BIND_H
#define SN_FLESH_BIND_H

#include "base/memory.h"
#include "flesh/body.h"
#include "skel/skeleton.h"

SN_BEGIN_C

// How nodes are bound.
typedef struct snBindDef {
    double core;   // a node is fixed within this part of its bone's radius, 0..1; usually 0.6
    double margin; // but not within this many radii of a joint, which must stay free to bend;
                   // usually 1
} snBindDef;

// The result.
typedef struct snBinding {
    int32_t* bone;       // nearest bone of each node; -1 without bones; (node_count)
    int32_t* fixed;      // bone that the node is fixed to, or -1; (node_count)
    int32_t fixed_count; // nodes fixed
    int32_t bare_count;  // bones of some length that no node could be fixed to
} snBinding;

// Binds by distance in the zero pose, bones as segments from origin to tip. A bone that would get
// no fixed node gets the nearest of its own to its middle; where its nodes lie on a line, about
// which the flesh would spin, it gets the nearest off that line, if there are any around it.
snStatus snBind_Nodes(snArena* arena, const snTets* mesh, const snSkeleton* skeleton,
                      const snBindDef* def, snBinding* out, snMessage* why);

SN_END_C

#endif
