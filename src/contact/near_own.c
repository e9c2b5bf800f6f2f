// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A soft body's tree, and the list of what it may touch of itself.
#include "contact/place.h"

#include <string.h>

// The list is good for about this many steps at the present speed.
#define OWN_STEPS 32

// Least and largest margin of a soft body's tree, in cells: with more it seems to touch itself. The
// larger, the longer it holds, and the more pairs are in its list. Looking at one of those closely
// costs as much as refitting about DEAR points and cells; the largest margin follows whichever is
// more, and changes by EASE from list to list.
#define LEAST_MARGIN 0.05
#define FAIR_MARGIN 0.07
#define MOST_MARGIN 0.2
#define DEAR 8
#define EASE 1.25

// For the list of a body itself, where what is slow has less: the largest margin in those above,
// and the least in cells.
#define OWN_EASE 2.5
#define OWN_LEAST 0.01

// Of sums of floats over the steps that a list is good for
#define WANDERING 1e-5

// Cells of travel after which floats tell too little
#define FORGET 100

// Of the tree at the present speed `way` a step. What is so fast that nothing holds for two steps
// gets the least margin: it leaves out most.
static void refit(snSoft* s, double way)
{
    double least = LEAST_MARGIN * s->flesh->cell, most = s->ease * s->flesh->cell;
    s->inner.way = way;
    snRoam_Settle(&s->inner, OWN_STEPS, least, 2 * way < most ? most : least);
    s->shift = snV3(0, 0, 0);
    s->seen = s->origin;
    snTissueTree_Refit(&s->tree, s->tissue, s->x, (float)(s->inner.margin + s->spare));
}

void snSoft_Freshen(snSoft* s)
{
    if (s->inner.travel > s->inner.margin) {
        refit(s, s->inner.way);
    }
}

// Lists that cost more than their trees get less to look at.
static void ease(snSoft* s)
{
    int32_t all = s->flesh->point_count + s->flesh->tets.tet_count;
    bool dear = s->tree.tries > all / DEAR;
    s->ease = dear ? fmax(s->ease / EASE, FAIR_MARGIN) : fmin(s->ease * EASE, MOST_MARGIN);
}

// Of a node, for so many steps: with a part of the fastest one's way, because it may become faster.
#define SLACK 0.08F

static void refitAlike(snSoft* s)
{
    refit(s, s->own.way);
    s->own.margin = s->inner.margin;
    s->own.travel = 0;
    for (int32_t i = 0; i < s->flesh->tets.node_count; ++i) {
        s->wander.margin[i] = (float)s->own.margin;
    }
}

// What is slow gets less of a margin: lists hold for longer and have fewer pairs in them. Others,
// who ask the tree, have to refit it sooner.
static void refitEach(snSoft* s, snTasks* tasks)
{
    double cell = s->flesh->cell, way = s->own.way, most = OWN_EASE * s->ease * cell;
    snRoam_Settle(&s->own, OWN_STEPS, LEAST_MARGIN * cell,
                  2 * way < most ? most : LEAST_MARGIN * cell);
    const float steps = way > 0 ? (float)(s->own.margin / way) : 0;
    const float least = (float)(OWN_LEAST * cell), all = (float)s->own.margin;
    float slack = SLACK * (float)way, spare = (float)s->spare;
    for (int32_t i = 0; i < s->flesh->tets.node_count; ++i) {
        float m = steps * (s->wander.way[i] + slack);
        m = m > least ? m : least;
        s->wander.margin[i] = m < all ? m : all;
        s->tree.margins[i] = s->wander.margin[i] + spare;
    }
    s->shift = snV3(0, 0, 0);
    s->seen = s->origin;
    snTissueTree_RefitEach(&s->tree, s->tissue, s->x, tasks);
    s->inner.travel = 0;
    s->inner.margin = (double)s->tree.least - s->spare;
}

// The list of a body's own cells, with a new tree: boxes as tight as the list allows.
static void listOwn(snContacts* c, snTasks* tasks, snSoft* s)
{
    s->near_each = s->near.count > 0; // parts of it were near each other in the last list
    if (s->near_each) {
        refitEach(s, tasks);
    } else {
        refitAlike(s);
    }
    memset(s->wander.travel, 0, (size_t)s->flesh->tets.node_count * sizeof(float));
    int32_t* counts = c->scratch;
    s->near.asks = false;
    bool listed = snTissueTree_NearSelf(c->isa, tasks, &s->tree, s->tissue, s->x, &s->near,
                                        s->near_capacity, counts);
    ease(s);
    if (listed) {
        return;
    }
    // point by point: where there is no room, the tree is asked
    int32_t others = 0;
    for (int32_t i = 0; i < s->flesh->point_count; ++i) {
        others += counts[i] > 0;
    }
    for (int32_t i = 0; i < s->flesh->point_count; ++i) {
        if (counts[i] > 0) {
            snVec3 q = snTie_Blend(&s->flesh->ties[i], s->x);
            snNear_ListCells(s, i, q, s->own.margin + s->spare, true, &s->near,
                             s->near_capacity - --others);
        }
    }
}

// Whether a node has used up its margin.
static bool wander(const snContacts* c, snSoft* s, double since, double turned)
{
    if (s->asleep || !s->near_each) {
        return false;
    }
    s->wander.since = (float)((1 + WANDERING) * since);
    s->wander.more = (float)turned;
    return snDrift_Travel(c->isa, &s->drift, s->x, s->v, s->flesh->tets.node_count, &s->wander);
}

// What it has moved against its turning lacks what is of second order in that.
static void softRoams(snContacts* c, snTasks* tasks, snSoft* s, double since)
{
    const bool own = c->self && !s->crushed;
    const snDrift still = {.outer = 0};
    s->drift = still;
    if (!s->asleep) {
        snDrift_Measure(c->isa, s->x, s->v, s->flesh->tets.node_count, &s->drift);
    }
    if (c->stale || snLengthSq(snSub(s->origin, s->seen)) > 0) {
        s->inner.travel = s->roam.travel = s->own.travel = (double)INFINITY;
    }
    if (!s->near_known) {
        s->own.travel = (double)INFINITY;
    }
    if (c->stale || s->tree.travel > FORGET * s->flesh->cell) {
        snTissueTree_Forget(&s->tree, s->tissue);
    }
    s->ease = c->stale ? MOST_MARGIN : s->ease;
    s->shift = snMulAdd(s->shift, since, s->drift.v);
    snRoam_Advance(&s->inner, since * s->drift.inner);
    double turned = 0.5 * since * snLength(s->drift.w) * s->inner.way;
    bool spent = snRoam_Advance(&s->own, since * s->drift.own + turned);
    spent = wander(c, s, since, turned) || spent;
    s->near_known = own;
    if (spent && own) {
        listOwn(c, tasks, s);
    }
    s->spent = snRoam_Advance(&s->roam, since * s->drift.outer);
}

void snContacts_Roam(snContacts* c, snTasks* tasks, int32_t soft, double h, int worker)
{
    snContacts part = snContacts_Part(c, soft, worker);
    softRoams(&part, tasks, &c->softs[soft], snContactMemory_Since(&c->softs[soft].memory, h));
}
