// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A hash for state and tables; not for secrets.
#ifndef SN_BASE_HASH_H
#define SN_BASE_HASH_H

#include "base/language.h"
#include <stddef.h>
#include <stdint.h>

SN_BEGIN_C

// 64 well-mixed bits; every little-endian machine gives the same. Chain blocks through the seed.
uint64_t snHash(const void* bytes, size_t count, uint64_t seed);

SN_END_C

#endif
