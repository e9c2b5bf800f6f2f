// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Who touched whom in an Advance.
#include "world/surroundings.h"

#include "math/vec.h"
#include <string.h>

size_t snEvents_Size(const snWorld* world)
{
    size_t most = (size_t)world->events;
    size_t bytes = sizeof(snEventTable) + most * sizeof(snTouchEvent);
    return most > 0 ? (bytes + 63) / 64 * 64 : 0;
}

snEventTable* snEvents_Of(const snSurroundings* s, void* state)
{
    return s->world->events > 0 ? (snEventTable*)(void*)((uint8_t*)state + s->events_offset) : NULL;
}

static void forgetRest(snEventTable* table, int64_t kept)
{
    memset(&table->events[kept], 0, (size_t)(table->count - kept) * sizeof *table->events);
    table->count = kept;
}

void snEvents_Begin(const snSurroundings* s, void* state)
{
    snEventTable* table = snEvents_Of(s, state);
    int64_t kept = 0;
    for (int64_t i = 0; table && i < table->count; ++i) {
        const snTouchEvent e = table->events[i];
        if (!e.ended) {
            table->events[kept++] = (snTouchEvent){.character = e.character,
                                                   .obstacle = e.obstacle,
                                                   .with = e.with,
                                                   .other = e.other,
                                                   .place = e.place,
                                                   .normal = e.normal};
        }
    }
    if (table) {
        forgetRest(table, kept);
        table->lost = 0;
    }
}

// Steps -----------------------------------------------------------------------

typedef struct Tally {
    snEventTable* table;
    int64_t most;
    double h;
    snVec3 shift;
} Tally;

// Characters come after obstacles, which come after the ground.
static int64_t rank(int32_t with, int32_t number)
{
    static const int64_t FIRST[] = {
        [sn_withGround] = 0, [sn_withObstacle] = 1, [sn_withCharacter] = 2};
    return (FIRST[with] << 32) + number;
}

static int64_t firstRank(const snTouchEvent* e)
{
    return e->character >= 0 ? rank(sn_withCharacter, e->character)
                             : rank(sn_withObstacle, e->obstacle);
}

// Where a pair is in the table, or belongs.
static int64_t placeOf(const snEventTable* table, int64_t first, int64_t second)
{
    int64_t low = 0, high = table->count;
    while (low < high) {
        int64_t mid = (low + high) / 2;
        const snTouchEvent* e = &table->events[mid];
        int64_t a = firstRank(e), b = rank(e->with, e->other);
        bool before = a < first || (a == first && b < second);
        low = before ? mid + 1 : low;
        high = before ? high : mid;
    }
    return low;
}

static snTouchEvent* findEvent(const Tally* tally, const snTouchEvent* like)
{
    snEventTable* table = tally->table;
    int64_t first = firstRank(like), second = rank(like->with, like->other);
    int64_t at = placeOf(table, first, second);
    snTouchEvent* e = &table->events[at];
    if (at < table->count && firstRank(e) == first && rank(e->with, e->other) == second) {
        return e;
    }
    if (table->count == tally->most) {
        table->lost++;
        return NULL;
    }
    memmove(e + 1, e, (size_t)(table->count++ - at) * sizeof *e);
    *e = *like;
    e->began = 1;
    return e;
}

// A press belongs to the pair, whichever of the two the point is on.
static void addPress(void* user, const snContact* c)
{
    const Tally* tally = user;
    int64_t owner = c->character >= 0 ? rank(sn_withCharacter, c->character)
                                      : rank(sn_withObstacle, c->obstacle);
    int64_t other = rank(c->with, c->other);
    if (owner == other) {
        return;
    }
    snTouchEvent like = {c->character, c->obstacle, c->with, c->other, .normal = c->normal};
    snVec3 force = c->force;
    if (owner < other) {
        bool soft = c->with == sn_withCharacter;
        like = (snTouchEvent){soft ? c->other : -1, soft ? -1 : c->other,
                              c->character >= 0 ? sn_withCharacter : sn_withObstacle,
                              c->character >= 0 ? c->character : c->obstacle,
                              .normal = snNeg(c->normal)};
        force = snNeg(force);
    }
    snTouchEvent* e = findEvent(tally, &like);
    if (e) {
        double size = snLength(c->force);
        e->ended = 0;
        e->impulse = snMulAdd(e->impulse, tally->h, force);
        if (size >= e->most) {
            e->most = size;
            e->place = snAdd(c->place, tally->shift);
            e->normal = like.normal;
        }
    }
}

void snEvents_Update(const snSurroundings* s, void* state, double h, snVec3 shift)
{
    Tally tally = {snEvents_Of(s, state), s->world->events, h, shift};
    if (!tally.table) {
        return;
    }
    for (int64_t i = 0; i < tally.table->count; ++i) {
        snTouchEvent* e = &tally.table->events[i];
        bool soft = e->character >= 0, into = e->with == sn_withCharacter;
        bool still = snSurroundings_Sleeps(s, !soft, soft ? e->character : e->obstacle);
        still = still && (e->with == sn_withGround || snSurroundings_Sleeps(s, !into, e->other));
        e->ended = !still; // until a press says otherwise
    }
    snSurroundings_ForEachContact(s, addPress, &tally);
}

void snEvents_Carry(const snEventTable* from, const snChange* change, snEventTable* to)
{
    for (int64_t i = 0; from && i < from->count; ++i) {
        snTouchEvent e = from->events[i];
        bool soft = e.character >= 0, into = e.with == sn_withCharacter;
        int32_t first = soft ? snChange_Of(change->actor, e.character)
                             : snChange_Of(change->obstacle, e.obstacle);
        int32_t second = e.with == sn_withGround
                             ? 0
                             : snChange_Of(into ? change->actor : change->obstacle, e.other);
        if (first >= 0 && second >= 0) {
            e.character = soft ? first : -1;
            e.obstacle = soft ? -1 : first;
            e.other = second;
            to->events[to->count++] = e;
        }
    }
}
