// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Who may touch whom: boxes, trees and lists that stay good for some steps.
#include "contact/place.h"

#include "geom/bvh.h"
#include <string.h>

// Lists are good for about this many steps at the present speed.
#define STEPS 16

// Least margin of lists, in cells of a soft body, in sizes of an obstacle.
#define SOFT_MARGIN 0.1
#define HARD_MARGIN 0.005

// Shapes of an obstacle that are looked at one by one
#define MOST_BOXES 8

// Of distances that are kept as floats
#define ROUNDING 1e-6

// Boxes -----------------------------------------------------------------------

static double fastestOf(const snHard* hard)
{
    double reach = hard->solid->size + snLength(hard->solid->box.lo);
    return hard->moves ? snLength(hard->twist.v) + reach * snLength(hard->twist.w) : 0;
}

bool snHards_Roamed(snContacts* c, double h)
{
    bool old = false;
    for (int32_t i = 0; i < c->hard_count; ++i) {
        snHard* hard = &c->hards[i];
        hard->roam.travel = c->stale ? (double)INFINITY : hard->roam.travel;
        double since = snContactMemory_Since(&hard->memory, h);
        old = snRoam_Advance(&hard->roam, since * fastestOf(hard)) || old;
    }
    return old;
}

static snBox enlarge(snBox box, double by)
{
    snVec3 more = snV3(by, by, by);
    box.lo = snSub(box.lo, more);
    box.hi = snAdd(box.hi, more);
    return box;
}

// Around a box that is turned with the obstacle, in the world.
static snBox turnBox(const snHard* hard, const snBox* box)
{
    snBox out = snBox_Empty();
    for (int k = 0; k < 8; ++k) {
        snVec3 p = snV3(k & 1 ? box->hi.x : box->lo.x, k & 2 ? box->hi.y : box->lo.y,
                        k & 4 ? box->hi.z : box->lo.z);
        out = snBox_Point(out, snAdd(hard->pose.p, snMatVec(hard->R, p)));
    }
    return out;
}

// Where it may be while lists are good, also if its tree is old.
static snBox softBox(const snSoft* s)
{
    snBox box = snTissueTree_Box(&s->tree);
    double more = s->inner.travel - s->inner.margin;
    box.lo = snAdd(snAdd(box.lo, s->shift), s->origin);
    box.hi = snAdd(snAdd(box.hi, s->shift), s->origin);
    return enlarge(box, s->roam.margin + (more > 0 ? more : 0) + 2 * s->spare);
}

static bool meet(const snBox* a, const snBox* b)
{
    return a->lo.x <= b->hi.x && b->lo.x <= a->hi.x && a->lo.y <= b->hi.y && b->lo.y <= a->hi.y &&
           a->lo.z <= b->hi.z && b->lo.z <= a->hi.z;
}

// Lists -----------------------------------------------------------------------

void snNear_ListCells(const snSoft* other, int32_t point, snVec3 q, double reach, bool own,
                      snNearList* near, int32_t capacity)
{
    int32_t cells[SN_NEAR_CELLS];
    float clear[SN_NEAR_CELLS];
    snTissueQuery query = {.x = other->x,
                           .place = q,
                           .shift = other->shift,
                           .reach = reach,
                           .way = (own ? 2 : 1) * (1 + ROUNDING) * reach,
                           .own = own ? point : -1};
    int32_t count =
        snTissueTree_Holders(&other->tree, other->tissue, &query, cells, clear, SN_NEAR_CELLS);
    if (count > SN_NEAR_CELLS || count > capacity - near->count) {
        cells[0] = -1;
        clear[0] = 0;
        count = 1;
        near->asks = true;
    }
    for (int32_t i = 0; i < count; ++i) {
        near->pairs[near->count++] = (snNear){point, cells[i], clear[i]};
    }
}

static snCandidates* addPair(snContacts* c, int32_t owner, int32_t other)
{
    if (c->pair_count == c->pair_capacity) {
        c->crowded = true;
        return NULL;
    }
    snCandidates* pair = &c->pairs[c->pair_count++];
    *pair = (snCandidates){.owner = owner, .other = other};
    return pair;
}

static snRoam roamOf(const snContacts* c, int32_t body)
{
    const snSoft* soft = snContacts_Soft(c, body);
    const snHard* hard = snContacts_Hard(c, body);
    const snRoam still = {0, 0, 0}; // the ground
    return soft ? soft->roam : hard ? hard->roam : still;
}

snRoam snCandidates_Roam(const snContacts* c, const snCandidates* pair)
{
    const snSoft* self = pair->owner == pair->other ? snContacts_Soft(c, pair->owner) : NULL;
    snRoam a = self ? self->own : roamOf(c, pair->owner);
    snRoam b = self ? self->own : roamOf(c, pair->other);
    return (snRoam){a.margin + b.margin, a.travel + b.travel, a.way + b.way};
}

float snCandidate_Clear(double travel, double gap)
{
    return (float)((travel + gap) * (1 - ROUNDING));
}

// Points of a list that touch the other body. The few that touch anything are looked up in the
// list, rather than those in it, which are many, in what points remember.
static void markTouching(const snContactMemory* memory, const snCandidates* pair)
{
    for (int64_t i = 0; i < *memory->active_count; ++i) {
        int32_t point = memory->active[i], low = 0, high = pair->count;
        while (low < high) { // lists are ascending
            int32_t middle = (low + high) / 2;
            bool before = pair->points[middle].point < point;
            low = before ? middle + 1 : low;
            high = before ? high : middle;
        }
        if (low < pair->count && pair->points[low].point == point &&
            snContactMemory_Find(memory, point, pair->other)) {
            pair->points[low].clear = -1.0F;
        }
    }
}

// Points that are in scratch, ascending, with the gaps between them and the other body.
static void addPoints(snContacts* c, int32_t owner, int32_t other, int32_t count)
{
    snCandidates* pair = count > 0 ? addPair(c, owner, other) : NULL;
    if (!pair) {
        return;
    }
    pair->all = count > c->point_capacity - c->point_count;
    if (!pair->all) {
        pair->count = count;
        pair->points = c->points + c->point_count;
        for (int32_t i = 0; i < count; ++i, ++c->point_count) {
            c->points[c->point_count] =
                (snCandidate){c->scratch[i], snCandidate_Clear(0, c->gaps[i])};
        }
        markTouching(snContacts_Memory(c, owner), pair);
    }
}

// Points that are in scratch, with the cells of a soft body that they are near to.
static void addNear(snContacts* c, int32_t owner, int32_t other, const snSoft* b, double reach,
                    int32_t count)
{
    const snSoft* a = snContacts_Soft(c, owner);
    const snHard* hard = snContacts_Hard(c, owner);
    snNearList near = {.pairs = c->nears + c->near_count};
    int32_t room = c->near_capacity - c->near_count;
    bool full = count > room;
    for (int32_t i = 0; i < count && !full; ++i) {
        int32_t point = c->scratch[i], others = count - 1 - i;
        snVec3 p = a ? snSoft_Place(a, point) : snHard_Place(hard, point);
        snNear_ListCells(b, point, snSub(p, b->origin), reach, false, &near, room - others);
    }
    snCandidates* pair = near.count > 0 || full ? addPair(c, owner, other) : NULL;
    if (pair) {
        pair->all = full;
        pair->near = near;
        c->near_count += near.count;
    }
}

static int32_t softPointsNear(snContacts* c, const snSoft* a, const snSoft* b, double reach)
{
    snVec3 apart = snAdd(snSub(a->origin, b->origin), snSub(a->shift, b->shift));
    return snTissueTree_PointsNear(&a->tree, a->tissue, &b->tree, b->tissue, apart, reach,
                                   c->scratch);
}

// Points of a soft body in any of the boxes, now or until lists are old.
static int32_t softPointsIn(snContacts* c, const snSoft* s, snBox* boxes, int32_t count)
{
    snVec3 to = snAdd(s->origin, s->shift);
    for (int32_t i = 0; i < count; ++i) {
        boxes[i] = enlarge(boxes[i], s->roam.margin + c->reach);
        boxes[i].lo = snSub(boxes[i].lo, to);
        boxes[i].hi = snSub(boxes[i].hi, to);
    }
    return snTissueTree_PointsInBoxes(&s->tree, s->tissue, boxes, count, c->scratch);
}

// Of the first `most` points of an obstacle; their gaps are not known.
static int32_t hardPointsIn(snContacts* c, const snHard* hard, int32_t most, snBox box)
{
    int32_t count = 0;
    double margin = hard->roam.margin + c->reach;
    for (int32_t i = 0; i < most; ++i) {
        snVec3 p = snHard_Place(hard, i);
        if (snBox_DistanceSq(&box, p) <= margin * margin) {
            c->gaps[count] = 0;
            c->scratch[count++] = i;
        }
    }
    return count;
}

// What is not a corner of a box cannot be below a flat ground without one.
static int32_t propsBelow(snContacts* c, const snHard* hard, double height)
{
    int32_t count = 0;
    for (int32_t i = 0; i < hard->solid->prop_count; ++i) {
        snVec3 p = snHard_Place(hard, hard->solid->props[i]);
        if (p.y <= height + hard->roam.margin + c->reach) {
            c->gaps[count] = p.y - height;
            c->scratch[count++] = hard->solid->props[i];
        }
    }
    return count;
}

// All that lies below the ground.
static snBox groundBox(const snContacts* c)
{
    const double far = 1e12;
    snBox box = {{-far, -far, -far}, {far, c->height, far}};
    return box;
}

// How deep points of a body are in another already.
static double deepestIn(const snContactMemory* memory, int32_t other)
{
    double most = 0;
    for (int64_t i = 0; i < *memory->active_count; ++i) {
        const snContactMemo* memo = snContactMemory_Find(memory, memory->active[i], other);
        most = memo && (double)memo->depth > most ? (double)memo->depth : most;
    }
    return most;
}

// Boxes of an obstacle's shapes, if they are few: what stands under a box may be far from its
// walls.
static int32_t boxShapes(const snHard* hard, double more, snBox boxes[MOST_BOXES])
{
    int32_t count = hard->solid->shape_count;
    if (count > MOST_BOXES) {
        boxes[0] = enlarge(hard->box, more);
        return 1;
    }
    for (int32_t i = 0; i < count; ++i) {
        snBox turned = turnBox(hard, &hard->solid->shapes[i].box);
        boxes[i] = enlarge(turned, hard->roam.margin + more);
    }
    return count;
}

// Of the points in scratch, those that are within reach of the obstacle's shapes.
static int32_t keepNear(snContacts* c, const snSoft* s, const snHard* hard, double reach,
                        int32_t count)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < count; ++i) {
        snVec3 p = snSoft_Place(s, c->scratch[i]);
        snVec3 q = snMatTVec(hard->R, snSub(p, hard->pose.p));
        double gap = snSolid_Gap(hard->solid, q, reach);
        if (gap < reach) {
            c->gaps[kept] = gap;
            c->scratch[kept++] = c->scratch[i];
        }
    }
    return kept;
}

// Fast points may have passed a thin obstacle within this step, and points on the far side are held
// back by as much as they are deep: both on top of what bodies move until the next lists.
static double hardReach(const snContacts* c, const snSoft* s, int32_t k)
{
    const snHard* hard = &c->hards[k];
    double way = s->roam.margin + hard->roam.margin;
    return way + deepestIn(&s->memory, snBody_OfHard(k)) + s->roam.way + hard->roam.way + c->reach;
}

static void listHard(snContacts* c, const snSoft* s, int32_t body, const snBox* box, int32_t k)
{
    const snHard* hard = &c->hards[k];
    double way = s->roam.margin + hard->roam.margin, more = hardReach(c, s, k);
    snBox wall = enlarge(hard->box, more);
    if (meet(box, &wall)) {
        snBox boxes[MOST_BOXES];
        int32_t count = softPointsIn(c, s, boxes, boxShapes(hard, more, boxes));
        addPoints(c, body, snBody_OfHard(k), keepNear(c, s, hard, way + more, count));
    }
    if (meet(box, &hard->box)) {
        int32_t count = hardPointsIn(c, hard, hard->solid->point_count, *box);
        addNear(c, snBody_OfHard(k), body, s, way + c->reach, count);
    }
}

static int32_t pointsOverGround(snContacts* c, const snSoft* s)
{
    snBox below = groundBox(c);
    int32_t count = softPointsIn(c, s, &below, 1);
    for (int32_t i = 0; i < count; ++i) {
        c->gaps[i] = snSoft_Place(s, c->scratch[i]).y - c->height;
    }
    return count;
}

static snBox common(const snBox* a, const snBox* b)
{
    return (snBox){snMax3(a->lo, b->lo), snMin3(a->hi, b->hi)};
}

void snList_MeasureSoft(snContacts* c, int32_t i)
{
    snSoft* s = &c->softs[i];
    const int64_t own = s->flesh->point_count;
    snListRoom room = {0, 0, 0};
    if (c->ground && s->box.lo.y < c->height) {
        room = (snListRoom){1, own, 0};
    }
    for (int32_t k = 0; k < c->hard_count; ++k) {
        const snHard* hard = &c->hards[k];
        snBox wall = enlarge(hard->box, hardReach(c, s, k));
        if (meet(&s->box, &wall)) {
            room = (snListRoom){room.pairs + 2, room.points + own,
                                room.nears + hard->solid->point_count};
        }
    }
    for (int32_t k = 0; k < c->soft_count; ++k) {
        if (k != i && meet(&s->box, &c->softs[k].box)) {
            room = (snListRoom){room.pairs + 1, room.points, room.nears + own};
        }
    }
    s->room = room;
    s->company = room.pairs > 0;
    if (s->company) { // its tree is needed
        snSoft_Freshen(s);
    }
}

// By a new tree; where it may be is in both.
void snList_Tighten(snSoft* s)
{
    snBox now = softBox(s);
    s->box = s->company ? common(&s->box, &now) : s->box;
}

void snList_Soft(snContacts* c, int32_t i)
{
    snSoft* s = &c->softs[i];
    int32_t body = snBody_OfSoft(c, i);
    if (!s->company) {
        return;
    }
    if (c->ground && s->box.lo.y < c->height) {
        addPoints(c, body, SN_BODY_GROUND, pointsOverGround(c, s));
    }
    for (int32_t k = 0; k < c->hard_count; ++k) {
        listHard(c, s, body, &s->box, k);
    }
    for (int32_t k = 0; k < c->soft_count; ++k) {
        const snSoft* other = &c->softs[k];
        if (k != i && other->company && meet(&s->box, &other->box)) {
            double reach = s->roam.margin + other->roam.margin + c->reach;
            int32_t count = softPointsNear(c, s, other, reach);
            addNear(c, body, snBody_OfSoft(c, k), other, reach, count);
        }
    }
}

static void addHardPoints(snContacts* c, int32_t i, int32_t k)
{
    const snHard *hard = &c->hards[i], *other = &c->hards[k];
    addPoints(c, snBody_OfHard(i), snBody_OfHard(k),
              hardPointsIn(c, hard, hard->solid->hard_count, other->box));
}

static bool mayTouch(const snHard* a, const snHard* b)
{
    return (a->rigid || b->rigid) && meet(&a->box, &b->box);
}

static void listBetweenHards(snContacts* c, int32_t i)
{
    const snHard* hard = &c->hards[i];
    if (c->ground && hard->rigid) {
        addPoints(c, snBody_OfHard(i), SN_BODY_GROUND, propsBelow(c, hard, c->height));
    }
    for (int32_t k = i + 1; k < c->hard_count; ++k) { // both ways, one after the other
        if (mayTouch(hard, &c->hards[k])) {
            addHardPoints(c, i, k);
            addHardPoints(c, k, i);
        }
    }
}

snListRoom snList_MeasureHards(const snContacts* c)
{
    snListRoom room = {0, 0, 0};
    for (int32_t i = 0; i < c->hard_count; ++i) {
        const snHard* hard = &c->hards[i];
        if (c->ground && hard->rigid) {
            room = (snListRoom){room.pairs + 1, room.points + hard->solid->prop_count, 0};
        }
        for (int32_t k = i + 1; k < c->hard_count; ++k) {
            if (mayTouch(hard, &c->hards[k])) {
                int32_t both = hard->solid->hard_count + c->hards[k].solid->hard_count;
                room = (snListRoom){room.pairs + 2, room.points + both, 0};
            }
        }
    }
    return room;
}

void snList_Hards(snContacts* c)
{
    for (int32_t i = 0; i < c->hard_count; ++i) {
        listBetweenHards(c, i);
    }
}

void snList_Begin(snContacts* c)
{
    for (int32_t i = 0; i < c->hard_count; ++i) {
        snHard* hard = &c->hards[i];
        snRoam_Settle(&hard->roam, STEPS, HARD_MARGIN * hard->solid->size, (double)INFINITY);
        hard->box = enlarge(turnBox(hard, &hard->solid->box), hard->roam.margin + c->reach);
    }
    for (int32_t i = 0; i < c->soft_count; ++i) {
        snSoft* s = &c->softs[i];
        snRoam_Settle(&s->roam, STEPS, SOFT_MARGIN * s->flesh->cell, (double)INFINITY);
        s->box = softBox(s);
    }
}
