// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Shapes of bones as triangles: 4 floats a vertex, an offset in radii with z along the bone, and
// where on the bone it starts from (0..1).
#ifndef SINEW_APPS_RENDER_SHAPES_H
#define SINEW_APPS_RENDER_SHAPES_H

#include <stdint.h>

#define SHAPE_MOST_VERTICES 1600
#define SHAPE_MOST_TRIANGLES 3200

typedef struct Shape {
    int32_t vertex_count, triangle_count;
    float vertices[4 * SHAPE_MOST_VERTICES];
    int32_t triangles[3 * SHAPE_MOST_TRIANGLES];
} Shape;

// A capsule of 2 x rings rings of vertices with `around` each.
void makeCapsule(Shape* shape, int32_t around, int32_t rings);

// Two pyramids, base to base near the beginning.
void makeOctahedron(Shape* shape);

// Smooth normals, weighted by the triangles' areas; (3 x vertex_count).
void smoothNormals(const float* positions, int32_t vertex_count, const int32_t* triangles,
                   int32_t triangle_count, float* normals);

typedef struct MeshForm {
    int side; // 1: closed, seen counter-clockwise from outside; -1: closed, clockwise; 0: open
    double area;
} MeshForm;

// Vertices of the same place count as one.
MeshForm measureMesh(const float* positions, const int32_t* triangles, int32_t triangle_count);

#endif
