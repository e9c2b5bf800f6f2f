// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The nodes of one character's flesh: passes over them that make up a step. Positions are float,
// relative to an origin near the character, with what rounding took kept beside them: a drift of
// 1e-4 m/s at steps of 0.2 ms is not rounded away.
#ifndef SN_METHOD_EXPLICIT_NODES_H
#define SN_METHOD_EXPLICIT_NODES_H

#include "base/tasks.h"
#include "contact/contacts.h"
#include "skel/momentum.h"

// The part of the state that does not grow with the flesh.
typedef struct snNodesHead {
    snVec3 origin; // whole metres, world
    // account of energy, see snActor_CheckFlesh
    double bank;                    // elastic energy by what forces did, J; see snNodesTally
    double step;                    // that it was kept with, s; 0 = it begins anew
    double held;                    // most elastic and jiggling energy, J
    double gained;                  // energy from nowhere, J
    double allowed;                 // part of held that gained may be
    int64_t age;                    // steps since elastic energy was looked at
    int64_t diagonalized, inverted; // cells, in the last step
    // contact, in the last step
    int64_t touching; // surface points
    double depth;     // of the deepest one, m
    double deepest;   // since time 0, m
    double squeezed;  // the same, less how deep a point was put there, over the local thickness
    snWrench load;    // what others press with, moment about the origin
} snNodesHead;

// What a kick did.
typedef struct snNodesTally {
    // work of elastic forces, J, half of it with the velocities before the kick, half with those
    // after; of fixed nodes these come later, see snNodes_FixedWork
    double before, after;
    double jiggle;  // kinetic energy of free nodes against their bones, J
    double fastest; // square of the largest speed against the bones, (m/s)^2
    int64_t bad;    // a node that is not a number, or -1
    snWhole whole;  // mass and motion of the free nodes after it, if asked for
} snNodesTally;

// Sums of m, m x, m v, m x cross v and m x x' about the origin.
typedef struct snNodesSum {
    double mass;
    snVec3 moment, linear, angular;
    snSym3 second;
} snNodesSum;

// How a bone moves: v at the centre that nodes are seen from, and turning.
typedef struct snCarrier {
    snVec4f v, w;
} snCarrier;

// What dampers do to a bone, sums about the origin: (f, c), x cross f, c x, c (xx, yy, zz) and
// c (xy, yz, zx) of forces f on nodes and masses c that resist the bone's acceleration.
enum { SN_PULL_ROWS = 5 };

typedef struct snBonePull {
    SN_ALIGN(32) double row[SN_PULL_ROWS][4];
} snBonePull;

// State and workspace of one character. Arrays over nodes go on to whole blocks of 16; what lies
// beyond the last node stays 0.
typedef struct snNodes {
    const snFlesh* flesh;
    snIsa isa; // of the kernels
    int32_t block_count, range_count, carrier_count;
    // state
    snNodesHead* head;
    snVec4f* x;    // m, relative to the origin; (node_count)
    snVec4f* lost; // what rounding took from x; (node_count)
    snVec4f* v;    // m/s; (node_count)
    // workspace
    snVec4f* f;      // elastic forces, N; (node_count)
    snVec4f* push;   // outer forces, N; (node_count)
    snVec4f* before; // velocities of the fixed nodes before Hold changed them, m/s; (fixed_count)
    snVec4f centre;  // of the carriers, relative to the origin, m
    snCarrier* carriers;   // (carrier_count: bone_count, at least 1)
    snNodesTally* tallies; // (range_count)
    snNodesSum* sums;      // (range_count)
    snBonePull* pulls;     // (range_count, carrier_count)
    void* cells_work;
} snNodes;

// Bytes of the state, a multiple of 64.
size_t snNodes_StateSize(const snFlesh* flesh);

// Takes the workspace from the arena; check arena->failed afterwards.
void snNodes_Push(snNodes* nodes, const snFlesh* flesh, snIsa isa, snArena* arena);

// Points to a state.
void snNodes_At(snNodes* nodes, void* state);

// Start: every node where its bones are (or the base, without bones), moving with them.
void snNodes_Place(snNodes* nodes, const snBoneMotion* rest, const snBoneMotion* motion,
                   const snBase* base, snVec3 velocity, snVec3 spin);

// Moves all nodes as one piece, and their velocities.
void snNodes_Move(snNodes* nodes, snMat3 R, snVec3 by);

// Moves the origin when the character has left it: by whole metres, which loses nothing.
void snNodes_Rebase(snNodes* nodes, snVec3 p);

// Free nodes move on with their velocity.
void snNodes_Drift(snNodes* nodes, snTasks* tasks, double h);

// Fixed nodes go where their bones are, and bones' motion becomes what dampers refer to. Without
// bones that is the flesh's own rigid motion, as the last Drift found it.
void snNodes_Hold(snNodes* nodes, const snBoneMotion* motion);

// Forces f, push, gravity and dampers change the velocities of free nodes. Dampers take the mean of
// the velocities before and after the step, so that any damping is stable.
snNodesTally snNodes_Kick(snNodes* nodes, snTasks* tasks, double h, snVec3 gravity, bool measured);

// The elastic forces' work on fixed nodes with the velocities after the step, half of it, J. With
// those before alone the account of energy would be off to first order.
double snNodes_FixedWork(const snNodes* nodes, double h);

// Wrenches on the bones, at their origins, after a kick: forces on fixed nodes, reactions of
// dampers at the nodes. Dampers refer to the bones' velocities at the start; `drag` is what half of
// their change adds to the reactions, per acceleration. Without it flesh would throw bones lighter
// than itself about.
void snNodes_Pull(const snNodes* nodes, const snBoneMotion* motion, snWrench* wrench,
                  snInertia6* drag);

// That half on the nodes, equal and opposite, once the bones' accelerations are known; then free
// nodes move on for `drift` seconds. Without bones that is all. Returns their mass and motion, if
// asked for.
snWhole snNodes_Settle(snNodes* nodes, snTasks* tasks, double h, double drift, snVec3 gravity,
                       const snBoneMotion* motion, bool measured);

// Mass and motion of the free nodes.
snWhole snNodes_Whole(snNodes* nodes, snTasks* tasks);

// Adds a rigid velocity change, taken at com, to the free nodes.
void snNodes_Turn(snNodes* nodes, snTasks* tasks, snVec3 com, snTwist change);

#endif
