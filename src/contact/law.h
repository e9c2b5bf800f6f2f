// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// How hard a point that is inside something is pushed out: a spring and a damper along the normal,
// Coulomb friction by a spring to where the point last stuck.
//
// A step h is stable while h^2 k/m + 2 h d/m < 4 with every contact on a mass counted. Elasticity
// uses 4 (h/H)^2 of that budget, H being the largest stable step of the flesh alone; contact takes
// what is left, less a tenth: k = c/h^2 m and d = 2 sqrt(c)/h m with c + 4 sqrt(c) = what is left,
// where m is the part of the mass behind the contact that is its own when all contacts on the same
// mass share it.
//
// Rigid bodies that meet do so in a blow: the spring throws them back until they part at the speed
// that restitution asks for, at once or within a few steps, and is spent then. What they lie on
// afterwards, or meet slower than SN_SLOW, damps them critically.
#ifndef SN_CONTACT_LAW_H
#define SN_CONTACT_LAW_H

#include "contact/touch.h"
#include "math/vec.h"

// One side of a contact: c m and sqrt(c) m, kg. Sides that do not give way are infinite.
typedef struct snFirmness {
    double spring, damper;
} snFirmness;

// Slower rigid bodies do not bounce, m/s.
#define SN_SLOW 0.1

// Points that start inside something come out at this speed, m/s. Those of flesh in what keeps its
// shape wait while their spring is pressed in by what takes so many steps at it: then something
// holds them, as the flesh on the other side of a wall does, and would be torn.
#define SN_LIFT_SPEED 0.5
#define SN_LIFT_STEPS 8

// Part of their depth by which rigid bodies that a blow left inside come up, 1/s.
#define SN_LIFT_RATE 4.0

// Coefficients between two materials.
typedef struct snRub {
    double friction, restitution;
    double damping; // as a part of critical, from restitution
} snRub;

// Where rigid bodies meet, for one of their points.
typedef struct snBlow {
    double mass;     // behind it along the normal, kg; 0 = they are not rigid
    double hit;      // how fast other points of theirs have met, in the same blow, m/s
    snFirmness firm; // along the normal
} snBlow;

// What elasticity leaves of the budget in steps of h.
double snLaw_Left(double h, double stable_step);

// c of a part of the budget.
double snLaw_Share(double left);

snFirmness snLaw_Firmness(double left, double mass);
snFirmness snLaw_Immovable(void);

// Of so many times the mass.
SN_FN snFirmness snLaw_Scale(snFirmness a, double times)
{
    snFirmness out = {a.spring * times, a.damper * times};
    return out;
}

// Both sides in series.
snFirmness snLaw_Join(snFirmness a, snFirmness b);

// The damping that gives back this part of the speed in a bounce.
double snLaw_Damping(double restitution);

// How much deeper a point may be than a step before, how far one that is deeper than it can have
// come is lifted, and up to which way that its spring is pressed in, m.
typedef struct snEntry {
    double come, lift, most;
} snEntry;

// Into what keeps its shape: generous, corners turn the way out.
SN_FN snEntry snLaw_IntoHard(double h, snVec3 v)
{
    snEntry entry = {4 * h * (snLength(v) + SN_LIFT_SPEED), SN_LIFT_SPEED * h,
                     SN_LIFT_STEPS * SN_LIFT_SPEED * h};
    return entry;
}

// Rigid into what keeps its shape. Comes up so slowly that a blow without restitution is none.
SN_FN snEntry snLaw_IntoRigid(double h, snVec3 v, const snTouch* touch)
{
    snEntry entry = snLaw_IntoHard(h, v);
    double lift = SN_LIFT_RATE * h * (double)touch->sunk;
    entry.lift = lift < entry.lift ? lift : entry.lift;
    entry.most = HUGE_VAL;
    return entry;
}

// Into flesh, which folds and turns its way out: by no more than the point has come in along the
// normal, so that springs hardly give back more than was put in.
SN_FN snEntry snLaw_IntoSoft(double h, double since, snVec3 v, snVec3 normal)
{
    double in = -since * snDot(v, normal), lift = SN_LIFT_SPEED * h;
    snEntry entry = {(in > 0 ? in : 0) + lift, lift, HUGE_VAL};
    return entry;
}

// A point that is inside something.
typedef struct snPush {
    snRub rub;
    snFirmness firm; // of both sides
    snBlow blow;
    snEntry entry;
    snVec3 normal; // out
    double depth;  // m
    snVec3 v;      // of the point against what it is in, m/s
    double since;  // for which it has moved so, s
} snPush;

// The force on the point in a step of h. The touch follows.
snVec3 snLaw_Force(const snPush* push, double h, snTouch* touch);

#endif
