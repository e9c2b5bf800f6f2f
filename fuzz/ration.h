// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Laws, and memory that ends: more than a file of that size can need aborts.
#ifndef SN_FUZZ_RATION_H
#define SN_FUZZ_RATION_H

#include <stdlib.h>

#include "base/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static inline void require(bool law)
{
    if (!law) {
        abort();
    }
}

typedef struct Ration {
    size_t left; // bytes that may still be taken
} Ration;

static inline void* takeRation(void* user, size_t bytes, size_t alignment)
{
    Ration* r = user;
    require(bytes <= r->left);
    r->left -= bytes;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static inline void giveRation(void* user, void* memory, size_t bytes)
{
    ((Ration*)user)->left += bytes;
    free(memory);
}

// A host that gives a few blocks of an arena, and `times` the file's size besides.
static inline snHost rationedHost(Ration* ration, size_t size, size_t times)
{
    snHost host;
    snHost_Init(&host);
    ration->left = ((size_t)1 << 22) + times * size;
    host.user = ration;
    host.allocate = takeRation;
    host.release = giveRation;
    return host;
}

// The same as an arena, for readers of meshes.
static inline snArena rationed(Ration* ration, size_t size)
{
    snArena arena;
    snHost host = rationedHost(ration, size, 100);
    snArena_Init(&arena, &host);
    return arena;
}

#endif
