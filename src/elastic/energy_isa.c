// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Energies of a chunk's cells in double, 16 cells at a time. The operations of a cell, and the
// order in which cells are summed, are those of snMaterial_Energy in a plain loop: so are the bits.

#include "elastic/pass.h"
#include "math/isa.h"

enum { LANES = SN_LANES };

// What is kept of 16 cells; matrices entry by entry.
typedef struct Cells {
    _Alignas(SN_ALIGNMENT) double F[9][LANES];
    double mu[LANES], lambda[LANES];
    double density[LANES]; // of energy, J/m3
    double slack[LANES];   // not positive: large
} Cells;

// Large cells from all over the chunk, until there are 16.
typedef struct Large {
    Cells cells;
    int32_t home[LANES]; // where their energy goes
    int count;
} Large;

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

// nodes: of the chunk
static void gather(const snCellsPass* pass, int32_t block, const int32_t* nodes, Cells* c)
{
    const snCellBlock* b = &pass->cells->blocks[block];
    const snCellLaw* law = snCells_Law(pass->cells, block);
    for (int i = 0; i < LANES; ++i) {
        const snVec4f* o = &pass->x[nodes[b->node[0][i]]];
        for (int k = 0; k < 3; ++k) {
            const snVec4f* p = &pass->x[nodes[b->node[k + 1][i]]];
            c->F[k][i] = (double)p->x - (double)o->x;
            c->F[3 + k][i] = (double)p->y - (double)o->y;
            c->F[6 + k][i] = (double)p->z - (double)o->z;
        }
    }
    for (int i = 0; i < LANES; ++i) {
        c->mu[i] = (double)law->mu[i];
        c->lambda[i] = (double)law->lambda[i];
    }
}

// F = D B
static void gradients(const snCellShape* shape, Cells* c)
{
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        snMat3 B;
        B.m00 = (double)shape->B[0][i], B.m01 = (double)shape->B[1][i];
        B.m02 = (double)shape->B[2][i], B.m10 = (double)shape->B[3][i];
        B.m11 = (double)shape->B[4][i], B.m12 = (double)shape->B[5][i];
        B.m20 = (double)shape->B[6][i], B.m21 = (double)shape->B[7][i];
        B.m22 = (double)shape->B[8][i];
        store(c->F, i, snMatMul(load(c->F, i), B));
    }
}

static void stvkDensities(const snMaterial* law, Cells* c)
{
    const double L = law->lower * law->lower, U = law->upper * law->upper;
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        snMat3 F = load(c->F, i);
        c->slack[i] = snStretchSlackd(F, L, U);
        c->density[i] = snStvkEnergyd(F, c->mu[i], c->lambda[i]);
    }
}

static void neoHookeanDensities(Cells* c)
{
    for (int i = 0; i < LANES; ++i) {
        c->density[i] = snNeoHookeanEnergy(load(c->F, i), c->mu[i], c->lambda[i]);
    }
}

static void principalDensities(const snMaterial* law, Cells* c)
{
    const double lower = law->lower, upper = law->upper;
    const bool stvk = law->kind == sn_materialStvk;
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        snSvdd d = snSvd3d(load(c->F, i));
        snColumnd at = snColumnOfd(d.s0, d.s1, d.s2);
        double strained = snStvkPrincipalEnergyd(at, c->mu[i], c->lambda[i], lower, upper);
        double stretched = snCorotatedEnergyd(at, c->mu[i], c->lambda[i]);
        c->density[i] = stvk ? strained : stretched;
    }
}

static void finishLarge(const snMaterial* law, Large* large, double* densities)
{
    if (large->count > 0) {
        principalDensities(law, &large->cells);
    }
    for (int i = 0; i < large->count; ++i) {
        densities[large->home[i]] = large->cells.density[i];
    }
    large->count = 0;
}

static void collect(const snMaterial* law, const snCellVolume* v, const Cells* c, int32_t first,
                    Large* large, double* densities)
{
    for (int i = 0; i < LANES; ++i) {
        if (v->of[i] > 0 && !(c->slack[i] > 0)) {
            int to = large->count++;
            for (int k = 0; k < 9; ++k) {
                large->cells.F[k][to] = c->F[k][i];
            }
            large->cells.mu[to] = c->mu[i];
            large->cells.lambda[to] = c->lambda[i];
            large->home[to] = first + i;
            if (large->count == LANES) {
                finishLarge(law, large, densities);
            }
        }
    }
}

static double sumOf(const snCellVolume* volumes, int32_t count, const double* densities)
{
    double sum = 0;
    for (int32_t i = 0; i < count * LANES; ++i) {
        double volume = (double)volumes[i / LANES].of[i % LANES];
        sum += volume > 0 ? volume * densities[i] : 0;
    }
    return sum;
}

snCellsChunkFcn SN_ISA_NAME(snCellsEnergy);

void SN_ISA_NAME(snCellsEnergy)(const snCellsPass* pass, int chunk)
{
    const snCells* cells = pass->cells;
    const snMaterial* law = &cells->material;
    const snCellChunk* c = &cells->chunks[chunk];
    const snCellVolume* volumes = cells->volumes + c->block_begin;
    const bool plain = law->kind == sn_materialStvk && law->diagonalize != sn_diagonalizeAlways;
    double densities[SN_CHUNK_BLOCKS * LANES] = {0};
    Large large = {.count = 0};
    for (int32_t k = 0; k < c->block_count; ++k) {
        Cells now;
        gather(pass, c->block_begin + k, cells->slot_nodes + c->slot_begin, &now);
        gradients(snCells_Shape(cells, c->block_begin + k), &now);
        if (plain) {
            stvkDensities(law, &now);
        } else if (law->kind == sn_materialNeoHookean) {
            neoHookeanDensities(&now);
        } else {
            principalDensities(law, &now);
        }
        memcpy(densities + k * LANES, now.density, sizeof now.density);
        if (plain && law->diagonalize == sn_diagonalizeSelective) {
            collect(law, &volumes[k], &now, k * LANES, &large, densities);
        }
    }
    finishLarge(law, &large, densities);
    pass->energies[chunk] = sumOf(volumes, c->block_count, densities);
}
