// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/lbs.h"

#include <math.h>
#include <string.h>

void snLbs_Joints(const snRigSkin* skin, const snMatrix* nodes, snMatrix* out)
{
    for (int32_t j = 0; j < skin->joint_count; ++j) {
        out[j] = snMatrix_Mul(&nodes[skin->joints[j]], &skin->inverse_bind[j]);
    }
}

snMatrix snLbs_Blend(const snRigShape* s, const snMatrix* joints, size_t v)
{
    snMatrix B = {0};
    for (int32_t i = s->first[v]; i < s->first[v + 1]; ++i) {
        B = snMatrix_MulAdd(&B, (double)s->weight[i], &joints[s->joint[i]]);
    }
    return B;
}

static snVec3 vecAt(const float* v, size_t i)
{
    return snV3((double)v[3 * i], (double)v[3 * i + 1], (double)v[3 * i + 2]);
}

snVec3 snLbs_Morph(const snRigShape* s, const double* weights, size_t v)
{
    snVec3 x = vecAt(s->position, v);
    for (int32_t k = 0; weights && k < s->target_count; ++k) {
        if (s->targets[k].position && weights[k] != 0) {
            x = snMulAdd(x, weights[k], vecAt(s->targets[k].position, v));
        }
    }
    return x;
}

snVec3 snLbs_MorphNormal(const snRigShape* s, const double* weights, size_t v)
{
    snVec3 n = vecAt(s->normal, v);
    for (int32_t k = 0; weights && k < s->target_count; ++k) {
        if (s->targets[k].normal && weights[k] != 0) {
            n = snMulAdd(n, weights[k], vecAt(s->targets[k].normal, v));
        }
    }
    return n;
}

static void put(float* out, size_t i, snVec3 v)
{
    out[3 * i] = (float)v.x;
    out[3 * i + 1] = (float)v.y;
    out[3 * i + 2] = (float)v.z;
}

static void putUnit(float* out, size_t i, snVec3 v)
{
    snVec3 n = snNormalize(v);
    put(out, i, snLengthSq(n) > 0.5 ? n : snV3(0, 1, 0));
}

// Weighted by area
static void normalsOfTriangles(const snRigShape* s, const float* positions, float* normals)
{
    memset(normals, 0, 3 * (size_t)s->vertex_count * sizeof *normals);
    for (size_t t = 0; t < 3 * (size_t)s->triangle_count; t += 3) {
        const int32_t* v = s->triangles + t;
        snVec3 a = vecAt(positions, (size_t)v[0]);
        snVec3 n = snCross(snSub(vecAt(positions, (size_t)v[1]), a),
                           snSub(vecAt(positions, (size_t)v[2]), a));
        for (int k = 0; k < 3; ++k) {
            put(normals, (size_t)v[k], snAdd(vecAt(normals, (size_t)v[k]), n));
        }
    }
    for (size_t i = 0; i < (size_t)s->vertex_count; ++i) {
        putUnit(normals, i, vecAt(normals, i));
    }
}

void snLbs_Skin(const snRig* rig, const snRigInstance* instance, const snMatrix* nodes,
                const double* weights, snMatrix* joints, float* positions, float* normals)
{
    const snRigShape* s = instance->shape;
    const snRigNode* node = &rig->nodes[instance->info.node];
    const snMatrix* world = &nodes[instance->info.node];
    const double* w = weights && node->weight_count > 0 ? weights + node->weight_first : NULL;
    bool skinned = instance->info.skin >= 0;
    if (skinned) {
        snLbs_Joints(&rig->skins[instance->info.skin], nodes, joints);
    }
    for (size_t v = 0; v < (size_t)s->vertex_count; ++v) {
        snMatrix B = skinned ? snLbs_Blend(s, joints, v) : *world;
        put(positions, v, snMatrix_Point(&B, snLbs_Morph(s, w, v)));
        if (normals && s->normal) {
            putUnit(normals, v, snMatVec(snMatrix_ForNormals(&B), snLbs_MorphNormal(s, w, v)));
        }
    }
    if (normals && !s->normal) {
        normalsOfTriangles(s, positions, normals);
    }
}

snStatus snRig_Skin(const snRig* rig, int32_t mesh, const snMatrix* nodes, const double* weights,
                    float* positions, float* normals, snMessage* why)
{
    if (!rig || !nodes || !positions) {
        return snFail(why, sn_errorArgument, "snRig_Skin: %s is NULL",
                      !rig     ? "rig"
                      : !nodes ? "nodes"
                               : "positions");
    }
    if (mesh < 0 || mesh >= rig->info.mesh_count) {
        return snFail(why, sn_errorArgument, "there is no mesh instance %d; there are %d, from 0",
                      (int)mesh, (int)rig->info.mesh_count);
    }
    const snRigInstance* instance = &rig->instances[mesh];
    int32_t skin = instance->info.skin;
    size_t size = skin < 0 ? 0 : (size_t)rig->skins[skin].joint_count * sizeof(snMatrix);
    snMatrix* joints = snHost_Allocate(&rig->host, size);
    if (!joints) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    snLbs_Skin(rig, instance, nodes, weights, joints, positions, normals);
    snHost_Release(&rig->host, joints, size);
    for (size_t k = 0; k < 3 * (size_t)instance->info.vertex_count; ++k) {
        if (!isfinite(positions[k])) {
            return snFail(why, sn_errorNumeric,
                          "vertex %zu of mesh instance %d is not at a finite place in this pose",
                          k / 3, (int)mesh);
        }
    }
    snMessage_Clear(why);
    return sn_ok;
}
