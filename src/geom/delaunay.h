// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Delaunay tets of given points, by Qhull where the host has libsinew_import.
#ifndef SN_GEOM_DELAUNAY_H
#define SN_GEOM_DELAUNAY_H

#include "base/memory.h"
#include "geom/tets.h"

SN_BEGIN_C

// Fills the convex hull of the points with tets, positive volume, no point inside a tet's
// circumscribed ball. Nodes are the points, in their order; points that repeat one another stay
// without tets. Flat tets (volume below 1e-12 of the box around the points, as cospherical points
// give) are dropped. sn_errorUnsupported when the arena's host has no importer with Qhull;
// sn_errorArgument when the points lie in a plane or are fewer than four.
snStatus snDelaunay_Build(snArena* arena, const snVec3* point, int32_t count, snTets* out,
                          snMessage* why);

SN_END_C

#endif
