// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The steps of snTissue_Clear without its branches: eight cells at once are measured in less time
// than two, one after the other. What remains of them, mostly less than half, is compared with the
// distance field one by one.
// By gcc vectorised for AVX-512 alone, which has masks.
#include "contact/tissue_clear.h"
#include "math/isa.h"

enum { LANES = SN_CLEAR_LANES };

typedef double Lanes[LANES];

typedef struct Cells {
    Lanes now[4][3], rest[4][3]; // corners, m
    Lanes place[3], way;         // m
    // results
    Lanes gap_sq, norm; // see snTissue_Clear
    Lanes at[3];        // where at rest, m
    Lanes far, flat;    // not 0: cannot touch; is nearly flat
} Cells;

static void load(const snTissue* tissue, const snVec4f* x, const snClearBatch* batch, Cells* cells)
{
    const snTets* tets = &tissue->flesh.tets;
    for (int i = 0; i < LANES; ++i) {
        const int from = i < batch->count ? i : 0;
        const int32_t* n = tets->tet + 4 * (size_t)batch->cell[from];
        for (int k = 0; k < 4; ++k) {
            snVec3 now = snTissue_Widen(x[n[k]]), rest = tets->position[n[k]];
            cells->now[k][0][i] = now.x, cells->now[k][1][i] = now.y, cells->now[k][2][i] = now.z;
            cells->rest[k][0][i] = rest.x;
            cells->rest[k][1][i] = rest.y;
            cells->rest[k][2][i] = rest.z;
        }
        snVec3 p = batch->place[from];
        cells->way[i] = batch->way[from];
        cells->place[0][i] = p.x, cells->place[1][i] = p.y, cells->place[2][i] = p.z;
    }
}

SN_KERNEL snVec3 laneOf(Lanes v[3], int i)
{
    return snV3(v[0][i], v[1][i], v[2][i]);
}

// Returns 1 when w is farther than `way` from between 0 and the end, else what it was.
SN_KERNEL double beyond(double w, double end, snVec3 c, double way, double* gap_sq, double far)
{
    double lo = end < 0 ? end : 0, hi = end - lo, below = lo - w, above = w - hi;
    double most = below > above ? below : above, out = most > 0 ? most : 0;
    double length_sq = snLengthSq(c), out_sq = out * out, part = out_sq / length_sq;
    *gap_sq = part > *gap_sq ? part : *gap_sq;
    return out_sq > way * way * length_sq ? 1 : far;
}

SN_KERNEL void measureLane(Cells* c, int i)
{
    snVec3 a = laneOf(c->now[0], i), d1 = snSub(laneOf(c->now[1], i), a);
    snVec3 d2 = snSub(laneOf(c->now[2], i), a), d3 = snSub(laneOf(c->now[3], i), a);
    snVec3 A = laneOf(c->rest[0], i), D1 = snSub(laneOf(c->rest[1], i), A);
    snVec3 D2 = snSub(laneOf(c->rest[2], i), A), D3 = snSub(laneOf(c->rest[3], i), A);
    snVec3 d = snSub(laneOf(c->place, i), a);
    snVec3 c1 = snCross(d2, d3), c2 = snCross(d3, d1), c3 = snCross(d1, d2);
    double det = snDot(d1, c1), w1 = snDot(d, c1), w2 = snDot(d, c2), w3 = snDot(d, c3);
    double gap_sq = 0, way = c->way[i];
    double far = beyond(w1, det, c1, way, &gap_sq, 0);
    far = beyond(w2, det, c2, way, &gap_sq, far);
    far = beyond(w3, det, c3, way, &gap_sq, far);
    far = beyond(w1 + w2 + w3, det, snAdd(c1, snAdd(c2, c3)), way, &gap_sq, far);
    snVec3 at = snMulAdd(snMulAdd(snMulAdd(A, w1 / det, D1), w2 / det, D2), w3 / det, D3);
    c->gap_sq[i] = gap_sq;
    c->norm[i] = snTissue_InverseNorm(snMatFromCols(D1, D2, D3), snMatFromRows(c1, c2, c3), det);
    c->at[0][i] = at.x, c->at[1][i] = at.y, c->at[2][i] = at.z;
    c->far[i] = far;
    c->flat[i] = det > SN_LEAST_VOLUME * snDot(D1, snCross(D2, D3)) ? 0.0 : 1.0;
}

snClearFcn SN_ISA_NAME(snTissueClear);

void SN_ISA_NAME(snTissueClear)(const snTissue* tissue, const snVec4f* x, snClearBatch* batch)
{
    Cells cells;
    load(tissue, x, batch, &cells);
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        measureLane(&cells, i);
    }
    for (int i = 0; i < batch->count; ++i) {
        double clear = (double)INFINITY;
        if (cells.far[i] == 0) {
            snCellView view = {laneOf(cells.at, i), cells.norm[i], sqrt(cells.gap_sq[i])};
            clear = cells.flat[i] > 0 ? view.gap // it may stand up
                                      : snTissue_ClearAt(tissue, batch->cell[i], &view,
                                                         batch->own[i], batch->way[i]);
        }
        batch->clear[i] = clear;
    }
}
