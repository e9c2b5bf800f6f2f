// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// PLY, the Stanford polygon format: text, and binary of either byte order.
#ifndef SN_IO_MESH_PLY_H
#define SN_IO_MESH_PLY_H

#include "geom/surface.h"

// Positions and faces, whatever other elements and properties the file has, of any type and in any
// order. Polygons become fans about their first corner. All vertices are kept, in the file's order.
// Errors name the line, or the byte. The surface lies in the arena.
snStatus snPly_Parse(snArena* arena, const uint8_t* bytes, size_t count, snSurface* out,
                     snMessage* why);

#endif
