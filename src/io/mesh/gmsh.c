// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/mesh/gmsh.h"

#include <stdio.h>
#include <string.h>

#include "geom/sort.h"

#define TET 4 // Gmsh's number for tets of 4 nodes

typedef struct Reader {
    snCursor c;
    snArena* arena;
    snArena scratch;
    int version; // 2 or 4; 0: not read yet
    bool binary; // the numbers of nodes and elements are
    snTetFile* file;
    bool nodes, elements; // were there
    int64_t* node_name;
    int64_t* tet_name;
    int64_t room;   // tets that memory is there for
    uint64_t* name; // of the nodes, upwards, when they do not follow each other
    int32_t* node;  // with that name
} Reader;

// Numbers ------------------------------------------------------------------------

// A record is a line of text, or so many bytes. An integer has 4 bytes, a size has 8.
static snStatus readWhole(Reader* r, int bytes, const char* what, int64_t* out)
{
    if (!r->binary) {
        return snCursor_Integer(&r->c, true, what, out);
    }
    if (snCursor_Left(&r->c) < (size_t)bytes) {
        return snCursor_Fail(&r->c, "expected %s, found the end of the file; it is cut", what);
    }
    uint64_t bits = snCursor_Bits(&r->c, bytes);
    *out = bytes == 4 ? (int32_t)bits : (int64_t)bits;
    return sn_ok;
}

static snStatus readReals(Reader* r, int count, double* out)
{
    const char* what = "the coordinates of a node";
    if (!r->binary) {
        return snCursor_Reals(&r->c, true, count, out, what);
    }
    if (snCursor_Left(&r->c) < 8 * (size_t)count) {
        return snCursor_Fail(&r->c, "expected %s, found the end of the file; it is cut", what);
    }
    for (int k = 0; k < count; ++k) {
        out[k] = snCursor_Double(&r->c);
        if (!(fabs(out[k]) < HUGE_VAL)) {
            return snCursor_Fail(&r->c, "a coordinate of a node is not finite");
        }
    }
    return sn_ok;
}

static snStatus endRecord(Reader* r, const char* what)
{
    snStatus status = r->binary ? sn_ok : snCursor_EndLine(&r->c, what);
    if (!status && !r->binary) {
        snCursor_NextLine(&r->c);
    }
    return status;
}

// Fails when a section of a text ends before all is there that it promised.
static snStatus checkMore(const Reader* r, int64_t done, int64_t count, const char* what)
{
    return !r->binary && r->c.at < r->c.end && *r->c.at == '$'
               ? snCursor_Fail(&r->c, "%lld %s are promised, but only %lld are there",
                               (long long)count, what, (long long)done)
               : sn_ok;
}

// Behind a line of text exactly one new line comes before binary numbers.
static void beginBinary(Reader* r)
{
    snCursor* c = &r->c;
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\r')) {
        ++c->at;
    }
    c->at += c->at < c->end && *c->at == '\n';
    c->binary = true;
}

// The only number of a line, which in version 2 is text in binary files too.
static snStatus readCount(Reader* r, const char* what, int64_t* out)
{
    snStatus status = snCursor_Count(&r->c, true, what, out);
    status = status ? status : snCursor_EndLine(&r->c, what);
    if (r->binary) {
        beginBinary(r);
    } else {
        snCursor_NextLine(&r->c);
    }
    return status;
}

// Version 4: number of blocks, number of things, least and largest name.
static snStatus readTotals(Reader* r, const char* what, int64_t* blocks, int64_t* count)
{
    int64_t least, largest;
    snStatus status = readWhole(r, 8, what, blocks);
    status = status ? status : readWhole(r, 8, what, count);
    status = status ? status : readWhole(r, 8, what, &least);
    status = status ? status : readWhole(r, 8, what, &largest);
    return status ? status : endRecord(r, what);
}

// Nodes --------------------------------------------------------------------------

static snStatus beginNodes(Reader* r, int64_t count)
{
    // "1 0 0 0\n", or in version 4 "1\n0 0 0\n"
    snStatus status = snCursor_Promise(&r->c, count, r->binary ? 28 : 8, SN_MOST_VERTICES, "nodes");
    if (!status && r->nodes) {
        status = snCursor_Fail(&r->c, "a second list of nodes");
    }
    status = status ? status : snTetFile_Allocate(r->file, r->arena, count, 0, r->c.why);
    r->node_name = status ? NULL : snArena_Push(r->arena, (size_t)count, sizeof *r->node_name);
    r->nodes = true;
    return !status && !r->node_name
               ? snFail(r->c.why, sn_errorMemory, "out of memory for %lld nodes", (long long)count)
               : status;
}

static snStatus readName(Reader* r, int bytes, int64_t* name)
{
    snStatus status = readWhole(r, bytes, "the number of a node", name);
    return !status && *name <= 0
               ? snCursor_Fail(&r->c, "%lld is not the number of a node", (long long)*name)
               : status;
}

static snStatus readNodes2(Reader* r)
{
    int64_t count = 0;
    snStatus status = readCount(r, "the number of nodes", &count);
    status = status ? status : beginNodes(r, count);
    for (int64_t i = 0; i < count && !status; ++i) {
        double x[3] = {0};
        status = checkMore(r, i, count, "nodes");
        status = status ? status : readName(r, 4, &r->node_name[i]);
        status = status ? status : readReals(r, 3, x);
        status = status ? status : endRecord(r, "a node");
        r->file->tets.position[i] = snV3(x[0], x[1], x[2]);
    }
    r->file->tets.node_count = (int32_t)count;
    return status;
}

// First the names, then the coordinates, with `extra` parameters on the curve or surface.
static snStatus readNodeBlock(Reader* r, int64_t first, int64_t count, int extra)
{
    snStatus status = sn_ok;
    for (int64_t i = 0; i < count && !status; ++i) {
        status = readName(r, 8, &r->node_name[first + i]);
        status = status ? status : endRecord(r, "the number of a node");
    }
    for (int64_t i = 0; i < count && !status; ++i) {
        double x[6] = {0};
        status = readReals(r, 3 + extra, x);
        status = status ? status : endRecord(r, "a node");
        r->file->tets.position[first + i] = snV3(x[0], x[1], x[2]);
    }
    return status;
}

static snStatus readNodes4(Reader* r)
{
    int64_t blocks = 0, count = 0, done = 0;
    snStatus status = readTotals(r, "the four totals of the nodes", &blocks, &count);
    status = status ? status : beginNodes(r, count);
    for (int64_t b = 0; b < blocks && !status; ++b) {
        const char* what = "the four numbers of a block of nodes";
        int64_t dimension = 0, entity, parametric = 0, size = 0;
        status = readWhole(r, 4, what, &dimension);
        status = status ? status : readWhole(r, 4, what, &entity);
        status = status ? status : readWhole(r, 4, what, &parametric);
        status = status ? status : readWhole(r, 8, what, &size);
        status = status ? status : endRecord(r, what);
        if (!status && (dimension < 0 || dimension > 3 || size < 0 || size > count - done)) {
            status = snCursor_Fail(&r->c, "a block of %lld nodes of dimension %lld cannot be",
                                   (long long)size, (long long)dimension);
        }
        status =
            status ? status : readNodeBlock(r, done, size, parametric != 0 ? (int)dimension : 0);
        done += status ? 0 : size;
    }
    if (!status && done != count) {
        status = snCursor_Fail(&r->c, "%lld nodes are promised, the blocks have %lld",
                               (long long)count, (long long)done);
    }
    r->file->tets.node_count = (int32_t)count;
    return status;
}

// Makes names lead to nodes.
static snStatus sortNames(Reader* r)
{
    int32_t count = r->file->tets.node_count;
    bool following = true;
    for (int32_t i = 1; i < count && following; ++i) {
        following = (uint64_t)r->node_name[i] - (uint64_t)r->node_name[0] == (uint64_t)i;
    }
    r->file->first_node = count > 0 ? r->node_name[0] : 1;
    if (following) {
        return sn_ok;
    }
    r->file->node_name = r->node_name;
    r->name = snArena_Push(&r->scratch, (size_t)count, sizeof *r->name);
    r->node = snArena_Push(&r->scratch, (size_t)count, sizeof *r->node);
    for (int32_t i = 0; i < count && !r->scratch.failed; ++i) {
        r->name[i] = (uint64_t)r->node_name[i];
        r->node[i] = i;
    }
    if (!r->scratch.failed) {
        snSort_Pairs(&r->scratch, r->name, r->node, count);
    }
    if (r->scratch.failed) {
        return snFail(r->c.why, sn_errorMemory, "out of memory for %d nodes", (int)count);
    }
    for (int32_t i = 1; i < count; ++i) {
        if (r->name[i] == r->name[i - 1]) {
            return snCursor_Fail(&r->c, "node %lld is there twice", (long long)r->name[i]);
        }
    }
    return sn_ok;
}

// -1: there is none.
static int32_t findNode(const Reader* r, int64_t name)
{
    int32_t low = 0, high = r->file->tets.node_count;
    if (!r->name) {
        int64_t first = r->file->first_node;
        return name < first || name - first >= high ? -1 : (int32_t)(name - first);
    }
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (r->name[middle] < (uint64_t)name) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < r->file->tets.node_count && r->name[low] == (uint64_t)name ? r->node[low] : -1;
}

// Elements -----------------------------------------------------------------------

// Gmsh's types that are known by their number of nodes; 0: not one of them.
static int nodesOf(int64_t type)
{
    static const uint8_t NODES[32] = {0, 2,  3,  4,  4, 8,  6,  5,  3,  6,  9, 10, 27, 18, 14, 1,
                                      8, 20, 15, 13, 9, 10, 12, 15, 15, 21, 4, 5,  6,  20, 35, 56};
    return type == 92 ? 64 : type == 93 ? 125 : type > 0 && type < 32 ? NODES[type] : 0;
}

static bool isSolid(int64_t type)
{
    return (type >= 5 && type <= 7) || (type >= 12 && type <= 14) || (type >= 17 && type <= 19) ||
           type == 92 || type == 93;
}

static snStatus checkType(const Reader* r, int64_t type)
{
    int nodes = nodesOf(type);
    if (nodes == 0) {
        return snCursor_Refuse(&r->c,
                               "elements of Gmsh's type %lld are not known; save the mesh "
                               "with linear tets",
                               (long long)type);
    }
    if (type == 11 || (type >= 29 && type <= 31)) {
        static const char* const ORDER[] = {"second", "third", "fourth", "fifth"};
        return snCursor_Refuse(&r->c,
                               "%s-order tets of %d nodes (Gmsh's type %lld) are not taken; set "
                               "the order to 1 in Gmsh and save again",
                               ORDER[type == 11 ? 0 : type - 28], nodes, (long long)type);
    }
    return sn_ok;
}

static snStatus beginElements(Reader* r, int64_t count)
{
    // a point in version 4: "1 1\n"; a tet: "1 1 2 3 4\n"
    snStatus status = snCursor_Promise(&r->c, count, 4, INT64_MAX, "elements");
    if (!status && (!r->nodes || r->elements)) {
        status = snCursor_Fail(&r->c, r->nodes ? "a second list of elements"
                                               : "the elements stand before the nodes");
    }
    if (!status) {
        int64_t most = (int64_t)(snCursor_Left(&r->c) + 1) / 10;
        r->room = count < most ? count : most;
        r->room = r->room < SN_MOST_CELLS ? r->room : SN_MOST_CELLS;
        status = snTetFile_Allocate(r->file, r->arena, 0, r->room, r->c.why);
    }
    r->tet_name = status ? NULL : snArena_Push(r->arena, (size_t)r->room, sizeof *r->tet_name);
    r->file->tet_name = r->tet_name;
    r->elements = true;
    return !status && !r->tet_name ? snFail(r->c.why, sn_errorMemory,
                                            "out of memory for %lld elements", (long long)count)
                                   : status;
}

// From behind the name and tags: the nodes of an element.
static snStatus readElement(Reader* r, int64_t type, int64_t name)
{
    snTets* tets = &r->file->tets;
    int bytes = r->version == 2 ? 4 : 8;
    if (type != TET) {
        if (r->binary) {
            size_t size = (size_t)nodesOf(type) * (size_t)bytes;
            if (snCursor_Left(&r->c) < size) {
                return snCursor_Fail(&r->c, "element %lld ends behind the file; it is cut",
                                     (long long)name);
            }
            r->c.at += size;
        } else {
            snCursor_NextLine(&r->c);
        }
        ++r->file->others;
        r->file->other_volumes += isSolid(type);
        return sn_ok;
    }
    if (tets->tet_count == r->room) {
        return snCursor_Refuse(&r->c, "more than %lld tets; the file is damaged or too large",
                               (long long)r->room);
    }
    int32_t* corner = tets->tet + 4 * (size_t)tets->tet_count;
    for (int k = 0; k < 4; ++k) {
        int64_t node;
        snStatus status = readWhole(r, bytes, "the four nodes of a tet", &node);
        if (status) {
            return status;
        }
        corner[k] = findNode(r, node);
        if (corner[k] < 0) {
            return snCursor_Fail(&r->c, "element %lld names node %lld, which is not in the file",
                                 (long long)name, (long long)node);
        }
    }
    r->tet_name[tets->tet_count++] = name;
    return endRecord(r, "a tet");
}

// Version 2: the number of tags, which stand before the nodes.
static snStatus skipTags(Reader* r, int64_t tags)
{
    int64_t ignored;
    snStatus status =
        tags < 0 ? snCursor_Fail(&r->c, "an element with %lld tags cannot be", (long long)tags)
                 : sn_ok;
    for (int64_t k = 0; k < tags && !status; ++k) {
        status = readWhole(r, 4, "the tags of an element", &ignored);
    }
    return status;
}

static snStatus readTextElements2(Reader* r, int64_t count)
{
    snStatus status = sn_ok;
    for (int64_t i = 0; i < count && !status; ++i) {
        int64_t name = 0, type = 0, tags = 0;
        status = checkMore(r, i, count, "elements");
        status = status ? status : readWhole(r, 4, "the number of an element", &name);
        status = status ? status : readWhole(r, 4, "the type of an element", &type);
        status = status ? status : checkType(r, type);
        status = status ? status : readWhole(r, 4, "an element's number of tags", &tags);
        status = status ? status : skipTags(r, tags);
        status = status ? status : readElement(r, type, name);
    }
    return status;
}

// Blocks of elements of one type and number of tags.
static snStatus readBinaryElements2(Reader* r, int64_t count)
{
    snStatus status = sn_ok;
    for (int64_t done = 0; done < count && !status;) {
        int64_t type = 0, size = 0, tags = 0, name = 0;
        status = readWhole(r, 4, "the type of an element", &type);
        status = status ? status : readWhole(r, 4, "the size of a block", &size);
        status = status ? status : readWhole(r, 4, "an element's number of tags", &tags);
        status = status ? status : checkType(r, type);
        if (!status && (size < 1 || size > count - done)) {
            status = snCursor_Fail(&r->c, "a block of %lld elements cannot be, %lld are left",
                                   (long long)size, (long long)(count - done));
        }
        for (int64_t i = 0; i < size && !status; ++i) {
            status = readWhole(r, 4, "the number of an element", &name);
            status = status ? status : skipTags(r, tags);
            status = status ? status : readElement(r, type, name);
        }
        done += status ? 0 : size;
    }
    return status;
}

static snStatus readElements2(Reader* r)
{
    int64_t count = 0;
    snStatus status = readCount(r, "the number of elements", &count);
    status = status ? status : beginElements(r, count);
    return status      ? status
           : r->binary ? readBinaryElements2(r, count)
                       : readTextElements2(r, count);
}

static snStatus readElements4(Reader* r)
{
    int64_t blocks = 0, count = 0, done = 0;
    snStatus status = readTotals(r, "the four totals of the elements", &blocks, &count);
    status = status ? status : beginElements(r, count);
    for (int64_t b = 0; b < blocks && !status; ++b) {
        const char* what = "the four numbers of a block of elements";
        int64_t dimension, entity, type = 0, size = 0, name = 0;
        status = readWhole(r, 4, what, &dimension);
        status = status ? status : readWhole(r, 4, what, &entity);
        status = status ? status : readWhole(r, 4, what, &type);
        status = status ? status : readWhole(r, 8, what, &size);
        status = status ? status : checkType(r, type);
        status = status ? status : endRecord(r, what);
        if (!status && (size < 0 || size > count - done)) {
            status = snCursor_Fail(&r->c, "a block of %lld elements cannot be, %lld are left",
                                   (long long)size, (long long)(count - done));
        }
        for (int64_t i = 0; i < size && !status; ++i) {
            status = checkMore(r, done + i, count, "elements");
            status = status ? status : readWhole(r, 8, "the number of an element", &name);
            status = status ? status : readElement(r, type, name);
        }
        done += status ? 0 : size;
    }
    return !status && done != count
               ? snCursor_Fail(&r->c, "%lld elements are promised, the blocks have %lld",
                               (long long)count, (long long)done)
               : status;
}

// Sections -----------------------------------------------------------------------

static snStatus readFormat(Reader* r)
{
    int64_t binary = 0, size = 0;
    snCursor_NextLine(&r->c);
    snWord word = snCursor_LineWord(&r->c);
    r->version = word.length > 0 && word.text[0] == '2' ? 2 : snWord_Is(word, "4.1") ? 4 : 0;
    if (r->version == 0) {
        return snCursor_Refuse(&r->c, "Gmsh's version %.*s is not read; save it as 4.1 or 2.2",
                               snWord_Shown(word), word.text);
    }
    snStatus status = snCursor_Count(&r->c, true, "0 for text or 1 for binary", &binary);
    status = status ? status : snCursor_Count(&r->c, true, "8, the size of numbers", &size);
    if (!status && (binary > 1 || size != 8)) {
        status = snCursor_Refuse(&r->c, "file type %lld with numbers of %lld bytes is not read",
                                 (long long)binary, (long long)size);
    }
    if (!status && binary) {
        beginBinary(r);
        uint64_t one = snCursor_Left(&r->c) < 4 ? 0 : snCursor_Bits(&r->c, 4);
        r->c.big = one == (uint64_t)1 << 24;
        status = one == 1 || r->c.big
                     ? sn_ok
                     : snCursor_Fail(&r->c, "expected the number 1, which shows the byte order");
    }
    r->binary = binary == 1;
    snprintf(r->file->format, sizeof r->file->format, "Gmsh %.*s, %s",
             word.length < 8 ? (int)word.length : 8, word.text, binary ? "binary" : "text");
    return status;
}

// To behind $EndNAME; binary numbers may stand right before it.
static snStatus skipSection(Reader* r, snWord name)
{
    snCursor* c = &r->c;
    size_t length = name.length - 1;
    for (const char* at = c->at; (size_t)(c->end - at) >= length + 4; ++at) {
        if (*at == '$' && memcmp(at, "$End", 4) == 0 &&
            memcmp(at + 4, name.text + 1, length) == 0) {
            c->at = at + 4 + length;
            return sn_ok;
        }
        c->line += *at == '\n';
    }
    return snCursor_Fail(c, "%.*s has no end; the file is cut", snWord_Shown(name), name.text);
}

// $EndNAME right here.
static snStatus endSection(Reader* r, snWord name)
{
    snWord word = snCursor_Word(&r->c);
    bool ends = word.length == name.length + 3 && memcmp(word.text, "$End", 4) == 0 &&
                memcmp(word.text + 4, name.text + 1, name.length - 1) == 0;
    r->c.binary = false;
    if (ends) {
        return sn_ok;
    }
    r->c.binary = r->binary;
    return snCursor_Fail(&r->c, "expected the end of %.*s, found '%.*s'; is a count wrong?",
                         snWord_Shown(name), name.text, r->binary ? 0 : snWord_Shown(word),
                         word.text);
}

static snStatus readSection(Reader* r, snWord name)
{
    snStatus status;
    r->c.binary = r->binary;
    if (snWord_Is(name, "$MeshFormat") && r->version == 0) {
        status = readFormat(r);
        return status ? status : endSection(r, name);
    }
    if (name.text[0] != '$' || name.length < 2 || memcmp(name.text, "$E", 2) == 0) {
        if (!snWord_Is(name, "$Elements") && !snWord_Is(name, "$ElementData") &&
            !snWord_Is(name, "$ElementNodeData") && !snWord_Is(name, "$Entities")) {
            return snCursor_Fail(&r->c, "expected a section like $Nodes, found '%.*s'",
                                 r->binary ? 0 : snWord_Shown(name), name.text);
        }
    }
    bool nodes = snWord_Is(name, "$Nodes"), elements = snWord_Is(name, "$Elements");
    if (r->version == 0 && !snWord_Is(name, "$Comments")) {
        return snCursor_Refuse(&r->c, "%.*s without $MeshFormat; save it as Gmsh 4.1 or 2.2",
                               snWord_Shown(name), name.text);
    }
    if (!nodes && !elements) {
        return skipSection(r, name);
    }
    if (r->version == 4 && r->binary) {
        beginBinary(r);
    } else {
        snCursor_NextLine(&r->c);
    }
    status = nodes             ? r->version == 2 ? readNodes2(r) : readNodes4(r)
                         : r->version == 2 ? readElements2(r)
                               : readElements4(r);
    status = status ? status : endSection(r, name);
    return status || elements ? status : sortNames(r);
}

snStatus snGmsh_Parse(snArena* arena, const uint8_t* bytes, size_t count, snTetFile* out,
                      snMessage* why)
{
    snTetFile file = {0};
    Reader r = {.c = snCursor_Start(bytes, count, 0, why), .arena = arena, .file = &file};
    snStatus status = sn_ok;
    memset(out, 0, sizeof *out);
    snArena_Init(&r.scratch, &arena->host);
    for (snWord name = snCursor_Word(&r.c); name.length > 0 && !status;
         name = snCursor_Word(&r.c)) {
        status = readSection(&r, name);
    }
    snArena_Free(&r.scratch);
    status = status ? status : snTetFile_Check(&file, why);
    if (!status) {
        *out = file;
        snMessage_Clear(why);
    }
    return status;
}
