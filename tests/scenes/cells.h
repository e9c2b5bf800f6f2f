// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What a frame says of the cells that carry the surface.
#ifndef SN_TESTS_SCENES_CELLS_H
#define SN_TESTS_SCENES_CELLS_H

#include "geom/tets.h"
#include <sinew/character.h>

static inline snVec3 pointAt(const float* x, int32_t i)
{
    return snV3((double)x[3 * (size_t)i], (double)x[3 * (size_t)i + 1],
                (double)x[3 * (size_t)i + 2]);
}

// Vertices whose cell is inside out; cells are right side out at rest.
static inline int32_t countInverted(const snFleshInfo* f, const float* nodes)
{
    int32_t count = 0;
    for (int32_t v = 0; v < f->vertex_count; ++v) {
        const int32_t* n = f->vertex_nodes + 4 * (size_t)v;
        count += snTetVolume(pointAt(nodes, n[0]), pointAt(nodes, n[1]), pointAt(nodes, n[2]),
                             pointAt(nodes, n[3])) <= 0;
    }
    return count;
}

#endif
