// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Helper joints of a bake: what all clips' flesh does in the world, shown by joints that travel
// (rig/helper.h). They are found from some frames of all clips; then each frame gets its travel.
#include <string.h>

#include "bake/baker.h"

// Frames that helpers are found from, at most
#define MOST_FRAMES 160

static snStatus failMemory(const snBaker* b)
{
    return snFail(b->why, sn_errorMemory, "out of memory");
}

// Frames ---------------------------------------------------------------------------

// What vertices do in the world in a frame, in the file's unit, and how joints are turned then
static snStatus takeFrame(snBaker* b, const snBakeClip* c, int32_t i, float* D, snMat3* W)
{
    snFollowSurface* s = b->surface;
    const float* x;
    snStatus status = snBaker_Row(b, c, i, &x);
    if (status || snBaker_IsStopped(b)) {
        return status ? status : sn_errorInterrupted;
    }
    for (size_t k = 0; k < snBaker_Half(b); ++k) {
        b->frame[k] = x[k] / b->scale[k / 3];
    }
    snBaker_Pose(b, c, i);
    snFollowSurface_Ways(s, b->frame, D);
    for (int32_t n = 0; n < b->rig->info.node_count; ++n) {
        W[n] = snMatrix_Linear(&s->nodes[n]);
    }
    return sn_ok;
}

// Nodes that show one mesh cannot have weights of their own: said before anything is simulated.
snStatus snBaker_CheckJoints(const snBaker* b)
{
    for (int32_t i = 0; i < b->rig->info.mesh_count; ++i) {
        const snRigMesh* m = &b->rig->instances[i].info;
        for (int32_t k = 0; k < i && m->skin >= 0; ++k) {
            const snRigMesh* other = &b->rig->instances[k].info;
            if (other->mesh == m->mesh && other->node != m->node) {
                return snFail(b->why, sn_errorUnsupported,
                              "mesh %d ('%.60s') is shown by several nodes, which cannot have "
                              "weights of their own; export the file again with a mesh for each, "
                              "or bake shapes",
                              (int)m->mesh, m->name);
            }
        }
    }
    return sn_ok;
}

// The goal -------------------------------------------------------------------------

// Influences of moving vertices, as the artist made them
static snStatus listInfluences(snBaker* b, int32_t* most)
{
    const snFollowSurface* s = b->surface;
    const snRigWeld* weld = &b->body->made.weld;
    size_t count = 0, vertices = (size_t)s->moving_count;
    for (int pass = 0; pass < 2; ++pass) {
        int32_t* first = pass ? snArena_Push(&b->arena, vertices + 1, sizeof *first) : NULL;
        int32_t* joint = pass ? snArena_Push(&b->arena, count, sizeof *joint) : NULL;
        float* share = pass ? snArena_Push(&b->arena, count, sizeof *share) : NULL;
        if (b->arena.failed) {
            return failMemory(b);
        }
        count = 0;
        for (size_t i = 0; i < vertices; ++i) {
            const snRigInstance* m = &b->rig->instances[s->instance[i]];
            size_t v = (size_t)(s->moving[i] - weld->first[s->instance[i]]);
            bool skinned = m->info.skin >= 0 && m->shape->first;
            int32_t begin = skinned ? m->shape->first[v] : 0;
            int32_t end = skinned ? m->shape->first[v + 1] : 0;
            // the others of its mesh get the same sets
            *most = m->shape->influence_most > *most ? m->shape->influence_most : *most;
            for (int32_t k = begin; k < end; ++k, ++count) {
                if (pass) {
                    joint[count] = b->rig->skins[m->info.skin].joints[m->shape->joint[k]];
                    share[count] = m->shape->weight[k];
                }
            }
            if (pass) {
                first[i + 1] = (int32_t)count;
            }
        }
        b->goal.first = first;
        b->goal.joint = joint;
        b->goal.share = share;
    }
    return sn_ok;
}

// Frames of all clips, evenly
static snStatus fillGoal(snBaker* b)
{
    snHelperGoal* g = &b->goal;
    const snRigBody* body = &b->body->made;
    size_t half = snBaker_Half(b), nodes = (size_t)b->rig->info.node_count;
    int64_t all = 0, at = 0;
    for (int32_t i = 0; i < b->clip_count; ++i) {
        all += snBakeClip_Count(&b->clips[i]);
    }
    size_t fit = half > 0 ? SN_BAKE_CACHE / (half * sizeof(float)) : MOST_FRAMES;
    int64_t most = fit < MOST_FRAMES ? (int64_t)fit : MOST_FRAMES, wanted = all < most ? all : most;
    float* D = snArena_Push(&b->arena, half * (size_t)wanted, sizeof *D);
    snMat3* W = snArena_Push(&b->arena, nodes * (size_t)wanted, sizeof *W);
    snVec3* position = snArena_Push(&b->arena, half / 3, sizeof *position);
    if (b->arena.failed) {
        return failMemory(b);
    }
    for (size_t i = 0; i < half / 3; ++i) {
        position[i] = body->weld.surface.position[body->weld.map[b->surface->moving[i]]];
    }
    snStatus status = sn_ok;
    for (int32_t n = 0; n < b->clip_count && !status; ++n) {
        const snBakeClip* c = &b->clips[n];
        for (int32_t i = 0; i < snBakeClip_Count(c) && !status; ++i, ++at) {
            if (all > 0 && at * wanted / all != (at + 1) * wanted / all) {
                status = takeFrame(b, c, i, D + half * (size_t)g->frame_count,
                                   W + nodes * (size_t)g->frame_count);
                ++g->frame_count;
            }
        }
    }
    g->vertex_count = (int32_t)(half / 3);
    g->joint_count = b->rig->info.node_count;
    g->position = position;
    g->D = D;
    g->W = W;
    return status;
}

// Travel ---------------------------------------------------------------------------

// Sums of squares of a clip
typedef struct Sums {
    double all, left, most;
} Sums;

static void measure(const snBaker* b, const float* D, const snMat3* W, const double* t, Sums* sums)
{
    for (int32_t v = 0; v < b->goal.vertex_count; ++v) {
        const float* d = D + 3 * (size_t)v;
        snVec3 way = snV3((double)d[0], (double)d[1], (double)d[2]);
        double left = snLengthSq(snSub(way, snHelpers_VertexOffset(&b->helpers, v, W, t)));
        sums->all += snLengthSq(way);
        sums->left += left;
        sums->most = fmax(sums->most, left);
    }
}

static snStatus travelClip(snBaker* b, snBakeClip* c, float* D, snMat3* W, double* t)
{
    size_t count = (size_t)b->helpers.count, frames = (size_t)c->made;
    Sums sums = {0};
    c->travel = snArena_Push(&b->arena, 3 * count * frames, sizeof *c->travel);
    if (!c->travel) {
        return failMemory(b);
    }
    snStatus status = sn_ok;
    for (int32_t i = 0; i < snBakeClip_Count(c) && !status; ++i) {
        status = takeFrame(b, c, i, D, W);
        if (status) {
            break;
        }
        snHelpers_Move(&b->helpers, D, W, t);
        measure(b, D, W, t, &sums);
        for (size_t k = 0; k < 3 * count; ++k) {
            c->travel[3 * (frames * (k / 3) + (size_t)i) + k % 3] = (float)t[k];
        }
    }
    for (size_t h = 0; h < count && c->is_closed && !status; ++h) {
        float* places = c->travel + 3 * frames * h;
        memcpy(places + 3 * (frames - 1), places, 3 * sizeof *places);
    }
    double unit = b->body->made.unit, numbers = (double)b->goal.vertex_count * (double)frames;
    c->facts->error = unit * sqrt(sums.most);
    c->facts->error_rms = numbers > 0 ? unit * sqrt(sums.left / numbers) : 0;
    c->facts->captured = sums.all > 0 ? 1 - sums.left / sums.all : 1;
    return status;
}

snStatus snBaker_Joints(snBaker* b)
{
    int32_t most = 0;
    snStatus status = snBaker_BuildFrames(b);
    status = status ? status : listInfluences(b, &most);
    if (!status && most > SN_HELPER_SLOTS) {
        return snFail(b->why, sn_errorUnsupported,
                      "a vertex has %d joints, and helper joints are for up to %d; bake shapes",
                      (int)most, SN_HELPER_SLOTS);
    }
    b->goal.slots = most > 4 ? SN_HELPER_SLOTS : 4;
    status = status ? status : fillGoal(b);
    status =
        status ? status : snHelpers_Find(&b->arena, &b->goal, b->def->joints, &b->helpers, b->why);
    float* D = snArena_Push(&b->arena, snBaker_Half(b), sizeof *D);
    snMat3* W = snArena_Push(&b->arena, (size_t)b->rig->info.node_count, sizeof *W);
    double* t = snArena_Push(&b->arena, 3 * (size_t)b->helpers.count, sizeof *t);
    status = !status && b->arena.failed ? failMemory(b) : status;
    for (int32_t i = 0; i < b->clip_count && !status; ++i) {
        status = travelClip(b, &b->clips[i], D, W, t);
    }
    b->report->joint_count = b->helpers.count;
    return status;
}
