// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What the names of a skeleton's joints mean: which one is the left forearm.
#ifndef SN_RIG_NAMES_H
#define SN_RIG_NAMES_H

#include <stdbool.h>
#include <stdint.h>

// Parts of a body. Names stand for the bone that begins there.
typedef enum snHumanPart {
    sn_partNone = 0,
    sn_partPelvis,
    sn_partTrunk, // several, one above the other
    sn_partNeck,  // several
    sn_partHead,
    sn_partCollar, // from here on there is a left and a right one
    sn_partUpperArm,
    sn_partForearm,
    sn_partHand,
    sn_partThumb,
    sn_partIndex1,
    sn_partIndex2,
    sn_partMiddle1,
    sn_partMiddle2,
    sn_partThigh,
    sn_partShin,
    sn_partFoot,
    sn_partToes,
    sn_partCount,
} snHumanPart;

// A part, and whose side; the same number for what is the same.
#define SN_ROLE(part, side) (2 * (int32_t)(part) + (int32_t)(side)) // side 0: left or middle
#define SN_ROLE_COUNT (2 * sn_partCount)

// "upper_arm_l"; NULL for none.
const char* snRole_Name(int32_t role);

// The part of a role.
snHumanPart snRole_Part(int32_t role);

// Finds out what each of the joints is; parents come first, -1 = none. Only trunk and neck appear
// more than once.
void snRoles_Find(const char* const* names, const int32_t* parents, int32_t count, int32_t* roles);

// A name without the rig's own that stands before a colon: "mixamorig:Hips" is "Hips".
const char* snName_Plain(const char* name);

// Is the joint `above` the other one or the same?
bool snRoles_IsAbove(const int32_t* parents, int32_t above, int32_t joint);

#endif
