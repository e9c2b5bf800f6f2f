// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// An obstacle as triangles.
#ifndef SINEW_APPS_CLI_SOLID_H
#define SINEW_APPS_CLI_SOLID_H

#include <render/draw.h>
#include <sinew/sinew.h>

typedef struct Solid {
    int32_t vertex_count, triangle_count;
    float* positions;   // xyz, m, in the obstacle's frame; (vertex_count)
    float* normals;     // (vertex_count)
    int32_t* triangles; // (3 x triangle_count)
} Solid;

// All shapes of an obstacle together. False: no memory.
bool makeSolid(const snObstacleDef* def, Solid* solid);

void freeSolid(Solid* solid);

// Adds it to a list: where its frame is, less the pictures' origin. scenery: DrawMesh.scenery.
void paintSolid(const Solid* solid, const snTransform* pose, snVec3 origin, Colour colour,
                bool scenery, DrawList* list);

#endif
