// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A clip of a rig as a recording (rig/clip.h): frame 0 is the bind pose, or the nodes' own where
// nothing is skinned, which may be any; the others are the clip's, evenly, as often as its keys.
#ifndef SN_RIG_CLIP_RIG_H
#define SN_RIG_CLIP_RIG_H

#include "rig/clip.h"
#include "rig/rig.h"

// Nodes that can be joints of a body: joints of skins and what they hang on; without skins all that
// carry no mesh. out: (node_count)
void snRigBones_Find(const snRig* rig, uint8_t* out);

// snClip_Finish comes after it, with sn_restFirst. Bones of a VRM humanoid are called so.
snStatus snClip_OfRig(const snHost* host, const snRig* rig, int32_t clip, snClip** out,
                      snMessage* why);

// Does nothing move in the frames that are played?
bool snClip_IsStill(const snClip* clip);

#endif
