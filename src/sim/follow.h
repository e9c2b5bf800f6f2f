// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Flesh that follows a clip. The clip moves the joints, the joints move the flesh's targets, and
// the flesh is late.
//
// A node of the bind pose at X has the target T = sum_j w_j M_j X and moves with it at V; what is
// stepped is how far it left it, u = x - T, and how fast, w = x' - V. So a character that stands
// still shows exactly its skinning, wherever in the world it is, and nothing is lost in large
// coordinates. With R the rotation of the node's joints (the blend of their quaternions) and s
// their scale
//
//   y = X + R' u / s
//   m w' = s R (f(y) - f(X)) + m (gravity g - V' + (1 - inertia) V_root' - 2 zeta omega w)
//
// f the elastic forces: the bind shape's energy of what the joints do not explain. Frequencies are
// those of the bind shape in every pose and scale (D R K R' D^-1 has the eigenvalues of K). With
// `shape` the forces are mixed with f(x), and gravity is felt less what it was in the bind pose.
// Then flesh does not come to rest at u = 0 but at an r that changes with the pose; r is stepped
// beside u, damped critically and moved by nothing but those forces, and the limit is about it.
// Half way to the limit a damped spring sets in that stiffens as it is pressed; at the limit a node
// is stopped, which is counted.
//
// The step is the midpoint scheme of the method `explicit`: half a drift, a kick, half a drift.
// An interval that goes wrong is done again with shorter steps.
// Targets are taken SN_FOLLOW_RATE times a second or more often; in between V' is constant.
#ifndef SN_SIM_FOLLOW_H
#define SN_SIM_FOLLOW_H

#include "base/tasks.h"
#include "character/body.h"
#include "rig/track.h"

#define SN_FOLLOW_RATE 240.0 // Hz

// m/s^2: the standard's, with more digits than SN_GRAVITY. Results depend on them to the last bit.
#define SN_FOLLOW_GRAVITY 9.80665

// What is followed, of a body and a track that need not be objects
typedef struct snFollowSetup {
    const snRigBody* body;
    const snRigTrack* track; // of the body's rig; NULL: made from the clip
    int32_t clip;            // of the body's rig; -1: poses are fed; default 0
    int32_t motion;          // an snMotion in place of a clip; default none
    double rate;             // frames a second, 1..1000; default 60
    double hold;             // the clip stops at this time, s; default infinity
    int32_t loop;            // 0 never, 1 always, -1 when it is found to be one; default -1
    bool ground;             // flesh does not go below the ground; default false
    double ground_height;    // m; default 0
} snFollowSetup;

void snFollowSetup_Init(snFollowSetup* def);

// The setup of an snFollowDef. Fails when the def is wrong.
snStatus snFollowSetup_From(const snBody* body, const snFollowDef* def, snFollowSetup* out,
                            snMessage* why);

// Body and track must outlive it. It stands before its lead-in.
snStatus snFollow_CreateFromSetup(const snHost* host, const snFollowSetup* def, snFollow** out,
                                  snMessage* why);

// The track it follows, whose clip is the rig's own or a motion; NULL: poses are fed
const snRigTrack* snFollow_Track(const snFollow* follow);

// Runs the lead-in, up to the first frame, at the clip's first time: of a loop what comes before,
// until nothing is left of how it began; else the first pose is held while its velocity grows.
void snFollow_Begin(snFollow* follow);

// One frame. False when a number was not finite even with the shortest steps: then that flesh went
// back to its skinned place.
bool snFollow_AdvanceFrame(snFollow* follow);

// By how much all welded vertices left their skinned places, in the file's unit, world axes.
// (weld.surface.vertex_count, 3)
void snFollow_Offsets(const snFollow* follow, float* offsets);

// The same of the flesh's nodes, m. (node_count, 4)
const snVec4f* snFollow_Nodes(const snFollow* follow);

// Elastic and kinetic energy of what left its place, J
double snFollow_Energy(snFollow* follow);

#endif
