// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The mass of a bone in a scene file: numbers, a capsule, a mesh, points; all that is given counts.
#ifndef SN_IO_SCENE_MASS_H
#define SN_IO_SCENE_MASS_H

#include "io/scene/field.h"

// Fills mass, and tip and radius from the capsule where the bone says nothing else.
snStatus snReadMass(snSceneReader* r, const snJson* bone, snBoneDef* def);

#endif
