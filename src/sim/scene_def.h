// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SN_SIM_SCENE_DEF_H
#define SN_SIM_SCENE_DEF_H

#include "base/def.h"

// The fields of snSceneDef.
extern const snDefTable SN_SCENE_DEF;

#endif
