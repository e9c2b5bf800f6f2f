// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A simulation: everything that changes while a scene runs.
#ifndef SINEW_SIM_H
#define SINEW_SIM_H

#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// A simulation of one scene. One thread at a time.
typedef struct snSim snSim;

// Makes a sim at time 0. The scene must outlive it.
SN_API snStatus snSim_Create(snScene* scene, snSim** sim, snMessage* why);

// NULL is fine.
SN_API void snSim_Free(snSim* sim);

// Lets dt seconds (0..3600) pass. Runs as many whole steps as have become due and keeps the rest
// for later calls, so the sequence of steps does not depend on how time is cut into calls. Every
// step is checked: numbers finite, speeds bounded, no energy from nowhere. On trouble the guard
// goes back to the last good frame and does it again with steps half as long, up to 64 times
// shorter; 30 good frames later (more after every trouble) it doubles them. On sn_errorNumeric that
// did not help either, and the state is that of the last good frame; after sn_errorInterrupted the
// time that was not served stays due.
SN_API snStatus snSim_Advance(snSim* sim, double dt, snMessage* why);

// The same, but does no more than `steps` steps, and begins none when `seconds` of the clock have
// passed (infinity: as long as it takes). *left (may be NULL) is the time, s, of the whole steps
// that are due still: the next call goes on with them, or snSim_Skip forgets them. Which steps a
// call does then depends on the clock, what they do does not.
SN_API snStatus snSim_AdvanceWithin(snSim* sim, double dt, int64_t steps, double seconds,
                                    double* left, snMessage* why);

// Forgets time that is due: the simulation is late by that for ever, as games like it after a
// hitch.
SN_API void snSim_Skip(snSim* sim);

// Simulated time, s: a whole number of steps.
SN_API double snSim_Time(const snSim* sim);

// Length of a step, s, as chosen at the start.
SN_API double snSim_Step(const snSim* sim);

// A character's surface at one instant.
typedef struct snFrameSurface {
    int32_t vertex_count;     // as in the def, in its order
    int32_t triangle_count;   // as in the def
    const float* position;    // xyz, m, less the character's origin; (vertex_count, 3)
    const float* normal;      // unit; (vertex_count, 3)
    const int32_t* triangles; // (triangle_count, 3)
} snFrameSurface;

// What does work on a body.
typedef enum snWorkKind {
    sn_workDrives = 0, // drives of joints, fed poses, and what holds joints that are prescribed
    sn_workDrags,      // direct control
    sn_workGravity,    // gravity
    sn_workContact,    // what presses and rubs: the ground, others, itself
    sn_workDamping,    // dampers of flesh and of joints, strain-rate damping
    sn_workFields,     // fields of force
    sn_workHost,       // pushes, teleports and restored slices between steps
    sn_workCount,      // number of these, not one of them
} snWorkKind;

// Its name; NULL when there is none.
SN_API const char* snWorkKind_Name(int32_t work);

// Where a body's energy came from and went since it was wanted (sn_wantedBalance), J. Kinetic and
// elastic energy are its own; gravity does work on it. Work is force times way: of each step the
// forces in the middle of it, times the mean velocity of what they act on.
typedef struct snEnergyBalance {
    double start; // kinetic and elastic energy when it began
    double now;   // the same at this instant
    double
        in[sn_workCount]; // work done on the body in all steps that did some, by snWorkKind; >= 0
    double out[sn_workCount]; // work that the body did, or lost, likewise; >= 0
    double turnover;          // the sum of all of these
    double rest;              // now less start and all work: rounding, steps of finite length, the
                              // correction of momentum, falling asleep
} snEnergyBalance;

// One character at one instant. Arrays belong to the sim.
typedef struct snFrameCharacter {
    const char* name;         // of the character
    int32_t bone_count;       // number of bones
    const snTransform* bones; // poses in the world; (bone_count)
    const snTwist* twists;    // at the bones' origins, world axes; (bone_count)
    const double* q;          // joint coordinates; skeleton.h says how many
    const double* qd;         // their rates
    const double* tau;        // torques of the last step, given or found
    snMomentum momentum;      // of the whole, flesh included
    snEnergy energy;          // of the whole, J, flesh included

    // Flesh. Positions are float, so they are taken from an origin near the character: the world's
    // own within 512 m of it, a multiple of 1024 m along each axis beyond.
    snVec3 origin;                  // m
    int32_t surface_count;          // 0 for bones alone, else 1
    const snFrameSurface* surfaces; // smooth; (surface_count)
    int32_t node_count;             // of the mesh (snCharacter_Flesh), 0 for bones alone
    const float* nodes;             // xyz, m, less origin; (node_count, 3)
    const float* node_velocities;   // xyz, m/s; (node_count, 3)
    int64_t diagonalized;           // cells diagonalised in the last step
    int64_t inverted;               // cells inside out in the last step
    int32_t contact_count;          // surface points that touch something, itself included
    double depth;                   // how far the deepest of them is in what it touches, m
    double deepest;                 // the largest of that since time 0, m
    double deepest_part;   // the most that it was squeezed where it touched something, as a
                           // part of how thick it is there (at least two cells)
    snWrench contact_load; // what the rest of the world presses with in the last step, N,
                           // and its moment about the centre of mass, Nm, with that of
                           // rolling resistance where it lies almost still
    double power;          // of the joints' drives in the last step, W
    double peak_power;     // the largest of that since time 0, W
    double peak_torque;    // the largest of any joint since time 0, Nm (sliders: N)
    int32_t is_asleep;     // nonzero: it sleeps (snSceneDef)
    const snEnergyBalance* balance; // NULL unless it is wanted
} snFrameCharacter;

// An obstacle at one instant.
typedef struct snFrameObstacle {
    const char* name;               // of the obstacle
    snTransform pose;               // of its frame in the world
    snTwist twist;                  // of its frame's origin, world axes
    snMomentum momentum;            // zero when it does not give way
    snEnergy energy;                // of its travel and turning, and in gravity, J; likewise
    int32_t is_asleep;              // nonzero: it gives way and sleeps (snSceneDef)
    const snEnergyBalance* balance; // of one that gives way, when a character's is wanted, or NULL
} snFrameObstacle;

// What a point touches.
typedef enum snContactWith {
    sn_withGround = 0, // the ground
    sn_withObstacle,   // an obstacle
    sn_withCharacter,  // a character, possibly its own
} snContactWith;

// A point that presses on something, in the last step.
typedef struct snContact {
    int32_t character; // whose surface the point is on; -1 = an obstacle's
    int32_t obstacle;  // whose corner or edge the point is on; -1 = a character's
    int32_t with;      // an snContactWith
    int32_t other;     // the number of that obstacle or character; the ground: 0
    snVec3 place;      // m, world
    snVec3 normal;     // unit, out of what is touched
    snVec3 force;      // on the point's owner, N; the other one feels the opposite
    double depth;      // m
} snContact;

// Two bodies that touched in the last Advance, for as many as snSceneDef.events says. The first one
// is a character if one of them is, and has the higher number if both are alike. When the guard
// goes back behind the Advance, what the one before told may be told again.
typedef struct snTouchEvent {
    int32_t character; // the first body; -1 = an obstacle
    int32_t obstacle;  // the first body; -1 = a character
    int32_t with;      // an snContactWith: the second body
    int32_t other;     // the number of that obstacle or character; the ground: 0
    int32_t began;     // nonzero: they came to touch in this Advance
    int32_t ended;     // nonzero: they do not touch any more
    snVec3 place;      // where they pressed hardest, m, world
    snVec3 normal;     // there, unit, out of the second body
    snVec3 impulse;    // on the first body in this Advance, Ns
    double most;       // the force there, N
} snTouchEvent;

// What can go wrong in a step.
typedef enum snTrouble {
    sn_troubleNone = 0,  // nothing yet
    sn_troubleSpeed,     // a bone moves faster than anything real, or is not a number any more
    sn_troubleNotFinite, // flesh is not a number any more
    sn_troubleCells,     // flesh moves through ten cells in one step
    sn_troubleEnergy,    // flesh gains energy from nowhere
    sn_troubleStruck,    // something strikes a character faster than steps can follow
    sn_troubleCrowded,   // too many bodies are in each other's way
    sn_troubleSingular,  // a bone has nothing to move in its pose
    sn_troubleStiff,     // flesh is deformed so much that steps are too long for its stiffness
    sn_troubleCount,     // number of troubles, not one of them
} snTrouble;

// What a character in trouble does, for a sentence after its name.
SN_API const char* snTrouble_Text(int32_t trouble);

// What helps against it.
SN_API const char* snTrouble_Advice(int32_t trouble);

// What the guard did since time 0. A run without trouble has zeros here.
typedef struct snGuardCounts {
    int64_t retries;   // frames that were done again with smaller steps
    int32_t level;     // steps are now 2^level times smaller than at the start
    int32_t character; // where the last trouble was; -1 = nowhere yet
    int32_t bone;      // of that character; -1 = none in particular
    int32_t trouble;   // an snTrouble: what it was
    double time;       // when, s
} snGuardCounts;

// What can be wrong with a frame.
typedef enum snFindingKind {
    sn_findingGaveUp = 0, // the guard's shortest steps did not help; figure: when it was, s
    sn_findingRetried,    // the guard did frames again since time 0; figure: how many
    sn_findingInverted,   // cells are inside out; figure: how many
    sn_findingDeep,       // a surface got deep into what it touched since time 0; figure: %
    sn_findingEnergy,     // energy came from nowhere, where a balance is wanted; figure: J
    sn_findingCount,      // number of kinds, not one of them
} snFindingKind;

// One thing that is wrong with a frame, in words that can be shown to people.
typedef struct snFinding {
    int32_t kind;      // an snFindingKind
    int32_t hardly;    // nonzero: it hardly shows, and nothing needs to be done
    int32_t character; // whose it is; -1 = nobody's in particular
    int32_t bone;      // of that character; -1 = none in particular
    const char* name;  // of the character; "" = nobody's
    const char* joint; // name of the bone; "" = none
    double figure;     // how much of it there is
    const char* unit;  // of the figure
    char text[256];    // what it is: a sentence without a full stop
    char advice[256];  // what to do: a sentence without a full stop
} snFinding;

// One instant as a user wants it. Valid until the next call that changes the sim.
typedef struct snFrame {
    double time;                        // s
    int64_t step;                       // number of steps done
    double step_size;                   // of the next step, s
    snGuardCounts guard;                // what the guard did
    int32_t character_count;            // as in the scene
    const snFrameCharacter* characters; // (character_count)
    int32_t obstacle_count;             // as in the scene
    const snFrameObstacle* obstacles;   // (obstacle_count)
    int32_t contact_count;              // points that press on something
    const snContact* contacts;          // in fixed order; (contact_count)
    int32_t event_count;                // pairs that touched in the last Advance
    const snTouchEvent* events;         // by first and second body; (event_count)
    int64_t event_lost;                 // of that Advance, for want of room
    int32_t finding_count;              // things that are wrong: 0 = all is well
    const snFinding* findings;          // by character; those of the guard first; (finding_count)
    int32_t finding_lost;               // more of them, for want of room
    snVec3 shift;                       // where the scene's own origin is (snSim_Shift), m
} snFrame;

// The present instant.
SN_API const snFrame* snSim_Frame(snSim* sim);

// A character of a frame by its number; NULL when there is none. Structs may grow in later
// versions, so programs that stay compiled take entries by these functions and not from the arrays.
SN_API const snFrameCharacter* snFrame_Character(const snFrame* frame, int32_t i);

// An obstacle likewise.
SN_API const snFrameObstacle* snFrame_Obstacle(const snFrame* frame, int32_t i);

// A contact likewise.
SN_API const snContact* snFrame_Contact(const snFrame* frame, int32_t i);

// An event likewise.
SN_API const snTouchEvent* snFrame_Event(const snFrame* frame, int32_t i);

// A finding likewise.
SN_API const snFinding* snFrame_Finding(const snFrame* frame, int32_t i);

// The balance of all bodies that have one in the frame together; 0 when none has.
SN_API int32_t snFrame_Balance(const snFrame* frame, snEnergyBalance* all);

// A surface of a character likewise.
SN_API const snFrameSurface* snFrameCharacter_Surface(const snFrameCharacter* character, int32_t i);

// What frames show of a character; bits.
typedef enum snWanted {
    sn_wantedPose = 1 << 0,      // bones, twists, q, qd, tau, power
    sn_wantedNodes = 1 << 1,     // nodes and their velocities
    sn_wantedSurface = 1 << 2,   // positions of the surface
    sn_wantedNormals = 1 << 3,   // its normals
    sn_wantedSums = 1 << 4,      // momentum, energy, contact_load
    sn_wantedAll = (1 << 5) - 1, // all of these
    sn_wantedBalance = 1 << 5,   // balance, which is not among all: steps take longer with it
} snWanted;

// Which way is up for a host. Both are right-handed.
typedef enum snAxes {
    sn_axesYUp = 0, // as here and in glTF: characters face +Z
    sn_axesZUp,     // as in Blender: (x, -z, y), characters face -Y
    sn_axesCount,   // number of these
} snAxes;

// What a host wants of a character in each frame, and where.
typedef struct snWantDef {
    uint32_t size;    // set by snWantDef_Init
    uint32_t wanted;  // bits of snWanted; default all
    float* positions; // the host's own memory for the surface, written in each frame; default
                      // NULL: frames have arrays of their own, and only those
    float* normals;   // likewise
    size_t stride;    // bytes from one vertex to the next, in both; a multiple of 4 in 12..65536;
                      // default 12
    double unit;      // length of the host's unit, m; 1e-6..1e6; default 1
    int32_t axes;     // an snAxes; default sn_axesYUp
    snVec3 origin;    // what the host measures positions from, m, world; default 0
} snWantDef;

// All of it, in frames' own arrays.
SN_API void snWantDef_Init(snWantDef* def);

// From now on frames hold only this of a character; what is not wanted is not made, and is 0 or
// NULL in frames. The host's memory must have room for all vertices of the character's surface, and
// stay until something else is wanted or the sim is freed. All others stay as they are.
SN_API snStatus snSim_Want(snSim* sim, int32_t who, const snWantDef* def, snMessage* why);

// Copies positions and normals of a surface to the host's own vertices: xyz of one every `stride`
// bytes (a multiple of 4, 12 at least), from the world's origin less `origin`, m. Each may be NULL.
SN_API snStatus snFrameCharacter_Copy(const snFrameCharacter* character, int32_t surface,
                                      snVec3 origin, size_t stride, float* positions,
                                      float* normals, snMessage* why);

// Bytes of the state.
SN_API size_t snSim_StateSize(const snSim* sim);

// Copies the state, which has no pointers in it, to memory of snSim_StateSize bytes.
SN_API void snSim_Save(const snSim* sim, void* state);

// Bytes of one character's slice of the state; 0 when there is no such character.
SN_API size_t snSim_SliceSize(const snSim* sim, int32_t who);

// Copies one character's slice, what the method keeps of it and what its skin touches, to memory of
// snSim_SliceSize bytes.
SN_API snStatus snSim_SaveSlice(const snSim* sim, int32_t who, void* slice, snMessage* why);

// Puts a saved slice back, to the same character or to one that is made and placed the same, also
// in another sim of the same method; all others stay as they are. What its skin touches is known
// again only in the same world; elsewhere it is found anew. Whoever slept wakes.
SN_API snStatus snSim_RestoreSlice(snSim* sim, int32_t who, const void* slice, size_t bytes,
                                   snMessage* why);

// Puts a saved state back: of this sim, or of another sim (also in another process) of the same
// scene, with the same characters and obstacles in it. Drives, paths and fields belong to the
// scene, not to the state: set them as they were. Where hosted obstacles are, who sleeps and what
// snSim_Shift did is part of it.
SN_API snStatus snSim_Restore(snSim* sim, const void* state, size_t bytes, snMessage* why);

// From now on the stages of steps are timed, which takes a little time itself. The sim must run on
// one thread (snHost.thread_count).
SN_API snStatus snSim_TimeStages(snSim* sim, snMessage* why);

// The name of stage 0, 1, 2 … of the sim's method, NULL after the last; *seconds (may be NULL):
// what it has taken since snSim_TimeStages, s.
SN_API const char* snSim_Stage(const snSim* sim, int32_t i, double* seconds);

// A hash of the state: the same for every number of threads, instruction set and compiler on
// x86-64 (docs/bits.md). (Other processors keep subnormal numbers that x86-64 flushes to zero;
// their last bits may differ.)
SN_API uint64_t snSim_Hash(const snSim* sim);

// While it runs ---------------------------------------------------------------

// The calls below may come between any two Advances. They change the state at once, and the guard
// does not go back behind them. Places are in the world as snSim_Shift has it. Adding and removing
// takes memory and time (of the order of a few steps); none of the others take memory. The scene
// must have no other sim while characters and obstacles come and go, and they come and go in it
// too.

// As snScene_Add. All others keep their bits, unless the new one needs shorter steps than the sim
// takes: steps are then, and stay, a whole number of times shorter.
SN_API snStatus snSim_Add(snSim* sim, snCharacter* character, const snStart* start, int32_t* who,
                          snMessage* why);

// Takes a character out; those with higher numbers have one less from then on. The last one has to
// stay.
SN_API snStatus snSim_Remove(snSim* sim, int32_t who, snMessage* why);

// As snScene_AddObstacle.
SN_API snStatus snSim_AddObstacle(snSim* sim, const snObstacleDef* def, int32_t* number,
                                  snMessage* why);

// Takes an obstacle out; those with higher numbers have one less from then on.
SN_API snStatus snSim_RemoveObstacle(snSim* sim, int32_t number, snMessage* why);

// A hosted obstacle (snObstacleDef) goes from where it is to a pose, evenly, within `seconds`
// (0..3600) from now on, and stays; 0: it is there at once, without having moved.
SN_API snStatus snSim_MoveObstacle(snSim* sim, int32_t number, snTransform pose, double seconds,
                                   snMessage* why);

// Moves a character, with all of its motion, as one piece: first turned about the world's origin,
// then moved. What it touched is forgotten. Its root must be free. The place should be:
// flesh that appears inside something comes out slowly, and stays where it is on both sides of a
// wall.
SN_API snStatus snSim_Teleport(snSim* sim, int32_t who, snTransform by, snMessage* why);

// The pose that a character's joints shall have `seconds` (1e-4..3600) from now, as hosts feed them
// every frame: joint coordinates q (nq), and the rates qd (nv) with which they pass it (NULL: those
// of an even way). From where they are they go there on a cubic, with whatever torque that takes;
// without a new pose they stop at it. It takes the place of all drives of these joints. A free root
// goes where physics takes it, unless with_root is nonzero: then it is moved, too, until a pose
// comes without. Coordinates are those of snFrameCharacter.q, which do not follow snSim_Shift. Who
// is fed poses does not sleep. Only the first call takes memory. Like drives, poses belong to the
// scene, not to saved states: after a restore feed them again.
SN_API snStatus snSim_SetPose(snSim* sim, int32_t who, const double* q, const double* qd,
                              double seconds, int32_t with_root, snMessage* why);

// The origin of the world was moved: everything is `by` (m) from where it was. Nobody feels it,
// bits are the same; frames, and the places that these calls are given, follow. What the scene
// itself says (ground, paths, drags, fields, starts) stays in its own place: snFrame.shift is where
// that is.
SN_API snStatus snSim_Shift(snSim* sim, snVec3 by, snMessage* why);

// An impulse (Ns, each part within 1e6) on a character about a place: on the mass within the radius
// (m, 0..1000), most of it in the middle, (1 - d^2/radius^2)^2; on what is nearest when nothing is
// that near. Bones without flesh: on the one whose centre of mass is nearest, at that place.
SN_API snStatus snSim_Push(snSim* sim, int32_t who, snVec3 place, snVec3 impulse, double radius,
                           snMessage* why);

// An impulse on an obstacle that gives way, at a place.
SN_API snStatus snSim_PushObstacle(snSim* sim, int32_t number, snVec3 place, snVec3 impulse,
                                   snMessage* why);

// Whoever sleeps moves again.
SN_API void snSim_Wake(snSim* sim);

#ifdef __cplusplus
}
#endif

#endif
