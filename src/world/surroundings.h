// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What characters have around them, for every method: ground, obstacles that move and give way,
// contacts with what they remember, who sleeps, and who touched whom. A method says once how its
// characters' flesh looks to contact, and in each step calls, in this order,
//
//   snSurroundings_BeginStep    who sleeps
//   snSurroundings_Drift        obstacles move on
//   snSurroundings_Pull         gravity and fields act on them
//   snSurroundings_AreStill     whether there is anything to find
//   snSurroundings_PlaceFlesh   where each character's flesh is
//   snContacts_List             lists and groups
//   snContacts_Step             contacts of a group, their forces on flesh and obstacles
//   snSurroundings_Kick         obstacles take up all that acts on them
//   snSurroundings_Drift        the second half, for midpoint steps
//   snSurroundings_Settle       who falls asleep and who wakes
//   snEvents_Update             who touched whom
//
// Its changing numbers lie in the state block: in the world's slice those of obstacles and the
// events, at the end of each character's slice what its points remember and how long it has been
// still. Offsets below are from the start of the block.
#ifndef SN_WORLD_SURROUNDINGS_H
#define SN_WORLD_SURROUNDINGS_H

#include "base/tasks.h"
#include "contact/contacts.h"
#include "world/account.h"
#include "world/world.h"
#include <sinew/sim.h>

SN_BEGIN_C

// What takes long to make of a body's shape and never changes; who is made anew when somebody comes
// or goes takes it over.
typedef struct snContactShape {
    snArena arena;
    int32_t owners;
    snTissue tissue; // of flesh
    snSolid solid;   // of an obstacle
} snContactShape;

// How long a body has been still, s, and whether it sleeps. All 0 where nothing ever sleeps.
typedef struct snRest {
    double calm;
    int64_t asleep;
} snRest;

// One character's place in its surroundings.
typedef struct snNeighbour {
    // set by the method before snSurroundings_Build; flesh NULL = nothing of it can be touched
    const snFlesh* flesh;
    const snSurface* surface; // that the flesh's points lie on
    snVec4f* push;            // where contact writes forces on nodes, N; (node_count)
    // made there
    snContactShape* shape; // its tissue; NULL = nothing to touch
    snSoft* soft;          // as contact sees it; likewise
    size_t rest_offset;    // of its snRest
    size_t memory_offset;
    // in a step
    bool asleep; // as the state says at its start
} snNeighbour;

// An obstacle that gives way, in the state.
typedef struct snBulk {
    snRigidState motion;
    snRest rest;
} snBulk;

// A hosted obstacle, in the state: evenly from one pose to the other.
typedef struct snErrand {
    snTransform from, to;
    double begin, end; // s
} snErrand;

// One obstacle's workspace.
typedef struct snObstacleSpace {
    snContactShape* shape; // its solid
    snRigid rigid;         // when it has a mass
    size_t offset;         // of its snBulk or snErrand
    size_t memory_offset;  // of what its points touch
} snObstacleSpace;

typedef struct snSurroundings {
    const snWorld* world;
    snArena* arena; // not owned
    snIsa isa;
    // set by the method before snSurroundings_Build
    bool project;            // it will put back what got inside
    double layer;            // of skin that gives way to contact, as a part of the local thickness
    int32_t neighbour_count; // the world's actors when it was made
    snNeighbour* neighbours; // (neighbour_count)
    snObstacleSpace* obstacles; // (contacts.hard_count)
    bool touches;               // there is something to touch
    bool asleep;                // all characters sleep
    snContacts contacts;
    int32_t* islands;      // bodies that touch each other, see sleep.c; (contacts' bodies)
    bool* restless;        // whether somebody of an island is not still; likewise
    int64_t field_edition; // of the fields that were looked at last
    size_t slice_size;     // bytes of the world's slice, which begins the block
    size_t events_offset;  // of the events behind what is hashed
    size_t account_offset; // of accounts at its end: of characters, then of obstacles
    bool balanced;         // somebody's balance is wanted: obstacles have one too
    // frame's
    snFrameObstacle* frame_obstacles; // (contacts.hard_count)
    snContact* frame_contacts;        // (contacts.row_capacity)
    snEnergyBalance* frame_balances;  // (contacts.hard_count)
} snSurroundings;

// Building --------------------------------------------------------------------

// First: neighbours for the method to fill in. The arena must outlive it.
snStatus snSurroundings_Begin(snSurroundings* s, const snWorld* world, snIsa isa, snArena* arena,
                              snMessage* why);

// Then obstacles, and all that contact needs. from (may be NULL): older ones of the same world,
// whose shapes are taken over; change: who left since.
snStatus snSurroundings_Build(snSurroundings* s, const snSurroundings* from, const snChange* change,
                              snMessage* why);
void snSurroundings_Free(snSurroundings* s);

// Bytes at the end of a character's slice, a multiple of 64; and where they begin.
size_t snSurroundings_MemorySize(const snSurroundings* s, int32_t actor);
void snSurroundings_PlaceMemory(snSurroundings* s, int32_t actor, size_t offset);

// State -----------------------------------------------------------------------

// Obstacles at time 0, in a zero-filled block.
void snSurroundings_Init(snSurroundings* s, void* state);

// All that the world keeps of who stayed, after Init of the new state.
void snSurroundings_Carry(const snSurroundings* from, void* old, const snChange* change,
                          const snSurroundings* to, void* state);

// Copies a whole block of so many bytes to where an older one of the same layout is.
void snSurroundings_CopyState(const snSurroundings* s, void* state, void* good, size_t bytes);

// The state was replaced: what workspaces know of the last step does not count any more.
void snSurroundings_Forget(snSurroundings* s);

// A character is somewhere else all of a sudden: its points touch nothing, everybody wakes.
void snSurroundings_Uproot(snSurroundings* s, void* state, int32_t actor);

// In the state; of a character, or of an obstacle.
snAccount* snSurroundings_Account(const snSurroundings* s, void* state, bool obstacle,
                                  int32_t number);

// Before projection, or anything else that changes obstacles' motion at once, and after it: that is
// work of contact. Nothing happens when no balance is wanted.
void snSurroundings_HoldAccounts(snSurroundings* s, void* state);
void snSurroundings_SettleAccounts(snSurroundings* s, void* state);

// Loads of contact, gravity and fields changed an obstacle's motion from what it was, for h
// seconds.
void snSurroundings_NoteKick(snSurroundings* s, void* state, int32_t i, const snRigidState* was,
                             double h);

// In the state; of an obstacle that has a mass.
snBulk* snSurroundings_Bulk(const snSurroundings* s, void* state, int32_t number);

// Steps -----------------------------------------------------------------------

// Who sleeps, before a step.
void snSurroundings_BeginStep(snSurroundings* s, void* state);

// Movable obstacles move on by h; all others go where they are at time t.
void snSurroundings_Drift(snSurroundings* s, void* state, double t, double h);

// What acts on movable obstacles besides contact: gravity, fields. Before contact.
void snSurroundings_Pull(snSurroundings* s, void* state, double t, double h);

// Whether nothing that can touch moves, so that nothing has to be done.
bool snSurroundings_AreStill(snSurroundings* s);

// Where a character's flesh is.
typedef struct snFleshMotion {
    snVec3 origin;         // m, world
    snVec4f* x;            // nodes, m, relative to the origin; (node_count)
    snVec4f* v;            // m/s; (node_count)
    bool crushed;          // its inside cannot be told from its outside
    snPredictFcn* predict; // what it would do in the step without contact
    const void* predictor; // its user
} snFleshMotion;

// Shows it to contact for a step of h; characters go side by side. Nothing happens when it cannot
// be touched. Then come snContacts_List and, group by group, side by side, snContacts_Step.
void snSurroundings_PlaceFlesh(snSurroundings* s, snTasks* tasks, void* state, int32_t actor,
                               const snFleshMotion* motion, double h, int worker);

// All that acts on movable obstacles changes their momenta.
void snSurroundings_Kick(snSurroundings* s, void* state, double h);

// At the end of a step, when the scene asks for projection: bodies that touch approach each other
// no more. Obstacles take their part of it; characters find theirs in their softs. False when it
// does not ask.
bool snSurroundings_Project(snSurroundings* s, void* state, const snProjection* how);

// After a step: who is touched by somebody that moves wakes; bodies that have been still for long
// enough fall asleep, and stop(user, actor) brings a character to rest.
typedef void snStopFcn(void* user, int32_t actor);
void snSurroundings_Settle(snSurroundings* s, void* state, double h, snStopFcn* stop, void* user);

// Hosts -----------------------------------------------------------------------

// Whether a body of the last step sleeps; obstacles that do not give way do while they stand.
bool snSurroundings_Sleeps(const snSurroundings* s, bool obstacle, int32_t number);

// Whether a character sleeps in a state.
bool snSurroundings_IsAtRest(const snSurroundings* s, const void* state, int32_t actor);

// Bodies move again that sleep.
void snSurroundings_Wake(snSurroundings* s, void* state);

// An impulse on an obstacle that gives way.
void snSurroundings_Push(snSurroundings* s, void* state, int32_t number, snVec3 place,
                         snVec3 impulse);

// A hosted obstacle is at `pose` at the time `end`, from time t on.
void snSurroundings_Move(snSurroundings* s, void* state, int32_t number, snTransform pose, double t,
                         double end);

// Frames and events -----------------------------------------------------------

// An obstacle at time t, in the scene's own place.
snFrameObstacle snSurroundings_ObstacleAt(const snSurroundings* s, void* state, int32_t number,
                                          double t);

// Obstacles, contacts and events of a frame.
void snSurroundings_WriteFrame(snSurroundings* s, void* state, double t, snFrame* frame);

// Is told of a contact of the last step.
typedef void snContactFcn(void* user, const snContact* contact);
void snSurroundings_ForEachContact(const snSurroundings* s, snContactFcn* tell, void* user);

// Pairs of bodies that touch or touched in this Advance, in order. Not in hashes: when they began
// depends on how calls cut time.
typedef struct snEventTable {
    int64_t count, lost;
    snTouchEvent events[]; // room for as many as the world says
} snEventTable;

// Bytes of the table, a multiple of 64; 0 when the world wants none.
size_t snEvents_Size(const snWorld* world);

// In a state; NULL when there is none.
snEventTable* snEvents_Of(const snSurroundings* s, void* state);

// A new Advance: pairs that touch stay, with nothing that happened.
void snEvents_Begin(const snSurroundings* s, void* state);

// After a step of h; shift: of the world's origin, m.
void snEvents_Update(const snSurroundings* s, void* state, double h, snVec3 shift);

// Somebody left: pairs with him are forgotten.
void snEvents_Carry(const snEventTable* from, const snChange* change, snEventTable* to);

SN_END_C

#endif
