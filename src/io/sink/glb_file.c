// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A rig as an animation: one of its clips, frame by frame. What sinks wrote comes back so: its
// characters and obstacles are nodes below one top node, each a surface.
#include <math.h>

#include "io/sink/animation.h"
#include "rig/lbs.h"
#include "rig/pose.h"

// Keys of all channels at the same times, and no further apart than this, are the frames. Otherwise
// RATE frames a second are taken, but at most MOST_FRAMES.
#define LONGEST_KEY 0.1 // s
#define RATE 60
#define MOST_FRAMES 100000

typedef struct Motion {
    const snRig* rig;
    const snRigClipData* clip; // NULL = none
    int32_t* surface;          // of each mesh instance; (mesh_count)
    int32_t* first;            // its first vertex there; (mesh_count)
    snMatrix* nodes;           // at the present frame; (node_count)
    snMatrix* joints;          // scratch
    double* weights;           // at the present frame; (weight_count)
} Motion;

static snStatus failMemory(snMessage* why)
{
    return snFail(why, sn_errorMemory, "out of memory");
}

// Clip and times -------------------------------------------------------------------

// The first one that the word means
static snStatus findClip(snAnimation* a, Motion* m, const char* word, snMessage* why)
{
    int32_t count = m->rig->info.clip_count;
    int32_t* clips = snArena_Push(&a->arena, (size_t)count, sizeof *clips);
    if (!clips) {
        return failMemory(why);
    }
    snStatus status = word ? snRig_FindClips(m->rig, word, clips, &count, why) : sn_ok;
    m->clip = !status && count > 0 ? &m->rig->clips[clips[0]] : NULL;
    return status;
}

static bool haveSameKeys(const snRigClipData* clip)
{
    const snRigChannel* a = &clip->channels[0];
    for (int32_t i = 1; i < clip->info.channel_count; ++i) {
        const snRigChannel* b = &clip->channels[i];
        if (b->key_count != a->key_count ||
            (b->times != a->times &&
             memcmp(b->times, a->times, (size_t)a->key_count * sizeof *a->times) != 0)) {
            return false;
        }
    }
    for (int32_t k = 1; k < a->key_count; ++k) {
        double gap = (double)a->times[k] - (double)a->times[k - 1];
        if (!(gap > 0 && gap <= LONGEST_KEY)) {
            return false;
        }
    }
    return true;
}

static snStatus setTimes(snAnimation* a, const Motion* m, snMessage* why)
{
    const snRigClipData* clip = m->clip;
    bool moves = clip && clip->info.channel_count > 0, keys = moves && haveSameKeys(clip);
    double first = moves ? clip->info.first : 0, length = moves ? clip->info.duration : 0;
    double steps = fmin(ceil(length * RATE - 1e-3), MOST_FRAMES);
    a->frame_count = keys ? clip->channels[0].key_count : 1 + (int64_t)fmax(steps, 0);
    a->times = snArena_Push(&a->arena, (size_t)a->frame_count, sizeof(double));
    if (!a->times) {
        return failMemory(why);
    }
    double step = steps < MOST_FRAMES ? 1.0 / RATE : length / MOST_FRAMES;
    for (int64_t i = 0; i < a->frame_count; ++i) {
        a->times[i] =
            keys ? (double)clip->channels[0].times[i] : first + fmin((double)i * step, length);
    }
    return sn_ok;
}

// Surfaces -------------------------------------------------------------------------

// The node that a node's surface is named after: the top of its tree, or in files without skins
// that have a single top, as sinks write them, one below.
static void findRoots(const snRig* rig, int32_t* root)
{
    bool below = rig->info.skin_count == 0 && rig->info.node_count > 0;
    for (int32_t n = 1; n < rig->info.node_count; ++n) {
        below = below && rig->nodes[n].parent >= 0;
    }
    for (int32_t i = 0; i < rig->info.mesh_count; ++i) {
        below = below && rig->instances[i].info.node != 0;
    }
    for (int32_t n = 0; n < rig->info.node_count; ++n) {
        int32_t parent = rig->nodes[n].parent;
        root[n] = parent < 0 || (below && parent == 0) ? n : root[parent];
    }
}

// Mirrored meshes show their insides unless their triangles are turned over.
static bool isMirrored(const Motion* m, const snRigInstance* instance)
{
    snMatrix B = m->nodes[instance->info.node];
    if (instance->info.skin >= 0) {
        snLbs_Joints(&m->rig->skins[instance->info.skin], m->nodes, m->joints);
        B = snLbs_Blend(instance->shape, m->joints, 0);
    }
    return snDet(snMatrix_Linear(&B)) < 0;
}

static void fillTriangles(const Motion* m, int32_t i, snAnimationSurface* s)
{
    const snRigMesh* mesh = &m->rig->instances[i].info;
    bool turn = isMirrored(m, &m->rig->instances[i]);
    int32_t* out = s->triangles + 3 * (size_t)s->triangle_count;
    for (size_t k = 0; k < 3 * (size_t)mesh->triangle_count; k += 3) {
        for (size_t c = 0; c < 3; ++c) {
            out[k + (turn ? 2 - c : c)] = m->first[i] + mesh->triangles[k + c];
        }
    }
    s->triangle_count += mesh->triangle_count;
}

// Gives every instance its place in a surface.
static snStatus placeInstances(snAnimation* a, Motion* m, snMessage* why)
{
    const snRig* rig = m->rig;
    int32_t* root = snArena_Push(&a->arena, (size_t)rig->info.node_count, sizeof *root);
    int32_t* surface_of = snArena_Push(&a->arena, (size_t)rig->info.node_count, sizeof(int32_t));
    a->surfaces = snArena_Push(&a->arena, (size_t)rig->info.mesh_count, sizeof(snAnimationSurface));
    m->surface = snArena_Push(&a->arena, (size_t)rig->info.mesh_count, sizeof(int32_t));
    m->first = snArena_Push(&a->arena, (size_t)rig->info.mesh_count, sizeof(int32_t));
    if (a->arena.failed) {
        return failMemory(why);
    }
    findRoots(rig, root);
    for (int32_t i = 0; i < rig->info.mesh_count; ++i) {
        const snRigMesh* mesh = &rig->instances[i].info;
        int32_t r = root[mesh->node];
        if (surface_of[r] == 0) {
            const char* name = rig->nodes[r].name;
            a->surfaces[a->surface_count].name = name[0] ? name : "surface";
            surface_of[r] = ++a->surface_count;
        }
        snAnimationSurface* s = &a->surfaces[surface_of[r] - 1];
        m->surface[i] = surface_of[r] - 1;
        m->first[i] = s->vertex_count;
        s->vertex_count += mesh->vertex_count;
        s->triangle_count += mesh->triangle_count;
    }
    return sn_ok;
}

static snStatus makeSurfaces(snAnimation* a, Motion* m, snMessage* why)
{
    const snRig* rig = m->rig;
    if (rig->info.mesh_count == 0) {
        return snFail(why, sn_errorFile, "it has no meshes to show");
    }
    if (rig->info.vertex_count > SN_ANIMATION_MOST ||
        rig->info.triangle_count > SN_ANIMATION_MOST) {
        return snFail(why, sn_errorUnsupported, "it has too many vertices or triangles to show");
    }
    snStatus status = placeInstances(a, m, why);
    for (int32_t i = 0; i < a->surface_count && !status; ++i) {
        status = snAnimation_BuildSurface(a, &a->surfaces[i]) ? sn_ok : failMemory(why);
        a->surfaces[i].triangle_count = 0; // counts up again below
    }
    for (int32_t i = 0; i < rig->info.mesh_count && !status; ++i) {
        fillTriangles(m, i, &a->surfaces[m->surface[i]]);
    }
    return status;
}

// Showing --------------------------------------------------------------------------

static void poseMotion(snAnimation* a, int64_t frame)
{
    Motion* m = a->state;
    snRigClipData_World(m->rig, m->clip, a->times[frame], m->nodes, m->weights);
    for (int32_t i = 0; i < m->rig->info.mesh_count; ++i) {
        float* out = a->surfaces[m->surface[i]].position + 3 * (size_t)m->first[i];
        snLbs_Skin(m->rig, &m->rig->instances[i], m->nodes, m->weights, m->joints, out, NULL);
    }
}

snStatus snGlb_ReadClip(snAnimation* a, const char* clip, snMessage* why)
{
    const snRig* rig = a->rig;
    int32_t joints = 0;
    for (int32_t i = 0; i < rig->info.skin_count; ++i) {
        joints = rig->skins[i].joint_count > joints ? rig->skins[i].joint_count : joints;
    }
    Motion* m = snArena_Push(&a->arena, 1, sizeof *m);
    snMatrix* nodes = snArena_Push(&a->arena, (size_t)rig->info.node_count, sizeof(snMatrix));
    snMatrix* scratch = snArena_Push(&a->arena, (size_t)joints, sizeof(snMatrix));
    double* weights = snArena_Push(&a->arena, (size_t)rig->info.weight_count, sizeof(double));
    if (!m || a->arena.failed) {
        return failMemory(why);
    }
    *m = (Motion){.rig = rig, .nodes = nodes, .joints = scratch, .weights = weights};
    a->state = m;
    a->pose = poseMotion;
    snStatus status = findClip(a, m, clip, why);
    status = status ? status : setTimes(a, m, why);
    if (!status) {
        snRigClipData_World(rig, m->clip, a->times[0], nodes, weights);
        status = makeSurfaces(a, m, why);
    }
    return status;
}
