// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Gmsh meshes (.msh), versions 2.0 to 2.2 and 4.1, text and binary of either byte order.
#ifndef SN_IO_MESH_GMSH_H
#define SN_IO_MESH_GMSH_H

#include "io/mesh/tet_file.h"

// Nodes and tets of 4 nodes; other elements are counted and passed over, so are all other sections.
// Tets of higher order are refused. Errors name the line, or the byte. All lies in the arena.
snStatus snGmsh_Parse(snArena* arena, const uint8_t* bytes, size_t count, snTetFile* out,
                      snMessage* why);

#endif
