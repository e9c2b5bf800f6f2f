// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// All contacts of a scene. Points of soft surfaces feel the ground, obstacles, other soft bodies
// and their own; points on the corners, edges and faces of obstacles feel the ground, soft bodies
// and other obstacles. Each step: find who is in what, which changes nothing; push them apart,
// equal and opposite at the same place, or let a solver do so; then commit what points remember of
// it.
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
// with each other: each is searched and pushed apart by itself, side by side with others.
#ifndef SN_CONTACT_CONTACTS_H
#define SN_CONTACT_CONTACTS_H

#include "base/tasks.h"
#include "contact/drift.h"
#include "contact/law.h"
#include "contact/rigid.h"
#include "contact/solid.h"
#include "contact/tissue.h"

SN_BEGIN_C

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

// A node, or a bone that holds nodes, which rows act on in a step.
typedef struct snContactNode {
    int32_t node; // -1: a bone
    int32_t bone; // place in the list of the bone that holds it; -1: none
    snVec3 v;     // m/s: at the end of the step without contact, then with it; of a bone: what
                  // contact changes of it
    double give;  // velocity per impulse, 1/kg; 0 = contact does not move it
    double load;  // of all rows on it, by their stiffness, kg/s
} snContactNode;

// What flesh would do in a step of h without contact: fills v and give of the nodes in a list, give
// of bones; their places in the list are those of snSoft.
typedef void snPredictFcn(const void* user, double h, int32_t count, snContactNode* list);

// A soft character.
typedef struct snSoft {
    int32_t actor;            // its number among characters
    const snFleshView* flesh; // its tissue's
    const snTissue* tissue;
    int32_t material;
    // set before finding
    snVec3 origin; // m, world
    snVec4f* x;    // nodes, m, relative to the origin; (node_count)
    snVec4f* v;    // m/s; (node_count)
    bool crushed;  // its inside cannot be told from its outside: it does not feel itself
    bool asleep;   // does not move
    snPredictFcn* predict;
    const void* predictor; // its user
    snContactMemory memory;
    // results
    snVec4f* push;         // contact's forces are added, N; (node_count)
    snWrench load;         // what others press with, moment about the origin
    double still_friction; // friction that bodies which do not move can give, N
    int32_t touching;      // points
    double depth;          // of the deepest point, m
    double excess;         // the same, less how deep it was put there, over the local thickness
    double rush;           // how far the fastest comes in this step, in cells
    int32_t projected;     // rows that projection looked at
    snWrench struck;       // its impulses, about the origin, Ns, Nms; if there were any
    snVec4f* gains;        // what they gave free nodes, m/s; (node_count)
    // workspace
    int32_t first; // of its points among those of all bodies
    snTissueTree tree;
    snDrift drift;      // in the present step
    snRoam inner;       // against the mean velocity: for the tree
    double ease;        // the largest margin that its tree gets, in cells
    double spare;       // what it gets besides, for rows with a gap, m
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
    // of nodes and bones that rows act on, in the order in which rows meet them
    int32_t list_count;
    snContactNode* list; // (node_count + bone_count)
    int32_t *slot,
        *bone_slot; // place in the list, plus one; 0: not there; (node_count, bone_count)
    // of projection
    float* shares;      // weights of all rows on a free node; (node_count)
    float* bone_shares; // and on a bone; (bone_count)
    snWrench* hits;     // impulses on bones in a pass, about the origin, Ns, Nms; (bone_count)
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
    snWrench pull;    // what acts on it besides contact
    bool asleep;      // does not move
    snContactMemory memory;
    // results
    snWrench load; // moment about the centre of mass
    snWrench hit;  // impulses of projection, Ns, Nms
    // workspace
    int32_t first; // of its points among those of all bodies
    snMat3 R;
    snRoam roam;
    snBox box; // enlarged, world
    int32_t group;
    int32_t count;  // obstacles that press on it or that it presses on, and the ground
    double share;   // of flesh's rows on it, by their stiffness, kg/s
    snVec3 dv, dw;  // what all but the present velocity makes of it in the step
    snSym3 inverse; // of its inertia, world
    int32_t stops;  // rows of it that projection stops
} snHard;

// Where obstacles meet, for one of their points.
typedef struct snBlow {
    double mass; // behind it along the normal, kg; 0 = flesh
    double hit;  // how fast other points of theirs have met, in the same blow, m/s
    double firm; // mass for the spring along the normal, kg
} snBlow;

// What solving a row needs.
typedef struct snRowWork {
    int32_t own[4], others[4];  // places in the lists of the two sides
    double depth;               // how far its layers are squeezed; less than 0: a gap, m
    double stiffness, shear;    // the secant along the normal, and across, N/m
    double weight;              // its part of the load on nodes, kg/s
    double ahead, ahead_across; // time that depth and slip are looked ahead, with damping, s
    double give, give_across;   // velocity per impulse, with its part of what it acts on, 1/kg
    snVec3 slip;                // from where it stuck, m
    snVec3 change;              // of the force in a pass, N
} snRowWork;

// A row: one point in or before one body. Two sides, the owner's and the other's, see
// snContacts_Side.
typedef struct snContactRow {
    int32_t owner, point, other;
    int32_t cell;     // of a soft other
    float weight[4];  // of the cell's nodes; they sum to 1
    snSkinPlace skin; // of another soft body, where the point came in; cell -1 = none
    int32_t before;   // the last row before this that is of the same point; -1: none
    int8_t slot;      // of what the point remembers; -1: it does not touch
    bool smooth;      // without friction
    bool flesh;       // one of the two is soft
    const snRub* rub; // friction otherwise, restitution
    double gap;       // m; less than 0: how deep it is inside
    snVec3 place;     // m, world
    snVec3 normal;    // out of the other
    snVec3 v;         // of the point against the other, m/s
    // flesh
    double area;      // that it stands for, m^2
    snContactLaw law; // of its layers
    // forces
    snContactMemo memo; // what the point remembers; after forces, what it is to remember
    snVec3 force;       // on the owner, N
    snBlow blow;        // of obstacles
    int32_t run;        // of obstacles: points of theirs in each other
    snRowWork work;
} snContactRow;

// How projection stops the approach of a row.
typedef struct snStop {
    double along, across; // how easily both sides, split among rows, give way along the normal and
                          // across it, 1/kg; 0 = it does not
    snVec3 place;         // where both are hit, m, world
    snVec3 normal;        // the way out for the soft side
    snVec3 start;         // velocity of the soft side against the other before, m/s
    snVec3 impulse;       // on the soft side, Ns
    snVec3 change;        // of that in a pass
} snStop;

// Bones of a character get impulses, Ns, with moments about the origin of its soft body, Nms; the
// nodes that they hold follow.
typedef void snStrikeFcn(void* user, int32_t actor, snWrench* hits);

typedef struct snProjection {
    double h;            // step, s
    double drift;        // from where rows were found to its end, s
    snStrikeFcn* strike; // strike(user, ...)
    void* user;
} snProjection;

// One side of a row: four nodes of a soft body and their weights, or an obstacle that is pushed at
// the row's place; neither when it does not give way, as the ground.
typedef struct snContactSide {
    snSoft* soft; // NULL: not soft
    const int32_t* node;
    const float* weight;
    snHard* hard; // NULL: not movable
} snContactSide;

// Where a row goes when rows are sorted.
typedef struct snRowKey {
    uint64_t id;
    int32_t row;
} snRowKey;

// Rows of a group. Those that touch come first, in the order in which they were found, then those
// with a gap.
typedef struct snContactRows {
    int32_t count, touching;
    int32_t left_out; // with a gap, for which there was no room
    int32_t capacity;
    snContactRow* rows; // (capacity)
    // workspace
    snRowKey* keys;  // (capacity)
    int32_t* latest; // row of a point that was found last, if it is one; (points of all bodies)
} snContactRows;

// What is looked for.
typedef struct snContactQuery {
    double h;      // step, s
    double margin; // rows with gaps up to this are wanted too, m; 0 = only those that touch
    bool ahead;    // and those of flesh with the ground and obstacles that close within h
    double moved;  // how far any two bodies together may be, at most, from where snContacts_Roam
                   // saw them, m: they may be tried elsewhere
} snContactQuery;

// A point that may touch another body, but not before both have moved this far in all. Looked at
// and found outside, it is clear for longer. Only what cannot touch is left out by it, wherever
// bodies have been looked at since.
typedef struct snCandidate {
    int32_t point;
    float clear; // m; less than 0: the point may remember the other body
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
    int32_t row_first, row_count, row_capacity;
} snContactGroup;

typedef struct snContacts {
    snIsa isa;
    bool ground;
    double height; // m
    int32_t ground_material;
    bool self;
    bool project; // snContacts_Project will be used
    double layer; // of skin that gives way, as a part of the local thickness
    double reach; // the largest margin and move of queries, together, m; lists hold so much more
    int32_t material_count;
    snRub* rubs; // (material_count^2)
    int32_t hard_count, soft_count;
    snHard* hards;
    snSoft* softs;

    int32_t row_capacity;
    snContactRow* rows; // of groups, each in its own part
    snRowKey* keys;     // (row_capacity)
    int32_t* latest;    // (points of all bodies)
    snStop* stops;      // of rows, for projection; (row_capacity)
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

// Then, of a group, all of these. Groups go side by side.
void snContacts_Step(snContacts* contacts, int32_t number, double h);

// Its part of the contacts' own rows, empty. Others may be used to look without keeping anything.
snContactRows snContacts_RowsOf(const snContacts* contacts, int32_t number);

// Room for the rows of any group. The arena's failed flag tells.
snContactRows snContactRows_Push(const snContacts* contacts, snArena* arena);

// Once a step, before its rows are looked for: trees that will be asked are refitted.
void snContacts_Ready(snContacts* contacts, int32_t number);

// The rows at x and v as they are now. Changes nothing that lasts: as often as one likes, wherever
// bodies are tried meanwhile, the same x and v give the same rows. Rows that touch are the same
// whatever the margin. False when the query goes beyond contacts->reach.
bool snContacts_Find(const snContacts* contacts, int32_t group, const snContactQuery* query,
                     snContactRows* rows);

// Forces of the contact law (law.h) on nodes and obstacles, and what points are to remember of
// them. Forces are those at the end of the step: what nodes and obstacles would do without contact
// is known, and four passes over the rows find forces that agree with what they do with it. Rows
// with a gap that does not close leave.
void snContacts_Solve(snContacts* contacts, int32_t group, snContactRows* rows, double h);

// Once a step of h: points remember what the rows say, and forget what was not found.
void snContacts_Commit(snContacts* contacts, int32_t number, const snContactRows* rows, double h);

// By id: those of one owner in one other follow each other. Forces of springs are summed in the
// order of finding, which is another one.
void snContacts_SortRows(snContactRows* rows);

// The same while a point touches, or is near, one body; no two rows of a search have one.
static inline uint64_t snContactRow_Id(const snContactRow* row)
{
    return (uint64_t)row->owner << 45 | (uint64_t)row->other << 26 | (uint64_t)row->point;
}

static inline double snContactRow_Friction(const snContactRow* row)
{
    return row->smooth ? 0 : row->rub->friction;
}

// Bodies and points that have room in it
#define SN_ROW_BODIES (1 << 19)
#define SN_ROW_POINTS (1 << 26)

// Or nothing touches.
void snContacts_Clear(snContacts* contacts);

// The rows of a group.
static inline const snContactRow* snContacts_Rows(const snContacts* contacts, int32_t group)
{
    return contacts->rows + contacts->groups[group].row_first;
}

// At the end of a step, with obstacles where they were when rows were found: soft bodies and what
// keeps its shape approach each other no more. Velocities change; positions are to follow by
// `drift` times that.
void snContacts_Project(snContacts* contacts, const snProjection* how);

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

// The owner's side of a row.
static inline snContactSide snContacts_Side(const snContacts* contacts, const snContactRow* row)
{
    snContactSide side = {NULL, NULL, NULL, NULL};
    side.soft = snContacts_Soft(contacts, row->owner);
    if (side.soft) {
        const snTie* tie = &side.soft->flesh->ties[row->point];
        side.node = tie->node;
        side.weight = tie->weight;
    } else {
        snHard* hard = snContacts_Hard(contacts, row->owner);
        side.hard = hard->rigid ? hard : NULL;
    }
    return side;
}

static inline snContactSide snContacts_OtherSide(const snContacts* contacts,
                                                 const snContactRow* row)
{
    snContactSide side = {NULL, NULL, NULL, NULL};
    side.soft = snContacts_Soft(contacts, row->other);
    if (side.soft) {
        side.node = side.soft->flesh->tets.tet + 4 * (size_t)row->cell;
        side.weight = row->weight;
    } else {
        snHard* hard = snContacts_Hard(contacts, row->other);
        side.hard = hard && hard->rigid ? hard : NULL;
    }
    return side;
}

// Whether it does not move now: two of those have nothing new to feel.
bool snContacts_IsStill(const snContacts* contacts, int32_t body);

// Of either; not the ground.
static inline snContactMemory* snContacts_Memory(const snContacts* contacts, int32_t body)
{
    snSoft* soft = snContacts_Soft(contacts, body);
    return soft ? &soft->memory : &snContacts_Hard(contacts, body)->memory;
}

SN_END_C

#endif
