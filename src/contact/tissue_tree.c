// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "contact/tissue_box.h"
#include <string.h>

// Leaves of cells from which on threads share refitting, and shares.
#define MANY_BLOCKS 256
#define SHARES 8

// Refitting --------------------------------------------------------------------

void snTissueTree_Push(snTissueTree* tree, const snTissue* tissue, snArena* arena)
{
    size_t points = (size_t)tissue->flesh.point_count;
    *tree = (snTissueTree){
        .blocks = snArena_Push(arena, (size_t)tissue->block_count, sizeof(snTissueBlock)),
        .cell_nodes =
            snArena_Push(arena, (size_t)tissue->cell_tree.node_count, sizeof(snTissueBox)),
        .margins = snArena_Push(arena, (size_t)tissue->flesh.tets.node_count, sizeof(float)),
        .points = snArena_Push(arena, points, sizeof(snVec4f)),
        .point_nodes =
            snArena_Push(arena, (size_t)tissue->point_tree.node_count, sizeof(snTissueBox)),
        .seen = snArena_Push(arena, (size_t)tissue->flesh.tets.node_count, sizeof(snVec4f)),
        .point_parts = snArena_Push(arena, (size_t)tissue->point_parts.count, sizeof(snPartMotion)),
        .cell_parts = snArena_Push(arena, (size_t)tissue->cell_parts.count, sizeof(snPartMotion)),
        .closed = snArena_Push(arena, (size_t)tissue->run_count, sizeof(double)),
        .clear = snArena_Push(arena, (size_t)tissue->front_count, sizeof(float)),
        .soonest = snArena_Push(arena, (size_t)tissue->run_count, sizeof(float))};
    if (tree->blocks) { // refitting leaves lanes without a cell as they are: empty boxes
        memcpy(tree->blocks, tissue->rest_boxes,
               (size_t)tissue->block_count * sizeof(snTissueBlock));
    }
}

static float largestOf(const float* margins, const int32_t node[4])
{
    return larger(larger(margins[node[0]], margins[node[1]]),
                  larger(margins[node[2]], margins[node[3]]));
}

// All four numbers, so that they go through one instruction; then the margin: the point moves by no
// more than the farthest of its nodes, or a little more outside of its cell.
static snVec4f blend(const snTie* tie, const snVec4f* x, const float* margins)
{
    snVec4f y = {0, 0, 0, 0};
    float sum = 0;
    for (int k = 0; k < 4; ++k) {
        snVec4f n = x[tie->node[k]];
        float w = tie->weight[k];
        y.x += w * n.x;
        y.y += w * n.y;
        y.z += w * n.z;
        y.w += w * n.w;
        sum += fabsf(w) * margins[tie->node[k]];
    }
    float most = largestOf(margins, tie->node);
    y.w = sum > 1.00001F * most ? sum : most; // not by rounding
    return y;
}

// Returns the box around the block.
static snTissueBox refitBlock(snTissueBlock* block, const snTissueCorners* corners,
                              const snVec4f* x, const float* margins)
{
    snTissueBox all = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    for (int i = 0; i < corners->count; ++i) {
        const int32_t* n = corners->node[i];
        snVec4f a = x[n[0]], b = x[n[1]], c = x[n[2]], d = x[n[3]];
        snTissueBox box = enlarge(lower(lower(a, b), lower(c, d)), upper(upper(a, b), upper(c, d)),
                                  largestOf(margins, n));
        block->lo[0][i] = box.lo.x, block->lo[1][i] = box.lo.y, block->lo[2][i] = box.lo.z;
        block->hi[0][i] = box.hi.x, block->hi[1][i] = box.hi.y, block->hi[2][i] = box.hi.z;
        all = i > 0 ? unite(all, box) : box;
    }
    return all;
}

// Leaves of cells, and points, in shares.
typedef struct Refit {
    snTissueTree* tree;
    const snTissue* tissue;
    const snVec4f* x;
    int shares;
} Refit;

static int32_t cutAt(const Refit* r, int64_t count, int share)
{
    return (int32_t)(count * share / r->shares);
}

static void refitLeaves(void* argument, int index, int worker)
{
    const Refit* r = argument;
    const snTissue* tissue = r->tissue;
    snTissueTree* tree = r->tree;
    const int32_t nodes = tissue->cell_tree.node_count, points = tissue->flesh.point_count;
    (void)worker;
    for (int32_t i = cutAt(r, nodes, index); i < cutAt(r, nodes, index + 1); ++i) {
        int32_t block = tissue->block_of[i];
        if (block >= 0) {
            tree->cell_nodes[i] =
                refitBlock(&tree->blocks[block], &tissue->corners[block], r->x, tree->margins);
        }
    }
    for (int32_t i = cutAt(r, points, index), end = cutAt(r, points, index + 1); i < end; ++i) {
        tree->points[i] = blend(&tissue->ties[i], r->x, tree->margins);
    }
}

static snTissueBox boxPoints(const snVec4f* points, int32_t count)
{
    snVec4f lo = points[0], hi = lo;
    for (int32_t i = 1; i < count; ++i) {
        lo = lower(lo, points[i]);
        hi = upper(hi, points[i]);
    }
    return enlarge(lo, hi, hi.w);
}

// Children have higher numbers than their parents. points: in the order of leaves; NULL = those are
// done.
static void refitNodes(const snBvh* bvh, const snVec4f* points, snTissueBox* boxes)
{
    for (int32_t i = bvh->node_count - 1; i >= 0; --i) {
        const snBvhNode* node = &bvh->nodes[i];
        if (node->count == 0) {
            boxes[i] = unite(boxes[node->first], boxes[node->first + 1]);
        } else if (points) {
            boxes[i] = boxPoints(points + node->first, node->count);
        }
    }
}

void snTissueTree_Refit(snTissueTree* tree, const snTissue* tissue, const snVec4f* x, float margin)
{
    for (int32_t i = 0; i < tissue->flesh.tets.node_count; ++i) {
        tree->margins[i] = margin;
    }
    snTissueTree_RefitEach(tree, tissue, x, NULL);
}

void snTissueTree_RefitEach(snTissueTree* tree, const snTissue* tissue, const snVec4f* x,
                            snTasks* tasks)
{
    Refit refit = {tree, tissue, x, tasks && tissue->block_count >= MANY_BLOCKS ? SHARES : 1};
    tree->margin = 0;
    tree->least = INFINITY;
    for (int32_t i = 0; i < tissue->flesh.tets.node_count; ++i) {
        float m = tree->margins[i];
        tree->margin = m > tree->margin ? m : tree->margin;
        tree->least = m < tree->least ? m : tree->least;
    }
    if (refit.shares > 1) {
        snTasks_Run(tasks, refit.shares, refitLeaves, &refit);
    } else {
        refitLeaves(&refit, 0, 0);
    }
    refitNodes(&tissue->cell_tree, NULL, tree->cell_nodes);
    refitNodes(&tissue->point_tree, tree->points, tree->point_nodes);
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
    Marks marks = startMarks(points, ta->flesh.point_count);
    for (int32_t i = 0; i < box_count; ++i) {
        markInBox(a, &ta->point_tree, &boxes[i], &marks);
    }
    return listMarks(&marks);
}

// Two trees --------------------------------------------------------------------

// Points of one body against cells of another.
typedef struct Pass {
    const snTissueTree *a, *b;
    const snTissue *ta, *tb;
    snVec4f shift;
    float reach;
    Marks marks;
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

static void tryPoints(Pass* pass, const snBvhNode* leaf, const snTissueBlock* block)
{
    for (int32_t i = leaf->first; i < leaf->first + leaf->count; ++i) {
        int32_t point = pass->ta->point_tree.order[i];
        if (!isMarked(&pass->marks, point)) {
            snTissueBox box = moved(pass, pointBox(pass->a, i));
            if (meetLanes(block, &box)) {
                mark(&pass->marks, point);
            }
        }
    }
}

static void descend(Pass* pass)
{
    const snBvh *points = &pass->ta->point_tree, *cells = &pass->tb->cell_tree;
    Pair stack[SN_TISSUE_PAIRS];
    int top = 0;
    stack[top++] = (Pair){0, 0};
    while (top > 0) {
        Pair at = stack[--top];
        const snBvhNode *p = &points->nodes[at.point], *c = &cells->nodes[at.cell];
        snTissueBox p_box = moved(pass, pass->a->point_nodes[at.point]);
        const snTissueBox* c_box = &pass->b->cell_nodes[at.cell];
        int32_t block = pass->tb->block_of[at.cell];
        bool near = meet(&p_box, c_box);
        if (near && block < 0 && (p->count > 0 || sizeOf(&p_box) < sizeOf(c_box))) {
            stack[top++] = (Pair){at.point, c->first};
            stack[top++] = (Pair){at.point, c->first + 1};
            continue;
        }
        near = near && (block < 0 || meetLanes(&pass->b->blocks[block], &p_box));
        if (near && p->count == 0) {
            stack[top++] = (Pair){p->first, at.cell};
            stack[top++] = (Pair){p->first + 1, at.cell};
        } else if (near) {
            tryPoints(pass, p, &pass->b->blocks[block]);
        }
    }
}

int32_t snTissueTree_PointsNear(const snTissueTree* a, const snTissue* ta, const snTissueTree* b,
                                const snTissue* tb, snVec3 shift, double reach, int32_t* points)
{
    Pass pass = {.a = a, .b = b, .ta = ta, .tb = tb, .reach = (float)reach};
    pass.shift = (snVec4f){(float)shift.x, (float)shift.y, (float)shift.z, 0};
    pass.marks = startMarks(points, ta->flesh.point_count);
    if (ta->point_tree.node_count > 0 && tb->cell_tree.node_count > 0) {
        descend(&pass);
    }
    return listMarks(&pass.marks);
}
