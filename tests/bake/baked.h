// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Baked documents against what was simulated.
#ifndef SN_TESTS_BAKE_BAKED_H
#define SN_TESTS_BAKE_BAKED_H

#include "rig/pullback.h"
#include <sinew/bake.h>

#include "check.h"
#include "sim/follow.h"

// The instance of the new rig that is that of the old one
static inline int32_t sameMesh(const snRig* rig, const snRigMesh* old)
{
    for (int32_t i = 0; i < rig->info.mesh_count; ++i) {
        const snRigMesh* m = snRig_Mesh(rig, i);
        if (m->node == old->node && m->primitive == old->primitive) {
            return i;
        }
    }
    fail_msg("an instance is gone");
    return -1;
}

static inline double distance(const float* a, const float* b)
{
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        double d = (double)a[k] - (double)b[k];
        square += d * d;
    }
    return sqrt(square);
}

// Differences before the skin of an instance as the follow shows it, and how many vertices are
// where skin is near-singular; of these they are 0.
static inline int32_t pullBack(snFollow* follow, const snRig* rig, int32_t mesh, const float* shown,
                               float* deltas)
{
    snMessage why;
    snMatrix* nodes = calloc(2 * (size_t)rig->info.node_count, sizeof *nodes);
    double* weights = calloc((size_t)rig->info.weight_count + 1, sizeof *weights);
    assert_ok(snFollow_Pose(follow, nodes, weights, &why), why);
    snPullback p = snPullback_Find(rig, &rig->instances[mesh], nodes, weights,
                                   nodes + rig->info.node_count, shown, NULL, deltas, NULL);
    free(nodes);
    free(weights);
    return p.singular_count;
}

// Largest distance between the follow's surface and the new document's at a time, m, where skin is
// not squeezed flat: there flesh cannot be shown. *angle: largest one between normals, rad; NULL =
// not wanted
static inline double apart(snFollow* follow, const snBody* body, const snRig* new, int32_t clip,
                           double time, double* angle)
{
    snMessage why;
    const snRig* old = body->rig;
    size_t floats = 3 * (size_t) new->info.vertex_count;
    float *a = calloc(5 * floats, sizeof *a), *b = a + floats, *m = b + floats, *n = m + floats;
    float* deltas = n + floats;
    snMatrix* nodes = calloc((size_t) new->info.node_count, sizeof *nodes);
    double* weights = calloc((size_t) new->info.weight_count + 1, sizeof *weights);
    double worst = 0;
    assert_ok(snRig_Pose(new, clip, time, nodes, weights, &why), why);
    for (int32_t i = 0; i < old->info.mesh_count; ++i) {
        const snRigMesh* mesh = snRig_Mesh(old, i);
        assert_ok(snFollow_Surface(follow, i, a, m, &why), why);
        assert_ok(snRig_Skin(new, sameMesh(new, mesh), nodes, weights, b, n, &why), why);
        int32_t singular = pullBack(follow, old, i, a, deltas);
        for (int32_t v = 0; v < mesh->vertex_count; ++v) {
            const float* d = deltas + 3 * (size_t)v;
            if (singular > 0 && d[0] == 0 && d[1] == 0 && d[2] == 0) {
                continue;
            }
            worst = fmax(worst, distance(a + 3 * (size_t)v, b + 3 * (size_t)v));
            if (angle && mesh->normal) {
                *angle = fmax(*angle, distance(m + 3 * (size_t)v, n + 3 * (size_t)v));
            }
        }
    }
    free(a);
    free(nodes);
    free(weights);
    return worst * body->made.unit;
}

// The same at some keys of a baked clip
static inline double compareClip(snBody* body, const snRig* new, const snBakedClip* clip, int keys,
                                 double* angle)
{
    snMessage why;
    snFollow* follow;
    snFollowDef def;
    double worst = 0;
    int32_t number = clip->clip < 0 ? new->info.clip_count - 1 : clip->clip;
    snFollowDef_Init(&def);
    def.clip = clip->clip;
    for (int k = sn_motionNone + 1; clip->clip < 0 && k < sn_motionCount; ++k) {
        def.motion = strcmp(snMotion_Name(k), clip->name) == 0 ? k : def.motion;
    }
    def.rate = (clip->frame_count - 1) / clip->duration;
    assert_ok(snFollow_Create(body, &def, &follow, &why), why);
    for (int k = 0; k < keys; ++k) {
        int64_t key = (int64_t)((double)k / (keys - 1) * (clip->frame_count - 1));
        while (snFollow_Facts(follow).frames < key) {
            assert_ok(snFollow_Advance(follow, &why), why);
        }
        worst = fmax(worst, apart(follow, body, new, number, snFollow_Facts(follow).time, angle));
    }
    snFollow_Free(follow);
    return worst;
}

#endif
