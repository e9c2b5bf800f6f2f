// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Items of a draw list in GL's memory.
#ifndef SINEW_APPS_RENDER_ITEMS_H
#define SINEW_APPS_RENDER_ITEMS_H

#include "render/context.h"
#include "render/draw.h"

typedef enum ShapeName { shapeCapsule, shapeSmallCapsule, shapeOctahedron, shapeCount } ShapeName;

// The shapes that bones are drawn by.
typedef struct ShapeBuffers {
    GLuint vertices[shapeCount], triangles[shapeCount];
    int32_t counts[shapeCount]; // of triangles
} ShapeBuffers;

void createShapeBuffers(ShapeBuffers* buffers);

// One item.
typedef struct GpuItem {
    int shape;  // a ShapeName, of capsules and octahedra
    int side;   // 1: closed, -1: closed and inside out, 0: open
    bool dense; // a closed, opaque mesh of tiny triangles
    GLuint array;
    GLuint buffers[DRAW_PIECES];
} GpuItem;

// False: no memory. What is small on the picture gets by with less.
bool uploadItem(const ShapeBuffers* buffers, const DrawItem* item, double metres_per_pixel,
                GpuItem* gpu);

void releaseItem(GpuItem* gpu);

bool isOpaque(const DrawItem* item);

// Of what is closed the far sides are never seen.
void cullFarSides(const GpuItem* gpu);

void drawItem(const ShapeBuffers* buffers, const DrawItem* item, const GpuItem* gpu,
              GLuint program);

#endif
