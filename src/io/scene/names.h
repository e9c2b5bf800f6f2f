// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Bones by name, in constant time: a file may have as many drives as bones.
#ifndef SN_IO_SCENE_NAMES_H
#define SN_IO_SCENE_NAMES_H

#include "base/memory.h"

// Names are numbered in the order they come; the texts must outlive the table.
typedef struct snNames {
    const char** names; // (count)
    uint32_t* slots;    // number + 1, 0 = empty; (mask + 1), a power of two
    size_t count, mask;
} snNames;

// Room for so many names, from the arena; false when memory runs out.
bool snNames_Init(snNames* names, snArena* arena, size_t capacity);

// The name's number, or -1.
int32_t snNames_Find(const snNames* names, const char* name);

// The name must be new.
void snNames_Add(snNames* names, const char* name);

#endif
