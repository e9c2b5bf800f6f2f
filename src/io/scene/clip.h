// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A character's clip in a scene file.
#ifndef SN_IO_SCENE_CLIP_H
#define SN_IO_SCENE_CLIP_H

#include "io/scene/field.h"

// Loads the clip that an object names and plays it on the scene's character `who`.
snStatus snReadClip(snSceneReader* r, const snJson* node, snScene* scene, int32_t who);

#endif
