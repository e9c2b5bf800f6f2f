// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Closed manifold surfaces made of nearly equilateral triangles of one size, by splitting long
// edges, collapsing short ones, flipping towards six neighbours and sliding vertices along the
// surface (Botsch & Kobbelt 2004). Every step keeps the surface a closed manifold of the same
// genus.
#ifndef SN_GEOM_ISO_REMESH_H
#define SN_GEOM_ISO_REMESH_H

#include "geom/surface.h"

SN_BEGIN_C

// Moves a point near the surface onto it.
typedef snVec3 snProjectFcn(void* user, snVec3 p);

// surface must be closed and manifold. edge: the wanted edge length, m. The result has no unused
// vertices.
snStatus snIso_Remesh(snArena* arena, const snSurface* surface, double edge, snProjectFcn* project,
                      void* user, snSurface* out, snMessage* why);

SN_END_C

#endif
