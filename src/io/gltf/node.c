// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Nodes of a glTF document, parents before children, and its skins, which are lists of nodes.
#include <math.h>
#include <string.h>

#include "io/gltf/accessor.h"

// How far the square of a rotation's length may be from 1; beyond it something else is wrong.
#define UNIT_TOLERANCE 1e-3

// Nodes ----------------------------------------------------------------------------

static bool readMatrix(const snJson* json, snMatrix* out)
{
    double m[16];
    if (!json || !snGltf_Numbers(json, 16, m)) {
        return false;
    }
    *out = (snMatrix){snV3(m[0], m[1], m[2]), snV3(m[4], m[5], m[6]), snV3(m[8], m[9], m[10]),
                      snV3(m[12], m[13], m[14])};
    return m[3] == 0 && m[7] == 0 && m[11] == 0 && m[15] == 1;
}

static snStatus readNode(snGltf* g, size_t i, snRigNode* node)
{
    const snJson* json = g->nodes.items[i];
    const snJson* matrix = snJson_Get(json, "matrix");
    double t[3] = {0, 0, 0}, r[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    node->name = snGltf_Name(g, json, "name");
    node->file_index = (int32_t)i;
    node->has_matrix = matrix != NULL;
    if (matrix) {
        if (!readMatrix(matrix, &node->local)) {
            return snFail(g->why, sn_errorFile,
                          "nodes[%zu].matrix: expected 16 numbers, of each fourth 0, 0, 0, "
                          "1" SN_GLTF_AGAIN,
                          i);
        }
        snMatrix_Split(&node->local, &node->translation, &node->rotation, &node->scale);
        return sn_ok;
    }
    const char* wrong = !snGltf_Numbers(snJson_Get(json, "translation"), 3, t) ? "translation"
                        : !snGltf_Numbers(snJson_Get(json, "rotation"), 4, r)  ? "rotation"
                        : !snGltf_Numbers(snJson_Get(json, "scale"), 3, s)     ? "scale"
                                                                               : NULL;
    if (wrong) {
        return snFail(g->why, sn_errorFile, "nodes[%zu].%s: expected %d numbers" SN_GLTF_AGAIN, i,
                      wrong, wrong[0] == 'r' ? 4 : 3);
    }
    snQuat q = snQ(r[0], r[1], r[2], r[3]);
    if (!(fabs(snQDot(q, q) - 1) <= UNIT_TOLERANCE)) {
        snRig_Warn(g->rig, "nodes[%zu].rotation: its length is %.4g, not 1; put right", i,
                   sqrt(snQDot(q, q)));
    }
    node->translation = snV3(t[0], t[1], t[2]);
    node->rotation = snQNormalize(q);
    node->scale = snV3(s[0], s[1], s[2]);
    node->local = snMatrix_FromParts(node->translation, node->rotation, node->scale);
    return sn_ok;
}

// Parent of every node, -1 at the top
static snStatus findParents(const snGltf* g, int32_t* parents)
{
    for (size_t i = 0; i < g->nodes.count; ++i) {
        parents[i] = -1;
    }
    for (size_t i = 0; i < g->nodes.count; ++i) {
        const snJson* children = snJson_Get(g->nodes.items[i], "children");
        for (const snJson* c = children ? children->child : NULL; c; c = c->next) {
            int64_t child = snGltf_Index(c, g->nodes.count);
            if (child < 0) {
                return snFail(g->why, sn_errorFile,
                              "nodes[%zu].children: there is no such node; there are "
                              "%zu" SN_GLTF_AGAIN,
                              i, g->nodes.count);
            }
            if (parents[child] >= 0) {
                return snFail(g->why, sn_errorFile,
                              "nodes[%d]: it is a child of nodes[%d] and of nodes[%zu]; nodes must "
                              "be a tree" SN_GLTF_AGAIN,
                              (int)child, (int)parents[child], i);
            }
            parents[child] = (int32_t)i;
        }
    }
    return sn_ok;
}

// Puts tops first, then the children of each in turn. Nodes in a circle have no top and are found
// missing. places: -1 = not yet.
static snStatus sortNodes(snGltf* g, const int32_t* parents)
{
    snRig* rig = g->rig;
    int32_t count = 0;
    for (size_t i = 0; i < g->nodes.count; ++i) {
        g->place[i] = -1;
        if (parents[i] < 0) {
            rig->nodes[count].parent = -1;
            rig->nodes[count].file_index = (int32_t)i;
            g->place[i] = count++;
        }
    }
    for (int32_t n = 0; n < count; ++n) {
        const snJson* children = snJson_Get(g->nodes.items[rig->nodes[n].file_index], "children");
        for (const snJson* c = children ? children->child : NULL; c; c = c->next) {
            rig->nodes[count].parent = n;
            rig->nodes[count].file_index = (int32_t)c->number;
            g->place[(size_t)c->number] = count++;
        }
    }
    for (size_t i = 0; i < g->nodes.count; ++i) {
        if (g->place[i] < 0) {
            return snFail(g->why, sn_errorFile,
                          "nodes[%zu]: it is among its own children's children; nodes must not "
                          "form a circle" SN_GLTF_AGAIN,
                          i);
        }
    }
    rig->info.node_count = count;
    return sn_ok;
}

// Marks what is in the file's scene: all without scenes.
static snStatus findShown(snGltf* g)
{
    snRig* rig = g->rig;
    snGltfList scenes = snGltfList_Of(&g->arena, snJson_Get(g->root, "scenes"));
    if (g->arena.failed) {
        return snGltf_FailMemory(g);
    }
    int64_t number = snGltf_Member(g->root, "scene", scenes.count, scenes.count > 0 ? 0 : -1);
    if (number < 0 && snJson_Get(g->root, "scene")) {
        return snFail(g->why, sn_errorFile,
                      "scene: there is no such scene; there are "
                      "%zu" SN_GLTF_AGAIN,
                      scenes.count);
    }
    const snJson* tops = number < 0 ? NULL : snJson_Get(scenes.items[number], "nodes");
    for (const snJson* j = tops ? tops->child : NULL; j; j = j->next) {
        int64_t node = snGltf_Index(j, g->nodes.count);
        if (node < 0) {
            return snFail(g->why, sn_errorFile,
                          "scenes[%d].nodes: there is no such node; there are %zu" SN_GLTF_AGAIN,
                          (int)number, g->nodes.count);
        }
        rig->nodes[g->place[node]].is_shown = 1;
    }
    for (int32_t n = 0; n < rig->info.node_count; ++n) {
        int32_t parent = rig->nodes[n].parent;
        if (number < 0 || (parent >= 0 && rig->nodes[parent].is_shown)) {
            rig->nodes[n].is_shown = 1;
        }
    }
    return sn_ok;
}

snStatus snGltf_ReadNodes(snGltf* g)
{
    snRig* rig = g->rig;
    int32_t* parents = snArena_Push(&g->arena, g->nodes.count, sizeof *parents);
    rig->nodes = snArena_Push(&rig->arena, g->nodes.count, sizeof *rig->nodes);
    if (!parents || !rig->nodes || g->nodes.count > INT32_MAX) {
        return snGltf_FailMemory(g);
    }
    snStatus status = findParents(g, parents);
    status = status ? status : sortNodes(g, parents);
    for (int32_t n = 0; n < rig->info.node_count && !status; ++n) {
        status = readNode(g, (size_t)rig->nodes[n].file_index, &rig->nodes[n]);
    }
    return status ? status : findShown(g);
}

// Skins ----------------------------------------------------------------------------

static snStatus readBinds(snGltf* g, const snJson* index, size_t i, snRigSkin* skin)
{
    snGltfNumbers m;
    snStatus status = snGltf_Floats(g, index, "MAT4", &m);
    if (!status && m.count < (size_t)skin->joint_count) {
        status = snFail(g->why, sn_errorFile, "there are %zu matrices for %d joints" SN_GLTF_AGAIN,
                        m.count, (int)skin->joint_count);
    }
    if (status) {
        snMessage_Prefix(g->why, "skins[%zu].inverseBindMatrices", i);
        return status;
    }
    int32_t odd = 0;
    for (int32_t j = 0; j < skin->joint_count; ++j) {
        double a[16];
        for (size_t k = 0; k < 16; ++k) {
            a[k] = (double)m.floats[16 * (size_t)j + k];
        }
        skin->inverse_bind[j] = (snMatrix){snV3(a[0], a[1], a[2]), snV3(a[4], a[5], a[6]),
                                           snV3(a[8], a[9], a[10]), snV3(a[12], a[13], a[14])};
        odd += fabs(a[3]) + fabs(a[7]) + fabs(a[11]) + fabs(a[15] - 1) > 1e-5;
    }
    if (odd > 0) {
        snRig_Warn(g->rig,
                   "skins[%zu].inverseBindMatrices: the last row of %d matrices is not 0 0 "
                   "0 1; taken as if it were",
                   i, (int)odd);
    }
    return sn_ok;
}

static snStatus readSkin(snGltf* g, size_t i, snRigSkin* skin)
{
    const snJson* json = g->skins.items[i];
    const snJson *joints = snJson_Get(json, "joints"),
                 *binds = snJson_Get(json, "inverseBindMatrices");
    size_t count = joints && joints->kind == sn_jsonArray ? joints->count : 0;
    if (count == 0 || count > INT32_MAX) {
        return snFail(g->why, sn_errorFile,
                      "skins[%zu].joints: expected a list of nodes" //
                      SN_GLTF_AGAIN,
                      i);
    }
    skin->name = snGltf_Name(g, json, "name");
    skin->joints = snArena_Push(&g->rig->arena, count, sizeof *skin->joints);
    skin->inverse_bind = snArena_Push(&g->rig->arena, count, sizeof *skin->inverse_bind);
    if (!skin->joints || !skin->inverse_bind) {
        return snGltf_FailMemory(g);
    }
    for (const snJson* j = joints->child; j; j = j->next) {
        int64_t node = snGltf_Index(j, g->nodes.count);
        if (node < 0) {
            return snFail(g->why, sn_errorFile,
                          "skins[%zu].joints[%d]: there is no such node; there are %zu" //
                          SN_GLTF_AGAIN,
                          i, (int)skin->joint_count, g->nodes.count);
        }
        snRigNode* joint = &g->rig->nodes[g->place[node]];
        g->rig->info.joint_count += !joint->is_joint;
        joint->is_joint = 1;
        skin->inverse_bind[skin->joint_count] = snMatrix_Identity();
        skin->joints[skin->joint_count++] = g->place[node];
    }
    skin->given = binds != NULL;
    return binds ? readBinds(g, binds, i, skin) : sn_ok;
}

snStatus snGltf_ReadSkins(snGltf* g)
{
    snRig* rig = g->rig;
    rig->skins = snArena_Push(&rig->arena, g->skins.count, sizeof *rig->skins);
    if (!rig->skins || g->skins.count > INT32_MAX) {
        return snGltf_FailMemory(g);
    }
    snStatus status = sn_ok;
    for (size_t i = 0; i < g->skins.count && !status; ++i) {
        status = readSkin(g, i, &rig->skins[i]);
    }
    rig->info.skin_count = (int32_t)g->skins.count;
    return status;
}
