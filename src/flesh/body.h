// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The body that a tet mesh holds.
#ifndef SN_FLESH_BODY_H
#define SN_FLESH_BODY_H

#include "base/memory.h"
#include "geom/tets.h"
#include "math/mat.h"

// Which points hold material: in[i] becomes 0 or 1.
typedef snStatus snMaterialFcn(void* user, const snVec3* p, int64_t count, uint8_t* in,
                               snMessage* why);

// Does a place with material in a cell belong to that cell, or to another one in the same place
// that holds another part of the body?
typedef bool snOwnsFcn(void* user, int32_t cell, snVec3 p);

// The body as questions.
typedef struct snSampledBody {
    snMaterialFcn* material;
    void* user;
    snOwnsFcn* owns; // NULL: cells do not overlap
} snSampledBody;

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

// Gradients of a tet's shape functions, 1/m; false when it is flat.
SN_FN bool snTets_Gradients(const snTets* mesh, int32_t tet, snVec3 g[4])
{
    const int32_t* n = mesh->tet + 4 * (ptrdiff_t)tet;
    bool ok;
    snVec3 X = mesh->position[n[0]];
    snMat3 B =
        snMatInverse(snMatFromCols(snSub(mesh->position[n[1]], X), snSub(mesh->position[n[2]], X),
                                   snSub(mesh->position[n[3]], X)),
                     &ok);
    for (int k = 0; k < 3; ++k) {
        g[k + 1] = snMatRow(B, k);
    }
    g[0] = snNeg(snAdd(snAdd(g[1], g[2]), g[3]));
    return ok;
}

#endif
