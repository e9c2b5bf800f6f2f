// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Who lies still sleeps: bodies that touch each other do when all of them have been still for long
// enough, and one that something moving touches wakes, so that a blow goes through a pile body by
// body, step by step. Who sleeps keeps its state, what its points remember of what they touch
// included, and goes on from there.
#include "method/explicit/actor.h"
#include <string.h>

// Slower than this, m/s, a body is still. What lies on others trembles by a few mm/s at most, what
// a step of gravity adds is about as much.
#define STILL 0.01

static bool isDriven(const snActorSpace* a)
{
    bool driven = a->actor->drags != NULL;
    for (int32_t i = 0; i < a->skeleton->bone_count; ++i) {
        driven = driven || a->actor->drive[i];
    }
    return driven;
}

// Of a body of contact's; NULL when it never sleeps.
static snRest* restOf(const snMethodData* d, void* state, int32_t body)
{
    const snSoft* soft = snContacts_Soft(&d->contacts, body);
    const snHard* hard = snContacts_Hard(&d->contacts, body);
    if (soft) {
        snActorSpace* a = &d->actors[soft->actor];
        return &((snNodesHead*)(void*)((uint8_t*)state + a->flesh_offset))->rest;
    }
    return hard && hard->rigid ? &snSurroundings_Bulk(d, state, body - SN_BODY_FIRST)->rest : NULL;
}

static int32_t bodyCount(const snMethodData* d)
{
    return SN_BODY_FIRST + d->contacts.hard_count + d->contacts.soft_count;
}

static void wake(snMethodData* d, snRest* rest)
{
    *rest = (snRest){0, 0};
    d->contacts.stale = true;
}

void snExplicit_Wake(snMethodData* d, void* state)
{
    for (int32_t body = SN_BODY_FIRST; d->touches && body < bodyCount(d); ++body) {
        snRest* rest = restOf(d, state, body);
        if (rest && rest->asleep) {
            wake(d, rest);
        }
    }
}

bool snExplicit_Sleeps(const snMethodData* d, const void* state, bool obstacle, int32_t number)
{
    (void)state;
    return obstacle ? snContacts_IsStill(&d->contacts, SN_BODY_FIRST + number)
                    : d->actors[number].asleep;
}

void snSleep_Look(snMethodData* d, void* state)
{
    if (!(d->world->sleep > 0) || !d->touches) {
        return;
    }
    if (d->field_edition != d->world->forces.edition) {
        d->field_edition = d->world->forces.edition;
        snExplicit_Wake(d, state);
    }
    d->asleep = d->contacts.soft_count == d->actor_count;
    for (int32_t i = 0; i < d->contacts.soft_count; ++i) {
        snSoft* soft = &d->contacts.softs[i];
        snActorSpace* a = &d->actors[soft->actor];
        snRest* rest = restOf(d, state, SN_BODY_FIRST + d->contacts.hard_count + i);
        if (rest->asleep && isDriven(a)) {
            wake(d, rest);
        }
        soft->asleep = a->asleep = rest->asleep != 0;
        d->asleep = d->asleep && a->asleep;
    }
    for (int32_t i = 0; i < d->contacts.hard_count; ++i) {
        const snRest* rest = restOf(d, state, SN_BODY_FIRST + i);
        d->contacts.hards[i].asleep = rest && rest->asleep;
    }
}

// Waking ----------------------------------------------------------------------

// What moves away from under somebody touches nobody any more; they remember it.
static void wakeAround(snMethodData* d, void* state, int32_t mover)
{
    for (int32_t body = SN_BODY_FIRST; body < bodyCount(d); ++body) {
        snRest* rest = restOf(d, state, body);
        if (rest && rest->asleep &&
            (snFeeler_Knows(snContacts_Feeler(&d->contacts, body), mover) ||
             snFeeler_Knows(snContacts_Feeler(&d->contacts, mover), body))) {
            wake(d, rest);
        }
    }
}

static void wakeTouched(snMethodData* d, void* state)
{
    const snContacts* c = &d->contacts;
    for (int32_t i = 0; i < c->hard_count; ++i) {
        if (!c->hards[i].rigid && !snContacts_IsStill(c, SN_BODY_FIRST + i)) {
            wakeAround(d, state, SN_BODY_FIRST + i);
        }
    }
    for (int32_t g = 0; g < c->group_count; ++g) {
        const snPress* presses = snContacts_Presses(c, g);
        for (int32_t i = 0; i < c->groups[g].press_count; ++i) {
            snRest* one = restOf(d, state, presses[i].owner);
            snRest* two = restOf(d, state, presses[i].other);
            if (one && two && !one->asleep != !two->asleep) {
                wake(d, one->asleep ? one : two);
            }
        }
    }
}

// Falling asleep --------------------------------------------------------------

static double fastestOf(const snMethodData* d, int32_t body)
{
    const snSoft* soft = snContacts_Soft(&d->contacts, body);
    const snHard* hard = snContacts_Hard(&d->contacts, body);
    if (soft) {
        return isDriven(&d->actors[soft->actor]) ? (double)INFINITY : soft->drift.outer;
    }
    return snLength(hard->twist.v) + hard->solid->size * snLength(hard->twist.w);
}

static int32_t islandOf(int32_t* islands, int32_t body)
{
    while (islands[body] != body) {
        islands[body] = islands[islands[body]];
        body = islands[body];
    }
    return body;
}

// Bodies that touch each other, directly or by others that give way.
static void joinIslands(snMethodData* d, void* state)
{
    for (int32_t body = 0; body < bodyCount(d); ++body) {
        d->islands[body] = body;
    }
    for (int32_t g = 0; g < d->contacts.group_count; ++g) {
        const snPress* p = snContacts_Presses(&d->contacts, g);
        for (int32_t i = 0; i < d->contacts.groups[g].press_count; ++i, ++p) {
            if (restOf(d, state, p->owner) && restOf(d, state, p->other)) {
                int32_t a = islandOf(d->islands, p->owner), b = islandOf(d->islands, p->other);
                d->islands[a > b ? a : b] = a > b ? b : a;
            }
        }
    }
}

static void stop(snMethodData* d, void* state, int32_t body)
{
    const snSoft* soft = snContacts_Soft(&d->contacts, body);
    if (!soft) {
        snRigidState* s = &snSurroundings_Bulk(d, state, body - SN_BODY_FIRST)->motion;
        s->linear = s->angular = snV3(0, 0, 0);
        return;
    }
    snActorSpace* a = &d->actors[soft->actor];
    snActorState s = snActor_State(a, state);
    memset(a->nodes.v, 0, (size_t)a->flesh->tets.node_count * sizeof(snVec4f));
    memset(s.qd, 0, (size_t)a->skeleton->nv * sizeof(double));
    s.target->known = 0;
    s.effort->power = 0;
    a->nodes.head->step = 0;
}

// Counts how long each has been still; true when one has been for long enough.
static bool countCalm(snMethodData* d, void* state, double h)
{
    bool some = false;
    for (int32_t body = SN_BODY_FIRST; body < bodyCount(d); ++body) {
        snRest* rest = restOf(d, state, body);
        if (rest && !rest->asleep) {
            rest->calm = fastestOf(d, body) < STILL ? rest->calm + h : 0;
            some = some || rest->calm >= d->world->sleep;
        }
    }
    return some;
}

void snSleep_Settle(snMethodData* d, void* state, double h)
{
    if (!(d->world->sleep > 0) || !d->touches) {
        return;
    }
    if (snForces_HasCall(&d->world->forces)) { // it may say something else at any time
        snExplicit_Wake(d, state);
        return;
    }
    wakeTouched(d, state);
    if (!countCalm(d, state, h)) {
        return;
    }
    joinIslands(d, state);
    memset(d->restless, 0, (size_t)bodyCount(d) * sizeof *d->restless);
    for (int32_t body = SN_BODY_FIRST; body < bodyCount(d); ++body) {
        const snRest* rest = restOf(d, state, body);
        if (rest && !rest->asleep && rest->calm < d->world->sleep) {
            d->restless[islandOf(d->islands, body)] = true;
        }
    }
    for (int32_t body = SN_BODY_FIRST; body < bodyCount(d); ++body) {
        snRest* rest = restOf(d, state, body);
        if (rest && !rest->asleep && !d->restless[islandOf(d->islands, body)]) {
            rest->asleep = 1;
            stop(d, state, body);
        }
    }
}
