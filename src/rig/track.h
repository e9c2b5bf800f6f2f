// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The motion of a rig's nodes in a clip, as physics wants it: smooth (rig/curve.h says how), with
// velocities, with its cuts known, and going on for ever when the clip is a loop.
//
// rig/loop.h says when a clip is a loop. Loop after loop its travel adds up. What the last pose of
// a closed one misses is spread over all of it; strays, and what is forced to be a loop, are cut.
#ifndef SN_RIG_TRACK_H
#define SN_RIG_TRACK_H

#include "rig/loop.h"

// Fills the usual values.
void snRigTrackDef_Init(snRigTrackDef* def);

// The curve of one channel of a node
typedef struct snRigCurve {
    int32_t node;
    snCurve curve;
} snRigCurve;

// Immutable; lies in the arena it was made with. The rig is not owned.
typedef struct snRigTrack {
    const snRig* rig;
    const snRigClipData* clip; // not owned
    double first, last;        // the clip's own, s
    double size;               // of the rig: what distances are measured by, in the file's unit
    bool is_constant;          // no node moves, or there is no time to; then it is no loop
    bool is_loop;
    bool is_open;  // a loop whose last pose is one step short of the first
    double period; // of the loop, s: at least last - first; between last and its end nodes go
                   // on to the first pose
    double seam_distance; // farthest that a node misses its place at the seam, in sizes; if it is
                          // no loop, with the travel that fits best
    double seam_angle;    // likewise, rad
    int32_t seam_node;    // that misses most; -1 = none
    snVec3 travel;        // of a loop: x -> turn about +y, then + travel; y is 0
    double turn;          // rad
    int32_t cut_count;    // times at which some node jumps
    const double* cuts;   // s, rising, in first..first + period; (cut_count)
    int32_t curve_count;
    const snRigCurve* curves; // sorted by node; (curve_count)
    const uint8_t* travels;   // 1: the node goes along with the travel; (node_count)
} snRigTrack;

// def may be NULL: as usual.
snStatus snRigTrack_Build(snArena* arena, const snRig* rig, int32_t clip, const snRigTrackDef* def,
                          snRigTrack* out, snMessage* why);

// The same of a motion of the rig's nodes that is none of its clips
snStatus snRigTrack_Of(snArena* arena, const snRig* rig, const snRigClipData* clip,
                       const snRigTrackDef* def, snRigTrack* out, snMessage* why);

// World matrices of all nodes at a time, and their exact derivatives: a point fixed to node n at p
// is at nodes[n] p and has the velocity rates[n] p, entries by entries. In the keys the pose is the
// file's, but for the share of a loop's seam. Outside the clip's time nodes stand still, or the
// loop repeats. rates may be NULL. Both: (node_count)
void snRigTrack_At(const snRigTrack* track, double time, snMatrix* nodes, snMatrix* rates);

// The same, but in a cut as it was just before it. What is soft goes rigidly with its node from
// there to where snRigTrack_At has it.
void snRigTrack_Before(const snRigTrack* track, double time, snMatrix* nodes, snMatrix* rates);

// The clip's own pose, between keys as the file says (rig/pose.h), and its morph weights; a loop
// repeats, and goes on from its last pose to its first as snRigTrack_At does. Each may be NULL.
void snRigTrack_Pose(const snRigTrack* track, double time, snMatrix* nodes, double* weights);

#endif
