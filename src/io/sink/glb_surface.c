// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Surfaces in a GLB: kept frame by frame as their node sees them, then turned into morph targets.

#include <string.h>

#include "base/message.h"
#include "geom/surface.h"
#include "io/sink/glb.h"
#include "math/svd.h"
#include "math/transform.h"

struct snGlbFrame {
    snGlbFrame* next;
    float values[]; // positions, then normals; (6 vertex_count)
};

// A surface without size, all in one point, counts as so large, m.
#define DEFAULT_SIZE 1.0

static snVec3 load(const float* v)
{
    return snV3((double)v[0], (double)v[1], (double)v[2]);
}

static snVec3 middle(const snFrameSurface* surface)
{
    snVec3 sum = snV3(0, 0, 0);
    for (int32_t i = 0; i < surface->vertex_count; ++i) {
        sum = snAdd(sum, load(surface->position + 3 * (size_t)i));
    }
    return snScale(1.0 / surface->vertex_count, sum);
}

bool snGlbSurface_Begin(snArena* arena, const snFrameCharacter* given, snGlbCharacter* c)
{
    const snFrameSurface* from = &given->surfaces[0];
    snGlbSurface* s = &c->surface;
    size_t corners = 3 * (size_t)from->triangle_count;
    // an earlier first frame may have failed halfway
    if (!s->triangles || s->triangle_count != from->triangle_count) {
        s->triangles = snArena_Push(arena, corners, sizeof(uint32_t));
    }
    s->spare = s->vertex_count == from->vertex_count ? s->spare : NULL;
    if (!s->triangles) {
        return false;
    }
    memcpy(s->triangles, from->triangles, corners * sizeof(uint32_t));
    s->vertex_count = from->vertex_count;
    s->triangle_count = from->triangle_count;
    snBox box = snBox_Empty();
    for (int32_t i = 0; i < s->vertex_count; ++i) {
        box = snBox_Point(box, load(from->position + 3 * (size_t)i));
    }
    double size = snLength(snSub(box.hi, box.lo));
    s->size = size > 0 ? size : DEFAULT_SIZE;
    if (c->bone_count == 0) {
        snGlb_SetVec(c->origin, snAdd(given->origin, middle(from)));
        c->size = s->size;
    }
    return true;
}

// The rotation that turns the first frame into this one best: the polar part of
// sum of (x(f) - middle) x(0)' (Kabsch 1976).
static snMat3 bestRotation(const snFrameSurface* from, snVec3 centre, const float* first)
{
    snVec3 columns[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (int32_t i = 0; i < from->vertex_count; ++i) {
        snVec3 x = snSub(load(from->position + 3 * (size_t)i), centre);
        const float* y = first + 3 * (size_t)i;
        for (int k = 0; k < 3; ++k) {
            columns[k] = snMulAdd(columns[k], (double)y[k], x);
        }
    }
    return snPolar3d(snMatFromCols(columns[0], columns[1], columns[2])).R;
}

// The vertices as the node sees them, the node being where the floats of its tracks put it
static void storeVertices(const snFrameSurface* from, snVec3 shift, snQuat turn, float* out)
{
    snMat3 R = snMatFromQ(snQNormalize(turn));
    size_t half = 3 * (size_t)from->vertex_count;
    for (size_t i = 0; i < half; i += 3) {
        snVec3 n = snNormalize(snMatTVec(R, load(from->normal + i)));
        bool none = snLengthSq(n) < 0.5;
        snGlb_SetVec(out + i, snMatTVec(R, snSub(load(from->position + i), shift)));
        snGlb_SetVec(out + half + i, none ? snV3(0, 1, 0) : n); // glTF wants unit length
    }
}

bool snGlbSurface_Read(snArena* arena, const snFrameCharacter* given, snGlbCharacter* c)
{
    const snFrameSurface* from = &given->surfaces[0];
    snGlbSurface* s = &c->surface;
    if (!s->spare) {
        size_t bytes = sizeof(snGlbFrame) + (size_t)snGlbSurface_Bytes(s);
        s->spare = snArena_Push(arena, bytes, 1);
    }
    if (!s->spare) {
        return false;
    }
    snVec3 centre = middle(from);
    snMat3 R = s->head ? bestRotation(from, centre, s->head->values) : snMat3_Identity();
    snVec3 origin = snSub(load(c->origin), given->origin); // of the node, in the frame's terms
    snGlb_SetVec(s->translation.next, snSub(centre, origin));
    snGlb_SetQuat(s->rotation.next, s->rotation.last, snQFromMat(R));
    const float* q = s->rotation.next;
    snQuat turn = snQ((double)q[0], (double)q[1], (double)q[2], (double)q[3]);
    storeVertices(from, snAdd(origin, load(s->translation.next)), turn, s->spare->values);
    return true;
}

void snGlbSurface_Keep(snGlbSurface* surface)
{
    if (surface->head) {
        surface->tail->next = surface->spare;
    } else {
        surface->head = surface->spare;
    }
    surface->tail = surface->spare;
    surface->spare = NULL;
}

snStatus snGlbSurface_Fit(snArena* arena, snGlbSurface* surface, int64_t frame_count, double error,
                          snMessage* why)
{
    float** frames = snArena_Push(arena, (size_t)frame_count, sizeof(float*));
    if (!frames || frame_count > INT32_MAX) {
        return snFail(why, sn_errorMemory, "out of memory for %lld frames", (long long)frame_count);
    }
    size_t count = 0;
    for (snGlbFrame* frame = surface->head; frame; frame = frame->next) {
        frames[count++] = frame->values;
    }
    surface->base = frames[0];
    surface->morph = (snMorph){.frame_count = (int32_t)frame_count,
                               .vertex_count = surface->vertex_count,
                               .frames = frames};
    return snMorph_Fit(&surface->morph, arena, error * surface->size, why);
}
