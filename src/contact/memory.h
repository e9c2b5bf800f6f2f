// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What points remember of what they touch. Part of a sim's state.
#ifndef SN_CONTACT_MEMORY_H
#define SN_CONTACT_MEMORY_H

#include "math/vec.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

SN_BEGIN_C

// Things that one point touches at a time, as the three sides of a corner; more are passed over.
#define SN_MEMOS 3

// Rows that there is room for, per point.
#define SN_POINT_ROWS 2

typedef struct snContactMemo {
    int32_t other;   // which body, see contacts.h; 0 = none
    int32_t fresh;   // stored in this step; 0 between steps
    int32_t age;     // steps since it began
    float slip[3];   // how far it is from where it stuck, m, world axes
    float normal[3]; // unit, out of the other body, world axes
    float depth;     // m
    float sunk;      // how deep it was put there, m
    float hit;       // of rigid bodies: how fast they met while the blow lasts, m/s; 0 = it is over
    int32_t held;    // steps in which the blow gave all that it may
    // in another soft body: the place of its skin that it came in by
    int32_t cell;    // plus one; 0 = none
    float weight[3]; // of the cell's nodes but the first
} snContactMemo;

SN_FN snVec3 snContactMemo_Slip(const snContactMemo* memo)
{
    return snV3((double)memo->slip[0], (double)memo->slip[1], (double)memo->slip[2]);
}

SN_FN void snContactMemo_SetSlip(snContactMemo* memo, snVec3 slip)
{
    memo->slip[0] = (float)slip.x;
    memo->slip[1] = (float)slip.y;
    memo->slip[2] = (float)slip.z;
}

// The points of one body.
typedef struct snContactMemory {
    int32_t point_count;
    int64_t* active_count;
    double* last;         // length of the last step, s; 0 = there was none
    int32_t* active;      // points that touch something; (point_count)
    snContactMemo* memos; // (point_count x SN_MEMOS)
} snContactMemory;

// Bytes of its state, a multiple of 64.
size_t snContactMemory_StateSize(int32_t point_count);

// Points to a state.
void snContactMemory_At(snContactMemory* memory, int32_t point_count, void* state);

// Asks for what the points that touch something remember, before it is needed: of many bodies it is
// seldom in the cache, and it lies scattered.
void snContactMemory_Fetch(const snContactMemory* memory);

// What the point remembers of the other body; NULL = nothing.
static inline const snContactMemo* snContactMemory_Find(const snContactMemory* memory,
                                                        int32_t point, int32_t other)
{
    const snContactMemo* memos = memory->memos + SN_MEMOS * (size_t)point;
    for (int k = 0; k < SN_MEMOS; ++k) {
        if (memos[k].other == other) {
            return &memos[k];
        }
    }
    return NULL;
}

// Where what the point remembers of the other body is kept, or would be. taken: bit by bit, places
// that are promised to others. -1 when the point touches as much as it can.
static inline int32_t snContactMemory_Slot(const snContactMemory* memory, int32_t point,
                                           int32_t other, uint32_t taken)
{
    const snContactMemo* memos = memory->memos + SN_MEMOS * (size_t)point;
    int32_t empty = -1;
    for (int32_t k = SN_MEMOS - 1; k >= 0; --k) {
        if (memos[k].other == other) {
            return k;
        }
        empty = memos[k].other == 0 && !(taken >> k & 1) ? k : empty;
    }
    return empty;
}

// Keeps in its place what a point is to remember, and marks it as found.
void snContactMemory_Store(snContactMemory* memory, int32_t point, int32_t slot,
                           const snContactMemo* memo);

// Time since the points were where they were looked at last, in the middle of a step, when the
// middle of one of h is now.
double snContactMemory_Since(const snContactMemory* memory, double h);

// After what was found in a step of h was stored: those that were not found are forgotten.
void snContactMemory_Settle(snContactMemory* memory, double h);

// After a step in which not all were looked for: all are remembered.
void snContactMemory_CommitAll(snContactMemory* memory);

// Bodies have other numbers: map(user, other) says which; 0 = gone, and forgotten.
void snContactMemory_Renumber(snContactMemory* memory,
                              int32_t (*map)(const void* user, int32_t other), const void* user);

// Whether one of the points touches the other body.
bool snContactMemory_Knows(const snContactMemory* memory, int32_t other);

SN_END_C

#endif
