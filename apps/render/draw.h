// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What a picture shows: a list of plain shapes in metres, Y up. It knows nothing of simulations and
// keeps copies of what is added, so that frames can be collected first and drawn later.
#ifndef SINEW_APPS_RENDER_DRAW_H
#define SINEW_APPS_RENDER_DRAW_H

#include <sinew/base.h>
#include <stdbool.h>
#include <stdio.h>

// sRGB as people pick it, 0..1, and opacity.
typedef struct Colour {
    float r, g, b, a;
} Colour;

// A triangle mesh, seen counter-clockwise from outside; both sides are drawn. An opacity below 1
// shows what is inside.
typedef struct DrawMesh {
    int32_t vertex_count;
    int32_t triangle_count;
    const float* positions;   // xyz; (vertex_count)
    const float* normals;     // xyz; NULL = smooth ones are computed; (vertex_count)
    const int32_t* triangles; // (3 x triangle_count)
    const float* colours;     // rgb, times `colour`; NULL = none; (vertex_count)
    Colour colour;
    bool scenery; // what the picture is not about: a camera need not show all of it
} DrawMesh;

// A straight piece with a thickness.
typedef struct DrawBone {
    float from[3];
    float radius; // m
    float to[3];
    Colour colour;
} DrawBone;

typedef enum DrawKind {
    drawMesh,      // data: positions, normals, triangles, colours
    drawLines,     // data: 6 floats a line
    drawCapsules,  // data: DrawBone; a sphere is a capsule without length
    drawOctahedra, // data: DrawBone; the pointed shape that animation programs draw bones by
} DrawKind;

#define DRAW_PIECES 4

typedef struct DrawItem {
    int32_t kind;           // a DrawKind
    int32_t count;          // vertices, lines or bones
    int32_t triangle_count; // of a mesh
    int32_t scenery;        // of a mesh: DrawMesh.scenery
    Colour colour;          // of a mesh or a set of lines
    float width;            // of lines, pixels
    size_t bytes[DRAW_PIECES];
    void* data[DRAW_PIECES];
} DrawItem;

typedef struct DrawList {
    DrawItem* items;
    int32_t count, capacity;
    bool failed; // out of memory, or an index out of range: the list must not be drawn
} DrawList;

// All functions that add latch `failed`. A list starts as {0}.
void addMesh(DrawList* list, const DrawMesh* mesh);

// Lines from points[6 i] to points[6 i + 3], drawn over surfaces they lie on; width in pixels.
void addLines(DrawList* list, const float* points, int32_t count, Colour colour, float width);

// Spheres: xyz and radius each; colours, one each, or NULL for the one colour.
void addSpheres(DrawList* list, const float* spheres, const Colour* colours, int32_t count,
                Colour colour);

// kind: drawCapsules or drawOctahedra.
void addBones(DrawList* list, DrawKind kind, const DrawBone* bones, int32_t count);

// Empties the list and frees its memory.
void clearDrawList(DrawList* list);

// How far a list reaches.
typedef struct Extent {
    snVec3 low, high; // of the box around it; low.x > high.x: nothing there
    double side[4];   // the largest dot product with each of four unit normals
} Extent;

Extent emptyExtent(void);

bool isEmpty(const Extent* extent);

// Widens an extent by another one that was measured with the same normals.
void joinExtent(Extent* extent, const Extent* other);

// Widens the extent by what an item shows.
void measureItem(const DrawItem* item, const snVec3 normals[4], Extent* extent);

// Widens the extent by what the list shows: by scenery, or by all that is not.
void measureDrawList(const DrawList* list, bool scenery, const snVec3 normals[4], Extent* extent);

#define SCALE_STOPS 5

// What colours mean: a bar of them in a corner of the picture says so.
typedef struct Scale {
    const char* title;
    const char* labels[3];     // at its beginning, middle and end
    Colour stops[SCALE_STOPS]; // evenly spread, colours between them are mixed
} Scale;

// The colour of a place on the scale: 0 = beginning, 1 = end; beyond, that of the end.
Colour scaleColour(const Scale* scale, double place);

// Appends the list to a file; pieces that are the same in `last` (the list written before, or NULL)
// are only referred to. False when the file cannot be written.
bool writeDrawList(FILE* file, const DrawList* list, const DrawList* last);

// Reads the next list into an empty one.
bool readDrawList(FILE* file, DrawList* list, const DrawList* last);

#endif
