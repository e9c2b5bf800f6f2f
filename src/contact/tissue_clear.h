// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What files that look into cells have in common, and snTissue_Clear for several points and cells
// at once, with the same bits, compiled for each instruction set.
#ifndef SN_CONTACT_TISSUE_CLEAR_H
#define SN_CONTACT_TISSUE_CLEAR_H

#include "contact/tissue.h"
#include "math/mat.h"

SN_BEGIN_C

// A cell squeezed to this share of its volume holds nothing: its way out is anywhere.
#define SN_LEAST_VOLUME 0.05

static inline snVec3 snTissue_Widen(snVec4f a)
{
    return snV3((double)a.x, (double)a.y, (double)a.z);
}

// Of a cell next to a foreign surface, its own.
static inline const snDistanceField* snTissue_Field(const snTissue* tissue, int32_t cell)
{
    int32_t patch = tissue->patch_of[cell];
    return patch < 0 ? &tissue->field : &tissue->patches[patch];
}

// The largest singular value of F^-1, or a little more: the largest eigenvalue of a symmetric S,
// here F^-T F^-1, is at most t/3 + sqrt(2/3 (|S|^2 - t^2/3)), t being its trace (Wolkowicz & Styan
// 1980).
SN_KERNEL double snTissue_InverseNorm(snMat3 rest, snMat3 cofactors, double det)
{
    snMat3 A = snMatMul(rest, cofactors);
    snVec3 a = snMatCol(A, 0), b = snMatCol(A, 1), c = snMatCol(A, 2);
    double aa = snDot(a, a), bb = snDot(b, b), cc = snDot(c, c), trace = aa + bb + cc;
    double ab = snDot(a, b), ac = snDot(a, c), bc = snDot(b, c);
    double squares = aa * aa + bb * bb + cc * cc + 2 * (ab * ab + ac * ac + bc * bc);
    double spread = squares - trace * trace / 3;
    return sqrt(trace / 3 + sqrt(2.0 / 3 * (spread > 0 ? spread : 0))) / det;
}

// A point as a cell sees it that went on there.
typedef struct snCellView {
    snVec3 rest; // where at rest, m
    double norm; // of F^-1
    double gap;  // from the cell's slabs, m
} snCellView;

// The last part of snTissue_Clear: what the distance field and the point's own flesh say.
double snTissue_ClearAt(const snTissue* tissue, int32_t cell, const snCellView* view, int32_t own,
                        double way);

enum { SN_CLEAR_LANES = 8 };

typedef struct snClearBatch {
    int32_t count;
    int32_t point[SN_CLEAR_LANES]; // for whoever fills it
    int32_t cell[SN_CLEAR_LANES], own[SN_CLEAR_LANES];
    snVec3 place[SN_CLEAR_LANES]; // m
    double way[SN_CLEAR_LANES];   // m
    double clear[SN_CLEAR_LANES]; // the result, m
} snClearBatch;

typedef void snClearFcn(const snTissue* tissue, const snVec4f* x, snClearBatch* batch);

SN_END_C

#endif
