// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Helper joints of a patch: nodes on joints, behind the joints of their skins, and influences of
// meshes that name them. Nodes that were there keep their numbers.
#include <math.h>
#include <stdio.h>

#include "io/gltf/patcher.h"

#define MOST_SETS 8 // of influences that a document may have

static int32_t placeOf(const snRigSkin* skin, int32_t node)
{
    for (int32_t i = 0; i < skin->joint_count; ++i) {
        if (skin->joints[i] == node) {
            return i;
        }
    }
    return -1;
}

int32_t snGltfJoints_Place(const snRig* rig, const snGltfJoints* j, int32_t skin, int32_t helper)
{
    const snRigSkin* s = &rig->skins[skin];
    int32_t place = s->joint_count;
    for (int32_t h = 0; h < helper; ++h) {
        place += placeOf(s, j->helpers[h].node) >= 0;
    }
    return placeOf(s, j->helpers[helper].node) >= 0 ? place : -1;
}

// What is wrong --------------------------------------------------------------------

static snStatus checkInfluences(const snGltfPatch* p, const snGltfInfluences* part, snMessage* why)
{
    const snRig* rig = p->rig;
    bool known = part->instance >= 0 && part->instance < rig->info.mesh_count &&
                 rig->instances[part->instance].info.skin >= 0;
    if (!known || part->set_count < 1 || part->set_count > 2 || !part->joints || !part->weights) {
        return snFail(why, sn_errorArgument,
                      "influences of mesh instance %d: it has no skin, or there is not one set, or "
                      "two",
                      (int)part->instance);
    }
    const snRigMesh* mesh = &rig->instances[part->instance].info;
    int32_t most = rig->skins[mesh->skin].joint_count;
    for (int32_t h = 0; h < p->joints->helper_count; ++h) {
        int32_t place = snGltfJoints_Place(rig, p->joints, mesh->skin, h);
        most = place >= most ? place + 1 : most;
    }
    for (int32_t s = 0; s < part->set_count; ++s) {
        for (size_t i = 0; i < 4 * (size_t)mesh->vertex_count; ++i) {
            float w = part->weights[s][i];
            if (!(w >= 0 && w <= 1) || part->joints[s][i] >= most) {
                return snFail(why, sn_errorArgument,
                              "mesh instance %d: vertex %zu has the joint %d of %d, or a weight "
                              "that is not in 0..1",
                              (int)part->instance, i / 4, (int)part->joints[s][i], (int)most);
            }
        }
    }
    return sn_ok;
}

snStatus snGltfJoints_Check(const snGltfPatch* p, snMessage* why)
{
    const snGltfJoints* j = p->joints;
    int32_t clips = snRig_OwnClips(p->rig) + p->clip_count;
    snStatus status = sn_ok;
    for (int32_t h = 0; h < j->helper_count && !status; ++h) {
        int32_t node = j->helpers[h].node;
        if (node < 0 || node >= p->rig->info.node_count || !p->rig->nodes[node].is_joint ||
            !isfinite(snLengthSq(j->helpers[h].place))) {
            status = snFail(why, sn_errorArgument,
                            "helper %d hangs on node %d, which is no joint, or nowhere", (int)h,
                            (int)node);
        }
    }
    for (int32_t i = 0; i < j->part_count && !status; ++i) {
        status = checkInfluences(p, &j->parts[i], why);
    }
    for (int32_t i = 0; i < j->track_count && !status; ++i) {
        const snGltfTravel* t = &j->tracks[i];
        bool fine = t->clip >= 0 && t->clip < clips && t->key_count > 0 && t->times && t->places;
        for (int32_t k = 0; k < t->key_count && fine; ++k) {
            fine = t->times[k] >= 0 && isfinite(t->times[k]) &&
                   (k == 0 || t->times[k] > t->times[k - 1]);
        }
        for (size_t k = 0; fine && k < 3 * (size_t)t->key_count * (size_t)j->helper_count; ++k) {
            fine = isfinite(t->places[k]);
        }
        status = fine ? sn_ok
                      : snFail(why, sn_errorArgument,
                               "travel in clip %d: there is no such clip, times do not rise from 0 "
                               "or later, or places are not finite",
                               (int)t->clip);
    }
    return status;
}

// Nodes ----------------------------------------------------------------------------

static void addNodes(snGltfPatcher* p, const snGltfJoints* j)
{
    snJsonWriter nodes;
    snGltfPatcher_Begin(p, &nodes);
    for (int32_t h = 0; h < j->helper_count; ++h) {
        const snVec3* at = &j->helpers[h].place;
        float place[3] = {(float)at->x, (float)at->y, (float)at->z};
        char name[32];
        (void)snprintf(name, sizeof name, "sinew_joint_%d", (int)h);
        snJsonWriter_BeginObject(&nodes);
        snJsonWriter_Key(&nodes, "name");
        snJsonWriter_String(&nodes, name);
        snJsonWriter_Key(&nodes, "translation");
        snJsonWriter_BeginArray(&nodes);
        for (int k = 0; k < 3; ++k) {
            snJsonWriter_NumberFloat(&nodes, place[k]);
        }
        snJsonWriter_EndArray(&nodes);
        snJsonWriter_EndObject(&nodes);
    }
    snGltfPatcher_Extend(p, "nodes", snGltfPatcher_End(p, &nodes));
    snGltfPatcher_Note(p, sn_noteJoints, (size_t[]){p->nodes.count}, 1, NULL);
}

// Numbers of helpers on a node, or of those in a skin (node -1), with commas between them
static const char* listHelpers(snGltfPatcher* p, const snGltfJoints* j, int32_t node, int32_t skin)
{
    snJsonWriter list;
    snGltfPatcher_Begin(p, &list);
    for (int32_t h = 0; h < j->helper_count; ++h) {
        bool meant = node >= 0 ? j->helpers[h].node == node
                               : placeOf(&p->rig->skins[skin], j->helpers[h].node) >= 0;
        if (meant) {
            snJsonWriter_Int(&list, (int64_t)p->nodes.count + h);
        }
    }
    return snGltfPatcher_End(p, &list);
}

static void addChildren(snGltfPatcher* p, const snGltfJoints* j)
{
    for (int32_t n = 0; n < p->rig->info.node_count; ++n) {
        size_t number = (size_t)p->rig->nodes[n].file_index;
        const char* added = listHelpers(p, j, n, -1);
        const snJson* children = snJson_Get(p->nodes.items[number], "children");
        if (!added[0]) {
            continue;
        }
        snGltfPatcher_Note(p, sn_noteChildren, (size_t[]){number, children ? children->count : 0},
                           2, NULL);
        if (children) {
            snGltfEdits_Append(&p->edits, children, added);
        } else {
            snGltfEdits_Add(&p->edits, p->nodes.items[number], "children",
                            snGltf_Text(&p->arena, "[%s]", added));
        }
    }
}

// Skins ----------------------------------------------------------------------------

// Columns, as floats
static void putMatrix(float* out, const snMatrix* m)
{
    const snVec3* columns[4] = {&m->x, &m->y, &m->z, &m->p};
    for (int c = 0; c < 4; ++c) {
        out[4 * c] = (float)columns[c]->x, out[4 * c + 1] = (float)columns[c]->y;
        out[4 * c + 2] = (float)columns[c]->z, out[4 * c + 3] = c == 3;
    }
}

static snStatus widenSkin(snGltfPatcher* p, const snGltfJoints* j, int32_t number,
                          const snJson* json)
{
    const snRigSkin* skin = &p->rig->skins[number];
    const char* added = listHelpers(p, j, -1, number);
    const snJson *joints = snJson_Get(json, "joints"), *old = NULL;
    if (!added[0] || !joints) {
        return sn_ok;
    }
    size_t count = (size_t)skin->joint_count;
    float* matrices =
        snArena_Push(&p->arena, 16 * (count + (size_t)j->helper_count), sizeof(float));
    if (!matrices) {
        return snFail(p->why, sn_errorMemory, "out of memory");
    }
    for (size_t i = 0; i < count; ++i) {
        putMatrix(matrices + 16 * i, &skin->inverse_bind[i]);
    }
    for (int32_t h = 0; h < j->helper_count; ++h) {
        int32_t on = placeOf(skin, j->helpers[h].node);
        if (on >= 0) {
            snMatrix inverse = skin->inverse_bind[on];
            inverse.p = snSub(inverse.p, j->helpers[h].place);
            putMatrix(matrices + 16 * count++, &inverse);
        }
    }
    size_t accessor = snGltfStore_Matrices(&p->store, matrices, count);
    const char* value = snGltf_Text(&p->arena, "%zu", accessor);
    old = snJson_Get(json, "inverseBindMatrices");
    int64_t had = snGltf_Index(old, p->accessors.count);
    snGltfPatcher_Note(
        p, sn_noteSkins,
        (size_t[]){(size_t)number, joints->count, had < 0 ? SN_GLTF_NONE : (size_t)had}, 3, NULL);
    snGltfEdits_Append(&p->edits, joints, added);
    if (old) {
        snGltfEdits_Replace(&p->edits, old, value);
    } else {
        snGltfEdits_Add(&p->edits, json, "inverseBindMatrices", value);
    }
    return sn_ok;
}

// Meshes ---------------------------------------------------------------------------

static void setAttribute(snGltfPatcher* p, const snRigMesh* mesh, const snJson* attributes,
                         const char* name, size_t accessor)
{
    const snJson* old = snJson_Get(attributes, name);
    int64_t had = snGltf_Index(old, p->accessors.count);
    const char* value = snGltf_Text(&p->arena, "%zu", accessor);
    size_t note[3] = {(size_t)mesh->mesh, (size_t)mesh->primitive,
                      had < 0 ? SN_GLTF_NONE : (size_t)had};
    snGltfPatcher_Note(p, sn_noteInfluences, note, 3, name);
    if (old) {
        snGltfEdits_Replace(&p->edits, old, value);
    } else {
        snGltfEdits_Add(&p->edits, attributes, name, value);
    }
}

// Sets that were there and are needed no more become zeros.
static snStatus patchPart(snGltfPatcher* p, const snGltfInfluences* part)
{
    const snRigMesh* mesh = &p->rig->instances[part->instance].info;
    const snJson* list = snJson_Get(p->meshes.items[mesh->mesh], "primitives");
    const snJson* attributes = snJson_Get(snJson_At(list, (size_t)mesh->primitive), "attributes");
    size_t vertices = (size_t)mesh->vertex_count, users = 0;
    for (size_t n = 0; n < p->nodes.count; ++n) {
        users += snGltf_Index(snJson_Get(p->nodes.items[n], "mesh"), p->meshes.count) == mesh->mesh;
    }
    if (users > 1 || !attributes) {
        return snFail(
            p->why, sn_errorUnsupported,
            "meshes[%d] is shown by %zu nodes, which cannot have influences of their own; "
            "export the file again with a mesh for each, or bake shapes",
            (int)mesh->mesh, users);
    }
    for (int32_t s = 0; s < MOST_SETS; ++s) {
        char names[2][24];
        (void)snprintf(names[0], sizeof names[0], "JOINTS_%d", (int)s);
        (void)snprintf(names[1], sizeof names[1], "WEIGHTS_%d", (int)s);
        if (s >= part->set_count && !snJson_Get(attributes, names[0])) {
            break;
        }
        bool given = s < part->set_count;
        uint16_t* none = snArena_Push(&p->arena, given ? 0 : 4 * vertices, sizeof *none);
        float* nothing = snArena_Push(&p->arena, given ? 0 : 4 * vertices, sizeof *nothing);
        if (p->arena.failed) {
            return snFail(p->why, sn_errorMemory, "out of memory");
        }
        setAttribute(p, mesh, attributes, names[0],
                     snGltfStore_Joints(&p->store, given ? part->joints[s] : none, vertices));
        setAttribute(p, mesh, attributes, names[1],
                     snGltfStore_Weights(&p->store, given ? part->weights[s] : nothing, vertices));
    }
    return sn_ok;
}

snStatus snGltfPatcher_Joints(snGltfPatcher* p)
{
    const snGltfJoints* j = p->patch->joints;
    if (!j || j->helper_count == 0) {
        return sn_ok;
    }
    addNodes(p, j);
    addChildren(p, j);
    const snJson* skins = snJson_Get(p->root, "skins");
    snStatus status = sn_ok;
    for (int32_t s = 0; s < p->rig->info.skin_count && !status; ++s) {
        status = widenSkin(p, j, s, snJson_At(skins, (size_t)s));
    }
    for (int32_t i = 0; i < j->part_count && !status; ++i) {
        status = patchPart(p, &j->parts[i]);
    }
    return status;
}
