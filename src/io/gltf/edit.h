// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Changes of a JSON text in places: all bytes between them stay as they are.
#ifndef SN_IO_GLTF_EDIT_H
#define SN_IO_GLTF_EDIT_H

#include "base/json.h"
#include "base/message.h"

typedef struct snGltfEdit {
    size_t at, removed; // bytes of the text
    size_t order;       // among edits at the same place
    const char* text;   // what is put there
    size_t length;
} snGltfEdit;

// Zero but for the arena and the text, whose tree the values are of. Running out of memory is the
// arena's `failed`.
typedef struct snGltfEdits {
    snArena* arena;
    const char* source;
    snGltfEdit* items;
    size_t count, room;
} snGltfEdits;

// Text that lives as long as the arena; "" when memory runs out.
const char* snGltf_Text(snArena* arena, const char* format, ...) SN_PRINTF(2, 3);

// A value becomes another one.
void snGltfEdits_Replace(snGltfEdits* edits, const snJson* value, const char* text);

// Elements with commas between them at the end of an array. "" changes nothing.
void snGltfEdits_Append(snGltfEdits* edits, const snJson* array, const char* elements);

// A member that is not there yet, at the end of an object
void snGltfEdits_Add(snGltfEdits* edits, const snJson* object, const char* key, const char* value);

// A member or element leaves, together with a comma. At most one of each parent.
void snGltfEdits_Remove(snGltfEdits* edits, const snJson* parent, const snJson* child);

// All elements of an array after its first one leave.
void snGltfEdits_KeepFirst(snGltfEdits* edits, const snJson* array);

// The bytes begin .. end - 1 of the text with all edits, which lie in there. NULL when memory runs
// out, here or before.
const char* snGltfEdits_Render(snGltfEdits* edits, size_t begin, size_t end, size_t* length);

#endif
