// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A skeleton in a scene file: a built-in one by name, or its bones.
#ifndef SN_IO_SCENE_BONE_H
#define SN_IO_SCENE_BONE_H

#include "io/scene/field.h"

// A new skeleton, which the caller releases.
snStatus snReadSkeleton(snSceneReader* r, const snJson* node, snSkeleton** skeleton);

#endif
