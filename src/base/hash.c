// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "base/hash.h"

#include <string.h>

// Multiplying by an odd constant and folding the high bits down is a bijection, so no input bit is
// lost; the constants are those of splitmix64 (Steele, Lea & Flood 2014), chosen there for
// avalanche.
static uint64_t mix(uint64_t h)
{
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9u;
    h = (h ^ (h >> 27)) * 0x94D049BB133111EBu;
    return h ^ (h >> 31);
}

static uint64_t rotate(uint64_t h, int bits)
{
    return h << bits | h >> (64 - bits);
}

uint64_t snHash(const void* bytes, size_t count, uint64_t seed)
{
    const uint8_t* at = bytes;
    // four lanes, so that the multiplications of a long block overlap
    uint64_t lanes[4];
    for (int i = 0; i < 4; ++i) {
        lanes[i] = mix(seed + (uint64_t)(i + 1) * 0x9E3779B97F4A7C15u);
    }
    size_t left = count;
    while (left > 0) {
        uint64_t words[4] = {0};
        size_t part = left < sizeof(words) ? left : sizeof(words);
        memcpy(words, at, part);
        for (int i = 0; i < 4; ++i) {
            lanes[i] = rotate(lanes[i] ^ words[i] * 0x9E3779B97F4A7C15u, 29) * 0xBF58476D1CE4E5B9u;
        }
        at += part;
        left -= part;
    }
    uint64_t h = mix(seed ^ (uint64_t)count);
    for (int i = 0; i < 4; ++i) {
        h = mix(h + lanes[i]) * 0x9E3779B97F4A7C15u;
    }
    return mix(h);
}
