// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Memory that is counted and ends.
#ifndef SN_TESTS_IO_RATION_H
#define SN_TESTS_IO_RATION_H

#include <stddef.h>
#include <stdlib.h>

#include <sinew/base.h>

typedef struct Ration {
    size_t used, most; // bytes, now and ever
    int blocks;        // that may still be taken
} Ration;

static inline void* takeRation(void* user, size_t bytes, size_t alignment)
{
    Ration* r = user;
    if (--r->blocks < 0) {
        return NULL;
    }
    r->used += bytes;
    r->most = r->used > r->most ? r->used : r->most;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static inline void giveRation(void* user, void* memory, size_t bytes)
{
    ((Ration*)user)->used -= bytes;
    free(memory);
}

static inline snHost rationedHost(Ration* ration)
{
    snHost host;
    snHost_Init(&host);
    host.user = ration;
    host.allocate = takeRation;
    host.release = giveRation;
    return host;
}

#endif
