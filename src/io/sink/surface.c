// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/sink/surface.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/message.h"
#include "base/number.h"
#include "geom/surface.h"
#include "io/sink/sequence.h"

// Numbers of binary formats are written as they lie in memory.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the writers of surfaces swap no bytes");

// A frame on its way into a file
typedef struct Drawing {
    const snSink* sink;
    snFileWriter* file;
    const snFrame* frame;
    int32_t vertices, triangles; // of all surfaces
} Drawing;

// Writes a part of a character's surface; `before`: vertices of earlier ones
typedef void Put(const Drawing* d, const snFrameCharacter* c, int32_t before);

// How a format looks: a head, then for all surfaces one part, then for all another; any may be NULL
typedef struct Layout {
    void (*head)(const Drawing* d);
    Put* parts[2];
} Layout;

static void putText(const Drawing* d, const char* text)
{
    snFileWriter_Write(d->file, text, strlen(text));
}

static void putVector(const Drawing* d, const char* word, const float v[3])
{
    char text[3 * SN_NUMBER_SIZE + 8];
    size_t n = 0;
    putText(d, word);
    for (int k = 0; k < 3; ++k) {
        n += snNumber_PrintFloat(v[k], text + n);
        text[n++] = k < 2 ? ' ' : '\n';
    }
    snFileWriter_Write(d->file, text, n);
}

static const char* secondsOf(const Drawing* d, char text[SN_NUMBER_SIZE + 1])
{
    text[snNumber_Print(d->frame->time, text)] = 0;
    return text;
}

// OBJ ----------------------------------------------------------------------------

// A name may hold blanks, but must not end the line.
static void putName(const Drawing* d, const char* name)
{
    putText(d, "o ");
    for (const char* c = name; *c; ++c) {
        char plain = (unsigned char)*c < 0x20 || *c == '\\' ? '_' : *c;
        snFileWriter_Write(d->file, &plain, 1);
    }
    putText(d, "\n");
}

// Vertices are numbered from 1 through all objects.
static void putObject(const Drawing* d, const snFrameCharacter* c, int32_t before)
{
    const snFrameSurface* s = &c->surfaces[0];
    putName(d, d->sink->characters[c - d->frame->characters].name);
    for (size_t i = 0; i < (size_t)s->vertex_count; ++i) {
        float x[3];
        snSink_Place(c, i, x);
        putVector(d, "v ", x);
    }
    for (size_t i = 0; i < 3 * (size_t)s->vertex_count; i += 3) {
        putVector(d, "vn ", s->normal + i);
    }
    for (size_t i = 0; i < 3 * (size_t)s->triangle_count; i += 3) {
        char text[96];
        int v[3];
        for (size_t k = 0; k < 3; ++k) {
            v[k] = 1 + before + s->triangles[i + k];
        }
        snprintf(text, sizeof(text), "f %d//%d %d//%d %d//%d\n", v[0], v[0], v[1], v[1], v[2],
                 v[2]);
        putText(d, text);
    }
}

// PLY ----------------------------------------------------------------------------

static void putPlyHead(const Drawing* d)
{
    char text[512], seconds[SN_NUMBER_SIZE + 1];
    snprintf(text, sizeof(text),
             "ply\n"
             "format binary_little_endian 1.0\n"
             "comment time %s s\n"
             "element vertex %" PRId32 "\n"
             "property float x\nproperty float y\nproperty float z\n"
             "property float nx\nproperty float ny\nproperty float nz\n"
             "element face %" PRId32 "\n"
             "property list uchar int vertex_indices\n"
             "end_header\n",
             secondsOf(d, seconds), d->vertices, d->triangles);
    putText(d, text);
}

static void putPlyVertices(const Drawing* d, const snFrameCharacter* c, int32_t before)
{
    (void)before;
    for (size_t i = 0; i < (size_t)c->surfaces[0].vertex_count; ++i) {
        float vertex[6];
        snSink_Place(c, i, vertex);
        memcpy(vertex + 3, c->surfaces[0].normal + 3 * i, 3 * sizeof(float));
        snFileWriter_Write(d->file, vertex, sizeof(vertex));
    }
}

static void putPlyTriangles(const Drawing* d, const snFrameCharacter* c, int32_t before)
{
    for (size_t i = 0; i < 3 * (size_t)c->surfaces[0].triangle_count; i += 3) {
        const int32_t* t = c->surfaces[0].triangles + i;
        const int32_t v[3] = {before + t[0], before + t[1], before + t[2]};
        uint8_t face[1 + sizeof(v)] = {3};
        memcpy(face + 1, v, sizeof(v));
        snFileWriter_Write(d->file, face, sizeof(face));
    }
}

// OFF ----------------------------------------------------------------------------

static void putOffHead(const Drawing* d)
{
    char text[128], seconds[SN_NUMBER_SIZE + 1];
    snprintf(text, sizeof(text), "OFF\n# time %s s\n%" PRId32 " %" PRId32 " 0\n",
             secondsOf(d, seconds), d->vertices, d->triangles);
    putText(d, text);
}

static void putOffVertices(const Drawing* d, const snFrameCharacter* c, int32_t before)
{
    (void)before;
    for (size_t i = 0; i < (size_t)c->surfaces[0].vertex_count; ++i) {
        float x[3];
        snSink_Place(c, i, x);
        putVector(d, "", x);
    }
}

static void putOffTriangles(const Drawing* d, const snFrameCharacter* c, int32_t before)
{
    for (size_t i = 0; i < 3 * (size_t)c->surfaces[0].triangle_count; i += 3) {
        const int32_t* t = c->surfaces[0].triangles + i;
        char text[64];
        snprintf(text, sizeof(text), "3 %" PRId32 " %" PRId32 " %" PRId32 "\n", before + t[0],
                 before + t[1], before + t[2]);
        putText(d, text);
    }
}

// STL ----------------------------------------------------------------------------

// It must not begin with "solid", by which text is known.
static void putStlHead(const Drawing* d)
{
    char text[81] = "", seconds[SN_NUMBER_SIZE + 1];
    snprintf(text, sizeof(text), "binary STL, metres, time %s s", secondsOf(d, seconds));
    snFileWriter_Write(d->file, text, 80);
    snFileWriter_Write(d->file, &d->triangles, sizeof(d->triangles));
}

static void putFacets(const Drawing* d, const snFrameCharacter* c, int32_t before)
{
    (void)before;
    for (size_t i = 0; i < 3 * (size_t)c->surfaces[0].triangle_count; i += 3) {
        float x[3][3];
        snVec3 p[3];
        for (size_t k = 0; k < 3; ++k) {
            snSink_Place(c, (size_t)c->surfaces[0].triangles[i + k], x[k]);
            p[k] = snV3((double)x[k][0], (double)x[k][1], (double)x[k][2]);
        }
        snVec3 n = snNormalize(snTriangleCross(p[0], p[1], p[2]));
        const float normal[3] = {(float)n.x, (float)n.y, (float)n.z};
        const uint16_t none = 0; // bytes of attributes
        snFileWriter_Write(d->file, normal, sizeof(normal));
        snFileWriter_Write(d->file, x, sizeof(x));
        snFileWriter_Write(d->file, &none, sizeof(none));
    }
}

// The sink -----------------------------------------------------------------------

static const Layout LAYOUTS[sn_kindCount] = {
    [sn_kindObj] = {NULL, {putObject, NULL}},
    [sn_kindPly] = {putPlyHead, {putPlyVertices, putPlyTriangles}},
    [sn_kindOff] = {putOffHead, {putOffVertices, putOffTriangles}},
    [sn_kindStl] = {putStlHead, {putFacets, NULL}},
};

static snStatus openSurfaces(snSink* sink, const char* path, snMessage* why)
{
    snSequence* s = snArena_Push(&sink->arena, 1, sizeof(snSequence));
    if (!s) {
        return snFail(why, sn_errorMemory, "cannot write '%s': out of memory", path);
    }
    s->single = sink->def.single != 0;
    sink->state = s;
    return snSequence_Open(s, path, snFileKind_At(sink->kind)->extension, why);
}

// Refuses a frame without surfaces, or with more than numbers of 32 bits can count.
static snStatus countSurfaces(const snFrame* frame, const char* path, const char* format,
                              Drawing* d, snMessage* why)
{
    int64_t vertices = 0, triangles = 0;
    for (int32_t i = 0; i < frame->character_count; ++i) {
        const snFrameCharacter* c = &frame->characters[i];
        vertices += c->surface_count > 0 ? c->surfaces[0].vertex_count : 0;
        triangles += c->surface_count > 0 ? c->surfaces[0].triangle_count : 0;
    }
    if (vertices >= INT32_MAX || triangles >= INT32_MAX) {
        return snFail(why, sn_errorUnsupported,
                      "cannot write '%s': %s files have less than %d vertices and triangles, found "
                      "%" PRId64 " and %" PRId64,
                      path, format, INT32_MAX, vertices, triangles);
    }
    d->vertices = (int32_t)vertices;
    d->triangles = (int32_t)triangles;
    return snSink_RequireSurface(frame, path, format, why);
}

static snStatus writeSurfaces(snSink* sink, const snFrame* frame, snMessage* why)
{
    snSequence* s = sink->state;
    const Layout* layout = &LAYOUTS[sink->kind];
    Drawing d = {.sink = sink, .file = &s->file, .frame = frame};
    snStatus status = countSurfaces(frame, s->stem, snFileKind_At(sink->kind)->name, &d, why);
    status = status ? status : snSequence_Begin(s, why);
    if (status) {
        return status;
    }
    if (layout->head) {
        layout->head(&d);
    }
    for (int part = 0; part < 2 && layout->parts[part]; ++part) {
        int32_t before = 0;
        for (int32_t i = 0; i < frame->character_count; ++i) {
            const snFrameCharacter* c = &frame->characters[i];
            if (c->surface_count > 0) {
                layout->parts[part](&d, c, before);
                before += c->surfaces[0].vertex_count;
            }
        }
    }
    return snSequence_End(s, why);
}

static snStatus finishSurfaces(snSink* sink, snMessage* why)
{
    (void)why;
    ((snSequence*)sink->state)->finished = true;
    return sn_ok;
}

static void releaseSurfaces(snSink* sink)
{
    if (sink->state) {
        snSequence_Release(sink->state);
    }
}

const snSinkFormat snSurfaceFormat = {openSurfaces, writeSurfaces, finishSurfaces, releaseSurfaces};
