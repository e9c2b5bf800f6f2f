// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// 16 cells in double; part of energy_isa.c and fine_isa.c.
#ifndef SN_ELASTIC_WIDE_INL
#define SN_ELASTIC_WIDE_INL

#include "elastic/pass.h"

enum { LANES = SN_LANES };

// What is kept of 16 cells; matrices entry by entry.
typedef struct Cells {
    _Alignas(SN_ALIGNMENT) double F[9][LANES];
    double mu[LANES], lambda[LANES];
    double density[LANES]; // of energy, J/m3
    double slack[LANES];   // not positive: large
} Cells;

SN_KERNEL snMat3 load(double (*F)[LANES], int i)
{
    snMat3 m;
    m.m00 = F[0][i], m.m01 = F[1][i], m.m02 = F[2][i];
    m.m10 = F[3][i], m.m11 = F[4][i], m.m12 = F[5][i];
    m.m20 = F[6][i], m.m21 = F[7][i], m.m22 = F[8][i];
    return m;
}

SN_KERNEL void store(double (*F)[LANES], int i, snMat3 m)
{
    F[0][i] = m.m00, F[1][i] = m.m01, F[2][i] = m.m02;
    F[3][i] = m.m10, F[4][i] = m.m11, F[5][i] = m.m12;
    F[6][i] = m.m20, F[7][i] = m.m21, F[8][i] = m.m22;
}

// Differences of nodes 1, 2, 3 and node 0 of a block's cells; nodes: of the chunk.
static void gatherWide(const snCellBlock* b, const int32_t* nodes, const snVec4f* x,
                       double (*D)[LANES])
{
    for (int i = 0; i < LANES; ++i) {
        const snVec4f* o = &x[nodes[b->node[0][i]]];
        for (int k = 0; k < 3; ++k) {
            const snVec4f* p = &x[nodes[b->node[k + 1][i]]];
            D[k][i] = (double)p->x - (double)o->x;
            D[3 + k][i] = (double)p->y - (double)o->y;
            D[6 + k][i] = (double)p->z - (double)o->z;
        }
    }
}

static void gather(const snCellsPass* pass, int32_t block, const int32_t* nodes, Cells* c)
{
    const snCellBlock* b = &pass->cells->blocks[block];
    const snCellLaw* law = snCells_Law(pass->cells, block);
    gatherWide(b, nodes, pass->x, c->F);
    if (pass->lost) {
        double D[9][LANES];
        gatherWide(b, nodes, pass->lost, D);
        for (int k = 0; k < 9; ++k) {
            for (int i = 0; i < LANES; ++i) {
                c->F[k][i] += D[k][i];
            }
        }
    }
    for (int i = 0; i < LANES; ++i) {
        c->mu[i] = (double)law->mu[i];
        c->lambda[i] = (double)law->lambda[i];
    }
}

SN_KERNEL snMat3 shapeOf(const snCellShape* shape, int i)
{
    snMat3 B;
    B.m00 = (double)shape->B[0][i], B.m01 = (double)shape->B[1][i];
    B.m02 = (double)shape->B[2][i], B.m10 = (double)shape->B[3][i];
    B.m11 = (double)shape->B[4][i], B.m12 = (double)shape->B[5][i];
    B.m20 = (double)shape->B[6][i], B.m21 = (double)shape->B[7][i];
    B.m22 = (double)shape->B[8][i];
    return B;
}

// D becomes F = D B
static void gradients(const snCellShape* shape, double (*D)[LANES])
{
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        store(D, i, snMatMul(load(D, i), shapeOf(shape, i)));
    }
}

#endif
