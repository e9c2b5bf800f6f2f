// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A rig's body: flesh in and around what its joints move, made to follow its skinning
// (sim/follow.h).
//
// The flesh is in the bind pose (rig/bind_pose.h), in metres. Every node of it has the artist's
// joints and weights, diffused from the skin into the cells. Nodes about bones and in parts that
// are rigid are held: they are where skinning puts them. The others are soft. Tails have no held
// core, so that they trail: each of their nodes is drawn to its place by itself.
#ifndef SN_CHARACTER_BODY_H
#define SN_CHARACTER_BODY_H

#include <sinew/body.h>

#include "base/owners.h"
#include "flesh/flesh.h"
#include "flesh/mode.h"
#include "flesh/weights.h"
#include "rig/soft.h"
#include "rig/weld.h"

// What is thicker than this part of the size is so no thicker for the limit: trunks do not slide as
// a block.
#define SN_BODY_THICKEST 0.15

// A vertex that does not lie in the flesh goes along with a place on the skin of it.
typedef struct snRide {
    int32_t vertex[3]; // welded vertices in the flesh
    float weight[3];
} snRide;

// Vertices that move as one: by the mean of their rides. A button; a vertex of a cape.
typedef struct snRider {
    int32_t ride_begin, ride_count;
    int32_t vertex_begin, vertex_count;
} snRider;

// Counts of shells by what becomes of them
typedef struct snShellCounts {
    int32_t flesh;  // they enclose the body
    int32_t riding; // small ones, each as one piece on the flesh under it
    int32_t draped; // sheets, vertex by vertex
    int32_t fixed;  // on nodes of the rig, without skin
} snShellCounts;

// Immutable; lies in the arena it was made with. The rig is not owned.
typedef struct snRigBody {
    const snRig* rig;
    snBodyDef def;  // without patterns and names; softness as chosen
    double unit;    // m in a unit of the file
    double size;    // longest side of the body in the bind pose, m
    snRigWeld weld; // in the bind pose; positions in m, shells' measures in the file's unit
    snShellCounts shells;

    // joints that move flesh
    int32_t joint_count;
    const int32_t* joint;    // nodes of the rig, rising; (joint_count)
    const snMatrix* inverse; // from the bind pose to the joint, in m of the body and the file's
                             // unit of the joint; (joint_count)

    // flesh: soft cells, and held ones that touch them
    double cell; // side of the lattice's cubes, m
    snTets tets;
    const double* fill;           // (tet_count)
    const double* stiff;          // fill, times more where flesh would sag more or trails:
                                  // stiffness over Young's modulus of the region; (tet_count)
    const double* mass;           // kg; (node_count)
    const snNodeWeights* weights; // joints by their place in `joint`; (node_count)
    const uint8_t* held;          // (node_count)
    const float* soft;            // how soft they are, 0..1; (node_count)
    const float* tether;          // how much they trail instead of being held, 0..1: part of the
                                  // slowest jiggle's stiffness that draws each to its place by
                                  // itself; (node_count)
    const float* sag;             // how far flesh sags there, about, with 1 m/s^2 and 1 Pa, m; 0 of
                                  // what is held or trails; (node_count)
    const double* thickness;      // local, of tails no less than the mean, m; (node_count)
    const float* damping;         // painted factor; NULL: 1; (node_count)
    const float* limit;           // likewise
    const float* inertia;         // likewise
    const float* gravity;         // likewise
    const float* shape;           // likewise
    snRegions regions;
    const double* young; // of each region, Pa; (regions.count)
    const double* hz;    // of its slowest jiggle; (regions.count)
    const snCells* cells;
    snStableStep step; // s

    // surface: y = skinned + sum of weight times what the nodes left their places by. Ties of
    // welded vertices; weights have the smooth transition to what is rigid in them. node[0] < 0:
    // none
    const snTie* ties; // (weld.surface.vertex_count)
    int32_t rider_count;
    const snRider* riders;
    const snRide* rides;
    const int32_t* riding; // welded vertices of the riders

    const char* remark; // what should be soft and is too thin for it; NULL: nothing
} snRigBody;

struct snBody {
    snHost host;
    snOwners owners;
    snArena arena; // everything below
    snRig* rig;    // kept
    snRigBody made;
    snBodyInfo info;
    snBodyTable table;
    int32_t table_node_count;   // nodes that some vertex hangs on: its first places
    const int32_t* table_nodes; // (table_node_count)
    const int32_t* region_of;   // region of `info` of each welded vertex, -1: it is not in the
                                // flesh; (weld.surface.vertex_count)
};

// Sizes and ranges
snStatus snBodyDef_Check(const snBodyDef* def, snMessage* why);

// An empty body with one owner, which keeps the rig. NULL when memory runs out.
snBody* snBody_New(const snHost* host, snRig* rig);

// Once `made` is filled in: what is said of it.
snStatus snBody_Finish(snBody* body, snMessage* why);

// The body alone; see snBody_Build.
snStatus snRigBody_Build(snArena* arena, const snRig* rig, const snBodyDef* def, snRigBody* out,
                         snMessage* why);

// By how much all welded vertices left their skinned places, in the file's unit, when nodes left
// theirs by u, m. offsets: (weld.surface.vertex_count, 3)
void snRigBody_Offsets(const snRigBody* body, const snVec4f* u, float* offsets);

// The same of one that is in the flesh, m; 0 of others
void snRigBody_TieOffset(const snRigBody* body, int32_t vertex, const snVec4f* u, float offset[3]);

// The same of what rides as one, in the file's unit. offset: (4), of which the last is 0
void snRigBody_RiderOffset(const snRigBody* body, int32_t rider, const snVec4f* u, float* offset);

// The parts of the flesh, for info; once `made` is filled in
snStatus snBody_ListRegions(snBody* body, snMessage* why);

// Which places move each vertex; once `made` is filled in
snStatus snBody_BuildTable(snBody* body, snMessage* why);

#endif
