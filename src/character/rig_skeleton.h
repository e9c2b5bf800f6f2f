// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A rig's body as a skeleton for physics: a bone for each of its fitted joints (rig/joints.h).
//
// A bone weighs what it carries and what does not jiggle: held nodes of the flesh by their weights,
// rigid parts of the body, whose mass is that of water inside the skin, and besides a part of the
// flesh about it, as bones do, so that none is without inertia.
#ifndef SN_CHARACTER_RIG_SKELETON_H
#define SN_CHARACTER_RIG_SKELETON_H

#include "character/body.h"
#include "rig/joints.h"
#include "skel/skeleton.h"

// A place of the skin that may touch the ground
typedef struct snRigSkeletonPoint {
    int32_t bone;
    snVec3 place; // in its frame, m
} snRigSkeletonPoint;

// Lies in the arena it was made with, but for the skeleton. Body and joints are not owned.
typedef struct snRigSkeleton {
    const snRigBody* body;
    const snRigJoints* joints;
    snSkeleton* skeleton; // bone i is joint i
    snSkeleton* whole;    // the same, with the flesh as if it did not jiggle
    double mass;          // with the flesh, kg
    const snMatrix* map;  // from the bind pose to each bone's frame, m; (joints->count)
    const int32_t* bone;  // of joints of the body; (body->joint_count)
    const double* limb;   // moment of inertia of all that hangs on a joint, about it, with the
                          // flesh, kg m^2; (joints->count)
    int32_t point_count;
    const snRigSkeletonPoint* points;
} snRigSkeleton;

// nodes: a pose of the rig, of which scales are taken; (node_count). Fails when a joint of the body
// hangs on nothing.
snStatus snRigSkeleton_Build(snArena* arena, const snRigBody* body, const snRigJoints* joints,
                             const snMatrix* nodes, snRigSkeleton* out, snMessage* why);

void snRigSkeleton_Free(snRigSkeleton* rig_skeleton);

// A joint as its parent sees it, or the root in the world, in the file's unit; nodes: a pose
snJointFrame snRigSkeleton_See(const snRigSkeleton* rig_skeleton, int32_t bone,
                               const snMatrix* nodes);

// Coordinates of a pose. Hinges turn by what the pose turns them about their axis. q: as the
// skeleton has it
void snRigSkeleton_Read(const snRigSkeleton* rig_skeleton, const snMatrix* nodes, double* q);

#endif
