// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "contact/place.h"

#include "base/message.h"

// Pairs of bodies whose boxes meet, per body.
#define PAIRS 64

// Room for lists, per point: points near obstacles, pairs with cells near other soft bodies, and
// with own ones. When it is full all points of a body are looked at, or trees are asked.
#define POINTS 4
#define NEARS 16
#define OWN_NEARS 32

// Of all bodies together, and of the one that has most. Bodies are told which are theirs.
static void countPoints(snContacts* c, size_t* points, size_t* most)
{
    for (int32_t i = 0; i < c->soft_count + c->hard_count; ++i) {
        int32_t hard = i - c->soft_count;
        size_t own =
            (size_t)(hard < 0 ? c->softs[i].flesh->point_count : c->hards[hard].solid->hard_count);
        *(hard < 0 ? &c->softs[i].first : &c->hards[hard].first) = (int32_t)*points;
        *points += own;
        *most = own > *most ? own : *most;
    }
}

snStatus snContacts_Push(snContacts* c, snArena* arena, snMessage* why)
{
    size_t points = 0, most = 1;
    countPoints(c, &points, &most);
    c->scratch_size = (int32_t)most;
    if (points > INT32_MAX / OWN_NEARS || points > SN_ROW_POINTS) { // the longest of the lists; ids
        return snFail(why, sn_errorUnsupported, "%zu points are too many to look for contacts",
                      points);
    }
    if (snContacts_BodyCount(c) > SN_ROW_BODIES) {
        return snFail(why, sn_errorUnsupported, "%d characters and obstacles are too many to touch",
                      (int)(c->soft_count + c->hard_count));
    }
    for (int32_t i = 0; i < c->soft_count; ++i) {
        snSoft* s = &c->softs[i];
        size_t nodes = (size_t)s->flesh->tets.node_count, own = (size_t)s->flesh->point_count;
        size_t held = (size_t)s->flesh->skeleton->bone_count;
        s->list = snArena_Push(arena, nodes + held, sizeof(snContactNode));
        s->slot = snArena_Push(arena, nodes, sizeof(int32_t));
        s->bone_slot = snArena_Push(arena, held, sizeof(int32_t));
        s->spare = 0.5 * c->reach;
        snTissueTree_Push(&s->tree, s->tissue, arena);
        s->wander = (snWander){.margin = snArena_Push(arena, nodes, sizeof(float)),
                               .way = snArena_Push(arena, nodes, sizeof(float)),
                               .travel = snArena_Push(arena, nodes, sizeof(float))};
        size_t struck = c->project ? nodes : 0;
        s->gains = snArena_Push(arena, struck, sizeof(snVec4f));
        s->shares = snArena_Push(arena, struck, sizeof(float));
        size_t bones = c->project ? (size_t)s->flesh->skeleton->bone_count : 0;
        s->bone_shares = snArena_Push(arena, bones, sizeof(float));
        s->hits = snArena_Push(arena, bones, sizeof(snWrench));
        s->near_capacity = c->self ? (int32_t)(OWN_NEARS * own) : 0;
        s->near.pairs = snArena_Push(arena, (size_t)s->near_capacity, sizeof(snNear));
    }
    size_t bodies = (size_t)snContacts_BodyCount(c);
    size_t pairs = PAIRS * bodies < 2 * bodies * bodies ? PAIRS * bodies : 2 * bodies * bodies;
    size_t nears = c->soft_count + c->hard_count > 1 ? NEARS * points : 0;
    c->pair_capacity = (int32_t)pairs;
    c->pairs = snArena_Push(arena, pairs, sizeof(snCandidates));
    c->sorted = snArena_Push(arena, pairs, sizeof(snCandidates));
    c->groups = snArena_Push(arena, bodies, sizeof(snContactGroup));
    c->members = snArena_Push(arena, bodies, sizeof(int32_t));
    c->leaders = snArena_Push(arena, bodies, sizeof(int32_t));
    c->row_capacity = (int32_t)(SN_POINT_ROWS * points);
    c->rows = snArena_Push(arena, SN_POINT_ROWS * points, sizeof(snContactRow));
    c->keys = snArena_Push(arena, SN_POINT_ROWS * points, sizeof(snRowKey));
    c->latest = snArena_Push(arena, points, sizeof(int32_t));
    c->stops = snArena_Push(arena, c->project ? SN_MEMOS * points : 0, sizeof(snStop));
    c->point_capacity = (int32_t)(POINTS * points);
    c->points = snArena_Push(arena, POINTS * points, sizeof(snCandidate));
    c->near_capacity = (int32_t)nears;
    c->nears = snArena_Push(arena, nears, sizeof(snNear));
    size_t softs = (size_t)c->soft_count;
    most *= softs > SN_MAX_THREADS ? SN_MAX_THREADS : softs > 0 ? softs : 1;
    c->scratch = snArena_Push(arena, most, sizeof(int32_t));
    c->gaps = snArena_Push(arena, most, sizeof(double));
    c->stale = true;
    return arena->failed ? snFail(why, sn_errorMemory, "no memory to look for contacts") : sn_ok;
}

// Bodies ----------------------------------------------------------------------

static int32_t materialOf(const snContacts* c, int32_t body)
{
    const snSoft* soft = snContacts_Soft(c, body);
    const snHard* hard = snContacts_Hard(c, body);
    return soft ? soft->material : hard ? hard->material : c->ground_material;
}

const snRub* snContacts_Rub(const snContacts* c, int32_t body, int32_t other)
{
    return &c->rubs[materialOf(c, body) * c->material_count + materialOf(c, other)];
}

bool snContacts_IsStill(const snContacts* c, int32_t body)
{
    const snSoft* soft = snContacts_Soft(c, body);
    const snHard* hard = snContacts_Hard(c, body);
    if (soft || !hard) {
        return !soft || soft->asleep;
    }
    bool led = hard->moves && !hard->rigid;
    bool moves = snLengthSq(hard->twist.v) > 0 || snLengthSq(hard->twist.w) > 0;
    return hard->asleep || !hard->moves || (led && !moves);
}
