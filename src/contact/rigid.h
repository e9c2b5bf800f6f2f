// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A rigid body that is pushed about. A midpoint step drifts by half of it, kicks with the forces
// taken there, and drifts again.
#ifndef SN_CONTACT_RIGID_H
#define SN_CONTACT_RIGID_H

#include "math/transform.h"
#include "math/twist.h"
#include <sinew/dynamics.h>

SN_BEGIN_C

// Where it is and how it moves, in the world. Part of a sim's state.
typedef struct snRigidState {
    snVec3 p;       // centre of mass, m
    snQuat q;       // of its frame
    snVec3 linear;  // momentum, kg m/s
    snVec3 angular; // about the centre of mass, kg m^2/s
} snRigidState;

// Immutable.
typedef struct snRigid {
    double mass;        // kg
    snVec3 com;         // in its frame, m
    snSym3 inertia;     // about com, axes of its frame, kg m^2
    snSym3 inverse;     // of the inertia
    snVec3 least, most; // unit axes of the least and the largest moment, in its frame
    double middle;      // 1 / the middle moment
    double fast, slow;  // 1 / the least and 1 / the largest moment, less `middle`
} snRigid;

// mass > 0, and the inertia that of a body with volume.
snRigid snRigid_Make(double mass, snVec3 com, snSym3 inertia);

// With its frame at `pose`, its centre of mass moving at `velocity` and turning at `spin`.
snRigidState snRigid_Start(const snRigid* rigid, snTransform pose, snVec3 velocity, snVec3 spin);

// Moves on for h seconds; momenta do not change.
void snRigid_Drift(const snRigid* rigid, snRigidState* state, double h);

// The load's force, and its moment about the centre of mass, act for h seconds.
void snRigid_Kick(snRigidState* state, double h, snWrench load);

// Of its frame.
snTransform snRigid_Pose(const snRigid* rigid, const snRigidState* state);

// rad/s, world
snVec3 snRigid_Spin(const snRigid* rigid, const snRigidState* state);

// Of the body's point that is at `at`, world.
snVec3 snRigid_Velocity(const snRigid* rigid, const snRigidState* state, snVec3 at);

// What an impulse at `at` along the unit vector n meets: 1/(1/m + (r x n)' I^-1 (r x n)), kg.
double snRigid_EffectiveMass(const snRigid* rigid, const snRigidState* state, snVec3 at, snVec3 n);

// Springs of stiffness 1 along unit vectors at places of a body: their stiffness for its motion,
// linear and angular about the centre of mass.
typedef struct snSprings {
    double k[6][6];
} snSprings;

void snSprings_Add(snSprings* springs, const snRigidState* state, snVec3 at, snVec3 n);

// The square of the highest frequency with which the body swings on them, rad^2/s^2; at most a
// quarter too large.
double snRigid_Swing(const snRigid* rigid, const snRigidState* state, const snSprings* springs);

snMomentum snRigid_Momentum(const snRigid* rigid, const snRigidState* state);

// Of its travel and turning, J.
double snRigid_Energy(const snRigid* rigid, const snRigidState* state);

SN_END_C

#endif
