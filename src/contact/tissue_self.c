// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Which cells of its own a soft body's points may come into. Most of the descent of both trees is
// the same whatever the body does: only where it ends differs. So it starts where it ended at rest,
// with the answers about rest distances known; and not before the body can have brought together
// what was apart at the last look: each pair waits until its two parts of the body have closed in
// on each other by the gap between them.
#include "contact/tissue_box.h"
#include "contact/tissue_self_pass.h"
#include "math/isa.h"
#include <string.h>

// Pairs of the front from which on threads share them, and shares.
#define MANY 4096
#define SHARES 16

SN_ISA_DECLARE(snSelfFcn, snSelfFind);

// Lists ------------------------------------------------------------------------

void snTissueTree_Forget(snTissueTree* tree, const snTissue* tissue)
{
    tree->recalls = false;
    tree->travel = 0;
    for (int32_t i = 0; i < tissue->front_count; ++i) {
        tree->clear[i] = -1;
    }
    for (int32_t i = 0; i < tissue->run_count; ++i) {
        tree->soonest[i] = -1;
        tree->closed[i] = 0;
    }
}

// The search in shares, one or several for each thread.
typedef struct Search {
    snSelfFcn* find;
    int share_count;
    snSelfPass shares[SHARES];
} Search;

static void findShare(void* search, int index, int worker)
{
    Search* s = search;
    (void)worker;
    s->find(&s->shares[index]);
}

// The first run that begins at this pair of the front or behind it.
static int32_t runAt(const snTissue* tissue, int64_t pair)
{
    int32_t low = 0, high = tissue->run_count;
    while (low < high) {
        int32_t middle = (low + high) / 2;
        bool before = tissue->runs[middle].first < pair;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

// About as many pairs of the front in each, and as much room; pairs are counted by one alone.
static void cut(Search* s, const snSelfPass* all, int count)
{
    const snTissue* tissue = all->tissue;
    const int64_t pairs = tissue->front_count;
    s->share_count = count;
    for (int i = 0; i < count; ++i) {
        snSelfPass* share = &s->shares[i];
        *share = *all;
        share->begin = runAt(tissue, pairs * i / count);
        share->end = runAt(tissue, pairs * (i + 1) / count);
        share->capacity = all->capacity / count;
        share->pairs = all->pairs + (size_t)i * (size_t)share->capacity;
        share->counts = count > 1 ? NULL : all->counts;
    }
}

static bool isFull(const Search* s)
{
    bool full = false;
    for (int i = 0; i < s->share_count; ++i) {
        full = full || s->shares[i].count > s->shares[i].capacity;
    }
    return full;
}

static void countPairs(const Search* s, int32_t* counts)
{
    for (int i = 0; i < s->share_count && s->share_count > 1; ++i) {
        for (int32_t k = 0; k < s->shares[i].count; ++k) {
            counts[s->shares[i].pairs[k].point]++;
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
    for (int i = 0; i < s->share_count; ++i) {
        for (int32_t k = 0; k < s->shares[i].count; ++k) {
            near->pairs[counts[s->shares[i].pairs[k].point]++] = s->shares[i].pairs[k];
        }
    }
    near->count = first;
}

// Found pairs are written behind the list's room and sorted by point from there. Shares that have
// too little room are put together again: what is known of gaps by then does no harm.
bool snTissueTree_NearSelf(snIsa isa, snTasks* tasks, snTissueTree* tree, const snTissue* tissue,
                           const snVec4f* x, snNearList* near, int32_t capacity, int32_t* counts)
{
    const int32_t points = tissue->flesh.point_count;
    Search search;
    snSelfPass pass = snSelfPass_Of(tree, tissue);
    pass.x = x;
    pass.capacity = capacity / 2;
    pass.pairs = near->pairs + pass.capacity;
    pass.counts = memset(counts, 0, (size_t)points * sizeof(int32_t));
    near->count = 0;
    search.find = SN_ISA_CHOOSE(isa, snSelfFind);
    snTissueTree_MoveParts(isa, tree, tissue, x);
    cut(&search, &pass, tasks && tissue->front_count >= MANY ? SHARES : 1);
    if (search.share_count > 1) {
        snTasks_Run(tasks, search.share_count, findShare, &search);
    }
    if (search.share_count == 1 || isFull(&search)) {
        cut(&search, &pass, 1);
        search.find(&search.shares[0]);
    }
    tree->tries = 0;
    int32_t found = 0;
    for (int i = 0; i < search.share_count; ++i) {
        tree->tries += search.shares[i].tries;
        found += search.shares[i].count;
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
