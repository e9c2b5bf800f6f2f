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

// Pairs of the front and groups from which on threads share them, and parts to share.
#define MANY 4096
#define PARTS 16

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

// The search in parts, which threads share.
typedef struct Search {
    snSelfFcn* find;
    int part_count;
    snSelfPass parts[PARTS];
} Search;

static void findPart(void* search, int index, int worker)
{
    Search* s = search;
    (void)worker;
    s->find(&s->parts[index]);
}

// Each part has its share of the room; pairs are counted by one alone.
static void cut(Search* s, const snSelfPass* all, int count)
{
    const int64_t end = all->end;
    s->part_count = count;
    for (int i = 0; i < count; ++i) {
        snSelfPass* part = &s->parts[i];
        *part = *all;
        part->begin = (int32_t)(end * i / count);
        part->end = (int32_t)(end * (i + 1) / count);
        part->capacity = all->capacity / count;
        part->pairs = all->pairs + (size_t)i * (size_t)part->capacity;
        part->counts = count > 1 ? NULL : all->counts;
    }
}

static bool isFull(const Search* s)
{
    bool full = false;
    for (int i = 0; i < s->part_count; ++i) {
        full = full || s->parts[i].count > s->parts[i].capacity;
    }
    return full;
}

static void countPairs(const Search* s, int32_t* counts)
{
    for (int i = 0; i < s->part_count && s->part_count > 1; ++i) {
        for (int32_t k = 0; k < s->parts[i].count; ++k) {
            counts[s->parts[i].pairs[k].point]++;
        }
    }
}

// By point; those of a point as they were found.
static void sortPairs(const Search* s, int32_t points, int32_t* counts, snNearList* near)
{
    int32_t first = 0;
    for (int32_t i = 0; i < points; ++i) {
        int32_t count = counts[i];
        counts[i] = first;
        first += count;
    }
    for (int i = 0; i < s->part_count; ++i) {
        for (int32_t k = 0; k < s->parts[i].count; ++k) {
            near->pairs[counts[s->parts[i].pairs[k].point]++] = s->parts[i].pairs[k];
        }
    }
    near->count = first;
}

// Found pairs are written behind the list's room and sorted by point from there. Parts that have
// too little room are put together again: what is known of gaps by then does no harm.
bool snTissueTree_NearSelf(snIsa isa, snTasks* tasks, snTissueTree* tree, const snTissue* tissue,
                           const snVec4f* x, snNearList* near, int32_t capacity, int32_t* counts)
{
    const int32_t points = tissue->flesh.point_count;
    Search search;
    snSelfPass pass = passOf(tree, tissue);
    pass.end = tissue->front_count + tissue->group_count;
    pass.x = x;
    pass.capacity = capacity / 2;
    pass.pairs = near->pairs + pass.capacity;
    pass.counts = memset(counts, 0, (size_t)points * sizeof(int32_t));
    near->count = 0;
    search.find = SN_ISA_CHOOSE(isa, snSelfFind);
    cut(&search, &pass, tasks && pass.end >= MANY ? PARTS : 1);
    if (search.part_count > 1) {
        snTasks_Run(tasks, search.part_count, findPart, &search);
    }
    if (search.part_count == 1 || isFull(&search)) {
        cut(&search, &pass, 1);
        search.find(&search.parts[0]);
    }
    tree->tries = 0;
    int32_t found = 0;
    for (int i = 0; i < search.part_count; ++i) {
        tree->tries += search.parts[i].tries;
        found += search.parts[i].count;
    }
    if (isFull(&search)) {
        return false;
    }
    if (found > 0) {
        countPairs(&search, counts);
        sortPairs(&search, points, counts, near);
    }
    return true;
}

// At rest ----------------------------------------------------------------------

snStatus snTissue_BuildFront(snArena* arena, snTissue* tissue, snMessage* why)
{
    const snTets* tets = &tissue->flesh.tets;
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
            snTissueTree_Refit(&tree, tissue, x, (float)(FRONT_MARGIN * tissue->flesh.cell));
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
