// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Medit meshes as text (.mesh).
#ifndef SN_IO_MESH_MEDIT_H
#define SN_IO_MESH_MEDIT_H

#include "io/mesh/tet_file.h"

// Vertices and tets; other elements are counted and passed over, all else is passed over. Tets of
// higher order are refused. Errors name the line. All lies in the arena.
snStatus snMedit_Parse(snArena* arena, const char* text, size_t length, snTetFile* out,
                       snMessage* why);

#endif
