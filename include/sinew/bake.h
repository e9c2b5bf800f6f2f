// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Baking: a rig's clips simulated, and the same document written back with flesh in it, as morph
// targets before the skin and tracks of their weights in the clips; as helper joints; or as point
// caches.
#ifndef SINEW_BAKE_H
#define SINEW_BAKE_H

#include "body.h"

#ifdef __cplusplus
extern "C" {
#endif

// How far a bake is.
typedef struct snBakeProgress {
    const char* clip;   // name of the clip; "" = none
    const char* stage;  // "two-way", "simulate", "frames", "shapes", "normals" or "write"
    int32_t clip_index; // of those that are baked
    int32_t clip_count; // of these
    int64_t done;       // frames of all clips; of the stage
    int64_t total;      // frames of all clips; of the stage
} snBakeProgress;

// What flesh is written as.
typedef enum snBakeAs {
    sn_bakeShapes = 0, // morph targets in the rig's own document
    sn_bakePc2,        // point caches, a PC2 file for each mesh object and clip: hero.pc2, or
                       // hero_BODY.pc2 and so on; and a script for Blender
    sn_bakeMdd,        // the same as MDD
    sn_bakeJoints,     // helper joints in the rig's own document, with weights taken from the
                       // artist's and travel in the clips, for programs that only play skinning
    sn_bakeAsCount,    // how many there are
} snBakeAs;

// What is baked.
typedef struct snBakeDef {
    uint32_t size;        // sizeof(snBakeDef); set by snBakeDef_Init
    int32_t clip_count;   // 0 = all that move; default 0
    const int32_t* clips; // of the rig; (clip_count)
    int32_t motion;       // an snMotion, written as a new clip, in place of clips; default none
    int32_t as;           // an snBakeAs; default sn_bakeShapes
    int32_t shapes;       // shapes that are active at a time, 1..64; default 8; 0 = a shape of its
                          // own for every frame (exact)
    double error;        // by which shapes may miss the simulated surface at most, as a part of the
                         // body's size, 1e-5..1; default 1e-3. As few are taken as that needs, but
                         // no more than about 256 of all clips; small movements may be missed by a
                         // quarter at most, but by 2e-4 of the size in any case
    int32_t joints;      // helper joints at most, 1..256; default 32
    double rate;         // frames a second at least, evenly spread over a clip, 1..240; default 60
    int32_t first_frame; // of those, counted from 0, that is baked; default 0. Outside of what is
                         // baked the character follows its skinning
    int32_t last_frame;  // likewise; default -1: the clip's last, as for what is behind it
    int32_t loop;        // clips are loops: 0 never, 1 always; default -1: when they are found to
                         // be
    int32_t ground;      // nonzero: flesh does not go below the ground; default 0
    double ground_height; // y of the ground, in the file's unit; default 0

    // Flesh and ground push back on the skeleton, which tracks the clip with servos
    // (docs/two_way.md). What comes of "Run" is a new clip "Run (two-way)"; "Run" stays as it was.
    int32_t two_way; // nonzero: so; default 0
    int32_t is_free; // nonzero: nothing holds the root, and the character falls; default 0
    double strength; // of the servos, 0..100: below 1 they do not bear all of the weight; default 1

    // Frames go to a side file as they are made, each with a checksum. Default NULL: the path of
    // the result with .frames behind it. It is removed when the bake is complete.
    const char* frames;
    int32_t resume; // nonzero: go on with that file, if it is of this bake; default 0

    void* user;                                                   // passed to the next one
    void (*progress)(void* user, const snBakeProgress* progress); // now and then; default NULL
} snBakeDef;

// Fills the defaults.
SN_API void snBakeDef_Init(snBakeDef* def);

// How a clip went.
typedef struct snBakedClip {
    const char* name;    // as in the file; "" = none
    int32_t clip;        // of the rig; -1 = a motion
    int32_t frame_count; // baked
    int32_t is_loop;     // nonzero: it was taken as a loop: flesh goes on from its end to its start
    int32_t skipped;     // nonzero: nothing moves in it, or it has no length
    double duration;     // s
    double seconds;      // that simulating it took; of frames that were not resumed
    double largest;      // by which the surface left its skinning, m
    double median;       // over all frames, of the largest of each, m
    double limited;      // share of frames in which flesh was at its limit, 0..1
    int64_t interventions; // of the guard
    double seam;           // of a loop: by which the first frame misses the last, m; it is closed,
                           // unless the last pose is a key's step short of the first
    double miss;           // farthest that the pose misses its place at the seam, m
    double miss_angle;     // likewise, rad
    const char* miss_node; // the node that misses most; "" = none
    double error;          // by which shapes or joints miss the simulated surface at most, m
    double error_rms;      // root of the mean square of it over vertices that move and frames, m
    double captured;       // of joints: share of the sum of squares of what flesh moves by that
                           // they show, 0..1
    double acted_seconds;  // two-way: that the skeleton's part took, s; 0 = it was none
    double turn_rms;       // two-way: by which joints missed the clip, root of the mean square, rad
    double turn_most;      // likewise at most
    const char* turn_node; // the joint that missed it most; "" = none
    double root_miss;      // two-way: by which the root missed its place at most, m
    double joint_limited;  // two-way: share of frames in which a joint was at its limit, 0..1
    int64_t joint_resets;  // two-way: frames in which the guard had to put it back to the clip
    int32_t morphs_lost;   // two-way: nonzero: the clip moves morphs, which the new one does not
} snBakedClip;

// How a bake went.
typedef struct snBakeReport {
    int32_t clip_count;       // clips
    const snBakedClip* clips; // in the order they were asked for; (clip_count)
    int32_t shape_count;      // of the basis
    int32_t active_most;      // shapes active at a time, at most
    int32_t joint_count;      // helper joints
    int64_t singular_count;   // places, frame by frame, where joints squeeze the skin flat: there
                              // flesh stays at its skinning
    int64_t resumed_frames;   // taken from the side file
    int32_t complete;         // 0: it was interrupted; the file has the frames made till then
    const char* path;         // of the file that was written; "" = none
    int32_t file_count;       // files with what was baked
    const char* const* files; // their paths: of the GLB, or of all point caches; (file_count)
} snBakeReport;

// Bakes to a GLB file, or to point caches and hero_apply_in_blender.py, which is what the report
// names; path must end accordingly. When the host's `interrupted` says so, what was simulated is
// still written (tracks end where it stopped), sn_errorInterrupted is returned, and the side file
// stays for `resume`. A file that is there already stays then: hero.part.glb is written in place of
// hero.glb. While shapes are made of a bake that was not interrupted before, nothing is written;
// nor are caches of one that was interrupted. Rigs that were baked are refused. report may be NULL;
// release it with snBakeReport_Free.
SN_API snStatus snBake(const snHost* host, snBody* body, const snBakeDef* def, const char* path,
                       snBakeReport** report, snMessage* why);

// NULL is fine.
SN_API void snBakeReport_Free(snBakeReport* report);

#ifdef __cplusplus
}
#endif

#endif
