// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The alternative that lets nothing in: after a step the deepest point in each cell is put back on
// the ground or obstacle that it entered, and its approach stopped by an impulse with friction (Kim
// & Pollard 2011, 4.4; only one point in a cell, since several would contradict each other).
#include "contact/contacts.h"

// Cells that a bone holds are left to springs: moving their other nodes alone would crush them
// against a bone that comes down.
static bool isHeld(const snSoft* s, const snTie* tie)
{
    bool held = false;
    for (int k = 0; k < 4; ++k) {
        held = held || s->flesh->inverse_mass[tie->node[k]] == 0;
    }
    return held;
}

// Moves the cell's nodes so that the point moves by `way`; each node's part goes with weight over
// mass. Returns the impulse per velocity change, kg.
static double moveNodes(const snSoft* s, const snTie* tie, snVec3 way, snVec4f* a)
{
    double sum = 0;
    for (int k = 0; k < 4; ++k) {
        double w = (double)tie->weight[k];
        sum += w * w * (double)s->flesh->inverse_mass[tie->node[k]];
    }
    for (int k = 0; k < 4; ++k) {
        snVec4f* p = &a[tie->node[k]];
        double w = (double)tie->weight[k], r = (double)s->flesh->inverse_mass[tie->node[k]];
        float part = (float)(w * r / sum);
        p->x += part * (float)way.x;
        p->y += part * (float)way.y;
        p->z += part * (float)way.z;
    }
    return 1 / sum;
}

// The change of velocity that stops a point's approach and, as far as friction reaches, its slip.
static snVec3 stopping(const snRub* rub, snVec3 normal, snVec3 v)
{
    double approach = -snDot(v, normal);
    if (approach <= 0) {
        return snV3(0, 0, 0);
    }
    snVec3 slip = snMulAdd(v, approach, normal);
    double size = snLength(slip), most = rub->friction * approach;
    snVec3 drag = snScale(size > most ? -most / size : -1, slip);
    return snMulAdd(drag, approach, normal);
}

static void projectPoint(snContacts* c, snSoft* s, const snPress* p)
{
    const snTie* tie = &s->flesh->ties[p->point];
    const snRub* rub = snContacts_Rub(c, p->owner, p->other);
    moveNodes(s, tie, snScale(p->depth, p->normal), s->x);
    snVec3 change = stopping(rub, p->normal, p->v);
    double mass = moveNodes(s, tie, change, s->v);
    snHard* wall = snContacts_Hard(c, p->other);
    if (wall && wall->rigid) {
        snVec3 back = snScale(-mass, change);
        wall->hit.f = snAdd(wall->hit.f, back);
        wall->hit.n = snAdd(wall->hit.n, snCross(snSub(p->place, wall->com), back));
    }
}

// The deepest point of each cell that has one inside something.
static void findDeepest(const snContacts* c, int32_t soft)
{
    snSoft* s = &c->softs[soft];
    s->projected = 0;
    for (int64_t k = 0; k < *s->feeler.active_count; ++k) {
        int32_t point = s->feeler.active[k], cell = s->flesh->embedding.cell[point];
        snPress now;
        if (!isHeld(s, &s->flesh->ties[point]) && snContacts_Look(c, soft, point, &now)) {
            snPress* deepest = &s->deepest[cell];
            if (deepest->depth == 0) {
                s->cells[s->projected++] = cell;
            }
            *deepest = now.depth > deepest->depth ? now : *deepest;
        }
    }
}

static double depthNow(const snContacts* c, int32_t soft)
{
    const snSoft* s = &c->softs[soft];
    double most = 0;
    for (int64_t k = 0; k < *s->feeler.active_count; ++k) {
        snPress now;
        if (snContacts_Look(c, soft, s->feeler.active[k], &now)) {
            most = now.depth > most ? now.depth : most;
        }
    }
    return most;
}

void snContacts_Project(snContacts* c)
{
    for (int32_t i = 0; i < c->hard_count; ++i) {
        c->hards[i].hit = snWrenchFrom(snV3(0, 0, 0), snV3(0, 0, 0));
    }
    for (int32_t i = 0; i < c->soft_count; ++i) {
        snSoft* s = &c->softs[i];
        findDeepest(c, i);
        for (int32_t k = 0; k < s->projected; ++k) {
            projectPoint(c, s, &s->deepest[s->cells[k]]);
            s->deepest[s->cells[k]].depth = 0;
        }
        s->depth = depthNow(c, i);
    }
}
