// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A clip as a two-way run (sim/two_way.h) plays it, as a clip of the rig's own nodes.
//
// What the skeleton left the clip by is put on the clip's own pose: turns of joints after the
// clip's own, which keeps what hinges cannot do, and the root's turn and way. So small slides and
// scales of the clip stay. Of a loop that closes, and whose root is held, what the ends differ by
// is spread over all of it.
#ifndef SN_SIM_TWO_WAY_CLIP_H
#define SN_SIM_TWO_WAY_CLIP_H

#include "sim/two_way.h"

// Told after each frame. False: stop.
typedef bool snTwoWayWatchFcn(void* user, int32_t frame, int32_t count);

// Plays all frames of a track that has a clip. The new motion is called "Run (two-way)" if the clip
// is "Run", by its number if it has no name, and lies in the arena, but for channels that stay as
// they were, which are the clip's; those of morph weights are left out. sn_errorInterrupted when it
// was stopped. watch and facts may be NULL.
snStatus snTwoWay_Perform(snArena* arena, const snHost* host, const snTwoWayDef* def,
                          snTwoWayWatchFcn* watch, void* user, snRigClipData* out,
                          snTwoWayFacts* facts, snMessage* why);

#endif
