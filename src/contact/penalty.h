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
#ifndef SN_CONTACT_PENALTY_H
#define SN_CONTACT_PENALTY_H

#include "contact/memory.h"
#include "math/vec.h"

SN_BEGIN_C

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
double snPenalty_Left(double h, double stable_step);

// c of a part of the budget.
double snPenalty_Share(double left);

snFirmness snPenalty_Firmness(double left, double mass);

SN_FN snFirmness snPenalty_Immovable(void)
{
    snFirmness out = {(double)INFINITY, (double)INFINITY};
    return out;
}

// Of so many times the mass.
SN_FN snFirmness snPenalty_Scale(snFirmness a, double times)
{
    snFirmness out = {a.spring * times, a.damper * times};
    return out;
}

// Both sides in series.
SN_FN snFirmness snPenalty_Join(snFirmness a, snFirmness b)
{
    if (isinf(b.spring)) { // mostly
        return a;
    }
    if (isinf(a.spring)) {
        return b;
    }
    snFirmness out = {a.spring * b.spring / (a.spring + b.spring),
                      a.damper * b.damper / (a.damper + b.damper)};
    return out;
}

// The damping that gives back this part of the speed in a bounce.
double snPenalty_Damping(double restitution);

// How much deeper a point may be than a step before, how far one that is deeper than it can have
// come is lifted, and up to which way that its spring is pressed in, m.
typedef struct snEntry {
    double come, lift, most;
} snEntry;

// Into what keeps its shape: generous, corners turn the way out.
SN_FN snEntry snPenalty_IntoHard(double h, snVec3 v)
{
    snEntry entry = {4 * h * (snLength(v) + SN_LIFT_SPEED), SN_LIFT_SPEED * h,
                     SN_LIFT_STEPS * SN_LIFT_SPEED * h};
    return entry;
}

// Rigid into what keeps its shape. Comes up so slowly that a blow without restitution is none.
SN_FN snEntry snPenalty_IntoRigid(double h, snVec3 v, const snContactMemo* memo)
{
    snEntry entry = snPenalty_IntoHard(h, v);
    double lift = SN_LIFT_RATE * h * (double)memo->sunk;
    entry.lift = lift < entry.lift ? lift : entry.lift;
    entry.most = HUGE_VAL;
    return entry;
}

// Into flesh, which folds and turns its way out: by no more than the point has come in along the
// normal, so that springs hardly give back more than was put in.
SN_FN snEntry snPenalty_IntoSoft(double h, double since, snVec3 v, snVec3 normal)
{
    double in = -since * snDot(v, normal), lift = SN_LIFT_SPEED * h;
    snEntry entry = {(in > 0 ? in : 0) + lift, lift, HUGE_VAL};
    return entry;
}

// A point that is inside something.
typedef struct snPenaltyPoint {
    snRub rub;
    snFirmness firm; // of both sides
    snBlow blow;
    snEntry entry;
    snVec3 normal; // out
    double depth;  // m
    snVec3 v;      // of the point against what it is in, m/s
    double since;  // for which it has moved so, s
} snPenaltyPoint;

// In the header, because it is called for every point that touches something.

// A blow has done when this part of its speed is missing, or when it gave all that it may so often:
// then something presses on, and the spring must bear it.
#define SN_BLOW_MISSING 0.05
#define SN_BLOW_HELD 4

// Cosine of the angle by which the way out may turn in a step.
#define SN_PENALTY_STEADY 0.5

// How far the spring is pressed in. What is deeper than it can have come was put there, or what it
// is in has folded or turned its way out: it is sunk, and comes up slowly, not shot out.
SN_FN double snPenalty_PressedIn(double depth, snVec3 normal, const snEntry* entry,
                                 snContactMemo* memo)
{
    const float* n = memo->normal;
    double turned = normal.x * (double)n[0] + normal.y * (double)n[1] + normal.z * (double)n[2];
    double sunk = (double)memo->sunk;
    double before = memo->age > 0 && turned > SN_PENALTY_STEADY ? (double)memo->depth - sunk : 0;
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

SN_FN snVec3 snPenalty_Across(snVec3 v, snVec3 normal)
{
    return snMulAdd(v, -snDot(v, normal), normal);
}

// The spring throws bodies back, and what damps it until they stop leaves it more than enough for
// that; but no further than to the speed at which they are to part.
SN_FN double snPenalty_RigidPush(const snPenaltyPoint* p, double h, double in, double speed,
                                 snContactMemo* memo)
{
    const snRub* rub = &p->rub;
    const snBlow* blow = &p->blow;
    double spring = blow->firm.spring / h / h * in, damper = 2 * blow->firm.damper / h;
    if (!(memo->hit > 0)) {
        return spring - damper * speed;
    }
    double hit = (double)memo->hit > -speed ? (double)memo->hit : -speed;
    double aim = rub->restitution * hit, most = blow->mass / h * (aim - speed);
    double push = spring - (speed < 0 ? rub->damping * damper * speed : 0);
    bool done = speed > aim - SN_BLOW_MISSING * hit;
    memo->held += push > most;
    memo->hit = done || memo->held > SN_BLOW_HELD ? 0 : (float)hit;
    memo->sunk = done ? memo->depth : memo->sunk;
    return push < most ? push : most;
}

// The force on the point in a step of h. The memo follows.
//
// The slip is taken back when the friction cone is left, so that the spring holds just what the
// cone allows. Without a spring a body on a slope would creep.
SN_FN snVec3 snPenalty_Force(const snPenaltyPoint* p, double h, snContactMemo* memo)
{
    const double rate = 1 / h;
    double k = p->firm.spring * rate * rate, d = 2 * p->firm.damper * rate;
    bool fresh = memo->age == 0, rigid = p->blow.mass > 0;
    snVec3 normal = p->normal;
    double speed = snDot(p->v, normal);
    if (fresh && rigid) {
        double hit = -speed > p->blow.hit ? -speed : p->blow.hit;
        memo->hit = hit > SN_SLOW ? (float)hit : 0;
    }
    double in = snPenalty_PressedIn(p->depth, normal, &p->entry, memo);
    double push =
        rigid ? snPenalty_RigidPush(p, h, in, speed, memo) : k * in - p->rub.damping * d * speed;
    push = push > 0 ? push : 0;
    snVec3 along = snPenalty_Across(p->v, normal);
    snVec3 slip = snV3((double)memo->slip[0], (double)memo->slip[1], (double)memo->slip[2]);
    slip = snPenalty_Across(fresh ? snV3(0, 0, 0) : snMulAdd(slip, p->since, along), normal);
    snVec3 drag = snAdd(snScale(-k, slip), snScale(-d, along));
    double size_sq = snLengthSq(drag), most = p->rub.friction * push;
    if (size_sq > most * most) {
        drag = snScale(most / sqrt(size_sq), drag);
        slip = snScale(-1 / k, drag);
    }
    memo->slip[0] = (float)slip.x;
    memo->slip[1] = (float)slip.y;
    memo->slip[2] = (float)slip.z;
    return snMulAdd(drag, push, normal);
}

SN_END_C

#endif
