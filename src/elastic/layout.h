// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Writes cells, ordered into chunks, as the kernels read them.
#ifndef SN_ELASTIC_LAYOUT_H
#define SN_ELASTIC_LAYOUT_H

#include "elastic/order.h"

SN_BEGIN_C

// Of meshes with more kinds of cells than this, the cells after are of no kind. Laws likewise.
enum { SN_MOST_KINDS = 32, SN_MOST_LAWS = 32 };

typedef struct snCellKinds {
    int32_t count;
    float B[SN_MOST_KINDS][9];
    int32_t shape[SN_MOST_KINDS]; // of blocks of that kind alone; -1 until there is one
} snCellKinds;

typedef struct snCellLaws {
    int32_t count;
    float mu[SN_MOST_LAWS], lambda[SN_MOST_LAWS];
    int32_t law[SN_MOST_LAWS]; // of blocks that have these constants alone
} snCellLaws;

typedef struct snCellLayout {
    // what is laid out, and how many units there are up to the end of each chunk
    snCellUnit* units;
    int32_t* ends;
    int32_t chunk_count;
    int32_t* local; // work; (node_count)
    int32_t* known; // work: kinds of cells, plus 1; 0 until it is found; (cell_count)
    // the arrays of snCells while they are written; NULL: only count
    snCellChunk* chunks;
    snCellBlock* blocks;
    snCellFan* fans;
    int32_t* block_shape;
    snCellShape* shapes;
    int32_t* block_law;
    snCellLaw* laws;
    snCellVolume* volumes;
    int32_t* slot_nodes;
    int32_t* lane_cells;
    // how much there is
    int32_t block_count, fan_count, shape_count, law_count, slot_count;
    snCellKinds kinds;
    snCellLaws shared;
} snCellLayout;

// Called twice: to count, and with arrays of that size.
void snCellLayout_Run(snCellLayout* d, const snCellsDef* def);

SN_END_C

#endif
