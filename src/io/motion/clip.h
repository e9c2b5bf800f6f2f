// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Files that say which joint of a clip is which bone.
#ifndef SN_IO_MOTION_CLIP_H
#define SN_IO_MOTION_CLIP_H

#include "rig/clip.h"

// Names the joints of a clip; snClip_Finish comes after it. Errors give file and line.
snStatus snClip_ReadMap(snClip* clip, const char* path, snMessage* why);

#endif
