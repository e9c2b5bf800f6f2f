// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Wavefront OBJ, as far as it describes surfaces.
#ifndef SN_IO_MESH_OBJ_H
#define SN_IO_MESH_OBJ_H

#include "geom/surface.h"

// Positions and faces of a text. Polygons become fans about their first corner; texture
// coordinates, normals, groups, materials, lines and points are passed over. All vertices are kept,
// in the file's order. Errors name the line. The surface lies in the arena.
snStatus snObj_Parse(snArena* arena, const char* text, size_t length, snSurface* out,
                     snMessage* why);

// The same from a file of at most 1 GiB.
snStatus snObj_Read(snArena* arena, const char* path, snSurface* out, snMessage* why);

#endif
