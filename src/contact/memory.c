// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "contact/memory.h"

#include <string.h>

#define LINE 64 // bytes of the cache

static size_t roundUp(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

size_t snContactMemory_StateSize(int32_t point_count)
{
    size_t n = (size_t)point_count;
    return 64 + roundUp(n * sizeof(int32_t)) + roundUp(n * SN_MEMOS * sizeof(snContactMemo));
}

void snContactMemory_At(snContactMemory* memory, int32_t point_count, void* state)
{
    uint8_t* at = state;
    memory->point_count = point_count;
    memory->active_count = (int64_t*)(void*)at;
    memory->last = (double*)(void*)(at + sizeof(int64_t));
    memory->active = (int32_t*)(void*)(at + 64);
    at += 64 + roundUp((size_t)point_count * sizeof(int32_t));
    memory->memos = (snContactMemo*)(void*)at;
}

void snContactMemory_Store(snContactMemory* memory, int32_t point, int32_t slot,
                           const snContactMemo* memo)
{
    snContactMemo* memos = memory->memos + SN_MEMOS * (size_t)point;
    bool active = false;
    for (int k = 0; k < SN_MEMOS; ++k) {
        active = active || memos[k].other != 0;
    }
    if (!active) {
        memory->active[(*memory->active_count)++] = point;
    }
    memos[slot] = *memo;
    memos[slot].fresh = 1;
}

void snContactMemory_Fetch(const snContactMemory* memory)
{
#if defined(__GNUC__)
    for (int64_t i = 0; i < *memory->active_count; ++i) {
        const char* at = (const char*)(memory->memos + SN_MEMOS * (size_t)memory->active[i]);
        for (size_t k = 0; k < SN_MEMOS * sizeof(snContactMemo); k += LINE) {
            __builtin_prefetch(at + k);
        }
    }
#else
    (void)memory;
#endif
}

double snContactMemory_Since(const snContactMemory* memory, double h)
{
    return *memory->last > 0 ? 0.5 * (*memory->last + h) : h;
}

// Forgets what was not found.
static void dropOld(snContactMemory* memory)
{
    int64_t kept = 0, count = *memory->active_count;
    for (int64_t i = 0; i < count; ++i) {
        int32_t point = memory->active[i];
        snContactMemo* memos = memory->memos + SN_MEMOS * (size_t)point;
        bool any = false;
        for (int k = 0; k < SN_MEMOS; ++k) {
            if (memos[k].other != 0 && !memos[k].fresh) {
                memset(&memos[k], 0, sizeof memos[k]);
            }
            memos[k].fresh = 0;
            any = any || memos[k].other != 0;
        }
        if (any) {
            memory->active[kept++] = point;
        }
    }
    // what is behind the end must not depend on the past
    memset(memory->active + kept, 0, (size_t)(count - kept) * sizeof(int32_t));
    *memory->active_count = kept;
}

void snContactMemory_Settle(snContactMemory* memory, double h)
{
    *memory->last = h;
    dropOld(memory);
}

void snContactMemory_CommitAll(snContactMemory* memory)
{
    for (int64_t i = 0; i < *memory->active_count; ++i) {
        snContactMemo* memos = memory->memos + SN_MEMOS * (size_t)memory->active[i];
        for (int k = 0; k < SN_MEMOS; ++k) {
            memos[k].fresh = 0;
        }
    }
}

void snContactMemory_Renumber(snContactMemory* memory,
                              int32_t (*map)(const void* user, int32_t other), const void* user)
{
    for (int64_t i = 0; i < *memory->active_count; ++i) {
        snContactMemo* memos = memory->memos + SN_MEMOS * (size_t)memory->active[i];
        for (int k = 0; k < SN_MEMOS; ++k) {
            int32_t now = memos[k].other != 0 ? map(user, memos[k].other) : 0;
            memos[k].fresh = now != 0;
            memos[k].other = now != 0 ? now : memos[k].other;
        }
    }
    dropOld(memory);
}

bool snContactMemory_Knows(const snContactMemory* memory, int32_t other)
{
    for (int64_t i = 0; i < *memory->active_count; ++i) {
        if (snContactMemory_Find(memory, memory->active[i], other)) {
            return true;
        }
    }
    return false;
}
