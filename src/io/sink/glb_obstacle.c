// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Obstacles in a GLB: surfaces that keep their shape, all pieces of one in one mesh.

#include "base/message.h"
#include "geom/surface.h"
#include "io/sink/glb.h"
#include "math/transform.h"

// Round pieces have a ring every 180/16 degrees, of 32 vertices: at most 1 % of the radius from
// true.
#define RINGS 16
#define SECTORS 32

// Vertices of an obstacle, which are numbered as int32_t and kept six floats each
#define MOST_VERTICES (INT32_MAX / 8)

static const int32_t BOX_TRIANGLES[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                          2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

// A piece of the obstacle on its way into the surface
typedef struct Mould {
    snGlbSurface* surface; // filled up to its counts
    snTransform pose;      // of the piece
} Mould;

static void addVertex(const Mould* m, snVec3 place, snVec3 normal)
{
    snGlbSurface* s = m->surface;
    float* out = s->base + 3 * (size_t)s->vertex_count++;
    snGlb_SetVec(out, snTPoint(m->pose, place));
    snGlb_SetVec(out + s->normals, snQRotate(m->pose.q, normal));
}

static void addTriangle(const Mould* m, int32_t a, int32_t b, int32_t c)
{
    uint32_t* out = m->surface->triangles + 3 * (size_t)m->surface->triangle_count++;
    out[0] = (uint32_t)a;
    out[1] = (uint32_t)b;
    out[2] = (uint32_t)c;
}

// Edges stay sharp: each triangle has vertices of its own.
static void addFlat(const Mould* m, const snVec3* vertices, const int32_t* triangles, int32_t count)
{
    for (size_t i = 0; i < 3 * (size_t)count; i += 3) {
        const snVec3 p[3] = {vertices[triangles[i]], vertices[triangles[i + 1]],
                             vertices[triangles[i + 2]]};
        snVec3 n = snNormalize(snTriangleCross(p[0], p[1], p[2]));
        n = snLengthSq(n) > 0.5 ? n : snV3(0, 1, 0); // glTF wants unit length
        int32_t first = m->surface->vertex_count;
        for (int k = 0; k < 3; ++k) {
            addVertex(m, p[k], n);
        }
        addTriangle(m, first, first + 1, first + 2);
    }
}

static void addBox(const Mould* m, snVec3 half)
{
    snVec3 corners[8];
    for (int i = 0; i < 8; ++i) {
        corners[i] = snMul3(half, snV3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
    }
    addFlat(m, corners, BOX_TRIANGLES, 12);
}

static bool isRound(const snShapeDef* shape)
{
    return shape->kind == sn_shapeSphere || shape->kind == sn_shapeCapsule;
}

static double halfLength(const snShapeDef* shape)
{
    return shape->kind == sn_shapeCapsule ? shape->half_length : 0;
}

// Rings from pole to pole; a capsule has its widest one twice.
static int32_t ringCount(const snShapeDef* shape)
{
    return RINGS + 1 + (halfLength(shape) > 0);
}

static void addRound(const Mould* m, const snShapeDef* shape)
{
    double half = halfLength(shape);
    int32_t first = m->surface->vertex_count, rings = ringCount(shape);
    for (int32_t r = 0; r < rings; ++r) {
        bool upper = r > RINGS / 2;
        double s, c, latitude = SN_PI * ((upper && half > 0 ? r - 1 : r) / (double)RINGS - 0.5);
        snSinCos(latitude, &s, &c);
        for (int32_t k = 0; k < SECTORS; ++k) {
            double sine, cosine;
            snSinCos(2 * SN_PI * k / SECTORS, &sine, &cosine);
            snVec3 n = snV3(c * sine, s, c * cosine);
            snVec3 centre = snV3(0, upper ? half : -half, 0);
            addVertex(m, snMulAdd(centre, shape->radius, n), n);
        }
    }
    for (int32_t r = 0; r + 1 < rings; ++r) {
        for (int32_t k = 0; k < SECTORS; ++k) {
            int32_t a = first + r * SECTORS + k, b = first + r * SECTORS + (k + 1) % SECTORS;
            if (r > 0) { // at the poles a ring is a point
                addTriangle(m, a, b, b + SECTORS);
            }
            if (r + 2 < rings) {
                addTriangle(m, a, b + SECTORS, a + SECTORS);
            }
        }
    }
}

static void countShape(const snShapeDef* shape, int64_t* vertices, int64_t* triangles)
{
    int64_t rings = ringCount(shape);
    int64_t flat = shape->kind == sn_shapeBox ? 12 : shape->triangle_count;
    *vertices += isRound(shape) ? rings * SECTORS : 3 * flat;
    *triangles += isRound(shape) ? 2 * SECTORS * (rings - 2) : flat;
}

snStatus snGlbObstacle_Build(snArena* arena, const snObstacleDef* def, snGlbCharacter* c,
                             snMessage* why)
{
    snGlbSurface* s = &c->surface;
    int64_t vertices = 0, triangles = 0;
    for (int32_t i = 0; i < def->shape_count; ++i) {
        countShape(&def->shapes[i], &vertices, &triangles);
    }
    if (vertices > MOST_VERTICES || triangles > MOST_VERTICES) {
        return snFail(why, sn_errorUnsupported,
                      "obstacle '%s' has %lld triangles, more than GLB files are made for", c->name,
                      (long long)triangles);
    }
    s->base = snArena_Push(arena, 6 * (size_t)vertices, sizeof(float));
    s->triangles = snArena_Push(arena, 3 * (size_t)triangles, sizeof(uint32_t));
    if (!s->base || !s->triangles) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    s->normals = 3 * (size_t)vertices;
    for (int32_t i = 0; i < def->shape_count; ++i) {
        const snShapeDef* shape = &def->shapes[i];
        Mould m = {s, {shape->pose.p, snQNormalize(shape->pose.q)}};
        if (isRound(shape)) {
            addRound(&m, shape);
        } else if (shape->kind == sn_shapeBox) {
            addBox(&m, shape->half);
        } else {
            addFlat(&m, shape->vertices, shape->triangles, shape->triangle_count);
        }
    }
    snBox box = snBox_Empty();
    for (size_t i = 0; i < s->normals; i += 3) {
        const float* x = s->base + i;
        box = snBox_Point(box, snV3((double)x[0], (double)x[1], (double)x[2]));
    }
    c->size = s->size = snLength(snSub(box.hi, box.lo));
    return sn_ok;
}

void snGlbObstacle_Read(const snTransform* pose, bool first, snGlbCharacter* c)
{
    snGlbSurface* s = &c->surface;
    if (first) {
        snGlb_SetVec(c->origin, pose->p);
    }
    snVec3 origin = snV3((double)c->origin[0], (double)c->origin[1], (double)c->origin[2]);
    snGlb_SetVec(s->translation.next, snSub(pose->p, origin));
    snGlb_SetQuat(s->rotation.next, s->rotation.last, pose->q);
}
