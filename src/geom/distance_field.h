// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The signed distance to a surface, sampled on a grid and interpolated trilinearly.
//
// Between samples the error is at most spacing^2/8 times the sum of the second derivatives, which
// for a distance are the surface's curvatures; at edges and on the medial axis, where it has none,
// it is a good part of the spacing.
#ifndef SN_GEOM_DISTANCE_FIELD_H
#define SN_GEOM_DISTANCE_FIELD_H

#include "geom/surface.h"

SN_BEGIN_C

// Samples of a field, at most: 32 MB. A larger spacing is taken then.
#define SN_FIELD_SAMPLES 8000000

// Distances outside are known up to this many spacings: enough for the zero between two samples.
#define SN_FIELD_OUTSIDE 2

typedef struct snDistanceField {
    snVec3 origin;        // of the first sample, m
    double spacing;       // m
    int32_t nx, ny, nz;   // samples along each axis
    double inner, outer;  // values are cut to -inner .. outer, m
    const float* samples; // m, negative inside, x first; (nx ny nz)
} snDistanceField;

// Inside by the generalised winding number, so that holes and several shells do no harm; triangles
// inside the body count as surface: leave them out. Distances are exact down to `band` inside.
// Places far from the surface, where nothing is to be found out, cost nothing.
snStatus snDistanceField_Build(snArena* arena, const snSurface* surface, double spacing,
                               double band, snDistanceField* field, snMessage* why);

// Negative inside. *gradient is that of the interpolated field, about unit length, zero where
// values are cut; it may be NULL. Outside the grid: field->outer.
double snDistanceField_At(const snDistanceField* field, snVec3 p, snVec3* gradient);

SN_END_C

#endif
