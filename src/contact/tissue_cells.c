// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Which cells of a soft body are around a point.
#include "contact/tissue_box.h"

// Of some lanes of a block, those with cells that the point's own body does not have around it.
static uint32_t strangeLanes(const snTissue* tissue, int32_t point, int32_t block, uint32_t bits)
{
    snVec3 p = tissue->point_rest[point];
    const snBox rest = {p, p};
    snTissueBox at = narrow(&rest);
    uint32_t far = farLanes(&tissue->rest_boxes[block], &at, apartSqBelow(tissue)) & bits;
    return far == bits ? bits : far | (bits & snTissue_StrangersIn(tissue, point, block));
}

static uint32_t holdingLanes(const snTissue* tissue, const snTissueQuery* query, int32_t block,
                             uint32_t bits)
{
    uint32_t left = query->own >= 0 && bits ? strangeLanes(tissue, query->own, block, bits) : bits;
    for (bits = left; bits; bits &= bits - 1) {
        int32_t cell = tissue->corners[block].cell[lowestBit(bits)];
        if (!snTissue_MayHold(tissue, query->x, cell, query->place, query->way)) {
            left &= ~(bits & (~bits + 1));
        }
    }
    return left;
}

// Cells whose boxes meet the box, and of them, if there is a query, those that it asks for.
static int32_t gather(const snTissueTree* tree, const snTissue* tissue, const snTissueBox* box,
                      const snTissueQuery* query, int32_t* cells, int32_t capacity)
{
    const snBvh* bvh = &tissue->cell_tree;
    int32_t stack[SN_BVH_DEPTH + 2], count = 0;
    int top = 0;
    if (bvh->node_count > 0 && meet(&tree->cell_nodes[0], box)) {
        stack[top++] = 0;
    }
    while (top > 0) {
        int32_t at = stack[--top], block = tissue->block_of[at], child = bvh->nodes[at].first;
        if (block >= 0) {
            uint32_t bits = meetLanes(&tree->blocks[block], box);
            bits = query ? holdingLanes(tissue, query, block, bits) : bits;
            for (; bits; bits &= bits - 1, ++count) {
                if (count < capacity) {
                    cells[count] = tissue->corners[block].cell[lowestBit(bits)];
                }
            }
            continue;
        }
        for (int k = 1; k >= 0; --k) {
            if (meet(&tree->cell_nodes[child + k], box)) {
                stack[top++] = child + k;
            }
        }
    }
    return count;
}

static snTissueBox boxAround(snVec3 p, double reach)
{
    snVec4f q = {(float)p.x, (float)p.y, (float)p.z, 0};
    return enlarge(q, q, (float)reach);
}

int32_t snTissueTree_Cells(const snTissueTree* tree, const snTissue* tissue, snVec3 p, double reach,
                           int32_t* cells, int32_t capacity)
{
    const snTissueBox box = boxAround(p, reach);
    return gather(tree, tissue, &box, NULL, cells, capacity);
}

int32_t snTissueTree_Holders(const snTissueTree* tree, const snTissue* tissue,
                             const snTissueQuery* query, int32_t* cells, int32_t capacity)
{
    const snTissueBox box = boxAround(snSub(query->place, query->shift), query->reach);
    return gather(tree, tissue, &box, query, cells, capacity);
}
