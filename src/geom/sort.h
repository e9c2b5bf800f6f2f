// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A stable sort whose result and cost do not depend on the C library's qsort.
#ifndef SN_GEOM_SORT_H
#define SN_GEOM_SORT_H

#include "base/memory.h"

SN_BEGIN_C

// Sorts count keys upwards and takes the values with them; equal keys keep their order. Radix, one
// pass per byte that differs. Scratch memory comes from the arena, whose failed flag tells.
void snSort_Pairs(snArena* arena, uint64_t* key, int32_t* value, int64_t count);

SN_END_C

#endif
