// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "contact/ground.h"

// Damping of a contact, as a part of critical.
#define DAMPING 1.0

// The budget, with a margin for flesh that is stretched and so stiffer than at rest.
#define BUDGET 3.6

// Points that start below the ground come up at this speed, m/s.
#define LIFT_SPEED 0.5

// c when nothing is left: contact is soft then, but never without effect.
#define LEAST_SHARE 0.01

// c + 4 DAMPING sqrt(c) = what is left
double snGround_Share(double h, double stable_step)
{
    double part = h / stable_step, left = BUDGET - 4 * part * part;
    double root = left > 0 ? 0.5 * (sqrt(16 * DAMPING * DAMPING + 4 * left) - 4 * DAMPING) : 0;
    return root * root > LEAST_SHARE ? root * root : LEAST_SHARE;
}

static snVec3 blend(const snTie* tie, const snVec4f* a)
{
    snVec3 sum = snV3(0, 0, 0);
    for (int k = 0; k < 4; ++k) {
        const snVec4f* p = &a[tie->node[k]];
        sum = snMulAdd(sum, (double)tie->weight[k], snV3((double)p->x, (double)p->y, (double)p->z));
    }
    return sum;
}

static float heightOf(const snTie* tie, const snVec4f* x)
{
    return tie->weight[0] * x[tie->node[0]].y + tie->weight[1] * x[tie->node[1]].y +
           tie->weight[2] * x[tie->node[2]].y + tie->weight[3] * x[tie->node[3]].y;
}

// A point that touches for the first time and is deeper than it can have fallen in a few steps was
// put there.
static void startTouch(snVec3 y, snVec3 v, double depth, double h, snTouch* touch)
{
    double fallen = 4 * h * (snLength(v) + LIFT_SPEED);
    *touch = (snTouch){(float)y.x, (float)y.z, 1, (float)(depth > fallen ? depth - fallen : 0)};
}

// The anchor is pulled along when the friction cone is left, so that the spring holds just what the
// cone allows. Without it a body on a slope would creep.
static snVec3 pointForce(const snGround* ground, snVec3 y, snVec3 v, double depth, double k,
                         double d, snTouch* touch)
{
    double normal = k * depth - d * v.y;
    normal = normal > 0 ? normal : 0;
    double fx = -k * (y.x - (double)touch->x) - d * v.x;
    double fz = -k * (y.z - (double)touch->z) - d * v.z;
    double size = sqrt(fx * fx + fz * fz), most = ground->friction * normal;
    if (size > most) {
        fx *= most / size;
        fz *= most / size;
        touch->x = (float)(y.x + fx / k);
        touch->z = (float)(y.z + fz / k);
    }
    return snV3(fx, normal, fz);
}

static void scatter(const snTie* tie, snVec3 f, snVec4f* push)
{
    for (int k = 0; k < 4; ++k) {
        snVec4f* p = &push[tie->node[k]];
        p->x += tie->weight[k] * (float)f.x;
        p->y += tie->weight[k] * (float)f.y;
        p->z += tie->weight[k] * (float)f.z;
    }
}

int32_t snGround_Push(const snGround* ground, const snTouching* body, double h, snVec4f* push,
                      snWrench* load)
{
    const snFlesh* flesh = body->flesh;
    const double c = snGround_Share(h, flesh->step.rest);
    const float level = (float)(ground->height - body->origin.y);
    int32_t count = 0;
    *load = snWrenchFrom(snV3(0, 0, 0), snV3(0, 0, 0));
    for (int32_t u = 0; u < flesh->point_count; ++u) {
        const snTie* tie = &flesh->ties[u];
        float height = heightOf(tie, body->x);
        if (!(height < level)) {
            body->touches[u].on = 0;
            continue;
        }
        double m = (double)flesh->contact_mass[u];
        double k = c / (h * h) * m, d = 2 * DAMPING * sqrt(c) / h * m;
        snVec3 y = blend(tie, body->x), v = blend(tie, body->v);
        snTouch* touch = &body->touches[u];
        if (touch->on == 0) {
            startTouch(y, v, (double)level - y.y, h, touch);
        }
        double depth = (double)level - y.y - (double)touch->sunk;
        float left = touch->sunk - (float)(LIFT_SPEED * h);
        touch->sunk = left > 0 ? left : 0;
        snVec3 f = pointForce(ground, y, v, depth, k, d, touch);
        scatter(tie, f, push);
        load->f = snAdd(load->f, f);
        load->n = snAdd(load->n, snCross(y, f));
        count++;
    }
    return count;
}
