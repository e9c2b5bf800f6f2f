// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Finding contacts: which points are in what, or near to it, of those that may be. Nothing that
// lasts is changed: what points remember is read, and lists learn only how far away things are that
// do not touch.
#include "contact/place.h"

#include "geom/bvh.h"
#include <string.h>

// Cosine of the angle between the ways out of two parts of a body from which on they do not touch.
#define FACING 0.5

// Steps for which a point must be clear of a cell to be left alone so long.
#define AGAIN 4

typedef struct Finder {
    const snContacts* contacts;
    snContactRows* rows;
    int32_t gaps;  // rows with a gap, from the end of the room on
    double h;      // s
    double margin; // gaps up to this are rows, m
    bool ahead;    // and those of flesh that close within a step
    double moved;  // how far two bodies may be from where lists take them to be, m
    // of the two bodies that are looked at
    int32_t owner, other;
    const snContactMemory* memory; // the owner's
    int32_t* latest;               // rows of its points that were found last
    const snRub* rub;
} Finder;

static void lookAt(Finder* f, int32_t owner, int32_t other)
{
    const snContacts* c = f->contacts;
    const snSoft* s = snContacts_Soft(c, owner);
    f->owner = owner;
    f->other = other;
    f->memory = snContacts_Memory(c, owner);
    f->latest = f->rows->latest + (s ? s->first : snContacts_Hard(c, owner)->first);
    f->rub = snContacts_Rub(c, owner, other);
}

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
static bool inSolid(const snSolid* solid, snVec3 p, snVec3 v, double h, const snContactMemo* old,
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

// Each of these completes a row that has its place and velocity; false when it does not touch.
// Those that begin with `near` do so when it does not; false when the gap is too large.

static bool inGround(const snContacts* c, snContactRow* row)
{
    row->normal = snV3(0, 1, 0);
    row->gap = row->place.y - c->height;
    return row->gap < 0;
}

static bool inHard(const snContacts* c, const snContactMemory* memory, snContactRow* row, double h)
{
    const snHard* wall = snContacts_Hard(c, row->other);
    const snContactMemo* old = snContactMemory_Find(memory, row->point, row->other);
    snVec3 q = snMatTVec(wall->R, snSub(row->place, wall->pose.p)), n = snV3(0, 0, 0);
    snSolidHit hit;
    row->v = snSub(row->v, snHard_Velocity(wall, row->place));
    if (old) {
        n = snMatTVec(wall->R,
                      snV3((double)old->normal[0], (double)old->normal[1], (double)old->normal[2]));
    }
    double since = snContactMemory_Since(memory, h);
    snVec3 v = snMatTVec(wall->R, row->v);
    if (!inSolid(wall->solid, q, v, since, old, n, &hit)) {
        return false;
    }
    snSolidHit entry; // of a rigid body's point, which may be nearer to another face
    if (!old && snContacts_Hard(c, row->owner) &&
        crossFace(wall->solid, snMulAdd(q, -since, v), q, &entry)) {
        hit = entry;
    }
    row->normal = snMatVec(wall->R, hit.normal);
    row->gap = -hit.depth;
    return true;
}

static bool nearHard(const Finder* f, snContactRow* row, double margin)
{
    const snHard* wall = snContacts_Hard(f->contacts, row->other);
    snVec3 q = snMatTVec(wall->R, snSub(row->place, wall->pose.p));
    snSolidHit hit;
    if (snSolid_Inside(wall->solid, q, &hit) || !snSolid_Outside(wall->solid, q, margin, &hit)) {
        return false;
    }
    row->normal = snMatVec(wall->R, hit.normal);
    row->gap = hit.depth;
    return true;
}

// What a point looks for in a soft body.
typedef struct Search {
    const Finder* finder;
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
    const Finder* f = s->finder;
    double left = roam->margin - roam->travel + roam->way + f->contacts->reach + f->moved;
    double gap = snTissue_Clear(s->soft->tissue, s->soft->x, pair->cell, s->place, -1, left);
    pair->clear = gap > AGAIN * roam->way ? snCandidate_Clear(roam->travel - f->moved, gap) : -1.0F;
}

// How far bodies have come for points and cells that are clear by so much.
static double reachedBy(const Finder* f, const snRoam* roam)
{
    return roam->travel + roam->way + f->margin + f->moved;
}

// Of a list, those that bodies have moved far enough for. A step is added to that, as below.
static void probeList(const Search* s, const Around* around, snTissueHit* best)
{
    const snRoam* roam = &around->roam;
    const double reached = reachedBy(s->finder, roam);
    for (int32_t i = 0; i < around->count; ++i) {
        snNear* pair = &around->pairs[i];
        if ((double)pair->clear <= reached && !probe(s, pair->cell, best) && s->own < 0 &&
            pair->clear >= 0) {
            learn(s, roam, pair);
        }
    }
}

// The cells that may hold a point, or be as near to it as rows are wanted, by the tree.
static int32_t askTree(const Search* s, int32_t cells[SN_NEAR_CELLS])
{
    const double reach = s->finder->margin + s->finder->moved;
    snTissueQuery query = {.x = s->soft->x,
                           .place = s->place,
                           .shift = s->soft->shift,
                           .reach = reach,
                           .way = reach,
                           .own = s->own};
    int32_t all =
        snTissueTree_Holders(&s->soft->tree, s->soft->tissue, &query, cells, NULL, SN_NEAR_CELLS);
    return all < SN_NEAR_CELLS ? all : SN_NEAR_CELLS;
}

// A body's skin gets into it from outside, step by step. Places that are suddenly deep in it are
// those of cells that have been crushed through each other; they do not count.
static double mostDepth(const snSoft* s, const snContactRow* row, double h)
{
    const snContactMemo* old = snContactMemory_Find(&s->memory, row->point, row->other);
    double way = h * (snLength(row->v) + snLength(s->drift.v));
    return (old ? (double)old->depth : 0) + SN_SUDDEN * s->flesh->cell + 4 * way;
}

static void useCell(snContactRow* row, const snSoft* other, const snTissueHit* hit)
{
    row->v = snSub(row->v, snSoft_CellVelocity(other, hit->cell, hit->weight));
    row->normal = hit->normal;
    row->gap = -hit->depth;
    row->cell = hit->cell;
    memcpy(row->weight, hit->weight, sizeof row->weight);
}

static Search searchFor(const Finder* f, const snContactRow* row)
{
    const snSoft* other = snContacts_Soft(f->contacts, row->other);
    Search search = {.finder = f,
                     .soft = other,
                     .place = snSub(row->place, other->origin),
                     .own = row->owner == row->other ? row->point : -1};
    search.most = search.own < 0 ? 0 : mostDepth(other, row, f->h);
    return search;
}

// around: NULL = the tree tells. inside: whether a cell holds it.
static bool inFlesh(const Finder* f, snContactRow* row, const Around* around, bool* inside)
{
    const snContacts* c = f->contacts;
    const Search search = searchFor(f, row);
    snTissueHit best = {.depth = 0};
    if (around) {
        probeList(&search, around, &best);
    } else {
        int32_t cells[SN_NEAR_CELLS], count = askTree(&search, cells);
        for (int32_t i = 0; i < count; ++i) {
            probe(&search, cells[i], &best);
        }
    }
    *inside = best.depth > 0;
    if (*inside && search.own < 0) {
        const snContactMemo* old = snContactMemory_Find(f->memory, row->point, row->other);
        return snContacts_Enter(c, row, &best, old, snContactMemory_Since(f->memory, f->h));
    }
    if (*inside) {
        useCell(row, search.soft, &best);
    }
    return *inside;
}

// The nearest of the cells tells; of several, as those that hold a point, the one with the least
// gap.
typedef struct Nearest {
    snTissueHit hit;
    double off; // how far the cell is, m
} Nearest;

static void probeNear(const Search* s, int32_t cell, Nearest* best)
{
    snTissueHit hit;
    double off;
    if (!snTissue_ProbeNear(s->soft->tissue, s->soft->x, cell, s->place, s->own, s->finder->margin,
                            &hit, &off) ||
        (s->own >= 0 && !isFaced(s, &hit))) {
        return;
    }
    bool same = off == best->off, alike = same && hit.depth == best->hit.depth;
    if (off < best->off || (same && hit.depth > best->hit.depth) ||
        (alike && cell < best->hit.cell)) {
        *best = (Nearest){hit, off};
    }
}

// Whether the point came into the body and is still in it, though no cell holds it: findEntered
// comes to it.
static bool isEntered(const Finder* f, const snContactRow* row)
{
    const snContactMemo* old = snContactMemory_Find(f->memory, row->point, row->other);
    snContactRow trial = *row;
    return old && old->cell > 0 &&
           snContacts_Enter(f->contacts, &trial, NULL, old, snContactMemory_Since(f->memory, f->h));
}

static bool nearFlesh(const Finder* f, snContactRow* row, const Around* around)
{
    const Search search = searchFor(f, row);
    Nearest best = {.off = (double)INFINITY};
    if (search.own < 0 && isEntered(f, row)) {
        return false;
    }
    if (around) {
        for (int32_t i = 0; i < around->count; ++i) {
            if ((double)around->pairs[i].clear <= reachedBy(f, &around->roam)) {
                probeNear(&search, around->pairs[i].cell, &best);
            }
        }
    } else {
        int32_t cells[SN_NEAR_CELLS], count = askTree(&search, cells);
        for (int32_t i = 0; i < count; ++i) {
            probeNear(&search, cells[i], &best);
        }
    }
    const snSoft* owner = snContacts_Soft(f->contacts, row->owner);
    if (!(best.off < (double)INFINITY) ||
        (search.own < 0 && owner && snSoft_FacesAway(owner, row->point, best.hit.normal))) {
        return false;
    }
    useCell(row, search.soft, &best.hit);
    return true;
}

// Rows ------------------------------------------------------------------------

// The last row of a point that touches; -1: there is none yet. What is kept of other points, and of
// other times, is known by not being one.
static int32_t latestRow(const Finder* f, int32_t point)
{
    const snContactRows* rows = f->rows;
    int32_t at = f->latest[point];
    bool is = at >= 0 && at < rows->touching && rows->rows[at].owner == f->owner &&
              rows->rows[at].point == point;
    return is ? at : -1;
}

static bool isFound(const Finder* f, int32_t point)
{
    int32_t at = latestRow(f, point);
    while (at >= 0 && f->rows->rows[at].other != f->other) {
        at = f->rows->rows[at].before;
    }
    return at >= 0;
}

// The next row, with its place and velocity. There is room for it: see makeRoom.
static snContactRow* openRow(const Finder* f, int32_t point, snVec3 p)
{
    const snContacts* c = f->contacts;
    const snSoft* s = snContacts_Soft(c, f->owner);
    snContactRow* row = &f->rows->rows[f->rows->touching];
    row->owner = f->owner;
    row->point = point;
    row->other = f->other;
    row->cell = -1;
    row->skin = (snSkinPlace){.cell = -1}; // whose weights the state remembers
    row->smooth = row->flesh = false;
    row->blow = (snBlow){0};
    row->place = p;
    row->v = s ? snSoft_Velocity(s, point) : snHard_Velocity(snContacts_Hard(c, f->owner), p);
    return row;
}

static void nameRow(const Finder* f, snContactRow* row, int32_t slot, int32_t before)
{
    row->slot = (int8_t)slot;
    row->before = before;
    row->rub = f->rub;
    row->run = 1;
    row->force = snV3(0, 0, 0);
}

// One row more can always be opened: before there is no room for it, one with a gap leaves.
static void makeRoom(Finder* f)
{
    if (f->gaps > 0 && f->rows->touching + f->gaps >= f->rows->capacity) {
        f->gaps--;
        f->rows->left_out++;
    }
}

// Whether it is one: a point that touches as much as it can does not.
static bool closeRow(Finder* f, snContactRow* row)
{
    int32_t last = latestRow(f, row->point);
    uint32_t taken = 0;
    for (int32_t at = last; at >= 0; at = f->rows->rows[at].before) {
        taken |= 1U << f->rows->rows[at].slot;
    }
    int32_t slot = snContactMemory_Slot(f->memory, row->point, row->other, taken);
    if (slot < 0) {
        return false;
    }
    nameRow(f, row, slot, last);
    row->memo = f->memory->memos[SN_MEMOS * (size_t)row->point + (size_t)slot];
    row->memo.other = row->other;
    row->memo.cell = row->skin.cell + 1;
    memcpy(row->memo.weight, row->skin.weight + 1, sizeof row->memo.weight);
    f->latest[row->point] = f->rows->touching++;
    makeRoom(f);
    return true;
}

// Rows with a gap are kept at the end of the room meanwhile, the first one last.
static void closeGap(Finder* f, snContactRow* row)
{
    snContactRows* rows = f->rows;
    nameRow(f, row, -1, -1);
    row->memo = (snContactMemo){0};
    if (rows->touching + f->gaps + 1 >= rows->capacity) {
        rows->left_out++;
        return;
    }
    f->gaps++;
    rows->rows[rows->capacity - f->gaps] = *row;
}

static void gatherGaps(Finder* f)
{
    snContactRows* rows = f->rows;
    snContactRow* gap = rows->rows + rows->capacity - f->gaps;
    for (int32_t i = 0, k = f->gaps - 1; i < k; ++i, --k) {
        snContactRow one = gap[i];
        gap[i] = gap[k];
        gap[k] = one;
    }
    memmove(rows->rows + rows->touching, gap, (size_t)f->gaps * sizeof *gap);
    rows->count = rows->touching + f->gaps;
}

// Points ----------------------------------------------------------------------

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

// Of flesh, with the ground or an obstacle, also what comes nearer than that in this step. Forces
// may make it faster than it is now.
#define FASTER 1.5

static double marginOf(const Finder* f, const snContactRow* row)
{
    bool flesh = f->ahead && snContacts_Soft(f->contacts, row->owner);
    double ahead = flesh ? FASTER * f->h * snLength(row->v) : 0;
    return ahead > f->margin ? ahead : f->margin;
}

// Whether it touches; if not, it may be near.
static bool findPoint(Finder* f, const snCandidates* pair, int32_t point, const Around* around)
{
    const snContacts* c = f->contacts;
    bool touches, inside = false, near = false;
    double margin;
    if (f->rows->touching == f->rows->capacity) {
        return false;
    }
    snContactRow* row = openRow(f, point, placeOf(c, pair->owner, point));
    if (pair->other == SN_BODY_GROUND) {
        touches = inGround(c, row);
        margin = marginOf(f, row);
        near = margin > 0 && row->gap <= margin;
    } else if (snContacts_Soft(c, pair->other)) {
        touches = inFlesh(f, row, around, &inside);
        near = !inside && f->margin > 0 && nearFlesh(f, row, around);
    } else {
        touches = inHard(c, f->memory, row, f->h);
        margin = marginOf(f, row);
        near = !touches && margin > 0 && nearHard(f, row, margin);
    }
    if (!touches && near) {
        closeGap(f, row);
    }
    return touches && closeRow(f, row);
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
// a point remembers, which may be on the far side, is looked at until it is forgotten.
static void findCandidates(Finder* f, const snCandidates* pair)
{
    const snContacts* c = f->contacts;
    const snRoam roam = snCandidates_Roam(c, pair);
    const double passed = roam.way + f->margin;
    const double reached = reachedBy(f, &roam), most = 2 * roam.margin + c->reach + f->moved;
    for (int32_t i = 0; i < pair->count; ++i) {
        snCandidate* at = &pair->points[i];
        if ((double)at->clear > reached) {
            continue;
        }
        bool known = at->clear < 0 && snContactMemory_Find(f->memory, at->point, pair->other);
        double gap = known ? 0 : gapOf(c, pair, at->point, most);
        if (gap > passed) {
            at->clear = snCandidate_Clear(roam.travel - f->moved, gap);
        } else {
            at->clear = findPoint(f, pair, at->point, NULL) || known ? -1.0F : 0.0F;
        }
    }
}

// Points that are near cells of a soft body, those that bodies have moved far enough for.
static void findNear(Finder* f, const snCandidates* pair)
{
    snNear* near = pair->near.pairs;
    Around around = {.roam = snCandidates_Roam(f->contacts, pair)};
    const double reached = reachedBy(f, &around.roam);
    for (int32_t i = 0, end; i < pair->near.count; i = end) {
        bool may = false;
        for (end = i; end < pair->near.count && near[end].point == near[i].point; ++end) {
            may = may || (double)near[end].clear <= reached;
        }
        around.pairs = near + i;
        around.count = end - i;
        if (may) {
            findPoint(f, pair, near[i].point, near[i].cell < 0 ? NULL : &around);
        }
    }
}

// Points that have come into other soft bodies and are in none of their cells now. Whether lists
// had them makes no difference.
static void findEntered(Finder* f, int32_t owner)
{
    const snContacts* c = f->contacts;
    const snContactMemory* memory = snContacts_Memory(c, owner);
    for (int64_t i = 0; i < *memory->active_count; ++i) {
        int32_t point = memory->active[i];
        const snContactMemo* memos = memory->memos + SN_MEMOS * (size_t)point;
        for (int k = 0; k < SN_MEMOS && f->rows->touching < f->rows->capacity; ++k) {
            int32_t other = memos[k].other;
            bool still = snContacts_IsStill(c, owner) && snContacts_IsStill(c, other);
            if (!(memos[k].cell > 0) || still) {
                continue;
            }
            lookAt(f, owner, other);
            if (!isFound(f, point)) {
                snContactRow* row = openRow(f, point, placeOf(c, owner, point));
                if (snContacts_Enter(c, row, NULL, &memos[k],
                                     snContactMemory_Since(memory, f->h))) {
                    closeRow(f, row);
                }
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

static void findPair(Finder* f, const snCandidates* pair)
{
    const snContacts* c = f->contacts;
    if (snContacts_IsStill(c, pair->owner) && snContacts_IsStill(c, pair->other)) {
        return;
    }
    lookAt(f, pair->owner, pair->other);
    if (pair->all) {
        for (int32_t i = 0; i < pointsOf(c, pair); ++i) {
            findPoint(f, pair, i, NULL);
        }
    }
    findCandidates(f, pair);
    findNear(f, pair);
}

bool snContacts_Find(const snContacts* c, int32_t number, const snContactQuery* query,
                     snContactRows* rows)
{
    const snContactGroup* group = &c->groups[number];
    const snCandidates* pairs = snGroup_Pairs(c, group);
    Finder f = {.contacts = c,
                .rows = rows,
                .h = query->h,
                .margin = query->margin,
                .ahead = query->ahead,
                .moved = query->moved};
    rows->count = rows->touching = rows->left_out = 0;
    if (!(query->margin + query->moved <= c->reach)) {
        return false;
    }
    for (int32_t i = 0; i < group->pair_count; ++i) {
        findPair(&f, &pairs[i]);
    }
    for (int32_t i = 0; i < group->member_count && c->self; ++i) {
        int32_t body = snGroup_Member(c, group, i);
        const snSoft* soft = snContacts_Soft(c, body);
        if (soft && !soft->crushed) {
            snCandidates own = {.owner = body, .other = body, .near = soft->near};
            findPair(&f, &own);
        }
    }
    for (int32_t i = 0; i < group->member_count; ++i) {
        int32_t body = snGroup_Member(c, group, i);
        if (group->soft_count > 1 || !snContacts_Soft(c, body)) { // one alone has none to enter
            findEntered(&f, body);
        }
    }
    gatherGaps(&f);
    return true;
}
