// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A clip as coordinates of another skeleton.
//
// What is carried over is how far each joint has turned from its rest pose, in the world:
//     G_bone(t) = D(t) A G_bone_rest,  D(t) = G_joint(t) G_joint_rest^-1,
// A being the turn that takes the bone's rest direction to that of the joint, where the two rest
// poses differ. Joints in between that nothing matches need no care, since all turns are global.
// The root's travel is scaled so that legs fit.
#ifndef SN_RIG_RETARGET_H
#define SN_RIG_RETARGET_H

#include "rig/match.h"

#define SN_FASTEST 40.0 // rad/s: no joint of a person turns faster

// One leg in one frame, as it came out of the turns alone; world, m.
typedef struct snLegFrame {
    snVec3 hip, ankle; // where the joints are
    snQuat base;       // the thigh's anchor
    snQuat foot;       // how the foot should be turned
    snVec3 hinge;      // the knee's axis
    snVec3 ankle_was;  // the recorded joints, scaled, above the recorded floor
    snVec3 ball_was;
    double toes; // angle that the recorded toes ask for
} snLegFrame;

typedef struct snRetarget {
    const snClip* clip;
    const snSkeleton* skeleton;
    snMatch match;
    int32_t frame_count; // played
    double ground;     // height of the ground in the character's frame, m; whoever knows it sets it
    double reach[2];   // of the feet in front of the ankles in the zero pose, m; likewise, 0: no
                       // farther than the ball
    double* q;         // (frame_count, nq)
    snTransform* rest; // bones in the zero pose; (bone_count)
    double scale;      // m for one of the file's units
    snLegFrame* legs[2]; // (frame_count); NULL when there are no legs of the right kind
} snRetarget;

// Turns and travel. What lives longer than the call is in the arena.
snStatus snRetarget_Run(snArena* arena, const snClip* clip, const snSkeleton* skeleton,
                        snRetarget* retarget, snMessage* why);

// The same with a match that was found before
snStatus snRetarget_Matched(snArena* arena, const snClip* clip, const snSkeleton* skeleton,
                            const snMatch* match, snRetarget* retarget, snMessage* why);

// Moves the whole motion up, or the root in one frame.
void snRetarget_Lift(snRetarget* retarget, double by);
void snRetarget_LiftFrame(snRetarget* retarget, int32_t frame, double by);

#endif
