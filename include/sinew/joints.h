// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Joints for physics, fitted to a rig: files say where joints are, but not how they turn and how
// far. That is taken from all clips of the rig: what turns about one axis is a hinge, what never
// turns is fixed, all else is a ball; limits are what the clips use, and ten degrees more.
//
// Joints that move less than 0.3 % of the skin (fingers, eyes) go with what they hang on. Joints
// that slide against the one they hang on are looked at once more: a foot or a hand that hangs on
// the root, as rigs with inverse kinematics have it, is hung on the end of its limb: on the joint
// against which a point of it stands still in the clips. Others that slide follow their clip. One
// frame in twenty may be otherwise.
#ifndef SINEW_JOINTS_H
#define SINEW_JOINTS_H

#include "rig.h"
#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

// How a joint moves against its parent. A joint's frame has the axes of its node in the world,
// without scale, and its origin in the pivot.
typedef struct snRigJoint {
    const char* name; // of its node; "" = none
    int32_t node;     // of the rig
    int32_t parent;   // place in the table; -1: the root, which moves freely
    int32_t type;     // an snJointType: free, ball, revolute or weld
    int32_t follows;  // nonzero: it slides against its parent: it is where the clip has it
    int32_t is_moved; // nonzero: in the file it hangs on another joint
    snVec3 pivot;     // from the node, along its axes, in the file's unit; of most joints 0
    snVec3 place;     // in the parent's frame, in the middle, in the file's unit
    snQuat rest;      // against the parent, in the middle of all its turns
    snVec3 axis;      // in the frame of `rest`: hinges turn about it, a ball's cone is about it
    double low, high; // of the hinge's angle or the ball's twist from `rest`, rad
    double swing;     // ball: how far `axis` goes from where it is at rest, rad
    double slide;     // against its parent in the clips, part of the rig's size
    double stretch;   // by which its scale changes in the clips, part of it
    double share;     // of the skin that it moves, without its children, 0..1
} snRigJoint;

// Immutable.
typedef struct snRigJoints {
    int32_t count;            // joints
    const snRigJoint* joints; // parents first; (count)
    const int32_t* of_node;   // joint that a node of the rig goes with; -1: none; (node_count)
    double size;              // longest side of the rig, in the file's unit
} snRigJoints;

// Fits joints to a rig and all its clips. Without clips all joints are balls that turn by up to 30
// degrees. Fails, with its name, when a part of the body slides by more than a tenth of the size
// and no joint is where it could hang.
SN_API snStatus snRigJoints_Fit(const snHost* host, const snRig* rig, snRigJoints** joints,
                                snMessage* why);

// NULL is fine.
SN_API void snRigJoints_Free(snRigJoints* joints);

#ifdef __cplusplus
}
#endif

#endif
