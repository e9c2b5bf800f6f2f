// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/gltf/accessor.h"

#include <math.h>
#include <string.h>

// Component types
enum { BYTES = 5120, UBYTES = 5121, SHORTS = 5122, USHORTS = 5123, UINTS = 5125, FLOATS = 5126 };

// Elements in a buffer
typedef struct Elements {
    size_t number;       // of the accessor
    const uint8_t* data; // NULL: zeros
    size_t count, width; // numbers an element
    size_t rows;         // numbers that follow each other: matrices may have gaps after a column
    size_t column;       // bytes from a column to the next
    size_t stride;       // bytes from an element to the next
    int component;
    bool normalized;
} Elements;

static const Elements NOTHING = {.rows = 1, .width = 1, .component = FLOATS};

static size_t sizeOf(int component)
{
    return component == BYTES || component == UBYTES     ? 1
           : component == SHORTS || component == USHORTS ? 2
           : component == UINTS || component == FLOATS   ? 4
                                                         : 0;
}

static const char* componentName(int component)
{
    static const char* const NAMES[] = {"BYTE",         "UNSIGNED_BYTE", "SHORT", "UNSIGNED_SHORT",
                                        "not a number", "UNSIGNED_INT",  "FLOAT"};
    return NAMES[component - BYTES];
}

// Bytes ----------------------------------------------------------------------------

static uint32_t wordAt(const uint8_t* b, size_t size)
{
    uint32_t word = 0;
    for (size_t k = 0; k < size; ++k) {
        word |= (uint32_t)b[k] << (8 * k);
    }
    return word;
}

static float normalized(double value, double most)
{
    return (float)(value < -most ? -1 : value / most);
}

static float floatAt(const uint8_t* b, int component, bool normal)
{
    uint32_t word = wordAt(b, sizeOf(component));
    float value;
    switch (component) {
    case BYTES:
        return normal ? normalized((double)(int8_t)word, 127) : (float)(int8_t)word;
    case UBYTES:
        return normal ? normalized((double)word, 255) : (float)word;
    case SHORTS:
        return normal ? normalized((double)(int16_t)word, 32767) : (float)(int16_t)word;
    case USHORTS:
        return normal ? normalized((double)word, 65535) : (float)word;
    case UINTS:
        return (float)word;
    default:
        memcpy(&value, &word, sizeof value);
        return value;
    }
}

// Where number k of an element begins
static size_t offsetOf(const Elements* e, size_t k)
{
    return k / e->rows * e->column + k % e->rows * sizeOf(e->component);
}

// Can the bytes be used as they are?
static bool isPlain(const Elements* e)
{
    const uint32_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return e->data && first == 1 && e->component == FLOATS && e->stride == 4 * e->width &&
           (uintptr_t)e->data % sizeof(float) == 0;
}

static bool isGood(const float* v, size_t count, size_t* bad)
{
    for (size_t i = 0; i < count; ++i) {
        if (!(fabs((double)v[i]) <= SN_RIG_LARGEST)) {
            *bad = i;
            return false;
        }
    }
    return true;
}

// The document ---------------------------------------------------------------------

static bool setType(Elements* e, const char* type)
{
    static const struct {
        const char* name;
        size_t rows, columns;
    } TYPES[] = {{"SCALAR", 1, 1}, {"VEC2", 2, 1}, {"VEC3", 3, 1}, {"VEC4", 4, 1},
                 {"MAT2", 2, 2},   {"MAT3", 3, 3}, {"MAT4", 4, 4}};
    size_t size = sizeOf(e->component);
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; ++i) {
        if (strcmp(TYPES[i].name, type) == 0) {
            e->rows = TYPES[i].rows;
            e->width = TYPES[i].rows * TYPES[i].columns;
            // columns of matrices begin at multiples of 4
            e->column = TYPES[i].columns > 1 ? (e->rows * size + 3) / 4 * 4 : e->rows * size;
            e->stride = e->column * TYPES[i].columns;
            return size > 0;
        }
    }
    return false;
}

// Sets where elements are in a buffer view, whose number is `view`. What: the place, for messages
static snStatus place(snGltf* g, const snJson* object, bool strides, const char* what, Elements* e)
{
    size_t a = e->number;
    int64_t v = snGltf_Index(snJson_Get(object, "bufferView"), g->views.count);
    const snJson* view = v < 0 ? NULL : g->views.items[v];
    int64_t b = snGltf_Index(snJson_Get(view, "buffer"), (uint64_t)g->rig->source.buffer_count);
    if (b < 0) {
        return snFail(g->why, sn_errorFile,
                      "accessors[%zu]%s.bufferView: there is no such view, or it is of no buffer" //
                      SN_GLTF_AGAIN,
                      a, what);
    }
    const snRigBuffer* buffer = &g->rig->source.buffers[b];
    uint64_t limit = (uint64_t)buffer->size + 1;
    int64_t start = snGltf_Member(view, "byteOffset", limit, 0);
    int64_t length = snGltf_Member(view, "byteLength", limit, -1);
    int64_t stride = strides ? snGltf_Member(view, "byteStride", 253, 0) : 0;
    if (start < 0 || length < 0 || (uint64_t)start + (uint64_t)length > buffer->size) {
        return snFail(g->why, sn_errorFile,
                      "bufferViews[%d]: it reaches beyond its data, the %zu bytes of "
                      "buffers[%d]" SN_GLTF_AGAIN,
                      (int)v, buffer->size, (int)b);
    }
    if (stride != 0 && stride < (int64_t)e->stride) {
        return snFail(g->why, sn_errorFile,
                      "bufferViews[%d].byteStride: expected %zu..252 for accessors[%zu]" //
                      SN_GLTF_AGAIN,
                      (int)v, e->stride, a);
    }
    size_t element = e->stride;
    e->stride = stride == 0 ? element : (size_t)stride;
    int64_t offset = snGltf_Member(object, "byteOffset", limit, 0);
    // count < 2^53 / 256, see below
    if (offset < 0 ||
        (uint64_t)offset + (uint64_t)e->stride * (e->count - 1) + element > (uint64_t)length) {
        return snFail(g->why, sn_errorFile,
                      "accessors[%zu]%s: its %zu elements reach beyond its data, the %lld bytes of "
                      "bufferViews[%d]" SN_GLTF_AGAIN,
                      a, what, e->count, (long long)length, (int)v);
    }
    e->data = buffer->data + start + offset;
    return sn_ok;
}

// What an accessor says of itself
static snStatus describe(snGltf* g, const snJson* index, const char* type, Elements* e)
{
    int64_t a = snGltf_Index(index, g->accessors.count);
    if (a < 0) {
        return snFail(g->why, sn_errorFile, "%s accessor; there are %zu" SN_GLTF_AGAIN,
                      index ? "there is no such" : "it names no", g->accessors.count);
    }
    const snJson* accessor = g->accessors.items[a];
    const snJson *kind = snJson_Get(accessor, "type"), *n = snJson_Get(accessor, "normalized");
    *e = NOTHING;
    e->number = (size_t)a;
    e->component = (int)snGltf_Member(accessor, "componentType", 1 << 16, 0);
    e->normalized = n && n->kind == sn_jsonBool && n->boolean;
    if (sizeOf(e->component) == 0 || (e->normalized && e->component == UINTS)) {
        return snFail(
            g->why, sn_errorFile,
            "accessors[%zu].componentType: expected 5120, 5121, 5122, 5123, 5125 or 5126, "
            "5125 not normalized" SN_GLTF_AGAIN,
            e->number);
    }
    if (!kind || kind->kind != sn_jsonString || (type && strcmp(type, kind->string) != 0) ||
        !setType(e, kind->string)) {
        return snFail(g->why, sn_errorFile, "accessors[%zu].type: expected %s" SN_GLTF_AGAIN,
                      e->number, type ? type : "SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4");
    }
    int64_t count = snGltf_Member(accessor, "count", SN_GLTF_MOST_BYTES, -1);
    if (count < 1) {
        return snFail(g->why, sn_errorFile,
                      "accessors[%zu].count: expected how many elements there are, at least 1" //
                      SN_GLTF_AGAIN,
                      e->number);
    }
    e->count = (size_t)count;
    return snJson_Get(accessor, "bufferView") ? place(g, accessor, true, "", e) : sn_ok;
}

// Elements that replace others: where they go, and what they are
static snStatus describeSparse(snGltf* g, const snJson* sparse, const Elements* e, Elements* where,
                               Elements* what)
{
    const snJson *indices = snJson_Get(sparse, "indices"), *values = snJson_Get(sparse, "values");
    int64_t count = snGltf_Member(sparse, "count", (uint64_t)e->count + 1, -1);
    int component = (int)snGltf_Member(indices, "componentType", 1 << 16, 0);
    if (count < 1 || !values ||
        (component != UBYTES && component != USHORTS && component != UINTS)) {
        return snFail(
            g->why, sn_errorFile,
            "accessors[%zu].sparse: expected a count in 1..%zu, indices of unsigned whole "
            "numbers, and values" SN_GLTF_AGAIN,
            e->number, e->count);
    }
    *where = (Elements){.number = e->number, .count = (size_t)count, .component = component};
    setType(where, "SCALAR");
    *what = *e;
    what->count = (size_t)count;
    what->stride = e->column * (e->width / e->rows); // side by side
    snStatus status = place(g, indices, false, ".sparse.indices", where);
    status = status ? status : place(g, values, false, ".sparse.values", what);
    size_t next = 0; // the least place that may come
    for (size_t i = 0; i < where->count && !status; ++i) {
        size_t at = wordAt(where->data + i * where->stride, sizeOf(component));
        if (at < next || at >= e->count) {
            return snFail(g->why, sn_errorFile,
                          "accessors[%zu].sparse.indices: number %zu is %zu, not after the one "
                          "before it or not below %zu" SN_GLTF_AGAIN,
                          e->number, i, at, e->count);
        }
        next = at + 1;
    }
    return status;
}

// Numbers --------------------------------------------------------------------------

// Copies elements, to where `where` says if that is given
static void fill(const Elements* e, const Elements* where, float* floats, uint32_t* ints)
{
    for (size_t i = 0; i < e->count && e->data; ++i) {
        size_t to = where ? wordAt(where->data + i * where->stride, sizeOf(where->component)) : i;
        for (size_t k = 0; k < e->width; ++k) {
            const uint8_t* b = e->data + i * e->stride + offsetOf(e, k);
            if (floats) {
                floats[to * e->width + k] = floatAt(b, e->component, e->normalized);
            } else {
                ints[to * e->width + k] = wordAt(b, sizeOf(e->component));
            }
        }
    }
}

// Reads all numbers of one of the two kinds into memory of its own.
static snStatus decode(snGltf* g, const Elements* e, bool ints, snGltfNumbers* known)
{
    Elements where = NOTHING, what = NOTHING;
    const snJson* sparse = snJson_Get(g->accessors.items[e->number], "sparse");
    snStatus status = sparse ? describeSparse(g, sparse, e, &where, &what) : sn_ok;
    // a count without data behind it may be anything
    bool fits = e->count <= SN_GLTF_MOST_BYTES / 4 / e->width;
    status = status ? status : snGltf_Spend(g, fits ? e->count * e->width : UINT64_MAX);
    if (status) {
        return status;
    }
    size_t size = ints ? sizeof(uint32_t) : sizeof(float);
    void* out = snArena_Push(ints ? &g->arena : &g->rig->arena, e->count * e->width, size);
    if (!out) {
        return snGltf_FailMemory(g);
    }
    fill(e, NULL, ints ? NULL : out, ints ? out : NULL);
    if (sparse) {
        fill(&what, &where, ints ? NULL : out, ints ? out : NULL);
    }
    known->floats = ints ? known->floats : out;
    known->ints = ints ? out : known->ints;
    return sn_ok;
}

snStatus snGltf_Floats(snGltf* g, const snJson* index, const char* type, snGltfNumbers* out)
{
    Elements e = NOTHING;
    snStatus status = describe(g, index, type, &e);
    if (status) {
        return status;
    }
    snGltfNumbers* known = &g->known[e.number];
    if (!known->floats) {
        size_t bad = 0;
        if (isPlain(&e) && !snJson_Get(g->accessors.items[e.number], "sparse")) {
            known->floats = (const float*)(const void*)e.data;
        } else {
            status = decode(g, &e, false, known);
        }
        if (!status && !isGood(known->floats, e.count * e.width, &bad)) {
            known->floats = NULL;
            return snFail(g->why, sn_errorFile,
                          "accessors[%zu]: a number of element %zu of %zu is not finite, or beyond "
                          "%g" SN_GLTF_AGAIN,
                          e.number, bad / e.width, e.count, SN_RIG_LARGEST);
        }
    }
    *out = (snGltfNumbers){e.count, e.width, known->floats, NULL};
    return status;
}

snStatus snGltf_Ints(snGltf* g, const snJson* index, const char* type, snGltfNumbers* out)
{
    Elements e = NOTHING;
    snStatus status = describe(g, index, type, &e);
    if (status) {
        return status;
    }
    if (e.component != UBYTES && e.component != USHORTS && e.component != UINTS) {
        return snFail(g->why, sn_errorFile,
                      "accessors[%zu].componentType: expected UNSIGNED_BYTE, UNSIGNED_SHORT or "
                      "UNSIGNED_INT, found %s" SN_GLTF_AGAIN,
                      e.number, componentName(e.component));
    }
    snGltfNumbers* known = &g->known[e.number];
    status = known->ints ? sn_ok : decode(g, &e, true, known);
    *out = (snGltfNumbers){e.count, e.width, NULL, known->ints};
    return status;
}
