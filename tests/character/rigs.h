// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Small rigs for tests, made in memory: joints, parts skinned to them, one clip.
#ifndef SN_TESTS_CHARACTER_RIGS_H
#define SN_TESTS_CHARACTER_RIGS_H

#include "rig/rig.h"

#include "check.h"
#include "flesh/legs.h"

#define MOST_JOINTS 8
#define MOST_PARTS 4
#define MOST_CHANNELS 4

typedef struct MadeRig {
    snArena arena;
    snRig rig;
    snRigNode nodes[MOST_JOINTS];
    snVec3 place[MOST_JOINTS]; // of joints in the bind pose
    snRigSkin skin;
    int32_t joints[MOST_JOINTS];
    snMatrix bind[MOST_JOINTS];
    snRigShape shapes[MOST_PARTS];
    snRigInstance instances[MOST_PARTS];
    snRigClipData clip;
    snRigChannel channels[MOST_CHANNELS];
} MadeRig;

// Weights of joints 0, 1 .. of a place in the bind pose
typedef void WeightsFcn(snVec3 p, double* weights);

static inline void startRig(MadeRig* m)
{
    memset(m, 0, sizeof *m);
    snHost_Init(&m->rig.host);
    snArena_Init(&m->arena, NULL);
    m->rig.nodes = m->nodes;
    m->rig.skins = &m->skin;
    m->rig.shapes = m->shapes;
    m->rig.instances = m->instances;
    m->rig.clips = &m->clip;
    m->rig.info.skin_count = 1;
    m->skin = (snRigSkin){"", 0, m->joints, m->bind, true};
    m->clip.channels = m->channels;
    m->clip.info.name = "";
}

static inline int32_t addJoint(MadeRig* m, const char* name, int32_t parent, snVec3 place)
{
    int32_t n = m->rig.info.node_count++;
    snVec3 local = parent < 0 ? place : snSub(place, m->place[parent]);
    m->place[n] = place;
    m->joints[n] = n;
    m->bind[n] = snMatrix_Make(snMat3_Identity(), snNeg(place));
    m->nodes[n] = (snRigNode){.name = name,
                              .parent = parent,
                              .is_joint = 1,
                              .translation = local,
                              .rotation = snQIdentity(),
                              .scale = snV3(1, 1, 1),
                              .local = snMatrix_Make(snMat3_Identity(), local)};
    m->skin.joint_count = m->rig.info.joint_count = n + 1;
    return n;
}

// Without weights: it hangs on `node`, in whose frame it is.
static inline void addPart(MadeRig* m, const char* name, const snSurface* s, WeightsFcn* weights,
                           int32_t node)
{
    int32_t at = m->rig.info.mesh_count++, count = 0;
    size_t vertices = (size_t)s->vertex_count;
    float* position = snArena_Push(&m->arena, 3 * vertices, sizeof *position);
    int32_t* first = snArena_Push(&m->arena, vertices + 1, sizeof *first);
    int32_t* joint = snArena_Push(&m->arena, MOST_JOINTS * vertices, sizeof *joint);
    float* weight = snArena_Push(&m->arena, MOST_JOINTS * vertices, sizeof *weight);
    for (size_t v = 0; v < vertices; ++v) {
        double w[MOST_JOINTS] = {0};
        snVec3 p = s->position[v];
        position[3 * v] = (float)p.x, position[3 * v + 1] = (float)p.y;
        position[3 * v + 2] = (float)p.z;
        if (weights) {
            weights(p, w);
        }
        for (int j = 0; j < MOST_JOINTS; ++j) {
            if (w[j] > 0) {
                joint[count] = j;
                weight[count++] = (float)w[j];
            }
        }
        first[v + 1] = count;
    }
    m->shapes[at] = (snRigShape){.vertex_count = s->vertex_count,
                                 .triangle_count = s->triangle_count,
                                 .position = position,
                                 .triangles = s->triangle,
                                 .first = weights ? first : NULL,
                                 .joint = joint,
                                 .weight = weight};
    m->instances[at] = (snRigInstance){.info = {.name = name,
                                                .material = "",
                                                .node = node,
                                                .skin = weights ? 0 : -1,
                                                .vertex_count = s->vertex_count,
                                                .triangle_count = s->triangle_count,
                                                .position = position,
                                                .triangles = s->triangle},
                                       .shape = &m->shapes[at]};
    m->rig.shape_count = at + 1;
    m->rig.info.vertex_count += s->vertex_count;
    m->rig.info.triangle_count += s->triangle_count;
}

// Keys of a channel, width 3 or 4; channels must be added by rising nodes.
static inline void addChannel(MadeRig* m, int32_t node, snRigPath path, bool step, int32_t keys,
                              const float* times, const float* values)
{
    m->channels[m->clip.info.channel_count++] =
        (snRigChannel){.node = node,
                       .path = (int32_t)path,
                       .interpolation = step ? sn_interpolateStep : sn_interpolateLinear,
                       .key_count = keys,
                       .width = path == sn_pathRotation ? 4 : 3,
                       .times = times,
                       .values = values};
    m->rig.info.clip_count = 1;
    m->clip.info.first = (double)times[0];
    m->clip.info.last = (double)times[keys - 1];
    m->clip.info.duration = m->clip.info.last - m->clip.info.first;
}

static inline void finishRig(MadeRig* m)
{
    snMessage why;
    assert_ok(snRig_Finish(&m->rig, &why), why);
}

static inline void dropRig(MadeRig* m)
{
    snArena_Free(&m->arena);
    snArena_Free(&m->rig.arena);
}

#endif
