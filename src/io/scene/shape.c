// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/scene/shape.h"

#include "io/mesh/file.h"
#include "io/scene/mesh.h"
#include "io/scene/pose.h"
#include "math/transform.h"

#define MOST_SHAPES 1000

// m; the library's limits of a radius, and of half a side
#define SHORTEST 1e-4
#define LONGEST 1e4

static const snField SHAPE_FIELDS[] = {
    {.key = "box",
     .kind = sn_fieldVector,
     .offset = offsetof(snShapeDef, half),
     .lo = 2 * SHORTEST,
     .hi = 2 * LONGEST,
     .unit = "m"},
    {.key = "sphere",
     .kind = sn_fieldNumber,
     .offset = offsetof(snShapeDef, radius),
     .lo = SHORTEST,
     .hi = LONGEST,
     .unit = "m"},
    {.key = "capsule"},
    {.key = "mesh"},
    {.key = "position",
     .kind = sn_fieldVector,
     .offset = offsetof(snShapeDef, pose.p),
     .lo = -SN_SCENE_LENGTH,
     .hi = SN_SCENE_LENGTH,
     .unit = "m"},
    {.key = "rotation"},
    {.key = "rotation_degrees"},
};
static const snFields SHAPE_KEYS = SN_FIELDS("a shape", SHAPE_FIELDS);

typedef struct Capsule {
    snVec3 from, to;
    double radius;
} Capsule;

static const snField CAPSULE_FIELDS[] = {
    {.key = "from",
     .kind = sn_fieldVector,
     .offset = offsetof(Capsule, from),
     .lo = -LONGEST,
     .hi = LONGEST,
     .unit = "m"},
    {.key = "to",
     .kind = sn_fieldVector,
     .offset = offsetof(Capsule, to),
     .lo = -LONGEST,
     .hi = LONGEST,
     .unit = "m"},
    {.key = "radius",
     .kind = sn_fieldNumber,
     .offset = offsetof(Capsule, radius),
     .lo = SHORTEST,
     .hi = LONGEST,
     .unit = "m"},
};
static const snFields CAPSULE_KEYS = SN_FIELDS("a capsule", CAPSULE_FIELDS);

static const snField MESH_FIELDS[] = {{.key = "vertices"}, {.key = "triangles"}};
static const snFields MESH_KEYS = SN_FIELDS("a mesh", MESH_FIELDS);

// The library's capsules lie along y, around their middle
static snStatus readCapsule(snSceneReader* r, const snJson* node, snShapeDef* shape)
{
    Capsule c = {.radius = 0};
    const snJson* needed;
    snStatus status = snFields_Read(r, node, &CAPSULE_KEYS, &c);
    status = status ? status : snFields_Require(r, node, &CAPSULE_KEYS, "to", &needed);
    status = status ? status : snFields_Require(r, node, &CAPSULE_KEYS, "radius", &needed);
    if (status) {
        return status;
    }
    snVec3 line = snSub(c.to, c.from);
    double length = snLength(line);
    snTransform own = {snMulAdd(c.from, 0.5, line), snQIdentity()};
    if (length > 0) {
        own.q = snQFromTo(snV3(0, 1, 0), snScale(1 / length, line));
    }
    shape->pose = snTMul(shape->pose, own);
    shape->radius = c.radius;
    shape->half_length = 0.5 * length;
    return sn_ok;
}

// A file's path, or triangles that are spelled out
static snStatus readMesh(snSceneReader* r, const snJson* node, snShapeDef* shape)
{
    const char* path;
    snMeshFile file = {.surface = {.vertex_count = 0}};
    snSurface* surface = &file.surface;
    snStatus status;
    if (node->kind == sn_jsonObject) {
        status = snFields_Check(r, node, &MESH_KEYS);
        status = status ? status : snReadTriangles(r, node, &MESH_KEYS, surface);
    } else {
        status = snField_File(r, node, "call snScene_AddObstacle", &path);
        if (!status) {
            status = snMeshFile_Read(&r->arena, path, &file, &r->why);
            // that the file is not there is a mistake of this one
            status = snWrapAt(r, node, status == sn_errorIo ? sn_errorFile : status);
        }
    }
    shape->vertex_count = surface->vertex_count;
    shape->triangle_count = surface->triangle_count;
    shape->vertices = surface->position;
    shape->triangles = surface->triangle;
    return status;
}

// The one key that says what it is
static snStatus findKind(snSceneReader* r, const snJson* node, int32_t* kind, const snJson** member)
{
    *member = NULL;
    for (int32_t i = 0; i < sn_shapeKindCount; ++i) {
        const snJson* found = snJson_Get(node, snShapeKind_Name(i));
        if (found && *member) {
            return snFailAt(r, found,
                            "\"%s\" and \"%s\" are two shapes; give each its own object in "
                            "\"shapes\"",
                            (*member)->key, found->key);
        }
        if (found) {
            *kind = i;
            *member = found;
        }
    }
    return *member ? sn_ok
                   : snFailAt(r, node,
                              "a shape must have \"box\", \"sphere\", \"capsule\" or \"mesh\"; "
                              "add one");
}

static snStatus readShape(snSceneReader* r, const snJson* node, snShapeDef* shape)
{
    const snJson* member;
    *shape = (snShapeDef){.pose = {{0, 0, 0}, {0, 0, 0, 1}}};
    snStatus status = snFields_Read(r, node, &SHAPE_KEYS, shape);
    status = status ? status : findKind(r, node, &shape->kind, &member);
    status = status ? status : snReadRotation(r, node, &shape->pose.q);
    if (status) {
        return status;
    }
    shape->half = snScale(0.5, shape->half);
    return shape->kind == sn_shapeCapsule ? readCapsule(r, member, shape)
           : shape->kind == sn_shapeMesh  ? readMesh(r, member, shape)
                                          : sn_ok;
}

snStatus snReadShapes(snSceneReader* r, const snJson* object, snObstacleDef* def)
{
    const snJson* one = snJson_Get(object, "shape");
    const snJson* many = snJson_Get(object, "shapes");
    if (!one == !many) {
        return snFailAt(r, many ? many : object,
                        "an obstacle must have \"shape\" or \"shapes\"; %s one",
                        many ? "remove" : "add");
    }
    snStatus status = many ? snField_Array(r, many, 1, MOST_SHAPES) : sn_ok;
    if (status) {
        return status;
    }
    snShapeDef* shapes = snArena_Push(&r->arena, many ? many->count : 1, sizeof(snShapeDef));
    if (!shapes) {
        return snFailMemory(r);
    }
    def->shapes = shapes;
    if (one) {
        def->shape_count = 1;
        return readShape(r, one, shapes);
    }
    for (const snJson* m = many->child; m && !status; m = m->next) {
        status = readShape(r, m, &shapes[def->shape_count++]);
    }
    return status;
}
