// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "base/owners.h"
#include <assert.h>
#include <stdatomic.h>

static_assert(sizeof(atomic_int) == sizeof(snOwners), "an snOwners holds an atomic_int");
static_assert(_Alignof(atomic_int) == _Alignof(snOwners), "an snOwners holds an atomic_int");

void snOwners_Init(snOwners* owners)
{
    atomic_init((atomic_int*)&owners->count, 1);
}

void snOwners_Add(snOwners* owners)
{
    atomic_fetch_add((atomic_int*)&owners->count, 1);
}

bool snOwners_Drop(snOwners* owners)
{
    return atomic_fetch_sub((atomic_int*)&owners->count, 1) == 1;
}

int32_t snOwners_Count(const snOwners* owners)
{
    return atomic_load((const atomic_int*)&owners->count);
}
