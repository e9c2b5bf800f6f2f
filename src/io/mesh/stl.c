// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/mesh/stl.h"

#include <string.h>

#include "io/mesh/cursor.h"

#define HEADER 84   // 80 bytes of anything, then the number of triangles
#define TRIANGLE 50 // bytes: normal, three corners, two bytes of anything
#define GLANCE 1024 // bytes in which a text has shown what it is

static uint64_t promised(const uint8_t* bytes)
{
    return (uint64_t)bytes[80] | (uint64_t)bytes[81] << 8 | (uint64_t)bytes[82] << 16 |
           (uint64_t)bytes[83] << 24;
}

bool snStl_Fits(const uint8_t* bytes, size_t count)
{
    return count > HEADER && HEADER + TRIANGLE * promised(bytes) == count;
}

bool snStl_IsBinary(const uint8_t* bytes, size_t count)
{
    if (snStl_Fits(bytes, count)) {
        return true;
    }
    size_t glance = count < GLANCE ? count : GLANCE;
    snCursor c = snCursor_Start(bytes, glance, 0, NULL);
    return !snWord_IsLike(snCursor_Word(&c), "solid") ||
           (glance > 0 && memchr(bytes, 0, glance) != NULL);
}

static snStatus allocate(snArena* arena, int64_t triangles, snSurface* s, snMessage* why)
{
    // every triangle has three vertices of its own until they are joined
    *s = (snSurface){(int32_t)(3 * triangles), (int32_t)triangles,
                     snArena_Push(arena, 3 * (size_t)triangles, sizeof(snVec3)),
                     snArena_Push(arena, 3 * (size_t)triangles, sizeof(int32_t))};
    if (!s->position || !s->triangle) {
        return snFail(why, sn_errorMemory, "out of memory for %lld triangles",
                      (long long)triangles);
    }
    for (int32_t i = 0; i < s->vertex_count; ++i) {
        s->triangle[i] = i;
    }
    return sn_ok;
}

static snStatus checkCount(const snCursor* c, int64_t triangles)
{
    if (triangles == 0) {
        return snCursor_Fail(c, "no surface in it: 0 triangles");
    }
    return 3 * triangles > SN_MOST_VERTICES
               ? snCursor_Refuse(c,
                                 "%lld triangles are more than the limit of %lld; simplify the "
                                 "mesh",
                                 (long long)triangles, (long long)(SN_MOST_VERTICES / 3))
               : sn_ok;
}

// Binary -------------------------------------------------------------------------

static snStatus readBinary(snArena* arena, const uint8_t* bytes, size_t count, snSurface* s,
                           snMessage* why)
{
    snCursor c = snCursor_Start(bytes, count, 0, why);
    c.binary = true;
    if (count < HEADER) {
        return snCursor_Fail(&c, "a binary STL begins with %d bytes, this file has %zu; it is cut",
                             HEADER, count);
    }
    c.at = c.start + 80;
    int64_t triangles = (int64_t)snCursor_Bits(&c, 4);
    // a lie about the size before any limit: the number may be no number at all
    if ((uint64_t)triangles > snCursor_Left(&c) / TRIANGLE) {
        return snCursor_Fail(&c,
                             "it promises %lld triangles, only %zu bytes follow, enough for %zu: "
                             "cut, or not an STL; copy or save it again",
                             (long long)triangles, snCursor_Left(&c), snCursor_Left(&c) / TRIANGLE);
    }
    snStatus status = checkCount(&c, triangles);
    status = status ? status : allocate(arena, triangles, s, why);
    for (int64_t t = 0; t < triangles && !status; ++t) {
        c.at += 12;
        for (int k = 0; k < 3 && !status; ++k) {
            double x = snCursor_Float(&c), y = snCursor_Float(&c), z = snCursor_Float(&c);
            s->position[3 * t + k] = snV3(x, y, z);
            if (!(fabs(x) < HUGE_VAL && fabs(y) < HUGE_VAL && fabs(z) < HUGE_VAL)) {
                c.at -= 12;
                status = snCursor_Fail(&c, "triangle %lld has a coordinate that is not finite",
                                       (long long)t);
            }
        }
        c.at += 2;
    }
    return status;
}

// Text ---------------------------------------------------------------------------

static snStatus expect(snCursor* c, const char* text)
{
    snWord word = snCursor_Word(c);
    if (word.length == 0) {
        return snCursor_Fail(c, "expected '%s', found the end of the file; it is cut", text);
    }
    return snWord_IsLike(word, text) ? sn_ok
                                     : snCursor_Fail(c, "expected '%s', found '%.*s'", text,
                                                     snWord_Shown(word), word.text);
}

// From behind `facet`. The normal may be missing or nonsense: nobody needs it.
static snStatus readFacet(snCursor* c, snVec3* corner)
{
    snCursor ahead = *c;
    for (int k = 0; k < 4 && !snWord_IsLike(snCursor_Word(&ahead), "outer"); ++k) {
        *c = ahead;
    }
    snStatus status = expect(c, "outer");
    status = status ? status : expect(c, "loop");
    for (int k = 0; k < 3 && !status; ++k) {
        double x[3];
        status = expect(c, "vertex");
        status =
            status ? status : snCursor_Reals(c, false, 3, x, "the three coordinates of a vertex");
        if (!status && corner) {
            corner[k] = snV3(x[0], x[1], x[2]);
        }
    }
    status = status ? status : expect(c, "endloop");
    return status ? status : expect(c, "endfacet");
}

// Names of solids may hold anything but a new line.
static snStatus readSolids(snCursor* c, snVec3* position, int64_t* triangles)
{
    snStatus status = sn_ok;
    bool open = false;
    *triangles = 0;
    for (snWord word = snCursor_Word(c); word.length > 0 && !status; word = snCursor_Word(c)) {
        bool begins = snWord_IsLike(word, "solid"), ends = snWord_IsLike(word, "endsolid");
        if (begins || ends) {
            snCursor_NextLine(c);
            open = begins;
        } else if (snWord_IsLike(word, "facet")) {
            status = readFacet(c, position ? position + 3 * *triangles : NULL);
            ++*triangles;
        } else {
            status = snCursor_Fail(c, "expected 'facet' or 'endsolid', found '%.*s'",
                                   snWord_Shown(word), word.text);
        }
    }
    if (!status && open) {
        status = snCursor_Fail(c, "expected 'endsolid', found the end of the file; it is cut");
    }
    return status ? status : checkCount(c, *triangles);
}

static snStatus readText(snArena* arena, const uint8_t* bytes, size_t count, snSurface* s,
                         snMessage* why)
{
    snCursor first = snCursor_Start(bytes, count, 0, why), second = first;
    int64_t triangles;
    snStatus status = readSolids(&first, NULL, &triangles);
    status = status ? status : allocate(arena, triangles, s, why);
    return status ? status : readSolids(&second, s->position, &triangles);
}

snStatus snStl_Parse(snArena* arena, const uint8_t* bytes, size_t count, snSurface* out,
                     snMessage* why)
{
    memset(out, 0, sizeof *out);
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    snSurface soup, welded;
    snStatus status = snStl_IsBinary(bytes, count) ? readBinary(&scratch, bytes, count, &soup, why)
                                                   : readText(&scratch, bytes, count, &soup, why);
    status = status ? status : snSurface_Weld(arena, &soup, &welded, NULL, why);
    snArena_Free(&scratch);
    if (!status) {
        *out = welded;
        snMessage_Clear(why);
    }
    return status;
}
