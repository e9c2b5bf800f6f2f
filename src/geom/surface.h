// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Triangle surfaces as they are built: positions, triangles, what is wrong with them.
#ifndef SN_GEOM_SURFACE_H
#define SN_GEOM_SURFACE_H

#include "base/memory.h"
#include "math/vec.h"

SN_BEGIN_C

// A box along the axes; empty when lo > hi.
typedef struct snBox {
    snVec3 lo, hi;
} snBox;

// Triangles on shared vertices. Counter-clockwise seen from outside, by convention; nothing else is
// promised (see snSurfaceFacts). The memory belongs to whoever made it, usually an arena.
typedef struct snSurface {
    int32_t vertex_count;
    int32_t triangle_count;
    snVec3* position;  // m; (vertex_count)
    int32_t* triangle; // vertex indices, all in range; (3 triangle_count)
} snSurface;

// What a surface is and what is wrong with it. Triangles that name a vertex twice are degenerate
// and count in nothing else. Edges join vertices by index: weld first where positions repeat.
typedef struct snSurfaceFacts {
    snBox bounds;  // of the vertices that triangles use; m
    double area;   // m^2
    double volume; // signed, by the divergence theorem; negative: inside out; m^3
    int32_t edges;
    int32_t boundary_edges;        // with one triangle
    int32_t nonmanifold_edges;     // with three or more
    int32_t misoriented_edges;     // with two that run along it the same way
    int32_t degenerate_triangles;  // that name a vertex twice
    int32_t duplicate_triangles;   // that repeat the vertices of an earlier one, in any order
    int32_t unreferenced_vertices; // that no triangle names
    int32_t shells;                // sets of triangles connected by vertices
} snSurfaceFacts;

// Fails only for lack of memory. Vertices minus edges plus triangles of a closed manifold is 2 for
// each shell minus 2 for each handle.
snStatus snSurface_Inspect(const snSurface* surface, const snHost* host, snSurfaceFacts* facts,
                           snMessage* why);

// No boundary, every edge with two triangles that run against each other.
bool snSurfaceFacts_IsClosed(const snSurfaceFacts* facts);

snBox snSurface_Bounds(const snSurface* surface);

// Joins vertices of equal position (0 = -0); triangles keep their number and order, also those that
// become degenerate. *map: old vertex to new, from the arena; may be NULL.
snStatus snSurface_Weld(snArena* arena, const snSurface* surface, snSurface* welded, int32_t** map,
                        snMessage* why);

// Makes neighbours agree: walks over edges with exactly two triangles and turns the minority of
// each connected part. *turned: triangles turned. Whole parts that are inside out stay so.
snStatus snSurface_Orient(snSurface* surface, const snHost* host, int32_t* turned, snMessage* why);

// Unit normals per vertex, weighted by area; zero where there is no area. (vertex_count)
void snSurface_Normals(const snSurface* surface, snVec3* normal);

// (b - a) x (c - a): twice the area along the normal.
SN_FN snVec3 snTriangleCross(snVec3 a, snVec3 b, snVec3 c)
{
    return snCross(snSub(b, a), snSub(c, a));
}

SN_FN snBox snBox_Empty(void)
{
    snBox box;
    box.lo = snV3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    box.hi = snV3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL);
    return box;
}

// comparisons instead of fmin: one instruction each, and vectors of them
SN_FN snVec3 snMin3(snVec3 a, snVec3 b)
{
    return snV3(b.x < a.x ? b.x : a.x, b.y < a.y ? b.y : a.y, b.z < a.z ? b.z : a.z);
}

SN_FN snVec3 snMax3(snVec3 a, snVec3 b)
{
    return snV3(b.x > a.x ? b.x : a.x, b.y > a.y ? b.y : a.y, b.z > a.z ? b.z : a.z);
}

SN_FN snBox snBox_Point(snBox box, snVec3 p)
{
    box.lo = snMin3(box.lo, p);
    box.hi = snMax3(box.hi, p);
    return box;
}

SN_FN snBox snBox_Union(snBox a, snBox b)
{
    a.lo = snMin3(a.lo, b.lo);
    a.hi = snMax3(a.hi, b.hi);
    return a;
}

SN_END_C

#endif
