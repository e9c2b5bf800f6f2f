// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/solid.h"

#include "cli/place.h"

#include <render/creases.h>
#include <render/shapes.h>
#include <stdlib.h>
#include <string.h>

#define ROUND_AROUND 64 // vertices around a sphere or capsule
#define ROUND_RINGS 12  // rings of each half

// Room for more vertices and triangles after those that are there; false: no memory.
static bool grow(Solid* s, int32_t vertices, int32_t triangles)
{
    size_t v = (size_t)s->vertex_count + (size_t)vertices;
    size_t t = (size_t)s->triangle_count + (size_t)triangles;
    float* positions = realloc(s->positions, v * 3 * sizeof *positions);
    s->positions = positions ? positions : s->positions;
    float* normals = realloc(s->normals, v * 3 * sizeof *normals);
    s->normals = normals ? normals : s->normals;
    int32_t* corners = realloc(s->triangles, t * 3 * sizeof *corners);
    s->triangles = corners ? corners : s->triangles;
    return positions && normals && corners;
}

static void addVertex(Solid* s, const snTransform* pose, snVec3 p, snVec3 normal)
{
    put(s->positions + 3 * (size_t)s->vertex_count, along(pose->p, 1, turn(pose->q, p)));
    put(s->normals + 3 * (size_t)s->vertex_count, turn(pose->q, normal));
    s->vertex_count++;
}

static void addTriangle(Solid* s, int32_t first, int32_t a, int32_t b, int32_t c)
{
    const int32_t corners[3] = {first + a, first + b, first + c};
    memcpy(s->triangles + 3 * (size_t)s->triangle_count++, corners, sizeof corners);
}

// Six faces with vertices of their own.
static bool addBox(const snShapeDef* shape, Solid* s)
{
    if (!grow(s, 24, 12)) {
        return false;
    }
    const double half[3] = {shape->half.x, shape->half.y, shape->half.z};
    for (int face = 0; face < 6; ++face) {
        int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        double side = face % 2 ? -1 : 1;
        int32_t first = s->vertex_count;
        for (int corner = 0; corner < 4; ++corner) {
            // counter-clockwise from outside on both sides
            double p[3], n[3] = {0, 0, 0};
            p[axis] = side * half[axis];
            p[u] = (corner == 1 || corner == 2 ? side : -side) * half[u];
            p[v] = (corner >= 2 ? 1 : -1) * half[v];
            n[axis] = side;
            addVertex(s, &shape->pose, (snVec3){p[0], p[1], p[2]}, (snVec3){n[0], n[1], n[2]});
        }
        addTriangle(s, first, 0, 1, 2);
        addTriangle(s, first, 0, 2, 3);
    }
    return true;
}

// A sphere is a capsule without length.
static bool addRound(const snShapeDef* shape, Solid* s)
{
    Shape capsule;
    makeCapsule(&capsule, ROUND_AROUND, ROUND_RINGS);
    if (!grow(s, capsule.vertex_count, capsule.triangle_count)) {
        return false;
    }
    double half = shape->kind == sn_shapeCapsule ? shape->half_length : 0;
    int32_t first = s->vertex_count;
    for (int32_t i = 0; i < capsule.vertex_count; ++i) {
        // the bone's z is the capsule's y
        const float* v = capsule.vertices + 4 * (size_t)i;
        snVec3 n = {(double)v[1], (double)v[2], (double)v[0]};
        snVec3 end = {0, half * (2 * (double)v[3] - 1), 0};
        addVertex(s, &shape->pose, along(end, shape->radius, n), n);
    }
    for (int32_t i = 0; i < capsule.triangle_count; ++i) {
        const int32_t* t = capsule.triangles + 3 * (size_t)i;
        addTriangle(s, first, t[0], t[1], t[2]);
    }
    return true;
}

static bool addMeshShape(const snShapeDef* shape, Solid* s)
{
    Creases c = {0};
    float* positions = malloc(((size_t)shape->vertex_count + 1) * 3 * sizeof *positions);
    for (int32_t i = 0; positions && i < shape->vertex_count; ++i) {
        put(positions + 3 * (size_t)i, shape->vertices[i]);
    }
    bool ok = positions && findCreases(positions, shape->vertex_count, shape->triangles,
                                       shape->triangle_count, CREASE_COSINE, &c);
    ok = ok && grow(s, c.vertex_count, c.triangle_count);
    int32_t first = s->vertex_count;
    for (int32_t i = 0; ok && i < c.vertex_count; ++i) {
        addVertex(s, &shape->pose, shape->vertices[c.origins[i]], (snVec3){0, 1, 0});
    }
    if (ok) {
        smoothNormals(s->positions + 3 * (size_t)first, c.vertex_count, c.triangles,
                      c.triangle_count, s->normals + 3 * (size_t)first);
    }
    for (int32_t i = 0; ok && i < c.triangle_count; ++i) {
        const int32_t* t = c.triangles + 3 * (size_t)i;
        addTriangle(s, first, t[0], t[1], t[2]);
    }
    free(positions);
    freeCreases(&c);
    return ok;
}

bool makeSolid(const snObstacleDef* def, Solid* s)
{
    *s = (Solid){0};
    for (int32_t i = 0; i < def->shape_count; ++i) {
        const snShapeDef* shape = &def->shapes[i];
        bool ok = shape->kind == sn_shapeBox    ? addBox(shape, s)
                  : shape->kind == sn_shapeMesh ? addMeshShape(shape, s)
                                                : addRound(shape, s);
        if (!ok) {
            freeSolid(s);
            return false;
        }
    }
    return true;
}

void freeSolid(Solid* s)
{
    free(s->positions);
    free(s->normals);
    free(s->triangles);
    *s = (Solid){0};
}

static snVec3 placeAt(const float* p)
{
    return (snVec3){(double)p[0], (double)p[1], (double)p[2]};
}

void paintSolid(const Solid* s, const snTransform* pose, snVec3 origin, Colour colour, bool scenery,
                DrawList* list)
{
    size_t count = 3 * (size_t)s->vertex_count;
    float* moved = malloc((2 * count + 1) * sizeof *moved);
    snVec3 p = minus(pose->p, origin);
    list->failed = list->failed || !moved;
    for (size_t i = 0; moved && i < count; i += 3) {
        put(moved + i, along(p, 1, turn(pose->q, placeAt(s->positions + i))));
        put(moved + count + i, turn(pose->q, placeAt(s->normals + i)));
    }
    if (moved) {
        DrawMesh mesh = {.vertex_count = s->vertex_count,
                         .triangle_count = s->triangle_count,
                         .positions = moved,
                         .normals = moved + count,
                         .triangles = s->triangles,
                         .colour = colour,
                         .scenery = scenery};
        addMesh(list, &mesh);
    }
    free(moved);
}
