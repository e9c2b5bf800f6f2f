// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What the readers of tet meshes hand over: the tets as they stand in the file.
#ifndef SN_IO_MESH_TET_FILE_H
#define SN_IO_MESH_TET_FILE_H

#include "base/memory.h"
#include "geom/tets.h"
#include "io/mesh/cursor.h"

typedef struct snTetFile {
    snTets tets;              // indices in range, nothing else is promised
    int64_t first_node;       // the file's number of node 0; others follow
    int64_t first_tet;        // of tet 0
    const int64_t* node_name; // the file's numbers if they do not follow each other, else NULL
    const int64_t* tet_name;
    int64_t others;        // elements that are not tets, passed over
    int64_t other_volumes; // of those: hexahedra, prisms, pyramids
    char format[32];       // "Gmsh 4.1, binary"
} snTetFile;

// The file's number of a node or tet; -1 for none.
int64_t snTetFile_Node(const snTetFile* file, int32_t node);
int64_t snTetFile_Tet(const snTetFile* file, int32_t tet);

// Memory for nodes, or tets; counts must have been checked.
snStatus snTetFile_Allocate(snTetFile* file, snArena* arena, int64_t nodes, int64_t tets,
                            snMessage* why);

// Four node numbers of a text, counted from file->first_node. `number` is the file's of the tet.
snStatus snTetFile_Corners(const snTetFile* file, snCursor* cursor, bool line, int64_t number,
                           int32_t corner[4]);

// Fails when there is nothing in it.
snStatus snTetFile_Check(const snTetFile* file, snMessage* why);

#endif
