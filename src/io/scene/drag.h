// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// How a character is dragged in a scene file.
#ifndef SN_IO_SCENE_DRAG_H
#define SN_IO_SCENE_DRAG_H

#include "io/scene/field.h"
#include "io/scene/names.h"

// "direct" and "drags" of a character's object, either of which may be absent. start: the
// character's start pose, as in q; NULL = the zero pose.
snStatus snReadDrags(snSceneReader* r, const snJson* object, snScene* scene, int32_t who,
                     const snNames* bones, const double* start);

#endif
