// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/mesh/medit.h"

#include <stdio.h>
#include <string.h>

// "0 0 0 0\n", "1 2 3 4 0\n"
#define LEAST_NODE 8
#define LEAST_TET 10

// To the next keyword: the first word that begins with a letter.
static void skipSection(snCursor* c)
{
    snCursor ahead = *c;
    for (snWord word = snCursor_Word(&ahead); word.length > 0; word = snCursor_Word(&ahead)) {
        char first = (char)(word.text[0] | 0x20);
        if (first >= 'a' && first <= 'z') {
            return;
        }
        *c = ahead;
    }
    *c = ahead;
}

static snStatus readVertices(snArena* arena, snCursor* c, snTetFile* file)
{
    int64_t count = 0;
    snStatus status = snCursor_Count(c, false, "the number of vertices", &count);
    if (!status && file->tets.position) {
        status = snCursor_Fail(c, "a second list of vertices");
    }
    status = status ? status : snCursor_Promise(c, count, LEAST_NODE, SN_MOST_VERTICES, "vertices");
    status = status ? status : snTetFile_Allocate(file, arena, count, 0, c->why);
    for (int64_t i = 0; i < count && !status; ++i) {
        double x[4];
        status = snCursor_Reals(c, false, 4, x, "three coordinates and a reference");
        if (!status) {
            file->tets.position[i] = snV3(x[0], x[1], x[2]);
        }
    }
    file->tets.node_count = (int32_t)count;
    return status;
}

static snStatus readTets(snArena* arena, snCursor* c, snTetFile* file)
{
    int64_t count = 0, reference;
    snStatus status = snCursor_Count(c, false, "the number of tets", &count);
    if (!status && file->tets.tet) {
        status = snCursor_Fail(c, "a second list of tets");
    }
    status = status ? status : snCursor_Promise(c, count, LEAST_TET, SN_MOST_CELLS, "tets");
    status = status ? status : snTetFile_Allocate(file, arena, 0, count, c->why);
    for (int64_t i = 0; i < count && !status; ++i) {
        status = snTetFile_Corners(file, c, false, i + 1, file->tets.tet + 4 * i);
        status = status ? status : snCursor_Integer(c, false, "the reference of a tet", &reference);
    }
    file->tets.tet_count = (int32_t)count;
    return status;
}

static snStatus readHeader(snCursor* c)
{
    int64_t version = 0;
    snWord word = snCursor_Word(c);
    if (!snWord_IsLike(word, "MeshVersionFormatted")) {
        return snCursor_Fail(c, "a Medit mesh begins with 'MeshVersionFormatted', found '%.*s'",
                             snWord_Shown(word), word.text);
    }
    return snCursor_Count(c, false, "the version", &version);
}

static snStatus readDimension(snCursor* c)
{
    int64_t dimension;
    snStatus status = snCursor_Count(c, false, "the dimension", &dimension);
    return status           ? status
           : dimension == 3 ? sn_ok
                            : snCursor_Refuse(c, "the mesh is of dimension %lld, 3 is needed",
                                              (long long)dimension);
}

// Counts elements that are not taken.
static snStatus countOthers(snCursor* c, snWord word, snTetFile* file)
{
    static const char* const FLAT[] = {"Edges", "Triangles", "Quadrilaterals"};
    static const char* const SOLID[] = {"Hexahedra", "Hexaedra", "Prisms", "Wedges", "Pyramids"};
    bool flat = false, solid = false;
    for (size_t i = 0; i < sizeof FLAT / sizeof *FLAT; ++i) {
        flat |= snWord_IsLike(word, FLAT[i]);
    }
    for (size_t i = 0; i < sizeof SOLID / sizeof *SOLID; ++i) {
        solid |= snWord_IsLike(word, SOLID[i]);
    }
    int64_t count = 0;
    snStatus status =
        flat || solid ? snCursor_Count(c, false, "the number of elements", &count) : sn_ok;
    // two words each, at least
    status = status ? status : snCursor_Promise(c, count, 4, INT64_MAX, "elements");
    file->others += status ? 0 : count;
    file->other_volumes += status || !solid ? 0 : count;
    skipSection(c);
    return status;
}

static snStatus readSections(snArena* arena, snCursor* c, snTetFile* file)
{
    snCursor later = {0}; // tets that stand before the vertices
    snStatus status = sn_ok;
    for (snWord word = snCursor_Word(c); word.length > 0 && !status; word = snCursor_Word(c)) {
        snWord head = {word.text, word.length < 10 ? word.length : 10};
        if (snWord_IsLike(word, "End")) {
            break;
        }
        if (snWord_IsLike(word, "Dimension")) {
            status = readDimension(c);
        } else if (snWord_IsLike(word, "Vertices")) {
            status = readVertices(arena, c, file);
        } else if (snWord_IsLike(word, "Tetrahedra") && !file->tets.position) {
            later = *c;
            skipSection(c);
        } else if (snWord_IsLike(word, "Tetrahedra")) {
            status = readTets(arena, c, file);
        } else if (snWord_IsLike(head, "Tetrahedra")) {
            status = snCursor_Refuse(c, "'%.*s' are of higher order; save tets of 4 nodes",
                                     snWord_Shown(word), word.text);
        } else if ((word.text[0] | 0x20) < 'a' || (word.text[0] | 0x20) > 'z') {
            status =
                snCursor_Fail(c, "expected a keyword, found '%.*s'", snWord_Shown(word), word.text);
        } else {
            status = countOthers(c, word, file);
        }
    }
    return !status && later.at ? readTets(arena, &later, file) : status;
}

snStatus snMedit_Parse(snArena* arena, const char* text, size_t length, snTetFile* out,
                       snMessage* why)
{
    snTetFile file = {.first_node = 1, .first_tet = 1};
    snprintf(file.format, sizeof file.format, "Medit");
    memset(out, 0, sizeof *out);
    snCursor c = snCursor_Start(text, length, '#', why);
    snStatus status = readHeader(&c);
    status = status ? status : readSections(arena, &c, &file);
    status = status ? status : snTetFile_Check(&file, why);
    if (!status) {
        *out = file;
        snMessage_Clear(why);
    }
    return status;
}
