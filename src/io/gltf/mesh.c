// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Meshes of a glTF document on the nodes that show them.
#include <stdio.h>

#include "io/gltf/accessor.h"

// What an instance takes of what may be taken, as if it were numbers; its vertices, which are
// shared but have to be posed, take one for every SHARED of them
#define INSTANCE_COST 64
#define SHARED 8

typedef struct Meshes {
    int32_t* first;    // shape of each mesh's first primitive; -1 = not read yet; (meshes.count)
    const char** name; // of each mesh; (meshes.count)
    const char** material; // names of materials; (materials.count)
    size_t room;           // for instances
} Meshes;

static const snJson* primitivesOf(const snGltf* g, size_t mesh)
{
    const snJson* primitives = snJson_Get(g->meshes.items[mesh], "primitives");
    return primitives && primitives->kind == sn_jsonArray ? primitives : NULL;
}

static size_t primitiveCount(const snGltf* g, size_t mesh)
{
    const snJson* primitives = primitivesOf(g, mesh);
    return primitives ? primitives->count : 0;
}

// The mesh of a node; -1 = none, -2 = one that is not there
static int64_t meshOf(const snGltf* g, const snRigNode* node)
{
    const snJson* index = snJson_Get(g->nodes.items[node->file_index], "mesh");
    int64_t mesh = index ? snGltf_Index(index, g->meshes.count) : -1;
    return index && mesh < 0 ? -2 : mesh;
}

// Reads the shapes of a mesh, once. Those that are left out have no vertices.
static snStatus readMesh(snGltf* g, Meshes* m, size_t mesh)
{
    snRig* rig = g->rig;
    const snJson* primitives = primitivesOf(g, mesh);
    if (m->first[mesh] >= 0) {
        return sn_ok;
    }
    m->first[mesh] = rig->shape_count;
    m->name[mesh] = snGltf_Name(g, g->meshes.items[mesh], "name");
    const snJson* extras = snJson_Get(g->meshes.items[mesh], "extras");
    const char* model = snGltf_Name(g, extras, "model");
    int64_t points = snGltf_Index(snJson_Get(extras, "controlPoints"), SN_RIG_MOST);
    size_t p = 0;
    for (const snJson* j = primitives ? primitives->child : NULL; j; j = j->next, ++p) {
        char where[64];
        bool skipped;
        snRigShape* s = &rig->shapes[rig->shape_count++];
        snprintf(where, sizeof where, "meshes[%zu].primitives[%zu]", mesh, p);
        snStatus status = snGltf_ReadShape(g, j, where, s, &skipped);
        if (status) {
            return status;
        }
        s->model = model;
        s->point_count = points > 0 ? (int32_t)points : 0;
    }
    return sn_ok;
}

static const char* materialOf(const snGltf* g, const Meshes* m, const snJson* primitive)
{
    int64_t i = snGltf_Index(snJson_Get(primitive, "material"), g->materials.count);
    return i < 0 ? "" : m->material[i];
}

// Skin of a node's shape; -1 when it has none
static snStatus findSkin(snGltf* g, const snRigNode* node, const snRigShape* shape, int32_t* skin)
{
    const snJson* index = snJson_Get(g->nodes.items[node->file_index], "skin");
    int64_t s = index ? snGltf_Index(index, g->skins.count) : -1;
    *skin = -1;
    if (!index) {
        return sn_ok;
    }
    if (s < 0) {
        return snFail(g->why, sn_errorFile,
                      "nodes[%d].skin: there is no such skin; there are %zu" SN_GLTF_AGAIN,
                      (int)node->file_index, g->skins.count);
    }
    if (!shape->first) {
        snRig_Warn(g->rig,
                   "nodes[%d].skin: its mesh has no joints and weights; it rides on the "
                   "node",
                   (int)node->file_index);
        return sn_ok;
    }
    if (shape->joint_most >= g->rig->skins[s].joint_count) {
        return snFail(g->why, sn_errorFile,
                      "nodes[%d].skin: its mesh names joint %d, but skins[%d] has %d" SN_GLTF_AGAIN,
                      (int)node->file_index, (int)shape->joint_most, (int)s,
                      (int)g->rig->skins[s].joint_count);
    }
    *skin = (int32_t)s;
    return sn_ok;
}

// Puts a mesh on a node.
static snStatus addInstances(snGltf* g, const Meshes* m, int32_t n, size_t mesh)
{
    snRig* rig = g->rig;
    const snJson* primitives = primitivesOf(g, mesh);
    const char* name = m->name[mesh];
    int32_t p = 0;
    for (const snJson* j = primitives ? primitives->child : NULL; j; j = j->next, ++p) {
        const snRigShape* s = &rig->shapes[m->first[mesh] + p];
        if (s->vertex_count == 0) {
            continue;
        }
        snRigInstance* out = &rig->instances[rig->info.mesh_count++];
        int32_t skin = -1;
        snStatus status = findSkin(g, &rig->nodes[n], s, &skin);
        status =
            status ? status : snGltf_Spend(g, INSTANCE_COST + (uint64_t)s->vertex_count / SHARED);
        if (status) {
            return status;
        }
        out->shape = s;
        out->info = (snRigMesh){.name = name[0] ? name : rig->nodes[n].name,
                                .material = materialOf(g, m, j),
                                .node = n,
                                .skin = skin,
                                .mesh = (int32_t)mesh,
                                .primitive = p,
                                .vertex_count = s->vertex_count,
                                .triangle_count = s->triangle_count,
                                .target_count = s->target_count,
                                .influence_most = s->influence_most,
                                .position = s->position,
                                .normal = s->normal,
                                .triangles = s->triangles};
        if (s->vertex_count > SN_RIG_MOST - rig->info.vertex_count ||
            s->triangle_count > SN_RIG_MOST - rig->info.triangle_count ||
            s->target_count > SN_RIG_MOST - rig->info.target_count) {
            return snFail(g->why, sn_errorUnsupported,
                          "nodes[%d].mesh: all meshes together have more than %d vertices, "
                          "triangles or morph targets",
                          (int)rig->nodes[n].file_index, SN_RIG_MOST);
        }
        rig->info.vertex_count += s->vertex_count;
        rig->info.triangle_count += s->triangle_count;
        rig->info.target_count += s->target_count;
    }
    return sn_ok;
}

// Morph weights: of the node, or else of the mesh, or else 0
static snStatus addWeights(snGltf* g, const Meshes* m, snRigNode* node, size_t mesh)
{
    snRig* rig = g->rig;
    int32_t count = 0;
    for (size_t p = 0; p < primitiveCount(g, mesh); ++p) {
        int32_t own = rig->shapes[(size_t)m->first[mesh] + p].target_count;
        count = own > count ? own : count;
    }
    node->weight_first = rig->info.weight_count;
    node->weight_count = count;
    if (count > INT32_MAX - rig->info.weight_count) {
        return snGltf_FailMemory(g);
    }
    rig->info.weight_count += count;
    return snGltf_Spend(g, (uint64_t)count);
}

static void setWeights(snGltf* g, const snRigNode* node, size_t mesh)
{
    double* out = g->rig->weights + node->weight_first;
    const snJson* given = snJson_Get(g->nodes.items[node->file_index], "weights");
    given = given ? given : snJson_Get(g->meshes.items[mesh], "weights");
    if (given && !snGltf_Numbers(given, (size_t)node->weight_count, out)) {
        snRig_Warn(g->rig,
                   "meshes[%zu] on nodes[%d]: expected %d weights, one for each morph "
                   "target; taken as 0",
                   mesh, (int)node->file_index, (int)node->weight_count);
    }
}

// How many instances there will be, and whether all meshes are there
static snStatus countInstances(snGltf* g, Meshes* m)
{
    size_t hidden = 0;
    for (int32_t n = 0; n < g->rig->info.node_count; ++n) {
        const snRigNode* node = &g->rig->nodes[n];
        int64_t mesh = meshOf(g, node);
        if (mesh == -2) {
            return snFail(g->why, sn_errorFile,
                          "nodes[%d].mesh: there is no such mesh; there are %zu" SN_GLTF_AGAIN,
                          (int)node->file_index, g->meshes.count);
        }
        hidden += mesh >= 0 && !node->is_shown;
        m->room += mesh >= 0 && node->is_shown ? primitiveCount(g, (size_t)mesh) : 0;
    }
    if (hidden > 0) {
        snRig_Warn(g->rig, "%zu nodes with meshes are not in the file's scene; left out", hidden);
    }
    return m->room <= g->left / INSTANCE_COST ? sn_ok : snGltf_Spend(g, UINT64_MAX);
}

// Room for everything
static snStatus prepare(snGltf* g, Meshes* m)
{
    snRig* rig = g->rig;
    size_t shapes = 0;
    for (size_t i = 0; i < g->meshes.count; ++i) {
        shapes += primitiveCount(g, i);
    }
    m->first = snArena_Push(&g->arena, g->meshes.count, sizeof *m->first);
    m->name = snArena_Push(&g->arena, g->meshes.count, sizeof *m->name);
    m->material = snArena_Push(&g->arena, g->materials.count, sizeof *m->material);
    rig->shapes = snArena_Push(&rig->arena, shapes, sizeof *rig->shapes);
    rig->instances = snArena_Push(&rig->arena, m->room, sizeof *rig->instances);
    if (g->arena.failed || rig->arena.failed || shapes > INT32_MAX) {
        return snGltf_FailMemory(g);
    }
    for (size_t i = 0; i < g->meshes.count; ++i) {
        m->first[i] = -1;
    }
    for (size_t i = 0; i < g->materials.count; ++i) {
        m->material[i] = snGltf_Name(g, g->materials.items[i], "name");
    }
    return sn_ok;
}

snStatus snGltf_ReadMeshes(snGltf* g)
{
    snRig* rig = g->rig;
    Meshes m = {0};
    snStatus status = countInstances(g, &m);
    status = status ? status : prepare(g, &m);
    for (int32_t n = 0; n < rig->info.node_count && !status; ++n) {
        int64_t mesh = rig->nodes[n].is_shown ? meshOf(g, &rig->nodes[n]) : -1;
        if (mesh >= 0) {
            status = readMesh(g, &m, (size_t)mesh);
            status = status ? status : addWeights(g, &m, &rig->nodes[n], (size_t)mesh);
            status = status ? status : addInstances(g, &m, n, (size_t)mesh);
        }
    }
    rig->weights = snArena_Push(&rig->arena, (size_t)rig->info.weight_count, sizeof *rig->weights);
    if (!status && !rig->weights) {
        return snGltf_FailMemory(g);
    }
    for (int32_t n = 0; n < rig->info.node_count && !status; ++n) {
        if (rig->nodes[n].weight_count > 0) {
            setWeights(g, &rig->nodes[n], (size_t)meshOf(g, &rig->nodes[n]));
        }
    }
    return status;
}
