// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Polygons corner by corner, as fans about their first corner.
#ifndef SN_IO_MESH_FAN_H
#define SN_IO_MESH_FAN_H

#include "geom/surface.h"

typedef struct snFan {
    int32_t* triangle;   // 3 per triangle; NULL while they are counted
    int64_t triangles;   // so far, of all polygons
    int64_t corners;     // of this polygon so far
    int32_t first, last; // corners of this polygon
} snFan;

SN_FN void snFan_Begin(snFan* fan)
{
    fan->corners = 0;
}

SN_FN void snFan_Corner(snFan* fan, int32_t vertex)
{
    if (fan->corners >= 2) {
        if (fan->triangle) {
            int32_t* t = fan->triangle + 3 * fan->triangles;
            t[0] = fan->first, t[1] = fan->last, t[2] = vertex;
        }
        ++fan->triangles;
    }
    fan->first = fan->corners == 0 ? vertex : fan->first;
    fan->last = vertex;
    ++fan->corners;
}

#endif
