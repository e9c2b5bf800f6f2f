// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Forces of a chunk's cells in double, for flesh so stiff that its strains are not far above the
// rounding of floats, which would heat it: some four times as slow as cells_isa.c.

#include "elastic/wide.inl"
#include "math/isa.h"

// P of a block; plain StVK where the slack is positive, other laws and cells one by one.
static void stresses(const snMaterial* m, Cells* c, double (*P)[LANES])
{
    const bool plain = m->kind == sn_materialStvk && m->diagonalize != sn_diagonalizeAlways;
    const double L = m->lower * m->lower, U = m->upper * m->upper;
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        snMat3 F = load(c->F, i);
        c->slack[i] = snStretchSlackd(F, L, U);
        store(P, i, snStvkStressd(F, c->mu[i], c->lambda[i]));
    }
    for (int i = 0; i < LANES; ++i) {
        if (!plain || (m->diagonalize == sn_diagonalizeSelective && !(c->slack[i] > 0))) {
            store(P, i, snMaterial_Stress(m, load(c->F, i), c->mu[i], c->lambda[i]));
        }
    }
}

static void damp(const snCellsPass* pass, int32_t block, const int32_t* nodes, Cells* c,
                 double (*P)[LANES])
{
    const double time = pass->cells->damping;
    double rate[9][LANES];
    gatherWide(&pass->cells->blocks[block], nodes, pass->v, rate);
    gradients(snCells_Shape(pass->cells, block), rate);
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        snMat3 D =
            snDampingStressd(load(c->F, i), load(rate, i), time * c->mu[i], time * c->lambda[i]);
        store(P, i, snCombined(1, load(P, i), 1, D));
    }
}

// Column k of H is the force on node k + 1, and node 0 has minus their sum.
static void addForces(const snCellBlock* b, int i, snMat3 H, snVec4f* f)
{
    const float h[3][3] = {{(float)H.m00, (float)H.m10, (float)H.m20},
                           {(float)H.m01, (float)H.m11, (float)H.m21},
                           {(float)H.m02, (float)H.m12, (float)H.m22}};
    snVec4f* o = &f[b->node[0][i]];
    for (int k = 0; k < 3; ++k) {
        snVec4f* to = &f[b->node[k + 1][i]];
        to->x += h[k][0], to->y += h[k][1], to->z += h[k][2];
        o->x -= h[k][0], o->y -= h[k][1], o->z -= h[k][2];
    }
}

static double spread(const snCellsPass* pass, int32_t block, Cells* c, double (*P)[LANES],
                     snCellsTally* tally, snVec4f* f)
{
    const snCells* cells = pass->cells;
    const snMaterial* m = &cells->material;
    double energy = 0;
    for (int i = 0; i < LANES; ++i) {
        double volume = (double)cells->volumes[block].of[i];
        if (volume > 0) {
            snMat3 F = load(c->F, i), B = shapeOf(snCells_Shape(cells, block), i);
            snMat3 H = snTimesTransposed(load(P, i), B);
            addForces(&cells->blocks[block], i, snMatScale(-volume, H), f);
            tally->inverted += !(snDeterminantd(F) > 0);
            tally->diagonalized += !(c->slack[i] > 0);
            energy += pass->measured ? volume * snMaterial_Energy(m, F, c->mu[i], c->lambda[i]) : 0;
        }
    }
    return energy;
}

snCellsChunkFcn SN_ISA_NAME(snCellsFine);

void SN_ISA_NAME(snCellsFine)(const snCellsPass* pass, int chunk)
{
    const snCells* cells = pass->cells;
    const snCellChunk* c = &cells->chunks[chunk];
    const int32_t* nodes = cells->slot_nodes + c->slot_begin;
    snVec4f* f = pass->slots + c->slot_begin;
    snCellsTally tally = {0, 0};
    double energy = 0;
    memset(f, 0, (size_t)c->node_count * sizeof *f);
    for (int32_t block = c->block_begin; block < c->block_begin + c->block_count; ++block) {
        Cells now;
        double P[9][LANES];
        gather(pass, block, nodes, &now);
        gradients(snCells_Shape(cells, block), now.F);
        stresses(&cells->material, &now, P);
        if (cells->damping > 0 && pass->v) {
            damp(pass, block, nodes, &now, P);
        }
        energy += spread(pass, block, &now, P, &tally, f);
    }
    pass->tallies[chunk] = tally;
    pass->energies[chunk] = energy;
}
