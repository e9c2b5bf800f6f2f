// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Pressing bodies apart that touch: rows become forces, by springs and dampers that share what the
// step leaves them.
#include "contact/place.h"

// Of the budget, what others' points may take of a node whose own points use all of it.
#define LEAST_LEFT 0.1

// Of the budget, for obstacles. They could have more, but with more damping a step turns their
// speed round, which one-sided contact makes a bounce.
#define HARD_LEFT 1.6

// Sharing ---------------------------------------------------------------------

// The rows of a group that touch.
typedef struct Penalty {
    const snContacts* contacts;
    const snContactGroup* group;
    int32_t count;
    snContactRow* rows;
    double h;             // s
    snFirmness hard_firm; // of 1 kg behind a point of an obstacle
} Penalty;

static void beginHard(snHard* hard)
{
    hard->count = 0;
    hard->load = snWrenchFrom(snV3(0, 0, 0), snV3(0, 0, 0));
}

static void beginSoft(snSoft* s, double h)
{
    if (!s->asleep) {
        memset(s->push, 0, (size_t)s->flesh->tets.node_count * sizeof(snVec4f));
    }
    s->load = snWrenchFrom(snV3(0, 0, 0), snV3(0, 0, 0));
    s->still_friction = 0;
    s->touching = 0;
    s->depth = s->excess = 0;
    s->firm = snPenalty_Firmness(snPenalty_Left(h, s->flesh->stable_step), 1);
}

static void beginShares(const Penalty* g)
{
    for (int32_t i = 0; i < g->group->member_count; ++i) {
        int32_t body = snGroup_Member(g->contacts, g->group, i);
        snSoft* soft = snContacts_Soft(g->contacts, body);
        if (soft) {
            beginSoft(soft, g->h);
        } else {
            beginHard(snContacts_Hard(g->contacts, body));
        }
    }
}

// What each row uses: of the nodes behind its point, of the nodes of the cell it is in, of
// movable obstacles.
static void countForeign(const Penalty* g)
{
    for (int32_t i = 0; i < g->count; ++i) {
        snContactSide side = snContacts_OtherSide(g->contacts, &g->rows[i]);
        for (int k = 0; k < 4 && side.soft; ++k) {
            side.soft->foreign[side.node[k]] += fabsf(side.weight[k]);
        }
    }
}

static void countOwn(const Penalty* g)
{
    for (int32_t i = 0; i < g->count; ++i) {
        const snContactRow* p = &g->rows[i];
        snContactSide side = snContacts_Side(g->contacts, p);
        if (side.soft) {
            const snFleshView* flesh = side.soft->flesh;
            float mass = flesh->contact_mass[p->point];
            for (int k = 0; k < 4; ++k) {
                int32_t n = side.node[k];
                side.soft->used[n] += fabsf(side.weight[k]) * mass / flesh->node_mass[n];
            }
        }
    }
}

// What one of two rigid bodies is for pushes between them.
typedef struct Behind {
    const snHard* hard; // NULL: it does not give way
    snRigidState state;
    snSprings springs;
} Behind;

static Behind behind(const snContacts* c, int32_t body)
{
    Behind b = {.hard = snContacts_Hard(c, body)};
    b.hard = b.hard && b.hard->rigid ? b.hard : NULL;
    if (b.hard) {
        b.state = (snRigidState){.p = b.hard->com, .q = b.hard->pose.q};
    }
    return b;
}

// How easily it is pushed along the normal, 1/kg, and by springs there, all sharing it.
static void addGive(const Behind* b, snVec3 at, snVec3 normal, double* push, double* swing)
{
    if (b->hard) {
        *push += 1 / snRigid_EffectiveMass(b->hard->rigid, &b->state, at, normal);
        *swing += b->hard->count * snRigid_Swing(b->hard->rigid, &b->state, &b->springs);
    }
}

// One blow for all points of two rigid bodies in each other, or of one in the ground. Points that
// come in later belong to it too.
static void shareBlow(const Penalty* g, snContactRow* run, int32_t count)
{
    const snContacts* c = g->contacts;
    Behind a = behind(c, run->owner), b = behind(c, run->other);
    snVec3 at = {0, 0, 0}, normal = {0, 0, 0};
    double hit = 0, shares = 0, push = 0, swing = 0;
    for (int32_t k = 0; k < count; ++k) {
        const snContactRow* p = &run[k];
        at = snMulAdd(at, 1.0 / count, p->place);
        normal = snMulAdd(normal, p->owner == run->owner ? 1 : -1, p->normal);
        hit = (double)p->memo.hit > hit ? (double)p->memo.hit : hit;
        if (a.hard) {
            snSprings_Add(&a.springs, &a.state, p->place, p->normal);
        }
        if (b.hard) {
            snSprings_Add(&b.springs, &b.state, p->place, p->normal);
        }
    }
    normal = snLengthSq(normal) > 0 ? snNormalize(normal) : run->normal;
    addGive(&a, at, normal, &push, &swing);
    addGive(&b, at, normal, &push, &swing);
    for (int32_t k = 0; k < count; ++k) { // those that look aside bear nothing
        double along = snDot(normal, run[k].normal);
        shares += along * along;
    }
    for (int32_t k = 0; k < count && push > 0; ++k) {
        run[k].blow = (snBlow){1 / (push * (shares > 1 ? shares : 1)), hit,
                               snPenalty_Scale(g->hard_firm, 1 / swing)};
    }
}

static bool isRigid(const snContacts* c, const snContactRow* p)
{
    return !snContacts_Soft(c, p->owner) && !snContacts_Soft(c, p->other);
}

// Points of one body in another follow each other; those of two obstacles in each other too.
static int32_t runEnd(const Penalty* g, int32_t first)
{
    const snContactRow* p = &g->rows[first];
    bool rigid = isRigid(g->contacts, p);
    int32_t end = first + 1;
    for (; end < g->count; ++end) {
        const snContactRow* next = &g->rows[end];
        bool same = next->owner == p->owner && next->other == p->other;
        if (!same && !(rigid && next->owner == p->other && next->other == p->owner)) {
            break;
        }
    }
    return end;
}

// A movable obstacle's mass is shared among the bodies it touches first, so that four corners on
// the ground bear what many points put on it.
static void countRuns(const Penalty* g)
{
    for (int32_t i = 0, end; i < g->count; i = end) {
        const snContactRow* p = &g->rows[i];
        snHard *hard = snContacts_Hard(g->contacts, p->owner),
               *wall = snContacts_Hard(g->contacts, p->other);
        end = runEnd(g, i);
        for (int32_t k = i; k < end; ++k) {
            g->rows[k].run = end - i;
        }
        if (hard) {
            hard->count++;
        }
        if (wall) {
            wall->count++;
        }
    }
}

static void countShares(const Penalty* g)
{
    const snContacts* c = g->contacts;
    bool pressed = false;
    for (int32_t i = 0; i < g->count; ++i) {
        pressed = pressed || snContacts_Soft(c, g->rows[i].other);
    }
    for (int32_t i = 0; i < g->group->member_count && pressed; ++i) { // else nobody asks
        snSoft* s = snContacts_Soft(c, snGroup_Member(c, g->group, i));
        size_t nodes = s ? (size_t)s->flesh->tets.node_count : 0;
        if (s) {
            memset(s->used, 0, nodes * sizeof(float));
            memset(s->foreign, 0, nodes * sizeof(float));
        }
    }
    if (pressed) {
        countForeign(g);
        countOwn(g);
    }
    if (c->hard_count > 0) {
        countRuns(g);
        for (int32_t i = 0; i < g->count; i += g->rows[i].run) {
            if (isRigid(c, &g->rows[i])) {
                shareBlow(g, &g->rows[i], g->rows[i].run);
            }
        }
    }
}

// Of the nodes of the cell that a point is in, the one that gives way most.
static snFirmness cellFirmness(const snSoft* soft, const snContactRow* p, double h)
{
    const int32_t* nodes = soft->flesh->tets.tet + 4 * (size_t)p->cell;
    double left = snPenalty_Left(h, soft->flesh->stable_step);
    snFirmness least = snPenalty_Immovable();
    for (int k = 0; k < 4; ++k) {
        int32_t n = nodes[k];
        double part = 1 - (double)soft->used[n], weights = (double)soft->foreign[n];
        part = part > LEAST_LEFT ? part : LEAST_LEFT;
        snFirmness f = snPenalty_Firmness(part * left, (double)soft->flesh->node_mass[n] /
                                                           (weights > 1e-6 ? weights : 1e-6));
        least.spring = f.spring < least.spring ? f.spring : least.spring;
        least.damper = f.damper < least.damper ? f.damper : least.damper;
    }
    return least;
}

// The least mass that a push there may meet, whichever way it goes: 1/m plus the largest eigenvalue
// of S' J S, with J the inverse of the inertia I and S f = r x f. S' J S r = 0; the other two have
// the sum |r|^2 tr J - r.J r and the product |r|^2 det J r.I r.
static snFirmness hardFirmness(const snHard* hard, const snContactRow* p, snFirmness firm)
{
    const snRigid* r = hard->rigid;
    if (!r) {
        return snPenalty_Immovable();
    }
    snVec3 arm = snMatTVec(hard->R, snSub(p->place, hard->com));
    double a = r->middle + r->fast, b = r->middle, c = r->middle + r->slow, sq = snLengthSq(arm);
    double half = 0.5 * (sq * (a + b + c) - snDot(arm, snSymVec(r->inverse, arm)));
    double root = half * half - sq * a * b * c * snDot(arm, snSymVec(r->inertia, arm));
    double turning = half + (root > 0 ? sqrt(root) : 0);
    double shares = (double)hard->count * p->run;
    return snPenalty_Scale(firm, 1 / ((1 / r->mass + turning) * shares));
}

// Who is pushed by whom; the same for a run of rows.
typedef struct Sides {
    snSoft *owner, *other; // NULL: not soft
    snHard *hard, *wall;   // NULL: not an obstacle
    snFirmness hard_firm;
    double since;
    double shortening; // of springs
    bool still;        // the other never moves
} Sides;

static Sides sidesOf(const Penalty* g, const snContactRow* p)
{
    const snContacts* c = g->contacts;
    const snContactMemory* memory = snContacts_Memory(c, p->owner);
    Sides s = {.owner = snContacts_Soft(c, p->owner),
               .other = snContacts_Soft(c, p->other),
               .hard = snContacts_Hard(c, p->owner),
               .wall = snContacts_Hard(c, p->other),
               .hard_firm = g->hard_firm,
               .since = snContactMemory_Since(memory, g->h),
               .shortening = snContactMemory_Shortening(memory, g->h)};
    s.still = p->other == SN_BODY_GROUND || (s.wall && !s.wall->moves);
    return s;
}

static snFirmness firmnessOf(const Sides* s, const snContactRow* p, double h)
{
    snFirmness own = snPenalty_Immovable();
    if (s->owner) {
        double mass = (double)s->owner->flesh->contact_mass[p->point];
        own = snPenalty_Scale(s->owner->firm, mass);
    } else if (s->hard) {
        own = hardFirmness(s->hard, p, s->hard_firm);
    }
    return s->other  ? snPenalty_Join(own, cellFirmness(s->other, p, h))
           : s->wall ? snPenalty_Join(own, hardFirmness(s->wall, p, s->hard_firm))
                     : own;
}

// Forces ----------------------------------------------------------------------

static void pushNodes(snSoft* soft, const int32_t* nodes, const float* weights, snVec3 f)
{
    for (int k = 0; k < 4; ++k) {
        snVec4f* p = &soft->push[nodes[k]];
        p->x += weights[k] * (float)f.x;
        p->y += weights[k] * (float)f.y;
        p->z += weights[k] * (float)f.z;
    }
}

static void addLoad(snWrench* load, snVec3 arm, snVec3 f)
{
    load->f = snAdd(load->f, f);
    load->n = snAdd(load->n, snCross(arm, f));
}

static void noteDepth(snSoft* soft, const snContactRow* p)
{
    double depth = -p->gap, excess = depth - (double)p->memo.sunk;
    soft->depth = depth > soft->depth ? depth : soft->depth;
    soft->excess = excess > soft->excess ? excess : soft->excess;
}

// A row of a body with itself is inner: it has no load.
static void applyForce(const Sides* s, const snContactRow* p, snVec3 force, double friction)
{
    snSoft *owner = s->owner, *other = s->other;
    snVec3 back = snNeg(force);
    if (owner) {
        const snTie* tie = &owner->flesh->ties[p->point];
        pushNodes(owner, tie->node, tie->weight, force);
        owner->touching++;
        noteDepth(owner, p);
        owner->still_friction += s->still ? friction : 0;
    } else if (s->hard) {
        addLoad(&s->hard->load, snSub(p->place, s->hard->com), force);
    }
    if (other) {
        pushNodes(other, other->flesh->tets.tet + 4 * (size_t)p->cell, p->weight, back);
        noteDepth(other, p);
    } else if (s->wall) {
        addLoad(&s->wall->load, snSub(p->place, s->wall->com), back);
    }
    if (owner && owner != other) {
        addLoad(&owner->load, snSub(p->place, owner->origin), force);
    }
    if (other && owner != other) {
        addLoad(&other->load, snSub(p->place, other->origin), back);
    }
}

void snContacts_ApplyPenalty(snContacts* c, int32_t group, snContactRows* rows, double h)
{
    const Penalty g = {.contacts = c,
                       .group = &c->groups[group],
                       .count = rows->touching,
                       .rows = rows->rows,
                       .h = h,
                       .hard_firm = snPenalty_Firmness(HARD_LEFT, 1)};
    Sides s = {.since = 0};
    beginShares(&g);
    countShares(&g);
    for (int32_t i = 0; i < g.count; ++i) {
        snContactRow* p = &g.rows[i];
        if (i == 0 || p->owner != p[-1].owner || p->other != p[-1].other) {
            s = sidesOf(&g, p);
        }
        if (s.shortening < 1) {
            snContactMemo_Shorten(&p->memo, s.shortening);
        }
        snEntry entry = s.other            ? snPenalty_IntoSoft(h, s.since, p->v, p->normal)
                        : p->blow.mass > 0 ? snPenalty_IntoRigid(h, p->v, &p->memo)
                                           : snPenalty_IntoHard(h, p->v);
        snPenaltyPoint push = {.rub = *p->rub,
                               .firm = firmnessOf(&s, p, h),
                               .blow = p->blow,
                               .entry = entry,
                               .normal = p->normal,
                               .depth = -p->gap,
                               .v = p->v,
                               .since = s.since};
        push.rub.friction = snContactRow_Friction(p);
        // kept here: what was just written in parts is slow to read as a whole
        snVec3 force = snPenalty_Force(&push, h, &p->memo);
        p->force = force;
        applyForce(&s, p, force, push.rub.friction * snDot(force, p->normal));
    }
}
