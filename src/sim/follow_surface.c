// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "sim/follow_surface.h"

#include <string.h>

#include "rig/pullback.h"
#include "rig/track.h"
#include "sim/follow_state.h"

// Vertices in a task
#define RANGE 1024

// What becomes of a welded vertex
enum {
    MOVES = 1, // flesh moves it
    TURNS = 2, // and may turn its normal
    NEEDED = 4 // its place is needed for that
};

// Making ---------------------------------------------------------------------------

static int32_t countRanges(int32_t count)
{
    return (count + RANGE - 1) / RANGE;
}

static void markMoving(snFollowSurface* s)
{
    const snRigBody* body = s->body;
    for (int32_t v = 0; v < body->weld.surface.vertex_count; ++v) {
        s->part[v] = body->ties[v].node[0] >= 0 ? MOVES : 0;
    }
    for (int32_t r = 0; r < body->rider_count; ++r) {
        for (int32_t i = 0; i < body->riders[r].vertex_count; ++i) {
            s->part[body->riding[body->riders[r].vertex_begin + i]] = MOVES;
        }
    }
}

// Triangles with a vertex of some kind give another kind to all their vertices.
static void spread(snFollowSurface* s, uint8_t from, uint8_t to)
{
    const snSurface* w = &s->body->weld.surface;
    for (int32_t t = 0; t < w->triangle_count; ++t) {
        const int32_t* v = w->triangle + 3 * (size_t)t;
        if ((s->part[v[0]] | s->part[v[1]] | s->part[v[2]]) & from) {
            for (int k = 0; k < 3; ++k) {
                s->part[v[k]] |= to;
            }
        }
    }
}

// Triangles about each vertex that turns
static void listFaces(snFollowSurface* s)
{
    const snSurface* w = &s->body->weld.surface;
    size_t vertices = (size_t)w->vertex_count, triangles = (size_t)w->triangle_count;
    s->faces = snArena_Push(&s->arena, triangles, sizeof(int32_t));
    s->face_begin = snArena_Push(&s->arena, vertices + 2, sizeof(int32_t));
    s->around = snArena_Push(&s->arena, 3 * triangles, sizeof(int32_t));
    if (s->arena.failed) {
        return;
    }
    for (int32_t t = 0; t < w->triangle_count; ++t) {
        const int32_t* v = w->triangle + 3 * (size_t)t;
        if ((s->part[v[0]] | s->part[v[1]] | s->part[v[2]]) & TURNS) {
            s->faces[s->face_count++] = t;
            for (int k = 0; k < 3; ++k) {
                ++s->face_begin[v[k] + 2];
            }
        }
    }
    for (size_t v = 0; v < vertices; ++v) {
        s->face_begin[v + 2] += s->face_begin[v + 1];
    }
    for (int32_t f = 0; f < s->face_count; ++f) {
        for (int k = 0; k < 3; ++k) {
            s->around[s->face_begin[w->triangle[3 * (size_t)s->faces[f] + (size_t)k] + 1]++] = f;
        }
    }
}

static void listVertices(snFollowSurface* s)
{
    const snRigWeld* weld = &s->body->weld;
    int32_t all = weld->first[weld->instance_count], instance = 0;
    int32_t* moving = snArena_Push(&s->arena, (size_t)all, sizeof *moving);
    int32_t* whose = snArena_Push(&s->arena, (size_t)all, sizeof *whose);
    s->places = snArena_Push(&s->arena, (size_t)weld->surface.vertex_count, sizeof(int32_t));
    if (s->arena.failed) {
        return;
    }
    for (int32_t v = 0; v < all; ++v) {
        while (v >= weld->first[instance + 1]) {
            ++instance;
        }
        if (s->part[weld->map[v]] & (MOVES | TURNS)) {
            whose[s->moving_count] = instance;
            moving[s->moving_count++] = v;
        }
    }
    for (int32_t v = 0; v < weld->surface.vertex_count; ++v) {
        if (s->part[v] & NEEDED) {
            s->places[s->place_count++] = v;
        }
    }
    s->moving = moving;
    s->instance = whose;
}

static void pushArrays(snFollowSurface* s)
{
    const snRig* rig = s->body->rig;
    size_t vertices = (size_t)s->body->weld.surface.vertex_count;
    int32_t joints = 0;
    s->skin_first = snArena_Push(&s->arena, (size_t)rig->info.skin_count, sizeof(int32_t));
    for (int32_t k = 0; k < rig->info.skin_count && s->skin_first; ++k) {
        s->skin_first[k] = joints;
        joints += rig->skins[k].joint_count;
    }
    s->nodes = snArena_Push(&s->arena, (size_t)rig->info.node_count, sizeof(snMatrix));
    s->weights = snArena_Push(&s->arena, (size_t)rig->info.weight_count, sizeof(double));
    s->offsets = snArena_Push(&s->arena, 3 * vertices, sizeof(float));
    s->joints = snArena_Push(&s->arena, (size_t)joints, sizeof(snMatrix));
    s->turns = snArena_Push(&s->arena, vertices, sizeof(snQuat));
    s->skinned = snArena_Push(&s->arena, vertices, sizeof(snVec3));
    s->plain = snArena_Push(&s->arena, (size_t)s->face_count, sizeof(snVec3));
    s->soft = snArena_Push(&s->arena, (size_t)s->face_count, sizeof(snVec3));
    s->singular =
        snArena_Push(&s->arena, (size_t)countRanges(s->moving_count), sizeof *s->singular);
    for (size_t v = 0; v < vertices && !s->arena.failed; ++v) {
        s->turns[v] = snQIdentity();
    }
}

snStatus snFollowSurface_Create(const snHost* host, const snRigBody* body, snTasks* tasks,
                                snFollowSurface** out, snMessage* why)
{
    snFollowSurface* s = snHost_Allocate(host, sizeof *s);
    *out = s;
    if (!s) {
        snFail(why, sn_errorMemory, "out of memory");
        return sn_errorMemory;
    }
    snArena_Init(&s->arena, host);
    s->body = body;
    s->tasks = tasks;
    s->part = snArena_Push(&s->arena, (size_t)body->weld.surface.vertex_count, 1);
    if (s->part) {
        markMoving(s);
        spread(s, MOVES, TURNS);
        spread(s, TURNS, NEEDED);
        listFaces(s);
        listVertices(s);
        pushArrays(s);
    }
    if (s->arena.failed) {
        snFollowSurface_Free(s);
        *out = NULL;
        snFail(why, sn_errorMemory, "no memory for the surface");
        return sn_errorMemory;
    }
    return sn_ok;
}

void snFollowSurface_Free(snFollowSurface* surface)
{
    if (surface) {
        snHost host = surface->arena.host;
        snArena_Free(&surface->arena);
        snHost_Release(&host, surface, sizeof *surface);
    }
}

// A frame --------------------------------------------------------------------------

// B of a vertex of an instance
static snMatrix blendOf(const snFollowSurface* s, const snRigInstance* instance, size_t v)
{
    int32_t skin = instance->info.skin;
    return skin >= 0 ? snLbs_Blend(instance->shape, s->joints + s->skin_first[skin], v)
                     : s->nodes[instance->info.node];
}

static const double* weightsOf(const snFollowSurface* s, const snRigInstance* instance)
{
    const snRigNode* node = &s->body->rig->nodes[instance->info.node];
    return node->weight_count > 0 ? s->weights + node->weight_first : NULL;
}

static snVec3 offsetOf(const snFollowSurface* s, int32_t welded)
{
    const float* o = s->offsets + 3 * (size_t)welded;
    return snV3((double)o[0], (double)o[1], (double)o[2]);
}

static int32_t endOf(int index, int32_t count)
{
    return count - index * RANGE < RANGE ? count : (index + 1) * RANGE;
}

static int32_t instanceOf(const snRigWeld* weld, int32_t vertex)
{
    int32_t low = 0, high = weld->instance_count;
    while (high - low > 1) { // instances may be empty
        int32_t middle = low + (high - low) / 2;
        if (weld->first[middle] <= vertex) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static void skinTask(void* argument, int index, int worker)
{
    snFollowSurface* s = argument;
    const snRigWeld* weld = &s->body->weld;
    (void)worker;
    for (int32_t i = index * RANGE; i < endOf(index, s->place_count); ++i) {
        int32_t at = s->places[i], vertex = weld->origin[at], n = instanceOf(weld, vertex);
        const snRigInstance* instance = &s->body->rig->instances[n];
        size_t v = (size_t)(vertex - weld->first[n]);
        snMatrix B = blendOf(s, instance, v);
        s->skinned[at] =
            snMatrix_Point(&B, snLbs_Morph(instance->shape, weightsOf(s, instance), v));
    }
}

static void faceTask(void* argument, int index, int worker)
{
    snFollowSurface* s = argument;
    (void)worker;
    for (int32_t f = index * RANGE; f < endOf(index, s->face_count); ++f) {
        const int32_t* v = s->body->weld.surface.triangle + 3 * (size_t)s->faces[f];
        snVec3 x[3], y[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = s->skinned[v[k]];
            y[k] = snAdd(x[k], offsetOf(s, v[k]));
        }
        s->plain[f] = snTriangleCross(x[0], x[1], x[2]);
        s->soft[f] = snTriangleCross(y[0], y[1], y[2]);
    }
}

static void turnTask(void* argument, int index, int worker)
{
    snFollowSurface* s = argument;
    (void)worker;
    for (int32_t i = index * RANGE; i < endOf(index, s->place_count); ++i) {
        int32_t v = s->places[i];
        if (!(s->part[v] & TURNS)) {
            continue;
        }
        snVec3 plain = snV3(0, 0, 0), soft = plain;
        for (int32_t k = s->face_begin[v]; k < s->face_begin[v + 1]; ++k) {
            plain = snAdd(plain, s->plain[s->around[k]]);
            soft = snAdd(soft, s->soft[s->around[k]]);
        }
        bool same = plain.x == soft.x && plain.y == soft.y && plain.z == soft.z;
        plain = snNormalize(plain);
        soft = snNormalize(soft);
        bool flat = snLengthSq(plain) < 0.5 || snLengthSq(soft) < 0.5;
        s->turns[v] = same || flat ? snQIdentity() : snQFromTo(plain, soft);
    }
}

void snFollowSurface_Pose(snFollowSurface* s)
{
    const snRig* rig = s->body->rig;
    for (int32_t k = 0; k < rig->info.skin_count; ++k) {
        snLbs_Joints(&rig->skins[k], s->nodes, s->joints + s->skin_first[k]);
    }
}

void snFollowSurface_Move(snFollowSurface* s, const snVec4f* u)
{
    snFollowSurface_Pose(s);
    snRigBody_Offsets(s->body, u, s->offsets);
}

void snFollowSurface_Turn(snFollowSurface* s)
{
    snTasks_Run(s->tasks, countRanges(s->place_count), skinTask, s);
    snTasks_Run(s->tasks, countRanges(s->face_count), faceTask, s);
    snTasks_Run(s->tasks, countRanges(s->place_count), turnTask, s);
}

void snFollowSurface_Update(snFollowSurface* s, const snVec4f* u)
{
    snFollowSurface_Move(s, u);
    snFollowSurface_Turn(s);
}

static bool isTurned(snQuat q)
{
    return q.x != 0 || q.y != 0 || q.z != 0;
}

void snFollowSurface_Instance(const snFollowSurface* s, int32_t mesh, float* positions,
                              float* normals)
{
    const snRigWeld* weld = &s->body->weld;
    const snRigInstance* instance = &s->body->rig->instances[mesh];
    int32_t skin = instance->info.skin;
    snLbs_Skin(s->body->rig, instance, s->nodes, s->weights,
               skin < 0 ? NULL : s->joints + s->skin_first[skin], positions, normals);
    for (size_t v = 0; v < (size_t)instance->info.vertex_count; ++v) {
        int32_t at = weld->map[(size_t)weld->first[mesh] + v];
        float *x = positions + 3 * v, *n = normals ? normals + 3 * v : NULL;
        for (size_t k = 0; k < 3 && s->part[at] & MOVES; ++k) {
            x[k] += s->offsets[3 * (size_t)at + k];
        }
        if (n && isTurned(s->turns[at])) {
            snVec3 m = snQRotate(s->turns[at], snV3((double)n[0], (double)n[1], (double)n[2]));
            m = snNormalize(m);
            n[0] = (float)m.x, n[1] = (float)m.y, n[2] = (float)m.z;
        }
    }
}

// Before the skin ------------------------------------------------------------------

typedef struct Pull {
    snFollowSurface* s;
    float *positions, *normals; // written
    const float* deltas;        // read
    double* squares;
} Pull;

static void put(float* out, size_t i, snVec3 v)
{
    out[3 * i] = (float)v.x;
    out[3 * i + 1] = (float)v.y;
    out[3 * i + 2] = (float)v.z;
}

static void pullTask(void* argument, int index, int worker)
{
    const Pull* pull = argument;
    snFollowSurface* s = pull->s;
    const snRigWeld* weld = &s->body->weld;
    (void)worker;
    s->singular[index] = 0;
    for (int32_t i = index * RANGE; i < endOf(index, s->moving_count); ++i) {
        const snRigInstance* instance = &s->body->rig->instances[s->instance[i]];
        const snRigShape* shape = instance->shape;
        size_t v = (size_t)(s->moving[i] - weld->first[s->instance[i]]);
        int32_t at = weld->map[s->moving[i]];
        snVec3 offset = offsetOf(s, at), position = snV3(0, 0, 0), normal = position;
        snMat3 inverse;
        bool moved = snLengthSq(offset) > 0;
        bool turned = pull->normals && shape->normal && isTurned(s->turns[at]);
        if (moved || turned) {
            snMatrix B = blendOf(s, instance, v);
            if (snPullback_Invert(&B, &inverse)) {
                position = snMatVec(inverse, offset);
                if (turned) {
                    snVec3 m = snLbs_MorphNormal(shape, weightsOf(s, instance), v);
                    snVec3 n = snNormalize(snMatVec(snMatrix_ForNormals(&B), m));
                    normal = snPullback_Normal(&B, m, snQRotate(s->turns[at], n));
                }
            } else {
                s->singular[index] += moved;
            }
        }
        put(pull->positions, (size_t)i, position);
        if (pull->normals) {
            put(pull->normals, (size_t)i, normal);
        }
    }
}

int32_t snFollowSurface_Deltas(snFollowSurface* s, float* positions, float* normals)
{
    Pull pull = {.s = s};
    pull.positions = positions;
    pull.normals = normals;
    int32_t singular = 0;
    snTasks_Run(s->tasks, countRanges(s->moving_count), pullTask, &pull);
    for (int32_t i = 0; i < countRanges(s->moving_count); ++i) {
        singular += s->singular[i];
    }
    return singular;
}

// A vertex's way before the skin, after it
static snVec3 skinWay(const Pull* pull, int32_t i)
{
    const snFollowSurface* s = pull->s;
    int32_t n = s->instance[i];
    const float* d = pull->deltas + 3 * (size_t)i;
    snMatrix B =
        blendOf(s, &s->body->rig->instances[n], (size_t)(s->moving[i] - s->body->weld.first[n]));
    return snMatrix_Vector(&B, snV3((double)d[0], (double)d[1], (double)d[2]));
}

static void squareTask(void* argument, int index, int worker)
{
    const Pull* pull = argument;
    (void)worker;
    for (int32_t i = index * RANGE; i < endOf(index, pull->s->moving_count); ++i) {
        pull->squares[i] = snLengthSq(skinWay(pull, i));
    }
}

void snFollowSurface_Squares(snFollowSurface* s, const float* deltas, double* out)
{
    Pull pull = {.s = s, .deltas = deltas};
    pull.squares = out;
    snTasks_Run(s->tasks, countRanges(s->moving_count), squareTask, &pull);
}

static void wayTask(void* argument, int index, int worker)
{
    const Pull* pull = argument;
    (void)worker;
    for (int32_t i = index * RANGE; i < endOf(index, pull->s->moving_count); ++i) {
        snVec3 way = skinWay(pull, i);
        float* out = pull->positions + 3 * (size_t)i;
        out[0] = (float)way.x, out[1] = (float)way.y, out[2] = (float)way.z;
    }
}

void snFollowSurface_Ways(snFollowSurface* s, const float* deltas, float* out)
{
    Pull pull = {.s = s, .deltas = deltas};
    pull.positions = out;
    snTasks_Run(s->tasks, countRanges(s->moving_count), wayTask, &pull);
}

// Of a follow ----------------------------------------------------------------------

snStatus snFollow_Pose(snFollow* follow, snMatrix* nodes, double* weights, snMessage* why)
{
    if (!follow) {
        return snFail(why, sn_errorArgument, "there is nothing to show");
    }
    const snFollowDrive* drive = &follow->drive;
    const snFollowStream* stream = &follow->stream;
    const snRigInfo* info = &follow->body->rig->info;
    if (drive->track) {
        double time = fmin(snFollow_Facts(follow).time, drive->hold);
        snRigTrack_Pose(drive->track, time, nodes, weights);
    }
    if (!drive->track && nodes) {
        memcpy(nodes, stream->pose, (size_t)info->node_count * sizeof *nodes);
    }
    if (!drive->track && weights) {
        memcpy(weights, stream->weights, (size_t)info->weight_count * sizeof *weights);
    }
    snMessage_Clear(why);
    return sn_ok;
}

snStatus snFollow_Surface(snFollow* follow, int32_t mesh, float* positions, float* normals,
                          snMessage* why)
{
    if (!follow || !positions) {
        return snFail(why, sn_errorArgument, "a follow and a place for positions are needed");
    }
    const snRig* rig = follow->body->rig;
    snStatus status = sn_ok;
    if (mesh < 0 || mesh >= rig->info.mesh_count) {
        return snFail(why, sn_errorArgument, "there is no mesh instance %d; there are %d, from 0",
                      (int)mesh, (int)rig->info.mesh_count);
    }
    if (!follow->surface) {
        status = snFollowSurface_Create(&follow->host, follow->body, follow->tasks,
                                        &follow->surface, why);
    }
    if (!status && !follow->is_shown) {
        status = snFollow_Pose(follow, follow->surface->nodes, follow->surface->weights, why);
        snFollowSurface_Move(follow->surface, follow->u);
        follow->is_shown = true;
        follow->is_turned = false;
    }
    if (!status && normals && !follow->is_turned) {
        snFollowSurface_Turn(follow->surface);
        follow->is_turned = true;
    }
    if (!status) {
        snFollowSurface_Instance(follow->surface, mesh, positions, normals);
        snMessage_Clear(why);
    }
    return status;
}
