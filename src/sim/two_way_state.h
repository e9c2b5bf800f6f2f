// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What a two-way run is made of.
#ifndef SN_SIM_TWO_WAY_STATE_H
#define SN_SIM_TWO_WAY_STATE_H

#include "sim/follow_state.h"
#include "sim/two_way.h"
#include "skel/integrate.h"

struct snTwoWay {
    snHost host;
    snArena arena;
    snTwoWayDef def;
    snRigSkeleton rig_skeleton;
    snFollow* flesh;
    snWorkspace ws;
    snWorkspace plan; // of the whole as the clip moves it
    snTwoWayFacts facts;
    double squares;  // of misses, rad^2
    double h;        // s
    int32_t steps;   // a frame
    int64_t tick;    // steps since the clip's first time; negative in the lead-in
    int64_t lead;    // steps of it
    double step_now; // s; shorter when the guard helps
    double time_now; // of the clip at the begin of the step
    bool failed;     // the skeleton's part of the step
    bool is_loose;   // nothing holds the root any more
    // state
    double *q, *qd;     // of the skeleton
    snVec4f* V;         // velocities of the flesh's targets, m/s; (node_count)
    snVec4f* deferred;  // impulses that nodes got and joints did not give yet, N s; (node_count)
    double *goal, *end; // the clip's coordinates at the begin and the end of the step
    double* rate;       // their rates in the step
    double* rate_was;   // and in the one before
    // the state before a step
    double *q_good, *qd_good, *rate_good;
    snVec4f *V_good, *deferred_good;
    void* flesh_good;
    // commands
    uint8_t* mode;
    double *tau, *goal_mid, *kp, *kd, *limit;
    // workspace
    snMatrix* nodes;    // of the rig; (node_count)
    snMatrix* now;      // from the bind pose to the world, of bones; (count)
    snTwist* twist;     // of bones at their origins; (count)
    snVec3* origin;     // (count)
    snQuat* turn;       // of `now`; (count)
    snQuat* bind_turn;  // of the rig skeleton's maps; (count)
    double* bind_scale; // (count)
    snVec4f* kick;      // (node_count)
    snVec4f* was;       // velocities of nodes before the step, m/s; (node_count)
    snWrench* wrench;   // (count)
    snWrench* parts;    // of ranges of nodes; (ranges, count)
    snInertia6* drag;   // (count)
};

// Poses of the bones for the flesh, from the workspace's motion
void snTwoWay_PlaceBones(snTwoWay* t);

// Targets of all nodes as bones are placed: turns (and places, if the posed shape counts) into the
// drive, or velocities into V, their changes into the drive
void snTwoWay_PlaceTargets(snTwoWay* t);
void snTwoWay_MoveTargets(snTwoWay* t);

// What flesh does to bones: adds to the wrenches.
void snTwoWay_AddFleshForces(snTwoWay* t);

// What nodes got in the step besides
void snTwoWay_DeferImpulses(snTwoWay* t);

// What the ground does to bones: adds to wrenches and drag.
void snTwoWay_AddGroundForces(snTwoWay* t);

#endif
