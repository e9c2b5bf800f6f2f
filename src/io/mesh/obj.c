// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/mesh/obj.h"

#include <string.h>

#include "base/file.h"
#include "base/message.h"
#include "base/number.h"
#include "io/mesh/cursor.h"

#define MOST_BYTES ((size_t)1 << 30)
#define MOST_VERTICES ((int64_t)1 << 27)  // 3 GiB of positions
#define MOST_TRIANGLES ((int64_t)1 << 28) // 3 indices each, times 3 must stay an int32_t
#define SHOWN 40                          // bytes of the file that a message quotes

// Lines and words ----------------------------------------------------------------

// A place in the text. The first of two passes counts, the second fills the surface.
typedef struct Reader {
    const char* at;
    const char* end;
    int64_t line;
    int64_t vertices, triangles; // so far
    snSurface* surface;          // NULL while counting
    const char* stranger;        // the first word that OBJ does not have
    int64_t stranger_line;
    int stranger_length;
    snMessage* why;
} Reader;

static size_t newlineAt(const Reader* r, const char* c)
{
    if (c == r->end) {
        return 0;
    }
    return *c == '\n' ? 1 : *c != '\r' ? 0 : c + 1 < r->end && c[1] == '\n' ? 2 : 1;
}

// A backslash before the end of a line makes the next one part of it.
static size_t continuationAt(const Reader* r, const char* c)
{
    size_t newline = c < r->end && *c == '\\' ? newlineAt(r, c + 1) : 0;
    return newline ? newline + 1 : 0;
}

static bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static snWord nextWord(Reader* r)
{
    size_t skip;
    while (r->at < r->end && (isBlank(*r->at) || continuationAt(r, r->at))) {
        skip = continuationAt(r, r->at);
        r->at += skip ? skip : 1;
        r->line += skip > 0;
    }
    snWord word = {r->at, 0};
    if (r->at < r->end && *r->at == '#') {
        return word;
    }
    while (r->at < r->end && !isBlank(*r->at) && !newlineAt(r, r->at) &&
           !continuationAt(r, r->at)) {
        ++r->at;
    }
    word.length = (size_t)(r->at - word.text);
    return word;
}

// Comments end with their line, whatever its last character.
static void endLine(Reader* r)
{
    bool comment = false;
    while (r->at < r->end && !newlineAt(r, r->at)) {
        size_t skip = comment ? 0 : continuationAt(r, r->at);
        comment |= *r->at == '#';
        r->at += skip ? skip : 1;
        r->line += skip > 0;
    }
    r->at += newlineAt(r, r->at);
    ++r->line;
}

static bool isWord(snWord word, const char* text)
{
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

static int shownLength(snWord word)
{
    return word.length < SHOWN ? (int)word.length : SHOWN;
}

// Numbers ------------------------------------------------------------------------

static bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

// One index of a corner; *used bytes. False when there is none or it is out of all bounds.
static bool parseIndex(const char* text, size_t length, int64_t* out, size_t* used)
{
    size_t i = length > 0 && (text[0] == '-' || text[0] == '+');
    size_t first = i;
    int64_t value = 0;
    for (; i < length && isDigit(text[i]); ++i) {
        value = value > INT32_MAX ? value : 10 * value + (text[i] - '0');
    }
    *used = i;
    *out = text[0] == '-' ? -value : value;
    return i > first;
}

// Statements ---------------------------------------------------------------------

// Extra numbers are a weight or a colour.
static snStatus readVertex(Reader* r)
{
    double xyz[3];
    for (int k = 0; k < 3; ++k) {
        snWord word = nextWord(r);
        if (word.length == 0) {
            return snFail(r->why, sn_errorFile,
                          "line %lld: 'v' needs three coordinates, found %d; the file may be cut",
                          (long long)r->line, k);
        }
        if (!snWord_Real(word, &xyz[k])) {
            return snFail(r->why, sn_errorFile,
                          "line %lld: '%.*s' is not a finite number; export the mesh again with "
                          "plain decimal coordinates",
                          (long long)r->line, shownLength(word), word.text);
        }
    }
    if (r->surface) {
        r->surface->position[r->vertices] = snV3(xyz[0], xyz[1], xyz[2]);
    }
    ++r->vertices;
    return sn_ok;
}

// v, v/vt, v//vn or v/vt/vn; only v is looked at.
static snStatus readCorner(const Reader* r, snWord word, int32_t* vertex)
{
    int64_t index = 0, ignored;
    size_t used = 0, at;
    bool sound = parseIndex(word.text, word.length, &index, &used);
    at = used;
    for (int k = 0; sound && k < 2 && at < word.length && word.text[at] == '/'; ++k) {
        ++at;
        bool empty = at == word.length || word.text[at] == '/';
        sound = empty || parseIndex(word.text + at, word.length - at, &ignored, &used);
        at += empty ? 0 : used;
    }
    if (!sound || at != word.length) {
        return snFail(r->why, sn_errorFile,
                      "line %lld: '%.*s' is not a corner; expected v, v/vt, v//vn or v/vt/vn",
                      (long long)r->line, shownLength(word), word.text);
    }
    // negative: back from the newest vertex; positive: also vertices that are still to come
    int64_t count = r->surface ? r->surface->vertex_count : MOST_VERTICES;
    int64_t target = index < 0 ? r->vertices + index : index - 1;
    if (index == 0 || target < 0 || target >= (index < 0 ? r->vertices : count)) {
        return snFail(r->why, sn_errorFile,
                      "line %lld: there is no vertex %lld; the file has %lld (numbered from 1, or "
                      "from -1 backwards); it may be cut or joined from several",
                      (long long)r->line, (long long)index,
                      (long long)(index < 0 ? r->vertices : count));
    }
    *vertex = (int32_t)target;
    return sn_ok;
}

static snStatus readFace(Reader* r)
{
    int32_t first = 0, last = 0, vertex = 0;
    int64_t corners = 0;
    for (snWord word = nextWord(r); word.length > 0; word = nextWord(r), ++corners) {
        // while counting, the number of vertices is not known yet
        snStatus status = r->surface ? readCorner(r, word, &vertex) : sn_ok;
        if (status) {
            return status;
        }
        if (corners >= 2) {
            if (r->surface) {
                int32_t* t = r->surface->triangle + 3 * r->triangles;
                t[0] = first, t[1] = last, t[2] = vertex;
            }
            ++r->triangles;
        }
        first = corners == 0 ? vertex : first;
        last = vertex;
    }
    if (corners < 3) {
        return snFail(r->why, sn_errorFile,
                      "line %lld: a face needs three corners, found %lld; the file may be cut",
                      (long long)r->line, (long long)corners);
    }
    return sn_ok;
}

static bool isKnown(snWord word)
{
    static const char* const known[] = {"vt", "vn", "vp",     "g",      "o",   "s",
                                        "mg", "l",  "p",      "usemtl", "lod", "mtllib",
                                        "v",  "f",  "usemap", "maplib"};
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); ++i) {
        if (isWord(word, known[i])) {
            return true;
        }
    }
    return false;
}

static snStatus readAll(Reader* r)
{
    while (r->at < r->end) {
        snWord word = nextWord(r);
        snStatus status = sn_ok;
        if (isWord(word, "v")) {
            status = readVertex(r);
        } else if (isWord(word, "f")) {
            status = readFace(r);
        } else if (word.length > 0 && !r->stranger && !isKnown(word)) {
            r->stranger = word.text;
            r->stranger_length = shownLength(word);
            r->stranger_line = r->line;
        }
        if (status) {
            return status;
        }
        if (r->vertices > MOST_VERTICES || r->triangles > MOST_TRIANGLES) {
            return snFail(r->why, sn_errorUnsupported,
                          "line %lld: more than %lld vertices or %lld triangles; simplify the mesh",
                          (long long)r->line, (long long)MOST_VERTICES, (long long)MOST_TRIANGLES);
        }
        endLine(r);
    }
    return sn_ok;
}

// Reading ------------------------------------------------------------------------

static snStatus checkCounts(const Reader* r)
{
    if (r->vertices > 0 && r->triangles > 0) {
        return sn_ok;
    }
    if (r->stranger) {
        return snFail(r->why, sn_errorFile,
                      "no surface in it: %lld vertices, %lld faces; line %lld begins with '%.*s', "
                      "which is not OBJ; is this another kind of file?",
                      (long long)r->vertices, (long long)r->triangles, (long long)r->stranger_line,
                      r->stranger_length, r->stranger);
    }
    return snFail(r->why, sn_errorFile,
                  "no surface in it: %lld vertices, %lld faces; a mesh with faces is needed",
                  (long long)r->vertices, (long long)r->triangles);
}

snStatus snObj_Parse(snArena* arena, const char* text, size_t length, snSurface* out,
                     snMessage* why)
{
    memset(out, 0, sizeof(*out));
    const char* zero = length > 0 ? memchr(text, 0, length) : NULL;
    if (zero) {
        return snFail(why, sn_errorFile,
                      "byte %lld is 0, so this is not text; OBJ is needed, not a binary format",
                      (long long)(zero - text));
    }
    bool marked = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
    Reader first = {.at = text + (marked ? 3 : 0), .end = text + length, .line = 1, .why = why};
    Reader second = first;
    snStatus status = readAll(&first);
    if (!status) {
        status = checkCounts(&first);
    }
    if (status) {
        return status;
    }
    snSurface surface = {(int32_t)first.vertices, (int32_t)first.triangles,
                         snArena_Push(arena, (size_t)first.vertices, sizeof(snVec3)),
                         snArena_Push(arena, 3 * (size_t)first.triangles, sizeof(int32_t))};
    if (!surface.position || !surface.triangle) {
        return snFail(why, sn_errorMemory, "out of memory for %lld vertices and %lld triangles",
                      (long long)first.vertices, (long long)first.triangles);
    }
    second.surface = &surface;
    status = readAll(&second);
    if (!status) {
        *out = surface;
        snMessage_Clear(why);
    }
    return status;
}

snStatus snObj_Read(snArena* arena, const char* path, snSurface* out, snMessage* why)
{
    uint8_t* bytes;
    size_t count;
    memset(out, 0, sizeof(*out));
    snStatus status = snFile_Read(&arena->host, path, MOST_BYTES, &bytes, &count, why);
    if (status) {
        return status;
    }
    status = snObj_Parse(arena, (const char*)bytes, count, out, why);
    snHost_Release(&arena->host, bytes, count + 1);
    if (status) {
        snMessage_Prefix(why, "%s", path);
    }
    return status;
}
