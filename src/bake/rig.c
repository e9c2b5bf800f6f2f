// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The document of a bake with helper joints: their nodes, influences of meshes, travel in clips.
#include <string.h>

#include "bake/baker.h"
#include "rig/bind_pose.h"

static snStatus failMemory(const snBaker* b)
{
    return snFail(b->why, sn_errorMemory, "out of memory");
}

// Where helpers are at rest, in their joints' frames: in the middle of what they move
static snStatus placeHelpers(snBaker* b, snGltfHelper* helpers)
{
    snMatrix* bind = snArena_Push(&b->arena, (size_t)b->rig->info.node_count, sizeof *bind);
    if (!bind) {
        return failMemory(b);
    }
    snStatus status = snRig_BindPose(b->rig, bind, b->why);
    for (int32_t h = 0; h < b->helpers.count && !status; ++h) {
        bool ok;
        int32_t node = b->helpers.joint[h];
        snMatrix back = snMatrix_Inverse(&bind[node], &ok);
        snVec3 at = snScale(1 / b->body->made.unit, b->helpers.centre[h]);
        snVec3 place = ok ? snMatrix_Point(&back, at) : snV3(0, 0, 0);
        // as the file will have it, so that nothing is added by rounding
        helpers[h] = (snGltfHelper){
            node, snV3((double)(float)place.x, (double)(float)place.y, (double)(float)place.z)};
    }
    return status;
}

// Influences -----------------------------------------------------------------------

// A vertex's influences among the sets. They sum up to 1 as floats: the largest takes the rounding.
typedef struct Sets {
    uint16_t* joints[2];
    float* weights[2];
} Sets;

static void putInfluences(Sets* sets, size_t vertex, const uint16_t* joints, const float* weights,
                          int32_t count)
{
    float rest = 1;
    int32_t largest = 0;
    for (int32_t i = 0; i < count; ++i) {
        largest = weights[i] > weights[largest] ? i : largest;
    }
    for (int32_t i = 0; i < count; ++i) {
        rest -= i == largest ? 0 : weights[i];
    }
    for (int32_t i = 0; i < count; ++i) {
        size_t at = 4 * vertex + (size_t)(i % 4);
        sets->joints[i / 4][at] = joints[i];
        sets->weights[i / 4][at] = i == largest ? rest : weights[i];
    }
}

// Those of the artist
static void keepVertex(const snRigShape* shape, size_t v, Sets* sets)
{
    uint16_t joints[SN_HELPER_SLOTS];
    float weights[SN_HELPER_SLOTS];
    int32_t count = 0;
    for (int32_t k = shape->first[v]; k < shape->first[v + 1] && count < SN_HELPER_SLOTS; ++k) {
        joints[count] = (uint16_t)shape->joint[k];
        weights[count++] = shape->weight[k];
    }
    putInfluences(sets, v, joints, weights, count);
}

static int32_t placeInSkin(const snBaker* b, const snGltfJoints* j, int32_t skin,
                           const snHelperTie* tie)
{
    if (tie->helper >= 0) {
        return snGltfJoints_Place(b->rig, j, skin, tie->helper);
    }
    const snRigSkin* s = &b->rig->skins[skin];
    int32_t place = 0;
    while (place < s->joint_count - 1 && s->joints[place] != tie->joint) {
        ++place;
    }
    return place;
}

static void tieVertex(const snBaker* b, const snGltfJoints* j, int32_t moving, size_t v,
                      int32_t skin, Sets* sets)
{
    const snHelpers* h = &b->helpers;
    const snHelperTie* ties = h->ties + (size_t)moving * (size_t)b->goal.slots;
    uint16_t joints[SN_HELPER_SLOTS];
    float weights[SN_HELPER_SLOTS];
    int32_t count = 0;
    for (int32_t i = 0; i < h->tie_count[moving]; ++i) {
        float weight = (float)ties[i].weight;
        if (weight > 0) {
            joints[count] = (uint16_t)placeInSkin(b, j, skin, &ties[i]);
            weights[count++] = weight;
        }
    }
    putInfluences(sets, v, joints, weights, count);
}

static snStatus makePart(snBaker* b, const snGltfJoints* j, int32_t instance, snGltfInfluences* out)
{
    const snRigInstance* m = &b->rig->instances[instance];
    const snFollowSurface* s = b->surface;
    size_t vertices = (size_t)m->info.vertex_count;
    Sets sets = {{NULL, NULL}, {NULL, NULL}};
    const uint16_t** joints = snArena_Push(&b->arena, 2, sizeof *joints);
    const float** weights = snArena_Push(&b->arena, 2, sizeof *weights);
    for (int k = 0; k < 2; ++k) {
        sets.joints[k] = snArena_Push(&b->arena, 4 * vertices, sizeof(uint16_t));
        sets.weights[k] = snArena_Push(&b->arena, 4 * vertices, sizeof(float));
    }
    if (b->arena.failed) {
        return failMemory(b);
    }
    int32_t moving = 0, first = b->body->made.weld.first[instance];
    while (moving < s->moving_count && s->instance[moving] < instance) {
        ++moving;
    }
    for (size_t v = 0; v < vertices; ++v) {
        if (moving < s->moving_count && s->moving[moving] == first + (int32_t)v) {
            tieVertex(b, j, moving++, v, m->info.skin, &sets);
        } else {
            keepVertex(m->shape, v, &sets);
        }
    }
    for (int k = 0; k < 2; ++k) {
        joints[k] = sets.joints[k];
        weights[k] = sets.weights[k];
    }
    *out = (snGltfInfluences){instance, b->goal.slots / 4, joints, weights};
    return sn_ok;
}

static snStatus makeParts(snBaker* b, snGltfJoints* j)
{
    snGltfInfluences* parts =
        snArena_Push(&b->arena, (size_t)b->rig->info.mesh_count, sizeof *parts);
    snStatus status = sn_ok;
    if (!parts) {
        return failMemory(b);
    }
    for (int32_t i = 0; i < b->rig->info.mesh_count && !status; ++i) {
        const snRigInstance* m = &b->rig->instances[i];
        bool moves = false;
        for (int32_t k = 0; k < b->surface->moving_count && !moves; ++k) {
            moves = b->surface->instance[k] == i;
        }
        if (moves && m->info.skin >= 0 && m->shape->first) {
            status = makePart(b, j, i, &parts[j->part_count++]);
        }
    }
    j->parts = parts;
    return status;
}

// Clips ----------------------------------------------------------------------------

// What is left out of a clip has helpers at their places, from a frame before to a frame after what
// is there.
static snStatus makeTrack(snBaker* b, const snGltfJoints* j, const snBakeClip* c,
                          snGltfTravel* track)
{
    size_t before = c->first > 0, made = (size_t)c->made, helpers = (size_t)j->helper_count;
    size_t after = c->first + c->made < c->all && snBakeClip_IsPart(c);
    size_t keys = before + made + after;
    float* times = snArena_Push(&b->arena, keys, sizeof *times);
    float* places = snArena_Push(&b->arena, 3 * keys * helpers, sizeof *places);
    if (b->arena.failed) {
        return failMemory(b);
    }
    for (size_t i = 0; i < keys; ++i) {
        times[i] = (float)snBakeClip_Time(c, (int32_t)i - (int32_t)before);
    }
    for (size_t h = 0; h < helpers; ++h) {
        const snVec3* rest = &j->helpers[h].place;
        for (size_t i = 0; i < keys; ++i) {
            float* to = places + 3 * (keys * h + i);
            bool there = i >= before && i - before < made;
            const float* t = c->travel + 3 * (made * h + (there ? i - before : 0));
            to[0] = (float)(rest->x + (there ? (double)t[0] : 0));
            to[1] = (float)(rest->y + (there ? (double)t[1] : 0));
            to[2] = (float)(rest->z + (there ? (double)t[2] : 0));
        }
    }
    int32_t number = c->facts->clip < 0 ? snRig_OwnClips(b->rig) : c->facts->clip;
    *track = (snGltfTravel){number, (int32_t)keys, times, places};
    return sn_ok;
}

snStatus snBaker_WriteJoints(snBaker* b)
{
    snGltfJoints joints = {.helper_count = b->helpers.count};
    snGltfPatch patch = {.rig = b->rig, .joints = &joints};
    size_t count = (size_t)b->helpers.count;
    snGltfHelper* helpers = snArena_Push(&b->arena, count, sizeof *helpers);
    snGltfTravel* tracks = snArena_Push(&b->arena, (size_t)b->clip_count, sizeof *tracks);
    snStatus status = b->arena.failed ? failMemory(b) : placeHelpers(b, helpers);
    snBaker_AddClips(b, &patch);
    snBaker_Tell(b, "write", NULL);
    joints.helpers = helpers;
    joints.tracks = tracks;
    status = status ? status : makeParts(b, &joints);
    for (int32_t i = 0; i < b->clip_count && !status; ++i) {
        if (b->clips[i].made > 0 && count > 0) {
            status = makeTrack(b, &joints, &b->clips[i], &tracks[joints.track_count++]);
        }
    }
    return status ? status : snGltfPatch_Save(&patch, b->path, b->why);
}
