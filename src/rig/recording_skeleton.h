// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A rig as a skeleton that recordings can be played on (rig/retarget.h), and what comes out as a
// clip of the rig.
//
// Its bones are the nodes that follow a joint of the recording; nodes in between go along rigidly.
// The zero pose is the bind pose, in metres, turned about the vertical to face Z, over the origin.
// Joints are balls; knees and toes are hinges across the body, so that feet can be held
// (rig/feet.h).
#ifndef SN_RIG_RECORDING_SKELETON_H
#define SN_RIG_RECORDING_SKELETON_H

#include "rig/feet.h"
#include "rig/rig.h"

#define SN_RECORDING_LEAST 5 // bones that follow a joint: fewer are no figure

typedef struct snRecordingSkeleton {
    const snRig* rig;
    double unit;    // m in a unit of the file
    snQuat to_ours; // from the file's axes to the skeleton's
    snVec3 origin;  // in the file
    snMatrix* own;  // nodes in the world in their own pose; (node_count)
    snMatrix* rest; // in the bind pose; (node_count)
    snQuat* turn;   // how they are turned in it; (node_count)
    int32_t* bone;  // of a node, or -1; (node_count)
    int32_t* node;  // of a bone; (bone_count)
    int32_t* hung;  // bone that a foot or hand hangs on here, whose node hangs elsewhere so that
                    // it can be held; -1: as nodes hang; (bone_count)
    const char** called; // what bones are called: VRM's names, or the nodes'; (bone_count)
    double ground;       // height of what it stands on, m
    double rise;     // of that from the bind pose to the nodes' own, in the file's unit: it stands
                     // where its file has it stand
    double reach[2]; // of its feet in front of the ankles, m
    snSkeleton* skeleton;
    snMatch match;
} snRecordingSkeleton;

// Lies in the arena, but for the skeleton. Fails when too little of the rig fits the recording.
snStatus snRecordingSkeleton_Build(snArena* arena, const snRig* rig, const snClip* clip,
                                   snRecordingSkeleton* p, snMessage* why);

void snRecordingSkeleton_Free(snRecordingSkeleton* p);

// The bone that a node goes along with, which may be its own; -1: none
int32_t snRecordingSkeleton_BoneOf(const snRecordingSkeleton* p, int32_t node);

// The clip, from 0 s on. Lies in the arena.
snStatus snRecordingSkeleton_Play(snArena* arena, const snRecordingSkeleton* p,
                                  const snRetarget* retarget, snRigClipData* out, snMessage* why);

#endif
