// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Which cells of its own a soft body's points may come into. Most of the descent of both trees is
// the same whatever the body does: only where it ends differs. So it starts where it ended at rest,
// with the answers about rest distances known; and not before the body can have brought together
// what was apart at the last look.
#include "base/message.h"
#include "contact/tissue_box.h"
#include "contact/tissue_self_pass.h"
#include "math/isa.h"
#include <string.h>

// Of the boxes for which self contact is prepared, in cells.
#define FRONT_MARGIN 0.3

SN_ISA_DECLARE(snSelfFcn, snSelfFind);
SN_ISA_DECLARE(snSelfFcn, snSelfFront);

static snSelfPass passOf(snTissueTree* tree, const snTissue* tissue)
{
    snSelfPass pass = {.tree = tree, .tissue = tissue};
    pass.apart_sq = tissue->apart * tissue->apart;
    pass.apart_sq_below = apartSqBelow(tissue);
    return pass;
}

// Lists ------------------------------------------------------------------------

void snTissueTree_Forget(snTissueTree* tree, const snTissue* tissue)
{
    tree->travel = 0;
    for (int32_t i = 0; i < tissue->front_count + tissue->group_count; ++i) {
        tree->clear[i] = -1;
    }
}

// Found pairs are written behind the list's room and sorted by point from there.
bool snTissueTree_NearSelf(snIsa isa, snTissueTree* tree, const snTissue* tissue, const snVec4f* x,
                           snNearList* near, int32_t capacity, int32_t* counts)
{
    int32_t points = tissue->flesh->point_count, first = 0;
    snSelfPass pass = passOf(tree, tissue);
    pass.x = x;
    pass.way = 2 * (1 + SN_SELF_ROUNDING) * (double)tree->margin;
    pass.capacity = capacity / 2;
    pass.pairs = near->pairs + pass.capacity;
    pass.counts = memset(counts, 0, (size_t)points * sizeof(int32_t));
    SN_ISA_CHOOSE(isa, snSelfFind)(&pass);
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
        snSelfPass pass = passOf(&tree, tissue);
        pass.keep = true;
        if (round == 0) {
            snTissueTree_Refit(&tree, tissue, x, (float)(FRONT_MARGIN * tissue->flesh->cell));
        } else {
            pass.front = snArena_Push(arena, (size_t)tissue->front_count, sizeof(snTissuePair));
            tissue->front = pass.front;
        }
        if (!arena->failed) {
            SN_ISA_CHOOSE(sn_isaBaseline, snSelfFront)(&pass);
            tissue->front_count = pass.front_count;
        }
    }
    bool failed = scratch.failed || arena->failed;
    snArena_Free(&scratch);
    return failed ? snFail(why, sn_errorMemory, "no memory for self contact") : sn_ok;
}
