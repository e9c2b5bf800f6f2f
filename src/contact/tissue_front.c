// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Where the descent of a body's points into its own cells ends at rest, run by run.
#include "base/message.h"
#include "contact/tissue_self_pass.h"
#include "geom/sort.h"
#include "math/isa.h"

// Of the boxes for which self contact is prepared, in cells.
#define FRONT_MARGIN 0.3

SN_ISA_DECLARE(snSelfFcn, snSelfFront);

// Strangers --------------------------------------------------------------------

// A point, by its place in its tree's order, and cells of a block that are strangers to it.
typedef struct Stranger {
    int32_t rank;
    const snTissueKin* kin;
} Stranger;

// Nodes of the two trees and the strangers below them.
typedef struct Range {
    int32_t point, cell;
    int32_t first, count;
} Range;

typedef struct Maker {
    const snTissue* tissue;
    snTissueTree tree; // at rest
    Stranger* strangers;
    int32_t stranger_count;
    snTissuePair* pairs; // NULL = they are counted
    int32_t pair_count;
} Maker;

static int32_t listStrangers(const snTissue* tissue, Stranger* strangers)
{
    int32_t count = 0;
    for (int32_t i = 0; i < tissue->flesh.point_count; ++i) {
        int32_t g = tissue->group_of[tissue->point_tree.order[i]];
        for (int32_t k = 0; g >= 0 && k < tissue->groups[g].stranger_count; ++k, ++count) {
            if (strangers) {
                strangers[count] =
                    (Stranger){i, &tissue->strangers[tissue->groups[g].stranger + k]};
            }
        }
    }
    return count;
}

// The first item below a node, in the tree's order.
static int32_t firstBelow(const snBvh* bvh, int32_t node)
{
    while (bvh->nodes[node].count == 0) {
        node = bvh->nodes[node].first;
    }
    return bvh->nodes[node].first;
}

// Puts those below the left child of the node first; returns how many they are.
static int32_t split(const Maker* m, const Range* range, bool cells)
{
    const snBvh *points = &m->tissue->point_tree, *tree = &m->tissue->cell_tree;
    const snBvh* bvh = cells ? tree : points;
    Stranger* s = m->strangers + range->first;
    int32_t left = 0;
    int32_t right = firstBelow(bvh, bvh->nodes[cells ? range->cell : range->point].first + 1);
    for (int32_t i = 0; i < range->count; ++i) {
        int32_t at = cells ? tree->nodes[s[i].kin->cell].first : s[i].rank;
        if (at < right) {
            Stranger one = s[i];
            s[i] = s[left];
            s[left++] = one;
        }
    }
    return left;
}

static uint32_t lanesOf(const Maker* m, const Range* range)
{
    uint32_t lanes = 0;
    for (int32_t i = range->first; i < range->first + range->count; ++i) {
        lanes |= m->strangers[i].kin->lanes;
    }
    return lanes;
}

// Whether the descent goes on: to where points in one part, and in a box that is no larger than
// that of one leaf of cells, do not touch those.
static bool goesOn(const Maker* m, const Range* at, uint32_t lanes)
{
    const snTissueBox* box = &m->tree.point_nodes[at->point];
    int32_t block = m->tissue->block_of[at->cell];
    return block < 0 || m->tissue->point_parts.of[at->point] < 0 ||
           sizeOf(box) > sizeOf(&m->tree.cell_nodes[at->cell]) ||
           (meetLanes(&m->tree.blocks[block], box) & lanes) != 0;
}

static void keepStrangers(Maker* m, const Range* at, uint32_t lanes)
{
    if (m->pairs) {
        m->pairs[m->pair_count] = (snTissuePair){at->point, at->cell, lanes, true};
    }
    m->pair_count++;
}

static void descendStrangers(Maker* m)
{
    const snTissue* tissue = m->tissue;
    Range stack[SN_TISSUE_PAIRS];
    int top = 0;
    stack[top++] = (Range){0, 0, 0, m->stranger_count};
    while (top > 0) {
        Range at = stack[--top];
        const snBvhNode* p = &tissue->point_tree.nodes[at.point];
        const snBvhNode* c = &tissue->cell_tree.nodes[at.cell];
        bool leaf = p->count > 0, block = c->count > 0;
        uint32_t lanes = block ? lanesOf(m, &at) : ALL_LANES;
        if (at.count == 0) {
            continue;
        }
        if ((leaf && block) || !goesOn(m, &at, lanes)) {
            keepStrangers(m, &at, lanes);
            continue;
        }
        bool cells = !block;
        int32_t left = split(m, &at, cells), right = at.first + left;
        for (int k = 0; k < 2; ++k) {
            Range child = {at.point, at.cell, k ? right : at.first, k ? at.count - left : left};
            *(cells ? &child.cell : &child.point) = (cells ? c : p)->first + k;
            stack[top++] = child;
        }
    }
}

// All --------------------------------------------------------------------------

// pairs: NULL = they are counted.
static int32_t listFront(Maker* m, snTissuePair* pairs)
{
    snSelfPass pass = snSelfPass_Of(&m->tree, m->tissue);
    pass.keep = true;
    pass.front = pairs;
    SN_ISA_CHOOSE(sn_isaBaseline, snSelfFront)(&pass);
    m->pairs = pairs;
    m->pair_count = pass.front_count;
    descendStrangers(m);
    return m->pair_count;
}

static uint64_t runOf(const snTissue* tissue, const snTissuePair* pair)
{
    uint64_t point = (uint64_t)tissue->point_parts.of[pair->point];
    return point << 32 | (uint64_t)tissue->cell_parts.of[pair->cell];
}

// Puts the pairs run by run.
static bool sortFront(snTissue* tissue, const snTissuePair* pairs, snArena* arena, snArena* scratch)
{
    const size_t count = (size_t)tissue->front_count;
    uint64_t* keys = snArena_Push(scratch, count, sizeof(uint64_t));
    int32_t* order = snArena_Push(scratch, count, sizeof(int32_t));
    snTissuePair* front = snArena_Push(arena, count, sizeof(snTissuePair));
    if (!keys || !order || !front) {
        return false;
    }
    for (size_t i = 0; i < count; ++i) {
        keys[i] = runOf(tissue, &pairs[i]);
        order[i] = (int32_t)i;
    }
    snSort_Pairs(scratch, keys, order, (int64_t)count);
    for (size_t i = 0; i < count; ++i) {
        front[i] = pairs[order[i]];
        tissue->run_count += i == 0 || keys[i] != keys[i - 1];
    }
    snTissueRun* runs = snArena_Push(arena, (size_t)tissue->run_count, sizeof(snTissueRun));
    for (size_t i = 0, run = 0; i < count && runs; ++i) {
        run += i > 0 && keys[i] != keys[i - 1];
        if (runs[run].count++ == 0) {
            runs[run].first = (int32_t)i;
            runs[run].point = (int32_t)(keys[i] >> 32);
            runs[run].cell = (int32_t)(keys[i] & 0xffffffff);
        }
    }
    tissue->front = front;
    tissue->runs = runs;
    return !scratch->failed && !arena->failed;
}

static bool makeFront(snArena* arena, snArena* scratch, snTissue* tissue)
{
    const snTets* tets = &tissue->flesh.tets;
    Maker m = {.tissue = tissue, .stranger_count = listStrangers(tissue, NULL)};
    snTissueTree_Push(&m.tree, tissue, scratch);
    snVec4f* x = snArena_Push(scratch, (size_t)tets->node_count, sizeof(snVec4f));
    m.strangers = snArena_Push(scratch, (size_t)m.stranger_count, sizeof(Stranger));
    if (scratch->failed) {
        return false;
    }
    listStrangers(tissue, m.strangers);
    for (int32_t i = 0; i < tets->node_count; ++i) {
        snVec3 p = tets->position[i];
        x[i] = (snVec4f){(float)p.x, (float)p.y, (float)p.z, 0};
    }
    snTissueTree_Refit(&m.tree, tissue, x, (float)(FRONT_MARGIN * tissue->flesh.cell));
    tissue->front_count = listFront(&m, NULL);
    snTissuePair* pairs = snArena_Push(scratch, (size_t)tissue->front_count, sizeof(snTissuePair));
    if (pairs) {
        listFront(&m, pairs);
    }
    return pairs && sortFront(tissue, pairs, arena, scratch);
}

snStatus snTissue_BuildFront(snArena* arena, snTissue* tissue, snMessage* why)
{
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    bool any = tissue->point_tree.node_count > 0 && tissue->cell_tree.node_count > 0;
    bool made = !any || makeFront(arena, &scratch, tissue);
    snArena_Free(&scratch);
    return made ? sn_ok : snFail(why, sn_errorMemory, "no memory for self contact");
}
