// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// BVH, the text format of motion capture (Biovision Hierarchical data). Not the trees of boxes in
// geom/bvh.h.
#ifndef SN_IO_MOTION_BVH_H
#define SN_IO_MOTION_BVH_H

#include "rig/clip.h"

// Reads joints and frames; snClip_Finish comes after it. Errors give the line.
snStatus snBvhFile_Parse(const snHost* host, const char* text, size_t length, snClip** clip,
                         snMessage* why);

#endif
