// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Which cells of its own a soft body's points may come into. Most of the descent of both trees is
// the same whatever the body does: only where it ends differs. So it starts where it ended at rest,
// with the answers about rest distances known; and not before the body can have brought together
// what was apart at the last look.
#include "base/message.h"
#include "contact/tissue_box.h"
#include <string.h>

// Of distances that are kept as floats
#define ROUNDING 1e-6

// Of the boxes for which self contact is prepared, in cells.
#define FRONT_MARGIN 0.3

typedef struct Pair {
    int32_t point, cell; // nodes
} Pair;

// Points of a body against its cells.
typedef struct Pass {
    const snTissueTree* tree;
    const snTissue* tissue;
    double apart_sq;
    float apart_sq_below; // the same, so that rounding to float loses nothing
    // looking for pairs
    const snVec4f* x;
    double way; // by which a point and a cell may yet move in all, m
    snNear* pairs;
    int32_t count, capacity; // count: one more than there is room for when there is too little
    int32_t* counts;         // of points
    int64_t tries;
    // instead, where the descent ends
    bool keep;
    int32_t front_count;
    snTissuePair* front; // NULL = they are counted
} Pass;

static Pass passOf(const snTissueTree* tree, const snTissue* tissue)
{
    Pass pass = {.tree = tree, .tissue = tissue};
    pass.apart_sq = tissue->apart * tissue->apart;
    pass.apart_sq_below = apartSqBelow(tissue);
    return pass;
}

// Rest distances ---------------------------------------------------------------

// The farthest that places in two boxes can be apart, squared.
static double farthestSq(const snBox* a, const snBox* b)
{
    snVec3 d = snMax3(snSub(a->hi, b->lo), snSub(b->hi, a->lo));
    return snLengthSq(d);
}

// Whether a place of the cell is far enough from some place of the box. A tet's farthest place from
// anywhere is a corner.
static bool reachesApart(const Pass* pass, const snBox* box, const int32_t node[4])
{
    const snVec3* rest = pass->tissue->flesh->tets.position;
    for (int k = 0; k < 4; ++k) {
        snVec3 d = snMax3(snSub(rest[node[k]], box->lo), snSub(box->hi, rest[node[k]]));
        if (snLengthSq(d) >= pass->apart_sq) {
            return true;
        }
    }
    return false;
}

// Cells of a block that reach far enough from points in the box at rest.
static uint32_t apartLanes(const Pass* pass, const snBox* rest, int32_t block)
{
    const snTissueCorners* corners = &pass->tissue->corners[block];
    uint32_t bits = 0;
    for (int i = 0; i < corners->count; ++i) {
        bits |= (uint32_t)reachesApart(pass, rest, corners->node[i]) << i;
    }
    return bits;
}

// Lanes of the block whose cells meet a box of points and reach far enough from them at rest, or
// nearly so.
static uint32_t nearLanes(const Pass* pass, const snTissueBox* box, const snBox* rest,
                          int32_t block)
{
    uint32_t bits = meetLanes(&pass->tree->blocks[block], box);
    if (bits) {
        snTissueBox at = narrow(rest);
        bits &= farLanes(&pass->tissue->rest_boxes[block], &at, pass->apart_sq_below);
    }
    return bits;
}

// Pairs ------------------------------------------------------------------------

// own: the point, unless the cell is a stranger to it; else -1
static void tryCell(Pass* pass, int32_t point, snVec3 place, int32_t cell, int32_t own)
{
    double clear = snTissue_Clear(pass->tissue, pass->x, cell, place, own, pass->way);
    pass->tries++;
    if (!(clear <= pass->way)) {
        return;
    }
    if (own >= 0) { // strangers are looked at as such
        int32_t home = pass->tissue->home[cell];
        uint32_t strange = snTissue_StrangersIn(pass->tissue, point, home / SN_TISSUE_LANES);
        if (strange >> home % SN_TISSUE_LANES & 1) {
            return;
        }
    }
    pass->counts[point]++;
    if (pass->count < pass->capacity) {
        pass->pairs[pass->count] = (snNear){point, cell, (float)((1 - ROUNDING) * clear)};
    }
    pass->count += pass->count <= pass->capacity;
}

static void tryLanes(Pass* pass, int32_t rank, int32_t block, uint32_t bits, bool strange)
{
    int32_t point = pass->tissue->point_tree.order[rank];
    snVec3 place = snTie_Blend(&pass->tissue->ties[rank], pass->x);
    for (; bits; bits &= bits - 1) {
        int32_t cell = pass->tissue->corners[block].cell[lowestBit(bits)];
        tryCell(pass, point, place, cell, strange ? -1 : point);
    }
}

static void tryPoints(Pass* pass, const snBvhNode* leaf, int32_t block)
{
    for (int32_t i = leaf->first; i < leaf->first + leaf->count; ++i) {
        snVec3 at = pass->tissue->point_rest[pass->tissue->point_tree.order[i]];
        const snBox rest = {at, at};
        snTissueBox box = pointBox(pass->tree, i);
        uint32_t bits = nearLanes(pass, &box, &rest, block);
        if (bits) {
            tryLanes(pass, i, block, bits, false);
        }
    }
}

// Keeps a pair where the descent ends at rest.
static void keepPair(Pass* pass, Pair at, int32_t block)
{
    uint32_t lanes = ALL_LANES;
    if (block >= 0) {
        lanes = apartLanes(pass, &pass->tissue->point_tree.nodes[at.point].box, block);
    }
    if (lanes && pass->front) {
        pass->front[pass->front_count] = (snTissuePair){at.point, at.cell, lanes};
    }
    pass->front_count += lanes != 0;
}

static void descend(Pass* pass, Pair from)
{
    const snBvh *points = &pass->tissue->point_tree, *cells = &pass->tissue->cell_tree;
    Pair stack[SN_TISSUE_PAIRS];
    int top = 0;
    stack[top++] = from;
    while (top > 0) {
        Pair at = stack[--top];
        const snBvhNode *p = &points->nodes[at.point], *c = &cells->nodes[at.cell];
        const snTissueBox *p_box = &pass->tree->point_nodes[at.point],
                          *c_box = &pass->tree->cell_nodes[at.cell];
        int32_t block = pass->tissue->block_of[at.cell];
        if (farthestSq(&p->box, &c->box) < pass->apart_sq) {
            continue;
        }
        bool near = meet(p_box, c_box);
        if (near && block < 0 && (p->count > 0 || sizeOf(p_box) < sizeOf(c_box))) {
            stack[top++] = (Pair){at.point, c->first};
            stack[top++] = (Pair){at.point, c->first + 1};
            continue;
        }
        near = near && (block < 0 || nearLanes(pass, p_box, &p->box, block));
        if (near && p->count == 0) {
            stack[top++] = (Pair){p->first, at.cell};
            stack[top++] = (Pair){p->first + 1, at.cell};
        } else if (pass->keep) {
            keepPair(pass, at, block);
        } else if (near) {
            tryPoints(pass, p, block);
        }
    }
}

// Returns how far the group's points are from its strangers, or less; at most 0 when boxes meet.
static float tryStrangers(Pass* pass, const snTissueGroup* group)
{
    const snTissueTree* tree = pass->tree;
    const int32_t* ranks = pass->tissue->ranks + group->rank;
    snTissueBox all = pointBox(tree, ranks[0]);
    float least = INFINITY;
    for (int32_t i = 1; i < group->rank_count; ++i) {
        all = unite(all, pointBox(tree, ranks[i]));
    }
    for (int32_t k = group->stranger; k < group->stranger + group->stranger_count; ++k) {
        const snTissueKin* kin = &pass->tissue->strangers[k];
        const snTissueBlock* block = &tree->blocks[kin->block];
        float gap = gapBetween(&all, &tree->cell_nodes[kin->cell]);
        gap = gap > 0 ? gap : gapToLanes(block, &all, kin->lanes);
        least = gap < least ? gap : least;
        for (int32_t i = 0; i < group->rank_count && !(gap > 0); ++i) {
            snTissueBox box = pointBox(tree, ranks[i]);
            uint32_t bits = meetLanes(block, &box) & kin->lanes;
            if (bits) {
                tryLanes(pass, ranks[i], kin->block, bits, true);
            }
        }
    }
    return least;
}

// Lists ------------------------------------------------------------------------

void snTissueTree_Forget(snTissueTree* tree, const snTissue* tissue)
{
    tree->travel = 0;
    for (int32_t i = 0; i < tissue->front_count + tissue->group_count; ++i) {
        tree->clear[i] = -1;
    }
}

// How far the parts of a pair are from each other, or less; at most 0 when their boxes, which are
// enlarged, meet.
static float gapOf(const snTissueTree* a, const snTissue* ta, const snTissuePair* pair)
{
    const snTissueBox* box = &a->point_nodes[pair->point];
    int32_t block = ta->block_of[pair->cell];
    float gap = gapBetween(box, &a->cell_nodes[pair->cell]);
    return gap > 0 || block < 0 ? gap : gapToLanes(&a->blocks[block], box, pair->lanes);
}

// The travel at which two parts of the body can touch that have a gap now. Both may move, and their
// boxes have the margin already.
static float clearAt(const snTissueTree* a, float gap)
{
    return gap > 0 ? (float)(a->travel + (double)(0.5F * gap + a->margin)) : -1;
}

// All pairs that may touch before the next list.
static void findPairs(Pass* pass, snTissueTree* tree)
{
    const snTissue* tissue = pass->tissue;
    const float reached =
        (float)((1 + ROUNDING) * (tree->travel + tree->way + (double)tree->margin));
    for (int32_t i = 0; i < tissue->front_count; ++i) {
        if (tree->clear[i] <= reached) {
            const snTissuePair* pair = &tissue->front[i];
            float gap = gapOf(tree, tissue, pair);
            tree->clear[i] = clearAt(tree, gap);
            if (!(gap > 0)) {
                descend(pass, (Pair){pair->point, pair->cell});
            }
        }
    }
    float* clear = tree->clear + tissue->front_count;
    for (int32_t i = 0; i < tissue->group_count; ++i) {
        if (clear[i] <= reached) {
            clear[i] = clearAt(tree, tryStrangers(pass, &tissue->groups[i]));
        }
    }
}

// Found pairs are written behind the list's room and sorted by point from there.
bool snTissueTree_NearSelf(snTissueTree* tree, const snTissue* tissue, const snVec4f* x,
                           snNearList* near, int32_t capacity, int32_t* counts)
{
    int32_t points = tissue->flesh->point_count, first = 0;
    Pass pass = passOf(tree, tissue);
    pass.x = x;
    pass.way = 2 * (1 + ROUNDING) * (double)tree->margin;
    pass.capacity = capacity / 2;
    pass.pairs = near->pairs + pass.capacity;
    pass.counts = memset(counts, 0, (size_t)points * sizeof(int32_t));
    findPairs(&pass, tree);
    tree->tries = pass.tries;
    near->count = 0;
    if (pass.count > pass.capacity) {
        return false;
    }
    for (int32_t i = 0; i < points && pass.count > 0; ++i) {
        int32_t count = counts[i];
        counts[i] = first;
        first += count;
    }
    for (int32_t i = 0; i < pass.count; ++i) {
        near->pairs[counts[pass.pairs[i].point]++] = pass.pairs[i];
    }
    near->count = pass.count;
    return true;
}

// At rest ----------------------------------------------------------------------

snStatus snTissue_MakeFront(snArena* arena, snTissue* tissue, snMessage* why)
{
    const snTets* tets = &tissue->flesh->tets;
    snArena scratch;
    snTissueTree tree;
    snArena_Init(&scratch, &arena->host);
    snTissueTree_Push(&tree, tissue, &scratch);
    snVec4f* x = snArena_Push(&scratch, (size_t)tets->node_count, sizeof(snVec4f));
    for (int32_t i = 0; i < tets->node_count && !scratch.failed; ++i) {
        snVec3 p = tets->position[i];
        x[i] = (snVec4f){(float)p.x, (float)p.y, (float)p.z, 0};
    }
    // once to count, once to keep
    bool any = tissue->point_tree.node_count > 0 && tissue->cell_tree.node_count > 0;
    for (int round = 0; round < 2 && any && !scratch.failed && !arena->failed; ++round) {
        Pass pass = passOf(&tree, tissue);
        pass.keep = true;
        if (round == 0) {
            snTissueTree_Refit(&tree, tissue, x, (float)(FRONT_MARGIN * tissue->flesh->cell));
        } else {
            pass.front = snArena_Push(arena, (size_t)tissue->front_count, sizeof(snTissuePair));
            tissue->front = pass.front;
        }
        if (!arena->failed) {
            descend(&pass, (Pair){0, 0});
            tissue->front_count = pass.front_count;
        }
    }
    bool failed = scratch.failed || arena->failed;
    snArena_Free(&scratch);
    return failed ? snFail(why, sn_errorMemory, "no memory for self contact") : sn_ok;
}
