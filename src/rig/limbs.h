// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Arms and legs: two bones and a hinge between them.
#ifndef SN_RIG_LIMBS_H
#define SN_RIG_LIMBS_H

#include "rig/work.h"

// Bones of a limb whose lower one can only bend one way against the upper one; false otherwise.
bool snLimbs_IsHinge(const snWork* work, snHumanPart upper, int side, int32_t* top, int32_t* low);

// Recordings have frames in which a limb is turned right round about the line from its root to its
// end, the knee behind: finds them, a bit for each limb.
void snLimbs_FindFlips(snWork* work);

// Elbows and knees bend about one axis; where that axis lies around the upper arm and the thigh
// differs from skeleton to skeleton. The recorded one is what the limb was bent about, on the
// whole.
void snLimbs_FindRolls(snWork* work);

// A recorded point of a foot in our axes, from the ankle: where it was but for a flip.
snVec3 snLimbs_FootPoint(const snWork* work, int32_t frame, int side, snVec3 from_ankle);

// Turns what is wanted of the limbs in a frame: flips undone, hinges where they bend.
void snLimbs_Turn(snWork* work, int32_t frame);

#endif
