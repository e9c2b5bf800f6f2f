// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/hide.h"

#include "cli/cage.h"

#include <render/shapes.h>
#include <stdlib.h>
#include <string.h>

bool makeHide(const float* positions, int32_t vertex_count, const int32_t* triangles,
              int32_t triangle_count, Hide* h)
{
    *h = (Hide){.vertex_count = vertex_count};
    h->split = calloc((size_t)vertex_count + 1, sizeof *h->split);
    h->edges = malloc(((size_t)triangle_count + 1) * 6 * sizeof *h->edges);
    if (!h->split || !h->edges ||
        !findCreases(positions, vertex_count, triangles, triangle_count, CREASE_COSINE,
                     &h->creases)) {
        freeHide(h);
        return false;
    }
    for (int32_t i = vertex_count; i < h->creases.vertex_count; ++i) {
        h->split[h->creases.origins[i]] = true;
    }
    h->edge_count = listEdges(triangles, triangle_count, h->edges);
    return true;
}

void hideNormals(const Hide* h, const float* positions, const float* given, float* normals)
{
    const Creases* c = &h->creases;
    if (c->vertex_count > h->vertex_count || !given) {
        smoothNormals(positions, c->vertex_count, c->triangles, c->triangle_count, normals);
    }
    for (int32_t i = 0; given && i < h->vertex_count; ++i) {
        if (!h->split[i]) {
            memcpy(normals + 3 * (size_t)i, given + 3 * (size_t)i, 3 * sizeof *normals);
        }
    }
}

void freeHide(Hide* h)
{
    freeCreases(&h->creases);
    free(h->split);
    free(h->edges);
    *h = (Hide){0};
}
