// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Disjoint sets of indices (union-find). Start with parent[i] = i; a set's name is its smallest
// member, so that results do not depend on the order of joins.
#ifndef SN_GEOM_PARTS_H
#define SN_GEOM_PARTS_H

#include "math/fn.h"

SN_FN void snParts_Start(int32_t* parent, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        parent[i] = i;
    }
}

SN_FN int32_t snParts_Find(int32_t* parent, int32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

SN_FN void snParts_Join(int32_t* parent, int32_t i, int32_t j)
{
    int32_t a = snParts_Find(parent, i), b = snParts_Find(parent, j);
    parent[a > b ? a : b] = a < b ? a : b;
}

#endif
