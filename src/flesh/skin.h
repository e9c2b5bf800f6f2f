// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The surface that people see. Plain embedding shows the cells as creases: a gradient is constant
// in each. Here every node carries the mean deformation gradient of its cells, weighted by their
// material, and a vertex blends what its cell's nodes say of it:
//
//   y = sum of w_i (x_i + 1/2 F_i (Y - X_i))
//
// As sum of w_i (Y - X_i) = 0, any factor in place of 1/2 is exact for affine maps. For a quadratic
// one with second derivative H, plain embedding is off by e = 1/2 sum of w_i (Y - X_i)' H (Y - X_i)
// and blended tangents (factor 1) by -e: just as creased, the other way. 1/2 is exact.
#ifndef SN_FLESH_SKIN_H
#define SN_FLESH_SKIN_H

#include "base/tasks.h"
#include "flesh/flesh.h"

SN_BEGIN_C

// Immutable tables; in the arena given to snSkin_Build.
typedef struct snSkin snSkin;

// The surface's rest positions and normals are kept; the flesh and the surface must outlive it.
snStatus snSkin_Build(snArena* arena, const snFlesh* flesh, const snSurface* surface,
                      const snSkin** out, snMessage* why);

// Bytes of scratch memory, aligned to SN_ALIGNMENT, that snSkin_Update needs.
size_t snSkin_WorkSize(const snSkin* skin);

// Positions and unit normals of all vertices from node positions x; `shift` (m) is added to the
// positions in double before rounding. packed xyz; (vertex_count, 3); normal may be NULL
void snSkin_Update(const snSkin* skin, snTasks* tasks, snIsa isa, const snVec4f* x, snVec3 shift,
                   void* work, float* position, float* normal);

SN_END_C

#endif
