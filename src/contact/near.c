// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Who may touch whom: boxes, trees and lists that stay good for some steps.
#include "contact/place.h"

#include "geom/bvh.h"
#include <string.h>

// Boxes and lists are good for about this many steps at the present speed.
#define STEPS 16

// Least and largest margin of a soft body's tree, in cells: with more it seems to touch itself.
#define LEAST_MARGIN 0.05
#define MOST_MARGIN 0.2

// Least margin of lists, in cells of a soft body, in sizes of an obstacle.
#define SOFT_MARGIN 0.1
#define HARD_MARGIN 0.005

// Shapes of an obstacle that are looked at one by one
#define MOST_BOXES 8

// Of distances that are kept as floats
#define ROUNDING 1e-6

// Boxes -----------------------------------------------------------------------

// The mean velocity, and the largest against it and against the world.
static void speedsOf(snSoft* s, double* inner, double* outer)
{
    if (s->asleep) {
        s->mean = snV3(0, 0, 0);
        *inner = *outer = 0;
        return;
    }
    int32_t count = s->flesh->tets.node_count;
    float sx = 0, sy = 0, sz = 0, most = 0, most_inner = 0;
    for (int32_t i = 0; i < count; ++i) {
        sx += s->v[i].x, sy += s->v[i].y, sz += s->v[i].z;
    }
    sx /= (float)count, sy /= (float)count, sz /= (float)count;
    for (int32_t i = 0; i < count; ++i) {
        float x = s->v[i].x, y = s->v[i].y, z = s->v[i].z, all = x * x + y * y + z * z;
        x -= sx, y -= sy, z -= sz;
        float part = x * x + y * y + z * z;
        most = all > most ? all : most;
        most_inner = part > most_inner ? part : most_inner;
    }
    s->mean = snV3((double)sx, (double)sy, (double)sz);
    *inner = sqrt((double)most_inner);
    *outer = sqrt((double)most);
}

static double fastestOf(const snHard* hard)
{
    double reach = hard->solid->size + snLength(hard->solid->box.lo);
    return hard->moves ? snLength(hard->twist.v) + reach * snLength(hard->twist.w) : 0;
}

// Whether the margin has been used up.
static bool roam(snRoam* r, double way)
{
    r->way = way;
    r->travel += way;
    return r->travel > r->margin;
}

// Sets a margin of steps at the present speed.
static void settle(snRoam* r, double least, double most)
{
    r->travel = 0;
    r->margin = fmin(fmax(least, STEPS * r->way), most);
}

static void refit(snContacts* c, snSoft* s);

// Whether lists are too old to be used. Trees are refitted when they are too old.
static bool hasRoamed(snContacts* c, double h)
{
    bool old = c->stale;
    for (int32_t i = 0; i < c->soft_count; ++i) {
        snSoft* s = &c->softs[i];
        double inner, outer;
        speedsOf(s, &inner, &outer);
        s->fastest = outer;
        if (c->stale || snLengthSq(snSub(s->origin, s->seen)) > 0) {
            s->inner.travel = s->roam.travel = (double)INFINITY;
        }
        if (c->self && !s->crushed && !s->near_known) {
            s->inner.travel = (double)INFINITY;
        }
        double since = snFeeler_Since(&s->feeler, h);
        s->shift = snMulAdd(s->shift, since, s->mean);
        old = roam(&s->roam, since * outer) || old;
        if (roam(&s->inner, since * inner)) {
            settle(&s->inner, LEAST_MARGIN * s->flesh->cell, MOST_MARGIN * s->flesh->cell);
            refit(c, s);
        }
    }
    for (int32_t i = 0; i < c->hard_count; ++i) {
        snHard* hard = &c->hards[i];
        hard->roam.travel = c->stale ? (double)INFINITY : hard->roam.travel;
        double since = snFeeler_Since(&hard->feeler, h);
        old = roam(&hard->roam, since * fastestOf(hard)) || old;
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

// Where it may be while lists are good.
static snBox softBox(const snSoft* s)
{
    snBox box = snTissueTree_Box(&s->tree);
    box.lo = snAdd(snAdd(box.lo, s->shift), s->origin);
    box.hi = snAdd(snAdd(box.hi, s->shift), s->origin);
    return enlarge(box, s->roam.margin);
}

static bool meet(const snBox* a, const snBox* b)
{
    return a->lo.x <= b->hi.x && b->lo.x <= a->hi.x && a->lo.y <= b->hi.y && b->lo.y <= a->hi.y &&
           a->lo.z <= b->hi.z && b->lo.z <= a->hi.z;
}

// Lists -----------------------------------------------------------------------

// Adds the cells that may hold a point to a list, which has room for `capacity`. reach: how far
// both may still move; own: the point is one of the body itself, and each may. When they are too
// many, what is added says that the tree is to be asked.
static void listCells(const snSoft* other, int32_t point, snVec3 q, double reach, bool own,
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
    }
    for (int32_t i = 0; i < count; ++i) {
        near->pairs[near->count++] = (snNear){point, cells[i], clear[i]};
    }
}

static void refit(snContacts* c, snSoft* s)
{
    s->shift = snV3(0, 0, 0);
    s->seen = s->origin;
    snTissueTree_Refit(&s->tree, s->tissue, s->x, (float)s->inner.margin);
    s->near.count = 0;
    s->near_known = c->self && !s->crushed;
    if (!s->near_known) {
        return;
    }
    int32_t count = snTissueTree_PointsSelf(&s->tree, s->tissue, s->x, c->scratch);
    for (int32_t i = 0; i < count; ++i) {
        int32_t point = c->scratch[i], others = count - 1 - i;
        snVec3 q = snTie_Blend(&s->flesh->ties[point], s->x);
        listCells(s, point, q, s->inner.margin, true, &s->near, s->near_capacity - others);
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
    // a body's own list is as old as its tree
    snRoam a = self ? self->inner : roamOf(c, pair->owner);
    snRoam b = self ? self->inner : roamOf(c, pair->other);
    return (snRoam){a.margin + b.margin, a.travel + b.travel, a.way + b.way};
}

float snCandidate_Clear(double travel, double gap)
{
    return (float)((travel + gap) * (1 - ROUNDING));
}

// Points that are in scratch, with the gaps between them and the other body.
static void addPoints(snContacts* c, int32_t owner, int32_t other, int32_t count)
{
    snCandidates* pair = count > 0 ? addPair(c, owner, other) : NULL;
    if (!pair) {
        return;
    }
    pair->all = count > c->point_capacity - c->point_count;
    if (!pair->all) {
        const snFeeler* feeler = snContacts_Feeler(c, owner);
        pair->count = count;
        pair->points = c->points + c->point_count;
        for (int32_t i = 0; i < count; ++i, ++c->point_count) {
            bool touches = snFeeler_Find(feeler, c->scratch[i], other);
            float clear = touches ? -1.0F : snCandidate_Clear(0, c->gaps[i]);
            c->points[c->point_count] = (snCandidate){c->scratch[i], clear};
        }
    }
}

// Points that are in scratch, with the cells of a soft body that they are near to.
static void addNear(snContacts* c, int32_t owner, int32_t other, const snSoft* b, double reach,
                    int32_t count)
{
    const snSoft* a = snContacts_Soft(c, owner);
    const snHard* hard = snContacts_Hard(c, owner);
    snNearList near = {0, c->nears + c->near_count};
    int32_t room = c->near_capacity - c->near_count;
    bool full = count > room;
    for (int32_t i = 0; i < count && !full; ++i) {
        int32_t point = c->scratch[i], others = count - 1 - i;
        snVec3 p = a ? snSoft_Place(a, point) : snHard_Place(hard, point);
        listCells(b, point, snSub(p, b->origin), reach, false, &near, room - others);
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
        boxes[i] = enlarge(boxes[i], s->roam.margin);
        boxes[i].lo = snSub(boxes[i].lo, to);
        boxes[i].hi = snSub(boxes[i].hi, to);
    }
    return snTissueTree_PointsInBoxes(&s->tree, s->tissue, boxes, count, c->scratch);
}

// Of the first `most` points of an obstacle; their gaps are not known.
static int32_t hardPointsIn(snContacts* c, const snHard* hard, int32_t most, snBox box)
{
    int32_t count = 0;
    double margin = hard->roam.margin;
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
        if (p.y <= height + hard->roam.margin) {
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
static double deepestIn(const snFeeler* feeler, int32_t other)
{
    double most = 0;
    for (int64_t i = 0; i < *feeler->active_count; ++i) {
        const snTouch* touch = snFeeler_Find(feeler, feeler->active[i], other);
        most = touch && (double)touch->depth > most ? (double)touch->depth : most;
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
static void listHard(snContacts* c, const snSoft* s, int32_t body, const snBox* box, int32_t k)
{
    const snHard* hard = &c->hards[k];
    double way = s->roam.margin + hard->roam.margin;
    double more = way + deepestIn(&s->feeler, snBody_OfHard(k)) + s->roam.way + hard->roam.way;
    snBox wall = enlarge(hard->box, more);
    if (meet(box, &wall)) {
        snBox boxes[MOST_BOXES];
        int32_t count = softPointsIn(c, s, boxes, boxShapes(hard, more, boxes));
        addPoints(c, body, snBody_OfHard(k), keepNear(c, s, hard, way + more, count));
    }
    if (meet(box, &hard->box)) {
        int32_t count = hardPointsIn(c, hard, hard->solid->point_count, *box);
        addNear(c, snBody_OfHard(k), body, s, way, count);
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

static void listSoft(snContacts* c, int32_t i)
{
    snSoft* s = &c->softs[i];
    int32_t body = snBody_OfSoft(c, i);
    snBox box = softBox(s);
    if (c->ground && box.lo.y < c->height) {
        addPoints(c, body, SN_BODY_GROUND, pointsOverGround(c, s));
    }
    for (int32_t k = 0; k < c->hard_count; ++k) {
        listHard(c, s, body, &box, k);
    }
    for (int32_t k = 0; k < c->soft_count; ++k) {
        snBox there = softBox(&c->softs[k]);
        if (k != i && meet(&box, &there)) {
            double reach = s->roam.margin + c->softs[k].roam.margin;
            int32_t count = softPointsNear(c, s, &c->softs[k], reach);
            addNear(c, body, snBody_OfSoft(c, k), &c->softs[k], reach, count);
        }
    }
}

static void addHardPoints(snContacts* c, int32_t i, int32_t k)
{
    const snHard *hard = &c->hards[i], *other = &c->hards[k];
    addPoints(c, snBody_OfHard(i), snBody_OfHard(k),
              hardPointsIn(c, hard, hard->solid->hard_count, other->box));
}

static void listBetweenHards(snContacts* c, int32_t i)
{
    const snHard* hard = &c->hards[i];
    if (c->ground && hard->rigid) {
        addPoints(c, snBody_OfHard(i), SN_BODY_GROUND, propsBelow(c, hard, c->height));
    }
    for (int32_t k = i + 1; k < c->hard_count; ++k) { // both ways, one after the other
        const snHard* other = &c->hards[k];
        if ((hard->rigid || other->rigid) && meet(&hard->box, &other->box)) {
            addHardPoints(c, i, k);
            addHardPoints(c, k, i);
        }
    }
}

void snContacts_List(snContacts* c, double h)
{
    if (!hasRoamed(c, h)) {
        return;
    }
    c->stale = false;
    c->crowded = false;
    c->pair_count = c->point_count = c->near_count = 0;
    for (int32_t i = 0; i < c->hard_count; ++i) {
        snHard* hard = &c->hards[i];
        settle(&hard->roam, HARD_MARGIN * hard->solid->size, (double)INFINITY);
        hard->box = enlarge(turnBox(hard, &hard->solid->box), hard->roam.margin);
    }
    for (int32_t i = 0; i < c->soft_count; ++i) {
        settle(&c->softs[i].roam, SOFT_MARGIN * c->softs[i].flesh->cell, (double)INFINITY);
    }
    for (int32_t i = 0; i < c->soft_count; ++i) {
        listSoft(c, i);
    }
    for (int32_t i = 0; i < c->hard_count; ++i) {
        listBetweenHards(c, i);
    }
}
