// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// How far points are from being held by cells.
#include "contact/tissue_clear.h"

// Interpolated distances change by no more than this per metre: each of three slopes is at most 1.
#define STEEPEST 1.7320508

static double clampAxis(double x, double lo, double cells, double spacing)
{
    double hi = lo + (1 - 1e-9) * cells * spacing;
    return x < lo ? lo : x > hi ? hi : x;
}

static snVec3 clampTo(const snDistanceField* f, snVec3 p)
{
    return snV3(clampAxis(p.x, f->origin.x, f->nx - 1, f->spacing),
                clampAxis(p.y, f->origin.y, f->ny - 1, f->spacing),
                clampAxis(p.z, f->origin.z, f->nz - 1, f->spacing));
}

double snTissue_ClearAt(const snTissue* tissue, int32_t cell, const snCellView* view, int32_t own,
                        double way)
{
    const double never = (double)INFINITY, slope = STEEPEST * view->norm;
    const snDistanceField* field = snTissue_Field(tissue, cell);
    double phi = snDistanceField_At(field, clampTo(field, view->rest), NULL);
    if (phi > 0 && phi > way * slope) {
        return never;
    }
    double clear = phi > view->gap * slope ? phi / slope : view->gap;
    if (own >= 0) { // twice: the cell may also become smaller
        double near = tissue->apart - snLength(snSub(view->rest, tissue->point_rest[own]));
        clear = near > 2 * view->norm * clear ? near / (2 * view->norm) : clear;
    }
    return clear <= way ? clear : never;
}

// Whether w, which is measured along c and in its lengths, lies between 0 and the end, or `way`
// beyond. gap_sq: the square of the distance, if it is more than it was.
static bool isBetween(double w, double end, snVec3 c, double way, double* gap_sq)
{
    double below = (end < 0 ? end : 0) - w, above = w - (end < 0 ? 0 : end);
    double out = below > above ? below : above;
    if (out > 0) {
        double length_sq = snLengthSq(c), out_sq = out * out;
        if (out_sq > way * way * length_sq) {
            return false;
        }
        *gap_sq = out_sq / length_sq > *gap_sq ? out_sq / length_sq : *gap_sq;
    }
    return true;
}

// A cell stays within `way` of where it is, so p must come within that of all slabs between a face
// and the corner beyond; and the place at rest that holds p then is within |F^-1| way of the one
// that would hold it now, if the cell went on there. A point does not feel its own flesh until that
// is `apart` from its own place.
double snTissue_Clear(const snTissue* tissue, const snVec4f* x, int32_t cell, snVec3 p, int32_t own,
                      double way)
{
    const double never = (double)INFINITY;
    const snTets* tets = &tissue->flesh.tets;
    const int32_t* n = tets->tet + 4 * (size_t)cell;
    snVec3 a = snTissue_Widen(x[n[0]]), d1 = snSub(snTissue_Widen(x[n[1]]), a),
           d2 = snSub(snTissue_Widen(x[n[2]]), a);
    snVec3 d3 = snSub(snTissue_Widen(x[n[3]]), a), d = snSub(p, a);
    snVec3 c1 = snCross(d2, d3), c2, c3;
    double det = snDot(d1, c1), w1 = snDot(d, c1), w2, w3, gap_sq = 0;
    if (!isBetween(w1, det, c1, way, &gap_sq)) {
        return never;
    }
    c2 = snCross(d3, d1), w2 = snDot(d, c2);
    if (!isBetween(w2, det, c2, way, &gap_sq)) {
        return never;
    }
    c3 = snCross(d1, d2), w3 = snDot(d, c3);
    if (!isBetween(w3, det, c3, way, &gap_sq) ||
        !isBetween(w1 + w2 + w3, det, snAdd(c1, snAdd(c2, c3)), way, &gap_sq)) {
        return never;
    }
    snVec3 A = tets->position[n[0]], D1 = snSub(tets->position[n[1]], A);
    snVec3 D2 = snSub(tets->position[n[2]], A), D3 = snSub(tets->position[n[3]], A);
    if (!(det > SN_LEAST_VOLUME * snDot(D1, snCross(D2, D3)))) {
        return sqrt(gap_sq); // it may stand up
    }
    snCellView view = {
        .rest = snMulAdd(snMulAdd(snMulAdd(A, w1 / det, D1), w2 / det, D2), w3 / det, D3),
        .norm = snTissue_InverseNorm(snMatFromCols(D1, D2, D3), snMatFromRows(c1, c2, c3), det),
        .gap = sqrt(gap_sq)};
    return snTissue_ClearAt(tissue, cell, &view, own, way);
}
