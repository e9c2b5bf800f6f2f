// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "contact/law.h"

#include "math/trig.h"

// The budget, with a margin for flesh that is stretched and so stiffer than at rest.
#define BUDGET 3.6

// Points that start inside something come out at this speed, m/s.
#define LIFT_SPEED 0.5

// Cosine of the angle by which the way out may turn in a step.
#define STEADY 0.5

// c when nothing is left: contact is soft then, but never without effect.
#define LEAST_SHARE 0.01

double snLaw_Left(double h, double stable_step)
{
    double part = h / stable_step;
    return BUDGET - 4 * part * part;
}

double snLaw_Share(double left)
{
    double root = left > 0 ? sqrt(4 + left) - 2 : 0;
    return root * root > LEAST_SHARE ? root * root : LEAST_SHARE;
}

snFirmness snLaw_Firmness(double left, double mass)
{
    double c = snLaw_Share(left);
    snFirmness out = {c * mass, sqrt(c) * mass};
    return out;
}

snFirmness snLaw_Immovable(void)
{
    snFirmness out = {(double)INFINITY, (double)INFINITY};
    return out;
}

snFirmness snLaw_Join(snFirmness a, snFirmness b)
{
    bool alone = isinf(b.spring) && isinf(b.damper); // mostly; saves two divisions
    double spring = alone ? 0 : 1 / b.spring, damper = alone ? 0 : 1 / b.damper;
    snFirmness out = {1 / (1 / a.spring + spring), 1 / (1 / a.damper + damper)};
    return out;
}

// e = exp(-pi z / sqrt(1 - z^2)) for a spring that is left when it has pushed back
double snLaw_Damping(double restitution)
{
    double low = 0, high = 1;
    for (int i = 0; i < 50; ++i) {
        double z = 0.5 * (low + high);
        bool more = snExp(-SN_PI * z / sqrt(1 - z * z)) > restitution;
        low = more ? z : low;
        high = more ? high : z;
    }
    return restitution > 0 ? 0.5 * (low + high) : 1;
}

// A point cannot sink in faster than it moves. One that is deeper than it can have come in a few
// steps was put there, or what it is in has folded: it is pushed out slowly, not shot out. The same
// when the way out has turned.
static double depthOf(double depth, snVec3 normal, double speed, double h, snTouch* touch)
{
    const float* n = touch->normal;
    double turned = normal.x * (double)n[0] + normal.y * (double)n[1] + normal.z * (double)n[2];
    double come = 4 * h * (speed + LIFT_SPEED), sunk = (double)touch->sunk - LIFT_SPEED * h;
    sunk = sunk > 0 ? sunk : 0;
    double before = touch->age > 0 && turned > STEADY ? (double)touch->depth - sunk : 0;
    double most = (before > 0 ? before : 0) + come;
    sunk = depth - sunk > most ? depth - most : sunk;
    touch->sunk = (float)sunk;
    touch->age = touch->age < 1000 ? touch->age + 1 : 1000;
    touch->depth = (float)depth;
    touch->normal[0] = (float)normal.x;
    touch->normal[1] = (float)normal.y;
    touch->normal[2] = (float)normal.z;
    return depth - sunk;
}

static snVec3 across(snVec3 v, snVec3 normal)
{
    return snMulAdd(v, -snDot(v, normal), normal);
}

// The slip is taken back when the friction cone is left, so that the spring holds just what the
// cone allows. Without a spring a body on a slope would creep.
snVec3 snLaw_Force(const snRub* rub, snFirmness firmness, double h, double since, snVec3 normal,
                   double depth, snVec3 v, snTouch* touch)
{
    double k = firmness.spring / (h * h), d = 2 * firmness.damper / h;
    bool fresh = touch->age == 0;
    double push =
        k * depthOf(depth, normal, snLength(v), h, touch) - rub->damping * d * snDot(v, normal);
    push = push > 0 ? push : 0;
    snVec3 along = across(v, normal);
    snVec3 slip = snV3((double)touch->slip[0], (double)touch->slip[1], (double)touch->slip[2]);
    slip = across(fresh ? snV3(0, 0, 0) : snMulAdd(slip, since, along), normal);
    snVec3 drag = snAdd(snScale(-k, slip), snScale(-d, along));
    double size = snLength(drag), most = rub->friction * push;
    if (size > most) {
        drag = snScale(most / size, drag);
        slip = snScale(-1 / k, drag);
    }
    touch->slip[0] = (float)slip.x;
    touch->slip[1] = (float)slip.y;
    touch->slip[2] = (float)slip.z;
    return snMulAdd(drag, push, normal);
}
