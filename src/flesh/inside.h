// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The body that a tet mesh holds: which points lie inside it.
#ifndef SN_FLESH_INSIDE_H
#define SN_FLESH_INSIDE_H

#include "geom/tets.h"

// Which of `count` points lie inside the body: writes 1 or 0.
typedef struct snInside {
    void* user;
    void (*test)(void* user, const snVec3* points, int32_t count, uint8_t* inside);
} snInside;

// Volume of one tet of a mesh, m^3.
SN_FN double snTets_Volume(const snTets* mesh, int32_t tet)
{
    const int32_t* n = mesh->tet + 4 * (ptrdiff_t)tet;
    return snTetVolume(mesh->position[n[0]], mesh->position[n[1]], mesh->position[n[2]],
                       mesh->position[n[3]]);
}

#endif
