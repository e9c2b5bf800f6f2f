// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A GLB file as its readers see it: the document, and the numbers that its accessors name.
#ifndef SN_IO_GLB_VIEW_H
#define SN_IO_GLB_VIEW_H

#include "base/json.h"
#include "io/animation.h"

// Numbers that are looked at in all; a short document can name the same ones again and again.
#define SN_GLB_MOST_NUMBERS 1000000000

// Elements of an array in the document
typedef struct snGlbList {
    const snJson** items;
    size_t count;
} snGlbList;

// Numbers in the binary chunk, `width` of them every `stride` bytes
typedef struct snGlbView {
    const uint8_t* data; // NULL = none
    size_t count, width, stride;
} snGlbView;

typedef struct snGlbDocument {
    const snJson* root;
    const uint8_t* binary;
    size_t binary_size;
    snGlbList accessors, views, nodes, meshes;
    uint64_t looked; // numbers looked at
    snMessage* why;  // for errors
} snGlbDocument;

// Finds the two chunks and reads the document into the arena.
snStatus snGlbDocument_Read(snGlbDocument* document, snArena* arena, const uint8_t* bytes,
                            size_t count, snMessage* why);

// An error, sn_errorFile, that is at no place
snStatus snGlbDocument_Fail(const snGlbDocument* document, const char* text);

// What is right glTF perhaps, but not what Sinew writes; `at` may be NULL
snStatus snGlbDocument_Refuse(const snGlbDocument* document, const snJson* at, const char* text);

snStatus snGlbDocument_FailMemory(const snGlbDocument* document);

// Empty when it is no array, or memory runs out
snGlbList snGlbList_Of(snArena* arena, const snJson* array);

// A whole number in 0..limit-1; otherwise -1
int64_t snGlb_Index(const snJson* json, uint64_t limit);

bool snGlb_IsText(const snJson* json, const char* text);

// Numbers of an accessor of that type, all of which lie in the binary chunk; floats are finite.
snStatus snGlbDocument_Floats(snGlbDocument* document, const snJson* index, const char* type,
                              snGlbView* out);
snStatus snGlbDocument_Indices(snGlbDocument* document, const snJson* index, snGlbView* out);

static inline double snGlbView_At(const snGlbView* view, size_t i, size_t k)
{
    return (double)snAnimation_Float(view->data + i * view->stride + 4 * k, false);
}

#endif
