// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Small glTF documents put together by the tests: numbers in a binary chunk, text around them.
#ifndef SN_TESTS_IO_GLTF_GLTF_H
#define SN_TESTS_IO_GLTF_GLTF_H

#include "io/mesh/meshes.h"
#include "rig/rig.h"

enum { G_BYTE = 5120, G_UBYTE, G_SHORT, G_USHORT, G_UINT = 5125, G_FLOAT };

typedef struct Document {
    Bytes bin;
    char views[8192], accessors[8192];
    int view_count, accessor_count;
} Document;

static inline int sizeOfComponent(int component)
{
    return component < G_SHORT ? 1 : component < G_UINT ? 2 : 4;
}

static inline void putNumber(Bytes* b, int component, double value)
{
    if (component == G_FLOAT) {
        putFloat(b, (float)value);
    } else {
        putBits(b, (uint64_t)(int64_t)value, sizeOfComponent(component));
    }
}

static inline void appendText(char* text, size_t size, const char* format, ...)
{
    va_list arguments;
    size_t length = strlen(text);
    va_start(arguments, format);
    int n = vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
    assert_true(n >= 0 && (size_t)n < size - length);
}

// Numbers of a view; its number
static inline int addView(Document* d, int component, const double* values, int count)
{
    while (d->bin.count % 4 != 0) {
        putBits(&d->bin, 0, 1);
    }
    appendText(d->views, sizeof d->views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%d}",
               d->view_count ? "," : "", d->bin.count, count * sizeOfComponent(component));
    for (int i = 0; i < count; ++i) {
        putNumber(&d->bin, component, values[i]);
    }
    return d->view_count++;
}

// An accessor from its text
static inline int addAccessor(Document* d, const char* format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    appendText(d->accessors, sizeof d->accessors, "%s{%s}", d->accessor_count ? "," : "", text);
    return d->accessor_count++;
}

// A plain accessor of `count` elements of `width` numbers
static inline int addNumbers(Document* d, const char* type, int component, const double* values,
                             int count, int width)
{
    int view = addView(d, component, values, count * width);
    return addAccessor(d, "\"bufferView\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"",
                       view, component, count, type);
}

// As GLB: the head and the lists, then `rest`, which is JSON with ' for "
static inline void finishGlb(const Document* d, const char* rest, Bytes* out)
{
    char text[32768] = "";
    appendText(text, sizeof text,
               "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":%zu}],"
               "\"bufferViews\":[%s],\"accessors\":[%s]%s",
               d->bin.count, d->views, d->accessors, rest[0] ? "," : "");
    size_t length = strlen(text);
    appendText(text, sizeof text, "%s}", rest);
    for (char* c = text + length; *c; ++c) {
        *c = *c == '\'' ? '"' : *c;
    }
    while (strlen(text) % 4 != 0) {
        appendText(text, sizeof text, " ");
    }
    size_t bin = (d->bin.count + 3) / 4 * 4;
    *out = (Bytes){.count = 0};
    putText(out, "glTF");
    putBits(out, 2, 4);
    putBits(out, 28 + strlen(text) + bin, 4);
    putBits(out, strlen(text), 4);
    putText(out, "JSON");
    putText(out, text);
    putBits(out, bin, 4);
    putText(out, "BIN");
    putBits(out, 0, 1);
    memcpy(out->data + out->count, d->bin.data, d->bin.count);
    out->count += bin;
}

static inline snRig* parseBytes(const Bytes* b)
{
    snRig* rig;
    snMessage why;
    assert_ok(snRig_Parse(NULL, b->data, b->count, "test", &rig, &why), why);
    return rig;
}

static inline snRig* parseDocument(const Document* d, const char* rest)
{
    static Bytes b;
    finishGlb(d, rest, &b);
    return parseBytes(&b);
}

// A fixed copy in memory of the exact size, so that sanitizers see what is read beyond
static inline void expectRefusal(const char* bytes, size_t count, snStatus wanted, const char* says)
{
    snRig* rig;
    snMessage why;
    Ration ration = {.blocks = 1000};
    snHost host = rationedHost(&ration);
    snStatus status = snRig_Parse(&host, bytes, count, "test", &rig, &why);
    if (status != wanted || !strstr(why.text, says) || strncmp(why.text, "test: ", 6) != 0) {
        fail_msg("status %d, '%s' should be %d and say '%s'", (int)status, why.text, (int)wanted,
                 says);
    }
    assert_null(rig);
    assert_int_equal(ration.used, 0);
    assert_below((double)ration.most, 2e7); // SN_GLTF_NUMBERS and the blocks of arenas
}

static inline void refuse(const Document* d, const char* rest, snStatus wanted, const char* says)
{
    static Bytes b;
    finishGlb(d, rest, &b);
    expectRefusal(b.data, b.count, wanted, says);
}

// Does some warning say so?
static inline bool warns(const snRig* rig, const char* says)
{
    bool found = false;
    for (int32_t i = 0; i < rig->info.warning_count; ++i) {
        found = found || strstr(rig->info.warnings[i], says);
    }
    return found;
}

// A triangle with corners 0, x, y as accessor 0
static inline void addTriangle(Document* d)
{
    static const double corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    addNumbers(d, "VEC3", G_FLOAT, corners, 3, 3);
}

#define ONE_MESH "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],'nodes':[{'mesh':0}]"

#endif
