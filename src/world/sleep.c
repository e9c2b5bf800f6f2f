// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Who lies still sleeps: bodies that touch each other do when all of them have been still for long
// enough, and one that something moving touches wakes, so that a blow goes through a pile body by
// body, step by step. Who sleeps keeps its state, what its points remember of what they touch
// included, and goes on from there.
#include "world/surroundings.h"

#include <string.h>

// Slower than this, m/s, a body of 1 m is still; speeds of what falls go with the root of the size.
// What lies on others trembles by a few mm/s at most, what a step of gravity adds is about as much.
#define STILL 0.01

static bool isDriven(const snActor* actor)
{
    int32_t bones = snCharacter_Moving(actor->character)->bone_count;
    bool driven = actor->drags != NULL;
    for (int32_t i = 0; i < bones; ++i) {
        driven = driven || actor->drive[i];
    }
    return driven;
}

// Of a body of contact's; NULL when it never sleeps.
static snRest* restOf(const snSurroundings* s, void* state, int32_t body)
{
    const snSoft* soft = snContacts_Soft(&s->contacts, body);
    const snHard* hard = snContacts_Hard(&s->contacts, body);
    if (soft) {
        return (snRest*)(void*)((uint8_t*)state + s->neighbours[soft->actor].rest_offset);
    }
    return hard && hard->rigid ? &snSurroundings_Bulk(s, state, body - SN_BODY_FIRST)->rest : NULL;
}

static int32_t bodyCount(const snSurroundings* s)
{
    return SN_BODY_FIRST + s->contacts.hard_count + s->contacts.soft_count;
}

static void wake(snSurroundings* s, snRest* rest)
{
    *rest = (snRest){0, 0};
    s->contacts.stale = true;
}

void snSurroundings_Wake(snSurroundings* s, void* state)
{
    for (int32_t body = SN_BODY_FIRST; s->touches && body < bodyCount(s); ++body) {
        snRest* rest = restOf(s, state, body);
        if (rest && rest->asleep) {
            wake(s, rest);
        }
    }
}

bool snSurroundings_Sleeps(const snSurroundings* s, bool obstacle, int32_t number)
{
    return obstacle ? snContacts_IsStill(&s->contacts, SN_BODY_FIRST + number)
                    : s->neighbours[number].asleep;
}

bool snSurroundings_IsAtRest(const snSurroundings* s, const void* state, int32_t actor)
{
    const snNeighbour* n = &s->neighbours[actor];
    const snRest* rest = (const snRest*)(const void*)((const uint8_t*)state + n->rest_offset);
    return n->soft && rest->asleep;
}

void snSurroundings_BeginStep(snSurroundings* s, void* state)
{
    if (!(s->world->sleep > 0) || !s->touches) {
        return;
    }
    if (s->field_edition != s->world->forces.edition) {
        s->field_edition = s->world->forces.edition;
        snSurroundings_Wake(s, state);
    }
    s->asleep = s->contacts.soft_count == s->neighbour_count;
    for (int32_t i = 0; i < s->contacts.soft_count; ++i) {
        snSoft* soft = &s->contacts.softs[i];
        snNeighbour* n = &s->neighbours[soft->actor];
        snRest* rest = restOf(s, state, SN_BODY_FIRST + s->contacts.hard_count + i);
        if (rest->asleep && isDriven(&s->world->actors[soft->actor])) {
            wake(s, rest);
        }
        soft->asleep = n->asleep = rest->asleep != 0;
        s->asleep = s->asleep && n->asleep;
    }
    for (int32_t i = 0; i < s->contacts.hard_count; ++i) {
        const snRest* rest = restOf(s, state, SN_BODY_FIRST + i);
        s->contacts.hards[i].asleep = rest && rest->asleep;
    }
}

// Waking ----------------------------------------------------------------------

// What moves away from under somebody touches nobody any more; they remember it.
static void wakeAround(snSurroundings* s, void* state, int32_t mover)
{
    for (int32_t body = SN_BODY_FIRST; body < bodyCount(s); ++body) {
        snRest* rest = restOf(s, state, body);
        if (rest && rest->asleep &&
            (snContactMemory_Knows(snContacts_Memory(&s->contacts, body), mover) ||
             snContactMemory_Knows(snContacts_Memory(&s->contacts, mover), body))) {
            wake(s, rest);
        }
    }
}

static void wakeTouched(snSurroundings* s, void* state)
{
    const snContacts* c = &s->contacts;
    for (int32_t i = 0; i < c->hard_count; ++i) {
        if (!c->hards[i].rigid && !snContacts_IsStill(c, SN_BODY_FIRST + i)) {
            wakeAround(s, state, SN_BODY_FIRST + i);
        }
    }
    for (int32_t g = 0; g < c->group_count; ++g) {
        const snContactRow* presses = snContacts_Rows(c, g);
        for (int32_t i = 0; i < c->groups[g].row_count; ++i) {
            snRest* one = restOf(s, state, presses[i].owner);
            snRest* two = restOf(s, state, presses[i].other);
            if (one && two && !one->asleep != !two->asleep) {
                wake(s, one->asleep ? one : two);
            }
        }
    }
}

// Falling asleep --------------------------------------------------------------

static double fastestOf(const snSurroundings* s, int32_t body)
{
    const snSoft* soft = snContacts_Soft(&s->contacts, body);
    const snHard* hard = snContacts_Hard(&s->contacts, body);
    if (soft) {
        return isDriven(&s->world->actors[soft->actor]) ? (double)INFINITY : soft->drift.outer;
    }
    return snLength(hard->twist.v) + hard->solid->size * snLength(hard->twist.w);
}

static double sizeOf(const snSurroundings* s, int32_t body)
{
    const snSoft* soft = snContacts_Soft(&s->contacts, body);
    return soft ? soft->tissue->size : snContacts_Hard(&s->contacts, body)->solid->size;
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
static void joinIslands(snSurroundings* s, void* state)
{
    for (int32_t body = 0; body < bodyCount(s); ++body) {
        s->islands[body] = body;
    }
    for (int32_t g = 0; g < s->contacts.group_count; ++g) {
        const snContactRow* p = snContacts_Rows(&s->contacts, g);
        for (int32_t i = 0; i < s->contacts.groups[g].row_count; ++i, ++p) {
            if (restOf(s, state, p->owner) && restOf(s, state, p->other)) {
                int32_t a = islandOf(s->islands, p->owner), b = islandOf(s->islands, p->other);
                s->islands[a > b ? a : b] = a > b ? b : a;
            }
        }
    }
}

// The method brings characters to rest.
static void stopBody(snSurroundings* s, void* state, int32_t body, snStopFcn* stop, void* user)
{
    const snSoft* soft = snContacts_Soft(&s->contacts, body);
    if (soft) {
        stop(user, soft->actor);
    } else {
        snRigidState* r = &snSurroundings_Bulk(s, state, body - SN_BODY_FIRST)->motion;
        r->linear = r->angular = snV3(0, 0, 0);
    }
}

// Counts how long each has been still; true when one has been for long enough.
static bool countCalm(snSurroundings* s, void* state, double h)
{
    bool some = false;
    for (int32_t body = SN_BODY_FIRST; body < bodyCount(s); ++body) {
        snRest* rest = restOf(s, state, body);
        if (rest && !rest->asleep) {
            bool still = fastestOf(s, body) < STILL * sqrt(sizeOf(s, body));
            rest->calm = still ? rest->calm + h : 0;
            some = some || rest->calm >= s->world->sleep;
        }
    }
    return some;
}

void snSurroundings_Settle(snSurroundings* s, void* state, double h, snStopFcn* stop, void* user)
{
    if (!(s->world->sleep > 0) || !s->touches) {
        return;
    }
    if (snForces_HasCall(&s->world->forces)) { // it may say something else at any time
        snSurroundings_Wake(s, state);
        return;
    }
    wakeTouched(s, state);
    if (!countCalm(s, state, h)) {
        return;
    }
    joinIslands(s, state);
    memset(s->restless, 0, (size_t)bodyCount(s) * sizeof *s->restless);
    for (int32_t body = SN_BODY_FIRST; body < bodyCount(s); ++body) {
        const snRest* rest = restOf(s, state, body);
        if (rest && !rest->asleep && rest->calm < s->world->sleep) {
            s->restless[islandOf(s->islands, body)] = true;
        }
    }
    for (int32_t body = SN_BODY_FIRST; body < bodyCount(s); ++body) {
        snRest* rest = restOf(s, state, body);
        if (rest && !rest->asleep && !s->restless[islandOf(s->islands, body)]) {
            rest->asleep = 1;
            stopBody(s, state, body, stop, user);
        }
    }
}
