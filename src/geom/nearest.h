// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The closest point of a surface.
#ifndef SN_GEOM_NEAREST_H
#define SN_GEOM_NEAREST_H

#include "geom/bvh.h"

SN_BEGIN_C

typedef struct snNearest {
    snSurface surface; // the caller's arrays, not copied
    snBvh bvh;
    snVec3* vertex_normal; // face normals weighted by the corners' angles; not unit; (vertex_count)
    snVec3* edge_normal;   // of side k of triangle t, from its corner k: sum of the face normals
                           // of all triangles on the edge; not unit; (3 triangle_count)
} snNearest;

typedef struct snNearestHit {
    snVec3 point;    // m
    double distance; // m
    snVec3 normal; // unit, of the feature (face, edge or corner) that the point lies on. On closed
                   // manifolds q is outside when it lies on its side (Baerentzen & Aanaes 2005).
    double weight[3]; // of the triangle's corners; they sum to 1
    int32_t triangle;
} snNearestHit;

// The surface must stay as it is while the result is used.
snStatus snNearest_Build(snArena* arena, const snSurface* surface, snNearest* nearest,
                         snMessage* why);

// False when nothing is nearer than limit (infinity: none).
bool snNearest_Find(const snNearest* nearest, snVec3 q, double limit, snNearestHit* hit);

// The weights of a triangle's corners at its point nearest to q; zeros are exact.
void snTriangle_Nearest(snVec3 a, snVec3 b, snVec3 c, snVec3 q, double weight[3]);

SN_END_C

#endif
