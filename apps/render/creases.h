// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Hard edges of a mesh. Where triangles meet at a sharp angle their vertices are doubled, so that
// each side can have its own normal and a cube does not look like a cushion.
#ifndef SINEW_APPS_RENDER_CREASES_H
#define SINEW_APPS_RENDER_CREASES_H

#include <stdbool.h>
#include <stdint.h>

// Of 55 degrees: the tips of a starfish of 2000 triangles reach 50, a hexagonal bar has 60.
#define CREASE_COSINE 0.5736

typedef struct Creases {
    int32_t vertex_count; // copies included; as many as in the mesh: it has no hard edges
    int32_t triangle_count;
    int32_t* origins;   // vertex of the mesh that each stands for, itself first; (vertex_count)
    int32_t* triangles; // of the doubled vertices; (3 x triangle_count)
} Creases;

// Looks for angles with a cosine below the given one. False: no memory.
bool findCreases(const float* positions, int32_t vertex_count, const int32_t* triangles,
                 int32_t triangle_count, double cosine, Creases* creases);

void freeCreases(Creases* creases);

#endif
