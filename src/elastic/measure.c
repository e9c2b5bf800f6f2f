// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "elastic/measure.h"

static snVec3 placeOf(const float* x, int32_t node)
{
    const float* p = x + 3 * (size_t)node;
    return snV3((double)p[0], (double)p[1], (double)p[2]);
}

// F = Ds Dm^-1, see cells.h
static snMat3 gradientOf(const snCellBlock* block, const snCellShape* shape, int lane,
                         const int32_t* nodes, const float* x)
{
    snVec3 p[4];
    double b[9];
    for (int k = 0; k < 4; ++k) {
        p[k] = placeOf(x, nodes[block->node[k][lane]]);
    }
    for (int k = 0; k < 9; ++k) {
        b[k] = (double)shape->B[k][lane];
    }
    snMat3 Ds = snMatFromCols(snSub(p[1], p[0]), snSub(p[2], p[0]), snSub(p[3], p[0]));
    return snMatMul(
        Ds, snMatFromRows(snV3(b[0], b[1], b[2]), snV3(b[3], b[4], b[5]), snV3(b[6], b[7], b[8])));
}

// sqrt(3/2 s:s) of a symmetric stress
static double vonMises(snMat3 S)
{
    double xy = S.m00 - S.m11, yz = S.m11 - S.m22, zx = S.m22 - S.m00;
    double shear = S.m01 * S.m01 + S.m02 * S.m02 + S.m12 * S.m12;
    return sqrt(0.5 * (xy * xy + yz * yz + zx * zx) + 3 * shear);
}

static double stressOf(const snCells* cells, snMat3 F, double J, double mu, double lambda)
{
    snMat3 P = snMaterial_Stress(&cells->material, F, mu, lambda);
    double volume = fabs(J) > SN_MEASURE_LEAST_VOLUME ? fabs(J) : SN_MEASURE_LEAST_VOLUME;
    return vonMises(snMatScale(1 / volume, snMatMul(P, snTranspose(F))));
}

void snCells_Measure(const snCells* cells, const float* x, float* stretch, float* stress,
                     uint8_t* inverted)
{
    for (int32_t c = 0; c < cells->chunk_count; ++c) {
        const snCellChunk* chunk = &cells->chunks[c];
        const int32_t* nodes = cells->slot_nodes + chunk->slot_begin;
        int32_t end = (chunk->block_begin + chunk->block_count) * SN_LANES;
        for (int32_t i = chunk->block_begin * SN_LANES; i < end; ++i) {
            const snCellBlock* block = &cells->blocks[i / SN_LANES];
            const snCellLaw* law = snCells_Law(cells, i / SN_LANES);
            int32_t cell = cells->lane_cells[i];
            int lane = i % SN_LANES;
            if (cell >= 0) {
                snMat3 F = gradientOf(block, snCells_Shape(cells, i / SN_LANES), lane, nodes, x);
                double J = snDet(F);
                stretch[cell] = (float)snSvd3d(F).s0;
                stress[cell] =
                    (float)stressOf(cells, F, J, (double)law->mu[lane], (double)law->lambda[lane]);
                inverted[cell] = !(J > 0);
            }
        }
    }
}
