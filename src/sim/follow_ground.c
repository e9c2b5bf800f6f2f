// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "sim/follow_ground.h"

#include "base/message.h"
#include "rig/lbs.h"

// Clearance of nodes that no vertex hangs on, m
#define NONE 1e30f

static int32_t instanceOf(const snRigWeld* weld, int32_t welded)
{
    int32_t at = 0;
    while (weld->first[at + 1] <= weld->origin[welded]) {
        ++at;
    }
    return at;
}

snStatus snFollowGround_Make(snFollowGround* g, snArena* arena, const snRigBody* body,
                             double height, snMessage* why)
{
    const snRigWeld* weld = &body->weld;
    const snRig* rig = body->rig;
    size_t vertices = (size_t)weld->surface.vertex_count, joints = 0;
    *g = (snFollowGround){.is_on = true, .height = height, .body = body};
    g->vertices = snArena_Push(arena, vertices, sizeof *g->vertices);
    g->instances = snArena_Push(arena, vertices, sizeof *g->instances);
    g->first = snArena_Push(arena, (size_t)rig->info.skin_count, sizeof *g->first);
    g->begin = snArena_Push(arena, (size_t)body->tets.node_count, sizeof *g->begin);
    g->end = snArena_Push(arena, (size_t)body->tets.node_count, sizeof *g->end);
    for (int32_t i = 0; i < rig->info.skin_count; ++i) {
        joints += (size_t)rig->skins[i].joint_count;
    }
    g->joints = snArena_Push(arena, joints, sizeof *g->joints);
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "no memory for the ground");
    }
    for (int32_t i = 1; i < rig->info.skin_count; ++i) {
        g->first[i] = g->first[i - 1] + rig->skins[i - 1].joint_count;
    }
    for (int32_t v = 0; v < weld->surface.vertex_count; ++v) {
        int32_t at = instanceOf(weld, v);
        if (body->ties[v].node[0] >= 0 && rig->instances[at].shape->first) {
            g->vertices[g->vertex_count] = v;
            g->instances[g->vertex_count++] = at;
        }
    }
    return sn_ok;
}

void snFollowGround_Go(snFollowGround* g, const snFollowDrive* drive, bool jumped)
{
    const snRigBody* body = g->body;
    float* was = g->begin;
    g->begin = g->end;
    g->end = was;
    for (int32_t i = 0; i < body->rig->info.skin_count; ++i) {
        snLbs_Joints(&body->rig->skins[i], drive->nodes, g->joints + g->first[i]);
    }
    for (int32_t i = 0; i < body->tets.node_count; ++i) {
        g->end[i] = NONE;
    }
    for (int32_t i = 0; i < g->vertex_count; ++i) {
        const snRigInstance* instance = &body->rig->instances[g->instances[i]];
        const snTie* tie = &body->ties[g->vertices[i]];
        size_t at = (size_t)(body->weld.origin[g->vertices[i]] - body->weld.first[g->instances[i]]);
        snMatrix B = snLbs_Blend(instance->shape, g->joints + g->first[instance->info.skin], at);
        snVec3 p = snMatrix_Point(&B, snLbs_Morph(instance->shape, NULL, at));
        float above = (float)fmax(0, body->unit * p.y - g->height - g->lift);
        for (int k = 0; k < 4; ++k) {
            g->end[tie->node[k]] = fminf(g->end[tie->node[k]], above);
        }
    }
    for (int32_t i = 0; jumped && i < body->tets.node_count; ++i) {
        g->begin[i] = g->end[i];
    }
}

void snFollowGround_Hold(const snFollowGround* g, const snFollowDrive* drive, int32_t node,
                         float part, snVec4f* u, snVec4f* w)
{
    float p = 1 - part, lowest = -(p * g->begin[node] + part * g->end[node]);
    if (u->y >= lowest) {
        return;
    }
    u->y = lowest;
    float rises = (g->begin[node] - g->end[node]) / (float)drive->interval;
    float push = rises - w->y;
    if (push <= 0) {
        return;
    }
    const snNodeDrive *a = &drive->begin[node], *b = &drive->end[node];
    float x = p * (float)a->vx + part * (float)b->vx + w->x;
    float z = p * (float)a->vz + part * (float)b->vz + w->z;
    float speed = sqrtf(x * x + z * z), most = (float)SN_GROUND_FRICTION * push;
    float lost = speed > most ? most / speed : 1;
    w->x -= lost * x;
    w->y = rises;
    w->z -= lost * z;
}
