// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Morph targets of a patch: in meshes, and the weights of meshes and nodes.
//
// A node that does not move must not be touched. So a mesh is changed where it is when all nodes
// that show it move, and then the first one keeps it; every other node that moves gets a copy.
// Extensions that name a mesh by its number (VRM 0's blend shapes) go on meaning the original.
//
// Within a primitive all targets get the same attributes, filled up with zeros. That says the same,
// but three.js (0.187) takes the vertices' own positions or normals for differences that are not
// there when another target of the primitive has some.
#include <string.h>

#include "io/gltf/patcher.h"

// A mesh that is being changed: in its place, or as the text of a copy
typedef struct Mesh {
    const snGltfFlesh* flesh;
    const snJson* json;
    size_t number;      // of the mesh that is changed
    size_t old;         // targets that are there
    snGltfEdits* edits; // of its text
} Mesh;

// Names ----------------------------------------------------------------------------

static const char* zeros(snGltfPatcher* p, size_t count)
{
    snJsonWriter w;
    snGltfPatcher_Begin(p, &w);
    for (size_t i = 0; i < count; ++i) {
        snJsonWriter_Int(&w, 0);
    }
    return snGltfPatcher_End(p, &w);
}

// sinew_0, sinew_1, ...; a document that has such names already goes on with the targets' numbers
static const char* namesOf(snGltfPatcher* p, const Mesh* m, const snJson* old)
{
    size_t first = 0;
    for (const snJson* j = old ? old->child : NULL; j; j = j->next) {
        if (j->kind == sn_jsonString && strncmp(j->string, "sinew_", 6) == 0) {
            first = m->old;
        }
    }
    snJsonWriter w;
    snGltfPatcher_Begin(p, &w);
    for (size_t k = 0; k < (size_t)m->flesh->shape_count; ++k) {
        snJsonWriter_String(&w, snGltf_Text(&p->arena, "sinew_%zu", first + k));
    }
    return snGltfPatcher_End(p, &w);
}

// Names of targets, which programs keep in extras of the mesh or, older ones, of primitives. A list
// that has one for each target grows. A mesh without targets gets one (`make`).
static void nameTargets(snGltfPatcher* p, const Mesh* m, const snJson* object, bool make)
{
    const snJson* extras = snJson_Get(object, "extras");
    const snJson* names = snJson_Get(extras, "targetNames");
    if (names && names->kind == sn_jsonArray && names->count == m->old) {
        snGltfEdits_Append(m->edits, names, namesOf(p, m, names));
    } else if (!names && make && m->old == 0 && (!extras || extras->kind == sn_jsonObject)) {
        const char* list = snGltf_Text(&p->arena, "[%s]", namesOf(p, m, NULL));
        if (extras) {
            snGltfEdits_Add(m->edits, extras, "targetNames", list);
        } else {
            snGltfEdits_Add(m->edits, object, "extras",
                            snGltf_Text(&p->arena, "{\"targetNames\":%s}", list));
        }
    }
}

// Weights of a mesh or node, if it has them, become as many as there are targets.
static void widenWeights(snGltfPatcher* p, snGltfEdits* edits, const snJson* object, size_t total)
{
    const snJson* weights = snJson_Get(object, "weights");
    if (weights && weights->kind == sn_jsonArray && weights->count < total) {
        snGltfEdits_Append(edits, weights, zeros(p, total - weights->count));
    }
}

// Primitives -----------------------------------------------------------------------

// An attribute that targets of a primitive have
typedef struct Attribute {
    const char* name;
    const char* type;
    const float* const* deltas; // NULL: zeros
} Attribute;

#define MOST_ATTRIBUTES 16

typedef struct Attributes {
    Attribute items[MOST_ATTRIBUTES];
    size_t count;
} Attributes;

static void addAttribute(Attributes* a, const char* name, const char* type,
                         const float* const* deltas)
{
    for (size_t i = 0; i < a->count; ++i) {
        if (strcmp(a->items[i].name, name) == 0) {
            return;
        }
    }
    if (a->count < MOST_ATTRIBUTES) {
        a->items[a->count++] = (Attribute){name, type, deltas};
    }
}

static const snGltfPart* partOf(const snGltfPatcher* p, const Mesh* m, size_t primitive)
{
    for (int32_t i = 0; i < m->flesh->part_count; ++i) {
        const snGltfPart* part = &m->flesh->parts[i];
        if ((size_t)p->rig->instances[part->instance].info.primitive == primitive) {
            return part;
        }
    }
    return NULL;
}

// Ours first, then what only targets have that are there
static Attributes attributesOf(const snGltfPatcher* p, const snJson* primitive,
                               const snGltfPart* part)
{
    Attributes a = {.count = 0};
    bool normals = snJson_Get(snJson_Get(primitive, "attributes"), "NORMAL") != NULL;
    addAttribute(&a, "POSITION", "VEC3", part ? part->position : NULL);
    if (part && part->normal && normals) {
        addAttribute(&a, "NORMAL", "VEC3", part->normal);
    }
    const snJson* targets = snJson_Get(primitive, "targets");
    for (const snJson* t = targets ? targets->child : NULL; t; t = t->next) {
        for (const snJson* j = t->child; j; j = j->next) {
            int64_t i = snGltf_Index(j, p->accessors.count);
            const snJson* type = i < 0 ? NULL : snJson_Get(p->accessors.items[i], "type");
            if (type && type->kind == sn_jsonString) {
                addAttribute(&a, j->key, type->string, NULL);
            }
        }
    }
    return a;
}

// Targets that are there get what ours have and they do not.
static void fillTargets(snGltfPatcher* p, const Mesh* m, const snJson* targets, size_t primitive,
                        const Attributes* a, size_t vertices)
{
    size_t t = 0;
    for (const snJson* j = targets ? targets->child : NULL; j; j = j->next, ++t) {
        for (size_t i = 0; i < a->count; ++i) {
            if (j->kind == sn_jsonObject && !snJson_Get(j, a->items[i].name)) {
                size_t zero = snGltfStore_Zeros(&p->store, a->items[i].type, vertices);
                snGltfEdits_Add(m->edits, j, a->items[i].name, snGltf_Text(&p->arena, "%zu", zero));
                snGltfPatcher_Note(p, sn_noteFilled, (size_t[]){m->number, primitive, t}, 3,
                                   a->items[i].name);
            }
        }
    }
}

static snStatus patchPrimitive(snGltfPatcher* p, const Mesh* m, const snJson* json, size_t number)
{
    const snGltfPart* part = partOf(p, m, number);
    const snJson* targets = snJson_Get(json, "targets");
    const snJson* position = snJson_Get(snJson_Get(json, "attributes"), "POSITION");
    int64_t i = snGltf_Index(position, p->accessors.count);
    int64_t vertices = i < 0 ? -1 : snGltf_Member(p->accessors.items[i], "count", INT32_MAX, -1);
    if (vertices < 1 || (targets && targets->kind != sn_jsonArray) ||
        (targets ? targets->count : 0) != m->old) {
        return snFail(p->why, sn_errorUnsupported,
                      "meshes[%zu].primitives[%zu]: expected POSITION, and %zu morph targets as "
                      "other parts of the mesh have" SN_GLTF_AGAIN,
                      m->number, number, m->old);
    }
    if (snJson_Get(snJson_Get(json, "extensions"), "KHR_draco_mesh_compression")) {
        return snFail(p->why, sn_errorUnsupported,
                      "meshes[%zu].primitives[%zu]: it is compressed with Draco, which may change "
                      "the order of vertices; export the file again without compression",
                      m->number, number);
    }
    Attributes a = attributesOf(p, json, part);
    snJsonWriter w;
    snGltfPatcher_Begin(p, &w);
    for (int32_t k = 0; k < m->flesh->shape_count; ++k) {
        snJsonWriter_BeginObject(&w);
        for (size_t n = 0; n < a.count; ++n) {
            const Attribute* x = &a.items[n];
            size_t accessor = x->deltas
                                  ? snGltfStore_Deltas(&p->store, x->deltas[k], (size_t)vertices)
                                  : snGltfStore_Zeros(&p->store, x->type, (size_t)vertices);
            snJsonWriter_Key(&w, x->name);
            snJsonWriter_Int(&w, (int64_t)accessor);
        }
        snJsonWriter_EndObject(&w);
    }
    const char* list = snGltfPatcher_End(p, &w);
    fillTargets(p, m, targets, number, &a, (size_t)vertices);
    if (targets) {
        snGltfEdits_Append(m->edits, targets, list);
    } else {
        snGltfEdits_Add(m->edits, json, "targets", snGltf_Text(&p->arena, "[%s]", list));
    }
    nameTargets(p, m, json, false);
    return sn_ok;
}

// Meshes ---------------------------------------------------------------------------

static snStatus patchMesh(snGltfPatcher* p, const Mesh* m)
{
    const snJson* primitives = snJson_Get(m->json, "primitives");
    size_t n = 0;
    snStatus status = sn_ok;
    for (const snJson* j = primitives->child; j && !status; j = j->next) {
        status = patchPrimitive(p, m, j, n++);
    }
    widenWeights(p, m->edits, m->json, m->old + (size_t)m->flesh->shape_count);
    nameTargets(p, m, m->json, true);
    return status;
}

// The mesh's text with another name
static snStatus copyMesh(snGltfPatcher* p, const Mesh* given, size_t copies, snJsonWriter* out)
{
    snGltfEdits edits = {.arena = &p->arena, .source = p->text};
    Mesh m = *given;
    const snJson* name = snJson_Get(m.json, "name");
    size_t length = 0;
    m.edits = &edits;
    if (name && name->kind == sn_jsonString) { // as it is written, before its closing quote
        const char* old =
            snArena_String(&p->arena, p->text + name->begin, (size_t)(name->end - name->begin) - 1);
        snGltfEdits_Replace(&edits, name,
                            snGltf_Text(&p->arena, "%s_flesh_%zu\"", old ? old : "", copies));
    }
    snStatus status = patchMesh(p, &m);
    const char* text = snGltfEdits_Render(&edits, m.json->begin, m.json->end, &length);
    if (!status && !text) {
        return snFail(p->why, sn_errorMemory, "out of memory");
    }
    if (!status) {
        snJsonWriter_Raw(out, text, length);
    }
    return status;
}

// Nodes that show each mesh, also where they are in no scene
typedef struct Users {
    size_t *all, *moving; // (meshes.count)
    size_t* copied;       // so far; (meshes.count)
} Users;

static int64_t meshOf(const snGltfPatcher* p, size_t file_index)
{
    return snGltf_Index(snJson_Get(p->nodes.items[file_index], "mesh"), p->meshes.count);
}

static Users countUsers(snGltfPatcher* p)
{
    Users u = {snArena_Push(&p->arena, p->meshes.count, sizeof(size_t)),
               snArena_Push(&p->arena, p->meshes.count, sizeof(size_t)),
               snArena_Push(&p->arena, p->meshes.count, sizeof(size_t))};
    for (size_t i = 0; i < p->nodes.count && !p->arena.failed; ++i) {
        int64_t mesh = meshOf(p, i);
        if (mesh >= 0) {
            ++u.all[mesh];
        }
    }
    for (int32_t i = 0; i < p->patch->flesh_count && !p->arena.failed; ++i) {
        int32_t node = p->rig->nodes[p->patch->flesh[i].node].file_index;
        ++u.moving[meshOf(p, (size_t)node)];
    }
    return u;
}

static snStatus patchFlesh(snGltfPatcher* p, const snGltfFlesh* flesh, Users* u,
                           snJsonWriter* copies, size_t* mesh_count)
{
    const snRigNode* node = &p->rig->nodes[flesh->node];
    size_t file_index = (size_t)node->file_index, mesh = (size_t)meshOf(p, file_index);
    const snJson* json = p->nodes.items[file_index];
    bool in_place = u->moving[mesh] == u->all[mesh] && u->copied[mesh] == 0;
    Mesh m = {flesh, p->meshes.items[mesh], in_place ? mesh : *mesh_count,
              (size_t)node->weight_count, &p->edits};
    size_t copy = u->copied[mesh]++;
    snStatus status = sn_ok;
    if (in_place) {
        status = patchMesh(p, &m);
    } else {
        status = copyMesh(p, &m, copy, copies);
        snGltfEdits_Replace(&p->edits, snJson_Get(json, "mesh"),
                            snGltf_Text(&p->arena, "%zu", *mesh_count));
        snGltfPatcher_Note(p, sn_noteNodes, (size_t[]){file_index, mesh}, 2, NULL);
        ++*mesh_count;
    }
    snGltfPatcher_Note(p, sn_noteTargets, (size_t[]){m.number, m.old}, 2, NULL);
    widenWeights(p, &p->edits, json, m.old + (size_t)flesh->shape_count);
    return status;
}

snStatus snGltfPatcher_Meshes(snGltfPatcher* p)
{
    size_t mesh_count = p->meshes.count;
    Users u = countUsers(p);
    snStatus status = p->arena.failed ? snFail(p->why, sn_errorMemory, "out of memory") : sn_ok;
    snJsonWriter copies;
    snGltfPatcher_Begin(p, &copies);
    for (int32_t i = 0; i < p->patch->flesh_count && !status; ++i) {
        status = patchFlesh(p, &p->patch->flesh[i], &u, &copies, &mesh_count);
    }
    snGltfPatcher_Extend(p, "meshes", snGltfPatcher_End(p, &copies));
    return status;
}
