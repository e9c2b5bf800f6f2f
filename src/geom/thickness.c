// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "geom/thickness.h"

#include "base/message.h"

#define HITS 64     // of a ray that are looked at
#define SMOOTHING 3 // rounds of averaging
#define TILT 0.6    // tangent of how far rays are tilted, 31 degrees

typedef struct Hit {
    double t;
    bool leaves;
} Hit;

typedef struct Ray {
    snVec3 from, along; // along: unit
    int32_t vertex;     // whose triangles are not hit
    double turned;      // -1: the surface is inside out
    int count;
    Hit hits[HITS]; // by t
} Ray;

static bool meetsBox(const snBox* box, const Ray* ray)
{
    const double from[3] = {ray->from.x, ray->from.y, ray->from.z};
    const double along[3] = {ray->along.x, ray->along.y, ray->along.z};
    const double lo[3] = {box->lo.x, box->lo.y, box->lo.z};
    const double hi[3] = {box->hi.x, box->hi.y, box->hi.z};
    double enter = 0, leave = HUGE_VAL;
    for (int k = 0; k < 3; ++k) {
        if (fabs(along[k]) < 1e-12) {
            if (from[k] < lo[k] || from[k] > hi[k]) {
                return false;
            }
            continue;
        }
        double a = (lo[k] - from[k]) / along[k], b = (hi[k] - from[k]) / along[k];
        enter = fmax(enter, a < b ? a : b);
        leave = fmin(leave, a < b ? b : a);
    }
    return enter <= leave;
}

static void addHit(Ray* ray, double t, bool leaves)
{
    if (ray->count == HITS && ray->hits[HITS - 1].t <= t) {
        return;
    }
    int at = ray->count < HITS ? ray->count++ : HITS - 1;
    for (; at > 0 && ray->hits[at - 1].t > t; --at) {
        ray->hits[at] = ray->hits[at - 1];
    }
    ray->hits[at] = (Hit){t, leaves};
}

// Moeller & Trumbore 1997
static void hitTriangle(const snSurface* s, int32_t triangle, Ray* ray)
{
    const int32_t* n = s->triangle + 3 * (ptrdiff_t)triangle;
    if (n[0] == ray->vertex || n[1] == ray->vertex || n[2] == ray->vertex) {
        return;
    }
    snVec3 a = s->position[n[0]];
    snVec3 e = snSub(s->position[n[1]], a), g = snSub(s->position[n[2]], a);
    snVec3 p = snCross(ray->along, g), r = snSub(ray->from, a), q = snCross(r, e);
    double det = snDot(e, p);
    if (det == 0) {
        return;
    }
    double u = snDot(r, p) / det, v = snDot(ray->along, q) / det, t = snDot(g, q) / det;
    if (u >= 0 && v >= 0 && u + v <= 1 && t > 0) {
        // the normal e x g has along . (e x g) = -det
        addHit(ray, t, -det * ray->turned > 0);
    }
}

static void cast(const snSurface* surface, const snBvh* bvh, Ray* ray)
{
    int32_t stack[SN_BVH_DEPTH + 1];
    int depth = 0;
    ray->count = 0;
    stack[depth++] = 0;
    while (depth > 0 && bvh->node_count > 0) {
        const snBvhNode* node = &bvh->nodes[stack[--depth]];
        if (!meetsBox(&node->box, ray)) {
            continue;
        }
        for (int32_t i = 0; i < node->count; ++i) {
            hitTriangle(surface, bvh->order[node->first + i], ray);
        }
        if (node->count == 0) {
            stack[depth++] = node->first + 1;
            stack[depth++] = node->first;
        }
    }
}

// Where the ray has left all that it was in, and nothing begins again within the gap; -1: nowhere
static double wayOut(const Ray* ray, double gap)
{
    int inside = 1;
    double out = -1;
    for (int i = 0; i < ray->count; ++i) {
        if (out >= 0 && ray->hits[i].t > out + gap) {
            return out;
        }
        inside += ray->hits[i].leaves ? -1 : 1;
        inside = inside < 0 ? 0 : inside;
        out = inside == 0 ? ray->hits[i].t : -1;
    }
    return out;
}

// Each vertex takes the mean of itself and its neighbours that have a thickness.
static void smooth(const snSurface* s, double* value, double* sum, double* count)
{
    for (int32_t v = 0; v < s->vertex_count; ++v) {
        sum[v] = value[v] >= 0 ? value[v] : 0;
        count[v] = value[v] >= 0;
    }
    for (int32_t i = 0; i < 3 * s->triangle_count; ++i) {
        int32_t a = s->triangle[i], b = s->triangle[i % 3 == 2 ? i - 2 : i + 1];
        if (value[b] >= 0) {
            sum[a] += value[b];
            count[a] += 1;
        }
        if (value[a] >= 0) {
            sum[b] += value[a];
            count[b] += 1;
        }
    }
    for (int32_t v = 0; v < s->vertex_count; ++v) {
        value[v] = count[v] > 0 ? sum[v] / count[v] : -1;
    }
}

// The shortest of the ways straight in and TILT aside: at a heel the straight one climbs the shin.
// In what is round a tilted way is shorter by the cosine, which counts for nothing.
static double thicknessAt(const snSurface* surface, const snBvh* bvh, Ray* ray, double gap)
{
    snVec3 in = ray->along, side = snV3(fabs(in.x) < 0.6, fabs(in.x) >= 0.6, 0);
    snVec3 u = snNormalize(snCross(in, side)), v = snCross(in, u);
    const snVec3 aside[5] = {snV3(0, 0, 0), u, snNeg(u), v, snNeg(v)};
    double least = -1;
    for (int k = 0; k < 5; ++k) {
        snVec3 along = snMulAdd(in, TILT, aside[k]);
        double longer = snLength(along);
        ray->along = snScale(1 / longer, along);
        cast(surface, bvh, ray);
        double way = longer * wayOut(ray, gap);
        least = way >= 0 && (least < 0 || way < least) ? way : least;
    }
    return least;
}

static double signedVolume(const snSurface* s)
{
    double sum = 0;
    for (int32_t i = 0; i < s->triangle_count; ++i) {
        const int32_t* n = s->triangle + 3 * (ptrdiff_t)i;
        sum += snDot(s->position[n[0]], snCross(s->position[n[1]], s->position[n[2]]));
    }
    return sum;
}

snStatus snThickness_Find(const snHost* host, const snSurface* surface, double gap, double* out,
                          snMessage* why)
{
    snArena arena;
    snBvh bvh = {0};
    snArena_Init(&arena, host);
    size_t vertices = (size_t)surface->vertex_count;
    snVec3* normal = snArena_Push(&arena, vertices, sizeof *normal);
    double* sum = snArena_Push(&arena, vertices, sizeof *sum);
    double* count = snArena_Push(&arena, vertices, sizeof *count);
    snStatus status = arena.failed ? snFail(why, sn_errorMemory, "out of memory")
                                   : snBvh_OfSurface(&arena, surface, 4, &bvh, why);
    if (!status) {
        double turned = signedVolume(surface) < 0 ? -1 : 1;
        snSurface_Normals(surface, normal);
        for (size_t v = 0; v < vertices; ++v) {
            Ray ray = {.from = surface->position[v],
                       .along = snScale(-turned, normal[v]),
                       .vertex = (int32_t)v,
                       .turned = turned};
            out[v] = snLengthSq(normal[v]) > 0 ? thicknessAt(surface, &bvh, &ray, gap) : -1;
        }
        for (int round = 0; round < SMOOTHING; ++round) {
            smooth(surface, out, sum, count);
        }
        for (size_t v = 0; v < vertices; ++v) {
            out[v] = fmax(out[v], 0);
        }
    }
    snArena_Free(&arena);
    return status;
}
