// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The drives of a character in a scene file.
#ifndef SN_IO_SCENE_DRIVE_H
#define SN_IO_SCENE_DRIVE_H

#include "io/scene/field.h"
#include "io/scene/names.h"

// Sets every drive of the list on the scene's character `who`, whose bones the table names.
snStatus snReadDrives(snSceneReader* r, const snJson* node, snScene* scene, int32_t who,
                      const snNames* bones);

#endif
