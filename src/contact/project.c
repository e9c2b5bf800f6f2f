// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The alternative that lets nothing in (after Kim & Pollard 2011, 4.4): what springs leave of the
// approach of flesh and what keeps its shape is stopped by impulses with friction, which both sides
// get at the same place. They count as given in the middle of the step, where rows are: both sides
// also move by what that adds to the way to its end. So momentum, angular momentum and the centre
// of mass are kept, and no elastic energy is made as by putting points elsewhere. What is inside
// already stays so deep, and springs take it out.
//
// Passes of Jacobi, each body split among its rows (Tonge 2012): D_r = sum of |w| W / m over nodes,
// W the weights of all rows on a node. A body in so many parts gives way at least as easily as the
// whole, so that no pass makes energy where a row's own share of friction does not; what friction
// might add, all impulses together pay for by being smaller.
#include "contact/place.h"

#include <string.h>

#define PASSES 8

// Part of a cell that points may come in by: springs bear what lies, and friction sticks to where
// it was; impulses find that anew in every step, and leave a creep of 1e-5 m/s.
#define SLACK 2e-3

// Part of a bone's mass that stands for it where it is hit: as at the end of a rod, which turns.
#define BONE_SHARE 0.25

// The rows of a group.
typedef struct Group {
    const snContacts* contacts;
    const snProjection* how;
    const snContactGroup* group;
    const snContactRow* rows;
    snStop* stops;
    int32_t count;
} Group;

// Both sides of a row that may be stopped: the soft one, and what keeps its shape.
typedef struct Pair {
    snContactSide side;
    snHard* hard; // NULL: the ground
    double sign;  // of the row's normal: -1 when the soft side is the other
} Pair;

static Pair pairOf(const snContacts* c, const snContactRow* row)
{
    bool owns = snContacts_Soft(c, row->owner) != NULL;
    Pair p = {owns ? snContacts_Side(c, row) : snContacts_OtherSide(c, row),
              snContacts_Hard(c, owns ? row->other : row->owner), owns ? 1 : -1};
    return p;
}

// Rows of two soft bodies, or of two that keep their shape, are left to springs; sleepers too.
static bool isStopped(const snContacts* c, const snContactRow* row)
{
    const snSoft *owner = snContacts_Soft(c, row->owner), *other = snContacts_Soft(c, row->other);
    if ((owner != NULL) == (other != NULL)) {
        return false;
    }
    const snHard* hard = snContacts_Hard(c, owner ? row->other : row->owner);
    return !(owner ? owner : other)->asleep && !(hard && hard->rigid && hard->asleep);
}

// Where a node was in the middle of the step, or would have been to come where it is.
static snVec3 nodePlace(const Group* g, const snSoft* s, int32_t node)
{
    const snVec4f *x = &s->x[node], *v = &s->v[node];
    double back = g->how->drift;
    return snV3((double)x->x - back * (double)v->x, (double)x->y - back * (double)v->y,
                (double)x->z - back * (double)v->z);
}

static snVec3 placeOf(const Group* g, const snContactSide* side)
{
    snVec3 p = side->soft->origin;
    for (int k = 0; k < 4; ++k) {
        p = snMulAdd(p, (double)side->weight[k], nodePlace(g, side->soft, side->node[k]));
    }
    return p;
}

// Of the soft side against the other.
static snVec3 velocityOf(const Pair* p, snVec3 place)
{
    snVec3 v = p->hard ? snNeg(snHard_Velocity(p->hard, place)) : snV3(0, 0, 0);
    for (int k = 0; k < 4; ++k) {
        const snVec4f* a = &p->side.soft->v[p->side.node[k]];
        v = snMulAdd(v, (double)p->side.weight[k], snV3((double)a->x, (double)a->y, (double)a->z));
    }
    return v;
}

// Shares ----------------------------------------------------------------------

static void beginSoft(snSoft* s)
{
    size_t nodes = (size_t)s->flesh->tets.node_count;
    size_t bones = (size_t)s->flesh->skeleton->bone_count;
    memset(s->shares, 0, nodes * sizeof *s->shares);
    memset(s->gains, 0, nodes * sizeof *s->gains);
    memset(s->bone_shares, 0, bones * sizeof *s->bone_shares);
    memset(s->hits, 0, bones * sizeof *s->hits);
    s->struck = snWrenchFrom(snV3(0, 0, 0), snV3(0, 0, 0));
}

// Which rows are stopped, where, and who has to be shared among how many.
static void countShares(const Group* g)
{
    for (int32_t i = 0; i < g->count; ++i) {
        snStop* stop = &g->stops[i];
        *stop = (snStop){.along = 0};
        if (!isStopped(g->contacts, &g->rows[i])) {
            continue;
        }
        Pair p = pairOf(g->contacts, &g->rows[i]);
        snSoft* s = p.side.soft;
        if (s->projected++ == 0) {
            beginSoft(s);
        }
        for (int k = 0; k < 4; ++k) {
            int32_t node = p.side.node[k], bone = s->flesh->bone_of[node];
            *(bone >= 0 ? &s->bone_shares[bone] : &s->shares[node]) += fabsf(p.side.weight[k]);
        }
        if (p.hard) {
            p.hard->stops++;
        }
    }
}

// How easily a split soft body gives way, whichever way it is pushed, 1/kg.
static double softGive(const snContactSide* side)
{
    const snSoft* s = side->soft;
    const snFleshView* flesh = s->flesh;
    double sum = 0;
    for (int k = 0; k < 4; ++k) {
        int32_t node = side->node[k], bone = flesh->bone_of[node];
        double w = fabs((double)side->weight[k]);
        sum += bone >= 0 ? w * (double)s->bone_shares[bone] /
                               (BONE_SHARE * flesh->skeleton->bones[bone].mass)
                         : w * (double)s->shares[node] * (double)flesh->inverse_mass[node];
    }
    return sum;
}

// A split obstacle along the normal and, at most, across it.
static void addHardGive(const snHard* hard, snStop* stop)
{
    const snRigid* r = hard->rigid;
    snRigidState state = {.p = hard->com, .q = hard->pose.q};
    double easiest = r->middle + r->fast, arm = snLengthSq(snSub(stop->place, hard->com));
    stop->along += hard->stops / snRigid_EffectiveMass(r, &state, stop->place, stop->normal);
    stop->across += hard->stops * (1 / r->mass + easiest * arm);
}

static void openStops(const Group* g)
{
    for (int32_t i = 0; i < g->count; ++i) {
        snStop* stop = &g->stops[i];
        if (!isStopped(g->contacts, &g->rows[i])) {
            continue;
        }
        Pair p = pairOf(g->contacts, &g->rows[i]);
        stop->place = placeOf(g, &p.side);
        stop->normal = snScale(p.sign, g->rows[i].normal);
        stop->start = velocityOf(&p, stop->place);
        stop->along = stop->across = softGive(&p.side);
        if (p.hard && p.hard->rigid) {
            addHardGive(p.hard, stop);
        }
    }
}

// Passes ----------------------------------------------------------------------

// What is to be added to an impulse so that the sides approach no faster than what is left before
// them closes in a step, and slip as little as friction allows.
static snVec3 changeOf(const Group* g, const snContactRow* row, const snStop* stop)
{
    Pair p = pairOf(g->contacts, row);
    snVec3 u = velocityOf(&p, stop->place), n = stop->normal;
    double speed = snDot(u, n), before = snDot(stop->impulse, n);
    double left = row->gap + SLACK * p.side.soft->flesh->cell;
    double allowed = left > 0 ? left / g->how->h : 0;
    double push = fmax(0, before - (speed + allowed) / stop->along);
    snVec3 drag = snMulAdd(stop->impulse, -before, n);
    drag = snMulAdd(drag, -1 / stop->across, snMulAdd(u, -speed, n));
    double size = snLength(drag), most = snContactRow_Friction(row) * push;
    drag = size > most ? snScale(most / size, drag) : drag;
    return snSub(snMulAdd(drag, push, n), stop->impulse);
}

static void addHit(snWrench* hit, snVec3 arm, snVec3 impulse)
{
    hit->f = snAdd(hit->f, impulse);
    hit->n = snAdd(hit->n, snCross(arm, impulse));
}

static void addTo(snVec4f* a, snVec3 b)
{
    a->x += (float)b.x;
    a->y += (float)b.y;
    a->z += (float)b.z;
}

static void hitSoft(const Group* g, const snContactSide* side, snVec3 impulse)
{
    snSoft* s = side->soft;
    for (int k = 0; k < 4; ++k) {
        int32_t node = side->node[k], bone = s->flesh->bone_of[node];
        snVec3 part = snScale((double)side->weight[k], impulse);
        if (bone >= 0) {
            addHit(&s->hits[bone], nodePlace(g, s, node), part);
        } else {
            part = snScale((double)s->flesh->inverse_mass[node], part);
            addTo(&s->v[node], part);
            addTo(&s->gains[node], part);
        }
    }
}

static void hitHard(snHard* hard, snVec3 place, snVec3 impulse)
{
    const snRigid* r = hard->rigid;
    snVec3 arm = snSub(place, hard->com), moment = snMatTVec(hard->R, snCross(arm, impulse));
    snVec3 turn = snMatVec(hard->R, snSymVec(r->inverse, moment));
    addHit(&hard->hit, arm, impulse);
    hard->twist.w = snAdd(hard->twist.w, turn);
    hard->twist.v = snMulAdd(hard->twist.v, 1 / r->mass, impulse);
    hard->twist.v = snAdd(hard->twist.v, snCross(turn, snSub(hard->pose.p, hard->com)));
}

// What bones got reaches their joints, and comes back as velocities of the nodes that they hold.
static void strikeBones(const Group* g)
{
    for (int32_t i = 0; i < g->group->member_count; ++i) {
        snSoft* s = snContacts_Soft(g->contacts, snGroup_Member(g->contacts, g->group, i));
        size_t bones = s ? (size_t)s->flesh->skeleton->bone_count : 0;
        if (bones > 0 && s->projected > 0) {
            g->how->strike(g->how->user, s->actor, s->hits);
            memset(s->hits, 0, bones * sizeof *s->hits);
        }
    }
}

// All changes of impulses act.
static void hitAll(const Group* g)
{
    for (int32_t i = 0; i < g->count; ++i) {
        snStop* stop = &g->stops[i];
        if (stop->along > 0) {
            Pair p = pairOf(g->contacts, &g->rows[i]);
            stop->impulse = snAdd(stop->impulse, stop->change);
            hitSoft(g, &p.side, stop->change);
            if (p.hard && p.hard->rigid) {
                hitHard(p.hard, stop->place, snNeg(stop->change));
            }
        }
    }
    strikeBones(g);
}

static void pass(const Group* g)
{
    for (int32_t i = 0; i < g->count; ++i) {
        if (g->stops[i].along > 0) {
            g->stops[i].change = changeOf(g, &g->rows[i], &g->stops[i]);
        }
    }
    hitAll(g);
}

// Impulses J that change velocities u to u + w change the energy by s sum J.u + s^2/2 sum J.w when
// s of them is given: so much that it does not grow.
static void payFor(const Group* g)
{
    double first = 0, second = 0;
    for (int32_t i = 0; i < g->count; ++i) {
        const snStop* stop = &g->stops[i];
        if (stop->along > 0) {
            Pair p = pairOf(g->contacts, &g->rows[i]);
            snVec3 change = snSub(velocityOf(&p, stop->place), stop->start);
            first += snDot(stop->impulse, stop->start);
            second += 0.5 * snDot(stop->impulse, change);
        }
    }
    if (first + second <= 0) {
        return;
    }
    double part = first < 0 ? -first / second : 0;
    for (int32_t i = 0; i < g->count; ++i) {
        g->stops[i].change = snScale(part - 1, g->stops[i].impulse);
    }
    hitAll(g);
}

// Frames and events see impulses as forces of the step.
static void tell(const Group* g, snContactRow* rows)
{
    for (int32_t i = 0; i < g->count; ++i) {
        const snStop* stop = &g->stops[i];
        if (stop->along > 0) {
            Pair p = pairOf(g->contacts, &rows[i]);
            snSoft* s = p.side.soft;
            rows[i].force = snMulAdd(rows[i].force, p.sign / g->how->h, stop->impulse);
            if (s) {
                addHit(&s->struck, snSub(stop->place, s->origin), stop->impulse);
            }
        }
    }
}

static void projectGroup(snContacts* c, int32_t number, const snProjection* how)
{
    const snContactGroup* group = &c->groups[number];
    snContactRow* rows = c->rows + group->row_first;
    Group g = {c, how, group, rows, c->stops + group->row_first, group->row_count};
    countShares(&g);
    openStops(&g);
    for (int k = 0; k < PASSES; ++k) {
        pass(&g);
    }
    payFor(&g);
    tell(&g, rows);
}

void snContacts_Project(snContacts* c, const snProjection* how)
{
    for (int32_t i = 0; i < c->hard_count; ++i) {
        c->hards[i].stops = 0;
    }
    for (int32_t i = 0; i < c->soft_count; ++i) {
        c->softs[i].projected = 0;
    }
    for (int32_t i = 0; i < c->soft_group_count; ++i) {
        projectGroup(c, i, how);
    }
}
