// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A GLB file as a player sees it: nodes, their parents, what moves them. Lengths, alignment and
// bounds are checked on the way.
#ifndef SN_TESTS_IO_SINK_GLB_READER_H
#define SN_TESTS_IO_SINK_GLB_READER_H

#include "base/file.h"
#include "base/json.h"
#include "check.h"
#include "math/transform.h"

#define NODES 64

typedef struct Glb {
    snArena arena;
    uint8_t* bytes;
    size_t size;
    const snJson* root;
    const uint8_t* binary;
    size_t binary_size;
    const snJson* nodes[NODES];
    size_t node_count;
    int parent[NODES];
    const float* rotation[NODES];    // of all frames; NULL = constant
    const float* translation[NODES]; // likewise
    const float* weights[NODES];     // of all shapes at each frame; NULL = none
    size_t shape_count[NODES];       // as many weights
    const float* times;
    size_t frame_count;
} Glb;

static inline uint32_t word(const uint8_t* bytes, size_t offset)
{
    uint32_t value;
    memcpy(&value, bytes + offset, 4);
    return value;
}

static inline size_t getSize(const snJson* object, const char* key)
{
    const snJson* value = snJson_Get(object, key);
    if (!value) {
        return 0;
    }
    assert_int_equal(value->kind, sn_jsonNumber);
    assert_true(value->number >= 0 && value->number == floor(value->number));
    return (size_t)value->number;
}

static inline const snJson* element(const Glb* glb, const char* array, size_t index)
{
    const snJson* found = snJson_At(snJson_Get(glb->root, array), index);
    assert_non_null(found);
    return found;
}

// The first element of an accessor, after checking that all of it lies inside its view and the view
// in the buffer
static inline const float* accessor(const Glb* glb, size_t index, const char* type, size_t* count,
                                    size_t* stride)
{
    const snJson* a = element(glb, "accessors", index);
    const snJson* view = element(glb, "bufferViews", getSize(a, "bufferView"));
    size_t width = strcmp(type, "SCALAR") == 0 ? 1 : strcmp(type, "VEC3") == 0 ? 3 : 4;
    assert_string_equal(snJson_Get(a, "type")->string, type);
    assert_int_equal(getSize(a, "componentType"), 5126);
    *count = getSize(a, "count");
    *stride = getSize(view, "byteStride") ? getSize(view, "byteStride") / 4 : width;
    size_t offset = getSize(a, "byteOffset"), start = getSize(view, "byteOffset");
    assert_true(*count > 0 && offset % 4 == 0 && start % 4 == 0);
    assert_true(offset + 4 * (*stride * (*count - 1) + width) <= getSize(view, "byteLength"));
    assert_true(start + getSize(view, "byteLength") <= glb->binary_size);
    return (const float*)(const void*)(glb->binary + start + offset);
}

static inline void readChannels(Glb* glb)
{
    const snJson* animation = snJson_At(snJson_Get(glb->root, "animations"), 0);
    const snJson* samplers = snJson_Get(animation, "samplers");
    const snJson* channels = snJson_Get(animation, "channels");
    for (const snJson* c = channels ? channels->child : NULL; c; c = c->next) {
        const snJson* sampler = snJson_At(samplers, getSize(c, "sampler"));
        const snJson* target = snJson_Get(c, "target");
        const char* path = snJson_Get(target, "path")->string;
        bool rotation = strcmp(path, "rotation") == 0, weights = strcmp(path, "weights") == 0;
        size_t count, stride, node = getSize(target, "node");
        assert_true(node < glb->node_count);
        const float** slot = rotation  ? &glb->rotation[node]
                             : weights ? &glb->weights[node]
                                       : &glb->translation[node];
        assert_null(*slot);
        *slot = accessor(glb, getSize(sampler, "output"),
                         rotation  ? "VEC4"
                         : weights ? "SCALAR"
                                   : "VEC3",
                         &count, &stride);
        glb->times = accessor(glb, getSize(sampler, "input"), "SCALAR", &glb->frame_count, &stride);
        assert_int_equal(count % glb->frame_count, 0);
        glb->shape_count[node] = weights ? count / glb->frame_count : 0;
        assert_true(weights || count == glb->frame_count);
    }
}

static inline void readGlb(Glb* glb, const char* path)
{
    snMessage why;
    *glb = (Glb){.bytes = NULL};
    snArena_Init(&glb->arena, NULL);
    assert_ok(snFile_Read(NULL, path, 1 << 24, &glb->bytes, &glb->size, &why), why);
    assert_true(glb->size > 28);
    assert_memory_equal(glb->bytes, "glTF\2\0\0\0", 8);
    assert_int_equal(word(glb->bytes, 8), glb->size);
    size_t json = word(glb->bytes, 12);
    assert_memory_equal(glb->bytes + 16, "JSON", 4);
    assert_true(json % 4 == 0 && 28 + json <= glb->size);
    assert_ok(snJson_Parse(&glb->arena, (const char*)glb->bytes + 20, json, &glb->root, &why), why);
    glb->binary = glb->bytes + 28 + json;
    glb->binary_size = word(glb->bytes, 20 + json);
    assert_memory_equal(glb->bytes + 24 + json, "BIN\0", 4);
    assert_int_equal(28 + json + glb->binary_size, glb->size);
    assert_int_equal(getSize(element(glb, "buffers", 0), "byteLength"), glb->binary_size);

    for (const snJson* n = snJson_Get(glb->root, "nodes")->child; n; n = n->next) {
        assert_true(glb->node_count < NODES);
        glb->parent[glb->node_count] = -1;
        glb->nodes[glb->node_count++] = n;
    }
    for (size_t i = 0; i < glb->node_count; ++i) {
        const snJson* children = snJson_Get(glb->nodes[i], "children");
        for (const snJson* c = children ? children->child : NULL; c; c = c->next) {
            assert_true(c->number < (double)glb->node_count && glb->parent[(int)c->number] == -1);
            glb->parent[(int)c->number] = (int)i;
        }
    }
    readChannels(glb);
}

static inline void freeGlb(Glb* glb)
{
    snHost_Release(NULL, glb->bytes, glb->size + 1);
    snArena_Free(&glb->arena);
}

static inline snVec3 getVec(const snJson* node, const char* key, double otherwise)
{
    const snJson* v = snJson_Get(node, key);
    if (!v) {
        return snV3(otherwise, otherwise, otherwise);
    }
    assert_int_equal(v->count, 3);
    return snV3(snJson_At(v, 0)->number, snJson_At(v, 1)->number, snJson_At(v, 2)->number);
}

static inline snQuat getQuat(const snJson* node)
{
    const snJson* v = snJson_Get(node, "rotation");
    if (!v) {
        return snQIdentity();
    }
    assert_int_equal(v->count, 4);
    return snQ(snJson_At(v, 0)->number, snJson_At(v, 1)->number, snJson_At(v, 2)->number,
               snJson_At(v, 3)->number);
}

static inline snTransform localPose(const Glb* glb, size_t node, size_t frame)
{
    snTransform t = {getVec(glb->nodes[node], "translation", 0), getQuat(glb->nodes[node])};
    if (glb->translation[node]) {
        const float* v = glb->translation[node] + 3 * frame;
        t.p = snV3((double)v[0], (double)v[1], (double)v[2]);
    }
    if (glb->rotation[node]) {
        const float* v = glb->rotation[node] + 4 * frame;
        t.q = snQ((double)v[0], (double)v[1], (double)v[2], (double)v[3]);
    }
    assert_close(snQDot(t.q, t.q), 1, 1e-6);
    return t;
}

static inline snTransform worldPose(const Glb* glb, size_t node, size_t frame)
{
    snTransform t = localPose(glb, node, frame);
    return glb->parent[node] < 0 ? t : snTMul(worldPose(glb, (size_t)glb->parent[node], frame), t);
}

// The mesh of a node and the accessors of its first frame and its shapes
typedef struct GlbMesh {
    size_t vertex_count, shape_count;
    const float *position, *normal;
    const snJson* targets;
} GlbMesh;

static inline const float* packed(const Glb* glb, const snJson* attributes, const char* name,
                                  size_t* count)
{
    size_t stride;
    const float* v = accessor(glb, getSize(attributes, name), "VEC3", count, &stride);
    assert_int_equal(stride, 3);
    return v;
}

static inline GlbMesh meshOf(const Glb* glb, size_t node)
{
    const snJson* mesh = element(glb, "meshes", getSize(glb->nodes[node], "mesh"));
    const snJson* primitive = snJson_At(snJson_Get(mesh, "primitives"), 0);
    const snJson* attributes = snJson_Get(primitive, "attributes");
    GlbMesh m = {.targets = snJson_Get(primitive, "targets")};
    size_t normals;
    m.position = packed(glb, attributes, "POSITION", &m.vertex_count);
    m.normal = packed(glb, attributes, "NORMAL", &normals);
    assert_int_equal(normals, m.vertex_count);
    m.shape_count = m.targets ? m.targets->count : 0;
    assert_int_equal(m.shape_count, glb->shape_count[node]);
    return m;
}

// A mesh as a player shows it at a frame: vertices moved by the shapes, then by the nodes.
static inline void showMesh(const Glb* glb, size_t node, size_t frame, snVec3* positions,
                            snVec3* normals)
{
    GlbMesh m = meshOf(glb, node);
    for (size_t i = 0; i < m.vertex_count; ++i) {
        const float *p = m.position + 3 * i, *n = m.normal + 3 * i;
        positions[i] = snV3((double)p[0], (double)p[1], (double)p[2]);
        normals[i] = snV3((double)n[0], (double)n[1], (double)n[2]);
        assert_close(snLength(normals[i]), 1, 1e-5);
    }
    const snJson* target = m.targets ? m.targets->child : NULL;
    for (size_t k = 0; target; target = target->next, ++k) {
        size_t count;
        const float* p = packed(glb, target, "POSITION", &count);
        const float* n = packed(glb, target, "NORMAL", &count);
        double w = (double)glb->weights[node][frame * m.shape_count + k];
        assert_int_equal(count, m.vertex_count);
        for (size_t i = 0; i < 3 * count; i += 3) {
            positions[i / 3] = snMulAdd(positions[i / 3], w,
                                        snV3((double)p[i], (double)p[i + 1], (double)p[i + 2]));
            normals[i / 3] =
                snMulAdd(normals[i / 3], w, snV3((double)n[i], (double)n[i + 1], (double)n[i + 2]));
        }
    }
    snTransform pose = worldPose(glb, node, frame);
    for (size_t i = 0; i < m.vertex_count; ++i) {
        positions[i] = snTPoint(pose, positions[i]);
        normals[i] = snNormalize(snQRotate(pose.q, normals[i]));
    }
}

// The node of a character's bone, found by names
static inline size_t findNode(const Glb* glb, const char* character, const char* bone)
{
    for (size_t i = 0; i < glb->node_count; ++i) {
        const snJson* name = snJson_Get(glb->nodes[i], "name");
        int top = (int)i;
        while (glb->parent[top] >= 0 && glb->parent[glb->parent[top]] >= 0) {
            top = glb->parent[top];
        }
        const snJson* of = snJson_Get(glb->nodes[top], "name");
        if (name && of && top != (int)i && strcmp(name->string, bone) == 0 &&
            strcmp(of->string, character) == 0) {
            return i;
        }
    }
    fail_msg("no node for bone '%s' of '%s'", bone, character);
    return 0;
}

#endif
