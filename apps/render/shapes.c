// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "render/shapes.h"

#include <math.h>
#include <string.h>

static void addVertex(Shape* s, double x, double y, double z, double along)
{
    const float vertex[4] = {(float)x, (float)y, (float)z, (float)along};
    memcpy(s->vertices + 4 * s->vertex_count++, vertex, sizeof vertex);
}

static void addTriangle(Shape* s, int32_t a, int32_t b, int32_t c)
{
    const int32_t triangle[3] = {a, b, c};
    memcpy(s->triangles + 3 * s->triangle_count++, triangle, sizeof triangle);
}

// Rings from the pole of one end over both equators to the other pole.
void makeCapsule(Shape* s, int32_t around, int32_t rings)
{
    const double PI = 3.141592653589793;
    s->vertex_count = s->triangle_count = 0;
    addVertex(s, 0, 0, -1, 0);
    for (int32_t ring = 0; ring < 2 * rings; ++ring) {
        int end = ring >= rings;
        double a = 0.5 * PI * (end ? (ring - rings) : (ring + 1 - rings)) / rings;
        for (int32_t i = 0; i < around; ++i) {
            double b = 2 * PI * i / around;
            addVertex(s, cos(a) * cos(b), cos(a) * sin(b), sin(a), end);
        }
    }
    addVertex(s, 0, 0, 1, 1);
    int32_t last = s->vertex_count - 1;
    for (int32_t i = 0; i < around; ++i) {
        int32_t next = (i + 1) % around;
        addTriangle(s, 0, 1 + next, 1 + i);
        for (int32_t ring = 0; ring < 2 * rings - 1; ++ring) {
            int32_t low = 1 + ring * around, high = low + around;
            addTriangle(s, low + i, low + next, high + next);
            addTriangle(s, low + i, high + next, high + i);
        }
        addTriangle(s, last - around + i, last - around + next, last);
    }
}

void makeOctahedron(Shape* s)
{
    static const double SQUARE[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    s->vertex_count = s->triangle_count = 0;
    addVertex(s, 0, 0, 0, 0);
    addVertex(s, 0, 0, 0, 1);
    for (int i = 0; i < 4; ++i) {
        addVertex(s, SQUARE[i][0], SQUARE[i][1], 0, 0.15);
        addTriangle(s, 0, 2 + (i + 1) % 4, 2 + i);
        addTriangle(s, 1, 2 + i, 2 + (i + 1) % 4);
    }
}

void smoothNormals(const float* positions, int32_t vertex_count, const int32_t* triangles,
                   int32_t triangle_count, float* normals)
{
    memset(normals, 0, (size_t)vertex_count * 3 * sizeof *normals);
    for (int32_t t = 0; t < triangle_count; ++t) {
        const int32_t* corner = triangles + 3 * t;
        const float *a = positions + 3 * corner[0], *b = positions + 3 * corner[1],
                    *c = positions + 3 * corner[2];
        float u[3], v[3];
        for (int k = 0; k < 3; ++k) {
            u[k] = b[k] - a[k];
            v[k] = c[k] - a[k];
        }
        for (int k = 0; k < 3; ++k) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            float n = u[i] * v[j] - u[j] * v[i];
            for (int corner_index = 0; corner_index < 3; ++corner_index) {
                normals[3 * corner[corner_index] + k] += n;
            }
        }
    }
    for (int32_t i = 0; i < vertex_count; ++i) {
        float* n = normals + 3 * i;
        float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int k = 0; k < 3; ++k) {
            n[k] = length > 0 ? n[k] / length : (float)(k == 1);
        }
    }
}

// Of a place, bit for bit; -0 and 0 are the same place.
static uint64_t hashPlace(const float* p)
{
    const float place[3] = {p[0] + 0.0f, p[1] + 0.0f, p[2] + 0.0f};
    uint32_t bits[3];
    memcpy(bits, place, sizeof bits);
    uint64_t h = ((uint64_t)bits[0] << 32 | bits[1]) * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 29 ^ bits[2]) * 0xbf58476d1ce4e5b9u;
    return h ^ h >> 32;
}

// Edges of a closed mesh are passed as often in one direction as in the other, so their hashes,
// with the direction as sign, add up to nothing.
MeshForm measureMesh(const float* positions, const int32_t* triangles, int32_t triangle_count)
{
    uint64_t sum = 0;
    double volume = 0, area = 0;
    for (int32_t t = 0; t < triangle_count; ++t) {
        const float* p[3];
        uint64_t hash[3];
        for (int k = 0; k < 3; ++k) {
            p[k] = positions + 3 * triangles[3 * t + k];
            hash[k] = hashPlace(p[k]);
        }
        double square = 0;
        for (int k = 0; k < 3; ++k) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            uint64_t a = hash[k], b = hash[i], edge = ((a ^ b) * 0x94d049bb133111ebu) ^ (a + b);
            sum += a == b ? 0 : a < b ? edge : 0 - edge;
            float n = (p[1][i] - p[0][i]) * (p[2][j] - p[0][j]) -
                      (p[1][j] - p[0][j]) * (p[2][i] - p[0][i]);
            volume += (double)p[0][k] * (double)n;
            square += (double)n * (double)n;
        }
        area += 0.5 * sqrt(square);
    }
    return (MeshForm){sum != 0 ? 0 : volume < 0 ? -1 : 1, area};
}
