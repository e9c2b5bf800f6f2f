// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// GLB files as animations, as far as glb.c writes them: meshes of float positions and morph targets
// on nodes with translation, rotation and scale, moved by one animation whose channels share one
// list of times. docs/formats.md shows such a file.
#include <math.h>
#include <string.h>

#include "base/message.h"
#include "io/glb_view.h"
#include "math/transform.h"

// How far the square of a rotation's length may be from 1.
#define UNIT_TOLERANCE 1e-3

typedef struct Node {
    int32_t parent; // before this one in the order, -1 = none
    int32_t index;  // in the document
    const snJson* json;
    snVec3 translation, scale;
    snQuat rotation;
    snGlbView translations, rotations, scales, weights; // of all frames
    int32_t root;                                       // the node of its character
    snMat3 A; // in the world, at the present frame: x -> A x + p
    snVec3 p;
} Node;

// A primitive of a mesh, at a node
typedef struct Shape {
    int32_t node; // in the order
    int32_t surface;
    int32_t first; // vertex in the surface
    snGlbView positions;
    snGlbView* targets; // (target_count)
    size_t target_count;
} Shape;

typedef struct Motion {
    snAnimation* animation;
    snGlbDocument document;
    Node* order; // parents before children; (order_count)
    int32_t order_count;
    int32_t* place; // of a node in the order; (document.nodes.count)
    Shape* shapes;  // (shape_count)
    size_t shape_count;
    snGlbView times;
} Motion;

// Nodes -------------------------------------------------------------------------

static bool readNumbers(const snJson* array, size_t count, double* out)
{
    size_t n = 0;
    if (!array) {
        return true; // as it was
    }
    if (array->kind != sn_jsonArray || array->count != count) {
        return false;
    }
    for (const snJson* j = array->child; j; j = j->next) {
        if (j->kind != sn_jsonNumber || !(fabs(j->number) <= SN_ANIMATION_LARGEST)) {
            return false;
        }
        out[n++] = j->number;
    }
    return true;
}

static bool isUnit(snQuat q)
{
    return fabs(snQDot(q, q) - 1) <= UNIT_TOLERANCE;
}

static snStatus readNode(const Motion* m, const snJson* json, Node* node)
{
    double t[3] = {0, 0, 0}, r[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    if (snJson_Get(json, "matrix") || snJson_Get(json, "skin") ||
        !readNumbers(snJson_Get(json, "translation"), 3, t) ||
        !readNumbers(snJson_Get(json, "rotation"), 4, r) ||
        !readNumbers(snJson_Get(json, "scale"), 3, s)) {
        return snGlbDocument_Refuse(&m->document, json,
                                    "expected a node with translation, rotation and scale alone");
    }
    node->json = json;
    node->translation = snV3(t[0], t[1], t[2]);
    node->rotation = snQ(r[0], r[1], r[2], r[3]);
    node->scale = snV3(s[0], s[1], s[2]);
    return isUnit(node->rotation)
               ? sn_ok
               : snGlbDocument_Refuse(&m->document, json, "a rotation is not of unit length");
}

// Parent of every node, -1 at the top; false when a node is named twice or does not exist
static bool findParents(const Motion* m, int32_t* parents)
{
    for (size_t i = 0; i < m->document.nodes.count; ++i) {
        parents[i] = -1;
    }
    for (size_t i = 0; i < m->document.nodes.count; ++i) {
        const snJson* children = snJson_Get(m->document.nodes.items[i], "children");
        for (const snJson* c = children ? children->child : NULL; c; c = c->next) {
            int64_t child = snGlb_Index(c, m->document.nodes.count);
            if (child < 0 || parents[child] >= 0) {
                return false;
            }
            parents[child] = (int32_t)i;
        }
    }
    return true;
}

// Puts parents before children: the tops, then the children of each in turn. Nodes in a circle have
// no top and are found missing.
static snStatus readNodes(Motion* m)
{
    snArena* arena = &m->animation->arena;
    size_t count = m->document.nodes.count;
    int32_t* parents = snArena_Push(arena, count, sizeof(int32_t));
    m->order = snArena_Push(arena, count, sizeof(Node));
    m->place = snArena_Push(arena, count, sizeof(int32_t));
    if (arena->failed) {
        return snGlbDocument_FailMemory(&m->document);
    }
    if (count > INT32_MAX || !findParents(m, parents)) {
        return snGlbDocument_Fail(
            &m->document,
            "its nodes are no tree: a node has two parents, or a child that is not there");
    }
    for (size_t i = 0; i < count; ++i) {
        if (parents[i] < 0) {
            m->order[m->order_count] = (Node){.parent = -1, .index = (int32_t)i};
            m->order[m->order_count].root = m->order_count;
            ++m->order_count;
        }
    }
    // our files have one node above the characters
    bool scene =
        m->order_count == 1 && !snJson_Get(m->document.nodes.items[m->order[0].index], "mesh");
    for (int32_t n = 0; n < m->order_count; ++n) {
        int32_t i = m->order[n].index;
        snStatus status = readNode(m, m->document.nodes.items[i], &m->order[n]);
        if (status) {
            return status;
        }
        m->place[i] = n;
        const snJson* children = snJson_Get(m->document.nodes.items[i], "children");
        for (const snJson* c = children ? children->child : NULL; c; c = c->next) {
            int32_t own = m->order_count++;
            m->order[own] = (Node){.parent = n,
                                   .index = (int32_t)c->number,
                                   .root = scene && n == 0 ? own : m->order[n].root};
        }
    }
    return (size_t)m->order_count == count
               ? sn_ok
               : snGlbDocument_Fail(&m->document, "its nodes are no tree: some form a circle");
}

// Animation ---------------------------------------------------------------------

static snStatus readChannel(Motion* m, const snJson* channel, const snGlbList* samplers)
{
    const snJson* target = snJson_Get(channel, "target");
    const snJson* path = snJson_Get(target, "path");
    int64_t s = snGlb_Index(snJson_Get(channel, "sampler"), samplers->count);
    int64_t n = snGlb_Index(snJson_Get(target, "node"), m->document.nodes.count);
    const snJson* sampler = s >= 0 ? samplers->items[s] : NULL;
    const snJson* way = snJson_Get(sampler, "interpolation");
    if (!sampler || n < 0 || !path || path->kind != sn_jsonString ||
        (way && !snGlb_IsText(way, "LINEAR"))) {
        return snGlbDocument_Refuse(&m->document, channel,
                                    "expected a channel of a node with a linear sampler");
    }
    Node* node = &m->order[m->place[n]];
    bool turns = snGlb_IsText(path, "rotation"), morphs = snGlb_IsText(path, "weights");
    snGlbView* slot = turns                               ? &node->rotations
                      : morphs                            ? &node->weights
                      : snGlb_IsText(path, "translation") ? &node->translations
                      : snGlb_IsText(path, "scale")       ? &node->scales
                                                          : NULL;
    if (!slot || slot->data) {
        return snGlbDocument_Refuse(
            &m->document, path,
            "expected one channel for each of rotation, translation, scale, weights");
    }
    snGlbView times;
    snStatus status =
        snGlbDocument_Floats(&m->document, snJson_Get(sampler, "input"), "SCALAR", &times);
    if (status) {
        return status;
    }
    status = snGlbDocument_Floats(&m->document, snJson_Get(sampler, "output"),
                                  turns    ? "VEC4"
                                  : morphs ? "SCALAR"
                                           : "VEC3",
                                  slot);
    if (status) { // a value per frame, or of weights one of each target
        snMessage_Prefix(m->document.why, "%s of node %lld over time", path->string, (long long)n);
        return status;
    }
    if (m->times.data && (m->times.data != times.data || m->times.count != times.count)) {
        return snGlbDocument_Refuse(&m->document, sampler,
                                    "expected one list of times for all channels");
    }
    m->times = times;
    if (morphs ? slot->count % times.count != 0 : slot->count != times.count) {
        return snGlbDocument_Refuse(&m->document, sampler,
                                    "a channel has not as many values as times");
    }
    for (size_t i = 0; i < slot->count && turns; ++i) {
        if (!isUnit(snQ(snGlbView_At(slot, i, 0), snGlbView_At(slot, i, 1),
                        snGlbView_At(slot, i, 2), snGlbView_At(slot, i, 3)))) {
            return snGlbDocument_Refuse(&m->document, sampler, "a rotation is not of unit length");
        }
    }
    return sn_ok;
}

static snStatus readMotion(Motion* m)
{
    snAnimation* a = m->animation;
    const snJson* first = snJson_At(snJson_Get(m->document.root, "animations"), 0);
    const snJson* channels = snJson_Get(first, "channels");
    snGlbList samplers = snGlbList_Of(&a->arena, snJson_Get(first, "samplers"));
    snStatus status = a->arena.failed ? snGlbDocument_FailMemory(&m->document) : sn_ok;
    for (const snJson* c = channels ? channels->child : NULL; c && !status; c = c->next) {
        status = readChannel(m, c, &samplers);
    }
    if (status) {
        return status;
    }
    a->frame_count = m->times.data ? (int64_t)m->times.count : 1;
    a->times = snArena_Push(&a->arena, (size_t)a->frame_count, sizeof(double));
    if (!a->times) {
        return snGlbDocument_FailMemory(&m->document);
    }
    for (size_t i = 0; m->times.data && i < m->times.count; ++i) {
        a->times[i] = snGlbView_At(&m->times, i, 0);
        if (i > 0 && a->times[i] <= a->times[i - 1]) {
            return snFail(m->document.why, sn_errorFile,
                          "frame %zu: its time, %g s, is not after %g s of the frame before; write "
                          "the frames in order",
                          i, a->times[i], a->times[i - 1]);
        }
    }
    return sn_ok;
}

// Meshes ------------------------------------------------------------------------

static const snJson* primitivesOf(const Motion* m, const Node* node)
{
    int64_t mesh = snGlb_Index(snJson_Get(node->json, "mesh"), m->document.meshes.count);
    const snJson* primitives =
        mesh >= 0 ? snJson_Get(m->document.meshes.items[mesh], "primitives") : NULL;
    return primitives && primitives->kind == sn_jsonArray ? primitives : NULL;
}

static snStatus readTargets(Motion* m, const snJson* primitive, const Node* node, Shape* shape)
{
    const snJson* targets = snJson_Get(primitive, "targets");
    shape->target_count = targets && targets->kind == sn_jsonArray ? targets->count : 0;
    shape->targets = snArena_Push(&m->animation->arena, shape->target_count, sizeof(snGlbView));
    if (!shape->targets) {
        return snGlbDocument_FailMemory(&m->document);
    }
    snStatus status = sn_ok;
    size_t k = 0;
    for (const snJson* t = targets && shape->target_count ? targets->child : NULL; t && !status;
         t = t->next) {
        snGlbView* view = &shape->targets[k++];
        status = snGlbDocument_Floats(&m->document, snJson_Get(t, "POSITION"), "VEC3", view);
        if (!status && view->count != shape->positions.count) {
            status = snGlbDocument_Refuse(&m->document, t,
                                          "a morph target has not as many vertices as its mesh");
        }
    }
    if (!status && node->weights.data &&
        node->weights.count != shape->target_count * m->times.count) {
        status = snGlbDocument_Refuse(&m->document, primitive,
                                      "there are not as many weights as morph targets and times");
    }
    return status;
}

// Appends a primitive to its surface; triangles are filled in later.
static snStatus readShape(Motion* m, const snJson* primitive, int32_t n,
                          snAnimationSurface* surface, Shape* shape, snGlbView* indices)
{
    const snJson* attributes = snJson_Get(primitive, "attributes");
    *indices = (snGlbView){0};
    if (snJson_Get(primitive, "mode") && snGlb_Index(snJson_Get(primitive, "mode"), 7) != 4) {
        return snGlbDocument_Refuse(&m->document, primitive, "expected triangles");
    }
    shape->node = n;
    snStatus status = snGlbDocument_Floats(&m->document, snJson_Get(attributes, "POSITION"), "VEC3",
                                           &shape->positions);
    status = status ? status : readTargets(m, primitive, &m->order[n], shape);
    if (!status && snJson_Get(primitive, "indices")) {
        status = snGlbDocument_Indices(&m->document, snJson_Get(primitive, "indices"), indices);
    }
    if (status) {
        return status;
    }
    size_t corners = indices->data ? indices->count : shape->positions.count;
    if (corners % 3 != 0 || corners / 3 > (size_t)(SN_ANIMATION_MOST - surface->triangle_count) ||
        shape->positions.count > (size_t)(SN_ANIMATION_MOST - surface->vertex_count)) {
        return snGlbDocument_Refuse(&m->document, primitive,
                                    "it has too many vertices or triangles, or a part of one");
    }
    shape->first = surface->vertex_count;
    surface->vertex_count += (int32_t)shape->positions.count;
    surface->triangle_count += (int32_t)(corners / 3);
    return sn_ok;
}

static snStatus fillTriangles(const Motion* m, const Shape* shape, const snGlbView* indices,
                              int32_t* out)
{
    size_t vertices = shape->positions.count, corners = indices->data ? indices->count : vertices;
    for (size_t i = 0; i < corners; ++i) {
        size_t v = indices->data ? snAnimation_Word(indices->data + i * indices->stride, false) : i;
        if (v >= vertices) {
            return snFail(m->document.why, sn_errorFile,
                          "triangle %zu names vertex %zu, there are %zu", i / 3, v, vertices);
        }
        out[i] = shape->first + (int32_t)v;
    }
    return sn_ok;
}

// A surface for every character that has meshes
static snStatus makeSurfaces(Motion* m, const snGlbView* indices)
{
    snAnimation* a = m->animation;
    int64_t total = 0;
    for (int32_t i = 0; i < a->surface_count; ++i) {
        total += a->surfaces[i].vertex_count;
        total += a->surfaces[i].triangle_count;
    }
    if (total > 2 * (int64_t)SN_ANIMATION_MOST) {
        return snGlbDocument_Refuse(&m->document, NULL, "it has too many vertices");
    }
    for (int32_t i = 0; i < a->surface_count; ++i) {
        if (!snAnimation_MakeSurface(a, &a->surfaces[i])) {
            return snGlbDocument_FailMemory(&m->document);
        }
        a->surfaces[i].triangle_count = 0; // counts up again below
    }
    for (size_t k = 0; k < m->shape_count; ++k) {
        snAnimationSurface* s = &a->surfaces[m->shapes[k].surface];
        snStatus status = fillTriangles(m, &m->shapes[k], &indices[k],
                                        s->triangles + 3 * (size_t)s->triangle_count);
        if (status) {
            return status;
        }
        size_t corners = indices[k].data ? indices[k].count : m->shapes[k].positions.count;
        s->triangle_count += (int32_t)(corners / 3);
    }
    return sn_ok;
}

static const char* nameOf(const Node* node)
{
    const snJson* name = snJson_Get(node->json, "name");
    return name && name->kind == sn_jsonString && name->string[0] ? name->string : "surface";
}

static snStatus readMeshes(Motion* m)
{
    snAnimation* a = m->animation;
    size_t count = 0;
    for (int32_t n = 0; n < m->order_count; ++n) {
        const snJson* primitives = primitivesOf(m, &m->order[n]);
        count += primitives ? primitives->count : 0;
    }
    if (count == 0) {
        return snGlbDocument_Fail(&m->document, "it has no meshes to show");
    }
    int32_t* surface_of = snArena_Push(&a->arena, (size_t)m->order_count, sizeof(int32_t));
    snGlbView* indices = snArena_Push(&a->arena, count, sizeof(snGlbView));
    m->shapes = snArena_Push(&a->arena, count, sizeof(Shape));
    a->surfaces = snArena_Push(&a->arena, (size_t)m->order_count, sizeof(snAnimationSurface));
    if (a->arena.failed) {
        return snGlbDocument_FailMemory(&m->document);
    }
    for (int32_t n = 0; n < m->order_count; ++n) {
        const snJson* primitives = primitivesOf(m, &m->order[n]);
        int32_t root = m->order[n].root;
        for (const snJson* p = primitives ? primitives->child : NULL; p; p = p->next) {
            if (surface_of[root] == 0) {
                a->surfaces[a->surface_count].name = nameOf(&m->order[root]);
                surface_of[root] = ++a->surface_count;
            }
            Shape* shape = &m->shapes[m->shape_count];
            shape->surface = surface_of[root] - 1;
            snStatus status =
                readShape(m, p, n, &a->surfaces[shape->surface], shape, &indices[m->shape_count]);
            if (status) {
                return status;
            }
            ++m->shape_count;
        }
    }
    return makeSurfaces(m, indices);
}

// Showing -----------------------------------------------------------------------

static snVec3 vecAt(const snGlbView* v, size_t i)
{
    return snV3(snGlbView_At(v, i, 0), snGlbView_At(v, i, 1), snGlbView_At(v, i, 2));
}

// Rotation and translation of a node, then those of its parent
static void poseNode(Motion* m, Node* node, size_t frame)
{
    snVec3 t = node->translations.data ? vecAt(&node->translations, frame) : node->translation;
    snVec3 s = node->scales.data ? vecAt(&node->scales, frame) : node->scale;
    snQuat q = node->rotation;
    if (node->rotations.data) {
        const snGlbView* r = &node->rotations;
        q = snQ(snGlbView_At(r, frame, 0), snGlbView_At(r, frame, 1), snGlbView_At(r, frame, 2),
                snGlbView_At(r, frame, 3));
    }
    snMat3 R = snMatFromQ(snQNormalize(q));
    node->A = snMatFromCols(snScale(s.x, snMatCol(R, 0)), snScale(s.y, snMatCol(R, 1)),
                            snScale(s.z, snMatCol(R, 2)));
    node->p = t;
    if (node->parent >= 0) {
        const Node* parent = &m->order[node->parent];
        node->A = snMatMul(parent->A, node->A);
        node->p = snAdd(parent->p, snMatVec(parent->A, t));
    }
}

static void poseShape(Motion* m, const Shape* shape, size_t frame)
{
    const Node* node = &m->order[shape->node];
    float* out = m->animation->surfaces[shape->surface].position + 3 * (size_t)shape->first;
    for (size_t i = 0; i < shape->positions.count; ++i) {
        snVec3 x = vecAt(&shape->positions, i);
        for (size_t k = 0; k < shape->target_count && node->weights.data; ++k) {
            double w = snGlbView_At(&node->weights, frame * shape->target_count + k, 0);
            x = snMulAdd(x, w, vecAt(&shape->targets[k], i));
        }
        x = snAdd(node->p, snMatVec(node->A, x));
        out[3 * i] = (float)x.x;
        out[3 * i + 1] = (float)x.y;
        out[3 * i + 2] = (float)x.z;
    }
}

static void poseMotion(snAnimation* a, int64_t frame)
{
    Motion* m = a->state;
    for (int32_t n = 0; n < m->order_count; ++n) {
        poseNode(m, &m->order[n], (size_t)frame);
    }
    for (size_t k = 0; k < m->shape_count; ++k) {
        poseShape(m, &m->shapes[k], (size_t)frame);
    }
}

snStatus snGlb_Parse(snAnimation* a, const uint8_t* bytes, size_t count, snMessage* why)
{
    Motion* m = snArena_Push(&a->arena, 1, sizeof(Motion));
    if (!m) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    m->animation = a;
    snStatus status = snGlbDocument_Read(&m->document, &a->arena, bytes, count, why);
    status = status ? status : readNodes(m);
    status = status ? status : readMotion(m);
    status = status ? status : readMeshes(m);
    m->document.why = NULL;
    a->state = m;
    a->pose = poseMotion;
    return status;
}
