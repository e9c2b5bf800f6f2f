// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The body that a tet mesh holds.
#ifndef SN_FLESH_BODY_H
#define SN_FLESH_BODY_H

#include "geom/lattice_split.h"

// The body as a question: which points hold material.
typedef struct snBody {
    snMaterialFcn* material;
    void* user;
} snBody;

// What is known of a cell before it is sampled.
typedef enum snCellKind {
    sn_cellMixed = 0, // nothing
    sn_cellFull,      // all material
    sn_cellEmpty,     // none
} snCellKind;

// Volume of one tet of a mesh, m^3.
SN_FN double snTets_Volume(const snTets* mesh, int32_t tet)
{
    const int32_t* n = mesh->tet + 4 * (ptrdiff_t)tet;
    return snTetVolume(mesh->position[n[0]], mesh->position[n[1]], mesh->position[n[2]],
                       mesh->position[n[3]]);
}

#endif
