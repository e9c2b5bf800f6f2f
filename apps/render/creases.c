// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "render/creases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// An edge as one triangle has it: from its corner to the next one.
typedef struct Side {
    int32_t low, high; // vertices
    int32_t corner;
} Side;

static int compareSides(const void* a, const void* b)
{
    const Side *s = a, *t = b;
    return s->low != t->low     ? (s->low < t->low ? -1 : 1)
           : s->high != t->high ? (s->high < t->high ? -1 : 1)
                                : (s->corner > t->corner) - (s->corner < t->corner);
}

static int32_t nextCorner(int32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

// Corners that share a normal have the same root, which is the first of them.
static int32_t rootOf(int32_t* links, int32_t corner)
{
    while (links[corner] != corner) {
        links[corner] = links[links[corner]];
        corner = links[corner];
    }
    return corner;
}

static void link(int32_t* links, int32_t a, int32_t b)
{
    a = rootOf(links, a);
    b = rootOf(links, b);
    links[a > b ? a : b] = a > b ? b : a;
}

// Twice the area, along the normal.
static void areaOf(const float* positions, const int32_t* triangle, double n[3])
{
    double u[3], v[3];
    for (int k = 0; k < 3; ++k) {
        double a = (double)positions[3 * (size_t)triangle[0] + (size_t)k];
        u[k] = (double)positions[3 * (size_t)triangle[1] + (size_t)k] - a;
        v[k] = (double)positions[3 * (size_t)triangle[2] + (size_t)k] - a;
    }
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        n[k] = u[i] * v[j] - u[j] * v[i];
    }
}

// Triangles without area are smooth with all their neighbours.
static bool isSmooth(const float* positions, const int32_t* one, const int32_t* other,
                     double cosine)
{
    double a[3], b[3], ab = 0, aa = 0, bb = 0;
    areaOf(positions, one, a);
    areaOf(positions, other, b);
    for (int k = 0; k < 3; ++k) {
        ab += a[k] * b[k];
        aa += a[k] * a[k];
        bb += b[k] * b[k];
    }
    return ab >= cosine * sqrt(aa * bb);
}

// Joins the corners at both ends of every edge that is not sharp.
static void linkCorners(const float* positions, const int32_t* triangles, int32_t corner_count,
                        double cosine, Side* sides, int32_t* links)
{
    for (int32_t i = 0; i < corner_count; ++i) {
        int32_t a = triangles[i], b = triangles[nextCorner(i)];
        sides[i] = (Side){a < b ? a : b, a < b ? b : a, i};
        links[i] = i;
    }
    qsort(sides, (size_t)corner_count, sizeof *sides, compareSides);
    for (int32_t i = 1; i < corner_count; ++i) {
        const Side *s = &sides[i - 1], *t = &sides[i];
        if (s->low == t->low && s->high == t->high &&
            isSmooth(positions, triangles + s->corner / 3 * 3, triangles + t->corner / 3 * 3,
                     cosine)) {
            int32_t a = s->corner, b = t->corner, a_end = nextCorner(a), b_end = nextCorner(b);
            bool same_way = triangles[a] == triangles[b];
            link(links, a, same_way ? b : b_end);
            link(links, a_end, same_way ? b_end : b);
        }
    }
}

// Each set of corners gets a vertex: the first one at a vertex the vertex itself, others a copy.
static void numberCorners(const int32_t* triangles, int32_t corner_count, int32_t* links,
                          bool* taken, Creases* c)
{
    for (int32_t i = 0; i < corner_count; ++i) {
        int32_t root = rootOf(links, i), vertex = triangles[i];
        if (root == i && taken[vertex]) {
            c->origins[c->vertex_count] = vertex;
            c->triangles[i] = c->vertex_count++;
        } else {
            c->triangles[i] = root == i ? vertex : c->triangles[root];
            taken[vertex] = true;
        }
    }
}

bool findCreases(const float* positions, int32_t vertex_count, const int32_t* triangles,
                 int32_t triangle_count, double cosine, Creases* c)
{
    int32_t corner_count = 3 * triangle_count;
    size_t corners = (size_t)corner_count + 1, vertices = (size_t)vertex_count + 1;
    Side* sides = malloc(corners * sizeof *sides);
    int32_t* links = malloc(corners * sizeof *links);
    bool* taken = calloc(vertices, sizeof *taken);
    *c = (Creases){vertex_count, triangle_count, malloc((vertices + corners) * sizeof *c->origins),
                   malloc(corners * sizeof *c->triangles)};
    bool ok = sides && links && taken && c->origins && c->triangles;
    if (ok) {
        for (int32_t i = 0; i < vertex_count; ++i) {
            c->origins[i] = i;
        }
        linkCorners(positions, triangles, corner_count, cosine, sides, links);
        numberCorners(triangles, corner_count, links, taken, c);
    } else {
        freeCreases(c);
    }
    free(sides);
    free(links);
    free(taken);
    return ok;
}

void freeCreases(Creases* c)
{
    free(c->origins);
    free(c->triangles);
    *c = (Creases){0};
}
