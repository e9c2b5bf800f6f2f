// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/scene/mesh.h"

#include <math.h>

// More entries than a file of the largest size can hold.
#define MOST_ENTRIES 100000000

static const snField VERTEX = {.key = "vertices",
                               .kind = sn_fieldNumber,
                               .lo = -SN_SCENE_LENGTH / 2,
                               .hi = SN_SCENE_LENGTH / 2,
                               .unit = "m"};

static snStatus readVertices(snSceneReader* r, const snJson* node, snVec3* out)
{
    snStatus status = sn_ok;
    for (const snJson* m = node->child; m && !status; m = m->next, ++out) {
        double v[3] = {0, 0, 0};
        status = snField_Numbers(r, m, &VERTEX, 3, v);
        *out = snV3(v[0], v[1], v[2]);
    }
    return status;
}

static snStatus readTriangles(snSceneReader* r, const snJson* node, size_t vertex_count,
                              int32_t* out)
{
    snField field = {.key = "triangles",
                     .kind = sn_fieldNumber,
                     .hi = (double)vertex_count - 1,
                     .unit = "(a vertex)"};
    for (const snJson* m = node->child; m; m = m->next) {
        double v[3];
        snStatus status = snField_Numbers(r, m, &field, 3, v);
        if (status) {
            return status;
        }
        for (int k = 0; k < 3; ++k) {
            if (floor(v[k]) != v[k]) {
                return snFailFound(r, snJson_At(m, (size_t)k), "a vertex of \"triangles\"",
                                   "a whole number");
            }
            *out++ = (int32_t)v[k];
        }
    }
    return sn_ok;
}

snStatus snReadTriangles(snSceneReader* r, const snJson* object, const snFields* keys,
                         snSurface* surface)
{
    const snJson *vertices, *triangles;
    snStatus status = snFields_Require(r, object, keys, "vertices", &vertices);
    status = status ? status : snFields_Require(r, object, keys, "triangles", &triangles);
    status = status ? status : snField_Array(r, vertices, 4, MOST_ENTRIES);
    status = status ? status : snField_Array(r, triangles, 4, MOST_ENTRIES);
    if (status) {
        return status;
    }
    surface->vertex_count = (int32_t)vertices->count;
    surface->triangle_count = (int32_t)triangles->count;
    surface->position = snArena_Push(&r->arena, vertices->count, sizeof(snVec3));
    surface->triangle = snArena_Push(&r->arena, triangles->count, 3 * sizeof(int32_t));
    if (!surface->position || !surface->triangle) {
        return snFailMemory(r);
    }
    status = readVertices(r, vertices, surface->position);
    return status ? status : readTriangles(r, triangles, vertices->count, surface->triangle);
}
