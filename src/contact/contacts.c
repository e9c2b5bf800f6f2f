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

// Of the budget, what others' points may take of a node whose own points use all of it.
#define LEAST_LEFT 0.1

// Of the budget, for obstacles. They could have more, but with more damping a step turns their
// speed round, which one-sided contact makes a bounce.
#define HARD_LEFT 1.6

// Of all bodies together, and of the one that has most.
static void countPoints(const snContacts* c, size_t* points, size_t* most)
{
    for (int32_t i = 0; i < c->soft_count + c->hard_count; ++i) {
        int32_t hard = i - c->soft_count;
        size_t own =
            (size_t)(hard < 0 ? c->softs[i].flesh->point_count : c->hards[hard].solid->hard_count);
        *points += own;
        *most = own > *most ? own : *most;
    }
}

snStatus snContacts_Push(snContacts* c, snArena* arena, snMessage* why)
{
    size_t points = 0, most = 1;
    countPoints(c, &points, &most);
    c->scratch_size = (int32_t)most;
    if (points > INT32_MAX / OWN_NEARS) { // the longest of the lists
        return snFail(why, sn_errorUnsupported, "%zu points are too many to look for contacts",
                      points);
    }
    for (int32_t i = 0; i < c->soft_count; ++i) {
        snSoft* s = &c->softs[i];
        size_t nodes = (size_t)s->flesh->tets.node_count, own = (size_t)s->flesh->point_count;
        s->used = snArena_Push(arena, nodes, sizeof(float));
        s->foreign = snArena_Push(arena, nodes, sizeof(float));
        snTissueTree_Push(&s->tree, s->tissue, arena);
        s->wander = (snWander){.margin = snArena_Push(arena, nodes, sizeof(float)),
                               .way = snArena_Push(arena, nodes, sizeof(float)),
                               .travel = snArena_Push(arena, nodes, sizeof(float))};
        size_t cells = c->project ? (size_t)s->flesh->tets.tet_count : 0;
        s->deepest = snArena_Push(arena, cells, sizeof(snPress));
        s->cells = snArena_Push(arena, cells, sizeof(int32_t));
        size_t bones = c->project ? (size_t)s->flesh->skeleton->bone_count : 0;
        s->hit_counts = snArena_Push(arena, bones, sizeof(int32_t));
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
    c->press_capacity = (int32_t)(SN_TOUCHES * points);
    c->presses = snArena_Push(arena, SN_TOUCHES * points, sizeof(snPress));
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

// Sharing ---------------------------------------------------------------------

static void beginHard(snHard* hard, double h)
{
    hard->count = 0;
    hard->load = snWrenchFrom(snV3(0, 0, 0), snV3(0, 0, 0));
    snFeeler_Shorten(&hard->feeler, h);
}

static void beginSoft(snSoft* s, double h)
{
    if (!s->asleep) {
        memset(s->push, 0, (size_t)s->flesh->tets.node_count * sizeof(snVec4f));
    }
    s->load = snWrenchFrom(snV3(0, 0, 0), snV3(0, 0, 0));
    s->grip = 0;
    s->touching = 0;
    s->depth = s->excess = 0;
    snFeeler_Shorten(&s->feeler, h);
    s->firm = snPenalty_Firmness(snPenalty_Left(h, s->flesh->step.rest), 1);
}

static void beginShares(snContacts* c, const snContactGroup* group, double h)
{
    c->hard_firm = snPenalty_Firmness(HARD_LEFT, 1);
    for (int32_t i = 0; i < group->member_count; ++i) {
        int32_t body = snGroup_Member(c, group, i);
        snSoft* soft = snContacts_Soft(c, body);
        if (soft) {
            beginSoft(soft, h);
        } else {
            beginHard(snContacts_Hard(c, body), h);
        }
    }
}

// What each press uses: of the nodes behind its point, of the nodes of the cell it is in, of
// movable obstacles.
static void countForeign(const snContacts* c)
{
    for (int32_t i = 0; i < c->press_count; ++i) {
        const snPress* p = &c->presses[i];
        snSoft* other = snContacts_Soft(c, p->other);
        if (other) {
            const int32_t* nodes = other->flesh->tets.tet + 4 * (size_t)p->cell;
            for (int k = 0; k < 4; ++k) {
                other->foreign[nodes[k]] += fabsf(p->weight[k]);
            }
        }
    }
}

static void countOwn(const snContacts* c)
{
    for (int32_t i = 0; i < c->press_count; ++i) {
        const snPress* p = &c->presses[i];
        snSoft* owner = snContacts_Soft(c, p->owner);
        if (owner) {
            const snTie* tie = &owner->flesh->ties[p->point];
            float mass = owner->flesh->contact_mass[p->point];
            for (int k = 0; k < 4; ++k) {
                int32_t n = tie->node[k];
                owner->used[n] += fabsf(tie->weight[k]) * mass / owner->flesh->node_mass[n];
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
static void shareBlow(const snContacts* c, snPress* run, int32_t count)
{
    Behind a = behind(c, run->owner), b = behind(c, run->other);
    snVec3 at = {0, 0, 0}, normal = {0, 0, 0};
    double hit = 0, shares = 0, push = 0, swing = 0;
    for (int32_t k = 0; k < count; ++k) {
        const snPress* p = &run[k];
        at = snMulAdd(at, 1.0 / count, p->place);
        normal = snMulAdd(normal, p->owner == run->owner ? 1 : -1, p->normal);
        hit = (double)p->touch->hit > hit ? (double)p->touch->hit : hit;
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
                               snPenalty_Scale(c->hard_firm, 1 / swing)};
    }
}

static bool isRigid(const snContacts* c, const snPress* p)
{
    return !snContacts_Soft(c, p->owner) && !snContacts_Soft(c, p->other);
}

// Points of one body in another follow each other; those of two obstacles in each other too.
static int32_t runEnd(const snContacts* c, int32_t first)
{
    const snPress* p = &c->presses[first];
    bool rigid = isRigid(c, p);
    int32_t end = first + 1;
    for (; end < c->press_count; ++end) {
        const snPress* next = &c->presses[end];
        bool same = next->owner == p->owner && next->other == p->other;
        if (!same && !(rigid && next->owner == p->other && next->other == p->owner)) {
            break;
        }
    }
    return end;
}

// A movable obstacle's mass is shared among the bodies it touches first, so that four corners on
// the ground bear what many points put on it.
static void countRuns(snContacts* c)
{
    for (int32_t i = 0, end; i < c->press_count; i = end) {
        const snPress* p = &c->presses[i];
        snHard *hard = snContacts_Hard(c, p->owner), *wall = snContacts_Hard(c, p->other);
        end = runEnd(c, i);
        for (int32_t k = i; k < end; ++k) {
            c->presses[k].run = end - i;
        }
        if (hard) {
            hard->count++;
        }
        if (wall) {
            wall->count++;
        }
    }
}

static void countShares(snContacts* c, const snContactGroup* group)
{
    bool pressed = false;
    for (int32_t i = 0; i < c->press_count; ++i) {
        pressed = pressed || snContacts_Soft(c, c->presses[i].other);
    }
    for (int32_t i = 0; i < group->member_count && pressed; ++i) { // else nobody asks
        snSoft* s = snContacts_Soft(c, snGroup_Member(c, group, i));
        size_t nodes = s ? (size_t)s->flesh->tets.node_count : 0;
        if (s) {
            memset(s->used, 0, nodes * sizeof(float));
            memset(s->foreign, 0, nodes * sizeof(float));
        }
    }
    if (pressed) {
        countForeign(c);
        countOwn(c);
    }
    if (c->hard_count > 0) {
        countRuns(c);
        for (int32_t i = 0; i < c->press_count; i += c->presses[i].run) {
            if (isRigid(c, &c->presses[i])) {
                shareBlow(c, &c->presses[i], c->presses[i].run);
            }
        }
    }
}

// Of the nodes of the cell that a point is in, the one that gives way most.
static snFirmness cellFirmness(const snSoft* soft, const snPress* p, double h)
{
    const int32_t* nodes = soft->flesh->tets.tet + 4 * (size_t)p->cell;
    double left = snPenalty_Left(h, soft->flesh->step.rest);
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
static snFirmness hardFirmness(const snHard* hard, const snPress* p, snFirmness firm)
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

// Who presses on whom; the same for a run of presses.
typedef struct Sides {
    snSoft *owner, *other; // NULL: not soft
    snHard *hard, *wall;   // NULL: not an obstacle
    snRub rub;
    snFirmness hard_firm;
    double since;
    bool still; // the other never moves
} Sides;

static Sides sidesOf(const snContacts* c, const snPress* p, double h)
{
    Sides s = {.owner = snContacts_Soft(c, p->owner),
               .other = snContacts_Soft(c, p->other),
               .hard = snContacts_Hard(c, p->owner),
               .wall = snContacts_Hard(c, p->other),
               .rub = *snContacts_Rub(c, p->owner, p->other),
               .hard_firm = c->hard_firm,
               .since = snFeeler_Since(snContacts_Feeler(c, p->owner), h)};
    s.still = p->other == SN_BODY_GROUND || (s.wall && !s.wall->moves);
    return s;
}

static snFirmness firmnessOf(const Sides* s, const snPress* p, double h)
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

// Pressing --------------------------------------------------------------------

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

static void noteDepth(snSoft* soft, const snPress* p)
{
    double excess = p->depth - (double)p->touch->sunk;
    soft->depth = p->depth > soft->depth ? p->depth : soft->depth;
    soft->excess = excess > soft->excess ? excess : soft->excess;
}

// A touch of a body with itself is inner: it has no load.
static void applyPress(const Sides* s, const snPress* p, snVec3 force, double grip)
{
    snSoft *owner = s->owner, *other = s->other;
    snVec3 back = snNeg(force);
    if (owner) {
        const snTie* tie = &owner->flesh->ties[p->point];
        pushNodes(owner, tie->node, tie->weight, force);
        owner->touching++;
        noteDepth(owner, p);
        owner->grip += s->still ? grip : 0;
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

// Who sleeps forgets nothing.
static void settle(snFeeler* feeler, bool asleep, double h)
{
    if (asleep) {
        snFeeler_Keep(feeler);
    } else {
        snFeeler_Settle(feeler, h);
    }
}

void snContacts_Press(snContacts* c, const snContactGroup* group, double h)
{
    Sides s = {.since = 0};
    beginShares(c, group, h);
    countShares(c, group);
    for (int32_t i = 0; i < c->press_count; ++i) {
        snPress* p = &c->presses[i];
        if (i == 0 || p->owner != p[-1].owner || p->other != p[-1].other) {
            s = sidesOf(c, p, h);
        }
        snEntry entry = s.other            ? snPenalty_IntoSoft(h, s.since, p->v, p->normal)
                        : p->blow.mass > 0 ? snPenalty_IntoRigid(h, p->v, p->touch)
                                           : snPenalty_IntoHard(h, p->v);
        snPush push = {.rub = s.rub,
                       .firm = firmnessOf(&s, p, h),
                       .blow = p->blow,
                       .entry = entry,
                       .normal = p->normal,
                       .depth = p->depth,
                       .v = p->v,
                       .since = s.since};
        push.rub.friction = p->smooth ? 0 : push.rub.friction;
        // kept here: what was just written in parts is slow to read as a whole
        snVec3 force = snPenalty_Force(&push, h, p->touch);
        p->force = force;
        applyPress(&s, p, force, push.rub.friction * snDot(force, p->normal));
    }
    for (int32_t i = 0; i < group->member_count; ++i) {
        int32_t body = snGroup_Member(c, group, i);
        const snSoft* soft = snContacts_Soft(c, body);
        bool asleep = soft ? soft->asleep : snContacts_Hard(c, body)->asleep;
        settle(snContacts_Feeler(c, body), asleep, h);
    }
}
