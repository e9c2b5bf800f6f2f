// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// When somebody comes or goes: data is made anew, and all who stay take their state along.
#include "method/explicit/actor.h"
#include <string.h>

// Parts -----------------------------------------------------------------------

snPart* snPart_Create(const snHost* host)
{
    snPart* part = snHost_Allocate(host, sizeof *part);
    if (part) {
        snArena_Init(&part->arena, host);
        part->owners = 1;
    }
    return part;
}

snPart* snPart_Retain(snPart* part)
{
    part->owners++;
    return part;
}

void snPart_Release(snPart* part)
{
    if (part && --part->owners == 0) {
        snHost host = part->arena.host;
        snArena_Free(&part->arena);
        snHost_Release(&host, part, sizeof *part);
    }
}

// State -----------------------------------------------------------------------

typedef struct Move {
    const snMethodData *from, *to;
    const snChange* change;
    uint8_t* old; // is only read
    uint8_t* state;
    int32_t left; // contact's number of who left; 0 = nobody that is touched
} Move;

// Contact's number of a body now; 0 = it is gone.
static int32_t renumber(const void* user, int32_t body)
{
    const Move* m = user;
    const snContacts *from = &m->from->contacts, *to = &m->to->contacts;
    const snSoft* soft = snContacts_Soft(from, body);
    if (body == SN_BODY_GROUND) {
        return body;
    }
    if (soft) {
        int32_t actor = snChange_Of(m->change->actor, soft->actor);
        const snSoft* now = actor >= 0 ? m->to->actors[actor].soft : NULL;
        return now ? SN_BODY_FIRST + to->hard_count + (int32_t)(now - to->softs) : 0;
    }
    int32_t hard = snChange_Of(m->change->obstacle, body - SN_BODY_FIRST);
    return hard >= 0 ? SN_BODY_FIRST + hard : 0;
}

static void copy(const Move* m, size_t from, size_t to, size_t bytes)
{
    memcpy(m->state + to, m->old + from, bytes);
}

// True when it touched who left.
static bool copyFeeler(const Move* m, size_t from, size_t to, int32_t points)
{
    snFeeler feeler;
    copy(m, from, to, snFeeler_StateSize(points));
    snFeeler_At(&feeler, points, m->state + to);
    bool knew = m->left > 0 && snFeeler_Knows(&feeler, m->left);
    snFeeler_Renumber(&feeler, renumber, m);
    return knew;
}

// Whether who left touched a body.
static bool wasTouched(const Move* m, int32_t body)
{
    const snContacts* c = &m->from->contacts;
    int32_t hard = m->left - SN_BODY_FIRST;
    if (hard < 0) {
        return false;
    }
    const snSoft* soft = snContacts_Soft(c, m->left);
    size_t offset =
        soft ? m->from->actors[soft->actor].feeler_offset : m->from->obstacles[hard].feeler_offset;
    int32_t points = soft ? soft->flesh->point_count : c->hards[hard].solid->hard_count;
    snFeeler feeler;
    snFeeler_At(&feeler, points, m->old + offset);
    return snFeeler_Knows(&feeler, body);
}

static void copyActor(const Move* m, const snActorSpace* from, const snActorSpace* to)
{
    copy(m, from->offset, to->offset, snActor_BoneStateSize(to->skeleton));
    if (to->flesh) {
        copy(m, from->flesh_offset, to->flesh_offset, snNodes_StateSize(to->flesh));
    }
    if (from->soft && to->soft) {
        int32_t body = SN_BODY_FIRST + m->from->contacts.hard_count +
                       (int32_t)(from->soft - m->from->contacts.softs);
        bool knew =
            copyFeeler(m, from->feeler_offset, to->feeler_offset, to->soft->flesh->point_count);
        if (knew || wasTouched(m, body)) {
            snNodesHead* head = (snNodesHead*)(void*)(m->state + to->flesh_offset);
            head->rest = (snRest){0, 0};
        }
    }
}

static void copyObstacle(const Move* m, int32_t from, int32_t to)
{
    const snObstacleSpace *a = &m->from->obstacles[from], *b = &m->to->obstacles[to];
    if (m->to->contacts.hards[to].rigid) {
        copy(m, a->offset, b->offset, sizeof(snBulk));
    } else if (m->to->world->obstacles[to].def.hosted) {
        copy(m, a->offset, b->offset, sizeof(snErrand));
    }
    bool knew = copyFeeler(m, a->feeler_offset, b->feeler_offset, b->part->solid.hard_count);
    if (m->to->contacts.hards[to].rigid && (knew || wasTouched(m, SN_BODY_FIRST + from))) {
        snSurroundings_Bulk(m->to, m->state, to)->rest = (snRest){0, 0};
    }
}

void snExplicit_Carry(const snMethodData* from, void* old, const snChange* change,
                      snMethodData* data, void* state)
{
    Move m = {from, data, change, old, state, 0};
    if (change->actor >= 0 && from->actors[change->actor].soft) {
        const snActorSpace* a = &from->actors[change->actor];
        m.left =
            SN_BODY_FIRST + from->contacts.hard_count + (int32_t)(a->soft - from->contacts.softs);
    } else if (change->obstacle >= 0) {
        m.left = SN_BODY_FIRST + change->obstacle;
    }
    for (int32_t i = 0; i < from->actor_count; ++i) {
        int32_t now = snChange_Of(change->actor, i);
        if (now >= 0) {
            copyActor(&m, &from->actors[i], &data->actors[now]);
        }
    }
    for (int32_t i = 0; i < from->contacts.hard_count; ++i) {
        int32_t now = snChange_Of(change->obstacle, i);
        if (now >= 0) {
            copyObstacle(&m, i, now);
        }
    }
}

// Keeping ---------------------------------------------------------------------

// A state that is copied piece by piece
typedef struct Copy {
    uint8_t *from, *to;
    size_t done; // bytes
} Copy;

static void copyUntil(Copy* c, size_t end)
{
    memcpy(c->to + c->done, c->from + c->done, end - c->done);
    c->done = end;
}

// What points remember, most of the state, is 0 where they touch nothing: only those that touch now
// or did so then are copied.
static void keepFeeler(Copy* c, size_t at, int32_t points)
{
    snFeeler from, to;
    copyUntil(c, at);
    snFeeler_At(&from, points, c->from + at);
    snFeeler_At(&to, points, c->to + at);
    int64_t count = *from.active_count, before = *to.active_count;
    size_t listed = (size_t)(count > before ? count : before);
    for (int64_t i = 0; i < before; ++i) {
        memset(to.touches + SN_TOUCHES * (size_t)to.active[i], 0, SN_TOUCHES * sizeof(snTouch));
    }
    for (int64_t i = 0; i < count; ++i) {
        size_t k = SN_TOUCHES * (size_t)from.active[i];
        memcpy(to.touches + k, from.touches + k, SN_TOUCHES * sizeof(snTouch));
    }
    memcpy(to.active, from.active, listed * sizeof *to.active);
    *to.active_count = count;
    *to.last = *from.last;
    c->done = at + snFeeler_StateSize(points);
}

// Feelers lie in the order of actors, then of obstacles.
void snExplicit_Keep(const snMethodData* data, void* state, void* good)
{
    Copy c = {state, good, 0};
    for (int32_t i = 0; i < data->actor_count; ++i) {
        const snActorSpace* a = &data->actors[i];
        if (a->soft) {
            keepFeeler(&c, a->feeler_offset, a->flesh->point_count);
        }
    }
    for (int32_t i = 0; i < data->contacts.hard_count; ++i) {
        const snObstacleSpace* o = &data->obstacles[i];
        keepFeeler(&c, o->feeler_offset, o->part->solid.hard_count);
    }
    copyUntil(&c, data->state_size);
}
