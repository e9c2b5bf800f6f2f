// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// All contacts of a scene. Points of soft surfaces feel the ground, obstacles, other soft bodies
// and their own; points on the corners, edges and faces of obstacles feel the ground, soft bodies
// and other obstacles. Each step: find who is in what, then press them apart, equal and opposite at
// the same place.
//
// Bodies are numbered: 1 the ground, then the obstacles, then the soft bodies.
//
// Finding: boxes around everything are enlarged by a margin and stay good while nothing has moved
// by its own. So trees are refitted and lists of what may touch are made every few steps, and what
// is found does not depend on when: lists only leave out what cannot touch. A soft body's tree
// travels with its mean velocity; only motion against that makes it old, and it is refitted when
// something asks it. The list of what it may touch of itself also turns with it.
//
// Bodies that may touch each other before the next lists make a group. Groups have nothing to do
// with each other: each finds and presses by itself, side by side with others.
#ifndef SN_CONTACT_CONTACTS_H
#define SN_CONTACT_CONTACTS_H

#include "base/tasks.h"
#include "contact/drift.h"
#include "contact/penalty.h"
#include "contact/rigid.h"
#include "contact/solid.h"
#include "contact/tissue.h"

#define SN_BODY_GROUND 1
#define SN_BODY_FIRST 2 // obstacle 0

// How far something has moved since boxes were made, how far it may, and how far it came in the
// last step.
typedef struct snRoam {
    double margin, travel, way; // m
} snRoam;

// What one body's lists take of the room for all.
typedef struct snListRoom {
    int64_t pairs, points, nears;
} snListRoom;

// A soft character.
typedef struct snSoft {
    int32_t actor; // its number among characters
    const snFlesh* flesh;
    const snTissue* tissue;
    int32_t material;
    // set before finding
    snVec3 origin; // m, world
    snVec4f* x;    // nodes, m, relative to the origin; (node_count)
    snVec4f* v;    // m/s; (node_count)
    bool crushed;  // its inside cannot be told from its outside: it does not feel itself
    bool asleep;   // does not move
    snFeeler feeler;
    // results
    snVec4f* push;     // forces on nodes, N; (node_count)
    snWrench load;     // what others press with, moment about the origin
    double grip;       // friction that bodies which do not move can give, N
    int32_t touching;  // points
    double depth;      // of the deepest point, m
    double excess;     // the same, less how deep it was put there
    int32_t projected; // cells that were projected
    // workspace
    snTissueTree tree;
    snDrift drift;      // in the present step
    snRoam inner;       // against the mean velocity: for the tree
    double ease;        // the largest margin that its tree gets, in cells
    snRoam own;         // against all rigid motion: for the list of its own cells
    snWander wander;    // the same of each node
    snRoam roam;        // in the world: for lists of others
    bool spent;         // those are too old
    snBox box;          // where it may be while they are good, world
    bool company;       // something else may be there too
    snListRoom room;    // of its lists: how much, then where it ends
    int32_t pair_count; // in them
    int32_t group;
    snVec3 shift;    // of the tree since it was refitted, m
    snVec3 seen;     // the origin then
    snNearList near; // to itself
    bool near_known; // it was made
    bool near_each;  // with a margin for each node
    int32_t near_capacity;
    snFirmness firm; // of 1 kg behind a point in the present step
    float* used;     // part of a node's share that its own points use; (node_count)
    float* foreign;  // weights of others' points on a node; (node_count)
    // of projection
    struct snPress* deepest; // of a cell, depth 0 = none; (tet_count)
    int32_t* cells;          // that have one; (tet_count)
    int32_t* hit_counts;     // cells that hit a bone; (bone_count)
    snWrench* hits;          // impulses on bones, about the origin, Ns, Nms; (bone_count)
} snSoft;

// An obstacle.
typedef struct snHard {
    const snSolid* solid;
    const snRigid* rigid; // NULL = it does not give way
    bool moves;           // along a path or pushed about
    int32_t material;
    // set before finding
    snTransform pose; // of its frame
    snTwist twist;    // of its frame's origin, rad/s, m/s
    snVec3 com;       // of a movable one, m, world
    bool asleep;      // does not move
    snFeeler feeler;
    // results
    snWrench load; // moment about the centre of mass
    snWrench hit;  // impulse of projections, Ns, Nms
    // workspace
    snMat3 R;
    snRoam roam;
    snBox box; // enlarged, world
    int32_t group;
    int32_t count; // bodies that press on it or that it presses on
} snHard;

// One point in one body.
typedef struct snPress {
    int32_t owner, point, other;
    int32_t run;      // points of the owner in the other
    int32_t cell;     // of a soft other
    float weight[4];  // of the cell's nodes
    snSkinPlace skin; // of another soft body, where the point came in; cell -1 = none
    bool smooth;      // without friction
    double depth;     // m
    snVec3 place;     // m, world
    snVec3 normal;    // out of the other
    snVec3 v;         // of the point against the other, m/s
    snBlow blow;      // of rigid bodies
    snVec3 force;     // on the owner, N
    snTouch* touch;
} snPress;

// A point that may touch another body, but not before both have moved this far in all. Looked at
// and found outside, it is clear for longer.
typedef struct snCandidate {
    int32_t point;
    float clear; // m
} snCandidate;

// Points of one body that may touch another. When there was no room for a list, all may.
typedef struct snCandidates {
    int32_t owner, other;
    bool all;
    int32_t count;
    snCandidate* points; // not soft others
    snNearList near;     // soft others
} snCandidates;

// Bodies that may touch each other, directly or by others.
typedef struct snContactGroup {
    int32_t member_first, member_count; // obstacles, then soft bodies, ascending
    int32_t soft_count;
    int32_t pair_first, pair_count;
    int32_t press_first, press_count, press_capacity;
} snContactGroup;

typedef struct snContacts {
    snIsa isa;
    bool ground;
    double height; // m
    int32_t ground_material;
    bool self;
    bool project; // snContacts_Project will be used
    int32_t material_count;
    snRub* rubs; // (material_count^2)
    int32_t hard_count, soft_count;
    snHard* hards;
    snSoft* softs;

    int32_t press_count, press_capacity; // of a group, as its own part of all sees it
    snPress* presses;
    snFirmness hard_firm; // of 1 kg behind a point of an obstacle
    // broad phase
    bool stale;   // boxes belong to another state
    bool crowded; // more pairs of bodies near each other than there is room for
    int32_t pair_count, pair_capacity;
    snCandidates* pairs;  // as they are listed, body by body, with gaps
    snCandidates* sorted; // by group
    // those with soft bodies first, by the first of them
    int32_t group_count, soft_group_count;
    snContactGroup* groups; // (bodies)
    int32_t lone_count;     // of groups with one soft body
    int32_t* members;       // of groups; (bodies)
    int32_t* leaders;       // of bodies: one of the same group; (bodies)
    int32_t point_count, point_capacity;
    snCandidate* points;
    int32_t near_count, near_capacity;
    snNear* nears;
    // for a soft body each, or for a thread if they are more
    int32_t scratch_size;
    int32_t* scratch; // (most points of a body)
    double* gaps;     // of the points in it, m; (the same)
} snContacts;

// What a scene has in it; bodies' first fields are set, the rest is made here.
snStatus snContacts_Push(snContacts* contacts, snArena* arena, snMessage* why);

// Each step:

// How a soft body has moved since lists were made; its list of itself. Bodies go side by side, or
// threads share a large one.
void snContacts_Roam(snContacts* contacts, snTasks* tasks, int32_t soft, double h, int worker);

// Then, when all have: lists of others and groups, if they are too old. False when more bodies are
// in each other's way than there is room for.
bool snContacts_List(snContacts* contacts, snTasks* tasks, double h);

// Then, of a group: its presses and their forces, on nodes and obstacles. Groups go side by side.
void snContacts_Touch(snContacts* contacts, int32_t number, double h);

// Or nothing touches.
void snContacts_Clear(snContacts* contacts);

// The presses of a group.
static inline const snPress* snContacts_Presses(const snContacts* contacts, int32_t group)
{
    return contacts->presses + contacts->groups[group].press_first;
}

// At the end of a step: puts the deepest point of each cell back on the ground or obstacle that it
// is in.
void snContacts_Project(snContacts* contacts);

// How deep a point that touches the ground or an obstacle is in it now; false when it is out.
bool snContacts_Look(const snContacts* contacts, int32_t soft, int32_t point, snPress* now);

// Coefficients between two bodies.
const snRub* snContacts_Rub(const snContacts* contacts, int32_t body, int32_t other);

// The soft body of a number, or NULL; the obstacle likewise.
static inline snSoft* snContacts_Soft(const snContacts* contacts, int32_t body)
{
    int32_t i = body - SN_BODY_FIRST - contacts->hard_count;
    return i >= 0 ? &contacts->softs[i] : NULL;
}

static inline snHard* snContacts_Hard(const snContacts* contacts, int32_t body)
{
    int32_t i = body - SN_BODY_FIRST;
    return i >= 0 && i < contacts->hard_count ? &contacts->hards[i] : NULL;
}

// Whether it does not move now: two of those have nothing new to feel.
bool snContacts_IsStill(const snContacts* contacts, int32_t body);

// Of either; not the ground.
static inline snFeeler* snContacts_Feeler(const snContacts* contacts, int32_t body)
{
    snSoft* soft = snContacts_Soft(contacts, body);
    return soft ? &soft->feeler : &snContacts_Hard(contacts, body)->feeler;
}

#endif
