// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// When somebody comes or goes, all who stay take along what the world keeps of them; and how a
// state is copied cheaply.
#include "world/surroundings.h"

#include <string.h>

typedef struct Move {
    const snSurroundings *from, *to;
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
        const snSoft* now = actor >= 0 ? m->to->neighbours[actor].soft : NULL;
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
static bool copyMemory(const Move* m, size_t from, size_t to, int32_t points)
{
    snContactMemory feeler;
    copy(m, from, to, snContactMemory_StateSize(points));
    snContactMemory_At(&feeler, points, m->state + to);
    bool knew = m->left > 0 && snContactMemory_Knows(&feeler, m->left);
    snContactMemory_Renumber(&feeler, renumber, m);
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
    size_t offset = soft ? m->from->neighbours[soft->actor].memory_offset
                         : m->from->obstacles[hard].memory_offset;
    int32_t points = soft ? soft->flesh->point_count : c->hards[hard].solid->hard_count;
    snContactMemory feeler;
    snContactMemory_At(&feeler, points, m->old + offset);
    return snContactMemory_Knows(&feeler, body);
}

static void copyAccount(const Move* m, bool obstacle, int32_t from, int32_t to)
{
    *snSurroundings_Account(m->to, m->state, obstacle, to) =
        *snSurroundings_Account(m->from, m->old, obstacle, from);
}

static void copyNeighbour(const Move* m, const snNeighbour* from, const snNeighbour* to)
{
    if (from->soft && to->soft) {
        int32_t body = SN_BODY_FIRST + m->from->contacts.hard_count +
                       (int32_t)(from->soft - m->from->contacts.softs);
        bool knew = copyMemory(m, from->memory_offset, to->memory_offset, to->flesh->point_count);
        copy(m, from->rest_offset, to->rest_offset, sizeof(snRest));
        if (knew || wasTouched(m, body)) {
            *(snRest*)(void*)(m->state + to->rest_offset) = (snRest){0, 0};
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
    bool knew = copyMemory(m, a->memory_offset, b->memory_offset, b->shape->solid.hard_count);
    if (m->to->contacts.hards[to].rigid && (knew || wasTouched(m, SN_BODY_FIRST + from))) {
        snSurroundings_Bulk(m->to, m->state, to)->rest = (snRest){0, 0};
    }
}

void snSurroundings_Carry(const snSurroundings* from, void* old, const snChange* change,
                          const snSurroundings* to, void* state)
{
    Move m = {from, to, change, old, state, 0};
    if (change->actor >= 0 && from->neighbours[change->actor].soft) {
        const snSoft* soft = from->neighbours[change->actor].soft;
        m.left = SN_BODY_FIRST + from->contacts.hard_count + (int32_t)(soft - from->contacts.softs);
    } else if (change->obstacle >= 0) {
        m.left = SN_BODY_FIRST + change->obstacle;
    }
    for (int32_t i = 0; i < from->neighbour_count; ++i) {
        int32_t now = snChange_Of(change->actor, i);
        if (now >= 0) {
            copyNeighbour(&m, &from->neighbours[i], &to->neighbours[now]);
            copyAccount(&m, false, i, now);
        }
    }
    for (int32_t i = 0; i < from->contacts.hard_count; ++i) {
        int32_t now = snChange_Of(change->obstacle, i);
        if (now >= 0) {
            copyObstacle(&m, i, now);
            copyAccount(&m, true, i, now);
        }
    }
    snEvents_Carry(snEvents_Of(from, old), change, snEvents_Of(to, state));
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
static void keepMemory(Copy* c, size_t at, int32_t points)
{
    snContactMemory from, to;
    copyUntil(c, at);
    snContactMemory_At(&from, points, c->from + at);
    snContactMemory_At(&to, points, c->to + at);
    int64_t count = *from.active_count, before = *to.active_count;
    size_t listed = (size_t)(count > before ? count : before);
    for (int64_t i = 0; i < before; ++i) {
        memset(to.memos + SN_MEMOS * (size_t)to.active[i], 0, SN_MEMOS * sizeof(snContactMemo));
    }
    for (int64_t i = 0; i < count; ++i) {
        size_t k = SN_MEMOS * (size_t)from.active[i];
        memcpy(to.memos + k, from.memos + k, SN_MEMOS * sizeof(snContactMemo));
    }
    memcpy(to.active, from.active, listed * sizeof *to.active);
    *to.active_count = count;
    *to.last = *from.last;
    c->done = at + snContactMemory_StateSize(points);
}

// Feelers of obstacles come first, those of characters behind them, in order.
void snSurroundings_CopyState(const snSurroundings* s, void* state, void* good, size_t bytes)
{
    Copy c = {state, good, 0};
    for (int32_t i = 0; i < s->contacts.hard_count; ++i) {
        const snObstacleSpace* o = &s->obstacles[i];
        keepMemory(&c, o->memory_offset, o->shape->solid.hard_count);
    }
    for (int32_t i = 0; i < s->neighbour_count; ++i) {
        const snNeighbour* n = &s->neighbours[i];
        if (n->soft) {
            keepMemory(&c, n->memory_offset, n->flesh->point_count);
        }
    }
    copyUntil(&c, bytes);
}
