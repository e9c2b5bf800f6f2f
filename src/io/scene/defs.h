// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The fields of all public defs.
#ifndef SN_IO_SCENE_DEFS_H
#define SN_IO_SCENE_DEFS_H

#include "base/def.h"

// Table 0, 1, 2 …; NULL after the last.
const snDefTable* snDefs_At(int32_t i);

#endif
