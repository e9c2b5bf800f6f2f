// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// OFF, the Object File Format of Geomview, as text.
#ifndef SN_IO_MESH_OFF_H
#define SN_IO_MESH_OFF_H

#include "geom/surface.h"

// Positions and faces of a text: OFF, COFF, NOFF, STOFF and their combinations, or no keyword at
// all. Polygons become fans about their first corner; colours, normals and texture coordinates are
// passed over, and so are faces of fewer than three corners. A vertex or face is a line. All
// vertices are kept, in the file's order. Errors name the line. The surface lies in the arena.
snStatus snOff_Parse(snArena* arena, const char* text, size_t length, snSurface* out,
                     snMessage* why);

#endif
