// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "flesh/inside.h"

#include "base/message.h"

// Points of one winding batch: many together are faster, these take 400 KiB.
#define BATCH 16384

snStatus snInside_Build(snArena* arena, const snSurface* surface, snInside* out, snMessage* why)
{
    *out = (snInside){.surface = surface, .box = snSurface_Bounds(surface), .host = arena->host};
    out->tiny = 1e-10 * snLength(snSub(out->box.hi, out->box.lo));
    out->plane = snArena_Push(arena, (size_t)surface->triangle_count, sizeof(snPlane));
    if (!out->plane) {
        return snFail(why, sn_errorMemory, "no memory for %d triangles",
                      (int)surface->triangle_count);
    }
    for (int32_t t = 0; t < surface->triangle_count; ++t) {
        const int32_t* v = surface->triangle + 3 * (size_t)t;
        snVec3 a = surface->position[v[0]], b = surface->position[v[1]];
        snVec3 n = snTriangleCross(a, b, surface->position[v[2]]);
        out->plane[t].n = snNormalize(n);
        out->plane[t].offset = snDot(out->plane[t].n, a);
        out->area += 0.5 * snLength(n);
        out->volume += snDot(snSub(a, out->box.lo), n) / 6;
    }
    out->volume = fabs(out->volume);
    snStatus status = snWinding_Build(arena, surface, &out->winding, why);
    return status ? status : snBvh_OfSurface(arena, surface, 4, &out->bvh, why);
}

snStatus snInside_Material(const snInside* inside, const snVec3* p, int64_t count, uint8_t* in,
                           snMessage* why)
{
    double* w = snHost_Allocate(&inside->host, BATCH * sizeof(double));
    if (!w) {
        return snFail(why, sn_errorMemory, "no memory for %d winding numbers", BATCH);
    }
    snStatus status = sn_ok;
    for (int64_t i = 0; i < count && !status; i += BATCH) {
        int64_t n = count - i < BATCH ? count - i : BATCH;
        status = snWinding_Batch(&inside->winding, p + i, n, w, &inside->host, NULL, why);
        for (int64_t k = 0; k < n && !status; ++k) {
            in[i + k] = snWinding_IsInside(w[k]);
        }
    }
    snHost_Release(&inside->host, w, BATCH * sizeof(double));
    return status;
}

// Touching ----------------------------------------------------------------------

// A tet and a triangle, relative to the tet's first corner.
typedef struct Pair {
    snVec3 tet[4], triangle[3];
} Pair;

// Do they lie apart along the axis? A zero axis separates nothing.
static bool isApart(const Pair* pair, snVec3 axis)
{
    double lo = 0, hi = 0; // of the tet; its first corner is the origin
    for (int k = 1; k < 4; ++k) {
        double d = snDot(axis, pair->tet[k]);
        lo = d < lo ? d : lo;
        hi = d > hi ? d : hi;
    }
    double a = snDot(axis, pair->triangle[0]), b = snDot(axis, pair->triangle[1]);
    double c = snDot(axis, pair->triangle[2]), slack = 1e-9 * (hi - lo);
    double least = a < b ? a : b, most = a > b ? a : b;
    least = least < c ? least : c;
    most = most > c ? most : c;
    return least > hi + slack || most < lo - slack;
}

static bool isMeeting(const Pair* pair)
{
    static const int EDGES[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {2, 3}, {3, 1}};
    const snVec3 *t = pair->tet, *s = pair->triangle;
    snVec3 edge[6], side[3];
    for (int k = 0; k < 6; ++k) {
        edge[k] = snSub(t[EDGES[k][1]], t[EDGES[k][0]]);
    }
    for (int k = 0; k < 3; ++k) {
        side[k] = snSub(s[(k + 1) % 3], s[k]);
    }
    if (isApart(pair, snCross(side[0], side[1])) || isApart(pair, snCross(edge[0], edge[1])) ||
        isApart(pair, snCross(edge[1], edge[2])) || isApart(pair, snCross(edge[2], edge[0])) ||
        isApart(pair, snCross(edge[3], edge[4]))) {
        return false;
    }
    for (int k = 0; k < 18; ++k) {
        if (isApart(pair, snCross(edge[k / 3], side[k % 3]))) {
            return false;
        }
    }
    return true;
}

static bool isOverlap(const snBox* a, const snBox* b)
{
    return a->lo.x <= b->hi.x && a->hi.x >= b->lo.x && a->lo.y <= b->hi.y && a->hi.y >= b->lo.y &&
           a->lo.z <= b->hi.z && a->hi.z >= b->lo.z;
}

bool snInside_Meets(const snInside* inside, int32_t triangle, const snVec3 corner[4])
{
    Pair pair;
    const int32_t* v = inside->surface->triangle + 3 * (size_t)triangle;
    for (int k = 0; k < 4; ++k) {
        pair.tet[k] = snSub(corner[k], corner[0]);
    }
    for (int k = 0; k < 3; ++k) {
        pair.triangle[k] = snSub(inside->surface->position[v[k]], corner[0]);
    }
    return isMeeting(&pair);
}

void snInside_Near(const snInside* inside, snBox box, snTriangleFcn* fcn, void* user)
{
    int32_t stack[SN_BVH_DEPTH + 2];
    int top = 0;
    if (inside->bvh.node_count > 0) {
        stack[top++] = 0;
    }
    while (top > 0) {
        const snBvhNode* node = &inside->bvh.nodes[stack[--top]];
        if (!isOverlap(&node->box, &box)) {
            continue;
        }
        if (node->count == 0) {
            stack[top++] = node->first + 1;
            stack[top++] = node->first;
            continue;
        }
        for (int32_t i = node->first; i < node->first + node->count; ++i) {
            fcn(user, inside->bvh.order[i]);
        }
    }
}

// Crossing ----------------------------------------------------------------------

// Is x off zero by more than `least`?
static int signOf(double x, double least)
{
    return x > least ? 1 : x < -least ? -1 : 0;
}

// The way from p to q passes a triangle abc whose plane it crosses when p sees q on the same side
// of all its edges: (q - p) . (a x b), ..., corners relative to p, have one sign. Against the
// normal it leads inwards.
int snInside_Cross(const snInside* inside, int32_t triangle, snVec3 from, snVec3 to)
{
    const snPlane* plane = &inside->plane[triangle];
    double start = snDot(plane->n, from) - plane->offset;
    double end = snDot(plane->n, to) - plane->offset;
    int s0 = signOf(start, inside->tiny), s1 = signOf(end, inside->tiny);
    if (s0 * s1 > 0) {
        return 0;
    }
    const int32_t* v = inside->surface->triangle + 3 * (size_t)triangle;
    snVec3 a = snSub(inside->surface->position[v[0]], from), d = snSub(to, from);
    snVec3 b = snSub(inside->surface->position[v[1]], from);
    snVec3 c = snSub(inside->surface->position[v[2]], from);
    double e[3] = {snDot(d, snCross(a, b)), snDot(d, snCross(b, c)), snDot(d, snCross(c, a))};
    double least = 1e-9 * (fabs(e[0]) + fabs(e[1]) + fabs(e[2]));
    bool some_left = false, some_right = false, doubt = s0 * s1 == 0;
    for (int k = 0; k < 3; ++k) {
        int sign = signOf(e[k], least);
        some_left = some_left || sign > 0;
        some_right = some_right || sign < 0;
        doubt = doubt || sign == 0;
    }
    return some_left && some_right ? 0 : doubt ? SN_DOUBT : start > 0 ? 1 : -1;
}

// Cells -------------------------------------------------------------------------

snCellKind snInside_Kind(const uint8_t side[4], bool touched)
{
    bool in = true, out = true;
    for (int k = 0; k < 4; ++k) {
        in = in && side[k] == sn_sideIn;
        out = out && side[k] == sn_sideOut;
    }
    return touched || !(in || out) ? sn_cellMixed : in ? sn_cellFull : sn_cellEmpty;
}

typedef struct Touch {
    const snInside* inside;
    snVec3 corner[4];
    bool touched;
} Touch;

static void touchCell(void* user, int32_t triangle)
{
    Touch* t = user;
    t->touched = t->touched || snInside_Meets(t->inside, triangle, t->corner);
}

snStatus snInside_Kinds(const snInside* inside, snArena* scratch, const snTets* tets, uint8_t* kind,
                        snMessage* why)
{
    double* w = snArena_Push(scratch, (size_t)tets->node_count, sizeof(double));
    if (!w) {
        return snFail(why, sn_errorMemory, "no memory for %d nodes", (int)tets->node_count);
    }
    snStatus status = snWinding_Batch(&inside->winding, tets->position, tets->node_count, w,
                                      &inside->host, NULL, why);
    for (int32_t e = 0; e < tets->tet_count && !status; ++e) {
        Touch touch = {.inside = inside};
        snBox box = snBox_Empty();
        uint8_t side[4];
        for (int k = 0; k < 4; ++k) {
            int32_t node = tets->tet[4 * (size_t)e + (size_t)k];
            touch.corner[k] = tets->position[node];
            box = snBox_Point(box, tets->position[node]);
            side[k] = (uint8_t)snSide_Of(w[node]);
        }
        snInside_Near(inside, box, touchCell, &touch);
        kind[e] = (uint8_t)snInside_Kind(side, touch.touched);
    }
    return status;
}
