// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Finding contacts: boxes first, then points.
#include "contact/contacts.h"

#include "geom/bvh.h"
#include "math/quat.h"
#include <string.h>

// Boxes and lists are good for about this many steps at the present speed.
#define STEPS 8

// Least and largest margin of a soft body's tree, in cells: with more it seems to touch itself.
#define LEAST_MARGIN 0.05
#define MOST_MARGIN 0.2

// Least margin of lists, in cells of a soft body, in sizes of an obstacle.
#define SOFT_MARGIN 0.1
#define HARD_MARGIN 0.005

// Cells around a point that are looked at; boxes of a lattice's cells overlap some tenfold.
#define CELLS 256

static int32_t bodyOfHard(int32_t i)
{
    return SN_BODY_FIRST + i;
}

static int32_t bodyOfSoft(const snContacts* c, int32_t i)
{
    return SN_BODY_FIRST + c->hard_count + i;
}

// Points ----------------------------------------------------------------------

static snVec3 blend(const snTie* tie, const snVec4f* a)
{
    snVec3 sum = snV3(0, 0, 0);
    for (int k = 0; k < 4; ++k) {
        const snVec4f* p = &a[tie->node[k]];
        sum = snMulAdd(sum, (double)tie->weight[k], snV3((double)p->x, (double)p->y, (double)p->z));
    }
    return sum;
}

// Where a point is and how fast, in the world.
static void softPoint(const snSoft* s, int32_t point, snVec3* p, snVec3* v)
{
    const snTie* tie = &s->flesh->ties[point];
    *p = snAdd(s->origin, blend(tie, s->x));
    *v = blend(tie, s->v);
}

// Its height alone: most points near the ground are above it.
static double softHeight(const snSoft* s, int32_t point)
{
    const snTie* tie = &s->flesh->ties[point];
    double sum = 0;
    for (int k = 0; k < 4; ++k) {
        sum += (double)tie->weight[k] * (double)s->x[tie->node[k]].y;
    }
    return s->origin.y + sum;
}

static snVec3 hardVelocity(const snHard* hard, snVec3 p)
{
    return snAdd(hard->twist.v, snCross(hard->twist.w, snSub(p, hard->pose.p)));
}

static void hardPoint(const snHard* hard, int32_t point, snVec3* p, snVec3* v)
{
    *p = snAdd(hard->pose.p, snMatVec(hard->R, hard->solid->points[point]));
    *v = hardVelocity(hard, *p);
}

static snVec3 cellVelocity(const snSoft* s, const snTissueHit* hit)
{
    snTie tie;
    memcpy(tie.node, s->flesh->tets.tet + 4 * (size_t)hit->cell, sizeof tie.node);
    memcpy(tie.weight, hit->weight, sizeof tie.weight);
    return blend(&tie, s->v);
}

// Narrow phase ----------------------------------------------------------------

static void addPress(snContacts* c, snFeeler* feeler, const snPress* press)
{
    snTouch* touch = snFeeler_Touch(feeler, press->point, press->other);
    if (touch && c->press_count < c->press_capacity) {
        c->presses[c->press_count] = *press;
        c->presses[c->press_count++].touch = touch;
    }
}

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

// How deep below the face that a fast point came through it is. a: where it was a step before, if
// only rounding put it inside then, on the side that it is nearest to.
static bool enterSolid(const snSolid* solid, snVec3 a, snVec3 p, double reach, snSolidHit* hit)
{
    if (!snSolid_Cast(solid, a, p, hit)) {
        return snSolid_Inside(solid, a, hit) && leaveSolid(solid, p, hit->normal, reach, hit);
    }
    snVec3 way = snSub(p, a);
    snVec3 left = snMulAdd(way, -hit->depth / snLength(way), way);
    hit->depth = -snDot(left, hit->normal);
    return hit->depth > 0;
}

// p, v: of the point in the solid's frame, in which it has moved for h seconds since it was looked
// at.
static bool inSolid(const snSolid* solid, snVec3 p, snVec3 v, double h, const snTouch* old,
                    snVec3 old_normal, snSolidHit* hit)
{
    double step = h * snLength(v), depth = old ? (double)old->depth : 0;
    double reach = depth + 1.5 * step + solid->thickness;
    bool thin = solid->thickness < 4 * (step + depth);
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

static void feelSolid(snContacts* c, snFeeler* feeler, snPress* press, snVec3 p, snVec3 v, double h)
{
    const snHard* wall = &c->hards[press->other - SN_BODY_FIRST];
    const snTouch* old = snFeeler_Find(feeler, press->point, press->other);
    snVec3 q = snMatTVec(wall->R, snSub(p, wall->pose.p));
    snVec3 u = snSub(v, hardVelocity(wall, p)), n = snV3(0, 0, 0);
    snSolidHit hit;
    if (old) {
        n = snMatTVec(wall->R,
                      snV3((double)old->normal[0], (double)old->normal[1], (double)old->normal[2]));
    }
    double since = snFeeler_Since(feeler, h);
    if (inSolid(wall->solid, q, snMatTVec(wall->R, u), since, old, n, &hit)) {
        press->place = p;
        press->v = u;
        press->normal = snMatVec(wall->R, hit.normal);
        press->depth = hit.depth;
        addPress(c, feeler, press);
    }
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
    now->v = snSub(v, hardVelocity(wall, p));
    return true;
}

bool snContacts_Look(const snContacts* c, int32_t soft, int32_t point, snPress* now)
{
    const snSoft* s = &c->softs[soft];
    const snTouch* touches = s->feeler.touches + SN_TOUCHES * (size_t)point;
    snVec3 p, v;
    softPoint(s, point, &p, &v);
    *now = (snPress){.owner = bodyOfSoft(c, soft), .point = point, .cell = -1, .place = p};
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

static void feelGround(snContacts* c, snFeeler* feeler, snPress* press, snVec3 p, snVec3 v)
{
    if (p.y < c->height) {
        press->place = p;
        press->v = v;
        press->normal = snV3(0, 1, 0);
        press->depth = c->height - p.y;
        addPress(c, feeler, press);
    }
}

// The deepest of the places in a soft body where a point is: cells may lie on each other. q: the
// point, relative to the other's origin.
static void probe(const snSoft* other, int32_t cell, snVec3 q, const snVec3* own, snTissueHit* best)
{
    snTissueHit hit;
    if (snTissue_Probe(other->tissue, other->x, cell, q, &hit) &&
        (hit.depth > best->depth || (hit.depth == best->depth && hit.cell < best->cell)) &&
        (!own || snLength(snSub(hit.rest, *own)) >= other->tissue->apart)) {
        *best = hit;
    }
}

// `own` is where the point itself is in the rest shape, of a body that touches itself; else NULL.
// pairs: its run of a list; NULL = the tree tells.
static void feelTissue(snContacts* c, snFeeler* feeler, snPress* press, snVec3 p, snVec3 v,
                       const snVec3* own, const snNear* pairs, int32_t count)
{
    const snSoft* other = c->softs ? &c->softs[press->other - SN_BODY_FIRST - c->hard_count] : NULL;
    if (!other) {
        return;
    }
    snVec3 q = snSub(p, other->origin);
    snTissueHit best = {.depth = 0};
    if (pairs) {
        for (int32_t i = 0; i < count; ++i) {
            probe(other, pairs[i].cell, q, own, &best);
        }
    } else {
        int32_t cells[CELLS];
        int32_t all = snTissueTree_Cells(&other->tree, other->tissue, snSub(q, other->shift), 0,
                                         cells, CELLS);
        for (int32_t i = 0; i < (all < CELLS ? all : CELLS); ++i) {
            probe(other, cells[i], q, own, &best);
        }
    }
    if (best.depth > 0) {
        press->place = p;
        press->v = snSub(v, cellVelocity(other, &best));
        press->normal = best.normal;
        press->depth = best.depth;
        press->cell = best.cell;
        memcpy(press->weight, best.weight, sizeof press->weight);
        addPress(c, feeler, press);
    }
}

static void feelPoint(snContacts* c, const snCandidates* pair, int32_t point, const snNear* near,
                      int32_t near_count, double h)
{
    int32_t soft = pair->owner - SN_BODY_FIRST - c->hard_count;
    snSoft* s = soft >= 0 ? &c->softs[soft] : NULL;
    snHard* hard = s ? NULL : &c->hards[pair->owner - SN_BODY_FIRST];
    snFeeler* feeler = s ? &s->feeler : &hard->feeler;
    snVec3 p, v;
    if (s && pair->other == SN_BODY_GROUND && !(softHeight(s, point) < c->height)) {
        return;
    }
    snPress press = {.owner = pair->owner, .point = point, .other = pair->other, .cell = -1};
    if (s) {
        softPoint(s, point, &p, &v);
    } else {
        hardPoint(hard, point, &p, &v);
    }
    if (pair->other == SN_BODY_GROUND) {
        feelGround(c, feeler, &press, p, v);
    } else if (pair->other >= bodyOfSoft(c, 0)) {
        bool self = s && pair->other == pair->owner;
        feelTissue(c, feeler, &press, p, v, self ? &s->tissue->point_rest[point] : NULL, near,
                   near_count);
    } else {
        feelSolid(c, feeler, &press, p, v, h);
    }
}

static int32_t pointsOf(const snContacts* c, int32_t body)
{
    int32_t soft = body - SN_BODY_FIRST - c->hard_count;
    return soft >= 0 ? c->softs[soft].flesh->point_count
                     : c->hards[body - SN_BODY_FIRST].solid->point_count;
}

static void feelPair(snContacts* c, const snCandidates* pair, double h)
{
    if (pair->all) {
        for (int32_t i = 0; i < pointsOf(c, pair->owner); ++i) {
            feelPoint(c, pair, i, NULL, 0, h);
        }
    }
    for (int32_t i = 0; i < pair->count; ++i) {
        feelPoint(c, pair, pair->points[i], NULL, 0, h);
    }
    const snNear* near = pair->near.pairs;
    for (int32_t i = 0, end; i < pair->near.count; i = end) {
        for (end = i + 1; end < pair->near.count && near[end].point == near[i].point; ++end) {
        }
        feelPoint(c, pair, near[i].point, near + i, end - i, h);
    }
}

// Boxes -----------------------------------------------------------------------

// The mean velocity, and the largest against it and against the world.
static void speedsOf(snSoft* s, double* inner, double* outer)
{
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

// Sets a margin of steps at the present speed when it has been used up.
static bool roam(snRoam* r, double way, double least, double most)
{
    r->travel += way;
    if (r->travel <= r->margin) {
        return false;
    }
    r->travel = 0;
    r->margin = fmin(fmax(least, STEPS * way), most);
    return true;
}

static void refit(snContacts* c, snSoft* s);

// Whether lists are too old to be used. Trees are refitted when they are.
static bool hasRoamed(snContacts* c, double h)
{
    bool old = c->stale;
    for (int32_t i = 0; i < c->soft_count; ++i) {
        snSoft* s = &c->softs[i];
        double inner, outer;
        speedsOf(s, &inner, &outer);
        if (c->stale || snLengthSq(snSub(s->origin, s->seen)) > 0) {
            s->inner.travel = s->roam.travel = (double)INFINITY;
        }
        double since = snFeeler_Since(&s->feeler, h);
        s->shift = snMulAdd(s->shift, since, s->mean);
        old = roam(&s->roam, since * outer, SOFT_MARGIN * s->flesh->cell, (double)INFINITY) || old;
        if (roam(&s->inner, since * inner, LEAST_MARGIN * s->flesh->cell,
                 MOST_MARGIN * s->flesh->cell)) {
            refit(c, s);
        }
    }
    for (int32_t i = 0; i < c->hard_count; ++i) {
        snHard* hard = &c->hards[i];
        hard->roam.travel = c->stale ? (double)INFINITY : hard->roam.travel;
        double since = snFeeler_Since(&hard->feeler, h);
        old = roam(&hard->roam, since * fastestOf(hard), HARD_MARGIN * hard->solid->size,
                   (double)INFINITY) ||
              old;
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

static void boxHard(snHard* hard)
{
    const snBox* box = &hard->solid->box;
    hard->box = snBox_Empty();
    for (int k = 0; k < 8; ++k) {
        snVec3 p = snV3(k & 1 ? box->hi.x : box->lo.x, k & 2 ? box->hi.y : box->lo.y,
                        k & 4 ? box->hi.z : box->lo.z);
        hard->box = snBox_Point(hard->box, snAdd(hard->pose.p, snMatVec(hard->R, p)));
    }
    hard->box = enlarge(hard->box, hard->roam.margin);
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

// Adds the cells near a point to a list. reach: how far both may still move. False when there is no
// room.
static bool listCells(const snSoft* other, int32_t point, snVec3 q, double reach, const snVec3* own,
                      snNearList* near, int32_t capacity)
{
    int32_t cells[CELLS];
    int32_t count = snTissueTree_Cells(&other->tree, other->tissue, q, reach, cells, CELLS);
    if (count > CELLS) {
        return false;
    }
    for (int32_t i = 0; i < count; ++i) {
        if (own && !snTissue_ReachesApart(other->tissue, cells[i], *own)) {
            continue;
        }
        if (near->count == capacity) {
            return false;
        }
        near->pairs[near->count++] = (snNear){point, cells[i]};
    }
    return true;
}

static void refit(snContacts* c, snSoft* s)
{
    s->shift = snV3(0, 0, 0);
    s->seen = s->origin;
    snTissueTree_Refit(&s->tree, s->tissue, s->x, (float)s->inner.margin);
    s->near.count = 0;
    s->near_full = false;
    if (!c->self) {
        return;
    }
    int32_t count = snTissueTree_PointsSelf(&s->tree, s->tissue, c->scratch);
    for (int32_t i = 0; i < count && !s->near_full; ++i) {
        int32_t point = c->scratch[i];
        snVec3 q = blend(&s->flesh->ties[point], s->x);
        s->near_full = !listCells(s, point, q, s->inner.margin, &s->tissue->point_rest[point],
                                  &s->near, s->near_capacity);
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

// Points that are in scratch.
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
        memcpy(c->points + c->point_count, c->scratch, (size_t)count * sizeof(int32_t));
        c->point_count += count;
    }
}

static void addNear(snContacts* c, int32_t owner, int32_t other, const snSoft* a, const snSoft* b)
{
    snVec3 apart = snSub(a->origin, b->origin);
    double reach = a->roam.margin + b->roam.margin;
    int32_t count =
        snTissueTree_PointsNear(&a->tree, a->tissue, &b->tree, b->tissue,
                                snAdd(apart, snSub(a->shift, b->shift)), reach, c->scratch);
    snNearList near = {0, c->nears + c->near_count};
    bool full = false;
    for (int32_t i = 0; i < count && !full; ++i) {
        int32_t point = c->scratch[i];
        snVec3 q = snAdd(apart, blend(&a->flesh->ties[point], a->x));
        full = !listCells(b, point, snSub(q, b->shift), reach, NULL, &near,
                          c->near_capacity - c->near_count);
    }
    snCandidates* pair = near.count > 0 || full ? addPair(c, owner, other) : NULL;
    if (pair) {
        pair->all = full;
        pair->near = full ? pair->near : near;
        c->near_count += full ? 0 : near.count;
    }
}

static int32_t softPointsIn(snContacts* c, const snSoft* s, snBox box)
{
    snVec3 to = snAdd(s->origin, s->shift);
    box = enlarge(box, s->roam.margin);
    box.lo = snSub(box.lo, to);
    box.hi = snSub(box.hi, to);
    return snTissueTree_PointsInBox(&s->tree, s->tissue, &box, c->scratch);
}

static int32_t hardPointsIn(snContacts* c, const snHard* hard, snBox box)
{
    int32_t count = 0;
    double margin = hard->roam.margin;
    for (int32_t i = 0; i < hard->solid->point_count; ++i) {
        snVec3 p, v;
        hardPoint(hard, i, &p, &v);
        if (snBox_DistanceSq(&box, p) <= margin * margin) {
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
        snVec3 p, v;
        hardPoint(hard, hard->solid->props[i], &p, &v);
        if (p.y <= height + hard->roam.margin) {
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

// Of the points in scratch, those that are within reach of the obstacle's shapes: what stands under
// a box may be far from its walls.
static int32_t keepNear(snContacts* c, const snSoft* s, const snHard* hard, double reach,
                        int32_t count)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < count; ++i) {
        snVec3 p = snAdd(s->origin, blend(&s->flesh->ties[c->scratch[i]], s->x));
        if (snSolid_IsNear(hard->solid, snMatTVec(hard->R, snSub(p, hard->pose.p)), reach)) {
            c->scratch[kept++] = c->scratch[i];
        }
    }
    return kept;
}

// The same the other way round: within reach of the body's cells.
static int32_t keepNearCells(snContacts* c, const snHard* hard, const snSoft* s, double reach,
                             int32_t count)
{
    int32_t kept = 0, cell;
    snVec3 p, v, to = snAdd(s->origin, s->shift);
    for (int32_t i = 0; i < count; ++i) {
        hardPoint(hard, c->scratch[i], &p, &v);
        if (snTissueTree_Cells(&s->tree, s->tissue, snSub(p, to), reach, &cell, 1) > 0) {
            c->scratch[kept++] = c->scratch[i];
        }
    }
    return kept;
}

// Fast points may pass a thin obstacle within a step, and points on the far side may still be held
// back by as much as they are deep: both on top of what bodies move until the next lists.
static void listHard(snContacts* c, const snSoft* s, int32_t body, const snBox* box, int32_t k)
{
    const snHard* hard = &c->hards[k];
    double way = s->roam.margin + hard->roam.margin, deep = deepestIn(&s->feeler, bodyOfHard(k));
    snBox wall = enlarge(hard->box, way + deep);
    if (meet(box, &wall)) {
        int32_t count = softPointsIn(c, s, wall);
        addPoints(c, body, bodyOfHard(k), keepNear(c, s, hard, 2 * way + deep, count));
    }
    if (meet(box, &hard->box)) {
        int32_t count = hardPointsIn(c, hard, *box);
        addPoints(c, bodyOfHard(k), body, keepNearCells(c, hard, s, way, count));
    }
}

static void listSoft(snContacts* c, int32_t i)
{
    snSoft* s = &c->softs[i];
    int32_t body = bodyOfSoft(c, i);
    snBox box = softBox(s);
    if (c->ground && box.lo.y < c->height) {
        addPoints(c, body, SN_BODY_GROUND, softPointsIn(c, s, groundBox(c)));
    }
    for (int32_t k = 0; k < c->hard_count; ++k) {
        listHard(c, s, body, &box, k);
    }
    for (int32_t k = 0; k < c->soft_count; ++k) {
        snBox there = softBox(&c->softs[k]);
        if (k != i && meet(&box, &there)) {
            addNear(c, body, bodyOfSoft(c, k), s, &c->softs[k]);
        }
    }
}

static void listBetweenHards(snContacts* c, int32_t i)
{
    const snHard* hard = &c->hards[i];
    if (c->ground && hard->rigid) {
        addPoints(c, bodyOfHard(i), SN_BODY_GROUND, propsBelow(c, hard, c->height));
    }
    for (int32_t k = 0; k < c->hard_count; ++k) {
        const snHard* other = &c->hards[k];
        if (k != i && (hard->rigid || other->rigid) && meet(&hard->box, &other->box)) {
            addPoints(c, bodyOfHard(i), bodyOfHard(k), hardPointsIn(c, hard, other->box));
        }
    }
}

static void makeLists(snContacts* c)
{
    c->crowded = false;
    c->pair_count = c->point_count = c->near_count = 0;
    for (int32_t i = 0; i < c->hard_count; ++i) {
        boxHard(&c->hards[i]);
    }
    for (int32_t i = 0; i < c->soft_count; ++i) {
        listSoft(c, i);
    }
    for (int32_t i = 0; i < c->hard_count; ++i) {
        listBetweenHards(c, i);
    }
}

bool snContacts_Find(snContacts* c, double h)
{
    for (int32_t i = 0; i < c->hard_count; ++i) {
        c->hards[i].R = snMatFromQ(c->hards[i].pose.q);
    }
    if (hasRoamed(c, h)) {
        makeLists(c);
    }
    c->stale = false;
    c->press_count = 0;
    for (int32_t i = 0; i < c->pair_count; ++i) {
        feelPair(c, &c->pairs[i], h);
    }
    for (int32_t i = 0; i < c->soft_count && c->self; ++i) {
        const snSoft* s = &c->softs[i];
        bool all = s->near_full;
        snCandidates own = {.owner = bodyOfSoft(c, i), .other = bodyOfSoft(c, i), .all = all};
        own.near = all ? own.near : s->near;
        feelPair(c, &own, h);
    }
    return !c->crowded;
}
