// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Flesh in a scene file: a surface, what is inside it, and how finely it is cut.
#ifndef SN_IO_SCENE_BODY_H
#define SN_IO_SCENE_BODY_H

#include "io/scene/field.h"

// A new character, which the caller releases. The skeleton may be NULL.
snStatus snReadBody(snSceneReader* r, const snJson* node, const char* name, snSkeleton* skeleton,
                    snCharacter** character);

#endif
