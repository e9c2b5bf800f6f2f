// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Rows of what was found: room for them, their order, and what points remember of them.
#include "contact/place.h"

snContactRows snContacts_RowsOf(const snContacts* c, int32_t number)
{
    const snContactGroup* group = &c->groups[number];
    return (snContactRows){.capacity = group->row_capacity,
                           .rows = c->rows + group->row_first,
                           .keys = c->keys + group->row_first,
                           .latest = c->latest};
}

snContactRows snContactRows_Push(const snContacts* c, snArena* arena)
{
    size_t most = (size_t)c->row_capacity;
    return (snContactRows){.capacity = c->row_capacity,
                           .rows = snArena_Push(arena, most, sizeof(snContactRow)),
                           .keys = snArena_Push(arena, most, sizeof(snRowKey)),
                           .latest = snArena_Push(arena, most / SN_POINT_ROWS, sizeof(int32_t))};
}

// Order -----------------------------------------------------------------------

// Lets a key sink until it is above none that is larger.
static void sink(snRowKey* keys, int32_t at, int32_t count)
{
    const snRowKey key = keys[at];
    for (int32_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && keys[child + 1].id > keys[child].id;
        if (keys[child].id < key.id) {
            break;
        }
        keys[at] = keys[child];
    }
    keys[at] = key;
}

// A heap: no two are alike, so that any way of sorting gives the same, and this one needs no room.
static void sortKeys(snRowKey* keys, int32_t count)
{
    for (int32_t i = count / 2 - 1; i >= 0; --i) {
        sink(keys, i, count);
    }
    for (int32_t end = count - 1; end > 0; --end) {
        snRowKey last = keys[end];
        keys[end] = keys[0];
        keys[0] = last;
        sink(keys, 0, end);
    }
}

// Each row goes to its place once, around the cycles of the order.
void snContacts_SortRows(snContactRows* rows)
{
    snRowKey* keys = rows->keys;
    for (int32_t i = 0; i < rows->count; ++i) {
        keys[i] = (snRowKey){snContactRow_Id(&rows->rows[i]), i};
    }
    sortKeys(keys, rows->count);
    for (int32_t i = 0; i < rows->count; ++i) {
        const snContactRow first = rows->rows[i];
        int32_t at = i;
        while (keys[at].row != i) {
            int32_t from = keys[at].row;
            rows->rows[at] = rows->rows[from];
            keys[at].row = at;
            at = from;
        }
        rows->rows[at] = first;
        keys[at].row = at;
    }
}

// Memory ----------------------------------------------------------------------

// Who sleeps forgets nothing.
static void settle(const snContacts* c, int32_t body, double h)
{
    const snSoft* soft = snContacts_Soft(c, body);
    bool asleep = soft ? soft->asleep : snContacts_Hard(c, body)->asleep;
    if (asleep) {
        snContactMemory_CommitAll(snContacts_Memory(c, body));
    } else {
        snContactMemory_Settle(snContacts_Memory(c, body), h);
    }
}

void snContacts_Commit(snContacts* c, int32_t number, const snContactRows* rows, double h)
{
    const snContactGroup* group = &c->groups[number];
    for (int32_t i = 0; i < rows->count; ++i) {
        const snContactRow* row = &rows->rows[i];
        if (row->slot >= 0) {
            snContactMemory_Store(snContacts_Memory(c, row->owner), row->point, row->slot,
                                  &row->memo);
        }
    }
    for (int32_t i = 0; i < group->member_count; ++i) {
        settle(c, snGroup_Member(c, group, i), h);
    }
}
