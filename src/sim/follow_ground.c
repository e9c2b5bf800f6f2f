// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "sim/follow_ground.h"

#include "base/message.h"

// Clearance of nodes that no vertex hangs on, m
#define NONE 1e30f

snStatus snFollowGround_Build(snFollowGround* g, snArena* arena, snFollowSkin* skin, double height,
                              snMessage* why)
{
    size_t nodes = (size_t)skin->body->tets.node_count;
    *g = (snFollowGround){.is_on = true, .height = height, .skin = skin};
    g->begin = snArena_Push(arena, nodes, sizeof *g->begin);
    g->end = snArena_Push(arena, nodes, sizeof *g->end);
    return arena->failed ? snFail(why, sn_errorMemory, "no memory for the ground") : sn_ok;
}

void snFollowGround_Update(snFollowGround* g, bool jumped)
{
    const int32_t nodes = g->skin->body->tets.node_count;
    float* was = g->begin;
    g->begin = g->end;
    g->end = was;
    for (int32_t i = 0; i < nodes; ++i) {
        g->end[i] = NONE;
    }
    for (int32_t i = 0; i < g->skin->vertex_count; ++i) {
        const snTie* tie = snFollowSkin_Tie(g->skin, i);
        snVec3 p = snFollowSkin_At(g->skin, i);
        float above = (float)fmax(0, p.y - g->height - g->lift);
        for (int k = 0; k < 4; ++k) {
            g->end[tie->node[k]] = fminf(g->end[tie->node[k]], above);
        }
    }
    for (int32_t i = 0; jumped && i < nodes; ++i) {
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
