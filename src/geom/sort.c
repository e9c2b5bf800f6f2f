// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "geom/sort.h"

#include <string.h>

void snSort_Pairs(snArena* arena, uint64_t* key, int32_t* value, int64_t count)
{
    size_t n = (size_t)count;
    uint64_t* from_key = key;
    int32_t* from_value = value;
    uint64_t* to_key = snArena_Push(arena, n, sizeof(uint64_t));
    int32_t* to_value = snArena_Push(arena, n, sizeof(int32_t));
    if (arena->failed || count == 0) {
        return;
    }
    uint64_t differ = 0;
    for (size_t i = 1; i < n; ++i) {
        differ |= key[i] ^ key[0];
    }
    for (int shift = 0; shift < 64; shift += 8) {
        if (!(differ >> shift & 255)) {
            continue;
        }
        size_t start[257] = {0};
        for (size_t i = 0; i < n; ++i) {
            ++start[(from_key[i] >> shift & 255) + 1];
        }
        for (int b = 0; b < 256; ++b) {
            start[b + 1] += start[b];
        }
        for (size_t i = 0; i < n; ++i) {
            size_t at = start[from_key[i] >> shift & 255]++;
            to_key[at] = from_key[i];
            to_value[at] = from_value[i];
        }
        uint64_t* k = from_key;
        int32_t* v = from_value;
        from_key = to_key;
        from_value = to_value;
        to_key = k;
        to_value = v;
    }
    if (from_key != key) {
        memcpy(key, from_key, n * sizeof(uint64_t));
        memcpy(value, from_value, n * sizeof(int32_t));
    }
}
