// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Obstacles, and what happens between materials, in a scene file.
#ifndef SN_IO_SCENE_OBSTACLE_H
#define SN_IO_SCENE_OBSTACLE_H

#include "io/scene/field.h"

// "obstacles" and "pairs" of the scene's object, either of which may be absent.
snStatus snReadObstacles(snSceneReader* r, const snJson* root, snScene* scene);

#endif
