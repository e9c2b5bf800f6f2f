// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Motions for rigs without clips: the node that carries the body hops, shakes or turns, in the
// world, whatever the frame of its parent. All are loops that begin in the nodes' own pose.
//
//   hop    twice 15 % of the height, up and down in 0.6 s, then 0.4 s for the flesh
//   shake  8 % of the width along x to both sides, at 2 Hz, for 2 s
//   turn   60 degrees to both sides about the vertical through the middle, thrice in 2.4 s
//
// Height and width count as at least a third of the longest side: a snake hops too.
#ifndef SN_RIG_MOTION_H
#define SN_RIG_MOTION_H

#include "rig/rig.h"
#include <sinew/body.h>

// motion: an snMotion, not none. Lies in the arena; named as the motion.
snStatus snMotion_BuildClip(snArena* arena, const snRig* rig, int32_t motion, snRigClipData* out,
                            snMessage* why);

#endif
