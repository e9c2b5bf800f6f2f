// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/glb_view.h"

#include <math.h>
#include <string.h>

#include "base/message.h"

// Types of an accessor's components
#define FLOATS 5126
#define UINTS 5125

snStatus snGlbDocument_Fail(const snGlbDocument* d, const char* text)
{
    return snFail(d->why, sn_errorFile, "%s", text);
}

snStatus snGlbDocument_Refuse(const snGlbDocument* d, const snJson* at, const char* text)
{
    return snFail(d->why, sn_errorUnsupported,
                  "line %u, column %u of its document: %s; only GLB files that Sinew wrote can be "
                  "read",
                  at ? (unsigned)at->line : 1, at ? (unsigned)at->column : 1, text);
}

snStatus snGlbDocument_FailMemory(const snGlbDocument* d)
{
    return snFail(d->why, sn_errorMemory, "out of memory");
}

snGlbList snGlbList_Of(snArena* arena, const snJson* array)
{
    snGlbList list = {0};
    size_t count = array && array->kind == sn_jsonArray ? array->count : 0;
    list.items = snArena_Push(arena, count, sizeof(*list.items));
    for (const snJson* j = count && list.items ? array->child : NULL; j; j = j->next) {
        list.items[list.count++] = j;
    }
    return list;
}

int64_t snGlb_Index(const snJson* j, uint64_t limit)
{
    bool fine = j && j->kind == sn_jsonNumber && j->number >= 0 && j->number < 9e15 &&
                j->number < (double)limit && j->number == floor(j->number);
    return fine ? (int64_t)j->number : -1;
}

// The same of a member that may be absent
static int64_t sizeOf(const snJson* object, const char* key, uint64_t limit)
{
    const snJson* j = snJson_Get(object, key);
    return j ? snGlb_Index(j, limit) : 0;
}

bool snGlb_IsText(const snJson* j, const char* text)
{
    return j && j->kind == sn_jsonString && strcmp(j->string, text) == 0;
}

// Numbers of an accessor, all of which lie in the binary chunk
static snStatus readView(snGlbDocument* d, const snJson* index, const char* type, int component,
                         snGlbView* out)
{
    int64_t a = snGlb_Index(index, d->accessors.count);
    const snJson* accessor = a >= 0 ? d->accessors.items[a] : NULL;
    int64_t v = accessor ? snGlb_Index(snJson_Get(accessor, "bufferView"), d->views.count) : -1;
    const snJson* view = v >= 0 ? d->views.items[v] : NULL;
    if (!view || snJson_Get(accessor, "sparse") ||
        !snGlb_IsText(snJson_Get(accessor, "type"), type) ||
        snGlb_Index(snJson_Get(accessor, "componentType"), 1 << 16) != component ||
        sizeOf(view, "buffer", 1) != 0) {
        return snGlbDocument_Refuse(d, accessor ? accessor : index,
                                    "expected a plain accessor of 32-bit numbers");
    }
    uint64_t limit = (uint64_t)d->binary_size + 1;
    int64_t count = snGlb_Index(snJson_Get(accessor, "count"), limit);
    int64_t offset = sizeOf(accessor, "byteOffset", limit);
    int64_t start = sizeOf(view, "byteOffset", limit), stride = sizeOf(view, "byteStride", 253);
    int64_t length = snGlb_Index(snJson_Get(view, "byteLength"), limit);
    int64_t width = strcmp(type, "SCALAR") == 0 ? 1 : strcmp(type, "VEC3") == 0 ? 3 : 4;
    stride = stride == 0 ? 4 * width : stride;
    // each is at most the chunk's size, which is below 2^32
    bool inside = count > 0 && offset >= 0 && start >= 0 && length >= 0 && stride >= 4 * width &&
                  start + length <= (int64_t)d->binary_size &&
                  offset + stride * (count - 1) + 4 * width <= length;
    if (!inside) {
        return snFail(d->why, sn_errorFile,
                      "line %u, column %u of its document: the accessor reaches beyond its data",
                      (unsigned)accessor->line, (unsigned)accessor->column);
    }
    d->looked += (uint64_t)(count * width);
    if (d->looked > SN_GLB_MOST_NUMBERS) {
        return snGlbDocument_Refuse(d, accessor, "its accessors name too many numbers in all");
    }
    *out = (snGlbView){d->binary + start + offset, (size_t)count, (size_t)width, (size_t)stride};
    return sn_ok;
}

// The first value that is not finite or too large; the count when all are good
static size_t findBad(const snGlbView* v)
{
    for (size_t i = 0; i < v->count; ++i) {
        for (size_t k = 0; k < v->width; ++k) {
            if (!(fabs(snGlbView_At(v, i, k)) <= SN_ANIMATION_LARGEST)) {
                return i;
            }
        }
    }
    return v->count;
}

snStatus snGlbDocument_Floats(snGlbDocument* d, const snJson* index, const char* type,
                              snGlbView* out)
{
    snStatus status = readView(d, index, type, FLOATS, out);
    size_t bad = status ? 0 : findBad(out);
    if (!status && bad < out->count) {
        return snFail(d->why, sn_errorFile,
                      "line %u, column %u of its document: value %zu of the accessor's %zu is not "
                      "finite, or beyond %g; write the file again",
                      (unsigned)index->line, (unsigned)index->column, bad, out->count,
                      SN_ANIMATION_LARGEST);
    }
    return status;
}

snStatus snGlbDocument_Indices(snGlbDocument* d, const snJson* index, snGlbView* out)
{
    return readView(d, index, "SCALAR", UINTS, out);
}

// The file ----------------------------------------------------------------------

// Finds the two chunks.
static snStatus readChunks(snGlbDocument* d, const uint8_t* bytes, size_t count, size_t* json)
{
    if (count < 20 || memcmp(bytes, "glTF", 4) != 0 || snAnimation_Word(bytes + 4, false) != 2) {
        return snGlbDocument_Fail(
            d, "it is no GLB file of version 2: it does not begin with glTF and 2");
    }
    if (snAnimation_Word(bytes + 8, false) != count) {
        return snFail(d->why, sn_errorFile,
                      "it has %zu bytes, but its header promises %u: it is cut off, or something "
                      "follows it; write or copy it again",
                      count, (unsigned)snAnimation_Word(bytes + 8, false));
    }
    if (memcmp(bytes + 16, "JSON", 4) != 0) {
        return snGlbDocument_Fail(d, "its document does not come first; write it again");
    }
    *json = snAnimation_Word(bytes + 12, false);
    if (*json > count - 20) {
        return snGlbDocument_Fail(d, "its document reaches beyond the file");
    }
    size_t left = count - 20 - *json;
    const uint8_t* chunk = bytes + 20 + *json;
    if (left < 8 || memcmp(chunk + 4, "BIN\0", 4) != 0 ||
        snAnimation_Word(chunk, false) > left - 8) {
        return snGlbDocument_Fail(d,
                                  "it has no binary chunk after its document, or that is cut off");
    }
    d->binary = chunk + 8;
    d->binary_size = snAnimation_Word(chunk, false);
    return sn_ok;
}

snStatus snGlbDocument_Read(snGlbDocument* d, snArena* arena, const uint8_t* bytes, size_t count,
                            snMessage* why)
{
    size_t json = 0;
    *d = (snGlbDocument){.why = why};
    snStatus status = readChunks(d, bytes, count, &json);
    if (!status) {
        status = snJson_Parse(arena, (const char*)bytes + 20, json, &d->root, why);
    }
    if (status) {
        return status;
    }
    d->accessors = snGlbList_Of(arena, snJson_Get(d->root, "accessors"));
    d->views = snGlbList_Of(arena, snJson_Get(d->root, "bufferViews"));
    d->nodes = snGlbList_Of(arena, snJson_Get(d->root, "nodes"));
    d->meshes = snGlbList_Of(arena, snJson_Get(d->root, "meshes"));
    return arena->failed ? snGlbDocument_FailMemory(d) : sn_ok;
}
