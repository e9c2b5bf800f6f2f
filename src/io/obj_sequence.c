// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/obj_sequence.h"

#include <string.h>

#include "base/number.h"
#include "io/sequence.h"

static void putText(snFileWriter* file, const char* text)
{
    snFileWriter_Write(file, text, strlen(text));
}

static void putVector(snFileWriter* file, const char* word, const float v[3])
{
    char text[3 * SN_NUMBER_SIZE + 8];
    size_t n = 0;
    putText(file, word);
    for (int k = 0; k < 3; ++k) {
        text[n++] = ' ';
        n += snNumber_PrintFloat(v[k], text + n);
    }
    text[n++] = '\n';
    snFileWriter_Write(file, text, n);
}

// A name may hold blanks, but must not end the line.
static void putName(snFileWriter* file, const char* name)
{
    putText(file, "o ");
    for (const char* c = name; *c; ++c) {
        char plain = (unsigned char)*c < 0x20 || *c == '\\' ? '_' : *c;
        snFileWriter_Write(file, &plain, 1);
    }
    putText(file, "\n");
}

// Vertices of a file are numbered from 1 through all objects; `before`: those of earlier ones
static void putSurface(snFileWriter* file, const char* name, const snFrameCharacter* c,
                       int64_t before)
{
    const snFrameSurface* s = &c->surfaces[0];
    putName(file, name);
    for (size_t i = 0; i < (size_t)s->vertex_count; ++i) {
        float x[3];
        snSink_Place(c, i, x);
        putVector(file, "v", x);
    }
    for (size_t i = 0; i < 3 * (size_t)s->vertex_count; i += 3) {
        putVector(file, "vn", s->normal + i);
    }
    for (size_t i = 0; i < 3 * (size_t)s->triangle_count; i += 3) {
        char text[160];
        long long v[3];
        for (size_t k = 0; k < 3; ++k) {
            v[k] = before + 1 + s->triangles[i + k];
        }
        int n = snprintf(text, sizeof(text), "f %lld//%lld %lld//%lld %lld//%lld\n", v[0], v[0],
                         v[1], v[1], v[2], v[2]);
        snFileWriter_Write(file, text, (size_t)n);
    }
}

static snStatus writeSequence(snSink* sink, const snFrame* frame, snMessage* why)
{
    snSequence* s = sink->state;
    int64_t vertices = 0;
    snStatus status = snSink_RequireSurface(frame, s->stem, "OBJ", why);
    status = status ? status : snSequence_Begin(s, why);
    if (status) {
        return status;
    }
    for (int32_t i = 0; i < frame->character_count; ++i) {
        const snFrameCharacter* c = &frame->characters[i];
        if (c->surface_count > 0) {
            putSurface(&s->file, sink->characters[i].name, c, vertices);
            vertices += c->surfaces[0].vertex_count;
        }
    }
    return snSequence_End(s, why);
}

const snSinkFormat snObjFormat = {
    ".obj",        "surfaces, a file per frame", snSequenceSink_Open,
    writeSequence, snSequenceSink_Finish,        snSequenceSink_Release};
