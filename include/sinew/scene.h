// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A scene: who is there, where, and what each joint is told to do. A description; a sim (sim.h)
// runs it. Drives may be changed while a sim runs: it looks at the start of each step.
#ifndef SINEW_SCENE_H
#define SINEW_SCENE_H

#include "character.h"
#include "dynamics.h"
#include "force.h"
#include "method.h"
#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

// A scene as a whole. What one method alone knows is a setting of it: snScene_Set.
typedef struct snSceneDef {
    uint32_t size;      // sizeof(snSceneDef); set by snSceneDef_Init
    const char* method; // which method simulates it, 1..31 bytes; default "explicit"
    snVec3 gravity;     // m/s^2; default (0, -9.81, 0)
    double frame_rate;  // frames per second, 1..10000; default 60
    double duration;    // s that a run lasts, 0..86400; default 5
    double step; // largest step, s, 0..0.1; default 0 = automatic. A whole number of steps makes a
                 // frame.
    int32_t ground;       // nonzero: a horizontal ground holds surfaces up; default 0
    double ground_height; // its y, m; default 0
    double friction;      // Coulomb's coefficient where no pair says otherwise, 0..10; default 0.6
    double restitution;   // part of the speed that a bounce gives back, 0..1; default 0. Of rigid
                          // bodies faster than 0.1 m/s; of flesh only the skin's own
    int32_t self_contact; // nonzero: surfaces also touch themselves; default 1
    int32_t events;       // pairs of bodies whose touching frames report (snTouchEvent), at most,
                          // 0..100,000; default 0 = none are looked for
    double sleep; // s, 0..3600, of lying almost still (slower than 1 cm/s everywhere) after which
                  // bodies that touch each other sleep together until something else touches them;
                  // characters with drives or drags do not; default 0 = never
} snSceneDef;

// Fills the defaults.
SN_API void snSceneDef_Init(snSceneDef* def);

// A scene.
typedef struct snScene snScene;

// Makes an empty scene; def may be NULL for the defaults.
SN_API snStatus snScene_Create(const snHost* host, const snSceneDef* def, snScene** scene,
                               snMessage* why);

// NULL is fine. Sims made from the scene must be freed first.
SN_API void snScene_Free(snScene* scene);

// The def.
SN_API const snSceneDef* snScene_Def(const snScene* scene);

// Another def. Not while a sim of the scene exists. Settings of methods stay as they are.
SN_API snStatus snScene_SetDef(snScene* scene, const snSceneDef* def, snMessage* why);

// Sets a setting of a method (method.h) by its name, with a text: "integrator" to "euler". method
// NULL = the one that the scene runs; settings of others are checked, kept, and count once the
// scene runs them. Not while a sim of the scene exists.
SN_API snStatus snScene_Set(snScene* scene, const char* method, const char* name, const char* value,
                            snMessage* why);

// The text of a setting, or its default; NULL when there is none of that name. Valid until the
// scene changes.
SN_API const char* snScene_Get(const snScene* scene, const char* method, const char* name);

// Where and how a character starts.
typedef struct snStart {
    uint32_t size;        // sizeof(snStart); set by snStart_Init
    snTransform pose;     // of the character's frame in the world; default identity
    snVec3 velocity;      // of the root's origin, m/s, for a free root; default 0
    snVec3 spin;          // about its root's origin, rad/s, for a free root; default 0
    const double* q;      // joint coordinates (nq), copied; default NULL = the zero pose
    const char* material; // what its surface is made of, for snScene_SetPair, copied, at most 31
                          // bytes; default NULL = ""
} snStart;

// Fills the defaults.
SN_API void snStart_Init(snStart* start);

// Adds a character, which the scene keeps; *who (may be NULL) is its number: 0, 1, 2 … start may be
// NULL. Not while a sim of the scene exists: snSim_Add does that. At most 10,000 characters.
SN_API snStatus snScene_Add(snScene* scene, snCharacter* character, const snStart* start,
                            int32_t* who, snMessage* why);

// How many characters there are.
SN_API int32_t snScene_CharacterCount(const snScene* scene);

// A character of the scene; NULL when there is no such one.
SN_API const snCharacter* snScene_Character(const snScene* scene, int32_t who);

// A solid thing that characters touch: fixed, moved along a path, or pushed about by what touches
// it.
typedef struct snObstacleDef {
    uint32_t size;            // sizeof(snObstacleDef); set by snObstacleDef_Init
    const char* name;         // 0..63 bytes; copied; default ""
    const char* material;     // for snScene_SetPair; copied; at most 31 bytes; default ""
    int32_t shape_count;      // 1..1000
    const snShapeDef* shapes; // copied; they may overlap; (shape_count)
    snTransform pose;         // at the start; default identity
    int32_t hosted;  // nonzero: snSim_MoveObstacle moves it; without mass and path; default 0
    double mass;     // kg, 1e-6..1e6: it is pushed about; default 0 = it does not give way. Spread
                     // evenly over the volume, overlaps counting as often as there are
    snVec3 velocity; // of its centre of mass at the start, m/s, when it has a mass
    snVec3 spin;     // rad/s, when it has a mass
    int32_t key_count;       // of its path, when it has no mass: 0..100,000; default 0
    int32_t ends;            // an snCurveEnds of the path; default clamped
    const double* times;     // s, increasing; copied; (key_count)
    const snTransform* keys; // where its frame is then; copied; (key_count)
    float colour[4];         // red, green, blue (sRGB) and opacity for pictures, 0..1
} snObstacleDef;

// Fills the defaults.
SN_API void snObstacleDef_Init(snObstacleDef* def);

// Adds an obstacle; *number (may be NULL) counts 0, 1, 2 … Not while a sim of the scene exists.
SN_API snStatus snScene_AddObstacle(snScene* scene, const snObstacleDef* def, int32_t* number,
                                    snMessage* why);

// Gives an obstacle without mass another path, from the next step on, as hosts do that move things
// about: let it begin where the obstacle is, or it jumps. While a sim exists only if it had a path
// (a single key is one) when the sim was made. Paths belong to the scene, not to saved states.
SN_API snStatus snScene_SetPath(snScene* scene, int32_t number, int32_t key_count, int32_t ends,
                                const double* times, const snTransform* keys, snMessage* why);

// How many obstacles there are; the ground is none.
SN_API int32_t snScene_ObstacleCount(const snScene* scene);

// An obstacle as it was added, with the scene's own copies; NULL when there is no such one.
SN_API const snObstacleDef* snScene_Obstacle(const snScene* scene, int32_t number);

// Friction (0..10) and restitution (0..1) between two materials, in either order, in place of the
// scene's own. The ground's material is "ground". Not while a sim of the scene exists.
SN_API snStatus snScene_SetPair(snScene* scene, const char* material, const char* other,
                                double friction, double restitution, snMessage* why);

// Adds a field, from the next step on; at most 16. Also while a sim runs. Like drives, fields
// belong to the scene, not to saved states. Places are the scene's own, whatever snSim_Shift did.
SN_API snStatus snScene_AddForce(snScene* scene, const snForceDef* def, snMessage* why);

// Takes all fields away.
SN_API void snScene_ClearForces(snScene* scene);

// What tells a joint what to do.
typedef enum snDriveKind {
    sn_driveFree = 0,     // nothing: springs, limits and the rest of the body move it
    sn_driveTorque,       // a constant torque or force
    sn_driveAcceleration, // a constant acceleration
    sn_driveTrajectory,   // follows a smooth curve through key poses exactly
    sn_driveServo,        // a spring and damper pulls it along a smooth curve through key poses
    sn_drivePose,         // moves smoothly from wherever it is to a pose, arrives on time, stays
    sn_driveKindCount,    // how many there are
} snDriveKind;

// The kind's name in scene files, for example "servo"; NULL for a number that is none.
SN_API const char* snDriveKind_Name(int32_t kind);

// How a curve through keys begins and ends.
typedef enum snCurveEnds {
    sn_endsClamped = 0, // starts and ends at rest, holds the first and last key outside
    sn_endsPeriodic,    // repeats; the last key must equal the first
} snCurveEnds;

// One joint's drive. Only the fields of its kind are looked at.
typedef struct snDriveDef {
    uint32_t size;     // sizeof(snDriveDef); set by snDriveDef_Init
    int32_t kind;      // an snDriveKind; default free
    int32_t bone;      // whose joint
    double begin;      // when it takes over, s, 0..86400; default 0
    double end;        // pose: when the joint has arrived, s, after `begin`, up to 86400
    double value[6];   // torque (Nm, N) or acceleration (rad/s^2, m/s^2), in qd's order; default 0
    int32_t key_count; // trajectory, servo: number of keys, 1..100,000; pose: 1
    int32_t ends;      // an snCurveEnds; default clamped
    const double* times; // trajectory, servo: of the keys, s, increasing; copied; (key_count)
    const double* keys;  // the joint's coordinates at the keys, as in q; copied; (key_count x
                         // joint's part of q)
    double stiffness;    // servo: Nm/rad or N/m, >= 0; default 0
    double damping;      // servo: Nm s/rad or N s/m, >= 0; default 0
    double limit;        // servo: largest torque or force, > 0; default infinity
} snDriveDef;

// Fills the defaults.
SN_API void snDriveDef_Init(snDriveDef* def);

// Tells one joint of a character what to do from def->begin on; what it was told before holds until
// then, what it was told for later times is forgotten. So a list of drives in order of time is a
// script, and a drive that begins at 0 is all there is. Keys are C2 splines: coordinates by cubic
// splines, rotations by normalised quaternion splines. A trajectory is followed at once: let it
// begin where the joint is (after a pose, for example), or the joint jumps.
SN_API snStatus snScene_SetDrive(snScene* scene, int32_t who, const snDriveDef* def,
                                 snMessage* why);

// One bone of a character that is dragged along a path, by what its own joints can do: the root and
// whatever else is free stay so, and no outer force helps. Joints without a drive
// (snScene_SetDrive) do it, those with one, be it `free`, keep to that. How well it follows depends
// on physics: a character in the air cannot move its centre of mass.
typedef struct snDragDef {
    uint32_t size;           // sizeof(snDragDef); set by snDragDef_Init
    int32_t bone;            // which bone
    snVec3 point;            // of the bone, in its frame, m; default its origin
    int32_t key_count;       // of the path, 1..100,000
    int32_t ends;            // an snCurveEnds; default clamped
    const double* times;     // s, increasing; copied; (key_count)
    const snVec3* positions; // where the point should be, m; copied; (key_count); NULL = anywhere
    const snQuat* rotations; // how the bone should be turned; copied; (key_count); NULL = anyhow
    int32_t from_start; // nonzero: the path is in the frame that the character started in, not in
                        // the world's; default 0
    double frequency;   // how tightly it follows, Hz, 0.01..1000; default 4
    double weight;      // of the position against other drags, 1e-6..1e6; default 1
    double turn_weight; // of the rotation, m^2/rad^2, 1e-6..1e6; default 0.1: 1 rad/s^2 counts like
                        // 0.3 m/s^2
    double begin;       // s, 0..86400; default 0
    double end;         // s, after `begin`; default infinity
} snDragDef;

// Fills the defaults.
SN_API void snDragDef_Init(snDragDef* def);

// Adds a drag to a character. At most 256 for a character, of which 16 act at the same time. While
// a sim exists only if the character had a drag, or was given snScene_SetDirect, before the sim was
// made.
SN_API snStatus snScene_AddDrag(snScene* scene, int32_t who, const snDragDef* def, snMessage* why);

// Takes all drags off a character; likewise.
SN_API snStatus snScene_ClearDrags(snScene* scene, int32_t who, snMessage* why);

// What joints that drag a bone are told.
typedef enum snDirectCommand {
    sn_directAcceleration = 0, // accelerations, which they follow exactly
    sn_directTorque,           // torques, which leaves them yielding
    sn_directCommandCount,     // how many there are
} snDirectCommand;

// The command's name in scene files, for example "torque"; NULL for a number that is none.
SN_API const char* snDirectCommand_Name(int32_t command);

// How a character moves the joints that drag its bones. Of all ways to follow, the one that keeps
// nearest to a pose is taken.
typedef struct snDirectDef {
    uint32_t size;         // sizeof(snDirectDef); set by snDirectDef_Init
    int32_t command;       // an snDirectCommand; default acceleration
    const double* pose;    // that is held softly, as in q; copied; (nq); default NULL = the start
    double hold_frequency; // how quickly joints go back to it, Hz, 0..100; default 1
    double hold_weight;    // of a joint's acceleration against the drags', 1e-9..1e3; default 1e-4:
                           // 1 rad/s^2 counts like 0.01 m/s^2
    double torque; // largest torque of a joint, Nm or N, > 0; default infinity. A joint with
                   // such a bound is told torques: the bound always holds
    const double* torques; // the same for each coordinate; copied; (nv); default NULL = `torque`
    double acceleration;   // largest acceleration, rad/s^2 or m/s^2, > 0; default infinity
} snDirectDef;

// Fills the defaults.
SN_API void snDirectDef_Init(snDirectDef* def);

// Sets how a character drags; likewise.
SN_API snStatus snScene_SetDirect(snScene* scene, int32_t who, const snDirectDef* def,
                                  snMessage* why);

#ifdef __cplusplus
}
#endif

#endif
