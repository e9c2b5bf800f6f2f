// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// TetGen: nodes in a .node file, tets in the .ele file beside it.
#ifndef SN_IO_MESH_TETGEN_H
#define SN_IO_MESH_TETGEN_H

#include "io/mesh/tet_file.h"

// From the two texts. Numbers start at 0 or 1, as the first node says; attributes and markers are
// passed over; tets of 10 nodes are refused. Errors say "node file" or "tet file", and the line.
// All lies in the arena.
snStatus snTetgen_Parse(snArena* arena, const char* nodes, size_t node_length, const char* tets,
                        size_t tet_length, snTetFile* out, snMessage* why);

// One list each, from its count to its last line, as a .veg file has them too.
snStatus snTetgen_Nodes(snArena* arena, snCursor* cursor, snTetFile* file);
snStatus snTetgen_Tets(snArena* arena, snCursor* cursor, snTetFile* file);

#endif
