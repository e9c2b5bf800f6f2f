// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Saved files whose size and checksum fit. The head is 64 bytes: 8 that name the kind, version,
// order of bytes, size, checksum.
#ifndef SN_FUZZ_ARCHIVE_H
#define SN_FUZZ_ARCHIVE_H

#include <string.h>

#include "base/hash.h"
#include "ration.h"

#define HEAD 64

static inline uint8_t* signedCopy(const uint8_t* bytes, size_t count)
{
    uint8_t* copy = malloc(count + 1);
    require(copy != NULL);
    memcpy(copy, bytes, count);
    if (count >= HEAD) {
        uint64_t size = count, hash = snHash(copy + HEAD, count - HEAD, 0);
        memcpy(copy + 16, &size, sizeof size);
        memcpy(copy + 24, &hash, sizeof hash);
    }
    return copy;
}

#endif
