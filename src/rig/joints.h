// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Fitting of joints to clips, see sinew/joints.h.
#ifndef SN_RIG_JOINTS_H
#define SN_RIG_JOINTS_H

#include "rig/rig.h"
#include <sinew/joints.h>

// Where a node is, without scale
typedef struct snJointFrame {
    snQuat q;
    snVec3 p; // in the file's unit
} snJointFrame;

snJointFrame snJointFrame_Of(const snMatrix* world);

// That of a joint, of a pose of all nodes
snJointFrame snRigJoint_Frame(const snRigJoint* joint, const snMatrix* nodes);

// b as a sees it
snJointFrame snJointFrame_From(const snJointFrame* a, const snJointFrame* b);

// Type, rest, axis and limits of a joint whose parent is known. seen: the joint as its parent sees
// it, in all samples; (count). along: where its far end is as it sees it itself
void snRigJoint_Fit(snRigJoint* joint, const snJointFrame* seen, int32_t count, snVec3 along);

// Swing and twist of a turn about an axis, rad
void snJoint_Split(snVec3 axis, snQuat turn, double* swing, double* twist);

#endif
