// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What the kernels of cells_isa.c and energy_isa.c read and write in one pass over the chunks.
#ifndef SN_ELASTIC_PASS_H
#define SN_ELASTIC_PASS_H

#include "elastic/cells.h"

typedef struct snCellsTally {
    int32_t diagonalized, inverted;
} snCellsTally;

typedef struct snCellsPass {
    const snCells* cells;
    const snVec4f* x;
    const snVec4f* lost; // what rounding took from x; NULL: nothing
    const snVec4f* v;
    bool measured;         // whether forces' passes write energies and stiffness, too
    snSvdBatchFcn* svd;    // which SVD diagonalises
    snVec4f* slots;        // forces on the chunks' nodes; (slot_count)
    snCellsTally* tallies; // (chunk_count)
    float* swelling;       // node-averaged: sum of V w / 4 (J - 1) by slot, m3; (slot_count)
    float* pressure;       // node-averaged: lambda_n (J_n - 1), Pa; (node_count)
    double* energies;      // J; (chunk_count)
    float* stiffness;      // see snCellsLook, by slot; (slot_count)
    snVec4f* f;            // (node_count)
} snCellsPass;

// One chunk; compiled per instruction set.
typedef void snCellsChunkFcn(const snCellsPass* pass, int chunk);

#endif
