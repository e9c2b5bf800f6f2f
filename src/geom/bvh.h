// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A binary tree of boxes over any items that have one.
#ifndef SN_GEOM_BVH_H
#define SN_GEOM_BVH_H

#include "geom/surface.h"

SN_BEGIN_C

// The root's depth is 0, the deepest node's at most this: the size of a traversal's stack.
#define SN_BVH_DEPTH 64

typedef struct snBvhNode {
    snBox box;
    int32_t first; // leaf: the first of its items in order[]; inner node: its left child
    int32_t count; // items of a leaf; 0: an inner node, with the right child after the left one
} snBvhNode;

// Nodes come after their parents. Below every node lies one run of order[].
typedef struct snBvh {
    int32_t node_count; // 0 when there are no items
    int32_t item_count;
    snBvhNode* nodes;
    int32_t* order; // items as the leaves list them; (item_count)
} snBvh;

// Splits by the surface area heuristic in 16 bins along the longest side; leaves hold at most
// leaf_size items. O(n log n) for sane boxes. Boxes must be finite.
snStatus snBvh_Build(snArena* arena, const snBox* box, int32_t count, int32_t leaf_size, snBvh* bvh,
                     snMessage* why);

// Over the triangles of a surface.
snStatus snBvh_OfSurface(snArena* arena, const snSurface* surface, int32_t leaf_size, snBvh* bvh,
                         snMessage* why);

// Boxes moved: same tree, new node boxes. (item_count)
void snBvh_Refit(snBvh* bvh, const snBox* box);

// Where p is from the box, squared; 0 inside.
SN_FN double snBox_DistanceSq(const snBox* box, snVec3 p)
{
    snVec3 below = snSub(box->lo, p), above = snSub(p, box->hi);
    snVec3 out = snMax3(snMax3(below, above), snV3(0, 0, 0));
    return snLengthSq(out);
}

SN_END_C

#endif
