// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The JSON chunk of a GLB and the shapes that it refers to.

#include <stdio.h>

#include "io/glb.h"
#include "math/transform.h"

// glTF's numbers for things
#define ARRAY_BUFFER 34962
#define FLOAT 5126

// Where on the way to its tip a bone is widest
#define WAIST 0.15

// Radius of a bone that names none, relative to its length; of one without tip, to the character's
// size
#define BONE_RADIUS 0.1
#define KNOB_RADIUS 0.05

// Tips nearer to the bone's origin than this part of the character's size are no tips.
#define SHORTEST 1e-6

// Linear RGB of the characters' materials, in turn
static const float colours[][3] = {
    {0.80f, 0.27f, 0.13f}, // coral
    {0.10f, 0.37f, 0.60f}, // blue
    {0.75f, 0.50f, 0.10f}, // amber
    {0.15f, 0.45f, 0.25f}, // green
    {0.45f, 0.22f, 0.55f}, // violet
    {0.10f, 0.48f, 0.50f}, // teal
};

#define COLOUR_COUNT ((int32_t)(sizeof(colours) / sizeof(colours[0])))

// Which accessors and meshes the file has; -1 = not there because nothing uses it
typedef struct Index {
    int32_t colour_count;
    int32_t accessor[sn_glbShapeCount]; // of the positions; that of the normals follows
    int32_t mesh[COLOUR_COUNT][sn_glbShapeCount];
    int32_t time; // accessor of the times, followed by those of the moving tracks
} Index;

// A double pyramid over a square of corners at distance 1 from the y axis. glTF's own scaling of
// normals keeps them right when the shape is stretched.
void snGlbShape_Fill(snGlbShape shape, float vertices[SN_GLB_SHAPE_FLOATS])
{
    double waist = shape == sn_glbBone ? WAIST : 0;
    const snVec3 ends[2] = {snV3(0, shape == sn_glbBone ? 0 : -1, 0), snV3(0, 1, 0)};
    const snVec3 ring[4] = {snV3(1, waist, 0), snV3(0, waist, 1), snV3(-1, waist, 0),
                            snV3(0, waist, -1)};
    for (int face = 0; face < 8; ++face) {
        int end = face / 4, side = face % 4;
        snVec3 a = ring[side], b = ring[(side + 1) % 4];
        const snVec3 corners[3] = {ends[end], end == 0 ? a : b, end == 0 ? b : a};
        snVec3 n =
            snNormalize(snCross(snSub(corners[1], corners[0]), snSub(corners[2], corners[0])));
        for (int k = 0; k < 3; ++k) {
            float* v = vertices + 6 * (3 * face + k);
            const double numbers[6] = {corners[k].x, corners[k].y, corners[k].z, n.x, n.y, n.z};
            for (int j = 0; j < 6; ++j) {
                v[j] = (float)numbers[j];
            }
        }
    }
}

static snGlbShape shapeOf(const snBoneDef* bone, double size)
{
    return snLength(bone->tip) > SHORTEST * size ? sn_glbBone : sn_glbKnob;
}

static Index makeIndex(const snSink* sink)
{
    const snGlb* glb = sink->state;
    bool used[COLOUR_COUNT][sn_glbShapeCount] = {{false}};
    for (int32_t i = 0; i < sink->character_count; ++i) {
        const snGlbCharacter* c = &glb->characters[i];
        for (int32_t b = 0; b < c->bone_count; ++b) {
            snGlbShape shape = shapeOf(snSkeleton_Bone(sink->characters[i].skeleton, b), c->size);
            used[i % COLOUR_COUNT][shape] = true;
        }
    }
    Index index = {.colour_count =
                       sink->character_count < COLOUR_COUNT ? sink->character_count : COLOUR_COUNT};
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
    index.time = snGlb_Moves(sink) ? accessors : -1;
    return index;
}

static void putText(snJsonWriter* json, const char* key, const char* text)
{
    snJsonWriter_Key(json, key);
    snJsonWriter_String(json, text);
}

static void putInt(snJsonWriter* json, const char* key, uint64_t value)
{
    snJsonWriter_Key(json, key);
    snJsonWriter_Int(json, (int64_t)value);
}

static void putFloats(snJsonWriter* json, const char* key, const float* values, int count)
{
    snJsonWriter_Key(json, key);
    snJsonWriter_BeginArray(json);
    for (int i = 0; i < count; ++i) {
        snJsonWriter_NumberFloat(json, values[i]);
    }
    snJsonWriter_EndArray(json);
}

static void beginArray(snJsonWriter* json, const char* key)
{
    snJsonWriter_Key(json, key);
    snJsonWriter_BeginArray(json);
}

static void putAsset(snJsonWriter* json)
{
    char generator[64];
    uint32_t version = snVersion();
    snprintf(generator, sizeof(generator), "Sinew %u.%u.%u", (unsigned)(version / 10000),
             (unsigned)(version / 100 % 100), (unsigned)(version % 100));
    snJsonWriter_Key(json, "asset");
    snJsonWriter_BeginObject(json);
    putText(json, "version", "2.0");
    putText(json, "generator", generator);
    snJsonWriter_EndObject(json);
}

// A character's nodes: its own, then its bones, then their shapes.
static uint64_t nodeCount(const snGlbCharacter* c)
{
    return 1 + 2 * (uint64_t)c->bone_count;
}

static void putBoneNode(snJsonWriter* json, const snGlbCharacter* c, int32_t b, const char* name,
                        uint64_t start)
{
    const snGlbBone* bone = &c->bones[b];
    snJsonWriter_BeginObject(json);
    putText(json, "name", name);
    putFloats(json, "translation", bone->translation.first, 3);
    putFloats(json, "rotation", bone->rotation.first, 4);
    beginArray(json, "children");
    snJsonWriter_Int(json, (int64_t)start + c->bone_count + b);
    for (int32_t child = bone->first_child; child >= 0; child = c->bones[child].next) {
        snJsonWriter_Int(json, (int64_t)start + child);
    }
    snJsonWriter_EndArray(json);
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
        putFloats(json, "rotation", (const float[]){(float)q.x, (float)q.y, (float)q.z, (float)q.w},
                  4);
    } else {
        length = radius;
    }
    putFloats(json, "scale", (const float[]){(float)radius, (float)length, (float)radius}, 3);
    putInt(json, "mesh", (uint64_t)mesh[shape]);
    snJsonWriter_EndObject(json);
}

static void putCharacterNodes(snJsonWriter* json, const snSinkCharacter* known,
                              const snGlbCharacter* c, uint64_t start,
                              const int32_t mesh[sn_glbShapeCount])
{
    snJsonWriter_BeginObject(json);
    putText(json, "name", known->name);
    // all digits: readers in double must find the very float that the bones are relative to
    beginArray(json, "translation");
    for (int k = 0; k < 3; ++k) {
        snJsonWriter_Number(json, (double)c->origin[k]);
    }
    snJsonWriter_EndArray(json);
    beginArray(json, "children");
    for (int32_t b = 0; b < c->bone_count; ++b) {
        if (c->bones[b].parent < 0) {
            snJsonWriter_Int(json, (int64_t)start + 1 + b);
        }
    }
    snJsonWriter_EndArray(json);
    snJsonWriter_EndObject(json);
    for (int32_t b = 0; b < c->bone_count; ++b) {
        putBoneNode(json, c, b, snSkeleton_Bone(known->skeleton, b)->name, start + 1);
    }
    for (int32_t b = 0; b < c->bone_count; ++b) {
        putShapeNode(json, snSkeleton_Bone(known->skeleton, b), c->size, mesh);
    }
}

static void putNodes(snJsonWriter* json, const snSink* sink, const Index* index)
{
    const snGlb* glb = sink->state;
    beginArray(json, "nodes");
    snJsonWriter_BeginObject(json);
    putText(json, "name", "scene");
    beginArray(json, "children");
    uint64_t start = 1;
    for (int32_t i = 0; i < sink->character_count; ++i) {
        snJsonWriter_Int(json, (int64_t)start);
        start += nodeCount(&glb->characters[i]);
    }
    snJsonWriter_EndArray(json);
    snJsonWriter_EndObject(json);
    start = 1;
    for (int32_t i = 0; i < sink->character_count; ++i) {
        putCharacterNodes(json, &sink->characters[i], &glb->characters[i], start,
                          index->mesh[i % COLOUR_COUNT]);
        start += nodeCount(&glb->characters[i]);
    }
    snJsonWriter_EndArray(json);
}

static void putMeshes(snJsonWriter* json, const Index* index)
{
    beginArray(json, "meshes");
    for (int shape = 0; shape < sn_glbShapeCount; ++shape) {
        for (int32_t k = 0; k < index->colour_count; ++k) {
            if (index->mesh[k][shape] < 0) {
                continue;
            }
            snJsonWriter_BeginObject(json);
            putText(json, "name", shape == sn_glbBone ? "bone" : "knob");
            beginArray(json, "primitives");
            snJsonWriter_BeginObject(json);
            snJsonWriter_Key(json, "attributes");
            snJsonWriter_BeginObject(json);
            putInt(json, "POSITION", (uint64_t)index->accessor[shape]);
            putInt(json, "NORMAL", (uint64_t)index->accessor[shape] + 1);
            snJsonWriter_EndObject(json);
            putInt(json, "material", (uint64_t)k);
            snJsonWriter_EndObject(json);
            snJsonWriter_EndArray(json);
            snJsonWriter_EndObject(json);
        }
    }
    snJsonWriter_EndArray(json);
}

static void putMaterials(snJsonWriter* json, int32_t count)
{
    beginArray(json, "materials");
    for (int32_t k = 0; k < count; ++k) {
        const float colour[4] = {colours[k][0], colours[k][1], colours[k][2], 1};
        snJsonWriter_BeginObject(json);
        snJsonWriter_Key(json, "pbrMetallicRoughness");
        snJsonWriter_BeginObject(json);
        putFloats(json, "baseColorFactor", colour, 4);
        putInt(json, "metallicFactor", 0);
        snJsonWriter_Key(json, "roughnessFactor");
        snJsonWriter_NumberFloat(json, 0.8f);
        snJsonWriter_EndObject(json);
        snJsonWriter_EndObject(json);
    }
    snJsonWriter_EndArray(json);
}

// min and max (floats of one element) may be NULL.
static void putAccessor(snJsonWriter* json, uint64_t view, uint64_t offset, uint64_t count,
                        int width, const float* min, const float* max)
{
    static const char* const types[] = {"", "SCALAR", "", "VEC3", "VEC4"};
    snJsonWriter_BeginObject(json);
    putInt(json, "bufferView", view);
    putInt(json, "byteOffset", offset);
    putInt(json, "componentType", FLOAT);
    putInt(json, "count", count);
    putText(json, "type", types[width]);
    if (min) {
        putFloats(json, "min", min, width);
        putFloats(json, "max", max, width);
    }
    snJsonWriter_EndObject(json);
}

static void putTrack(snJsonWriter* json, const snGlbTrack* track, uint64_t frames, uint64_t* offset)
{
    if (snGlbTrack_Moves(track, (int64_t)frames)) {
        putAccessor(json, 1, *offset, frames, track->width, NULL, NULL);
        *offset += frames * (uint64_t)track->width * sizeof(float);
    }
}

// Returns the length of the second buffer view, which holds what moves.
static uint64_t putAccessors(snJsonWriter* json, const snSink* sink, const Index* index)
{
    const snGlb* glb = sink->state;
    const uint64_t shape_bytes = SN_GLB_SHAPE_FLOATS * sizeof(float);
    uint64_t frames = (uint64_t)sink->frame_count, offset = 0;
    beginArray(json, "accessors");
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
        putAccessor(json, 1, 0, frames, 1, glb->time.first, glb->time.last);
        offset = frames * sizeof(float);
        for (int32_t i = 0; i < sink->character_count; ++i) {
            const snGlbCharacter* c = &glb->characters[i];
            for (int32_t b = 0; b < c->bone_count; ++b) {
                putTrack(json, &c->bones[b].rotation, frames, &offset);
                putTrack(json, &c->bones[b].translation, frames, &offset);
            }
        }
    }
    snJsonWriter_EndArray(json);
    return offset;
}

static void putBuffers(snJsonWriter* json, uint64_t shape_bytes, uint64_t moving_bytes)
{
    beginArray(json, "bufferViews");
    snJsonWriter_BeginObject(json);
    putInt(json, "buffer", 0);
    putInt(json, "byteLength", shape_bytes);
    putInt(json, "byteStride", 6 * sizeof(float));
    putInt(json, "target", ARRAY_BUFFER);
    snJsonWriter_EndObject(json);
    if (moving_bytes > 0) {
        snJsonWriter_BeginObject(json);
        putInt(json, "buffer", 0);
        putInt(json, "byteOffset", shape_bytes);
        putInt(json, "byteLength", moving_bytes);
        snJsonWriter_EndObject(json);
    }
    snJsonWriter_EndArray(json);
    beginArray(json, "buffers");
    snJsonWriter_BeginObject(json);
    putInt(json, "byteLength", shape_bytes + moving_bytes);
    snJsonWriter_EndObject(json);
    snJsonWriter_EndArray(json);
}

// The channel of a moving track, or its sampler. Samplers and channels have the same numbers, and
// accessors follow that of the times in the same order.
static void putChannel(snJsonWriter* json, bool sampler, uint64_t number, uint64_t time,
                       uint64_t node, const char* path)
{
    snJsonWriter_BeginObject(json);
    if (sampler) {
        putInt(json, "input", time);
        putInt(json, "output", time + 1 + number);
    } else {
        putInt(json, "sampler", number);
        snJsonWriter_Key(json, "target");
        snJsonWriter_BeginObject(json);
        putInt(json, "node", node);
        putText(json, "path", path);
        snJsonWriter_EndObject(json);
    }
    snJsonWriter_EndObject(json);
}

static void putChannels(snJsonWriter* json, const snSink* sink, const Index* index, bool samplers)
{
    const snGlb* glb = sink->state;
    uint64_t number = 0, node = 1, time = (uint64_t)index->time;
    beginArray(json, samplers ? "samplers" : "channels");
    for (int32_t i = 0; i < sink->character_count; ++i) {
        const snGlbCharacter* c = &glb->characters[i];
        for (int32_t b = 0; b < c->bone_count; ++b) {
            uint64_t bone = node + 1 + (uint64_t)b;
            if (snGlbTrack_Moves(&c->bones[b].rotation, sink->frame_count)) {
                putChannel(json, samplers, number++, time, bone, "rotation");
            }
            if (snGlbTrack_Moves(&c->bones[b].translation, sink->frame_count)) {
                putChannel(json, samplers, number++, time, bone, "translation");
            }
        }
        node += nodeCount(c);
    }
    snJsonWriter_EndArray(json);
}

static void putAnimation(snJsonWriter* json, const snSink* sink, const Index* index)
{
    beginArray(json, "animations");
    snJsonWriter_BeginObject(json);
    putText(json, "name", "motion");
    putChannels(json, sink, index, false);
    putChannels(json, sink, index, true);
    snJsonWriter_EndObject(json);
    snJsonWriter_EndArray(json);
}

uint64_t snGlb_Describe(const snSink* sink, snJsonWriter* json)
{
    const uint64_t shape_bytes = sn_glbShapeCount * SN_GLB_SHAPE_FLOATS * sizeof(float);
    Index index = makeIndex(sink);
    snJsonWriter_BeginObject(json);
    putAsset(json);
    putInt(json, "scene", 0);
    beginArray(json, "scenes");
    snJsonWriter_BeginObject(json);
    beginArray(json, "nodes");
    snJsonWriter_Int(json, 0);
    snJsonWriter_EndArray(json);
    snJsonWriter_EndObject(json);
    snJsonWriter_EndArray(json);
    putNodes(json, sink, &index);
    putMeshes(json, &index);
    putMaterials(json, index.colour_count);
    uint64_t moving_bytes = putAccessors(json, sink, &index);
    putBuffers(json, shape_bytes, moving_bytes);
    if (index.time >= 0) {
        putAnimation(json, sink, &index);
    }
    snJsonWriter_EndObject(json);
    return shape_bytes + moving_bytes;
}
