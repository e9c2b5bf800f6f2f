// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "contact/tissue.h"

#include "base/message.h"
#include <string.h>

// A pair of nodes leaves two behind at each level of either tree.
#define PAIRS (2 * SN_BVH_DEPTH + 4)

#define ALL_LANES 0xffff

// Of the boxes for which self contact is prepared, in cells.
#define FRONT_MARGIN 0.3

// Boxes ------------------------------------------------------------------------

// All four numbers, so that they go through one instruction.
static snVec4f lower(snVec4f a, snVec4f b)
{
    snVec4f m = {b.x < a.x ? b.x : a.x, b.y < a.y ? b.y : a.y, b.z < a.z ? b.z : a.z,
                 b.w < a.w ? b.w : a.w};
    return m;
}

static snVec4f upper(snVec4f a, snVec4f b)
{
    snVec4f m = {b.x > a.x ? b.x : a.x, b.y > a.y ? b.y : a.y, b.z > a.z ? b.z : a.z,
                 b.w > a.w ? b.w : a.w};
    return m;
}

static snTissueBox unite(snTissueBox a, snTissueBox b)
{
    snTissueBox box = {lower(a.lo, b.lo), upper(a.hi, b.hi)};
    return box;
}

static snTissueBox enlarge(snVec4f lo, snVec4f hi, float by)
{
    snTissueBox box = {{lo.x - by, lo.y - by, lo.z - by, 0}, {hi.x + by, hi.y + by, hi.z + by, 0}};
    return box;
}

static snTissueBox narrow(const snBox* box)
{
    snTissueBox out = {{(float)box->lo.x, (float)box->lo.y, (float)box->lo.z, 0},
                       {(float)box->hi.x, (float)box->hi.y, (float)box->hi.z, 0}};
    return out;
}

static bool meet(const snTissueBox* a, const snTissueBox* b)
{
    return (a->lo.x <= b->hi.x) & (b->lo.x <= a->hi.x) & (a->lo.y <= b->hi.y) &
           (b->lo.y <= a->hi.y) & (a->lo.z <= b->hi.z) & (b->lo.z <= a->hi.z);
}

// Bits of the lanes that hold: a comparison a lane, all lanes at once.
static uint32_t bitsOf(const int32_t yes[SN_TISSUE_LANES])
{
    static const int32_t BIT[SN_TISSUE_LANES] = {1,   2,   4,    8,    16,   32,   64,    128,
                                                 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
    int32_t bits = 0;
    for (int i = 0; i < SN_TISSUE_LANES; ++i) {
        bits |= -yes[i] & BIT[i];
    }
    return (uint32_t)bits;
}

// Lanes whose boxes meet the box.
static uint32_t meetLanes(const snTissueBlock* b, const snTissueBox* box)
{
    int32_t yes[SN_TISSUE_LANES];
    snVec4f lo = box->lo, hi = box->hi;
    for (int i = 0; i < SN_TISSUE_LANES; ++i) {
        yes[i] = (b->lo[0][i] <= hi.x) & (lo.x <= b->hi[0][i]) & (b->lo[1][i] <= hi.y) &
                 (lo.y <= b->hi[1][i]) & (b->lo[2][i] <= hi.z) & (lo.z <= b->hi[2][i]);
    }
    return bitsOf(yes);
}

static float larger(float a, float b)
{
    return a > b ? a : b;
}

// Lanes with a place that is farther than `apart` from some place of the box.
static uint32_t farLanes(const snTissueBlock* b, const snTissueBox* box, float apart_sq)
{
    int32_t yes[SN_TISSUE_LANES];
    snVec4f lo = box->lo, hi = box->hi;
    for (int i = 0; i < SN_TISSUE_LANES; ++i) {
        float x = larger(b->hi[0][i] - lo.x, hi.x - b->lo[0][i]);
        float y = larger(b->hi[1][i] - lo.y, hi.y - b->lo[1][i]);
        float z = larger(b->hi[2][i] - lo.z, hi.z - b->lo[2][i]);
        yes[i] = x * x + y * y + z * z >= apart_sq;
    }
    return bitsOf(yes);
}

static int lowestBit(uint32_t bits)
{
#if defined(__GNUC__)
    return __builtin_ctz(bits);
#else
    int i = 0;
    for (; !(bits >> i & 1); ++i) {
    }
    return i;
#endif
}

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
            snArena_Push(arena, (size_t)tissue->point_tree.node_count, sizeof(snTissueBox))};
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

// Cells ------------------------------------------------------------------------

static void insert(int32_t* list, int32_t count, int32_t value)
{
    int32_t at = count;
    for (; at > 0 && list[at - 1] > value; --at) {
        list[at] = list[at - 1];
    }
    list[at] = value;
}

int32_t snTissueTree_Cells(const snTissueTree* tree, const snTissue* tissue, snVec3 p, double reach,
                           int32_t* cells, int32_t capacity)
{
    const snBvh* bvh = &tissue->cell_tree;
    snVec4f q = {(float)p.x, (float)p.y, (float)p.z, 0};
    const snTissueBox box = enlarge(q, q, (float)reach);
    int32_t stack[SN_BVH_DEPTH + 2], count = 0;
    int top = 0;
    if (bvh->node_count > 0 && meet(&tree->cell_nodes[0], &box)) {
        stack[top++] = 0;
    }
    while (top > 0) {
        int32_t at = stack[--top], block = tissue->block_of[at], child = bvh->nodes[at].first;
        if (block >= 0) {
            uint32_t bits = meetLanes(&tree->blocks[block], &box);
            for (; bits; bits &= bits - 1, ++count) {
                if (count < capacity) {
                    insert(cells, count, tissue->corners[block].cell[lowestBit(bits)]);
                }
            }
            continue;
        }
        for (int k = 1; k >= 0; --k) {
            if (meet(&tree->cell_nodes[child + k], &box)) {
                stack[top++] = child + k;
            }
        }
    }
    return count;
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
    pass.apart_sq_below = (float)(0.9999 * pass.apart_sq);
    return pass;
}

// Most of a descent is the same whatever the body does: only where it ends differs. So it starts
// where it ended at rest, with the answers about rest distances known.
int32_t snTissueTree_PointsSelf(const snTissueTree* a, const snTissue* ta, int32_t* points)
{
    Pass pass = selfPass(a, ta);
    pass.marks = startMarks(points, ta->flesh->point_count);
    for (int32_t i = 0; i < ta->front_count; ++i) {
        const snTissuePair* pair = &ta->front[i];
        int32_t block = ta->block_of[pair->cell];
        const snTissueBox* p_box = &a->point_nodes[pair->point];
        if (meet(p_box, &a->cell_nodes[pair->cell]) &&
            (block < 0 || meetLanes(&a->blocks[block], p_box) & pair->lanes)) {
            descend(&pass, (Pair){pair->point, pair->cell});
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
