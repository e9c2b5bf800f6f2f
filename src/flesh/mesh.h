// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The mesh of the flesh: cells with material, nodes with mass, and where the surface lies in them.
#ifndef SN_FLESH_MESH_H
#define SN_FLESH_MESH_H

#include "flesh/flesh.h"

SN_BEGIN_C

// Fills cell, tets, fill, mass, volume, error, floored and embedding of `out`. The skeleton, which
// may be NULL here, is only looked at for bones that miss the body: the host's log tells of them,
// of such regions, and of bodies that seem not to be in metres.
snStatus snMesh_Build(snArena* arena, const snFleshDef* def, snFlesh* out, snMessage* why);

SN_END_C

#endif
