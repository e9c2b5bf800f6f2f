// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Settings of methods in scene files: {"explicit": {"integrator": "euler"}}.
#ifndef SN_IO_SCENE_SETTINGS_H
#define SN_IO_SCENE_SETTINGS_H

#include "io/scene/field.h"

// A key of the scene that is a setting of a method: says where it belongs.
snStatus snCheckStraySettings(snSceneReader* r, const snJson* root, const snFields* keys);

// Sets all that the object says, of every method.
snStatus snReadSettings(snSceneReader* r, const snJson* node, snScene* scene);

#endif
