// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// How many own something that is freed with the last of them. Any thread may add and drop owners.
#ifndef SN_BASE_OWNERS_H
#define SN_BASE_OWNERS_H

#include "base/language.h"
#include <stdbool.h>
#include <stdint.h>

SN_BEGIN_C

typedef struct snOwners {
    int32_t count; // for owners.c alone: an atomic_int, a type that C++ does not have
} snOwners;

// One owner.
void snOwners_Init(snOwners* owners);

void snOwners_Add(snOwners* owners);

// True when the last has gone.
bool snOwners_Drop(snOwners* owners);

int32_t snOwners_Count(const snOwners* owners);

SN_END_C

#endif
