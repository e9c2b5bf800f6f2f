// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/mesh/ply.h"

#include <string.h>

#include "io/mesh/cursor.h"
#include "io/mesh/fan.h"

#define MOST_ELEMENTS 64
#define MOST_PROPERTIES 512

typedef enum Type {
    typeI8,
    typeU8,
    typeI16,
    typeU16,
    typeI32,
    typeU32,
    typeI64,
    typeU64,
    typeF32,
    typeF64,
    typeNone,
} Type;

static const int BYTES[typeNone] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
static const char* const OLD_NAMES[typeNone] = {"char", "uchar", "short", "ushort", "int",
                                                "uint", "long",  "ulong", "float",  "double"};
static const char* const NEW_NAMES[typeNone] = {"int8",   "uint8", "int16",  "uint16",  "int32",
                                                "uint32", "int64", "uint64", "float32", "float64"};

typedef enum Role { roleNone = -1, roleX, roleY, roleZ, roleCorners } Role;

typedef struct Property {
    Type type;
    Type count_type; // of the length of a list; typeNone: a single number
    Role role;
} Property;

typedef enum Kind { kindOther, kindVertex, kindFace } Kind;

typedef struct Element {
    Kind kind;
    int64_t count;
    int first, end; // of its properties
    size_t bytes;   // of one, in binary; of one with empty lists, when there are lists
    bool lists;
} Element;

typedef struct Reader {
    snCursor c;
    bool text; // numbers are words
    bool strips;
    Element element[MOST_ELEMENTS];
    Property property[MOST_PROPERTIES];
    int elements, properties;
    int64_t vertices; // as the header says
    bool found[2];    // vertices, faces
    snVec3* position; // NULL in the first pass, which counts
    snFan fan;
} Reader;

// Header -------------------------------------------------------------------------

static snStatus readType(Reader* r, Type* type)
{
    snWord word = snCursor_LineWord(&r->c);
    for (*type = typeI8; *type < typeNone; ++*type) {
        if (snWord_Is(word, OLD_NAMES[*type]) || snWord_Is(word, NEW_NAMES[*type])) {
            return sn_ok;
        }
    }
    return snCursor_Fail(&r->c, "'%.*s' is not a type of PLY", snWord_Shown(word), word.text);
}

static Role roleOf(const Element* e, snWord name, bool list)
{
    if (e->kind == kindFace) {
        bool known = snWord_Is(name, "vertex_indices") || snWord_Is(name, "vertex_index");
        return list && known ? roleCorners : roleNone;
    }
    if (e->kind != kindVertex || list) {
        return roleNone;
    }
    return snWord_Is(name, "x")   ? roleX
           : snWord_Is(name, "y") ? roleY
           : snWord_Is(name, "z") ? roleZ
                                  : roleNone;
}

static snStatus readProperty(Reader* r)
{
    Property p = {.count_type = typeNone};
    if (r->elements == 0) {
        return snCursor_Fail(&r->c, "a property before the first element");
    }
    if (r->properties == MOST_PROPERTIES) {
        return snCursor_Refuse(&r->c, "more than %d properties", MOST_PROPERTIES);
    }
    Element* e = &r->element[r->elements - 1];
    snCursor ahead = r->c;
    bool list = snWord_Is(snCursor_LineWord(&ahead), "list");
    snStatus status = sn_ok;
    if (list) {
        r->c = ahead;
        status = readType(r, &p.count_type);
        if (!status && p.count_type >= typeF32) {
            status = snCursor_Fail(&r->c, "the length of a list must be of a whole type");
        }
    }
    status = status ? status : readType(r, &p.type);
    if (!status) {
        p.role = roleOf(e, snCursor_LineWord(&r->c), list);
        e->lists |= list;
        e->bytes += (size_t)BYTES[list ? p.count_type : p.type];
        r->property[r->properties++] = p;
        e->end = r->properties;
    }
    return status;
}

static snStatus readElement(Reader* r)
{
    if (r->elements == MOST_ELEMENTS) {
        return snCursor_Refuse(&r->c, "more than %d elements", MOST_ELEMENTS);
    }
    Element e = {.first = r->properties, .end = r->properties};
    snWord name = snCursor_LineWord(&r->c);
    snStatus status = snCursor_Count(&r->c, true, "the number of elements", &e.count);
    e.kind = snWord_Is(name, "vertex") ? kindVertex
             : snWord_Is(name, "face") ? kindFace
                                       : kindOther;
    r->strips |= snWord_Is(name, "tristrips");
    if (!status && e.kind && r->found[e.kind - kindVertex]) {
        status = snCursor_Fail(&r->c, "a second element '%.*s'", snWord_Shown(name), name.text);
    }
    if (!status && e.kind) {
        r->found[e.kind - kindVertex] = true;
        r->vertices = e.kind == kindVertex ? e.count : r->vertices;
    }
    r->element[r->elements++] = e;
    return status;
}

static snStatus readFormat(Reader* r)
{
    snWord word = snCursor_LineWord(&r->c), version = snCursor_LineWord(&r->c);
    r->text = snWord_Is(word, "ascii");
    r->c.big = snWord_Is(word, "binary_big_endian");
    if (!r->text && !r->c.big && !snWord_Is(word, "binary_little_endian")) {
        return snCursor_Fail(&r->c,
                             "'%.*s' is not a format of PLY; there are ascii, "
                             "binary_little_endian and binary_big_endian",
                             snWord_Shown(word), word.text);
    }
    return snWord_Is(version, "1.0") ? sn_ok
                                     : snCursor_Refuse(&r->c, "PLY %.*s is not known, only 1.0",
                                                       snWord_Shown(version), version.text);
}

// Behind end_header exactly one new line follows, of the kind that ends the first line.
static void skipNewline(Reader* r)
{
    snCursor* c = &r->c;
    const char* first = c->start;
    while (*first != '\n' && *first != '\r') {
        ++first; // there is one: end_header stands on a later line
    }
    bool two = first[0] == '\r' && first[1] == '\n';
    while (c->at < c->end && *c->at == ' ') {
        ++c->at;
    }
    size_t size = two && snCursor_Left(c) > 1 && c->at[0] == '\r' ? 2 : 1;
    c->at += snCursor_Left(c) < size ? snCursor_Left(c) : size;
}

// Do the elements have what a surface needs?
static snStatus checkHeader(Reader* r)
{
    int xyz = 0, corners = 0;
    for (int i = 0; i < r->properties; ++i) {
        Role role = r->property[i].role;
        xyz |= role >= roleX && role <= roleZ ? 1 << role : 0;
        corners += role == roleCorners;
    }
    if (!r->found[0] || xyz != 7) {
        return snCursor_Fail(&r->c, "the header has no element 'vertex' with x, y and z");
    }
    if (!r->found[1] && r->strips) {
        return snCursor_Refuse(&r->c,
                               "the surface is made of triangle strips; save it with 'face's");
    }
    if (!r->found[1]) {
        return snCursor_Fail(&r->c,
                             "no surface in it: %lld points without faces; make a mesh of "
                             "the point cloud first",
                             (long long)r->vertices);
    }
    if (corners != 1) {
        return snCursor_Fail(&r->c, "the element 'face' needs one list 'vertex_indices', it has %d",
                             corners);
    }
    return sn_ok;
}

static snStatus readHeader(Reader* r)
{
    bool format = false, done = false;
    snStatus status = sn_ok;
    snWord word = snCursor_Word(&r->c);
    if (!snWord_Is(word, "ply")) {
        return snCursor_Fail(&r->c, "a PLY file begins with 'ply', this one with '%.*s'",
                             snWord_Shown(word), word.text);
    }
    while (!status && !done) {
        snCursor_NextLine(&r->c);
        word = snCursor_LineWord(&r->c);
        if (snWord_Is(word, "format")) {
            status = readFormat(r);
            format = true;
        } else if (snWord_Is(word, "element")) {
            status = readElement(r);
        } else if (snWord_Is(word, "property")) {
            status = readProperty(r);
        } else if (snWord_Is(word, "end_header")) {
            done = true;
        } else if (!snWord_Is(word, "comment") && !snWord_Is(word, "obj_info")) {
            status = snCursor_Fail(&r->c, "'%.*s' is not a line of a PLY header; it may be cut",
                                   snWord_Shown(word), word.text);
        }
    }
    if (!status && !format) {
        status = snCursor_Fail(&r->c, "the header does not say its format");
    }
    status = status ? status : checkHeader(r);
    if (!status && r->text) {
        snCursor_NextLine(&r->c);
    } else if (!status) {
        skipNewline(r);
        r->c.binary = true;
    }
    return status;
}

// Values -------------------------------------------------------------------------

static double toNumber(uint64_t bits, Type type)
{
    switch (type) {
    case typeI8:
        return (int8_t)bits;
    case typeI16:
        return (int16_t)bits;
    case typeI32:
        return (int32_t)bits;
    case typeI64:
        return (double)(int64_t)bits;
    default:
        return (double)bits;
    }
}

// NaN when a word is no number: whoever needs it looks.
static snStatus readValue(Reader* r, Type type, double* out)
{
    snCursor* c = &r->c;
    if (r->text) {
        snWord word = snCursor_LineWord(c);
        if (word.length == 0) {
            return snCursor_Fail(c, "expected more numbers, found the end of the %s",
                                 c->at == c->end ? "file; it is cut" : "line");
        }
        *out = snWord_Real(word, out) ? *out : (double)NAN;
        return sn_ok;
    }
    if (snCursor_Left(c) < (size_t)BYTES[type]) {
        return snCursor_Fail(c, "expected more numbers, found the end of the file; it is cut");
    }
    *out = type == typeF32   ? snCursor_Float(c)
           : type == typeF64 ? snCursor_Double(c)
                             : toNumber(snCursor_Bits(c, BYTES[type]), type);
    return sn_ok;
}

static snStatus readCorner(Reader* r, Type type, int64_t face)
{
    double value;
    snStatus status = readValue(r, type, &value);
    if (!status && !(value >= 0 && value < (double)r->vertices && value == floor(value))) {
        status = snCursor_Fail(&r->c,
                               "face %lld names a vertex that is not there; the file has %lld "
                               "(numbered from 0)",
                               (long long)face, (long long)r->vertices);
    }
    if (!status) {
        snFan_Corner(&r->fan, (int32_t)value);
    }
    return status;
}

static snStatus readList(Reader* r, const Property* p, int64_t item)
{
    double length = 0, ignored;
    snStatus status = readValue(r, p->count_type, &length);
    if (!status && !(length >= 0 && length <= (double)snCursor_Left(&r->c))) {
        status = snCursor_Fail(&r->c, "a list of %g numbers cannot be; the file is cut or damaged",
                               length);
    }
    snFan_Begin(&r->fan);
    for (double k = 0; !status && k < length; ++k) {
        status =
            p->role == roleCorners ? readCorner(r, p->type, item) : readValue(r, p->type, &ignored);
    }
    return status;
}

static snStatus readItem(Reader* r, const Element* e, int64_t item)
{
    double xyz[3] = {0}, value = 0;
    snStatus status = sn_ok;
    for (int i = e->first; i < e->end && !status; ++i) {
        const Property* p = &r->property[i];
        if (p->count_type != typeNone) {
            status = readList(r, p, item);
            continue;
        }
        status = readValue(r, p->type, &value);
        if (!status && p->role >= roleX && p->role <= roleZ) {
            xyz[p->role] = value;
            if (!(fabs(value) < HUGE_VAL)) {
                status = snCursor_Fail(&r->c, "vertex %lld has a coordinate that is not finite",
                                       (long long)item);
            }
        }
    }
    if (!status && e->kind == kindVertex && r->position) {
        r->position[item] = snV3(xyz[0], xyz[1], xyz[2]);
    }
    if (r->text) {
        snCursor_NextLine(&r->c);
    }
    return status;
}

// A line holds a word and a separator for each property.
static snStatus promise(const Reader* r, const Element* e)
{
    size_t least = r->text ? 2 * (size_t)(e->end - e->first) : e->bytes;
    return snCursor_Promise(&r->c, e->count, least,
                            e->kind == kindVertex ? SN_MOST_VERTICES : INT64_MAX,
                            e->kind == kindVertex ? "vertices"
                            : e->kind == kindFace ? "faces"
                                                  : "elements");
}

static snStatus readElements(Reader* r)
{
    snStatus status = sn_ok;
    for (int i = 0; i < r->elements && !status; ++i) {
        const Element* e = &r->element[i];
        if (e->first == e->end) {
            continue;
        }
        status = promise(r, e);
        if (!status && e->kind == kindOther && !r->text && !e->lists) {
            // a byte may be missing: the promise lets the last word of a text end without one
            size_t size = (size_t)e->count * e->bytes;
            r->c.at += size < snCursor_Left(&r->c) ? size : snCursor_Left(&r->c);
            continue;
        }
        for (int64_t k = 0; k < e->count && !status; ++k) {
            status = readItem(r, e, k);
        }
    }
    return status;
}

snStatus snPly_Parse(snArena* arena, const uint8_t* bytes, size_t count, snSurface* out,
                     snMessage* why)
{
    memset(out, 0, sizeof *out);
    Reader r = {.c = snCursor_Start(bytes, count, 0, why)};
    snStatus status = readHeader(&r);
    snCursor body = r.c;
    status = status ? status : readElements(&r);
    if (status) {
        return status;
    }
    if (r.fan.triangles == 0) {
        return snCursor_Fail(&body, "no surface in it: %lld vertices, 0 faces",
                             (long long)r.vertices);
    }
    if (r.fan.triangles > SN_MOST_CELLS) {
        return snCursor_Refuse(&body, "more than %lld triangles; simplify the mesh",
                               (long long)SN_MOST_CELLS);
    }
    snSurface s = {(int32_t)r.vertices, (int32_t)r.fan.triangles,
                   snArena_Push(arena, (size_t)r.vertices, sizeof(snVec3)),
                   snArena_Push(arena, 3 * (size_t)r.fan.triangles, sizeof(int32_t))};
    if (!s.position || !s.triangle) {
        return snFail(why, sn_errorMemory, "out of memory for %lld vertices and %lld triangles",
                      (long long)r.vertices, (long long)r.fan.triangles);
    }
    r.c = body;
    r.position = s.position;
    r.fan = (snFan){.triangle = s.triangle};
    status = readElements(&r);
    if (!status) {
        *out = s;
        snMessage_Clear(why);
    }
    return status;
}
