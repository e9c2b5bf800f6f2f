// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "contact/law.h"

#include "math/trig.h"

// The budget, with a margin for flesh that is stretched and so stiffer than at rest.
#define BUDGET 3.6

// A blow has done when this part of its speed is missing, or when it gave all that it may so often:
// then something presses on, and the spring must bear it.
#define MISSING 0.05
#define MOST_HELD 4

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

// How far the spring is pressed in. What is deeper than it can have come was put there, or what it
// is in has folded or turned its way out: it is sunk, and comes up slowly, not shot out.
static double pressedIn(double depth, snVec3 normal, const snEntry* entry, snTouch* touch)
{
    const float* n = touch->normal;
    double turned = normal.x * (double)n[0] + normal.y * (double)n[1] + normal.z * (double)n[2];
    double sunk = (double)touch->sunk;
    double before = touch->age > 0 && turned > STEADY ? (double)touch->depth - sunk : 0;
    double most = (before > 0 ? before : 0) + entry->come;
    double lift = before > entry->most ? 0 : entry->lift;
    sunk = sunk > lift ? sunk - lift : 0;
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

// The spring throws bodies back, and what damps it until they stop leaves it more than enough for
// that; but no further than to the speed at which they are to part.
static double rigidPush(const snPush* p, double h, double in, double speed, snTouch* touch)
{
    const snRub* rub = &p->rub;
    const snBlow* blow = &p->blow;
    double spring = blow->firm.spring / h / h * in, damper = 2 * blow->firm.damper / h;
    if (!(touch->hit > 0)) {
        return spring - damper * speed;
    }
    double hit = (double)touch->hit > -speed ? (double)touch->hit : -speed;
    double aim = rub->restitution * hit, most = blow->mass / h * (aim - speed);
    double push = spring - (speed < 0 ? rub->damping * damper * speed : 0);
    bool done = speed > aim - MISSING * hit;
    touch->held += push > most;
    touch->hit = done || touch->held > MOST_HELD ? 0 : (float)hit;
    touch->sunk = done ? touch->depth : touch->sunk;
    return push < most ? push : most;
}

// The slip is taken back when the friction cone is left, so that the spring holds just what the
// cone allows. Without a spring a body on a slope would creep.
snVec3 snLaw_Force(const snPush* p, double h, snTouch* touch)
{
    const double rate = 1 / h;
    double k = p->firm.spring * rate * rate, d = 2 * p->firm.damper * rate;
    bool fresh = touch->age == 0, rigid = p->blow.mass > 0;
    snVec3 normal = p->normal;
    double speed = snDot(p->v, normal);
    if (fresh && rigid) {
        double hit = -speed > p->blow.hit ? -speed : p->blow.hit;
        touch->hit = hit > SN_SLOW ? (float)hit : 0;
    }
    double in = pressedIn(p->depth, normal, &p->entry, touch);
    double push = rigid ? rigidPush(p, h, in, speed, touch) : k * in - p->rub.damping * d * speed;
    push = push > 0 ? push : 0;
    snVec3 along = across(p->v, normal);
    snVec3 slip = snV3((double)touch->slip[0], (double)touch->slip[1], (double)touch->slip[2]);
    slip = across(fresh ? snV3(0, 0, 0) : snMulAdd(slip, p->since, along), normal);
    snVec3 drag = snAdd(snScale(-k, slip), snScale(-d, along));
    double size_sq = snLengthSq(drag), most = p->rub.friction * push;
    if (size_sq > most * most) {
        drag = snScale(most / sqrt(size_sq), drag);
        slip = snScale(-1 / k, drag);
    }
    touch->slip[0] = (float)slip.x;
    touch->slip[1] = (float)slip.y;
    touch->slip[2] = (float)slip.z;
    return snMulAdd(drag, push, normal);
}
