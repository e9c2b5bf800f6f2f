// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/obj_sequence.h"

#include <string.h>

#include "base/file.h"
#include "base/message.h"
#include "base/number.h"

#define EXTENSION ".obj"

// "_", the digits of a count, the extension and the final 0
#define MOST_NUMBER 32

typedef struct Sequence {
    char stem[SN_PATH_SIZE]; // the path without its extension
    int64_t written;         // files that are there
    bool finished;
    snFileWriter file;
} Sequence;

static void pathOf(const Sequence* s, int64_t number, char path[SN_PATH_SIZE + MOST_NUMBER])
{
    snprintf(path, SN_PATH_SIZE + MOST_NUMBER, "%s_%04lld" EXTENSION, s->stem, (long long)number);
}

static snStatus openSequence(snSink* sink, const char* path, snMessage* why)
{
    size_t length = strlen(path) - strlen(EXTENSION);
    if (length + MOST_NUMBER > SN_PATH_SIZE) {
        return snFail(why, sn_errorArgument, "cannot write '%.100s': the path is too long", path);
    }
    Sequence* s = snArena_Push(&sink->arena, 1, sizeof(Sequence));
    if (!s) {
        return snFail(why, sn_errorMemory, "cannot write '%s': out of memory", path);
    }
    sink->state = s;
    memcpy(s->stem, path, length);
    // a folder that cannot be written to should show before hours of simulation
    char first[SN_PATH_SIZE + MOST_NUMBER];
    pathOf(s, 0, first);
    snStatus status = snFileWriter_Open(&s->file, first, why);
    snFileWriter_Abort(&s->file);
    return status;
}

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
    for (size_t i = 0; i < 3 * (size_t)s->vertex_count; i += 3) {
        const float* x = s->position + i;
        putVector(file, "v",
                  (const float[]){(float)(c->origin.x + (double)x[0]),
                                  (float)(c->origin.y + (double)x[1]),
                                  (float)(c->origin.z + (double)x[2])});
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
    Sequence* s = sink->state;
    char path[SN_PATH_SIZE + MOST_NUMBER];
    int64_t vertices = 0;
    pathOf(s, s->written, path);
    for (int32_t i = 0; i < frame->character_count; ++i) {
        const snFrameCharacter* c = &frame->characters[i];
        vertices += c->surface_count > 0 ? c->surfaces[0].vertex_count : 0;
    }
    if (vertices == 0) {
        return snFail(why, sn_errorUnsupported,
                      "cannot write '%s': the characters are bones alone, and OBJ holds surfaces; "
                      "write .glb, or give them flesh",
                      path);
    }
    snStatus status = snFileWriter_Open(&s->file, path, why);
    if (status) {
        return status;
    }
    vertices = 0;
    for (int32_t i = 0; i < frame->character_count; ++i) {
        const snFrameCharacter* c = &frame->characters[i];
        if (c->surface_count > 0) {
            putSurface(&s->file, sink->characters[i].name, c, vertices);
            vertices += c->surfaces[0].vertex_count;
        }
    }
    status = snFileWriter_Close(&s->file, why);
    s->written += status == sn_ok;
    return status;
}

static snStatus finishSequence(snSink* sink, snMessage* why)
{
    (void)why;
    ((Sequence*)sink->state)->finished = true;
    return sn_ok;
}

static void releaseSequence(snSink* sink)
{
    Sequence* s = sink->state;
    if (!s) {
        return;
    }
    snFileWriter_Abort(&s->file);
    for (int64_t i = 0; i < s->written && !s->finished; ++i) {
        char path[SN_PATH_SIZE + MOST_NUMBER];
        pathOf(s, i, path);
        remove(path);
    }
}

const snSinkFormat snObjFormat = {EXTENSION,      "surfaces, a file per frame",
                                  openSequence,   writeSequence,
                                  finishSequence, releaseSequence};
