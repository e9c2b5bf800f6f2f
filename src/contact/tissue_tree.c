// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "base/message.h"
#include "contact/tissue_box.h"
#include <string.h>

// A pair of nodes leaves two behind at each level of either tree.
#define PAIRS (2 * SN_BVH_DEPTH + 4)

// Of distances that are kept as floats
#define ROUNDING 1e-6

// Of the boxes for which self contact is prepared, in cells.
#define FRONT_MARGIN 0.3

// Refitting --------------------------------------------------------------------

void snTissueTree_Push(snTissueTree* tree, const snTissue* tissue, snArena* arena)
{
    size_t points = (size_t)tissue->flesh->point_count;
    *tree = (snTissueTree){
        .blocks = snArena_Push(arena, (size_t)tissue->block_count, sizeof(snTissueBlock)),
        .cell_nodes =
            snArena_Push(arena, (size_t)tissue->cell_tree.node_count, sizeof(snTissueBox)),
        .points = snArena_Push(arena, points, sizeof(snVec4f)),
        .point_nodes =
            snArena_Push(arena, (size_t)tissue->point_tree.node_count, sizeof(snTissueBox)),
        .clear = snArena_Push(arena, (size_t)tissue->front_count + (size_t)tissue->group_count,
                              sizeof(float))};
    if (tree->blocks) { // refitting leaves lanes without a cell as they are: empty boxes
        memcpy(tree->blocks, tissue->rest_boxes,
               (size_t)tissue->block_count * sizeof(snTissueBlock));
    }
}

static snVec4f blend(const snTie* tie, const snVec4f* x)
{
    snVec4f y = {0, 0, 0, 0};
    for (int k = 0; k < 4; ++k) {
        snVec4f n = x[tie->node[k]];
        float w = tie->weight[k];
        y.x += w * n.x;
        y.y += w * n.y;
        y.z += w * n.z;
        y.w += w * n.w;
    }
    return y;
}

// Children have higher numbers than their parents.
static void refitInner(const snBvh* bvh, int32_t i, snTissueBox* boxes)
{
    const snTissueBox* child = &boxes[bvh->nodes[i].first];
    boxes[i] = unite(child[0], child[1]);
}

// Returns the box around the block.
static snTissueBox refitBlock(snTissueBlock* block, const snTissueCorners* corners,
                              const snVec4f* x, float margin)
{
    snTissueBox all = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    for (int i = 0; i < corners->count; ++i) {
        const int32_t* n = corners->node[i];
        snVec4f a = x[n[0]], b = x[n[1]], c = x[n[2]], d = x[n[3]];
        snTissueBox box =
            enlarge(lower(lower(a, b), lower(c, d)), upper(upper(a, b), upper(c, d)), margin);
        block->lo[0][i] = box.lo.x, block->lo[1][i] = box.lo.y, block->lo[2][i] = box.lo.z;
        block->hi[0][i] = box.hi.x, block->hi[1][i] = box.hi.y, block->hi[2][i] = box.hi.z;
        all = i > 0 ? unite(all, box) : box;
    }
    return all;
}

static void refitCells(snTissueTree* tree, const snTissue* tissue, const snVec4f* x)
{
    const snBvh* bvh = &tissue->cell_tree;
    for (int32_t i = bvh->node_count - 1; i >= 0; --i) {
        int32_t block = tissue->block_of[i];
        if (block < 0) {
            refitInner(bvh, i, tree->cell_nodes);
        } else {
            tree->cell_nodes[i] =
                refitBlock(&tree->blocks[block], &tissue->corners[block], x, tree->margin);
        }
    }
}

static void refitPoints(snTissueTree* tree, const snTissue* tissue, const snVec4f* x)
{
    const snBvh* bvh = &tissue->point_tree;
    for (int32_t i = 0; i < tissue->flesh->point_count; ++i) {
        tree->points[i] = blend(&tissue->ties[i], x);
    }
    for (int32_t i = bvh->node_count - 1; i >= 0; --i) {
        const snBvhNode* node = &bvh->nodes[i];
        if (node->count == 0) {
            refitInner(bvh, i, tree->point_nodes);
            continue;
        }
        snVec4f lo = tree->points[node->first], hi = lo;
        for (int32_t k = 1; k < node->count; ++k) {
            lo = lower(lo, tree->points[node->first + k]);
            hi = upper(hi, tree->points[node->first + k]);
        }
        tree->point_nodes[i] = enlarge(lo, hi, tree->margin);
    }
}

void snTissueTree_Refit(snTissueTree* tree, const snTissue* tissue, const snVec4f* x, float margin)
{
    tree->margin = margin;
    refitCells(tree, tissue, x);
    refitPoints(tree, tissue, x);
}

snBox snTissueTree_Box(const snTissueTree* tree)
{
    snTissueBox all = unite(tree->cell_nodes[0], tree->point_nodes[0]);
    snBox box = {{(double)all.lo.x, (double)all.lo.y, (double)all.lo.z},
                 {(double)all.hi.x, (double)all.hi.y, (double)all.hi.z}};
    return box;
}

// Points -----------------------------------------------------------------------

// Which points were found: a bit each, in the last words of the list that they will be written to.
// Written from its front, ascending, the list never reaches a word before that has been read.
typedef struct Marks {
    uint32_t* word;
    int32_t words;
    int32_t* list;
} Marks;

static Marks startMarks(int32_t* list, int32_t count)
{
    Marks m = {NULL, (count + 31) / 32, list};
    m.word = (uint32_t*)list + (count - m.words);
    memset(m.word, 0, (size_t)m.words * sizeof(uint32_t));
    return m;
}

static bool isMarked(const Marks* m, int32_t i)
{
    return m->word[i / 32] >> i % 32 & 1;
}

static void mark(Marks* m, int32_t i)
{
    m->word[i / 32] |= (uint32_t)1 << i % 32;
}

static int32_t listMarks(Marks* m)
{
    int32_t count = 0;
    for (int32_t w = 0; w < m->words; ++w) {
        uint32_t bits = m->word[w];
        for (int32_t i = 32 * w; bits; ++i, bits >>= 1) {
            if (bits & 1) {
                m->list[count++] = i;
            }
        }
    }
    return count;
}

static snTissueBox pointBox(const snTissueTree* tree, int32_t i)
{
    return enlarge(tree->points[i], tree->points[i], tree->margin);
}

static void markInBox(const snTissueTree* a, const snBvh* bvh, const snBox* box, Marks* marks)
{
    const snTissueBox q = narrow(box);
    int32_t stack[SN_BVH_DEPTH + 2];
    int top = 0;
    if (bvh->node_count > 0) {
        stack[top++] = 0;
    }
    while (top > 0) {
        int32_t at = stack[--top];
        const snBvhNode* node = &bvh->nodes[at];
        if (!meet(&a->point_nodes[at], &q)) {
            continue;
        }
        for (int32_t i = node->first; i < node->first + node->count; ++i) {
            snTissueBox point = pointBox(a, i);
            if (meet(&point, &q)) {
                mark(marks, bvh->order[i]);
            }
        }
        if (node->count == 0) {
            stack[top++] = node->first + 1;
            stack[top++] = node->first;
        }
    }
}

int32_t snTissueTree_PointsInBoxes(const snTissueTree* a, const snTissue* ta, const snBox* boxes,
                                   int32_t box_count, int32_t* points)
{
    Marks marks = startMarks(points, ta->flesh->point_count);
    for (int32_t i = 0; i < box_count; ++i) {
        markInBox(a, &ta->point_tree, &boxes[i], &marks);
    }
    return listMarks(&marks);
}

// Two trees --------------------------------------------------------------------

// Points of one body against cells of another, or of the same.
typedef struct Pass {
    const snTissueTree *a, *b;
    const snTissue *ta, *tb;
    snVec4f shift;
    float reach;
    bool self;
    double apart_sq;
    float apart_sq_below; // the same, so that rounding to float loses nothing
    Marks marks;
    bool keep; // instead of looking for points, where the descent ends
    int32_t front_count;
    snTissuePair* front; // NULL = they are counted
} Pass;

typedef struct Pair {
    int32_t point, cell; // nodes
} Pair;

static snTissueBox moved(const Pass* pass, snTissueBox box)
{
    snVec4f s = pass->shift;
    snVec4f lo = {box.lo.x + s.x, box.lo.y + s.y, box.lo.z + s.z, 0};
    snVec4f hi = {box.hi.x + s.x, box.hi.y + s.y, box.hi.z + s.z, 0};
    return enlarge(lo, hi, pass->reach);
}

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
    const snVec3* rest = pass->tb->flesh->tets.position;
    for (int k = 0; k < 4; ++k) {
        snVec3 d = snMax3(snSub(rest[node[k]], box->lo), snSub(box->hi, rest[node[k]]));
        if (snLengthSq(d) >= pass->apart_sq) {
            return true;
        }
    }
    return false;
}

// Whether points in a box may touch a cell of the block; in the same body only cells count that
// reach far enough from them at rest.
static bool nearBlock(const Pass* pass, const snTissueBox* box, const snBox* rest, int32_t block)
{
    uint32_t bits = meetLanes(&pass->b->blocks[block], box);
    if (!pass->self || !bits) {
        return bits != 0;
    }
    snTissueBox at = narrow(rest);
    bits &= farLanes(&pass->tb->rest_boxes[block], &at, pass->apart_sq_below);
    for (; bits; bits &= bits - 1) {
        if (reachesApart(pass, rest, pass->tb->corners[block].node[lowestBit(bits)])) {
            return true;
        }
    }
    return false;
}

static void tryPoints(Pass* pass, const snBvhNode* leaf, int32_t block)
{
    for (int32_t i = leaf->first; i < leaf->first + leaf->count; ++i) {
        int32_t point = pass->ta->point_tree.order[i];
        if (!isMarked(&pass->marks, point)) {
            snTissueBox box = moved(pass, pointBox(pass->a, i));
            snBox rest = {pass->ta->point_rest[point], pass->ta->point_rest[point]};
            if (nearBlock(pass, &box, &rest, block)) {
                mark(&pass->marks, point);
            }
        }
    }
}

static float sizeOf(const snTissueBox* box)
{
    return box->hi.x - box->lo.x + (box->hi.y - box->lo.y) + (box->hi.z - box->lo.z);
}

// Cells of a block that reach far enough from points in the box at rest.
static uint32_t apartLanes(const Pass* pass, const snBox* rest, int32_t block)
{
    const snTissueCorners* corners = &pass->tb->corners[block];
    uint32_t bits = 0;
    for (int i = 0; i < corners->count; ++i) {
        bits |= (uint32_t)reachesApart(pass, rest, corners->node[i]) << i;
    }
    return bits;
}

// Keeps a pair where the descent ends at rest.
static void keepPair(Pass* pass, Pair at, int32_t block)
{
    uint32_t lanes = ALL_LANES;
    if (block >= 0) {
        lanes = apartLanes(pass, &pass->ta->point_tree.nodes[at.point].box, block);
    }
    if (lanes && pass->front) {
        pass->front[pass->front_count] = (snTissuePair){at.point, at.cell, lanes};
    }
    pass->front_count += lanes != 0;
}

static void descend(Pass* pass, Pair from)
{
    const snBvh *points = &pass->ta->point_tree, *cells = &pass->tb->cell_tree;
    Pair stack[PAIRS];
    int top = 0;
    stack[top++] = from;
    while (top > 0) {
        Pair at = stack[--top];
        const snBvhNode *p = &points->nodes[at.point], *c = &cells->nodes[at.cell];
        snTissueBox p_box = moved(pass, pass->a->point_nodes[at.point]);
        const snTissueBox* c_box = &pass->b->cell_nodes[at.cell];
        int32_t block = pass->tb->block_of[at.cell];
        if (pass->self && farthestSq(&p->box, &c->box) < pass->apart_sq) {
            continue;
        }
        bool near = meet(&p_box, c_box);
        if (near && block < 0 && (p->count > 0 || sizeOf(&p_box) < sizeOf(c_box))) {
            stack[top++] = (Pair){at.point, c->first};
            stack[top++] = (Pair){at.point, c->first + 1};
            continue;
        }
        near = near && (block < 0 || nearBlock(pass, &p_box, &p->box, block));
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

int32_t snTissueTree_PointsNear(const snTissueTree* a, const snTissue* ta, const snTissueTree* b,
                                const snTissue* tb, snVec3 shift, double reach, int32_t* points)
{
    Pass pass = {.a = a, .b = b, .ta = ta, .tb = tb, .reach = (float)reach};
    pass.shift = (snVec4f){(float)shift.x, (float)shift.y, (float)shift.z, 0};
    pass.marks = startMarks(points, ta->flesh->point_count);
    if (ta->point_tree.node_count > 0 && tb->cell_tree.node_count > 0) {
        descend(&pass, (Pair){0, 0});
    }
    return listMarks(&pass.marks);
}

// One body ---------------------------------------------------------------------

static Pass selfPass(const snTissueTree* tree, const snTissue* tissue)
{
    Pass pass = {.a = tree, .b = tree, .ta = tissue, .tb = tissue, .self = true};
    pass.apart_sq = tissue->apart * tissue->apart;
    pass.apart_sq_below = apartSqBelow(tissue);
    return pass;
}

// Whether strangers in these lanes may hold a point.
static bool meetsStranger(const Pass* pass, const snVec4f* x, int32_t rank, const snTissueKin* kin)
{
    snTissueBox box = pointBox(pass->a, rank);
    snVec4f p = pass->a->points[rank];
    snVec3 at = snV3((double)p.x, (double)p.y, (double)p.z);
    uint32_t bits = meetLanes(&pass->b->blocks[kin->block], &box) & kin->lanes;
    double way = 2.0001 * (double)pass->a->margin; // places are floats here
    for (; bits; bits &= bits - 1) {
        int32_t cell = pass->tb->corners[kin->block].cell[lowestBit(bits)];
        if (snTissue_Clear(pass->tb, x, cell, at, -1, way) <= way) {
            return true;
        }
    }
    return false;
}

// Returns how far the group's points are from its strangers, or less; at most 0 when boxes meet.
static float tryStrangers(Pass* pass, const snVec4f* x, const snTissueGroup* group)
{
    const snTissue* t = pass->ta;
    const int32_t* ranks = t->ranks + group->rank;
    snTissueBox all = pointBox(pass->a, ranks[0]);
    float least = INFINITY;
    for (int32_t i = 1; i < group->rank_count; ++i) {
        all = unite(all, pointBox(pass->a, ranks[i]));
    }
    for (int32_t k = group->stranger; k < group->stranger + group->stranger_count; ++k) {
        const snTissueKin* kin = &t->strangers[k];
        float gap = gapBetween(&all, &pass->b->cell_nodes[kin->cell]);
        gap = gap > 0 ? gap : gapToLanes(&pass->b->blocks[kin->block], &all, kin->lanes);
        least = gap < least ? gap : least;
        for (int32_t i = 0; i < group->rank_count && !(gap > 0); ++i) {
            int32_t point = t->point_tree.order[ranks[i]];
            if (!isMarked(&pass->marks, point) && meetsStranger(pass, x, ranks[i], kin)) {
                mark(&pass->marks, point);
            }
        }
    }
    return least;
}

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

// Most of a descent is the same whatever the body does: only where it ends differs. So it starts
// where it ended at rest, with the answers about rest distances known; and not before the body can
// have brought together what was apart at the last look.
int32_t snTissueTree_PointsSelf(snTissueTree* a, const snTissue* ta, const snVec4f* x,
                                int32_t* points)
{
    Pass pass = selfPass(a, ta);
    pass.marks = startMarks(points, ta->flesh->point_count);
    const float reached = (float)((1 + ROUNDING) * (a->travel + a->way + (double)a->margin));
    for (int32_t i = 0; i < ta->front_count; ++i) {
        if (a->clear[i] <= reached) {
            const snTissuePair* pair = &ta->front[i];
            float gap = gapOf(a, ta, pair);
            a->clear[i] = clearAt(a, gap);
            if (!(gap > 0)) {
                descend(&pass, (Pair){pair->point, pair->cell});
            }
        }
    }
    float* clear = a->clear + ta->front_count;
    for (int32_t i = 0; i < ta->group_count; ++i) {
        if (clear[i] <= reached) {
            clear[i] = clearAt(a, tryStrangers(&pass, x, &ta->groups[i]));
        }
    }
    return listMarks(&pass.marks);
}

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
        Pass pass = selfPass(&tree, tissue);
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
