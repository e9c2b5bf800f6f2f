// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Which cells of a soft body are around a point.
#include "contact/tissue_box.h"

// Of distances that are kept as floats
#define ROUNDING 1e-6

// Lanes of a block with cells that reach far enough from the point at rest
static uint32_t reachingLanes(const snTissue* tissue, int32_t point, int32_t block)
{
    snVec3 p = tissue->point_rest[point];
    const snBox rest = {p, p};
    snTissueBox at = narrow(&rest);
    return farLanes(&tissue->rest_boxes[block], &at, apartSqBelow(tissue));
}

// Of a list of cells, and how far they are from holding a point.
typedef struct Found {
    int32_t* cells;
    float* clear; // NULL: not asked for
    int32_t count, capacity;
} Found;

static void addCell(Found* found, int32_t cell, double clear)
{
    if (found->count < found->capacity) {
        found->cells[found->count] = cell;
        if (found->clear) {
            found->clear[found->count] = (float)((1 - ROUNDING) * clear);
        }
    }
    found->count++;
}

static void addHolders(const snTissue* tissue, const snTissueQuery* query, int32_t block,
                       uint32_t bits, Found* found)
{
    uint32_t strange = ALL_LANES;
    if (query->own >= 0 && bits) {
        strange = snTissue_StrangersIn(tissue, query->own, block);
        bits &= strange | reachingLanes(tissue, query->own, block);
    }
    for (; bits; bits &= bits - 1) {
        int lane = lowestBit(bits);
        int32_t cell = tissue->corners[block].cell[lane],
                own = strange >> lane & 1 ? -1 : query->own;
        double clear = snTissue_Clear(tissue, query->x, cell, query->place, own, query->way);
        if (clear <= query->way) {
            addCell(found, cell, clear);
        }
    }
}

// Cells whose boxes meet the box, and of them, if there is a query, those that it asks for.
static void gather(const snTissueTree* tree, const snTissue* tissue, const snTissueBox* box,
                   const snTissueQuery* query, Found* found)
{
    const snBvh* bvh = &tissue->cell_tree;
    int32_t stack[SN_BVH_DEPTH + 2];
    int top = 0;
    if (bvh->node_count > 0 && meet(&tree->cell_nodes[0], box)) {
        stack[top++] = 0;
    }
    while (top > 0) {
        int32_t at = stack[--top], block = tissue->block_of[at], child = bvh->nodes[at].first;
        if (block >= 0) {
            uint32_t bits = meetLanes(&tree->blocks[block], box);
            if (query) {
                addHolders(tissue, query, block, bits, found);
                continue;
            }
            for (; bits; bits &= bits - 1) {
                addCell(found, tissue->corners[block].cell[lowestBit(bits)], 0);
            }
            continue;
        }
        for (int k = 1; k >= 0; --k) {
            if (meet(&tree->cell_nodes[child + k], box)) {
                stack[top++] = child + k;
            }
        }
    }
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
    Found found = {.capacity = capacity};
    found.cells = cells;
    gather(tree, tissue, &box, NULL, &found);
    return found.count;
}

int32_t snTissueTree_Holders(const snTissueTree* tree, const snTissue* tissue,
                             const snTissueQuery* query, int32_t* cells, float* clear,
                             int32_t capacity)
{
    const snTissueBox box = boxAround(snSub(query->place, query->shift), query->reach);
    Found found = {.capacity = capacity};
    found.cells = cells;
    found.clear = clear;
    gather(tree, tissue, &box, query, &found);
    return found.count;
}
