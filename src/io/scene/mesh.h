// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Triangles that a scene file spells out.
#ifndef SN_IO_SCENE_MESH_H
#define SN_IO_SCENE_MESH_H

#include "geom/surface.h"
#include "io/scene/field.h"

// "vertices" and "triangles" of an object, which it must have; in the arena.
snStatus snReadTriangles(snSceneReader* r, const snJson* object, const snFields* keys,
                         snSurface* surface);

#endif
