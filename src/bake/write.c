// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The document of a bake: its shapes for every mesh instance, its weights for every clip.
#include <string.h>

#include "bake/baker.h"

// Of all shapes, one after the other
typedef struct Lists {
    float** position;
    float** normal;
} Lists;

// Moving vertices of an instance: first .. end - 1
typedef struct Range {
    int32_t first, end;
} Range;

static Range rangeOf(const snFollowSurface* s, int32_t instance)
{
    Range r = {0, 0};
    while (r.first < s->moving_count && s->instance[r.first] < instance) {
        ++r.first;
    }
    for (r.end = r.first; r.end < s->moving_count && s->instance[r.end] == instance; ++r.end) {
    }
    return r;
}

// A shape of one instance, in its own unit, from that of all moving vertices
static float* spreadShape(snBaker* b, int32_t instance, Range r, const float* shape, bool scaled)
{
    const snFollowSurface* s = b->surface;
    int32_t first = b->body->made.weld.first[instance];
    size_t vertices = (size_t)b->rig->instances[instance].info.vertex_count;
    float* out = snArena_Push(&b->arena, 3 * vertices, sizeof *out);
    for (int32_t i = r.first; i < r.end && out; ++i) {
        for (size_t k = 0; k < 3; ++k) {
            float x = shape[3 * (size_t)i + k];
            out[3 * (size_t)(s->moving[i] - first) + k] = scaled ? x / b->scale[i] : x;
        }
    }
    return out;
}

static void spreadShapes(snBaker* b, int32_t instance, Range r, const snBakeShapes* s, Lists* lists,
                         bool normals)
{
    for (int32_t k = 0; k < s->count; ++k) {
        lists->position[s->first + k] = spreadShape(b, instance, r, s->position[k], true);
        lists->normal[s->first + k] =
            normals ? spreadShape(b, instance, r, s->normal[k], false) : NULL;
    }
}

static bool makePart(snBaker* b, int32_t instance, Range r, snGltfPart* part)
{
    bool normals = b->rig->instances[instance].shape->normal != NULL;
    size_t count = (size_t)b->shape_count;
    Lists lists = {snArena_Push(&b->arena, count, sizeof(float*)),
                   snArena_Push(&b->arena, count, sizeof(float*))};
    if (b->arena.failed) {
        return false;
    }
    spreadShapes(b, instance, r, &b->shared, &lists, normals);
    for (int32_t i = 0; i < b->clip_count; ++i) {
        for (int32_t k = 0; k < b->clips[i].span_count; ++k) {
            if (b->clips[i].spans[k].shapes != &b->shared) {
                spreadShapes(b, instance, r, b->clips[i].spans[k].shapes, &lists, normals);
            }
        }
    }
    *part = (snGltfPart){instance, (const float* const*)lists.position,
                         normals ? (const float* const*)lists.normal : NULL};
    return !b->arena.failed;
}

// Weights of a clip among those of all shapes. A loop ends as it begins; what is left out of a clip
// has none, from a frame before to a frame after what is there.
static bool makeTrack(snBaker* b, const snBakeClip* c, snGltfTrack* track)
{
    int32_t before = c->first > 0, after = c->first + c->made < c->all && snBakeClip_IsPart(c);
    size_t keys = (size_t)before + (size_t)c->made + (size_t)after, all = (size_t)b->shape_count;
    float* times = snArena_Push(&b->arena, keys, sizeof *times);
    float* weights = snArena_Push(&b->arena, keys * all, sizeof *weights);
    if (b->arena.failed) {
        return false;
    }
    for (int32_t i = 0; i < (int32_t)keys; ++i) {
        times[i] = (float)snBakeClip_Time(c, i - before);
    }
    for (int32_t k = 0; k < c->span_count; ++k) {
        const snBakeSpan* span = &c->spans[k];
        size_t count = (size_t)span->shapes->count;
        for (int32_t i = span->begin; i < span->end; ++i) {
            float* row = weights + (size_t)(before + i) * all + span->shapes->first;
            if (span->weights) {
                memcpy(row, span->weights + (size_t)(i - span->begin) * count, count * sizeof *row);
            } else {
                row[i - span->begin] = 1;
            }
        }
    }
    if (c->is_closed) {
        memcpy(weights + (keys - 1) * all, weights, all * sizeof *weights);
    }
    int32_t number = c->added >= 0 ? snRig_OwnClips(b->rig) + c->added : c->facts->clip;
    *track = (snGltfTrack){number, (int32_t)keys, times, weights};
    return true;
}

static snStatus makeFlesh(snBaker* b, snGltfPatch* patch)
{
    size_t nodes = (size_t)b->rig->info.node_count, clips = (size_t)b->clip_count;
    snGltfFlesh* flesh = snArena_Push(&b->arena, nodes, sizeof *flesh);
    snGltfTrack* tracks = snArena_Push(&b->arena, clips, sizeof *tracks);
    snGltfPart* parts = snArena_Push(&b->arena, (size_t)b->rig->info.mesh_count, sizeof *parts);
    int32_t track_count = 0;
    bool fine = !b->arena.failed;
    for (int32_t i = 0; i < b->clip_count && fine; ++i) {
        if (b->clips[i].made > 0 && b->shape_count > 0) {
            fine = makeTrack(b, &b->clips[i], &tracks[track_count++]);
        }
    }
    for (int32_t n = 0; n < b->rig->info.node_count && fine; ++n) {
        snGltfFlesh f = {.node = n,
                         .shape_count = b->shape_count,
                         .parts = parts,
                         .track_count = track_count,
                         .tracks = tracks};
        for (int32_t i = 0; i < b->rig->info.mesh_count && fine; ++i) {
            Range r = rangeOf(b->surface, i);
            if (b->rig->instances[i].info.node == n && r.end > r.first) {
                fine = makePart(b, i, r, parts++);
                ++f.part_count;
            }
        }
        if (f.part_count > 0 && track_count > 0) {
            flesh[patch->flesh_count++] = f;
        }
    }
    patch->flesh = flesh;
    return fine ? sn_ok : snFail(b->why, sn_errorMemory, "out of memory");
}

void snBaker_AddClips(const snBaker* b, snGltfPatch* patch)
{
    bool acted = b->acted_count > 0, motion = b->def->motion != sn_motionNone;
    patch->clip_count = acted ? b->acted_count : motion ? 1 : b->rig->added_count;
    patch->clips = acted ? b->acted : motion ? &b->motion : b->rig->clips + snRig_OwnClips(b->rig);
}

snStatus snBaker_Write(snBaker* b)
{
    snGltfPatch patch = {.rig = b->rig};
    snBaker_AddClips(b, &patch);
    snBaker_Tell(b, "write", NULL);
    snStatus status = makeFlesh(b, &patch);
    return status ? status : snGltfPatch_Save(&patch, b->path, b->why);
}
