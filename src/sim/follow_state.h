// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What a follow is made of.
#ifndef SN_SIM_FOLLOW_STATE_H
#define SN_SIM_FOLLOW_STATE_H

#include "control/force.h"
#include "flesh/viscous.h"
#include "sim/follow.h"
#include "sim/follow_drive.h"
#include "sim/follow_ground.h"
#include "sim/follow_obstacle.h"

// Nodes in a task. Fixed, so that results do not depend on the number of threads.
#define SN_FOLLOW_RANGE 1024

typedef struct snFollowHead {
    uint64_t model;        // whose state it is
    int64_t tick;          // intervals since the start of the clip; negative in the lead-in
    int64_t frames;        // advanced since then
    int64_t limited;       // of these with a node at the limit
    int64_t interventions; // of these in which the guard helped
    int64_t still;         // frames on end in which neither the fed pose nor flesh moved
    double lift;           // of the ground, by shifts of the world, m
    double farthest;       // m
    double pressed;        // largest |u|/limit
    double due;            // time that has been asked for and is no whole frame yet, s
    double dropped;        // time of frames that were left out, s
    snFollowSolids solids; // obstacles
} snFollowHead;

// A function of the host that is a field
typedef struct snFollowCall {
    snVec3 (*call)(void* user, double time, snVec3 place, snVec3 velocity);
    void* user;
    double unit; // of what it is given and returns, m
} snFollowCall;

// What a range of nodes saw in a step
typedef struct snFollowTally {
    double farthest, pressed; // squares
    bool stopped;             // at the limit
    bool fast;                // faster than flesh can be
    bool bad;                 // not finite
} snFollowTally;

struct snFollow {
    snHost host;
    snArena arena;
    snTasks* tasks;
    snIsa isa;
    const snRigBody* body;
    snBody* owner;         // of the body; kept; NULL: the caller's
    snRigClipData motion;  // if it is no clip
    snRigTrack track;      // of the clip, if it is not the caller's
    snFollowStream stream; // of fed poses
    snFollowDrive drive;   // by the track or by those
    snFollowSkin skin;     // of what touches something
    snFollowGround ground;
    snFollowContact contact; // obstacles
    snForces forces;         // fields
    snFollowCall calls[SN_MOST_FORCES];
    int64_t drowsy; // frames on end without motion after which it sleeps
    int32_t ticks;  // intervals a frame
    int32_t steps;  // steps an interval
    double h;       // s
    double spring;  // of the limit where it is stiffest, 1/s^2
    int32_t range_count;
    // state
    void* state;
    size_t state_size;
    snFollowHead* head;
    snVec4f* u; // m; (node_count)
    snVec4f* w; // m/s; (node_count)
    snVec4f* r; // where u would come to rest in the present pose, if that is not 0, else NULL, m
    snVec4f* q; // how fast it goes there, m/s
    // constants
    snVec4f* X;          // bind positions from their middle, m; (node_count)
    snVec4f* f0;         // forces there, which rounding leaves, N; (node_count)
    float* inverse_mass; // 1/kg, 0: held; (node_count)
    float* most;         // limit at scale 1, m; (node_count)
    float* reach;        // limit of r at scale 1, m; (node_count)
    float* damping;      // against the targets, 1/s; (node_count)
    float* pull;         // to the targets, of what trails, 1/s^2; (node_count)
    snViscous viscous;   // against neighbours
    // workspace
    int64_t spare;        // steps that the guard may take besides the usual ones
    snMatrix* goal;       // fed pose that several frames lead to; (rig's nodes)
    double* goal_weights; // likewise
    void* good;           // the state before an interval
    snVec4f* blow;        // acceleration by fields in the interval, m/s^2; (node_count)
    snTurn* turns;        // of free nodes in the middle of the step; written by drift; (node_count)
    snVec4f* v;           // w between sweeps of viscosity; (node_count)
    snVec4f *y, *f;       // (node_count)
    snVec4f *x, *fx;      // the same of the posed shape, if that counts
    snFollowTally* tallies; // (range_count)
    void* work;
    void (*react)(void* reacting); // called in each step once forces are known; default none
    void* reacting;
    struct snFollowSurface* surface; // NULL: it was never asked for
    bool is_shown;                   // it is that of this frame
    bool is_turned;                  // its normals are, too
};

// r as it is in the pose of the drive; flesh begins there, too.
void snFollow_Settle(snFollow* s);

// One step of the drive's interval, for who moves the drive himself. In `react`, which sets the
// targets' changes of velocity, snFollow_Kick is what forces do to a node's velocity, m/s.
snFollowTally snFollow_AdvanceStep(snFollow* s);
snVec4f snFollow_Kick(snFollow* s, int32_t node);

// One interval of the drive, with the guard
snFollowTally snFollow_AdvanceInterval(snFollow* s);

// What touches something, in the drive's pose; jumped: it is that at both ends of the interval
void snFollow_UpdateContact(snFollow* s, bool jumped);

// Fields in the drive's interval
void snFollow_UpdateFields(snFollow* s);

// Obstacles at a part of the drive's interval; and memory for them, if there is none yet
void snFollow_ProjectObstacles(snFollow* s, float part);
snStatus snFollow_BuildContact(snFollow* s, snMessage* why);

// A node no farther away than its limit lets it, at a part of the interval
void snFollow_Limit(snFollow* s, int32_t node, float part);

// Across the drive's cut: flesh goes rigidly along with its joints.
void snFollow_CrossCut(snFollow* s);

// Drive and ground at the head's tick, both ends there
void snFollow_Jump(snFollow* s);

// Fed poses: before and after a frame. False: it sleeps, there is nothing to do.
bool snFollow_BeginFed(snFollow* s);
void snFollow_EndFed(snFollow* s);
void snFollow_Wake(snFollow* s);

#endif
