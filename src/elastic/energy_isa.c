// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Energies of a chunk's cells in double, 16 cells at a time. The operations of a cell, and the
// order in which cells are summed, are those of snMaterial_Energy in a plain loop: so are the bits.

#include "elastic/wide.inl"
#include "math/isa.h"

// Large cells from all over the chunk, until there are 16.
typedef struct Large {
    Cells cells;
    int32_t home[LANES]; // where their energy goes
    int count;
} Large;

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
        gradients(snCells_Shape(cells, c->block_begin + k), now.F);
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
