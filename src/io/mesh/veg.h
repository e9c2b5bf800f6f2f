// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The volumetric meshes of Vega FEM, as text (.veg).
#ifndef SN_IO_MESH_VEG_H
#define SN_IO_MESH_VEG_H

#include "io/mesh/tet_file.h"

// Vertices and tets; materials, regions and sets are passed over. Errors name the line. All lies in
// the arena.
snStatus snVeg_Parse(snArena* arena, const char* text, size_t length, snTetFile* out,
                     snMessage* why);

#endif
