// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A primitive of a glTF mesh: vertices, triangles, morph targets.
#include <string.h>

#include "io/gltf/accessor.h"

// Kinds of primitives
enum { TRIANGLES = 4, STRIP = 5, FAN = 6 };

// An attribute that has a value for every vertex; NULL when there is none. VEC3 unless `any`.
static snStatus readAttribute(snGltf* g, const snJson* attributes, const char* name,
                              const char* where, const snRigShape* shape, bool any,
                              snGltfNumbers* out)
{
    const snJson* index = snJson_Get(attributes, name);
    *out = (snGltfNumbers){0};
    if (!index) {
        return sn_ok;
    }
    snStatus status = snGltf_Floats(g, index, any ? NULL : "VEC3", out);
    if (!status && out->count != (size_t)shape->vertex_count) {
        status = snFail(g->why, sn_errorFile, "there are %zu values for %d vertices" SN_GLTF_AGAIN,
                        out->count, (int)shape->vertex_count);
    }
    if (status) {
        snMessage_Prefix(g->why, "%s.%s", where, name);
    }
    return status;
}

// Triangles ------------------------------------------------------------------------

// Corner k of triangle t among the indices. Strips turn every second one over, fans begin at 0.
static size_t cornerOf(int64_t mode, size_t t, size_t k)
{
    switch (mode) {
    case STRIP:
        return t + (k == 0 ? 0 : t % 2 == 0 ? k : 3 - k);
    case FAN:
        return k == 2 ? 0 : t + 1 + k;
    default:
        return 3 * t + k;
    }
}

static snStatus readTriangles(snGltf* g, const snJson* primitive, const char* where, int64_t mode,
                              snRigShape* shape)
{
    snGltfNumbers indices = {0};
    const snJson* index = snJson_Get(primitive, "indices");
    snStatus status = index ? snGltf_Ints(g, index, "SCALAR", &indices) : sn_ok;
    if (status) {
        snMessage_Prefix(g->why, "%s.indices", where);
        return status;
    }
    size_t corners = index ? indices.count : (size_t)shape->vertex_count;
    size_t count = mode == TRIANGLES ? corners / 3 : corners < 3 ? 0 : corners - 2;
    if (count > SN_RIG_MOST) {
        return snFail(g->why, sn_errorUnsupported, "%s: it has more than %d triangles", where,
                      SN_RIG_MOST);
    }
    if (mode == TRIANGLES && corners % 3 != 0) {
        snRig_Warn(g->rig,
                   "%s: %zu corners are no whole number of triangles; the last %zu are left "
                   "out",
                   where, corners, corners % 3);
    }
    status = snGltf_Spend(g, 3 * count);
    if (status) {
        return status;
    }
    shape->triangle_count = (int32_t)count;
    shape->triangles = snArena_Push(&g->rig->arena, 3 * count, sizeof *shape->triangles);
    if (!shape->triangles) {
        return snGltf_FailMemory(g);
    }
    for (size_t i = 0; i < 3 * count; ++i) {
        size_t at = cornerOf(mode, i / 3, i % 3);
        size_t v = index ? indices.ints[at] : at;
        if (v >= (size_t)shape->vertex_count) {
            return snFail(g->why, sn_errorFile,
                          "%s.indices: number %zu is vertex %zu; there are %d" SN_GLTF_AGAIN, where,
                          at, v, (int)shape->vertex_count);
        }
        shape->triangles[i] = (int32_t)v;
    }
    return sn_ok;
}

// Vertices -------------------------------------------------------------------------

static snStatus readTargets(snGltf* g, const snJson* primitive, const char* where,
                            snRigShape* shape)
{
    const snJson* targets = snJson_Get(primitive, "targets");
    size_t count = targets && targets->kind == sn_jsonArray ? targets->count : 0;
    shape->targets = snArena_Push(&g->rig->arena, count, sizeof *shape->targets);
    if (!shape->targets || count > INT32_MAX) {
        return snGltf_FailMemory(g);
    }
    snStatus status = sn_ok;
    for (const snJson* t = count > 0 ? targets->child : NULL; t && !status; t = t->next) {
        snRigTarget* target = &shape->targets[shape->target_count];
        snGltfNumbers n;
        status = readAttribute(g, t, "POSITION", "targets", shape, false, &n);
        target->position = n.floats;
        if (!status) {
            status = readAttribute(g, t, "NORMAL", "targets", shape, false, &n);
            target->normal = n.floats;
        }
        if (status) {
            snMessage_Prefix(g->why, "%s, target %d", where, (int)shape->target_count);
        }
        ++shape->target_count;
    }
    return status;
}

// Numbers under names of the artist's own, and COLOR_0
static snStatus readPaint(snGltf* g, const snJson* attributes, const char* where, snRigShape* shape)
{
    size_t count = 0;
    snGltfNumbers n;
    for (const snJson* j = attributes->child; j; j = j->next) {
        count += j->key[0] == '_';
    }
    shape->attributes = snArena_Push(&g->rig->arena, count, sizeof *shape->attributes);
    if (!shape->attributes) {
        return snGltf_FailMemory(g);
    }
    for (const snJson* j = attributes->child; j; j = j->next) {
        if (j->key[0] != '_') {
            continue;
        }
        snStatus status = readAttribute(g, attributes, j->key, where, shape, true, &n);
        if (status) {
            return status;
        }
        const char* name = snArena_String(&g->rig->arena, j->key, strlen(j->key));
        if (!name) {
            return snGltf_FailMemory(g);
        }
        shape->attributes[shape->attribute_count++] =
            (snRigAttribute){name, (int32_t)n.width, n.floats};
    }
    snStatus status = readAttribute(g, attributes, "COLOR_0", where, shape, true, &n);
    if (!status && n.floats && n.width != 3 && n.width != 4) {
        return snFail(g->why, sn_errorFile, "%s.COLOR_0: expected VEC3 or VEC4" SN_GLTF_AGAIN,
                      where);
    }
    shape->color = n.floats;
    shape->color_width = (int32_t)n.width;
    return status;
}

snStatus snGltf_ReadShape(snGltf* g, const snJson* primitive, const char* where, snRigShape* shape,
                          bool* skipped)
{
    const snJson* attributes = snJson_Get(primitive, "attributes");
    int64_t mode = snGltf_Member(primitive, "mode", 7, TRIANGLES);
    *skipped = mode >= 0 && mode < TRIANGLES;
    if (mode < 0) {
        return snFail(g->why, sn_errorFile, "%s.mode: expected 0..6" SN_GLTF_AGAIN, where);
    }
    if (*skipped) {
        snRig_Warn(g->rig, "%s: it is of %s, not of triangles; left out", where,
                   mode == 0 ? "points" : "lines");
        return sn_ok;
    }
    snGltfNumbers n;
    snStatus status = snGltf_Floats(g, snJson_Get(attributes, "POSITION"), "VEC3", &n);
    if (status) {
        snMessage_Prefix(g->why, "%s.attributes.POSITION", where);
        return status;
    }
    if (n.count > SN_RIG_MOST) {
        return snFail(g->why, sn_errorUnsupported, "%s: it has more than %d vertices", where,
                      SN_RIG_MOST);
    }
    shape->vertex_count = (int32_t)n.count;
    shape->position = n.floats;
    status = readAttribute(g, attributes, "NORMAL", where, shape, false, &n);
    shape->normal = n.floats;
    status = status ? status : readTriangles(g, primitive, where, mode, shape);
    status = status ? status : readTargets(g, primitive, where, shape);
    status = status ? status : readPaint(g, attributes, where, shape);
    return status ? status : snGltf_ReadInfluences(g, attributes, where, shape);
}
