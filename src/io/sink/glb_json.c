// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The JSON chunk of a GLB and the shapes that it refers to.

#include <stdio.h>

#include "io/sink/glb_json.h"
#include "math/transform.h"

// glTF's numbers for things
#define ARRAY_BUFFER 34962
#define ELEMENT_ARRAY_BUFFER 34963
#define UNSIGNED_INT 5125
#define FLOAT 5126

// Radius of a bone that names none, relative to its length; of one without tip, to the character's
// size
#define BONE_RADIUS 0.1
#define KNOB_RADIUS 0.05

// Tips nearer to the bone's origin than this part of the character's size are no tips.
#define SHORTEST 1e-6

static snGlbShape shapeOf(const snBoneDef* bone, double size)
{
    return snLength(bone->tip) > SHORTEST * size ? sn_glbBone : sn_glbKnob;
}

bool snGlb_HasShapes(const snSink* sink)
{
    const snGlb* glb = sink->state;
    bool any = false;
    for (int32_t i = 0; i < glb->count; ++i) {
        any |= glb->characters[i].bone_count > 0 && !snGlb_HasSurface(&glb->characters[i]);
    }
    return any;
}

// Tracks and weights that are in the file
static int32_t countMoving(const snSink* sink)
{
    const snGlb* glb = sink->state;
    int32_t count = 0;
    for (int32_t i = 0; i < glb->count; ++i) {
        snGlbCharacter* c = &glb->characters[i];
        for (int32_t k = 0; k < snGlb_TrackCount(c); ++k) {
            count += snGlbTrack_Moves(snGlb_Track(c, k), sink->frame_count);
        }
        count += c->surface.morph.shape_count > 0;
    }
    return count;
}

static snGlbIndex makeIndex(const snSink* sink)
{
    const snGlb* glb = sink->state;
    bool used[SN_GLB_COLOURS][sn_glbShapeCount] = {{false}};
    for (int32_t i = 0; i < glb->count; ++i) {
        const snGlbCharacter* c = &glb->characters[i];
        for (int32_t b = 0; b < c->bone_count && !snGlb_HasSurface(c); ++b) {
            snGlbShape shape = shapeOf(snSkeleton_Bone(c->skeleton, b), c->size);
            used[c->material][shape] = true;
        }
    }
    snGlbIndex index = {.colour_count = snGlb_ColourCount(sink)};
    int32_t accessors = 0, meshes = 0;
    for (int shape = 0; shape < sn_glbShapeCount; ++shape) {
        index.accessor[shape] = -1;
        for (int32_t k = 0; k < index.colour_count; ++k) {
            index.mesh[k][shape] = used[k][shape] ? meshes++ : -1;
            if (used[k][shape] && index.accessor[shape] < 0) {
                index.accessor[shape] = accessors;
                accessors += 2;
            }
        }
    }
    int32_t moving = countMoving(sink), views = snGlb_HasShapes(sink);
    index.time = moving > 0 ? accessors : -1;
    index.moving = views;
    index.surface = accessors + (moving > 0 ? 1 + moving : 0);
    index.surface_mesh = meshes;
    index.surface_view = views + (moving > 0);
    return index;
}

void snGlb_PutText(snJsonWriter* json, const char* key, const char* text)
{
    snJsonWriter_Key(json, key);
    snJsonWriter_String(json, text);
}

void snGlb_PutInt(snJsonWriter* json, const char* key, uint64_t value)
{
    snJsonWriter_Key(json, key);
    snJsonWriter_Int(json, (int64_t)value);
}

void snGlb_PutFloats(snJsonWriter* json, const char* key, const float* values, int count)
{
    snJsonWriter_Key(json, key);
    snJsonWriter_BeginArray(json);
    for (int i = 0; i < count; ++i) {
        snJsonWriter_NumberFloat(json, values[i]);
    }
    snJsonWriter_EndArray(json);
}

void snGlb_BeginArray(snJsonWriter* json, const char* key)
{
    snJsonWriter_Key(json, key);
    snJsonWriter_BeginArray(json);
}

// What the shapes of a surface are worth, for people who look into the file
static void putFit(snJsonWriter* json, const char* name, const snGlbSurface* surface)
{
    snJsonWriter_BeginObject(json);
    snGlb_PutText(json, "character", name);
    snGlb_PutInt(json, "frames", (uint64_t)surface->morph.frame_count);
    snGlb_PutInt(json, "shapes", (uint64_t)surface->morph.shape_count);
    snJsonWriter_Key(json, "error_m");
    snJsonWriter_Number(json, surface->morph.error);
    snJsonWriter_Key(json, "size_m");
    snJsonWriter_Number(json, surface->size);
    snJsonWriter_EndObject(json);
}

static void putExtras(snJsonWriter* json, const snSink* sink)
{
    const snGlb* glb = sink->state;
    snJsonWriter_Key(json, "extras");
    snJsonWriter_BeginObject(json);
    snGlb_BeginArray(json, "surfaces");
    for (int32_t i = 0; i < sink->character_count; ++i) {
        if (snGlb_HasSurface(&glb->characters[i])) {
            putFit(json, glb->characters[i].name, &glb->characters[i].surface);
        }
    }
    snJsonWriter_EndArray(json);
    snJsonWriter_EndObject(json);
}

static void putAsset(snJsonWriter* json, const snSink* sink, bool surfaces)
{
    char generator[64];
    uint32_t version = snVersion();
    snprintf(generator, sizeof(generator), "Sinew %u.%u.%u", (unsigned)(version / 10000),
             (unsigned)(version / 100 % 100), (unsigned)(version % 100));
    snJsonWriter_Key(json, "asset");
    snJsonWriter_BeginObject(json);
    snGlb_PutText(json, "version", "2.0");
    snGlb_PutText(json, "generator", generator);
    if (surfaces) {
        putExtras(json, sink);
    }
    snJsonWriter_EndObject(json);
}

// A character's nodes: its own, then its bones, then their shapes or its surface.
static uint64_t nodeCount(const snGlbCharacter* c)
{
    return 1 + (uint64_t)c->bone_count + (snGlb_HasSurface(c) ? 1 : (uint64_t)c->bone_count);
}

static void putBoneNode(snJsonWriter* json, const snGlbCharacter* c, int32_t b, const char* name,
                        uint64_t start)
{
    const snGlbBone* bone = &c->bones[b];
    snJsonWriter_BeginObject(json);
    snGlb_PutText(json, "name", name);
    snGlb_PutFloats(json, "translation", bone->translation.first, 3);
    snGlb_PutFloats(json, "rotation", bone->rotation.first, 4);
    // an empty list of children is not allowed
    if (!snGlb_HasSurface(c) || bone->first_child >= 0) {
        snGlb_BeginArray(json, "children");
        if (!snGlb_HasSurface(c)) {
            snJsonWriter_Int(json, (int64_t)start + c->bone_count + b);
        }
        for (int32_t child = bone->first_child; child >= 0; child = c->bones[child].next) {
            snJsonWriter_Int(json, (int64_t)start + child);
        }
        snJsonWriter_EndArray(json);
    }
    snJsonWriter_EndObject(json);
}

static void putShapeNode(snJsonWriter* json, const snBoneDef* bone, double size,
                         const int32_t mesh[sn_glbShapeCount])
{
    snGlbShape shape = shapeOf(bone, size);
    double length = snLength(bone->tip), radius = bone->radius;
    if (radius <= 0) {
        radius = shape == sn_glbBone ? BONE_RADIUS * length : KNOB_RADIUS * size;
    }
    snJsonWriter_BeginObject(json);
    if (shape == sn_glbBone) {
        snQuat q = snQFromTo(snV3(0, 1, 0), snNormalize(bone->tip));
        snGlb_PutFloats(json, "rotation",
                        (const float[]){(float)q.x, (float)q.y, (float)q.z, (float)q.w}, 4);
    } else {
        length = radius;
    }
    snGlb_PutFloats(json, "scale", (const float[]){(float)radius, (float)length, (float)radius}, 3);
    snGlb_PutInt(json, "mesh", (uint64_t)mesh[shape]);
    snJsonWriter_EndObject(json);
}

static void putSurfaceNode(snJsonWriter* json, const snGlbSurface* surface, uint64_t mesh)
{
    snJsonWriter_BeginObject(json);
    snGlb_PutText(json, "name", "surface");
    snGlb_PutFloats(json, "translation", surface->translation.first, 3);
    snGlb_PutFloats(json, "rotation", surface->rotation.first, 4);
    snGlb_PutInt(json, "mesh", mesh);
    snJsonWriter_EndObject(json);
}

// mesh: of the shapes of its bones; surface_mesh: of its surface
static void putCharacterNodes(snJsonWriter* json, const snGlbCharacter* c, uint64_t start,
                              const int32_t mesh[sn_glbShapeCount], uint64_t surface_mesh)
{
    snJsonWriter_BeginObject(json);
    snGlb_PutText(json, "name", c->name);
    // all digits: readers in double must find the very float that the bones are relative to
    snGlb_BeginArray(json, "translation");
    for (int k = 0; k < 3; ++k) {
        snJsonWriter_Number(json, (double)c->origin[k]);
    }
    snJsonWriter_EndArray(json);
    snGlb_BeginArray(json, "children");
    for (int32_t b = 0; b < c->bone_count; ++b) {
        if (c->bones[b].parent < 0) {
            snJsonWriter_Int(json, (int64_t)start + 1 + b);
        }
    }
    if (snGlb_HasSurface(c)) {
        snJsonWriter_Int(json, (int64_t)start + 1 + c->bone_count);
    }
    snJsonWriter_EndArray(json);
    snJsonWriter_EndObject(json);
    for (int32_t b = 0; b < c->bone_count; ++b) {
        putBoneNode(json, c, b, snSkeleton_Bone(c->skeleton, b)->name, start + 1);
    }
    for (int32_t b = 0; b < c->bone_count && !snGlb_HasSurface(c); ++b) {
        putShapeNode(json, snSkeleton_Bone(c->skeleton, b), c->size, mesh);
    }
    if (snGlb_HasSurface(c)) {
        putSurfaceNode(json, &c->surface, surface_mesh);
    }
}

static void putNodes(snJsonWriter* json, const snSink* sink, const snGlbIndex* index)
{
    const snGlb* glb = sink->state;
    snGlb_BeginArray(json, "nodes");
    snJsonWriter_BeginObject(json);
    snGlb_PutText(json, "name", "scene");
    snGlb_BeginArray(json, "children");
    uint64_t start = 1;
    for (int32_t i = 0; i < glb->count; ++i) {
        snJsonWriter_Int(json, (int64_t)start);
        start += nodeCount(&glb->characters[i]);
    }
    snJsonWriter_EndArray(json);
    snJsonWriter_EndObject(json);
    start = 1;
    uint64_t mesh = (uint64_t)index->surface_mesh;
    for (int32_t i = 0; i < glb->count; ++i) {
        const snGlbCharacter* c = &glb->characters[i];
        putCharacterNodes(json, c, start, index->mesh[c->skeleton ? c->material : 0], mesh);
        start += nodeCount(&glb->characters[i]);
        mesh += snGlb_HasSurface(&glb->characters[i]);
    }
    snJsonWriter_EndArray(json);
}

// min and max (floats of one element) may be NULL.
static void putAccessor(snJsonWriter* json, uint64_t view, uint64_t offset, uint64_t count,
                        int width, const float* min, const float* max)
{
    static const char* const types[] = {"", "SCALAR", "", "VEC3", "VEC4"};
    snJsonWriter_BeginObject(json);
    snGlb_PutInt(json, "bufferView", view);
    snGlb_PutInt(json, "byteOffset", offset);
    snGlb_PutInt(json, "componentType", FLOAT);
    snGlb_PutInt(json, "count", count);
    snGlb_PutText(json, "type", types[width]);
    if (min) {
        snGlb_PutFloats(json, "min", min, width);
        snGlb_PutFloats(json, "max", max, width);
    }
    snJsonWriter_EndObject(json);
}

// Times, moving tracks and weights; returns the length of what they hold
static uint64_t putMoving(snJsonWriter* json, const snSink* sink, uint64_t view)
{
    const snGlb* glb = sink->state;
    uint64_t frames = (uint64_t)sink->frame_count, offset = frames * sizeof(float);
    putAccessor(json, view, 0, frames, 1, glb->time.first, glb->time.last);
    for (int32_t i = 0; i < glb->count; ++i) {
        snGlbCharacter* c = &glb->characters[i];
        for (int32_t k = 0; k < snGlb_TrackCount(c); ++k) {
            const snGlbTrack* track = snGlb_Track(c, k);
            if (snGlbTrack_Moves(track, sink->frame_count)) {
                putAccessor(json, view, offset, frames, track->width, NULL, NULL);
                offset += frames * (uint64_t)track->width * sizeof(float);
            }
        }
    }
    for (int32_t i = 0; i < glb->count; ++i) {
        uint64_t count = frames * (uint64_t)glb->characters[i].surface.morph.shape_count;
        if (count > 0) {
            putAccessor(json, view, offset, count, 1, NULL, NULL);
            offset += count * sizeof(float);
        }
    }
    return offset;
}

// Positions and normals of a frame or shape; returns where the next begins
static uint64_t putVertices(snJsonWriter* json, const snGlbSurface* surface, const float* values,
                            uint64_t view, uint64_t offset)
{
    uint64_t count = (uint64_t)surface->vertex_count, half = snGlbSurface_Bytes(surface) / 2;
    float min[3] = {values[0], values[1], values[2]}, max[3] = {values[0], values[1], values[2]};
    for (size_t i = 0; i < 3 * (size_t)count; ++i) {
        min[i % 3] = values[i] < min[i % 3] ? values[i] : min[i % 3];
        max[i % 3] = values[i] > max[i % 3] ? values[i] : max[i % 3];
    }
    putAccessor(json, view, offset, count, 3, min, max);
    putAccessor(json, view, offset + half, count, 3, NULL, NULL);
    return offset + 2 * half;
}

static void putSurfaceAccessors(snJsonWriter* json, const snGlbSurface* surface, uint64_t view)
{
    uint64_t offset = putVertices(json, surface, surface->base, view, 0);
    for (int32_t k = 0; k < surface->morph.shape_count; ++k) {
        offset = putVertices(json, surface, surface->morph.shapes[k], view, offset);
    }
    snJsonWriter_BeginObject(json);
    snGlb_PutInt(json, "bufferView", view + 1);
    snGlb_PutInt(json, "componentType", UNSIGNED_INT);
    snGlb_PutInt(json, "count", 3 * (uint64_t)surface->triangle_count);
    snGlb_PutText(json, "type", "SCALAR");
    snJsonWriter_EndObject(json);
}

// Returns the length of what moves.
static uint64_t putAccessors(snJsonWriter* json, const snSink* sink, const snGlbIndex* index)
{
    const snGlb* glb = sink->state;
    const uint64_t shape_bytes = SN_GLB_SHAPE_FLOATS * sizeof(float);
    uint64_t moving_bytes = 0, view = (uint64_t)index->surface_view;
    snGlb_BeginArray(json, "accessors");
    for (int shape = 0; shape < sn_glbShapeCount; ++shape) {
        if (index->accessor[shape] < 0) {
            continue;
        }
        uint64_t start = (uint64_t)shape * shape_bytes;
        const float min[3] = {-1, shape == sn_glbBone ? 0 : -1, -1}, max[3] = {1, 1, 1};
        putAccessor(json, 0, start, SN_GLB_SHAPE_VERTICES, 3, min, max);
        putAccessor(json, 0, start + 3 * sizeof(float), SN_GLB_SHAPE_VERTICES, 3, NULL, NULL);
    }
    if (index->time >= 0) {
        moving_bytes = putMoving(json, sink, (uint64_t)index->moving);
    }
    for (int32_t i = 0; i < glb->count; ++i) {
        if (snGlb_HasSurface(&glb->characters[i])) {
            putSurfaceAccessors(json, &glb->characters[i].surface, view);
            view += 2;
        }
    }
    snJsonWriter_EndArray(json);
    return moving_bytes;
}

// The next bytes of the buffer; stride and target 0 = none
static void putView(snJsonWriter* json, uint64_t* start, uint64_t bytes, uint64_t stride,
                    uint64_t target)
{
    snJsonWriter_BeginObject(json);
    snGlb_PutInt(json, "buffer", 0);
    snGlb_PutInt(json, "byteOffset", *start);
    snGlb_PutInt(json, "byteLength", bytes);
    if (stride > 0) {
        snGlb_PutInt(json, "byteStride", stride);
    }
    if (target > 0) {
        snGlb_PutInt(json, "target", target);
    }
    snJsonWriter_EndObject(json);
    *start += bytes;
}

// Returns the length of the buffer.
static uint64_t putBuffers(snJsonWriter* json, const snSink* sink, uint64_t moving_bytes)
{
    const snGlb* glb = sink->state;
    uint64_t length = 0;
    snGlb_BeginArray(json, "bufferViews");
    if (snGlb_HasShapes(sink)) {
        putView(json, &length, sn_glbShapeCount * SN_GLB_SHAPE_FLOATS * sizeof(float),
                6 * sizeof(float), ARRAY_BUFFER);
    }
    if (moving_bytes > 0) {
        putView(json, &length, moving_bytes, 0, 0);
    }
    for (int32_t i = 0; i < glb->count; ++i) {
        const snGlbSurface* surface = &glb->characters[i].surface;
        if (snGlb_HasSurface(&glb->characters[i])) {
            uint64_t frames = 1 + (uint64_t)surface->morph.shape_count;
            putView(json, &length, frames * snGlbSurface_Bytes(surface), 3 * sizeof(float),
                    ARRAY_BUFFER);
            putView(json, &length, snGlbSurface_IndexBytes(surface), 0, ELEMENT_ARRAY_BUFFER);
        }
    }
    snJsonWriter_EndArray(json);
    snGlb_BeginArray(json, "buffers");
    snJsonWriter_BeginObject(json);
    snGlb_PutInt(json, "byteLength", length);
    snJsonWriter_EndObject(json);
    snJsonWriter_EndArray(json);
    return length;
}

// The channel of a moving track, or its sampler. Samplers and channels have the same numbers, and
// accessors follow that of the times in the same order.
static void putChannel(snJsonWriter* json, bool sampler, uint64_t number, uint64_t time,
                       uint64_t node, const char* path)
{
    snJsonWriter_BeginObject(json);
    if (sampler) {
        snGlb_PutInt(json, "input", time);
        snGlb_PutInt(json, "output", time + 1 + number);
    } else {
        snGlb_PutInt(json, "sampler", number);
        snJsonWriter_Key(json, "target");
        snJsonWriter_BeginObject(json);
        snGlb_PutInt(json, "node", node);
        snGlb_PutText(json, "path", path);
        snJsonWriter_EndObject(json);
    }
    snJsonWriter_EndObject(json);
}

static void putChannels(snJsonWriter* json, const snSink* sink, const snGlbIndex* index,
                        bool samplers)
{
    const snGlb* glb = sink->state;
    uint64_t number = 0, node = 1, time = (uint64_t)index->time;
    snGlb_BeginArray(json, samplers ? "samplers" : "channels");
    for (int32_t i = 0; i < glb->count; ++i) {
        snGlbCharacter* c = &glb->characters[i];
        for (int32_t k = 0; k < snGlb_TrackCount(c); ++k) {
            if (snGlbTrack_Moves(snGlb_Track(c, k), sink->frame_count)) {
                putChannel(json, samplers, number++, time, node + 1 + (uint64_t)k / 2,
                           k % 2 == 0 ? "rotation" : "translation");
            }
        }
        node += nodeCount(c);
    }
    node = 1;
    for (int32_t i = 0; i < glb->count; ++i) {
        const snGlbCharacter* c = &glb->characters[i];
        if (c->surface.morph.shape_count > 0) {
            putChannel(json, samplers, number++, time, node + 1 + (uint64_t)c->bone_count,
                       "weights");
        }
        node += nodeCount(c);
    }
    snJsonWriter_EndArray(json);
}

static void putAnimation(snJsonWriter* json, const snSink* sink, const snGlbIndex* index)
{
    snGlb_BeginArray(json, "animations");
    snJsonWriter_BeginObject(json);
    snGlb_PutText(json, "name", "motion");
    putChannels(json, sink, index, false);
    putChannels(json, sink, index, true);
    snJsonWriter_EndObject(json);
    snJsonWriter_EndArray(json);
}

uint64_t snGlb_Describe(const snSink* sink, snJsonWriter* json)
{
    const snGlb* glb = sink->state;
    snGlbIndex index = makeIndex(sink);
    bool surfaces = false;
    for (int32_t i = 0; i < sink->character_count; ++i) {
        surfaces |= snGlb_HasSurface(&glb->characters[i]);
    }
    snJsonWriter_BeginObject(json);
    putAsset(json, sink, surfaces);
    snGlb_PutInt(json, "scene", 0);
    snGlb_BeginArray(json, "scenes");
    snJsonWriter_BeginObject(json);
    snGlb_BeginArray(json, "nodes");
    snJsonWriter_Int(json, 0);
    snJsonWriter_EndArray(json);
    snJsonWriter_EndObject(json);
    snJsonWriter_EndArray(json);
    putNodes(json, sink, &index);
    snGlb_PutMeshes(json, sink, &index);
    snGlb_PutMaterials(json, sink);
    uint64_t moving_bytes = putAccessors(json, sink, &index);
    uint64_t length = putBuffers(json, sink, moving_bytes);
    if (index.time >= 0) {
        putAnimation(json, sink, &index);
    }
    snJsonWriter_EndObject(json);
    return length;
}
