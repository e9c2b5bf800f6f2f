// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// STL, text and binary.
#ifndef SN_IO_MESH_STL_H
#define SN_IO_MESH_STL_H

#include "geom/surface.h"

// Is the file exactly as large as a binary STL of as many triangles as it says?
bool snStl_Fits(const uint8_t* bytes, size_t count);

// Does it read as binary STL? Headers of some begin with "solid" too, so the size decides; a file
// whose size does not fit is text if it begins so.
bool snStl_IsBinary(const uint8_t* bytes, size_t count);

// The triangles of all solids, vertices of equal position joined. Normals and colours are passed
// over: the order of the corners says what is outside. Errors name the line, or the byte. The
// surface lies in the arena.
snStatus snStl_Parse(snArena* arena, const uint8_t* bytes, size_t count, snSurface* out,
                     snMessage* why);

#endif
