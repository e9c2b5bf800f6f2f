// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/pullback.h"

#include <math.h>

static snVec3 vecAt(const float* v, size_t i)
{
    return snV3((double)v[3 * i], (double)v[3 * i + 1], (double)v[3 * i + 2]);
}

static void put(float* out, size_t i, snVec3 v)
{
    out[3 * i] = (float)v.x;
    out[3 * i + 1] = (float)v.y;
    out[3 * i + 2] = (float)v.z;
}

// As it is stored. What did not move is then found equal, and its difference is 0.
static snVec3 rounded(snVec3 v)
{
    return snV3((double)(float)v.x, (double)(float)v.y, (double)(float)v.z);
}

static double normOf(snMat3 A)
{
    return sqrt(snLengthSq(snMatCol(A, 0)) + snLengthSq(snMatCol(A, 1)) +
                snLengthSq(snMatCol(A, 2)));
}

bool snPullback_Invert(const snMatrix* B, snMat3* inverse)
{
    bool fine;
    snMat3 A = snMatrix_Linear(B);
    *inverse = snMatInverse(A, &fine);
    return fine && normOf(A) * normOf(*inverse) <= SN_PULLBACK_CONDITION;
}

snVec3 snPullback_Normal(const snMatrix* B, snVec3 m, snVec3 n)
{
    snVec3 back = snNormalize(snMatTVec(snMatrix_Linear(B), n));
    return snLengthSq(back) < 0.5 ? snV3(0, 0, 0) : snSub(snScale(snLength(m), back), m);
}

static snVec3 normalDelta(const snMatrix* B, snVec3 m, snVec3 n)
{
    snVec3 skinned = snNormalize(snMatVec(snMatrix_ForNormals(B), m));
    bool same = snLengthSq(snSub(rounded(skinned), n)) == 0;
    return same ? snV3(0, 0, 0) : snPullback_Normal(B, m, n);
}

snPullback snPullback_Find(const snRig* rig, const snRigInstance* instance, const snMatrix* nodes,
                           const double* weights, snMatrix* joints, const float* positions,
                           const float* normals, float* position_deltas, float* normal_deltas)
{
    const snRigShape* s = instance->shape;
    const snRigNode* node = &rig->nodes[instance->info.node];
    const double* w = weights && node->weight_count > 0 ? weights + node->weight_first : NULL;
    bool skinned = instance->info.skin >= 0;
    snPullback found = {0, -1};
    if (skinned) {
        snLbs_Joints(&rig->skins[instance->info.skin], nodes, joints);
    }
    for (size_t v = 0; v < (size_t)s->vertex_count; ++v) {
        snMatrix B = skinned ? snLbs_Blend(s, joints, v) : nodes[instance->info.node];
        snVec3 position = snV3(0, 0, 0), normal = snV3(0, 0, 0);
        snMat3 inverse;
        if (snPullback_Invert(&B, &inverse)) {
            snVec3 from = rounded(snMatrix_Point(&B, snLbs_Morph(s, w, v)));
            position = snMatVec(inverse, snSub(vecAt(positions, v), from));
            if (normals && s->normal) {
                normal = normalDelta(&B, snLbs_MorphNormal(s, w, v), vecAt(normals, v));
            }
        } else if (found.singular_count++ == 0) {
            found.singular_first = (int32_t)v;
        }
        put(position_deltas, v, position);
        if (normals) {
            put(normal_deltas, v, normal);
        }
    }
    return found;
}
