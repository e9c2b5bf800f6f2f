// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// All 16 cells of a block at once against a box of points; pairs that are left in batches.
#include "contact/tissue_box.h"
#include "contact/tissue_self_pass.h"
#include "math/isa.h"

// Pairs of the front that are looked at together
enum { CHUNK = 256 };

typedef struct Pair {
    int32_t point, cell; // nodes
    uint32_t strangers;  // lanes of the leaf of cells that are looked for, as strangers; 0: others
} Pair;

// Gaps -------------------------------------------------------------------------

// Along an axis; 0 when they overlap along it.
SN_KERNEL float gapAlong(float lo, float hi, float other_lo, float other_hi)
{
    return larger(larger(lo - other_hi, other_lo - hi), 0);
}

// The least of the distances between the box and those of some lanes; 0 when they meet.
static float gapToLanes(const snTissueBlock* b, const snTissueBox* box, uint32_t lanes)
{
    float square[SN_TISSUE_LANES];
    snVec4f lo = box->lo, hi = box->hi;
#pragma omp simd
    for (int i = 0; i < SN_TISSUE_LANES; ++i) {
        float x = gapAlong(b->lo[0][i], b->hi[0][i], lo.x, hi.x);
        float y = gapAlong(b->lo[1][i], b->hi[1][i], lo.y, hi.y);
        float z = gapAlong(b->lo[2][i], b->hi[2][i], lo.z, hi.z);
        float sum = x * x + y * y + z * z;
        square[i] = lanes >> i & 1 ? sum : INFINITY;
    }
    for (int n = SN_TISSUE_LANES / 2; n > 0; n /= 2) { // clang does not vectorise a reduction
        for (int i = 0; i < n; ++i) {
            square[i] = square[i + n] < square[i] ? square[i + n] : square[i];
        }
    }
    return sqrtf(square[0]);
}

static float gapBetween(const snTissueBox* a, const snTissueBox* b)
{
    float x = gapAlong(a->lo.x, a->hi.x, b->lo.x, b->hi.x);
    float y = gapAlong(a->lo.y, a->hi.y, b->lo.y, b->hi.y);
    float z = gapAlong(a->lo.z, a->hi.z, b->lo.z, b->hi.z);
    return sqrtf(x * x + y * y + z * z);
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
static bool reachesApart(const snSelfPass* pass, const snBox* box, const int32_t node[4])
{
    const snVec3* rest = pass->tissue->flesh.tets.position;
    for (int k = 0; k < 4; ++k) {
        snVec3 d = snMax3(snSub(rest[node[k]], box->lo), snSub(box->hi, rest[node[k]]));
        if (snLengthSq(d) >= pass->apart_sq) {
            return true;
        }
    }
    return false;
}

// Cells of a block that reach far enough from points in the box at rest.
static uint32_t apartLanes(const snSelfPass* pass, const snBox* rest, int32_t block)
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
static uint32_t nearLanes(const snSelfPass* pass, const snTissueBox* box, const snBox* rest,
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

snClearFcn SN_ISA_NAME(snTissueClear);

static void addPair(snSelfPass* pass, int32_t point, int32_t cell, int32_t own, double clear)
{
    if (own >= 0) { // strangers are looked at as such
        int32_t home = pass->tissue->home[cell];
        uint32_t strange = snTissue_StrangersIn(pass->tissue, point, home / SN_TISSUE_LANES);
        if (strange >> home % SN_TISSUE_LANES & 1) {
            return;
        }
    }
    if (pass->counts) {
        pass->counts[point]++;
    }
    if (pass->count < pass->capacity) {
        pass->pairs[pass->count] = (snNear){point, cell, (float)((1 - SN_SELF_ROUNDING) * clear)};
    }
    pass->count += pass->count <= pass->capacity;
}

// Looks at the pairs that wait in the batch.
static void tryBatch(snSelfPass* pass)
{
    snClearBatch* b = &pass->batch;
    if (b->count > 0) {
        SN_ISA_NAME(snTissueClear)(pass->tissue, pass->x, b);
    }
    for (int i = 0; i < b->count; ++i) {
        if (b->clear[i] <= b->way[i]) {
            addPair(pass, b->point[i], b->cell[i], b->own[i], b->clear[i]);
        }
    }
    pass->tries += b->count;
    b->count = 0;
}

// By which a cell may yet move
static float marginOf(const snTissueTree* tree, const int32_t node[4])
{
    const float* m = tree->margins;
    return larger(larger(m[node[0]], m[node[1]]), larger(m[node[2]], m[node[3]]));
}

static void tryLanes(snSelfPass* pass, int32_t rank, int32_t block, uint32_t bits, bool strange)
{
    snClearBatch* b = &pass->batch;
    int32_t point = pass->tissue->point_tree.order[rank];
    snVec3 place = snTie_Blend(&pass->tissue->ties[rank], pass->x);
    const snTissueCorners* corners = &pass->tissue->corners[block];
    float margin = pass->tree->points[rank].w;
    for (; bits; bits &= bits - 1) {
        int lane = lowestBit(bits);
        b->point[b->count] = point;
        b->cell[b->count] = corners->cell[lane];
        b->way[b->count] =
            (1 + SN_SELF_ROUNDING) * (double)(margin + marginOf(pass->tree, corners->node[lane]));
        b->own[b->count] = strange ? -1 : point;
        b->place[b->count++] = place;
        if (b->count == SN_CLEAR_LANES) {
            tryBatch(pass);
        }
    }
}

// Those of the block's cells that are strangers to points of the leaf
static void tryStrangers(snSelfPass* pass, const snBvhNode* leaf, int32_t block, uint32_t lanes)
{
    for (int32_t i = leaf->first; i < leaf->first + leaf->count; ++i) {
        int32_t point = pass->tissue->point_tree.order[i];
        snTissueBox box = pointBox(pass->tree, i);
        uint32_t bits = meetLanes(&pass->tree->blocks[block], &box) & lanes;
        if (bits) {
            tryLanes(pass, i, block, bits & snTissue_StrangersIn(pass->tissue, point, block), true);
        }
    }
}

static void tryPoints(snSelfPass* pass, const snBvhNode* leaf, int32_t block)
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
static void keepPair(snSelfPass* pass, Pair at, int32_t block)
{
    uint32_t lanes = ALL_LANES;
    if (block >= 0) {
        lanes = apartLanes(pass, &pass->tissue->point_tree.nodes[at.point].box, block);
    }
    if (lanes && pass->front) {
        pass->front[pass->front_count] = (snTissuePair){at.point, at.cell, lanes, false};
    }
    pass->front_count += lanes != 0;
}

// Whether the front has to go on though nothing is near: each of its nodes lies in one part.
static bool isAbove(const snSelfPass* pass, Pair at)
{
    return pass->keep &&
           (pass->tissue->point_parts.of[at.point] < 0 || pass->tissue->cell_parts.of[at.cell] < 0);
}

static bool lanesNear(const snSelfPass* pass, const snBvhNode* p, Pair at, int32_t block)
{
    const snTissueBox* box = &pass->tree->point_nodes[at.point];
    return at.strangers ? (meetLanes(&pass->tree->blocks[block], box) & at.strangers) != 0
                        : nearLanes(pass, box, &p->box, block) != 0;
}

static void descend(snSelfPass* pass, Pair from)
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
        if (!at.strangers && farthestSq(&p->box, &c->box) < pass->apart_sq) {
            continue;
        }
        bool above = isAbove(pass, at), near = meet(p_box, c_box) || above;
        if (near && block < 0 && (p->count > 0 || sizeOf(p_box) < sizeOf(c_box))) {
            stack[top++] = (Pair){at.point, c->first, at.strangers};
            stack[top++] = (Pair){at.point, c->first + 1, at.strangers};
            continue;
        }
        near = near && (above || block < 0 || lanesNear(pass, p, at, block));
        if (near && p->count == 0) {
            stack[top++] = (Pair){p->first, at.cell, at.strangers};
            stack[top++] = (Pair){p->first + 1, at.cell, at.strangers};
        } else if (pass->keep) {
            keepPair(pass, at, block);
        } else if (near && at.strangers) {
            tryStrangers(pass, p, block, at.strangers);
        } else if (near) {
            tryPoints(pass, p, block);
        }
    }
}

// How far the parts of a pair are from each other, or less; 0 when their boxes, which are enlarged,
// meet.
static float gapOf(const snTissueTree* a, const snTissue* ta, const snTissuePair* pair)
{
    const snTissueBox* box = &a->point_nodes[pair->point];
    int32_t block = ta->block_of[pair->cell];
    return block < 0 ? gapBetween(box, &a->cell_nodes[pair->cell])
                     : gapToLanes(&a->blocks[block], box, pair->lanes);
}

// Numbers of those, of the next CHUNK, for which it is time: without branches, which would be
// guessed wrong half of the time.
static int32_t listDue(const float* clear, int32_t count, float reached, int32_t due[CHUNK])
{
    int32_t found = 0, i = 0;
    for (; i + SN_TISSUE_LANES <= count; i += SN_TISSUE_LANES) { // mostly none of so many
        int32_t any = 0;
        for (int k = 0; k < SN_TISSUE_LANES; ++k) {
            any |= clear[i + k] <= reached;
        }
        for (int k = 0; any && k < SN_TISSUE_LANES; ++k) {
            due[found] = i + k;
            found += clear[i + k] <= reached;
        }
    }
    for (; i < count; ++i) {
        due[found] = i;
        found += clear[i] <= reached;
    }
    return found;
}

// least: of the margins of both parts, which boxes have already.
static void tryFront(snSelfPass* pass, int32_t first, int32_t count, float reached, double closed,
                     double least)
{
    const snTissuePair* front = pass->tissue->front + first;
    float* clear = pass->tree->clear + first;
    int32_t due[CHUNK] = {0}, found = listDue(clear, count, reached, due);
    for (int32_t k = 0; k < found; ++k) {
        const snTissuePair* pair = &front[due[k]];
        float gap = gapOf(pass->tree, pass->tissue, pair);
        clear[due[k]] = gap > 0 ? (float)(closed + (double)gap + least) : -1;
        if (!(gap > 0)) {
            descend(pass, (Pair){pair->point, pair->cell, pair->strange ? pair->lanes : 0});
        }
    }
}

static float leastOf(const float* a, int32_t count)
{
    float least = a[0];
    for (int32_t i = 1; i < count; ++i) {
        least = a[i] < least ? a[i] : least;
    }
    return least;
}

snSelfFcn SN_ISA_NAME(snSelfFind), SN_ISA_NAME(snSelfFront);

// All pairs that may touch before the next list.
void SN_ISA_NAME(snSelfFind)(snSelfPass* pass)
{
    const snTissue* tissue = pass->tissue;
    snTissueTree* tree = pass->tree;
    for (int32_t r = pass->begin; r < pass->end; ++r) {
        const snTissueRun* run = &tissue->runs[r];
        const float reached = snTissueTree_Reached(tree, tissue, r);
        const double least =
            tree->point_parts[run->point].least + tree->cell_parts[run->cell].least;
        if (tree->soonest[r] > reached) {
            continue;
        }
        for (int32_t i = 0; i < run->count; i += CHUNK) {
            int32_t left = run->count - i;
            tryFront(pass, run->first + i, left < CHUNK ? left : CHUNK, reached, tree->closed[r],
                     least);
        }
        tree->soonest[r] = leastOf(tree->clear + run->first, run->count);
    }
    tryBatch(pass);
}

// Where the descent ends at rest.
void SN_ISA_NAME(snSelfFront)(snSelfPass* pass)
{
    descend(pass, (Pair){0, 0, 0});
}
