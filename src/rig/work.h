// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What retargeting works with, for its own files.
#ifndef SN_RIG_WORK_H
#define SN_RIG_WORK_H

#include "rig/retarget.h"

// What one run needs besides its result.
typedef struct snWork {
    snRetarget* r;
    snVec3* direction; // where a bone points, in its frame; unit or 0; (bone_count)
    snQuat* after;     // A G_bone_rest; (bone_count)
    double* roll;      // of a bone about its direction, so that the next joint bends its way
    snQuat to_ours;    // the clip's, and turned to face as the character does at first
    snQuat* was;       // inverse of the joint's rest rotation; (joint_count)
    snTransform* pose; // recorded joints in a frame; (joint_count)
    snQuat* want;      // how bones should be turned; (bone_count)
    snTransform* got;  // where bones are; (bone_count)
    uint16_t* flips;   // of limbs, see limbs.h; (frame_count)
    double lift;       // what brings the lowest foot of all frames to the ground
} snWork;

// Recorded joints of a frame, and how all bones should be turned then: D(t) A G_bone_rest.
void snWork_Want(snWork* work, int32_t frame);

static inline int32_t snWork_Bone(const snWork* work, snHumanPart part, int side)
{
    return work->r->match.bone_of[SN_ROLE(part, side)];
}

static inline int32_t snWork_Joint(const snWork* work, snHumanPart part, int side)
{
    return work->r->clip->joint_of[SN_ROLE(part, side)];
}

// The part that a limb's part leads to
static inline snHumanPart snHumanPart_Next(snHumanPart part)
{
    switch (part) {
    case sn_partUpperArm:
        return sn_partForearm;
    case sn_partForearm:
        return sn_partHand;
    case sn_partThigh:
        return sn_partShin;
    case sn_partShin:
        return sn_partFoot;
    case sn_partFoot:
        return sn_partToes;
    default:
        return sn_partNone;
    }
}

#endif
