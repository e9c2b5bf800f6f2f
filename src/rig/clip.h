// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A recorded motion: the tree of joints, their rotations in every frame, and what can be said of
// the skeleton without knowing who will play it.
#ifndef SN_RIG_CLIP_H
#define SN_RIG_CLIP_H

#include "base/memory.h"
#include "math/quat.h"
#include "rig/names.h"
#include <sinew/clip.h>

struct snClip {
    snHost host;
    snArena arena; // everything below lives here

    // what a reader fills
    snClipInfo info;     // joint_count, channel_count, frame_count and rate
    snClipJoint* joints; // parents first; (joint_count)
    const char** alias;  // what a mapping file calls a joint, or NULL; (joint_count)
    int64_t* alias_line; // of the mapping file; (joint_count)
    snVec3* tip;         // where a joint's end site is, in its frame, or 0; (joint_count)
    snQuat* turn;        // local rotations; (frame_count, joint_count)
    snVec3** place;      // local positions of joints that travel, else NULL; (joint_count)
    //                      x (frame_count)
    bool is_rest_unsure; // nobody says that frame 0 is a rest pose: it may be a step of a walk

    // what snClip_Finish finds out
    int32_t* parents;                // (joint_count)
    int32_t* roles;                  // SN_ROLE of each joint, or 0; (joint_count)
    int32_t joint_of[SN_ROLE_COUNT]; // -1: there is none
    int32_t rest_frame;              // frame of the rest pose; -1: without rotations
    snTransform* rest;               // where joints are then; (joint_count)
    snQuat to_ours;                  // from the file's axes to ours: Y up, facing Z at rest
};

// An empty clip with room for so many joints and frames. NULL when memory runs out.
snClip* snClip_New(const snHost* host, int32_t joints, int32_t frames);

// Makes rotations continuous, decides what joints and rest pose are. Fails without memory.
snStatus snClip_Finish(snClip* clip, const snClipDef* def, snMessage* why);

// Where all joints are in a frame, or with -1 without rotations; file's unit and axes.
void snClip_Pose(const snClip* clip, int32_t frame, snTransform* out);

#endif
