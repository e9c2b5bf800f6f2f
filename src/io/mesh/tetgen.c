// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/mesh/tetgen.h"

#include <stdio.h>
#include <string.h>

// "1 0 0 0\n", "1 1 2 3 4\n"
#define LEAST_NODE 8
#define LEAST_TET 10

// Numbers follow each other, so each line can be checked.
static snStatus readNumber(snCursor* c, int64_t first, int64_t index, const char* what,
                           int64_t* number)
{
    snStatus status = snCursor_Integer(c, true, what, number);
    long long expected = first + index;
    if (!status && index > 0 && *number != expected) {
        status = snCursor_Fail(c, "expected %s, %lld, found %lld; a line is missing or too much",
                               what, expected, (long long)*number);
    }
    if (!status && index == 0 && *number != 0 && *number != 1) {
        status = snCursor_Fail(c, "numbers start at 0 or 1, not at %lld; a line is missing",
                               (long long)*number);
    }
    return status;
}

snStatus snTetgen_Nodes(snArena* arena, snCursor* c, snTetFile* file)
{
    int64_t count = 0, dimension = 3, number;
    snStatus status = snCursor_Count(c, false, "the number of nodes", &count);
    status = status ? status : snCursor_Integer(c, true, "the dimension, 3", &dimension);
    if (!status && dimension != 3) {
        status = snCursor_Fail(c, "expected the dimension, 3, found %lld", (long long)dimension);
    }
    status = status ? status : snCursor_Promise(c, count, LEAST_NODE, SN_MOST_VERTICES, "nodes");
    status = status ? status : snTetFile_Allocate(file, arena, count, 0, c->why);
    for (int64_t i = 0; i < count && !status; ++i) {
        double x[3] = {0};
        snCursor_NextLine(c);
        status = readNumber(c, file->first_node, i, "the number of a node", &number);
        status = status ? status : snCursor_Reals(c, true, 3, x, "the coordinates of a node");
        if (!status) {
            file->first_node = i == 0 ? number : file->first_node;
            file->tets.position[i] = snV3(x[0], x[1], x[2]);
        }
    }
    file->tets.node_count = (int32_t)count;
    snCursor_NextLine(c);
    return status;
}

snStatus snTetgen_Tets(snArena* arena, snCursor* c, snTetFile* file)
{
    int64_t count = 0, corners = 4, number = 0;
    snStatus status = snCursor_Count(c, false, "the number of tets", &count);
    status = status ? status : snCursor_Integer(c, true, "4, the nodes of a tet", &corners);
    if (!status && corners == 10) {
        status = snCursor_Refuse(c, "second-order tets of 10 nodes are not taken; make the mesh "
                                    "without TetGen's -o2");
    }
    if (!status && corners != 4) {
        status = snCursor_Fail(c, "expected 4, the nodes of a tet, found %lld", (long long)corners);
    }
    status = status ? status : snCursor_Promise(c, count, LEAST_TET, SN_MOST_CELLS, "tets");
    status = status ? status : snTetFile_Allocate(file, arena, 0, count, c->why);
    for (int64_t i = 0; i < count && !status; ++i) {
        snCursor_NextLine(c);
        status = readNumber(c, file->first_tet, i, "the number of a tet", &number);
        file->first_tet = i == 0 ? number : file->first_tet;
        status = status ? status : snTetFile_Corners(file, c, true, number, file->tets.tet + 4 * i);
    }
    file->tets.tet_count = (int32_t)count;
    snCursor_NextLine(c);
    return status;
}

snStatus snTetgen_Parse(snArena* arena, const char* nodes, size_t node_length, const char* tets,
                        size_t tet_length, snTetFile* out, snMessage* why)
{
    snTetFile file = {0};
    snprintf(file.format, sizeof file.format, "TetGen");
    memset(out, 0, sizeof *out);
    snCursor c = snCursor_Start(nodes, node_length, '#', why);
    snStatus status = snTetgen_Nodes(arena, &c, &file);
    if (status) {
        snMessage_Prefix(why, "node file");
        return status;
    }
    c = snCursor_Start(tets, tet_length, '#', why);
    status = snTetgen_Tets(arena, &c, &file);
    if (status) {
        snMessage_Prefix(why, "tet file");
    }
    status = status ? status : snTetFile_Check(&file, why);
    if (!status) {
        *out = file;
        snMessage_Clear(why);
    }
    return status;
}
