// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "geom/nearest.h"

#include "base/message.h"
#include "geom/sort.h"
#include "math/trig.h"

#define LEAF_SIZE 4

// A triangle ---------------------------------------------------------------------

// The place of the point of a segment nearest to q: 0 at a, 1 at b.
static double alongSegment(snVec3 a, snVec3 b, snVec3 q)
{
    snVec3 d = snSub(b, a);
    double square = snLengthSq(d), t = snDot(snSub(q, a), d);
    return t <= 0 || !(square > 0) ? 0 : t >= square ? 1 : t / square;
}

// Inside when all three parts of the area about q's foot are positive. Else the nearest point lies
// on an edge, the best of three, which also holds for triangles without area.
void snTriangle_Nearest(snVec3 a, snVec3 b, snVec3 c, snVec3 q, double weight[3])
{
    const snVec3 p[3] = {a, b, c};
    snVec3 n = snTriangleCross(a, b, c);
    double whole = snLengthSq(n);
    double wa = snDot(n, snTriangleCross(q, b, c)), wb = snDot(n, snTriangleCross(q, c, a));
    double wc = snDot(n, snTriangleCross(q, a, b));
    if (wa > 0 && wb > 0 && wc > 0 && whole > 0) {
        double sum = wa + wb + wc;
        weight[0] = wa / sum, weight[1] = wb / sum, weight[2] = wc / sum;
        return;
    }
    double least = HUGE_VAL;
    weight[0] = 1, weight[1] = weight[2] = 0; // also when q is not a number
    for (int k = 0; k < 3; ++k) {
        snVec3 from = p[k], to = p[(k + 1) % 3];
        double t = alongSegment(from, to, q);
        double d = snLengthSq(snSub(snMulAdd(from, t, snSub(to, from)), q));
        if (d < least) {
            least = d;
            weight[k] = 1 - t;
            weight[(k + 1) % 3] = t;
            weight[(k + 2) % 3] = 0;
        }
    }
}

// Building -----------------------------------------------------------------------

static double angleBetween(snVec3 u, snVec3 v)
{
    return snAtan2(snLength(snCross(u, v)), snDot(u, v));
}

static void sumNormals(snNearest* nearest, snVec3* face)
{
    const snSurface* s = &nearest->surface;
    for (int32_t t = 0; t < s->triangle_count; ++t) {
        const int32_t* v = s->triangle + 3 * (size_t)t;
        const snVec3 p[3] = {s->position[v[0]], s->position[v[1]], s->position[v[2]]};
        face[t] = snNormalize(snTriangleCross(p[0], p[1], p[2]));
        for (int k = 0; k < 3; ++k) {
            snVec3 to = snSub(p[(k + 1) % 3], p[k]), from = snSub(p[(k + 2) % 3], p[k]);
            snVec3* sum = &nearest->vertex_normal[v[k]];
            *sum = snMulAdd(*sum, angleBetween(to, from), face[t]);
        }
    }
}

static void sumEdges(snNearest* nearest, const snVec3* face, snArena* scratch)
{
    const snSurface* s = &nearest->surface;
    int32_t sides = 3 * s->triangle_count;
    uint64_t* key = snArena_Push(scratch, (size_t)sides, sizeof(uint64_t));
    int32_t* side = snArena_Push(scratch, (size_t)sides, sizeof(int32_t));
    if (scratch->failed) {
        return;
    }
    for (int32_t h = 0; h < sides; ++h) {
        uint64_t a = (uint64_t)s->triangle[h],
                 b = (uint64_t)s->triangle[h % 3 == 2 ? h - 2 : h + 1];
        key[h] = a < b ? a << 32 | b : b << 32 | a;
        side[h] = h;
    }
    snSort_Pairs(scratch, key, side, sides);
    for (int32_t i = 0, end; i < sides && !scratch->failed; i = end) {
        snVec3 sum = snV3(0, 0, 0);
        for (end = i; end < sides && key[end] == key[i]; ++end) {
            sum = snAdd(sum, face[side[end] / 3]);
        }
        for (int32_t j = i; j < end; ++j) {
            nearest->edge_normal[side[j]] = sum;
        }
    }
}

snStatus snNearest_Build(snArena* arena, const snSurface* surface, snNearest* nearest,
                         snMessage* why)
{
    snStatus status = snBvh_OfSurface(arena, surface, LEAF_SIZE, &nearest->bvh, why);
    if (status) {
        return status;
    }
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    nearest->surface = *surface;
    nearest->vertex_normal = snArena_Push(arena, (size_t)surface->vertex_count, sizeof(snVec3));
    nearest->edge_normal = snArena_Push(arena, 3 * (size_t)surface->triangle_count, sizeof(snVec3));
    snVec3* face = snArena_Push(&scratch, (size_t)surface->triangle_count, sizeof(snVec3));
    if (nearest->vertex_normal && nearest->edge_normal && face) {
        sumNormals(nearest, face);
        sumEdges(nearest, face, &scratch);
    }
    bool failed = scratch.failed || !nearest->vertex_normal || !nearest->edge_normal;
    snArena_Free(&scratch);
    return failed ? snFail(why, sn_errorMemory, "out of memory for the distance to %d triangles",
                           surface->triangle_count)
                  : sn_ok;
}

// Queries ------------------------------------------------------------------------

static snVec3 featureNormal(const snNearest* nearest, int32_t t, const double weight[3])
{
    const snSurface* s = &nearest->surface;
    const int32_t* v = s->triangle + 3 * (size_t)t;
    for (int k = 0; k < 3; ++k) {
        if (weight[k] == 1) {
            return snNormalize(nearest->vertex_normal[v[k]]);
        }
    }
    for (int k = 0; k < 3; ++k) {
        if (weight[k] == 0) { // on the side from the next corner
            return snNormalize(nearest->edge_normal[3 * (size_t)t + (size_t)((k + 1) % 3)]);
        }
    }
    return snNormalize(snTriangleCross(s->position[v[0]], s->position[v[1]], s->position[v[2]]));
}

static void tryTriangle(const snNearest* nearest, int32_t t, snVec3 q, double* least,
                        snNearestHit* hit)
{
    const snSurface* s = &nearest->surface;
    const int32_t* v = s->triangle + 3 * (size_t)t;
    snVec3 a = s->position[v[0]], b = s->position[v[1]], c = s->position[v[2]];
    double w[3];
    snTriangle_Nearest(a, b, c, q, w);
    // from the first corner, so that far surfaces lose no digits
    snVec3 p = snAdd(a, snAdd(snScale(w[1], snSub(b, a)), snScale(w[2], snSub(c, a))));
    double d = snLengthSq(snSub(p, q));
    if (d < *least) {
        *least = d;
        *hit = (snNearestHit){p, 0, {0, 0, 0}, {w[0], w[1], w[2]}, t};
    }
}

bool snNearest_Find(const snNearest* nearest, snVec3 q, double limit, snNearestHit* hit)
{
    const snBvh* bvh = &nearest->bvh;
    int32_t stack[SN_BVH_DEPTH + 1];
    double distance[SN_BVH_DEPTH + 1], least = limit * limit;
    int top = 0;
    hit->triangle = -1;
    if (bvh->node_count > 0) {
        distance[top] = 0;
        stack[top++] = 0;
    }
    while (top > 0) {
        --top;
        const snBvhNode* node = &bvh->nodes[stack[top]];
        if (!(distance[top] < least)) {
            continue;
        }
        for (int32_t i = 0; i < node->count; ++i) {
            tryTriangle(nearest, bvh->order[node->first + i], q, &least, hit);
        }
        if (node->count == 0) {
            double left = snBox_DistanceSq(&bvh->nodes[node->first].box, q);
            double right = snBox_DistanceSq(&bvh->nodes[node->first + 1].box, q);
            bool right_first = right < left;
            distance[top] = right_first ? left : right;
            stack[top++] = right_first ? node->first : node->first + 1;
            distance[top] = right_first ? right : left;
            stack[top++] = right_first ? node->first + 1 : node->first;
        }
    }
    if (hit->triangle < 0) {
        return false;
    }
    hit->distance = sqrt(least);
    hit->normal = featureNormal(nearest, hit->triangle, hit->weight);
    return true;
}
