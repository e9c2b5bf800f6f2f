// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "contact/blow.h"

#include "contact/place.h"

// A step h is stable while h^2 k/m + 2 h d/m < 4. Springs of obstacles take k = c m/h^2 and
// d = 2 sqrt(c) m/h with c + 4 sqrt(c) = 1.6. They could have more, but with more damping a step
// turns their speed round, which one-sided contact makes a bounce.
#define SPRING 0.1342723 // c: (sqrt(4 + 1.6) - 2)^2
#define DAMPER 0.3664319 // sqrt(c)

// Slower rigid bodies do not bounce, m/s for one of 1 m.
#define SLOW 0.1

// Part of their depth by which rigid bodies that a blow left inside come up, 1/s.
#define LIFT_RATE 4.0

// A blow has done when this part of its speed is missing, or when it gave all that it may so often:
// then something presses on, and the spring must bear it.
#define MISSING 0.05
#define HELD 4

// Rows of a group between obstacles.
typedef struct Blows {
    const snContacts* contacts;
    snContactRow* rows;
    int32_t count;
    double h; // s
} Blows;

static bool isBlow(const snContacts* c, const snContactRow* p)
{
    return !snContacts_Soft(c, p->owner) && !snContacts_Soft(c, p->other);
}

// Sharing ---------------------------------------------------------------------

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
static void shareBlow(const Blows* g, snContactRow* run, int32_t count)
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
        run[k].blow = (snBlow){1 / (push * (shares > 1 ? shares : 1)), hit, 1 / swing};
    }
}

// Points of two obstacles in each other follow each other, and so do those in the ground.
static int32_t runEnd(const Blows* g, int32_t first)
{
    const snContactRow* p = &g->rows[first];
    int32_t end = first + 1;
    for (; end < g->count; ++end) {
        const snContactRow* next = &g->rows[end];
        bool same = next->owner == p->owner && next->other == p->other;
        if (!same && !(next->owner == p->other && next->other == p->owner)) {
            break;
        }
    }
    return end;
}

// An obstacle's mass is shared among the bodies it touches first, then among its points, so that
// four corners on the ground bear what many points put on it.
static void shareBlows(const Blows* g)
{
    for (int32_t i = 0, end; i < g->count; i = end) {
        const snContactRow* p = &g->rows[i];
        end = i + 1;
        if (!isBlow(g->contacts, p)) {
            continue;
        }
        end = runEnd(g, i);
        for (int32_t k = i; k < end; ++k) {
            g->rows[k].run = end - i;
        }
        snHard *hard = snContacts_Hard(g->contacts, p->owner),
               *wall = snContacts_Hard(g->contacts, p->other);
        hard->count++;
        if (wall) {
            wall->count++;
        }
    }
    for (int32_t i = 0; i < g->count; i += isBlow(g->contacts, &g->rows[i]) ? g->rows[i].run : 1) {
        if (isBlow(g->contacts, &g->rows[i])) {
            shareBlow(g, &g->rows[i], g->rows[i].run);
        }
    }
}

// The mass that a spring may count on, kg; both sides in series, infinite when neither gives way.
static double massOf(const snContacts* c, const snContactRow* p)
{
    double give = 0;
    const int32_t body[2] = {p->owner, p->other};
    for (int k = 0; k < 2; ++k) {
        const snHard* hard = snContacts_Hard(c, body[k]);
        if (hard && hard->rigid) {
            give += snHard_MostGive(hard, p->place) * hard->count * p->run;
        }
    }
    return 1 / give;
}

// Forces ----------------------------------------------------------------------

// In shorter steps than the last, springs are stiffer, (last/h)^2 times. Points are taken to be
// pressed in less by as much, or a change of steps would shoot them out.
static void shorten(snContactMemo* memo, const snContactMemory* memory, double h)
{
    if (*memory->last > h) {
        double part = h / *memory->last * (h / *memory->last);
        memo->sunk = memo->depth - (float)part * (memo->depth - memo->sunk);
        for (int axis = 0; axis < 3; ++axis) {
            memo->slip[axis] *= (float)part;
        }
    }
}

// The spring throws bodies back, and what damps it until they stop leaves it more than enough for
// that; but no further than to the speed at which they are to part.
static double pushOf(const snContactRow* p, double h, double in, double speed, snContactMemo* memo)
{
    const snRub* rub = p->rub;
    double spring = SPRING * p->blow.firm / h / h * in, damper = 2 * DAMPER * p->blow.firm / h;
    if (!(memo->hit > 0)) {
        return spring - damper * speed;
    }
    double hit = (double)memo->hit > -speed ? (double)memo->hit : -speed;
    double aim = rub->restitution * hit, most = p->blow.mass / h * (aim - speed);
    double push = spring - (speed < 0 ? rub->damping * damper * speed : 0);
    bool done = speed > aim - MISSING * hit;
    memo->held += push > most;
    memo->hit = done || memo->held > HELD ? 0 : (float)hit;
    memo->sunk = done ? memo->depth : memo->sunk;
    return push < most ? push : most;
}

// The slip is taken back when the friction cone is left, so that the spring holds just what the
// cone allows. Without a spring a body on a slope would creep.
static snVec3 dragOf(const snContactRow* p, double h, double mass, double push, snContactMemo* memo,
                     double since)
{
    double k = SPRING * mass / h / h, d = 2 * DAMPER * mass / h;
    snVec3 along = snContactLaw_Across(p->v, p->normal), slip = snContactMemo_Slip(memo);
    bool fresh = memo->age <= 1;
    slip = snContactLaw_Across(fresh ? snV3(0, 0, 0) : snMulAdd(slip, since, along), p->normal);
    snVec3 drag = snAdd(snScale(-k, slip), snScale(-d, along));
    double size_sq = snLengthSq(drag), most = p->rub->friction * push;
    if (size_sq > most * most) {
        drag = snScale(most / sqrt(size_sq), drag);
        slip = snScale(-1 / k, drag);
    }
    snContactMemo_SetSlip(memo, slip);
    return drag;
}

static double slowOf(const snContacts* c, const snContactRow* p)
{
    const snHard *hard = snContacts_Hard(c, p->owner), *wall = snContacts_Hard(c, p->other);
    double size = hard->solid->size;
    return SLOW * sqrt(wall && wall->solid->size < size ? wall->solid->size : size);
}

static void applyBlow(const Blows* g, snContactRow* p)
{
    const snContacts* c = g->contacts;
    const snContactMemory* memory = snContacts_Memory(c, p->owner);
    snHard *hard = snContacts_Hard(c, p->owner), *wall = snContacts_Hard(c, p->other);
    snContactMemo* memo = &p->memo;
    double speed = snDot(p->v, p->normal), h = g->h;
    if (memo->age == 0) {
        double hit = -speed > p->blow.hit ? -speed : p->blow.hit;
        memo->hit = hit > slowOf(c, p) ? (float)hit : 0;
    }
    shorten(memo, memory, h);
    double lift = h * snHard_LiftSpeed(hard), slow = LIFT_RATE * h * (double)memo->sunk;
    snEntry entry = snEntry_IntoHard(h, lift, HUGE_VAL, p->v);
    entry.lift = slow < lift ? slow : lift; // so slowly that a blow without restitution is none
    double in = snEntry_PressedIn(&entry, -p->gap, p->normal, memo);
    double push = pushOf(p, h, in, speed, memo);
    push = push > 0 ? push : 0;
    snVec3 drag = dragOf(p, h, massOf(c, p), push, memo, snContactMemory_Since(memory, h));
    p->force = snMulAdd(drag, push, p->normal);
    snWrench_AddForce(&hard->load, snSub(p->place, hard->com), p->force);
    if (wall) {
        snWrench_AddForce(&wall->load, snSub(p->place, wall->com), snNeg(p->force));
    }
}

void snBlows_Apply(const snContacts* c, const snContactGroup* group, snContactRow* rows,
                   int32_t count, double h)
{
    const Blows g = {c, rows, count, h};
    for (int32_t i = 0; i < group->member_count; ++i) {
        snHard* hard = snContacts_Hard(c, snGroup_Member(c, group, i));
        if (hard) {
            hard->count = 0;
        }
    }
    shareBlows(&g);
    for (int32_t i = 0; i < count; ++i) {
        if (isBlow(c, &rows[i])) {
            applyBlow(&g, &rows[i]);
        }
    }
}
