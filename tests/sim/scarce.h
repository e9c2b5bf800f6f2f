// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A host whose memory runs out after some allocations.
#ifndef SN_TESTS_SIM_SCARCE_H
#define SN_TESTS_SIM_SCARCE_H

#include <stdlib.h>

static long allowed; // allocations that succeed from now on

static inline void* scarce(void* user, size_t bytes, size_t alignment)
{
    (void)user;
    return allowed-- > 0 ? aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment)
                         : NULL;
}

static inline void giveBack(void* user, void* memory, size_t bytes)
{
    (void)user, (void)bytes;
    free(memory);
}

#endif
