// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/cage.h"

#include <stdlib.h>
#include <string.h>

// A face: its nodes as the cell sees them, and sorted for comparison.
typedef struct Face {
    int32_t key[3], nodes[3];
    int32_t cell;
} Face;

static void swapIfGreater(int32_t* a, int32_t* b)
{
    if (*a > *b) {
        int32_t first = *a;
        *a = *b;
        *b = first;
    }
}

static int compareInts(const int32_t* a, const int32_t* b, int count)
{
    for (int k = 0; k < count; ++k) {
        if (a[k] != b[k]) {
            return a[k] < b[k] ? -1 : 1;
        }
    }
    return 0;
}

static int compareFaces(const void* a, const void* b)
{
    return compareInts(((const Face*)a)->key, ((const Face*)b)->key, 3);
}

static int compareEdges(const void* a, const void* b)
{
    return compareInts(a, b, 2);
}

// The face opposite to a corner, seen counter-clockwise from outside the cell.
static Face faceOf(const int32_t* cells, int32_t number, int corner)
{
    static const int FACES[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    const int32_t* cell = cells + 4 * (size_t)number;
    Face f = {.cell = number};
    for (int k = 0; k < 3; ++k) {
        f.nodes[k] = f.key[k] = cell[FACES[corner][k]];
    }
    swapIfGreater(&f.key[0], &f.key[1]);
    swapIfGreater(&f.key[1], &f.key[2]);
    swapIfGreater(&f.key[0], &f.key[1]);
    return f;
}

// Keeps the faces that no second cell has.
static int32_t keepSingles(Face* faces, int32_t count)
{
    int32_t kept = 0;
    qsort(faces, (size_t)count, sizeof *faces, compareFaces);
    for (int32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && !compareFaces(&faces[i], &faces[end]); ++end) {
        }
        if (end == i + 1) {
            faces[kept++] = faces[i];
        }
    }
    return kept;
}

int32_t listEdges(const int32_t* triangles, int32_t triangle_count, int32_t* edges)
{
    int32_t count = 0;
    for (int32_t i = 0; i < 3 * triangle_count; ++i) {
        int32_t* edge = edges + 2 * (size_t)i;
        edge[0] = triangles[i];
        edge[1] = triangles[i % 3 == 2 ? i - 2 : i + 1];
        swapIfGreater(&edge[0], &edge[1]);
    }
    qsort(edges, 3 * (size_t)triangle_count, 2 * sizeof *edges, compareEdges);
    for (int32_t i = 0; i < 3 * triangle_count; ++i) {
        const int32_t* edge = edges + 2 * (size_t)i;
        if (count == 0 || compareEdges(edge, edges + 2 * (size_t)(count - 1)) != 0) {
            memmove(edges + 2 * (size_t)count++, edge, 2 * sizeof *edge);
        }
    }
    return count;
}

bool makeCage(const snFleshInfo* flesh, Cage* cage)
{
    *cage = (Cage){0};
    int32_t count = 4 * flesh->cell_count;
    Face* faces = malloc(((size_t)count + 1) * sizeof *faces);
    if (!faces) {
        return false;
    }
    for (int32_t i = 0; i < count; ++i) {
        faces[i] = faceOf(flesh->cells, i / 4, i % 4);
    }
    count = keepSingles(faces, count);
    cage->triangles = malloc(((size_t)count + 1) * 3 * sizeof *cage->triangles);
    cage->edges = malloc(((size_t)count + 1) * 6 * sizeof *cage->edges);
    cage->cells = malloc(((size_t)count + 1) * sizeof *cage->cells);
    bool ok = cage->triangles && cage->edges && cage->cells;
    if (ok) {
        cage->triangle_count = count;
        for (int32_t i = 0; i < count; ++i) {
            memcpy(cage->triangles + 3 * (size_t)i, faces[i].nodes, sizeof faces[i].nodes);
            cage->cells[i] = faces[i].cell;
        }
        cage->edge_count = listEdges(cage->triangles, count, cage->edges);
    } else {
        freeCage(cage);
    }
    free(faces);
    return ok;
}

void freeCage(Cage* cage)
{
    free(cage->triangles);
    free(cage->edges);
    free(cage->cells);
    *cage = (Cage){0};
}
