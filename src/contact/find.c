// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Finding contacts: which points are in what, of those that may be.
#include "contact/place.h"

#include "geom/bvh.h"
#include <string.h>

// Cosine of the angle between the ways out of two parts of a body from which on they do not touch.
#define FACING 0.5

// Steps for which a point must be clear of a cell to be left alone so long.
#define AGAIN 4

// Narrow phase ----------------------------------------------------------------

// A point knows the side that it came from: in a thin wall the nearest way out may be the far side,
// and a fast point may be through it already. n: the way out that it had, depth: how far it was.
static bool leaveSolid(const snSolid* solid, snVec3 p, snVec3 n, double depth, snSolidHit* hit)
{
    snVec3 out = snMulAdd(p, depth, n);
    if (!snSolid_Cast(solid, out, p, hit)) {
        return false;
    }
    hit->depth = depth - hit->depth;
    return hit->depth > 0 && snDot(hit->normal, n) > 0.3;
}

// How deep below the face that a point came through on its way from a it is.
static bool crossFace(const snSolid* solid, snVec3 a, snVec3 p, snSolidHit* hit)
{
    if (!snSolid_Cast(solid, a, p, hit)) {
        return false;
    }
    snVec3 way = snSub(p, a);
    snVec3 left = snMulAdd(way, -hit->depth / snLength(way), way);
    hit->depth = -snDot(left, hit->normal);
    return hit->depth > 0;
}

// The same for a fast point. a: where it was a step before, if only rounding put it inside then, on
// the side that it is nearest to.
static bool enterSolid(const snSolid* solid, snVec3 a, snVec3 p, double reach, snSolidHit* hit)
{
    return crossFace(solid, a, p, hit) ||
           (snSolid_Inside(solid, a, hit) && leaveSolid(solid, p, hit->normal, reach, hit));
}

// p, v: of the point in the solid's frame, in which it has moved for h seconds since it was looked
// at.
static bool inSolid(const snSolid* solid, snVec3 p, snVec3 v, double h, const snTouch* old,
                    snVec3 old_normal, snSolidHit* hit)
{
    double step = h * snLength(v), depth = old ? (double)old->depth : 0;
    double reach = depth + 1.5 * step + solid->thickness;
    bool blow = old && old->hit > 0; // keeps its side
    bool thin = blow || solid->thickness < 4 * (step + depth);
    if (!thin && snBox_DistanceSq(&solid->box, p) > 0) {
        return false;
    }
    if (thin && !old && enterSolid(solid, snMulAdd(p, -h, v), p, reach, hit)) {
        return true;
    }
    bool inside = snSolid_Inside(solid, p, hit);
    if (!thin || !old || (inside && snDot(hit->normal, old_normal) > 0.3)) {
        return inside;
    }
    return leaveSolid(solid, p, old_normal, reach, hit);
}

// Each of these completes a press that has its place and velocity; false when there is none.

static bool feelGround(const snContacts* c, snPress* press)
{
    press->normal = snV3(0, 1, 0);
    press->depth = c->height - press->place.y;
    return press->depth > 0;
}

static bool feelSolid(const snContacts* c, const snFeeler* feeler, snPress* press, double h)
{
    const snHard* wall = snContacts_Hard(c, press->other);
    const snTouch* old = snFeeler_Find(feeler, press->point, press->other);
    snVec3 q = snMatTVec(wall->R, snSub(press->place, wall->pose.p)), n = snV3(0, 0, 0);
    snSolidHit hit;
    press->v = snSub(press->v, snHard_Velocity(wall, press->place));
    if (old) {
        n = snMatTVec(wall->R,
                      snV3((double)old->normal[0], (double)old->normal[1], (double)old->normal[2]));
    }
    double since = snFeeler_Since(feeler, h);
    snVec3 v = snMatTVec(wall->R, press->v);
    if (!inSolid(wall->solid, q, v, since, old, n, &hit)) {
        return false;
    }
    snSolidHit entry; // of a rigid body's point, which may be nearer to another face
    if (!old && snContacts_Hard(c, press->owner) &&
        crossFace(wall->solid, snMulAdd(q, -since, v), q, &entry)) {
        hit = entry;
    }
    press->normal = snMatVec(wall->R, hit.normal);
    press->depth = hit.depth;
    return true;
}

static bool lookAtSolid(const snHard* wall, snVec3 p, snVec3 v, const snTouch* touch, snPress* now)
{
    snSolidHit hit;
    snVec3 n = snV3((double)touch->normal[0], (double)touch->normal[1], (double)touch->normal[2]);
    snVec3 q = snMatTVec(wall->R, snSub(p, wall->pose.p));
    if (!inSolid(wall->solid, q, snV3(0, 0, 0), 0, touch, snMatTVec(wall->R, n), &hit)) {
        return false;
    }
    now->normal = snMatVec(wall->R, hit.normal);
    now->depth = hit.depth;
    now->v = snSub(v, snHard_Velocity(wall, p));
    return true;
}

bool snContacts_Look(const snContacts* c, int32_t soft, int32_t point, snPress* now)
{
    const snSoft* s = &c->softs[soft];
    const snTouch* touches = s->feeler.touches + SN_TOUCHES * (size_t)point;
    snVec3 p = snSoft_Place(s, point), v = snSoft_Velocity(s, point);
    *now = (snPress){.owner = snBody_OfSoft(c, soft), .point = point, .cell = -1, .place = p};
    for (int k = 0; k < SN_TOUCHES; ++k) {
        snPress here = *now;
        const snHard* wall = snContacts_Hard(c, touches[k].other);
        here.other = touches[k].other;
        if (touches[k].other == SN_BODY_GROUND && p.y < c->height) {
            here.normal = snV3(0, 1, 0);
            here.depth = c->height - p.y;
            here.v = v;
        } else if (!wall || !lookAtSolid(wall, p, v, &touches[k], &here)) {
            continue;
        }
        *now = here.depth > now->depth ? here : *now;
    }
    return now->depth > 0;
}

// What a point looks for in a soft body.
typedef struct Search {
    const snSoft* soft;
    snVec3 place; // relative to the body's origin, m
    int32_t own;  // the point, of a body that touches itself; else -1
    double most;  // depth beyond which it cannot be, m
} Search;

// Cells that a point may be in: its run of a list.
typedef struct Around {
    snNear* pairs;
    int32_t count;
    snRoam roam; // of both bodies
} Around;

// Skin touches skin that faces it. What turns the same way got through its own body, and is let
// back; what is crushed has no skin.
static bool isFaced(const Search* s, const snTissueHit* hit)
{
    snVec3 skin = snTissue_Normal(s->soft->tissue, s->soft->x, s->own);
    return snLengthSq(skin) > 0 && snDot(skin, hit->normal) < FACING;
}

// The deepest of the places where a point is: cells may lie on each other. Returns whether it is in
// this one.
static bool probe(const Search* s, int32_t cell, snTissueHit* best)
{
    const snTissue* tissue = s->soft->tissue;
    snTissueHit hit;
    bool inside = s->own < 0
                      ? snTissue_Probe(tissue, s->soft->x, cell, s->place, &hit)
                      : snTissue_ProbeOwn(tissue, s->soft->x, cell, s->place, s->own, &hit) &&
                            hit.depth <= s->most && isFaced(s, &hit);
    if (inside &&
        (hit.depth > best->depth || (hit.depth == best->depth && hit.cell < best->cell))) {
        *best = hit;
    }
    return inside;
}

// How much farther both have to go when a point was not in a cell after all. What is near is looked
// at in every step from then on: looking is cheaper than this.
static void learn(const Search* s, const snRoam* roam, snNear* pair)
{
    double left = roam->margin - roam->travel + roam->way;
    double gap = snTissue_Clear(s->soft->tissue, s->soft->x, pair->cell, s->place, -1, left);
    pair->clear = gap > AGAIN * roam->way ? snCandidate_Clear(roam->travel, gap) : -1.0F;
}

// Of a list, those that bodies have moved far enough for. A step is added to that, as below.
static void probeList(const Search* s, const Around* around, snTissueHit* best)
{
    const snRoam* roam = &around->roam;
    for (int32_t i = 0; i < around->count; ++i) {
        snNear* pair = &around->pairs[i];
        if ((double)pair->clear <= roam->travel + roam->way && !probe(s, pair->cell, best) &&
            s->own < 0 && pair->clear >= 0) {
            learn(s, roam, pair);
        }
    }
}

// A body's skin gets into it from outside, step by step. Places that are suddenly deep in it are
// those of cells that have been crushed through each other; they do not count.
static double mostDepth(const snSoft* s, const snPress* press, double h)
{
    const snTouch* old = snFeeler_Find(&s->feeler, press->point, press->other);
    double way = h * (snLength(press->v) + snLength(s->drift.v));
    return (old ? (double)old->depth : 0) + SN_SUDDEN * s->flesh->cell + 4 * way;
}

// around: NULL = the tree tells.
static bool feelTissue(const snContacts* c, snPress* press, const Around* around, double h)
{
    snSoft* other = snContacts_Soft(c, press->other);
    const bool self = press->owner == press->other;
    Search search = {.soft = other, .place = snSub(press->place, other->origin), .own = -1};
    snTissueHit best = {.depth = 0};
    if (self) {
        search.own = press->point;
        search.most = mostDepth(other, press, h);
    }
    if (around) {
        probeList(&search, around, &best);
    } else {
        int32_t cells[SN_NEAR_CELLS];
        snSoft_Freshen(other);
        snTissueQuery query = {
            .x = other->x, .place = search.place, .shift = other->shift, .own = search.own};
        int32_t all =
            snTissueTree_Holders(&other->tree, other->tissue, &query, cells, NULL, SN_NEAR_CELLS);
        for (int32_t i = 0; i < (all < SN_NEAR_CELLS ? all : SN_NEAR_CELLS); ++i) {
            probe(&search, cells[i], &best);
        }
    }
    if (!(best.depth > 0)) {
        return false;
    }
    if (!self) {
        const snFeeler* feeler = snContacts_Feeler(c, press->owner);
        return snContacts_Enter(c, press, &best, snFeeler_Find(feeler, press->point, press->other),
                                snFeeler_Since(feeler, h));
    }
    press->v = snSub(press->v, snSoft_CellVelocity(other, best.cell, best.weight));
    press->normal = best.normal;
    press->depth = best.depth;
    press->cell = best.cell;
    memcpy(press->weight, best.weight, sizeof press->weight);
    return true;
}

// The next press, with its place and velocity.
static snPress* openPress(snContacts* c, int32_t owner, int32_t point, int32_t other, snVec3 p)
{
    const snSoft* s = snContacts_Soft(c, owner);
    snPress* press = &c->presses[c->press_count];
    press->owner = owner;
    press->point = point;
    press->other = other;
    press->cell = -1;
    press->skin = (snSkinPlace){.cell = -1}; // whose weights the state remembers
    press->smooth = false;
    press->blow = (snBlow){0};
    press->place = p;
    press->v = s ? snSoft_Velocity(s, point) : snHard_Velocity(snContacts_Hard(c, owner), p);
    return press;
}

// Whether it is one: a point that touches as much as it can does not.
static bool closePress(snContacts* c, snPress* press, bool touches)
{
    snFeeler* feeler = snContacts_Feeler(c, press->owner);
    press->touch = touches ? snFeeler_Touch(feeler, press->point, press->other) : NULL;
    if (press->touch) {
        press->touch->cell = press->skin.cell + 1;
        memcpy(press->touch->weight, press->skin.weight + 1, sizeof press->touch->weight);
        c->press_count++;
    }
    return press->touch != NULL;
}

static snVec3 placeOf(const snContacts* c, int32_t body, int32_t point)
{
    const snSoft* s = snContacts_Soft(c, body);
    return s ? snSoft_Place(s, point) : snHard_Place(snContacts_Hard(c, body), point);
}

// The same bits as its place has; most points over the ground need no more.
static double heightOf(const snSoft* s, int32_t point)
{
    const snTie* tie = &s->flesh->ties[point];
    double sum = 0;
    for (int k = 0; k < 4; ++k) {
        sum += (double)tie->weight[k] * (double)s->x[tie->node[k]].y;
    }
    return s->origin.y + sum;
}

static bool feelPoint(snContacts* c, const snCandidates* pair, int32_t point, const Around* around,
                      double h)
{
    bool touches;
    if (c->press_count == c->press_capacity) {
        return false;
    }
    snVec3 p = placeOf(c, pair->owner, point);
    snPress* press = openPress(c, pair->owner, point, pair->other, p);
    if (pair->other == SN_BODY_GROUND) {
        touches = feelGround(c, press);
    } else if (snContacts_Soft(c, pair->other)) {
        touches = feelTissue(c, press, around, h);
    } else {
        touches = feelSolid(c, snContacts_Feeler(c, pair->owner), press, h);
    }
    return closePress(c, press, touches);
}

// How far a point is from the ground or an obstacle, or less; infinite from `most` on.
static double gapOf(const snContacts* c, const snCandidates* pair, int32_t point, double most)
{
    const snSoft* s = snContacts_Soft(c, pair->owner);
    const snHard* wall = snContacts_Hard(c, pair->other);
    if (s && !wall) {
        return heightOf(s, point) - c->height;
    }
    snVec3 p = placeOf(c, pair->owner, point);
    return wall ? snSolid_Gap(wall->solid, snMatTVec(wall->R, snSub(p, wall->pose.p)), most)
                : p.y - c->height;
}

// Points of a list that bodies have moved far enough for. A step is added to that: speeds are not
// quite the way from one look to the next, and fast points may have passed an obstacle in it. What
// touches, which may be on the far side, is clear by less than 0 and looked at until it no longer
// touches.
static void feelCandidates(snContacts* c, const snCandidates* pair, double h)
{
    const snRoam roam = snCandidates_Roam(c, pair);
    const double passed = pair->other == SN_BODY_GROUND ? 0 : roam.way;
    for (int32_t i = 0; i < pair->count; ++i) {
        snCandidate* at = &pair->points[i];
        if ((double)at->clear > roam.travel + roam.way) {
            continue;
        }
        double gap = at->clear < 0 ? 0 : gapOf(c, pair, at->point, 2 * roam.margin);
        if (gap > passed) {
            at->clear = snCandidate_Clear(roam.travel, gap);
        } else {
            at->clear = feelPoint(c, pair, at->point, NULL, h) ? -1.0F : 0.0F;
        }
    }
}

// Points that are near cells of a soft body, those that bodies have moved far enough for.
static void feelNear(snContacts* c, const snCandidates* pair, double h)
{
    snNear* near = pair->near.pairs;
    Around around = {.roam = snCandidates_Roam(c, pair)};
    const double reached = around.roam.travel + around.roam.way;
    for (int32_t i = 0, end; i < pair->near.count; i = end) {
        bool may = false;
        for (end = i; end < pair->near.count && near[end].point == near[i].point; ++end) {
            may = may || (double)near[end].clear <= reached;
        }
        around.pairs = near + i;
        around.count = end - i;
        if (may) {
            feelPoint(c, pair, near[i].point, near[i].cell < 0 ? NULL : &around, h);
        }
    }
}

// Points that have come into other soft bodies and are in none of their cells now. Whether lists
// had them makes no difference.
static void feelEntered(snContacts* c, int32_t owner, double h)
{
    snFeeler* feeler = snContacts_Feeler(c, owner);
    for (int64_t i = 0; i < *feeler->active_count; ++i) {
        int32_t point = feeler->active[i];
        const snTouch* touches = feeler->touches + SN_TOUCHES * (size_t)point;
        for (int k = 0; k < SN_TOUCHES && c->press_count < c->press_capacity; ++k) {
            bool still = snContacts_IsStill(c, owner) && snContacts_IsStill(c, touches[k].other);
            if (touches[k].cell > 0 && !touches[k].fresh && !still) {
                snPress* press =
                    openPress(c, owner, point, touches[k].other, placeOf(c, owner, point));
                closePress(
                    c, press,
                    snContacts_Enter(c, press, NULL, &touches[k], snFeeler_Since(feeler, h)));
            }
        }
    }
}

// Points of the owner with which it feels the other.
static int32_t pointsOf(const snContacts* c, const snCandidates* pair)
{
    const snSoft* soft = snContacts_Soft(c, pair->owner);
    if (soft) {
        return soft->flesh->point_count;
    }
    const snSolid* solid = snContacts_Hard(c, pair->owner)->solid;
    return snContacts_Soft(c, pair->other) ? solid->point_count : solid->hard_count;
}

static void feelPair(snContacts* c, const snCandidates* pair, double h)
{
    if (snContacts_IsStill(c, pair->owner) && snContacts_IsStill(c, pair->other)) {
        return;
    }
    if (pair->all) {
        for (int32_t i = 0; i < pointsOf(c, pair); ++i) {
            feelPoint(c, pair, i, NULL, h);
        }
    }
    feelCandidates(c, pair, h);
    feelNear(c, pair, h);
}

void snContacts_Find(snContacts* c, const snContactGroup* group, double h)
{
    for (int32_t i = 0; i < c->pair_count; ++i) {
        feelPair(c, &c->pairs[i], h);
    }
    for (int32_t i = 0; i < group->member_count && c->self; ++i) {
        int32_t body = snGroup_Member(c, group, i);
        const snSoft* soft = snContacts_Soft(c, body);
        if (soft && !soft->crushed) {
            snCandidates own = {.owner = body, .other = body, .near = soft->near};
            feelPair(c, &own, h);
        }
    }
    for (int32_t i = 0; i < group->member_count; ++i) {
        int32_t body = snGroup_Member(c, group, i);
        if (group->soft_count > 1 || !snContacts_Soft(c, body)) { // one alone has none to enter
            feelEntered(c, body, h);
        }
    }
}
