// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/ply_sequence.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/message.h"
#include "base/number.h"
#include "io/sequence.h"

// Numbers are written as they lie in memory.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the PLY writer swaps no bytes");

static void putHeader(snFileWriter* file, double time, int64_t vertices, int64_t triangles)
{
    char text[512], seconds[SN_NUMBER_SIZE];
    size_t digits = snNumber_Print(time, seconds);
    int n = snprintf(text, sizeof(text),
                     "ply\n"
                     "format binary_little_endian 1.0\n"
                     "comment time %.*s s\n"
                     "element vertex %" PRId64 "\n"
                     "property float x\nproperty float y\nproperty float z\n"
                     "property float nx\nproperty float ny\nproperty float nz\n"
                     "element face %" PRId64 "\n"
                     "property list uchar int vertex_indices\n"
                     "end_header\n",
                     (int)digits, seconds, vertices, triangles);
    snFileWriter_Write(file, text, (size_t)n);
}

static void putVertices(snFileWriter* file, const snFrameCharacter* c)
{
    const snFrameSurface* s = &c->surfaces[0];
    for (size_t i = 0; i < (size_t)s->vertex_count; ++i) {
        float vertex[6];
        snSink_Place(c, i, vertex);
        memcpy(vertex + 3, s->normal + 3 * i, 3 * sizeof(float));
        snFileWriter_Write(file, vertex, sizeof(vertex));
    }
}

// `before`: vertices of earlier characters
static void putTriangles(snFileWriter* file, const snFrameSurface* s, int32_t before)
{
    for (size_t i = 0; i < 3 * (size_t)s->triangle_count; i += 3) {
        uint8_t face[13] = {3};
        for (size_t k = 0; k < 3; ++k) {
            int32_t vertex = before + s->triangles[i + k];
            memcpy(face + 1 + 4 * k, &vertex, sizeof(vertex));
        }
        snFileWriter_Write(file, face, sizeof(face));
    }
}

static snStatus writePly(snSink* sink, const snFrame* frame, snMessage* why)
{
    snSequence* s = sink->state;
    int64_t vertices = 0, triangles = 0;
    for (int32_t i = 0; i < frame->character_count; ++i) {
        const snFrameCharacter* c = &frame->characters[i];
        vertices += c->surface_count > 0 ? c->surfaces[0].vertex_count : 0;
        triangles += c->surface_count > 0 ? c->surfaces[0].triangle_count : 0;
    }
    snStatus status = snSink_RequireSurface(frame, s->stem, "PLY", why);
    if (!status && vertices > INT32_MAX) {
        status = snFail(why, sn_errorUnsupported,
                        "cannot write '%s': PLY numbers at most %d vertices, found %" PRId64,
                        s->stem, INT32_MAX, vertices);
    }
    status = status ? status : snSequence_Begin(s, why);
    if (status) {
        return status;
    }
    putHeader(&s->file, frame->time, vertices, triangles);
    for (int32_t i = 0; i < frame->character_count; ++i) {
        if (frame->characters[i].surface_count > 0) {
            putVertices(&s->file, &frame->characters[i]);
        }
    }
    int32_t before = 0;
    for (int32_t i = 0; i < frame->character_count; ++i) {
        if (frame->characters[i].surface_count > 0) {
            putTriangles(&s->file, &frame->characters[i].surfaces[0], before);
            before += frame->characters[i].surfaces[0].vertex_count;
        }
    }
    return snSequence_End(s, why);
}

const snSinkFormat snPlyFormat = {".ply",
                                  "surfaces, a binary file per frame",
                                  snSequenceSink_Open,
                                  writePly,
                                  snSequenceSink_Finish,
                                  snSequenceSink_Release};
