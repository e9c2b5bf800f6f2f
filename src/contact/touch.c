// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "contact/touch.h"

#include <string.h>

#define LINE 64 // bytes of the cache

static size_t roundUp(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

size_t snFeeler_StateSize(int32_t point_count)
{
    size_t n = (size_t)point_count;
    return 64 + roundUp(n * sizeof(int32_t)) + roundUp(n * SN_TOUCHES * sizeof(snTouch));
}

void snFeeler_At(snFeeler* feeler, int32_t point_count, void* state)
{
    uint8_t* at = state;
    feeler->point_count = point_count;
    feeler->active_count = (int64_t*)(void*)at;
    feeler->last = (double*)(void*)(at + sizeof(int64_t));
    feeler->active = (int32_t*)(void*)(at + 64);
    at += 64 + roundUp((size_t)point_count * sizeof(int32_t));
    feeler->touches = (snTouch*)(void*)at;
}

const snTouch* snFeeler_Find(const snFeeler* feeler, int32_t point, int32_t other)
{
    const snTouch* touches = feeler->touches + SN_TOUCHES * (size_t)point;
    for (int k = 0; k < SN_TOUCHES; ++k) {
        if (touches[k].other == other) {
            return &touches[k];
        }
    }
    return NULL;
}

int32_t snFeeler_Slot(const snFeeler* feeler, int32_t point, int32_t other, uint32_t taken)
{
    const snTouch* touches = feeler->touches + SN_TOUCHES * (size_t)point;
    int32_t empty = -1;
    for (int32_t k = SN_TOUCHES - 1; k >= 0; --k) {
        if (touches[k].other == other) {
            return k;
        }
        empty = touches[k].other == 0 && !(taken >> k & 1) ? k : empty;
    }
    return empty;
}

void snFeeler_Store(snFeeler* feeler, int32_t point, int32_t slot, const snTouch* touch)
{
    snTouch* touches = feeler->touches + SN_TOUCHES * (size_t)point;
    bool active = false;
    for (int k = 0; k < SN_TOUCHES; ++k) {
        active = active || touches[k].other != 0;
    }
    if (!active) {
        feeler->active[(*feeler->active_count)++] = point;
    }
    touches[slot] = *touch;
    touches[slot].fresh = 1;
}

void snFeeler_Fetch(const snFeeler* feeler)
{
#if defined(__GNUC__)
    for (int64_t i = 0; i < *feeler->active_count; ++i) {
        const char* at = (const char*)(feeler->touches + SN_TOUCHES * (size_t)feeler->active[i]);
        for (size_t k = 0; k < SN_TOUCHES * sizeof(snTouch); k += LINE) {
            __builtin_prefetch(at + k);
        }
    }
#else
    (void)feeler;
#endif
}

double snFeeler_Since(const snFeeler* feeler, double h)
{
    return *feeler->last > 0 ? 0.5 * (*feeler->last + h) : h;
}

double snFeeler_Shortening(const snFeeler* feeler, double h)
{
    return *feeler->last > h ? h / *feeler->last * (h / *feeler->last) : 1;
}

void snTouch_Shorten(snTouch* t, double part)
{
    t->sunk = t->depth - (float)part * (t->depth - t->sunk);
    for (int axis = 0; axis < 3; ++axis) {
        t->slip[axis] *= (float)part;
    }
}

void snFeeler_Shorten(snFeeler* feeler, double h)
{
    double part = snFeeler_Shortening(feeler, h);
    for (int64_t i = 0; i < *feeler->active_count && part < 1; ++i) {
        snTouch* touches = feeler->touches + SN_TOUCHES * (size_t)feeler->active[i];
        for (int k = 0; k < SN_TOUCHES; ++k) {
            snTouch_Shorten(&touches[k], part);
        }
    }
}

// Forgets what was not found.
static void dropOld(snFeeler* feeler)
{
    int64_t kept = 0, count = *feeler->active_count;
    for (int64_t i = 0; i < count; ++i) {
        int32_t point = feeler->active[i];
        snTouch* touches = feeler->touches + SN_TOUCHES * (size_t)point;
        bool any = false;
        for (int k = 0; k < SN_TOUCHES; ++k) {
            if (touches[k].other != 0 && !touches[k].fresh) {
                memset(&touches[k], 0, sizeof touches[k]);
            }
            touches[k].fresh = 0;
            any = any || touches[k].other != 0;
        }
        if (any) {
            feeler->active[kept++] = point;
        }
    }
    // what is behind the end must not depend on the past
    memset(feeler->active + kept, 0, (size_t)(count - kept) * sizeof(int32_t));
    *feeler->active_count = kept;
}

void snFeeler_Settle(snFeeler* feeler, double h)
{
    *feeler->last = h;
    dropOld(feeler);
}

void snFeeler_Keep(snFeeler* feeler)
{
    for (int64_t i = 0; i < *feeler->active_count; ++i) {
        snTouch* touches = feeler->touches + SN_TOUCHES * (size_t)feeler->active[i];
        for (int k = 0; k < SN_TOUCHES; ++k) {
            touches[k].fresh = 0;
        }
    }
}

void snFeeler_Renumber(snFeeler* feeler, int32_t (*map)(const void* user, int32_t other),
                       const void* user)
{
    for (int64_t i = 0; i < *feeler->active_count; ++i) {
        snTouch* touches = feeler->touches + SN_TOUCHES * (size_t)feeler->active[i];
        for (int k = 0; k < SN_TOUCHES; ++k) {
            int32_t now = touches[k].other != 0 ? map(user, touches[k].other) : 0;
            touches[k].fresh = now != 0;
            touches[k].other = now != 0 ? now : touches[k].other;
        }
    }
    dropOld(feeler);
}

bool snFeeler_Knows(const snFeeler* feeler, int32_t other)
{
    for (int64_t i = 0; i < *feeler->active_count; ++i) {
        if (snFeeler_Find(feeler, feeler->active[i], other)) {
            return true;
        }
    }
    return false;
}
