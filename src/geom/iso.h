// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Surfaces of implicit bodies: where a field changes its sign.
//
// Marching tetrahedra on the body-centred cubic lattice: every edge is cut at most once and every
// tet in a triangle or a quadrangle, with no ambiguous case, so that the result is a closed,
// oriented manifold by construction. The cuts are then remeshed to even triangles by steps that
// keep that (iso_remesh.h), with every vertex on the surface.
#ifndef SN_GEOM_ISO_H
#define SN_GEOM_ISO_H

#include "geom/surface.h"

SN_BEGIN_C

// Negative inside; continuous, and about as steep as a distance near the surface.
typedef double snFieldFcn(void* user, snVec3 p);

// How fine: by the length of the edges, or by the number of vertices (met within 5 %).
typedef struct snIsoSize {
    double edge;      // m; or 0
    int32_t vertices; // used when edge is 0
} snIsoSize;

// The field must be positive on the box's sides. Parts thinner than the lattice, whose cells
// are at most 1.2 edges and 1/48 of the box, can be missed. Outward
// triangles; vertices on the surface within 1e-6 of an edge wherever the field is smooth. The same
// result everywhere if the field gives the same bits.
snStatus snIso_Mesh(snArena* arena, snFieldFcn* field, void* user, snBox box, snIsoSize size,
                    snSurface* out, snMessage* why);

SN_END_C

#endif
