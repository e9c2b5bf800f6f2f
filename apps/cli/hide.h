// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What stays the same of a surface while it moves: hard edges, and all edges as lines.
#ifndef SINEW_APPS_CLI_HIDE_H
#define SINEW_APPS_CLI_HIDE_H

#include <render/creases.h>
#include <sinew/sinew.h>

typedef struct Hide {
    int32_t vertex_count; // of the surface
    Creases creases;
    bool* split; // vertices with more than one normal; (vertex_count)
    int32_t edge_count;
    int32_t* edges; // each once; vertices
} Hide;

// Of a surface at rest, so that edges do not come and go as it bends. False: no memory.
bool makeHide(const float* positions, int32_t vertex_count, const int32_t* triangles,
              int32_t triangle_count, Hide* hide);

// Normals of all vertices, copies included: those given where there is no hard edge; (3 x
// creases.vertex_count). positions: of all of them.
void hideNormals(const Hide* hide, const float* positions, const float* given, float* normals);

void freeHide(Hide* hide);

#endif
