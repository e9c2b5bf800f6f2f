// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Which shapes clips are made of: the shared ones, or their own in spans of time.
#ifndef SN_BAKE_SEARCH_H
#define SN_BAKE_SEARCH_H

#include "bake/fit.h"

// A clip in spans of its own
typedef struct snBakeOwn {
    snArena arena; // everything below
    int32_t span_count;
    snBakeSpan* spans;
    int32_t shape_count;
} snBakeOwn;

// What a clip is made of
typedef struct snBakeSearch {
    double shared; // error of the shared shapes, m
    double limit;  // that is small enough, m
    snBakeOwn own; // its spans are NULL if the shared shapes are best
} snBakeSearch;

// All clips get the weights of the shared shapes; those that they miss get their own. searches:
// zero-filled; whatever is returned, the caller frees what they own; (clip_count)
snStatus snBaker_Search(snBaker* b, snBakeSearch* searches, snArena* scratch);

#endif
