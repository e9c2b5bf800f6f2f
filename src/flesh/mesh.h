// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The mesh of the flesh: cells with material, nodes with mass, and where the surface lies in them.
#ifndef SN_FLESH_MESH_H
#define SN_FLESH_MESH_H

#include "flesh/flesh.h"

// Fills cell, tets, fill, mass, volume, error, floored and embedding of `out`.
snStatus snMesh_Make(snArena* arena, const snFleshDef* def, snFlesh* out, snMessage* why);

#endif
