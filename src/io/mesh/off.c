// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/mesh/off.h"

#include <string.h>

#include "io/mesh/cursor.h"
#include "io/mesh/fan.h"

// "0 0 0\n", "0\n"
#define LEAST_VERTEX 6
#define LEAST_FACE 2

// What stands before OFF in the keyword, or NULL if it does not end so.
static const char* prefixOf(snWord word, size_t* length)
{
    *length = word.length < 3 ? 0 : word.length - 3;
    snWord tail = {word.text + *length, word.length - *length};
    return word.length >= 3 && snWord_IsLike(tail, "OFF") ? word.text : NULL;
}

static bool skip(const char** at, const char* end, const char* text)
{
    size_t length = strlen(text);
    bool there = (size_t)(end - *at) >= length && memcmp(*at, text, length) == 0;
    *at += there ? length : 0;
    return there;
}

// [ST][C][N][4][n]OFF. Positions come first whatever else a vertex has.
static snStatus readKeyword(snCursor* c, snWord word)
{
    size_t length;
    const char* at = prefixOf(word, &length);
    if (!at) {
        return snCursor_Fail(c, "'%.*s' is not OFF; is this another kind of file?",
                             snWord_Shown(word), word.text);
    }
    const char* end = at + length;
    skip(&at, end, "ST");
    skip(&at, end, "C");
    skip(&at, end, "N");
    if (at != end) {
        return snCursor_Refuse(c, "'%.*s' has other coordinates than x, y, z; save it as plain OFF",
                               snWord_Shown(word), word.text);
    }
    snCursor ahead = *c;
    if (snWord_IsLike(snCursor_LineWord(&ahead), "BINARY")) {
        return snCursor_Refuse(c, "binary OFF is not read; save it as text");
    }
    return sn_ok;
}

static snStatus readHeader(snCursor* c, int64_t* vertices, int64_t* faces)
{
    snCursor ahead = *c;
    int64_t number;
    snWord word = snCursor_Word(&ahead);
    snStatus status = sn_ok;
    if (!snWord_Integer(word, &number)) {
        *c = ahead;
        status = readKeyword(c, word);
    }
    status = status ? status : snCursor_Count(c, false, "the number of vertices", vertices);
    status = status ? status : snCursor_Count(c, false, "the number of faces", faces);
    // the number of edges may be missing, and nobody needs it
    snCursor_NextLine(c);
    status = status ? status
                    : snCursor_Promise(c, *vertices, LEAST_VERTEX, SN_MOST_VERTICES, "vertices");
    return status ? status : snCursor_Promise(c, *faces, LEAST_FACE, SN_MOST_CELLS, "faces");
}

static snStatus readVertices(snCursor* c, int64_t count, snVec3* position)
{
    for (int64_t i = 0; i < count; ++i) {
        double x[3];
        snStatus status = snCursor_Reals(c, true, 3, x, "the three coordinates of a vertex");
        if (status) {
            return status;
        }
        position[i] = snV3(x[0], x[1], x[2]);
        snCursor_NextLine(c);
    }
    return sn_ok;
}

static snStatus readFaces(snCursor* c, int64_t count, int64_t vertices, snFan* fan)
{
    for (int64_t i = 0; i < count; ++i) {
        int64_t corners, vertex;
        snStatus status = snCursor_Count(c, true, "a face's number of corners", &corners);
        snFan_Begin(fan);
        for (int64_t k = 0; k < corners && !status; ++k) {
            status = snCursor_Integer(c, true, "a corner of a face", &vertex);
            if (!status && (vertex < 0 || vertex >= vertices)) {
                status = snCursor_Fail(c,
                                       "face %lld names vertex %lld, but the file has %lld "
                                       "(numbered from 0)",
                                       (long long)i, (long long)vertex, (long long)vertices);
            }
            if (!status) {
                snFan_Corner(fan, (int32_t)vertex);
            }
        }
        if (status) {
            return status;
        }
        snCursor_NextLine(c);
    }
    if (fan->triangles == 0) {
        return snCursor_Fail(c, "no surface in it: %lld vertices, but no face of three corners",
                             (long long)vertices);
    }
    return fan->triangles > SN_MOST_CELLS
               ? snCursor_Refuse(c, "more than %lld triangles; simplify the mesh",
                                 (long long)SN_MOST_CELLS)
               : sn_ok;
}

snStatus snOff_Parse(snArena* arena, const char* text, size_t length, snSurface* out,
                     snMessage* why)
{
    memset(out, 0, sizeof *out);
    snCursor c = snCursor_Start(text, length, '#', why);
    int64_t vertices, faces;
    snStatus status = readHeader(&c, &vertices, &faces);
    if (status) {
        return status;
    }
    snSurface s = {.vertex_count = (int32_t)vertices,
                   .position = snArena_Push(arena, (size_t)vertices, sizeof(snVec3))};
    if (!s.position) {
        return snFail(why, sn_errorMemory, "out of memory for %lld vertices", (long long)vertices);
    }
    status = readVertices(&c, vertices, s.position);
    snCursor again = c;
    snFan fan = {0};
    status = status ? status : readFaces(&c, faces, vertices, &fan);
    if (status) {
        return status;
    }
    s.triangle_count = (int32_t)fan.triangles;
    s.triangle = snArena_Push(arena, 3 * (size_t)fan.triangles, sizeof(int32_t));
    if (!s.triangle) {
        return snFail(why, sn_errorMemory, "out of memory for %lld triangles",
                      (long long)fan.triangles);
    }
    fan = (snFan){.triangle = s.triangle};
    status = readFaces(&again, faces, vertices, &fan);
    if (!status) {
        *out = s;
        snMessage_Clear(why);
    }
    return status;
}
