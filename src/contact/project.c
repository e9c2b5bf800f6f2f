// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The alternative that lets nothing in: after a step the deepest point in each cell is put back on
// the ground or obstacle that it entered, and its approach stopped by an impulse with friction (Kim
// & Pollard 2011, 4.4; only one point in a cell, since several would contradict each other). Nodes
// that are fixed to a bone cannot be put back; the bone gets their part of the impulse, and cells
// with such nodes are pushed out by springs as ever: moving their other nodes alone would crush
// them against a bone that comes down.
#include "contact/contacts.h"

#include <string.h>

// Part of a bone's mass that stands for it where it is hit: it may turn, and it carries limbs.
#define BONE_SHARE 0.3

static bool isHeld(const snSoft* s, const snTie* tie)
{
    bool held = false;
    for (int k = 0; k < 4; ++k) {
        held = held || s->flesh->inverse_mass[tie->node[k]] == 0;
    }
    return held;
}

// 1/kg of each node; a bone is shared by the cells that hit it.
static void massesOf(const snSoft* s, const snTie* tie, double inverse[4])
{
    const snFleshView* flesh = s->flesh;
    for (int k = 0; k < 4; ++k) {
        int32_t bone = flesh->bone_of[tie->node[k]];
        inverse[k] = (double)flesh->inverse_mass[tie->node[k]];
        if (bone >= 0) {
            inverse[k] = s->hit_counts[bone] / (BONE_SHARE * flesh->skeleton->bones[bone].mass);
        }
    }
}

// Moves the cell's nodes so that the point moves by `way`; each node's part goes with weight over
// mass. Returns the impulse per velocity change, kg.
static double moveNodes(const snTie* tie, const double inverse[4], snVec3 way, snVec4f* a)
{
    double sum = 0;
    for (int k = 0; k < 4; ++k) {
        double w = (double)tie->weight[k];
        sum += w * w * inverse[k];
    }
    for (int k = 0; k < 4; ++k) {
        snVec4f* p = &a[tie->node[k]];
        float part = (float)((double)tie->weight[k] * inverse[k] / sum);
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

static void addHit(snWrench* hit, snVec3 arm, snVec3 impulse)
{
    hit->f = snAdd(hit->f, impulse);
    hit->n = snAdd(hit->n, snCross(arm, impulse));
}

// What its fixed nodes got goes to the bones.
static void hitBones(snSoft* s, const snTie* tie, snVec3 impulse)
{
    for (int k = 0; k < 4; ++k) {
        int32_t bone = s->flesh->bone_of[tie->node[k]];
        const snVec4f* x = &s->x[tie->node[k]];
        if (bone >= 0) {
            snVec3 at = snV3((double)x->x, (double)x->y, (double)x->z);
            addHit(&s->hits[bone], at, snScale((double)tie->weight[k], impulse));
        }
    }
}

static void projectPoint(snContacts* c, snSoft* s, const snPress* p)
{
    const snTie* tie = &s->flesh->ties[p->point];
    double inverse[4];
    massesOf(s, tie, inverse);
    if (!isHeld(s, tie)) {
        moveNodes(tie, inverse, snScale(-p->gap, p->normal), s->x);
    }
    snVec3 change = stopping(snContacts_Rub(c, p->owner, p->other), p->normal, p->v);
    snVec3 impulse = snScale(moveNodes(tie, inverse, change, s->v), change);
    hitBones(s, tie, impulse);
    snHard* wall = snContacts_Hard(c, p->other);
    if (wall && wall->rigid) {
        addHit(&wall->hit, snSub(p->place, wall->com), snNeg(impulse));
    }
}

// The deepest point of each cell that has one inside something, and how many hit each bone.
static void findDeepest(const snContacts* c, int32_t soft)
{
    snSoft* s = &c->softs[soft];
    size_t bones = (size_t)s->flesh->skeleton->bone_count;
    s->projected = 0;
    memset(s->hits, 0, bones * sizeof *s->hits);
    memset(s->hit_counts, 0, bones * sizeof *s->hit_counts);
    for (int64_t k = 0; k < *s->feeler.active_count; ++k) {
        int32_t point = s->feeler.active[k], cell = s->flesh->cell_of[point];
        snPress now;
        if (snContacts_Look(c, soft, point, &now)) {
            snPress* deepest = &s->deepest[cell];
            if (deepest->gap == 0) {
                s->cells[s->projected++] = cell;
            }
            *deepest = now.gap < deepest->gap ? now : *deepest;
        }
    }
    for (int32_t k = 0; k < s->projected; ++k) {
        const int32_t* nodes = s->flesh->tets.tet + 4 * (size_t)s->cells[k];
        for (int n = 0; n < 4; ++n) {
            int32_t bone = s->flesh->bone_of[nodes[n]];
            if (bone >= 0) {
                s->hit_counts[bone]++;
            }
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
            most = -now.gap > most ? -now.gap : most;
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
        s->projected = 0;
        if (s->asleep) {
            continue;
        }
        findDeepest(c, i);
        for (int32_t k = 0; k < s->projected; ++k) {
            projectPoint(c, s, &s->deepest[s->cells[k]]);
            s->deepest[s->cells[k]].gap = 0;
        }
        s->depth = depthNow(c, i);
    }
}
