// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What a step reads of flesh, laid out for it: nodes, the nodes of each bone, surface vertices, and
// the skeleton with the flesh that is fixed to it.
#ifndef SN_FLESH_TABLES_H
#define SN_FLESH_TABLES_H

#include "flesh/flesh.h"

SN_BEGIN_C

// What the flesh is made of at a place of the rest shape.
const snFleshMaterial* snFleshDef_MaterialAt(const snFleshDef* def, snVec3 p);

// What a cell is made of: that of its centroid.
const snFleshMaterial* snFleshDef_MaterialOf(const snFleshDef* def, const snTets* tets,
                                             int32_t cell);

// Fills everything of `out` from `skeleton` on; tets, fill, mass, binding and embedding are there.
// On success the caller releases out->skeleton.
snStatus snTables_Fill(snArena* arena, const snFleshDef* def, snFlesh* out, snMessage* why);

SN_END_C

#endif
