// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include <math.h>
#include <string.h>

#include "io/gltf/rig_document_writer.h"

// Numbers that glTF gives to these
#define FLOATS 5126
#define SHORTS 5123
#define INTS 5125
#define VERTICES 34962
#define TRIANGLES 34963

// Small helpers --------------------------------------------------------------------

void snDocument_PutInt(snJsonWriter* json, const char* key, int64_t value)
{
    snJsonWriter_Key(json, key);
    snJsonWriter_Int(json, value);
}

void snDocument_PutText(snJsonWriter* json, const char* key, const char* text)
{
    if (text && text[0]) {
        snJsonWriter_Key(json, key);
        snJsonWriter_String(json, text);
    }
}

void snDocument_BeginArray(snJsonWriter* json, const char* key)
{
    snJsonWriter_Key(json, key);
    snJsonWriter_BeginArray(json);
}

void snDocument_PutNumbers(snJsonWriter* json, const char* key, const double* values, int count)
{
    snDocument_BeginArray(json, key);
    for (int i = 0; i < count; ++i) {
        snJsonWriter_Number(json, values[i]);
    }
    snJsonWriter_EndArray(json);
}

// Numbers --------------------------------------------------------------------------

uint8_t* snDocumentWriter_Grow(snDocumentWriter* w, size_t size)
{
    size_t begin = (w->count + 3) / 4 * 4, end;
    if (w->failed || !snSizeAdd(begin, size, &end) || end > UINT32_MAX / 2) {
        w->failed = true;
        return NULL;
    }
    if (end > w->room) {
        size_t room = end + w->room;
        uint8_t* larger = snHost_Allocate(&w->host, room);
        if (!larger) {
            w->failed = true;
            return NULL;
        }
        if (w->count) {
            memcpy(larger, w->bytes, w->count);
        }
        snHost_Release(&w->host, w->bytes, w->room);
        w->bytes = larger;
        w->room = room;
    }
    w->count = end;
    return w->bytes + begin;
}

int64_t snDocumentWriter_AddView(snDocumentWriter* w, const uint8_t* begin, size_t size, int target)
{
    snJsonWriter_BeginObject(&w->views);
    snDocument_PutInt(&w->views, "buffer", 0);
    snDocument_PutInt(&w->views, "byteOffset", begin ? begin - w->bytes : 0);
    snDocument_PutInt(&w->views, "byteLength", (int64_t)size);
    if (target) {
        snDocument_PutInt(&w->views, "target", target);
    }
    snJsonWriter_EndObject(&w->views);
    return w->view_count++;
}

static void putRange(snDocumentWriter* w, const float* values, size_t width, size_t count)
{
    for (int side = 0; side < 2; ++side) {
        snDocument_BeginArray(&w->accessors, side ? "max" : "min");
        for (size_t k = 0; k < width; ++k) {
            float most = values[k];
            for (size_t i = 1; i < count; ++i) {
                float x = values[i * width + k];
                most = side ? fmaxf(most, x) : fminf(most, x);
            }
            snJsonWriter_NumberFloat(&w->accessors, most);
        }
        snJsonWriter_EndArray(&w->accessors);
    }
}

// floats: those of the accessor when its range must be stated, else NULL
static int64_t addAccessor(snDocumentWriter* w, int64_t view, int component, const char* type,
                           size_t width, size_t count, const float* floats)
{
    snJsonWriter_BeginObject(&w->accessors);
    snDocument_PutInt(&w->accessors, "bufferView", view);
    snDocument_PutInt(&w->accessors, "componentType", component);
    snDocument_PutInt(&w->accessors, "count", (int64_t)count);
    snDocument_PutText(&w->accessors, "type", type);
    if (floats && count) {
        putRange(w, floats, width, count);
    }
    snJsonWriter_EndObject(&w->accessors);
    return w->accessor_count++;
}

static int64_t addFloats(snDocumentWriter* w, const float* values, size_t width, size_t count,
                         int target, bool range)
{
    static const char* const TYPES[] = {"SCALAR", "SCALAR", "VEC2", "VEC3", "VEC4"};
    size_t size = count * width * sizeof *values;
    uint8_t* out = snDocumentWriter_Grow(w, size);
    if (out) {
        memcpy(out, values, size);
    }
    const char* type = width == 16 ? "MAT4" : TYPES[width <= 4 ? width : 1];
    return addAccessor(w, snDocumentWriter_AddView(w, out, size, target), FLOATS, type, width,
                       count, range ? values : NULL);
}

// Meshes ---------------------------------------------------------------------------

static int64_t addJoints(snDocumentWriter* w, const float* values, size_t count)
{
    uint8_t* out = snDocumentWriter_Grow(w, count * 4 * sizeof(uint16_t));
    for (size_t i = 0; out && i < 4 * count; ++i) {
        uint16_t joint = (uint16_t)values[i];
        memcpy(out + i * sizeof joint, &joint, sizeof joint);
    }
    return addAccessor(w, snDocumentWriter_AddView(w, out, count * 4 * sizeof(uint16_t), VERTICES),
                       SHORTS, "VEC4", 4, count, NULL);
}

static int64_t addField(snDocumentWriter* w, const snDocumentPart* p, const snDocumentField* f)
{
    size_t width = (size_t)f->width;
    float* values = snArena_Push(&w->arena, p->vertex_count, width * sizeof *values);
    if (!values) {
        w->failed = true;
        return 0;
    }
    for (size_t v = 0; v < p->vertex_count; ++v) {
        memcpy(values + v * width, p->rows + v * p->width + f->offset, width * sizeof *values);
    }
    bool range = !f->name[0] || strcmp(f->name, "POSITION") == 0;
    return strncmp(f->name, "JOINTS_", 7) == 0
               ? addJoints(w, values, p->vertex_count)
               : addFloats(w, values, width, p->vertex_count, VERTICES, range);
}

static int64_t addIndices(snDocumentWriter* w, const snDocumentPart* p)
{
    size_t size = p->index_count * sizeof *p->indices;
    uint8_t* out = snDocumentWriter_Grow(w, size);
    if (out) {
        memcpy(out, p->indices, size);
    }
    return addAccessor(w, snDocumentWriter_AddView(w, out, size, TRIANGLES), INTS, "SCALAR", 1,
                       p->index_count, NULL);
}

static void putPart(snDocumentWriter* w, const snDocumentPart* p, int32_t targets)
{
    snJsonWriter* json = &w->json;
    snJsonWriter_BeginObject(json);
    snJsonWriter_Key(json, "attributes");
    snJsonWriter_BeginObject(json);
    for (int32_t i = 0; i < p->field_count - targets; ++i) {
        snDocument_PutInt(json, p->fields[i].name, addField(w, p, &p->fields[i]));
    }
    snJsonWriter_EndObject(json);
    snDocument_PutInt(json, "indices", addIndices(w, p));
    if (p->material >= 0) {
        snDocument_PutInt(json, "material", p->material);
    }
    if (targets) {
        snDocument_BeginArray(json, "targets");
        for (int32_t i = p->field_count - targets; i < p->field_count; ++i) {
            snJsonWriter_BeginObject(json);
            snDocument_PutInt(json, "POSITION", addField(w, p, &p->fields[i]));
            snJsonWriter_EndObject(json);
        }
        snJsonWriter_EndArray(json);
    }
    snJsonWriter_EndObject(json);
}

static void putExtras(snJsonWriter* json, const snDocumentMesh* m)
{
    if (m->target_count) {
        snDocument_BeginArray(json, "weights");
        for (int32_t i = 0; i < m->target_count; ++i) {
            snJsonWriter_NumberFloat(json, m->weights[i]);
        }
        snJsonWriter_EndArray(json);
    }
    snJsonWriter_Key(json, "extras");
    snJsonWriter_BeginObject(json);
    if (m->target_count) {
        snDocument_BeginArray(json, "targetNames");
        for (int32_t i = 0; i < m->target_count; ++i) {
            snJsonWriter_String(json, m->target_names[i]);
        }
        snJsonWriter_EndArray(json);
    }
    if (m->point_count) {
        snDocument_PutText(json, "model", m->model);
        snDocument_PutInt(json, "controlPoints", m->point_count);
    }
    snJsonWriter_EndObject(json);
}

static void putMeshes(snDocumentWriter* w)
{
    snJsonWriter* json = &w->json;
    snDocument_BeginArray(json, "meshes");
    for (int32_t i = 0; i < w->d->mesh_count; ++i) {
        const snDocumentMesh* m = &w->d->meshes[i];
        snJsonWriter_BeginObject(json);
        snDocument_PutText(json, "name", m->name);
        snDocument_BeginArray(json, "primitives");
        for (int32_t k = 0; k < m->part_count; ++k) {
            putPart(w, &m->parts[k], m->target_count);
        }
        snJsonWriter_EndArray(json);
        if (m->target_count || m->point_count) {
            putExtras(json, m);
        }
        snJsonWriter_EndObject(json);
    }
    snJsonWriter_EndArray(json);
}

static void putSkins(snDocumentWriter* w)
{
    snJsonWriter* json = &w->json;
    snDocument_BeginArray(json, "skins");
    for (int32_t i = 0; i < w->d->skin_count; ++i) {
        const snDocumentSkin* s = &w->d->skins[i];
        size_t count = (size_t)s->joint_count;
        float* values = snArena_Push(&w->arena, count, 16 * sizeof *values);
        w->failed = w->failed || !values;
        for (size_t k = 0; values && k < count; ++k) {
            const snMatrix* m = &s->inverse_bind[k];
            const snVec3 columns[4] = {m->x, m->y, m->z, m->p};
            for (int c = 0; c < 4; ++c) {
                float* out = values + 16 * k + 4 * c;
                out[0] = (float)columns[c].x;
                out[1] = (float)columns[c].y;
                out[2] = (float)columns[c].z;
                out[3] = c == 3;
            }
        }
        snJsonWriter_BeginObject(json);
        snDocument_BeginArray(json, "joints");
        for (size_t k = 0; k < count; ++k) {
            snJsonWriter_Int(json, s->joints[k]);
        }
        snJsonWriter_EndArray(json);
        snDocument_PutInt(json, "inverseBindMatrices",
                          values ? addFloats(w, values, 16, count, 0, false) : 0);
        snJsonWriter_EndObject(json);
    }
    snJsonWriter_EndArray(json);
}

// Nodes ----------------------------------------------------------------------------

static void putPlace(snJsonWriter* json, const snDocumentNode* n)
{
    const snVec3 *t = &n->translation, *s = &n->scale;
    const snQuat* q = &n->rotation;
    if (n->matrix) {
        const snMatrix* m = n->matrix;
        const double all[] = {m->x.x, m->x.y, m->x.z, 0, m->y.x, m->y.y, m->y.z, 0,
                              m->z.x, m->z.y, m->z.z, 0, m->p.x, m->p.y, m->p.z, 1};
        snDocument_PutNumbers(json, "matrix", all, 16);
        return;
    }
    if (t->x != 0 || t->y != 0 || t->z != 0) {
        snDocument_PutNumbers(json, "translation", (const double[]){t->x, t->y, t->z}, 3);
    }
    if (q->x != 0 || q->y != 0 || q->z != 0) {
        snDocument_PutNumbers(json, "rotation", (const double[]){q->x, q->y, q->z, q->w}, 4);
    }
    if (s->x != 1 || s->y != 1 || s->z != 1) {
        snDocument_PutNumbers(json, "scale", (const double[]){s->x, s->y, s->z}, 3);
    }
}

// Children of a node, or of none: the list that `first` begins and `next` goes on with
static void putList(snJsonWriter* json, const char* key, int32_t first, const int32_t* next)
{
    if (first >= 0) {
        snDocument_BeginArray(json, key);
        for (int32_t i = first; i >= 0; i = next[i]) {
            snJsonWriter_Int(json, i);
        }
        snJsonWriter_EndArray(json);
    }
}

static void putNodes(snDocumentWriter* w)
{
    snJsonWriter* json = &w->json;
    size_t count = (size_t)w->d->node_count;
    int32_t* first = snArena_Push(&w->arena, count + 1, sizeof *first); // [0]: of none
    int32_t* next = snArena_Push(&w->arena, count + 1, sizeof *next);
    if (!first || !next) {
        w->failed = true;
        return;
    }
    memset(first, -1, (count + 1) * sizeof *first);
    for (int32_t i = w->d->node_count - 1; i >= 0; --i) {
        int32_t parent = w->d->nodes[i].parent + 1;
        next[i] = first[parent];
        first[parent] = i;
    }
    snDocument_BeginArray(json, "scenes");
    snJsonWriter_BeginObject(json);
    putList(json, "nodes", first[0], next);
    snJsonWriter_EndObject(json);
    snJsonWriter_EndArray(json);
    snDocument_PutInt(json, "scene", 0);
    snDocument_BeginArray(json, "nodes");
    for (int32_t i = 0; i < w->d->node_count; ++i) {
        const snDocumentNode* n = &w->d->nodes[i];
        snJsonWriter_BeginObject(json);
        snDocument_PutText(json, "name", n->name);
        putList(json, "children", first[i + 1], next);
        if (n->mesh >= 0) {
            snDocument_PutInt(json, "mesh", n->mesh);
        }
        if (n->skin >= 0) {
            snDocument_PutInt(json, "skin", n->skin);
        }
        putPlace(json, n);
        snJsonWriter_EndObject(json);
    }
    snJsonWriter_EndArray(json);
}

// Clips ----------------------------------------------------------------------------

static bool hasSameTimes(const snDocumentTrack* a, const snDocumentTrack* b)
{
    return a->key_count == b->key_count &&
           memcmp(a->times, b->times, a->key_count * sizeof *a->times) == 0;
}

static void putSamplers(snDocumentWriter* w, const snDocumentClip* c)
{
    snJsonWriter* json = &w->json;
    int64_t times = 0;
    snDocument_BeginArray(json, "samplers");
    for (size_t i = 0; i < c->track_count; ++i) {
        const snDocumentTrack* t = &c->tracks[i];
        bool weights = t->path == sn_pathWeights;
        if (i == 0 || !hasSameTimes(t, t - 1)) {
            times = addFloats(w, t->times, 1, t->key_count, 0, true);
        }
        snJsonWriter_BeginObject(json);
        snDocument_PutInt(json, "input", times);
        snDocument_PutInt(json, "output",
                          addFloats(w, t->values, weights ? 1 : t->width,
                                    weights ? t->key_count * t->width : t->key_count, 0, false));
        snJsonWriter_EndObject(json);
    }
    snJsonWriter_EndArray(json);
}

static void putClips(snDocumentWriter* w)
{
    static const char* const PATHS[] = {"translation", "rotation", "scale", "weights"};
    snJsonWriter* json = &w->json;
    snDocument_BeginArray(json, "animations");
    for (int32_t i = 0; i < w->d->clip_count; ++i) {
        const snDocumentClip* c = &w->d->clips[i];
        snJsonWriter_BeginObject(json);
        snDocument_PutText(json, "name", c->name);
        if (c->start != 0) {
            snJsonWriter_Key(json, "extras");
            snJsonWriter_BeginObject(json);
            snJsonWriter_Key(json, SN_CLIP_START);
            snJsonWriter_Number(json, c->start);
            snJsonWriter_EndObject(json);
        }
        putSamplers(w, c);
        snDocument_BeginArray(json, "channels");
        for (size_t k = 0; k < c->track_count; ++k) {
            snJsonWriter_BeginObject(json);
            snDocument_PutInt(json, "sampler", (int64_t)k);
            snJsonWriter_Key(json, "target");
            snJsonWriter_BeginObject(json);
            snDocument_PutInt(json, "node", c->tracks[k].node);
            snDocument_PutText(json, "path", PATHS[c->tracks[k].path]);
            snJsonWriter_EndObject(json);
            snJsonWriter_EndObject(json);
        }
        snJsonWriter_EndArray(json);
        snJsonWriter_EndObject(json);
    }
    snJsonWriter_EndArray(json);
}

// The file -------------------------------------------------------------------------

static void putAsset(snDocumentWriter* w)
{
    snJsonWriter_Key(&w->json, "asset");
    snJsonWriter_BeginObject(&w->json);
    snDocument_PutText(&w->json, "version", "2.0");
    snDocument_PutText(&w->json, "generator", w->d->generator);
    snJsonWriter_EndObject(&w->json);
}

static void putDocument(snDocumentWriter* w)
{
    // lists of glTF may not be empty
    void (*const put[])(snDocumentWriter*) = {
        putNodes, putMeshes, putSkins, snDocumentWriter_Images, snDocumentWriter_Materials,
        putClips};
    const int32_t counts[] = {w->d->node_count,  w->d->mesh_count,     w->d->skin_count,
                              w->d->image_count, w->d->material_count, w->d->clip_count};
    snJsonWriter_BeginObject(&w->json);
    putAsset(w);
    snJsonWriter_BeginArray(&w->accessors);
    snJsonWriter_BeginArray(&w->views);
    for (size_t i = 0; i < sizeof put / sizeof *put; ++i) {
        if (counts[i]) {
            put[i](w);
        }
    }
    snJsonWriter_EndArray(&w->accessors);
    snJsonWriter_EndArray(&w->views);
    w->failed = w->failed || w->accessors.failed || w->views.failed;
    if (w->view_count && !w->failed) {
        snJsonWriter_Key(&w->json, "accessors");
        snJsonWriter_Raw(&w->json, w->accessors.text, w->accessors.length);
        snJsonWriter_Key(&w->json, "bufferViews");
        snJsonWriter_Raw(&w->json, w->views.text, w->views.length);
        snDocument_BeginArray(&w->json, "buffers");
        snJsonWriter_BeginObject(&w->json);
        snDocument_PutInt(&w->json, "byteLength", (int64_t)((w->count + 3) / 4 * 4));
        snJsonWriter_EndObject(&w->json);
        snJsonWriter_EndArray(&w->json);
    }
    snJsonWriter_EndObject(&w->json);
    w->failed = w->failed || w->json.failed;
}

static void putWord(uint8_t* out, size_t word)
{
    for (int i = 0; i < 4; ++i) {
        out[i] = (uint8_t)(word >> 8 * i);
    }
}

// "glTF", "JSON", "BIN\0"
enum { GLTF = 0x46546C67, JSON = 0x4E4F534A, BIN = 0x004E4942 };

// Header, text padded with blanks, bytes padded with zeros
static uint8_t* makeFile(snDocumentWriter* w, size_t* count)
{
    size_t text = (w->json.length + 3) / 4 * 4, data = (w->count + 3) / 4 * 4;
    *count = 20 + text + (data ? 8 + data : 0);
    uint8_t* out = snHost_Allocate(&w->host, *count + 1);
    if (!out) {
        return NULL;
    }
    putWord(out, GLTF);
    putWord(out + 4, 2);
    putWord(out + 8, *count);
    putWord(out + 12, text);
    putWord(out + 16, JSON);
    memset(out + 20, ' ', text);
    memcpy(out + 20, w->json.text, w->json.length);
    if (data) {
        putWord(out + 20 + text, data);
        putWord(out + 24 + text, BIN);
        memcpy(out + 28 + text, w->bytes, w->count);
    }
    return out;
}

snStatus snRigDocument_Write(const snRigDocument* document, const snHost* host, uint8_t** bytes,
                             size_t* count, snMessage* why)
{
    snDocumentWriter w = {.d = document, .host = *host};
    snArena_Init(&w.arena, host);
    snJsonWriter_Init(&w.json, host, 0);
    snJsonWriter_Init(&w.accessors, host, 0);
    snJsonWriter_Init(&w.views, host, 0);
    putDocument(&w);
    *bytes = w.failed ? NULL : makeFile(&w, count);
    snHost_Release(host, w.bytes, w.room);
    snJsonWriter_Free(&w.json);
    snJsonWriter_Free(&w.accessors);
    snJsonWriter_Free(&w.views);
    snArena_Free(&w.arena);
    return *bytes ? sn_ok : snFail(why, sn_errorMemory, "out of memory");
}
