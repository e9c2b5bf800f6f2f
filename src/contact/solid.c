// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "contact/solid.h"

#include "base/message.h"
#include "contact/solid_points.h"
#include <sinew/skeleton.h>

#define MOST_SHAPES 1000

// Just before a place: this part of the thickness back.
#define JUST 1e-6

// Making -------------------------------------------------------------------------

static void addUp(snSolid* solid)
{
    snMass whole = {0};
    solid->box = snBox_Empty();
    solid->thickness = HUGE_VAL;
    for (int32_t i = 0; i < solid->shape_count; ++i) {
        const snShape* s = &solid->shapes[i];
        snMass mass = {s->volume, s->com, s->inertia};
        whole = snMass_Add(&whole, &mass);
        solid->box = snBox_Union(solid->box, s->box);
        solid->thickness = s->thickness < solid->thickness ? s->thickness : solid->thickness;
    }
    solid->size = snLength(snSub(solid->box.hi, solid->box.lo));
    solid->volume = whole.mass;
    solid->com = whole.com;
    solid->inertia = whole.inertia;
}

static snStatus makeTree(snArena* arena, snSolid* solid, snMessage* why)
{
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    snBox* boxes = snArena_Push(&scratch, (size_t)solid->shape_count, sizeof(snBox));
    for (int32_t i = 0; i < solid->shape_count && boxes; ++i) {
        boxes[i] = solid->shapes[i].box;
    }
    snStatus status =
        boxes ? snBvh_Build(arena, boxes, solid->shape_count, 1, &solid->bvh, why)
              : snFail(why, sn_errorMemory, "out of memory for %d shapes", (int)solid->shape_count);
    snArena_Free(&scratch);
    return status;
}

snStatus snSolid_Build(snArena* arena, const snShapeDef* shapes, int32_t count, double spacing,
                       snSolid* solid, snMessage* why)
{
    *solid = (snSolid){.shape_count = count};
    if (!shapes || count < 1 || count > MOST_SHAPES) {
        return snFail(why, sn_errorArgument, "a solid has 1 to %d shapes, not %d", MOST_SHAPES,
                      (int)count);
    }
    if (!(spacing > 0)) {
        return snFail(why, sn_errorArgument, "points must have a distance above 0 m, not %g",
                      spacing);
    }
    solid->shapes = snArena_Push(arena, (size_t)count, sizeof(snShape));
    if (!solid->shapes) {
        return snFail(why, sn_errorMemory, "out of memory for %d shapes", (int)count);
    }
    for (int32_t i = 0; i < count; ++i) {
        snStatus status = snShape_Build(arena, &shapes[i], &solid->shapes[i], why);
        if (status) {
            snMessage_Prefix(why, "shape %d", (int)i);
            return status;
        }
    }
    addUp(solid);
    snStatus status = makeTree(arena, solid, why);
    return status ? status : snSolid_SpreadPoints(arena, spacing, solid, why);
}

// Queries ------------------------------------------------------------------------

SN_FN bool holds(const snBox* box, snVec3 p)
{
    return p.x >= box->lo.x && p.y >= box->lo.y && p.z >= box->lo.z && p.x <= box->hi.x &&
           p.y <= box->hi.y && p.z <= box->hi.z;
}

bool snSolid_InsideBut(const snSolid* solid, snVec3 p, int32_t except, snSolidHit* hit)
{
    const snBvhNode* nodes = solid->bvh.nodes;
    int32_t stack[SN_BVH_DEPTH + 1];
    int top = 0;
    hit->shape = -1;
    hit->depth = 0;
    stack[top++] = 0;
    while (top > 0) {
        const snBvhNode* node = &nodes[stack[--top]];
        if (!holds(&node->box, p)) {
            continue;
        }
        if (node->count == 0) {
            stack[top++] = node->first + 1;
            stack[top++] = node->first;
            continue;
        }
        for (int32_t i = node->first; i < node->first + node->count; ++i) {
            int32_t shape = solid->bvh.order[i];
            snVec3 normal;
            double depth;
            if (shape != except && snShape_Inside(&solid->shapes[shape], p, &normal, &depth) &&
                (depth > hit->depth || (depth == hit->depth && shape < hit->shape))) {
                *hit = (snSolidHit){normal, depth, shape};
            }
        }
    }
    return hit->shape >= 0;
}

bool snSolid_Inside(const snSolid* solid, snVec3 p, snSolidHit* hit)
{
    if (!holds(&solid->box, p)) {
        return false;
    }
    if (solid->shape_count == 1) {
        hit->shape = 0;
        return snShape_Inside(solid->shapes, p, &hit->normal, &hit->depth);
    }
    return snSolid_InsideBut(solid, p, -1, hit);
}

double snSolid_Gap(const snSolid* solid, snVec3 p, double most)
{
    const snBvhNode* nodes = solid->bvh.nodes;
    int32_t stack[SN_BVH_DEPTH + 1];
    int top = 0;
    double least = most * most;
    bool any = false;
    stack[top++] = 0;
    while (top > 0) {
        const snBvhNode* node = &nodes[stack[--top]];
        double gap = snBox_DistanceSq(&node->box, p);
        if (gap >= least) {
            continue;
        }
        if (node->count > 0) { // one shape: its box is the node's
            least = gap;
            any = true;
            continue;
        }
        stack[top++] = node->first + 1;
        stack[top++] = node->first;
    }
    return any ? sqrt(least) : (double)INFINITY;
}

bool snSolid_Outside(const snSolid* solid, snVec3 p, double most, snSolidHit* hit)
{
    const snBvhNode* nodes = solid->bvh.nodes;
    int32_t stack[SN_BVH_DEPTH + 1];
    int top = 0;
    hit->shape = -1;
    hit->depth = most;
    stack[top++] = 0;
    while (top > 0) {
        const snBvhNode* node = &nodes[stack[--top]];
        if (snBox_DistanceSq(&node->box, p) > hit->depth * hit->depth) {
            continue;
        }
        if (node->count == 0) {
            stack[top++] = node->first + 1;
            stack[top++] = node->first;
            continue;
        }
        for (int32_t i = node->first; i < node->first + node->count; ++i) {
            int32_t shape = solid->bvh.order[i];
            snVec3 normal;
            double gap;
            if (snShape_Outside(&solid->shapes[shape], p, hit->depth, &normal, &gap) &&
                (hit->shape < 0 || gap < hit->depth || shape < hit->shape)) {
                *hit = (snSolidHit){normal, gap, shape};
            }
        }
    }
    return hit->shape >= 0;
}

// The first shape entered after a part of the way; hit->depth is the part until there.
static bool firstEntry(const snSolid* solid, snVec3 a, snVec3 b, double after, snSolidHit* hit)
{
    const snBvhNode* nodes = solid->bvh.nodes;
    snWay way = snWay_From(a, b);
    int32_t stack[SN_BVH_DEPTH + 1];
    int top = 0;
    hit->shape = -1;
    hit->depth = 1;
    stack[top++] = 0;
    while (top > 0) {
        const snBvhNode* node = &nodes[stack[--top]];
        if (!snWay_Meets(&way, &node->box, hit->depth)) {
            continue;
        }
        if (node->count == 0) {
            stack[top++] = node->first + 1;
            stack[top++] = node->first;
            continue;
        }
        for (int32_t i = node->first; i < node->first + node->count; ++i) {
            int32_t shape = solid->bvh.order[i];
            snVec3 normal;
            double t;
            if (snShape_Cast(&solid->shapes[shape], a, b, after, &t, &normal) &&
                (hit->shape < 0 || t < hit->depth || (t == hit->depth && shape < hit->shape))) {
                *hit = (snSolidHit){normal, t, shape};
            }
        }
    }
    return hit->shape >= 0;
}

bool snSolid_Cast(const snSolid* solid, snVec3 a, snVec3 b, snSolidHit* hit)
{
    snVec3 d = snSub(b, a);
    double length = snLength(d), after = -1;
    while (length > 0 && firstEntry(solid, a, b, after, hit)) {
        snSolidHit other;
        snVec3 before = snMulAdd(a, hit->depth - JUST * solid->thickness / length, d);
        if (solid->shape_count == 1 || !snSolid_InsideBut(solid, before, hit->shape, &other)) {
            hit->depth *= length;
            return true;
        }
        after = hit->depth;
    }
    return false;
}
