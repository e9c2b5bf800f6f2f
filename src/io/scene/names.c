// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/scene/names.h"

#include <string.h>

#include "base/hash.h"

bool snNames_Init(snNames* names, snArena* arena, size_t capacity)
{
    size_t slots = 4;
    while (slots < 2 * capacity) {
        slots *= 2;
    }
    names->count = 0;
    names->mask = slots - 1;
    names->names = snArena_Push(arena, capacity, sizeof(char*));
    names->slots = snArena_Push(arena, slots, sizeof(uint32_t));
    return names->names && names->slots;
}

// Where the name is, or where it would go
static size_t slotOf(const snNames* names, const char* name)
{
    size_t i = (size_t)snHash(name, strlen(name), 0) & names->mask;
    while (names->slots[i] && strcmp(names->names[names->slots[i] - 1], name) != 0) {
        i = (i + 1) & names->mask;
    }
    return i;
}

int32_t snNames_Find(const snNames* names, const char* name)
{
    return (int32_t)names->slots[slotOf(names, name)] - 1;
}

void snNames_Add(snNames* names, const char* name)
{
    size_t slot = slotOf(names, name);
    names->names[names->count++] = name;
    names->slots[slot] = (uint32_t)names->count;
}
