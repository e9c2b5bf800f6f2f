// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// One solid piece of an obstacle: box, sphere, capsule or closed mesh. A place on its surface is
// outside.
#ifndef SN_CONTACT_SHAPE_H
#define SN_CONTACT_SHAPE_H

#include "geom/nearest.h"
#include "geom/winding.h"
#include "math/mat.h"
#include <sinew/scene.h>

SN_BEGIN_C

// A mesh, in the solid's frame, looking outwards.
typedef struct snShapeMesh {
    snNearest nearest; // holds the surface
    bool closed;       // and not overlapping itself; else the winding number tells what is inside
    snWinding winding;
    // Signed distances at the centres of a grid of cubes, outside positive (and, farther than a
    // cube away, not too large): most places are known to be outside by them, and the others need
    // to be searched only so far. Closed meshes only.
    int32_t nx, ny, nz;
    double cell;    // side of a cube, m
    float* outside; // m; x fastest; (nx ny nz)
} snShapeMesh;

// Lengths in m, in the solid's frame.
typedef struct snShape {
    int32_t kind;               // an snShapeKind
    snVec3 p;                   // centre; mesh: 0
    snMat3 R;                   // its axes are the columns; mesh: identity
    snVec3 half;                // box
    double radius, half_length; // sphere (length 0), capsule
    snBox box;
    double thickness; // see snSolid
    double area;      // m^2
    double volume;    // m^3
    snVec3 com;
    snSym3 inertia;    // about com, at unit density
    snShapeMesh* mesh; // NULL: another kind
} snShape;

// The mesh's part of the following four.
snStatus snShapeMesh_Build(snArena* arena, const snShapeDef* def, snShape* shape, snMessage* why);
bool snShapeMesh_Inside(const snShape* shape, snVec3 p, snVec3* normal, double* depth);
bool snShapeMesh_Outside(const snShape* shape, snVec3 p, double most, snVec3* normal, double* gap);
bool snShapeMesh_Cast(const snShape* shape, snVec3 a, snVec3 b, double after, double* t,
                      snVec3* normal);

// Copies what it needs.
snStatus snShape_Build(snArena* arena, const snShapeDef* def, snShape* shape, snMessage* why);

// Whether p lies inside; then the nearest way out: unit normal and distance.
bool snShape_Inside(const snShape* shape, snVec3 p, snVec3* normal, double* depth);

// Whether p, which is not inside, is at most so far away; then the distance, and the unit normal
// from the nearest place to it.
bool snShape_Outside(const snShape* shape, snVec3 p, double most, snVec3* normal, double* gap);

// Where the way from a to b enters: the least part t of the way, 0..1 and above `after`, at which
// it comes from outside to inside, and the surface's normal there.
bool snShape_Cast(const snShape* shape, snVec3 a, snVec3 b, double after, double* t,
                  snVec3* normal);

// A way from a to b against boxes.
typedef struct snWay {
    snVec3 a, inverse; // 1 / (b - a), huge where that is none
} snWay;

SN_FN double snWay_Inverse(double d)
{
    return fabs(d) > 1e-300 ? 1 / d : 1e300; // finite: 0 times it is 0
}

SN_FN snWay snWay_From(snVec3 a, snVec3 b)
{
    snVec3 d = snSub(b, a);
    snWay way;
    way.a = a;
    way.inverse = snV3(snWay_Inverse(d.x), snWay_Inverse(d.y), snWay_Inverse(d.z));
    return way;
}

// Whether its part from 0 to `most` meets the box. Yes in doubt: t is right to three roundings.
SN_FN bool snWay_Meets(const snWay* way, const snBox* box, double most)
{
    snVec3 s = snMul3(snSub(box->lo, way->a), way->inverse);
    snVec3 e = snMul3(snSub(box->hi, way->a), way->inverse);
    snVec3 in = snMin3(s, e), out = snMax3(s, e);
    double first = in.x > in.y ? in.x : in.y, last = out.x < out.y ? out.x : out.y;
    first = first > in.z ? first : in.z;
    last = last < out.z ? last : out.z;
    first = first > 0 ? first : 0;
    last = last < most ? last : most;
    return first <= last * (1 + 1e-15);
}

SN_END_C

#endif
