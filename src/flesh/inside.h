// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What a surface encloses, as questions about points and tets. Most tets of a mesh are told full or
// empty by their corners and by no triangle touching them; only the others need to be sampled.
#ifndef SN_FLESH_INSIDE_H
#define SN_FLESH_INSIDE_H

#include "flesh/body.h"
#include "geom/winding.h"

SN_BEGIN_C

// n . x = offset, n unit; zero for a triangle without area, which nothing crosses.
typedef struct snPlane {
    snVec3 n;
    double offset;
} snPlane;

typedef struct snInside {
    const snSurface* surface;
    snWinding winding;
    snBvh bvh;      // of the triangles
    snPlane* plane; // of each triangle
    snBox box;
    double tiny;         // m; places closer to a triangle's plane may lie on either side of it
    double area, volume; // of the triangles; volume is not negative
    snHost host;
} snInside;

// The surface must outlive it.
snStatus snInside_Build(snArena* arena, const snSurface* surface, snInside* out, snMessage* why);

// Which points lie inside.
snStatus snInside_Material(const snInside* inside, const snVec3* p, int64_t count, uint8_t* in,
                           snMessage* why);

// How surely a point lies inside. Around holes of the surface the winding number passes 1/2
// without a triangle being there: within 1/4 of that nothing is sure.
typedef enum snSide {
    sn_sideOut = 0, // surely
    sn_sideOutside, // rather
    sn_sideInside,  // rather
    sn_sideIn,      // surely
} snSide;

SN_FN snSide snSide_Of(double winding)
{
    double size = fabs(winding);
    return size > 0.75                   ? sn_sideIn
           : size < 0.25                 ? sn_sideOut
           : snWinding_IsInside(winding) ? sn_sideInside
                                         : sn_sideOutside;
}

// From the sides of its corners, and whether a triangle touches it.
snCellKind snInside_Kind(const uint8_t side[4], bool touched);

// Kinds of all cells of a mesh; (tets.tet_count)
snStatus snInside_Kinds(const snInside* inside, snArena* scratch, const snTets* tets, uint8_t* kind,
                        snMessage* why);

// Calls with every triangle that may touch the box, in the tree's order.
typedef void snTriangleFcn(void* user, int32_t triangle);
void snInside_Near(const snInside* inside, snBox box, snTriangleFcn* fcn, void* user);

// Does the triangle touch the tet? By separating axes; yes in doubt.
bool snInside_Meets(const snInside* inside, int32_t triangle, const snVec3 corner[4]);

// How the winding number changes through the triangle from one point to another, which need not be
// far from it: -1, 0 or 1; SN_DOUBT when the way passes within rounding of an edge or ends on it.
#define SN_DOUBT 2
int snInside_Cross(const snInside* inside, int32_t triangle, snVec3 from, snVec3 to);

SN_END_C

#endif
