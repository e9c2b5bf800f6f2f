// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A clip played by a skeleton that flesh and ground push back on.
//
// The skeleton (character/rig_skeleton.h) has servos that track the clip, and flesh (sim/follow.h)
// hangs on it. Flesh follows targets T_i = sum_j w_ij M_j X_i of its joints, turned by R_i, and its
// energy is one of R_i' (x_i - T_i) alone. So by virtual work what a node i is pushed by pushes
// back on its joints, at x_i: with f_i = m_i (g - dw_i/dt) the force that its target bears, w_i
// its velocity against it, joint j gets
//
//   force w_ij f_i at M_j X_i, and torque w_ij u_i x f_i       (u_i = x_i - T_i)
//
// A whole that moves rigidly does no work on itself: linear and angular momentum of flesh and
// bones together change by gravity and outer forces only. Weight that the flesh's rest shape bears
// is borne by the bones.
//
// Each step of the midpoint scheme moves both: half a drift; forces of the flesh and the ground;
// the bones' kick and half drift (skel/integrate.h); the flesh's. What a node got besides (at its
// limit, say) its joints give in the next step.
//
// Joints get what the clip would take if nothing jiggled and nothing touched (inverse dynamics), or
// the part `strength` of it if that is below 1, and servos for the rest: kp = strength (I omega^2
// + what bears the weight), I the moment of inertia of all that hangs on the joint. The root gets
// all of it, of bounded force, and a softer servo from a puppeteer. Balance is nobody's task here.
//
// The ground is felt at the outermost places of the skin of each bone: a spring and a damper,
// implicit, and friction.
#ifndef SN_SIM_TWO_WAY_H
#define SN_SIM_TWO_WAY_H

#include "character/rig_skeleton.h"
#include "rig/track.h"
#include "skel/momentum.h"

typedef struct snTwoWayDef {
    const snRigBody* body;
    const snRigJoints* joints;
    const snRigTrack* track; // of the body's rig
    double rate;             // frames a second, 1..1000; default 60
    double strength;         // of joints' servos, 0..100: 0 = limp; default 1
    bool is_free;            // nothing holds the root after the lead-in; default false
    bool ground;             // default false
    double ground_height;    // m; default 0
    snVec3 gravity;          // m/s^2; default (0, -SN_FOLLOW_GRAVITY, 0)
} snTwoWayDef;

void snTwoWayDef_Init(snTwoWayDef* def);

// How it went, of frames so far
typedef struct snTwoWayFacts {
    int64_t frames;
    int64_t limited;       // with a joint at its limit
    int64_t interventions; // in which steps had to be shorter
    int64_t resets;        // in which even that did not help: everything went back to the clip
    double turn_rms;       // by which joints missed the clip, rad: root of the mean square
    double turn_most;      // rad
    int32_t turn_joint;    // that missed it most; -1 = none
    double root_most;      // by which the root missed its place, m
} snTwoWayFacts;

typedef struct snTwoWay snTwoWay;

// It stands at the clip's first pose, before its lead-in. Body, joints and track must outlive it.
snStatus snTwoWay_Create(const snHost* host, const snTwoWayDef* def, snTwoWay** out,
                         snMessage* why);

void snTwoWay_Free(snTwoWay* two);

// The lead-in, up to the clip's first time: of a loop whole rounds of it, else its first pose is
// held.
void snTwoWay_Begin(snTwoWay* two);

// One frame
void snTwoWay_Advance(snTwoWay* two);

double snTwoWay_Time(const snTwoWay* two);
snTwoWayFacts snTwoWay_Facts(const snTwoWay* two);
const snRigSkeleton* snTwoWay_Skeleton(const snTwoWay* two);

// Coordinates of the skeleton, and those of the clip at the same time
const double* snTwoWay_State(const snTwoWay* two);
const double* snTwoWay_Goal(const snTwoWay* two);

// Where the bones are
const snBoneMotion* snTwoWay_Bones(const snTwoWay* two);

// Of bones and flesh together
snMomentum snTwoWay_Momentum(const snTwoWay* two);

#endif
