// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// How hard flesh resists what presses on it. Its outermost layer, d = 1 % of the local thickness
// thick, is squeezed by what comes into it to the depth w: the pressure is
//
//   p = M (x + x^2),  x = w/d,  (from x = 4 on M 5 x)  M = E (1 - nu) / ((1 + nu) (1 - 2 nu)),
//
// damped with the time t = 2 z d / sqrt(M/density), z = 1 when nothing is to be given back. A point
// that stands for an area carries that area's part of it. Across, a layer has 2 (1 - nu) / (2 - nu)
// of its stiffness along the normal, and slips when friction is used up. Two layers that meet are
// in series. Nothing of this depends on the step or on the cells.
//
// What follows is what a point remembers of how it came in, and the damping of a bounce.
#ifndef SN_CONTACT_LAW_H
#define SN_CONTACT_LAW_H

#include "contact/memory.h"
#include "math/vec.h"

SN_BEGIN_C

// A layer of skin.
typedef struct snLayer {
    double thickness; // d, m; 0 = none: that side keeps its shape
    double modulus;   // M, Pa
    double density;   // kg/m^3
    double shear;     // stiffness across as a part of that along the normal
} snLayer;

// One layer or two, for a point.
typedef struct snContactLaw {
    double stiffness; // where it begins to be squeezed, N/m
    double layer;     // m
    double time;      // of damping at a damping ratio of 1, s
    double shear;
} snContactLaw;

// Coefficients between two materials.
typedef struct snRub {
    double friction, restitution;
    double damping; // as a part of critical, from restitution
} snRub;

// The damping ratio that gives back this part of the speed in a bounce.
double snContactLaw_Damping(double restitution);

// One of the layers may have no thickness, not both.
SN_FN snContactLaw snContactLaw_Join(const snLayer* a, const snLayer* b, double area)
{
    snContactLaw law;
    const double da = a->thickness, db = b->thickness, d = da + db;
    const double give = (da > 0 ? da / a->modulus : 0) + (db > 0 ? db / b->modulus : 0); // m/Pa
    const double mass = da * a->density + db * b->density;                               // kg/m^2
    law.stiffness = area / give;
    law.layer = d;
    law.time = 2 * sqrt(mass * give); // 2 d sqrt(density/M)
    law.shear = (da * a->shear + db * b->shear) / d;
    return law;
}

// Layers deep up to which the pressure grows faster than the depth. Deeper the nearest way out is a
// guess, and what is pushed by it must not be shot out.
#define SN_LAYERS 4.0

// The secant: force over depth, N/m.
SN_FN double snContactLaw_Stiffness(const snContactLaw* law, double depth)
{
    double x = depth / law->layer;
    return law->stiffness * (1 + (x > SN_LAYERS ? SN_LAYERS : x > 0 ? x : 0));
}

// Coming in -----------------------------------------------------------------------

// How much deeper a point may be than a step before, how far one that is deeper than it can have
// come is lifted, and up to which way that its spring is pressed in, m.
typedef struct snEntry {
    double come, lift, most;
} snEntry;

// Cosine of the angle by which the way out may turn in a step.
#define SN_ENTRY_STEADY 0.5

// Into what keeps its shape: generous, corners turn the way out. lift: how far it comes up; it
// waits while it is pressed in by more than `most`, as by the flesh on the other side of a wall.
SN_FN snEntry snEntry_IntoHard(double h, double lift, double most, snVec3 v)
{
    snEntry entry = {4 * (h * snLength(v) + lift), lift, most};
    return entry;
}

// Into flesh, which folds and turns its way out: by no more than the point has come in along the
// normal, so that springs hardly give back more than was put in.
SN_FN snEntry snEntry_IntoSoft(double since, double lift, snVec3 v, snVec3 normal)
{
    double in = -since * snDot(v, normal);
    snEntry entry = {(in > 0 ? in : 0) + lift, lift, HUGE_VAL};
    return entry;
}

// How far the spring is pressed in. What is deeper than it can have come was put there, or what it
// is in has folded or turned its way out: it is sunk, and comes up slowly, not shot out.
SN_FN double snEntry_PressedIn(const snEntry* entry, double depth, snVec3 normal,
                               snContactMemo* memo)
{
    const float* n = memo->normal;
    double turned = normal.x * (double)n[0] + normal.y * (double)n[1] + normal.z * (double)n[2];
    double sunk = (double)memo->sunk;
    double before = memo->age > 0 && turned > SN_ENTRY_STEADY ? (double)memo->depth - sunk : 0;
    double most = (before > 0 ? before : 0) + entry->come;
    double lift = before > entry->most ? 0 : entry->lift;
    sunk = sunk > lift ? sunk - lift : 0;
    sunk = depth - sunk > most ? depth - most : sunk;
    memo->sunk = (float)sunk;
    memo->age = memo->age < 1000 ? memo->age + 1 : 1000;
    memo->depth = (float)depth;
    memo->normal[0] = (float)normal.x;
    memo->normal[1] = (float)normal.y;
    memo->normal[2] = (float)normal.z;
    return depth - sunk;
}

SN_FN snVec3 snContactLaw_Across(snVec3 v, snVec3 normal)
{
    return snMulAdd(v, -snDot(v, normal), normal);
}

SN_END_C

#endif
