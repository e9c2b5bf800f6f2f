// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A scene: who is there, where, and what each joint is told to do. A description; a sim (sim.h)
// runs it. Drives may be changed while a sim runs: it looks at the start of each step.
#ifndef SINEW_SCENE_H
#define SINEW_SCENE_H

#include "character.h"
#include "dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif

// Settings of a scene.
typedef struct snSceneDef {
    uint32_t size;      // sizeof(snSceneDef); set by snSceneDef_Init
    int32_t integrator; // an snIntegrator; default midpoint
    const char* method; // which method simulates it, 1..31 bytes; default "explicit"
    snVec3 gravity;     // m/s^2; default (0, -9.81, 0)
    double frame_rate;  // frames per second, 1..10000; default 60
    double duration;    // s that a run lasts, 0..86400; default 5
    double step; // largest step, s, 0..0.1; default 0 = automatic. A whole number of steps makes a
                 // frame.
    int32_t keep_momentum; // nonzero: correct free characters' momentum each step; default 1
    int32_t ground;        // nonzero: a horizontal ground holds surfaces up; default 0
    double ground_height;  // its y, m; default 0
    double friction;       // Coulomb's coefficient between surfaces and ground, 0..10; default 0.6
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

// The settings.
SN_API const snSceneDef* snScene_Def(const snScene* scene);

// Other settings. Not while a sim of the scene exists.
SN_API snStatus snScene_SetDef(snScene* scene, const snSceneDef* def, snMessage* why);

// Where and how a character starts.
typedef struct snStart {
    uint32_t size;    // sizeof(snStart); set by snStart_Init
    snTransform pose; // of the character's frame in the world; default identity
    snVec3 velocity;  // of the root's origin, m/s, for a free root; default 0
    snVec3 spin;      // about its root's origin, rad/s, for a free root; default 0
    const double* q;  // joint coordinates (nq), copied; default NULL = the zero pose
} snStart;

// Fills the defaults.
SN_API void snStart_Init(snStart* start);

// Adds a character, which the scene keeps; *who (may be NULL) is its number: 0, 1, 2 … start may be
// NULL. Not while a sim of the scene exists. At most 10,000 characters.
SN_API snStatus snScene_Add(snScene* scene, snCharacter* character, const snStart* start,
                            int32_t* who, snMessage* why);

// How many characters there are.
SN_API int32_t snScene_CharacterCount(const snScene* scene);

// A character of the scene; NULL when there is no such one.
SN_API const snCharacter* snScene_Character(const snScene* scene, int32_t who);

// What tells a joint what to do.
typedef enum snDriveKind {
    sn_driveFree = 0,     // nothing: springs, limits and the rest of the body move it
    sn_driveTorque,       // a constant torque or force
    sn_driveAcceleration, // a constant acceleration
    sn_driveTrajectory,   // follows a smooth curve through key poses exactly
    sn_driveServo,        // a spring and damper pulls it along a smooth curve through key poses
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
    double value[6];   // torque (Nm, N) or acceleration (rad/s^2, m/s^2), in qd's order; default 0
    int32_t key_count; // trajectory, servo: number of keys, 1..100,000
    int32_t ends;      // an snCurveEnds; default clamped
    const double* times; // of the keys, s, increasing; copied; (key_count)
    const double* keys;  // the joint's coordinates at the keys, as in q; copied; (key_count x
                         // joint's part of q)
    double stiffness;    // servo: Nm/rad or N/m, >= 0; default 0
    double damping;      // servo: Nm s/rad or N s/m, >= 0; default 0
    double limit;        // servo: largest torque or force, > 0; default infinity
} snDriveDef;

// Fills the defaults.
SN_API void snDriveDef_Init(snDriveDef* def);

// Sets the drive of one joint of a character in place of the one it had. Keys are C2 splines:
// coordinates by cubic splines, rotations by normalised quaternion splines. A trajectory is
// followed at once: set one that begins where the joint is, or the joint jumps.
SN_API snStatus snScene_SetDrive(snScene* scene, int32_t who, const snDriveDef* def,
                                 snMessage* why);

#ifdef __cplusplus
}
#endif

#endif
