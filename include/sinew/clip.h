// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Motion capture: a clip is read from a BVH file and played on a character of other build. Joints
// are matched by name, or as a mapping file says; docs/motion.md tells how.
#ifndef SINEW_CLIP_H
#define SINEW_CLIP_H

#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// A clip: joints in a tree, each joint's rotation in every frame, where the root is. Immutable.
typedef struct snClip snClip;

// The pose in which the recorded skeleton stands as the character does in its zero pose.
typedef enum snClipRest {
    sn_restAuto = 0,  // the first frame when it is a T-pose, which is then not played; else as zero
    sn_restFirst,     // the first frame, which is then not played
    sn_restZero,      // the joints' offsets without any rotation
    sn_restKindCount, // how many there are
} snClipRest;

// How a clip is read.
typedef struct snClipDef {
    uint32_t size;   // sizeof(snClipDef); set by snClipDef_Init
    int32_t rest;    // an snClipRest; default automatic
    const char* map; // path of a mapping file: a joint and a bone a line, or JSON; default NULL
} snClipDef;

// Fills the defaults.
SN_API void snClipDef_Init(snClipDef* def);

// Reads a BVH file. Errors name the file, the line, and what to do. def may be NULL.
SN_API snStatus snClip_Load(const snHost* host, const char* path, const snClipDef* def,
                            snClip** clip, snMessage* why);

// The same from text in memory; `name` stands for the file in messages. No files are read: the def
// has no mapping file.
SN_API snStatus snClip_Parse(const snHost* host, const char* text, size_t length, const char* name,
                             const snClipDef* def, snClip** clip, snMessage* why);

// NULL is fine. What plays the clip has its own copies.
SN_API void snClip_Free(snClip* clip);

// What is in a clip.
typedef struct snClipInfo {
    int32_t joint_count;   // joints, end sites not among them
    int32_t channel_count; // numbers a frame
    int32_t frame_count;   // frames of the file
    int32_t first;     // number of the first frame that is played: 1 when frame 0 is a rest pose
    double rate;       // frames/s
    double duration;   // s that it plays
    int32_t matched;   // joints that are known by their names
    int32_t up;        // the file's axis that points up: 0 x, 1 y, 2 z
    double hip_height; // of the hips above the feet at rest, in the file's unit; 0 = not known
    double unit;       // m that the file's unit probably is; 0 = not known
    const char* unit_name; // for example "cm"; "" = not known
} snClipInfo;

// Lives as long as the clip; NULL for NULL.
SN_API const snClipInfo* snClip_Info(const snClip* clip);

// A joint of a clip.
typedef struct snClipJoint {
    const char* name; // as in the file
    int32_t parent;   // -1: the root
    snVec3 offset;    // from its parent at rest, the file's unit and axes
    const char* part; // what it is known as: "upper_arm_l" ..., or NULL
} snClipJoint;

// Lives as long as the clip; NULL when there is no such joint.
SN_API const snClipJoint* snClip_Joint(const snClip* clip, int32_t joint);

// Where a joint is in a frame (0 .. frame_count - 1; -1: without rotations), in the file's unit and
// axes. The identity when there is no such joint or frame.
SN_API snTransform snClip_Place(const snClip* clip, int32_t frame, int32_t joint);

// How a clip is played.
typedef struct snPlayDef {
    uint32_t size; // sizeof(snPlayDef); set by snPlayDef_Init
    double begin;  // s of the scene's time when the character begins to move; default 0
    double lead;   // s from its start pose into the clip, 0..60; default 0.75
    double speed;  // times the recorded one, 0.01..100; default 1
    int32_t feet;  // nonzero: planted feet are put on the ground and held; default 1
} snPlayDef;

// Fills the defaults.
SN_API void snPlayDef_Init(snPlayDef* def);

// What became of a clip on a character.
typedef struct snPlayReport {
    int32_t bone_count; // bones that follow a joint; the others keep their zero pose
    double scale;       // metres of travel for one of the file's units
    double end;         // s of the scene's time when it is over
    int32_t feet;       // nonzero: feet were looked at
    int32_t stances;    // times that a foot was planted
    double height_before, height_after; // largest distance of planted feet from the ground, m
    double slide_before, slide_after;   // farthest that a planted foot slid, m
    char idle[256];                     // names of the bones that follow nothing; may be cut
} snPlayReport;

// Sets the drives of all joints of a character, the root's too: trajectories, one-way. The clip
// begins over the origin of the character's frame, on the ground under its zero pose, and faces as
// the character does. Joints of fewer axes take what they can.
// Drives of single joints may be changed afterwards. report may be
// NULL. Not while a sim of the scene runs.
SN_API snStatus snScene_PlayClip(snScene* scene, int32_t who, const snClip* clip,
                                 const snPlayDef* def, snPlayReport* report, snMessage* why);

#ifdef __cplusplus
}
#endif

#endif
