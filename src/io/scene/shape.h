// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Solid pieces of obstacles in a scene file.
#ifndef SN_IO_SCENE_SHAPE_H
#define SN_IO_SCENE_SHAPE_H

#include "io/scene/field.h"

// "shape" or "shapes" of an obstacle's object; in the arena.
snStatus snReadShapes(snSceneReader* r, const snJson* object, snObstacleDef* def);

#endif
