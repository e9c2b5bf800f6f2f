// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Surfaces and tets from a file of any format.
#ifndef SN_IO_MESH_FILE_H
#define SN_IO_MESH_FILE_H

#include "geom/surface.h"
#include "geom/tets.h"
#include <sinew/io.h>

// All in the arena that it was read into.
typedef struct snMeshFile {
    snSurface surface; // of tets: the faces around them
    snTets tets;       // mended; none: the file is a surface
    snMeshFacts facts; // those of the surface only after snMeshFile_Inspect
} snMeshFile;

// By content where that is unmistakable, else by extension.
snStatus snMeshFile_Read(snArena* arena, const char* path, snMeshFile* out, snMessage* why);

// The same from memory. `name` gives the extension. TetGen's, which have a second file, are
// refused.
snStatus snMeshFile_Parse(snArena* arena, const char* name, const uint8_t* bytes, size_t count,
                          snMeshFile* out, snMessage* why);

// snCharacter_Load. refused_tets: a file with tets is refused, and gets their number; NULL = taken.
snStatus snMeshFile_Load(const snHost* host, const char* path, const snCharacterDef* def,
                         int32_t* refused_tets, snCharacter** character, snMessage* why);

// What is wrong with the surface.
snStatus snMeshFile_Inspect(snMeshFile* file, const snHost* host, snMessage* why);

#endif
