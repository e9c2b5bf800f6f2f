// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The order in which snCells has its cells: by chunks of neighbours, fans first.
#ifndef SN_ELASTIC_ORDER_H
#define SN_ELASTIC_ORDER_H

#include "elastic/cells.h"

SN_BEGIN_C

// What stays together: a fan, or one cell.
typedef struct snCellUnit {
    double centre[3]; // four times
    int32_t cell;     // the first of them, in the def's order
    int32_t count;    // 1, or 3 or 4 cells of a fan
    int32_t kind;     // of the first lane's cell; for the caller
} snCellUnit;

// Places that a unit takes: cells of a fan may be missing.
static inline int32_t snCellUnit_Places(const snCellUnit* unit)
{
    return unit->count > 1 ? SN_FAN_CELLS : 1;
}

// A fan's nodes as in snCellFan, and its cells, -1 where one is missing.
typedef struct snFanCells {
    int32_t node[SN_FAN_NODES];
    int32_t cell[SN_FAN_CELLS];
} snFanCells;

// The nodes of cell k of a fan.
void snFanCells_Nodes(const snFanCells* fan, int k, int32_t node[4]);

// `count` cells from `first` on as a fan; false when they are none.
bool snFanCells_Find(const snCellsDef* def, int32_t first, int32_t count, snFanCells* fan);

// Dm of four nodes.
snMat3 snCellsDef_Edges(const snCellsDef* def, const int32_t node[4]);

// All units of a def, in its order; room for cell_count. Returns how many.
int32_t snCellUnits_List(const snCellsDef* def, snCellUnit* units);

// Sorts them by recursive bisection into chunks of at most SN_CHUNK_CELLS places. Writes the number
// of units up to the end of each chunk to ends, which has room for `count`; returns how many.
int32_t snCellUnits_Bisect(snCellUnit* units, int32_t count, int32_t* ends);

SN_END_C

#endif
