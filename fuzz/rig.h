// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes either become a rig that is sound and can be posed, or get a message.
#ifndef SN_FUZZ_RIG_H
#define SN_FUZZ_RIG_H

#include <math.h>

#include "ration.h"
#include "rig/rig.h"

static inline void checkShape(const snRigShape* s)
{
    for (size_t i = 0; i < 3 * (size_t)s->triangle_count; ++i) {
        require(s->triangles[i] >= 0 && s->triangles[i] < s->vertex_count);
    }
    for (size_t i = 0; i < 3 * (size_t)s->vertex_count; ++i) {
        require(fabs((double)s->position[i]) <= SN_RIG_LARGEST);
    }
    for (size_t v = 0; s->first && v < (size_t)s->vertex_count; ++v) {
        double sum = 0;
        require(s->first[v] < s->first[v + 1]);
        for (int32_t i = s->first[v]; i < s->first[v + 1]; ++i) {
            require(s->joint[i] >= 0 && s->joint[i] <= s->joint_most && s->weight[i] >= 0);
            sum += (double)s->weight[i];
        }
        require(fabs(sum - 1) < 1e-4);
    }
}

// Poses a clip; a few meshes are enough.
static inline void checkPose(const snRig* rig, int32_t clip, snMatrix* nodes, double* weights,
                             float* positions)
{
    snMessage why;
    const snRigClip* c = snRig_Clip(rig, clip);
    double time = c ? c->first + 0.4 * c->duration : 0;
    require(!c || (c->first <= c->last && c->channel_count >= 0));
    require(snRig_Pose(rig, clip, time, nodes, weights, &why) == sn_ok);
    for (int32_t i = 0; i < rig->info.mesh_count && i < 4; ++i) {
        snStatus status = snRig_Skin(rig, i, nodes, weights, positions, NULL, &why);
        require(status == sn_ok || status == sn_errorNumeric);
    }
}

static inline int fuzzRig(const uint8_t* data, size_t size)
{
    Ration ration;
    snHost host = rationedHost(&ration, size + ((size_t)1 << 15), 1024);
    size_t all = ration.left;
    snMessage why = {""};
    snRig* rig;
    snStatus status = snRig_Parse(&host, data, size, "fuzz", &rig, &why);
    require((status == sn_ok) == (rig != NULL) && (status == sn_ok) == (why.text[0] == 0));
    if (rig) {
        const snRigInfo* info = snRig_Info(rig);
        int32_t most = 0;
        for (int32_t n = 0; n < info->node_count; ++n) {
            require(snRig_Node(rig, n)->parent < n);
        }
        for (int32_t i = 0; i < rig->shape_count; ++i) {
            checkShape(&rig->shapes[i]);
            most = rig->shapes[i].vertex_count > most ? rig->shapes[i].vertex_count : most;
        }
        snMatrix* nodes = calloc((size_t)info->node_count + 1, sizeof(snMatrix));
        double* weights = calloc((size_t)info->weight_count + 1, sizeof(double));
        float* positions = calloc((size_t)most + 1, 3 * sizeof(float));
        require(nodes && weights && positions);
        for (int32_t c = -1; c < info->clip_count && c < 4; ++c) {
            checkPose(rig, c, nodes, weights, positions);
        }
        free(nodes);
        free(weights);
        free(positions);
    }
    snRig_Release(rig);
    require(ration.left == all);
    return 0;
}

#endif
