// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/gltf/store.h"

#include <assert.h>
#include <string.h>

// Numbers are written as they lie in memory.
#if defined(__BYTE_ORDER__)
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "glTF is little-endian");
#endif

enum { USHORTS = 5123, UINTS = 5125, FLOATS = 5126, VERTICES = 34962 };

// About what a sparse accessor takes more in the document, bytes
#define SPARSE_TEXT 150

// An accessor that others may ask for again
struct snGltfKnown {
    struct snGltfKnown* next;
    const char* type;   // of zeros; NULL: times
    const float* times; // (count)
    size_t count;
    size_t accessor;
};

void snGltfStore_Init(snGltfStore* s, snArena* arena, size_t accessors, size_t views)
{
    *s = (snGltfStore){.host = arena->host,
                       .arena = arena,
                       .accessor_count = accessors,
                       .view_count = views,
                       .view_first = views};
    snJsonWriter_Init(&s->accessors, &arena->host, 0);
    snJsonWriter_BeginArray(&s->accessors);
}

void snGltfStore_Free(snGltfStore* s)
{
    for (int i = 0; i < sn_gltfSectionCount; ++i) {
        snHost_Release(&s->host, s->sections[i].bytes, s->sections[i].room);
    }
    snJsonWriter_Free(&s->accessors);
}

// Bytes ----------------------------------------------------------------------------

// Appends zeros; where they are, NULL when memory runs out. All pieces begin at multiples of 4.
static uint8_t* grow(snGltfStore* s, int section, size_t bytes, size_t* offset)
{
    uint8_t** old = &s->sections[section].bytes;
    size_t *count = &s->sections[section].count, *room = &s->sections[section].room;
    size_t end, begin = *count;
    *offset = begin;
    if (!snSizeAdd(begin, bytes, &end) || end > SIZE_MAX / 2 - 4) {
        s->failed = true;
        return NULL;
    }
    end = (end + 3) / 4 * 4;
    if (end > *room) {
        size_t wanted = end > 2 * *room ? end : 2 * *room;
        uint8_t* grown = snHost_Allocate(&s->host, wanted);
        if (!grown) {
            s->failed = true;
            return NULL;
        }
        if (begin > 0) {
            memcpy(grown, *old, begin);
        }
        snHost_Release(&s->host, *old, *room);
        *old = grown;
        *room = wanted;
    }
    if (begin == 0) {
        s->sections[section].view = s->view_count++;
    }
    *count = end;
    return *old + begin;
}

static size_t putFloats(snGltfStore* s, int section, const float* values, size_t count)
{
    size_t offset;
    uint8_t* to = grow(s, section, count * sizeof *values, &offset);
    if (to) {
        memcpy(to, values, count * sizeof *values);
    }
    return offset;
}

// Accessors ------------------------------------------------------------------------

static void writeNumber(snGltfStore* s, const char* key, size_t value)
{
    snJsonWriter_Key(&s->accessors, key);
    snJsonWriter_Int(&s->accessors, (int64_t)value);
}

static void writePlace(snGltfStore* s, int section, size_t offset)
{
    writeNumber(s, "bufferView", s->sections[section].view);
    if (offset > 0) {
        writeNumber(s, "byteOffset", offset);
    }
}

// The smallest and the largest of each component; no values: zeros
static void writeRange(snGltfStore* s, size_t width, const float* values, size_t count)
{
    for (int largest = 0; largest < 2; ++largest) {
        snJsonWriter_Key(&s->accessors, largest ? "max" : "min");
        snJsonWriter_BeginArray(&s->accessors);
        for (size_t k = 0; k < width; ++k) {
            float found = values ? values[k] : 0;
            for (size_t i = 1; i < count && values; ++i) {
                float v = values[i * width + k];
                found = (largest ? v > found : v < found) ? v : found;
            }
            snJsonWriter_NumberFloat(&s->accessors, found);
        }
        snJsonWriter_EndArray(&s->accessors);
    }
}

static void beginAccessorOf(snGltfStore* s, int component, const char* type, size_t count)
{
    snJsonWriter_BeginObject(&s->accessors);
    writeNumber(s, "componentType", (size_t)component);
    writeNumber(s, "count", count);
    snJsonWriter_Key(&s->accessors, "type");
    snJsonWriter_String(&s->accessors, type);
}

static void beginAccessor(snGltfStore* s, const char* type, size_t count)
{
    beginAccessorOf(s, FLOATS, type, count);
}

static size_t endAccessor(snGltfStore* s)
{
    snJsonWriter_EndObject(&s->accessors);
    return s->accessor_count++;
}

static void remember(snGltfStore* s, const char* type, const float* times, size_t count,
                     size_t accessor)
{
    struct snGltfKnown* known = snArena_Push(s->arena, 1, sizeof *known);
    if (known) {
        *known = (struct snGltfKnown){s->known, type, times, count, accessor};
        s->known = known;
    }
}

size_t snGltfStore_Zeros(snGltfStore* s, const char* type, size_t count)
{
    for (const struct snGltfKnown* k = s->known; k; k = k->next) {
        if (k->type && k->count == count && strcmp(k->type, type) == 0) {
            return k->accessor;
        }
    }
    beginAccessor(s, type, count);
    if (strcmp(type, "VEC3") == 0) { // may be of positions, which must have it
        writeRange(s, 3, NULL, count);
    }
    size_t accessor = endAccessor(s);
    remember(s, type, NULL, count, accessor);
    return accessor;
}

static bool isZero(const float* d)
{
    return d[0] == 0 && d[1] == 0 && d[2] == 0;
}

// The `used` vertices that are not zero
static void writeSparse(snGltfStore* s, const float* deltas, size_t count, size_t used, size_t size)
{
    size_t indices, elements, n = 0;
    uint8_t* where = grow(s, sn_gltfIndices, used * size, &indices);
    uint8_t* what = grow(s, sn_gltfElements, used * 3 * sizeof *deltas, &elements);
    for (size_t i = 0; i < count && where && what; ++i) {
        if (!isZero(deltas + 3 * i)) {
            memcpy(where + n * size, &(uint32_t){(uint32_t)i}, size);
            memcpy(what + n * 3 * sizeof *deltas, deltas + 3 * i, 3 * sizeof *deltas);
            ++n;
        }
    }
    snJsonWriter_Key(&s->accessors, "sparse");
    snJsonWriter_BeginObject(&s->accessors);
    writeNumber(s, "count", used);
    snJsonWriter_Key(&s->accessors, "indices");
    snJsonWriter_BeginObject(&s->accessors);
    writePlace(s, sn_gltfIndices, indices);
    writeNumber(s, "componentType", size == 2 ? USHORTS : UINTS);
    snJsonWriter_EndObject(&s->accessors);
    snJsonWriter_Key(&s->accessors, "values");
    snJsonWriter_BeginObject(&s->accessors);
    writePlace(s, sn_gltfElements, elements);
    snJsonWriter_EndObject(&s->accessors);
    snJsonWriter_EndObject(&s->accessors);
}

size_t snGltfStore_Deltas(snGltfStore* s, const float* deltas, size_t count)
{
    size_t used = 0, size = count <= UINT16_MAX ? 2 : 4;
    for (size_t i = 0; i < count; ++i) {
        used += !isZero(deltas + 3 * i);
    }
    if (used == 0) {
        return snGltfStore_Zeros(s, "VEC3", count);
    }
    beginAccessor(s, "VEC3", count);
    writeRange(s, 3, deltas, count);
    if (used * (size + 12) + SPARSE_TEXT < count * 12) {
        writeSparse(s, deltas, count, used, size);
    } else {
        size_t offset = putFloats(s, sn_gltfVectors, deltas, 3 * count);
        writePlace(s, sn_gltfVectors, offset);
    }
    return endAccessor(s);
}

size_t snGltfStore_Times(snGltfStore* s, const float* times, size_t count)
{
    for (const struct snGltfKnown* k = s->known; k; k = k->next) {
        if (k->times && k->count == count && memcmp(k->times, times, count * sizeof *times) == 0) {
            return k->accessor;
        }
    }
    beginAccessor(s, "SCALAR", count);
    writeRange(s, 1, times, count);
    size_t offset = putFloats(s, sn_gltfTracks, times, count);
    writePlace(s, sn_gltfTracks, offset);
    size_t accessor = endAccessor(s);
    remember(s, NULL, times, count, accessor);
    return accessor;
}

static size_t addFloats(snGltfStore* s, int section, const char* type, size_t width,
                        const float* values, size_t count)
{
    size_t offset = putFloats(s, section, values, width * count);
    beginAccessor(s, type, count);
    writePlace(s, section, offset);
    return endAccessor(s);
}

size_t snGltfStore_Values(snGltfStore* s, const char* type, size_t width, const float* values,
                          size_t count)
{
    return addFloats(s, sn_gltfTracks, type, width, values, count);
}

size_t snGltfStore_Joints(snGltfStore* s, const uint16_t* joints, size_t count)
{
    size_t offset, bytes = 4 * count * sizeof *joints;
    uint8_t* to = grow(s, sn_gltfJoints, bytes, &offset);
    if (to) {
        memcpy(to, joints, bytes);
    }
    beginAccessorOf(s, USHORTS, "VEC4", count);
    writePlace(s, sn_gltfJoints, offset);
    return endAccessor(s);
}

size_t snGltfStore_Weights(snGltfStore* s, const float* weights, size_t count)
{
    return addFloats(s, sn_gltfWeights, "VEC4", 4, weights, count);
}

size_t snGltfStore_Matrices(snGltfStore* s, const float* matrices, size_t count)
{
    return addFloats(s, sn_gltfMatrices, "MAT4", 16, matrices, count);
}

// The end --------------------------------------------------------------------------

static void writeView(snJsonWriter* w, int section, size_t offset, size_t size)
{
    snJsonWriter_BeginObject(w);
    snJsonWriter_Key(w, "buffer");
    snJsonWriter_Int(w, 0);
    snJsonWriter_Key(w, "byteOffset");
    snJsonWriter_Int(w, (int64_t)offset);
    snJsonWriter_Key(w, "byteLength");
    snJsonWriter_Int(w, (int64_t)size);
    static const int64_t STRIDES[sn_gltfSectionCount] = {
        [sn_gltfVectors] = 12, [sn_gltfJoints] = 8, [sn_gltfWeights] = 16};
    if (STRIDES[section] > 0) { // of vertices: several accessors share it
        snJsonWriter_Key(w, "byteStride");
        snJsonWriter_Int(w, STRIDES[section]);
        snJsonWriter_Key(w, "target");
        snJsonWriter_Int(w, VERTICES);
    }
    snJsonWriter_EndObject(w);
}

// What stands between the brackets of a finished array
static const char* inner(snArena* arena, snJsonWriter* w)
{
    snJsonWriter_EndArray(w);
    const char* text =
        w->failed || w->length < 2 ? NULL : snArena_String(arena, w->text + 1, w->length - 2);
    return text ? text : "";
}

bool snGltfStore_Finish(snGltfStore* s, size_t offset, snGltfAdded* out)
{
    snJsonWriter views;
    size_t n = 0, total = 0;
    for (int i = 0; i < sn_gltfSectionCount; ++i) {
        total += s->sections[i].count;
    }
    uint8_t* bytes = snArena_Push(s->arena, total, 1);
    snJsonWriter_Init(&views, &s->host, 0);
    snJsonWriter_BeginArray(&views);
    for (size_t v = s->view_first; v < s->view_count; ++v) { // views count up as sections are begun
        for (int i = 0; i < sn_gltfSectionCount; ++i) {
            size_t size = s->sections[i].count;
            if (size > 0 && s->sections[i].view == v && bytes) {
                memcpy(bytes + n, s->sections[i].bytes, size);
                writeView(&views, i, offset + n, size);
                n += size;
            }
        }
    }
    *out = (snGltfAdded){inner(s->arena, &s->accessors), inner(s->arena, &views), bytes, n};
    bool failed = s->failed || views.failed || s->accessors.failed || s->arena->failed;
    snJsonWriter_Free(&views);
    return !failed;
}
