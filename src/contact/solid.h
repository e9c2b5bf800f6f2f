// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What an obstacle is made of: one or more shapes in its frame, which may overlap. Immutable.
#ifndef SN_CONTACT_SOLID_H
#define SN_CONTACT_SOLID_H

#include "contact/shape.h"

SN_BEGIN_C

// One place where a solid is left or entered.
typedef struct snSolidHit {
    snVec3 normal; // unit, outwards
    double depth;  // Inside: distance to leave along the normal; Cast: distance from the start, m
    int32_t shape;
} snSolidHit;

typedef struct snSolid {
    int32_t shape_count;
    snShape* shapes;
    snBvh bvh;        // of the shapes' boxes
    snBox box;        // around all of it, in its frame
    double thickness; // the least width of any shape (box: least side; sphere, capsule: diameter;
                      // mesh: 98 % of its area has at least this much behind it), m
    double size;      // diagonal of the box, m
    double volume;    // shapes that overlap count as often as there are, m^3
    snVec3 com;       // of that volume, m
    snSym3 inertia;   // about com, at unit density, m^5
    int32_t point_count;  // corners, points on edges and faces: what feels soft surfaces
    double point_area;    // that one of these stands for, m^2
    int32_t hard_count;   // these and some more: what feels other solids
    const snVec3* points; // m, in its frame; none inside another shape; (hard_count)
    int32_t prop_count;   // of them, those that a flat ground feels: of a box its corners
    const int32_t* props;
} snSolid;

// spacing: wanted distance between points, m. At most 20,000 points: larger spacing then.
snStatus snSolid_Build(snArena* arena, const snShapeDef* shapes, int32_t count, double spacing,
                       snSolid* solid, snMessage* why);

// Whether p (in its frame) lies inside; then where the nearest way out is. In several overlapping
// shapes: the one it is deepest in.
bool snSolid_Inside(const snSolid* solid, snVec3 p, snSolidHit* hit);

// How far p is from the nearest shape's box, 0 inside: all shapes are at least as far; infinite
// from `most` on. m
double snSolid_Gap(const snSolid* solid, snVec3 p, double most);

// Whether p, which is not inside, is at most so far from it; then hit->depth is the distance and
// hit->normal looks from the nearest place to p.
bool snSolid_Outside(const snSolid* solid, snVec3 p, double most, snSolidHit* hit);

// The first place where the way from a to b enters the solid; false when it does not (also when it
// starts inside and never enters again). Going from one shape into another that it touches or
// overlaps is not entering.
bool snSolid_Cast(const snSolid* solid, snVec3 a, snVec3 b, snSolidHit* hit);

SN_END_C

#endif
