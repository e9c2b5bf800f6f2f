// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Kinematics and dynamics of one skeleton, for programs that want the mechanics without a scene.
//
// A workspace holds a state (q, qd) and what follows from it. Put a state in with
// snDynamics_SetState, then ask. World axes and the world's origin unless said otherwise. One
// thread at a time per workspace; no call here but Create takes memory. Arrays have the skeleton's
// sizes (skeleton.h).
#ifndef SINEW_DYNAMICS_H
#define SINEW_DYNAMICS_H

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

// A workspace for one skeleton.
typedef struct snDynamics snDynamics;

// Makes a workspace in the zero pose at rest. Keeps the skeleton.
SN_API snStatus snDynamics_Create(const snHost* host, snSkeleton* skeleton, snDynamics** dynamics,
                                  snMessage* why);

// NULL is fine.
SN_API void snDynamics_Free(snDynamics* dynamics);

// Sets the state and computes poses and velocities. Rotations are normalised; all must be finite.
SN_API snStatus snDynamics_SetState(snDynamics* dynamics, const double* q, const double* qd,
                                    snMessage* why);

// The state as it is; q or qd may be NULL.
SN_API void snDynamics_GetState(const snDynamics* dynamics, double* q, double* qd);

// Gravity, m/s^2; default (0, -SN_GRAVITY, 0). One that is not finite is ignored.
SN_API void snDynamics_SetGravity(snDynamics* dynamics, snVec3 gravity);

// Kinematics ------------------------------------------------------------------

// Pose of a bone's frame. A bone that does not exist, here and below, stands still at the origin.
SN_API snTransform snDynamics_BonePose(const snDynamics* dynamics, int32_t bone);

// Twist of a bone at its origin.
SN_API snTwist snDynamics_BoneTwist(const snDynamics* dynamics, int32_t bone);

// Where a point of the bone (given in its frame) is.
SN_API snVec3 snDynamics_Point(const snDynamics* dynamics, int32_t bone, snVec3 point);

// Its velocity.
SN_API snVec3 snDynamics_PointVelocity(const snDynamics* dynamics, int32_t bone, snVec3 point);

// Its acceleration, after snDynamics_Hybrid or snDynamics_SetAcceleration.
SN_API snVec3 snDynamics_PointAcceleration(const snDynamics* dynamics, int32_t bone, snVec3 point);

// Angular and linear acceleration of a bone at its origin, after the same calls.
SN_API snTwist snDynamics_BoneAcceleration(const snDynamics* dynamics, int32_t bone);

// Computes the accelerations of all bones from qdd.
SN_API void snDynamics_SetAcceleration(snDynamics* dynamics, const double* qdd);

// The 6 x nv Jacobian, row-major, angular rows first: (w, v) of the point = J qd.
SN_API void snDynamics_Jacobian(const snDynamics* dynamics, int32_t bone, snVec3 point, double* J);

// Dynamics --------------------------------------------------------------------

// What goes into hybrid dynamics. A NULL array stands for zeros.
typedef struct snHybridInput {
    const uint8_t* prescribed; // per bone: nonzero = qdd of its joint is given, zero = tau is given
    const double* tau;         // torques of the torque-driven joints, Nm or N; (nv)
    const double* qdd;         // accelerations of the prescribed joints; (nv)
    const snWrench* external;  // per bone: outer wrench on it at its origin, without gravity
} snHybridInput;

// Linear-time hybrid dynamics at the state (Kim & Pollard 2011, Table I). Writes every joint's
// acceleration to qdd_out and every joint's torque to tau_out (given or found; without springs,
// damping and limits, which act besides). Either may be NULL. sn_errorNumeric, and zeros, when a
// torque-driven joint has nothing to move in this pose. Inputs are not searched for NaN: it comes
// out again.
SN_API snStatus snDynamics_Hybrid(snDynamics* dynamics, const snHybridInput* input, double* qdd_out,
                                  double* tau_out);

// The nv x nv mass matrix, armature included, by composite inertias. Quadratic cost: the reference.
SN_API void snDynamics_MassMatrix(const snDynamics* dynamics, double* M);

// What the whole skeleton carries at the state.
typedef struct snMomentum {
    double mass;    // kg
    snVec3 com;     // centre of mass, m
    snVec3 linear;  // kg m/s
    snVec3 angular; // about the centre of mass, kg m^2/s
} snMomentum;

// Momentum at the state.
SN_API snMomentum snDynamics_Momentum(const snDynamics* dynamics);

// Energies at the state, J.
typedef struct snEnergy {
    double kinetic; // of bones and armatures
    double gravity; // against the world's origin
    double elastic; // in joint springs and limits; later also in the flesh
} snEnergy;

// Energies at the state.
SN_API snEnergy snDynamics_Energy(const snDynamics* dynamics);

// Stepping --------------------------------------------------------------------

// How a step is integrated.
typedef enum snIntegrator {
    sn_integratorMidpoint =
        0,              // second order, the default: half drift, kick at the midpoint, half drift
    sn_integratorEuler, // the paper's symplectic Euler, first order
    sn_integratorCount, // how many there are
} snIntegrator;

// The integrator's name in scene files; NULL for a number that is none.
SN_API const char* snIntegrator_Name(int32_t integrator);

// What one joint is told to do during a step.
typedef enum snJointMode {
    sn_modeTorque = 0,   // tau acts; zero leaves the joint passive
    sn_modeAcceleration, // qdd is followed
    sn_modePosition,     // q follows a trajectory exactly: q_mid, q_end and their rates are given
    sn_modeServo,        // a spring-damper towards servo_q and servo_qd acts besides tau
    sn_modeCount,        // how many there are
} snJointMode;

// Commands for one step. Arrays of the skeleton's sizes; those a mode does not need may be NULL
// when no joint is in that mode; tau and qdd may always be NULL (zeros).
typedef struct snJointCommand {
    const uint8_t* mode;    // an snJointMode per bone; NULL = all torque
    const double* tau;      // Nm or N; (nv)
    const double* qdd;      // rad/s^2 or m/s^2; (nv)
    const double* q_mid;    // trajectory half a step ahead; (nq)
    const double* qd_mid;   // (nv)
    const double* q_end;    // trajectory one step ahead; (nq)
    const double* qd_end;   // (nv)
    const double* servo_q;  // servo's target; (nq)
    const double* servo_qd; // servo's target rate; (nv)
    const double* servo_kp; // Nm/rad or N/m; (nv); ball and free joints use the first of each three
    const double* servo_kd; // Nm s/rad or N s/m; (nv); likewise
    const double* servo_limit; // largest torque, Nm or N, infinity = none; (nv); likewise
    const snWrench* external;  // per bone: outer wrench on it at its origin; NULL = none
} snJointCommand;

// Advances the state by h seconds. With `correct` nonzero, a skeleton with one free, passive root
// also keeps the momentum law exactly: a rigid velocity change makes the momentum change equal the
// outer impulses. NULL commands leave every joint passive.
SN_API snStatus snDynamics_Step(snDynamics* dynamics, double h, int32_t integrator, int32_t correct,
                                const snJointCommand* command, snMessage* why);

// Inverse kinematics ----------------------------------------------------------

// How inverse kinematics searches.
typedef enum snIkMethod {
    sn_ikDampedLeastSquares = 0, // few iterations, each solves a small dense system
    sn_ikJacobianTranspose,      // many cheap iterations
} snIkMethod;

// One wish: a point of a bone should be somewhere, or the bone should look some way, or both.
typedef struct snIkTarget {
    int32_t bone;           // which bone
    snVec3 point;           // on the bone, in its frame, m
    snVec3 position;        // where the point should be, m
    snQuat rotation;        // how the bone should be turned
    double position_weight; // >= 0; 0 = position does not matter
    double rotation_weight; // m/rad, >= 0: how many metres a radian counts for; 0 = does not matter
} snIkTarget;

// Settings of inverse kinematics.
typedef struct snIkDef {
    uint32_t size;         // sizeof(snIkDef); set by snIkDef_Init
    int32_t method;        // an snIkMethod; default damped least squares
    int32_t iterations;    // at most so many, 1..100,000; default 100
    double tolerance;      // done when the weighted error is below, m; default 1e-6
    double damping;        // of damped least squares, relative to the reach, > 0; default 0.01
    const uint8_t* locked; // per bone: nonzero = its joint does not move; NULL = none
} snIkDef;

// Fills the defaults.
SN_API void snIkDef_Init(snIkDef* def);

// What came out.
typedef struct snIkResult {
    double error;       // weighted error that is left, m
    int32_t iterations; // used
} snIkResult;

// Moves the state's q towards the targets (1..16) within the joint limits; rates become zero.
// Unreachable targets are no error: the closest pose found stays and the result says how far off it
// is.
SN_API snStatus snDynamics_SolveIk(snDynamics* dynamics, const snIkDef* def,
                                   const snIkTarget* targets, int32_t target_count,
                                   snIkResult* result, snMessage* why);

#ifdef __cplusplus
}
#endif

#endif
