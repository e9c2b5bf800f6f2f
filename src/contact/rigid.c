// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "contact/rigid.h"

#include <string.h>

// Principal axes -------------------------------------------------------------------

// Turns rows and columns i, j of the symmetric A, and the columns of V, so that A[i][j] becomes
// zero (Jacobi; the smaller of the two angles).
static void turnPair(double A[3][3], double V[3][3], int i, int j)
{
    if (A[i][j] == 0) {
        return;
    }
    double theta = (A[j][j] - A[i][i]) / (2 * A[i][j]);
    double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; ++k) {
        double a = A[k][i], b = A[k][j], u = V[k][i], v = V[k][j];
        A[k][i] = c * a - s * b, A[k][j] = s * a + c * b;
        V[k][i] = c * u - s * v, V[k][j] = s * u + c * v;
    }
    for (int k = 0; k < 3; ++k) {
        double a = A[i][k], b = A[j][k];
        A[i][k] = c * a - s * b, A[j][k] = s * a + c * b;
    }
    A[i][j] = A[j][i] = 0;
}

// moment[k] belongs to the axis in column k of V.
static void findAxes(snSym3 S, double V[3][3], double moment[3])
{
    double A[3][3] = {{S.xx, S.xy, S.xz}, {S.xy, S.yy, S.yz}, {S.xz, S.yz, S.zz}};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            V[i][j] = i == j;
        }
    }
    // converges quadratically: 10 rounds are more than doubles can tell
    for (int round = 0; round < 10; ++round) {
        turnPair(A, V, 0, 1);
        turnPair(A, V, 0, 2);
        turnPair(A, V, 1, 2);
    }
    for (int k = 0; k < 3; ++k) {
        moment[k] = A[k][k];
    }
}

snRigid snRigid_Make(double mass, snVec3 com, snSym3 inertia)
{
    double V[3][3], moment[3];
    int low = 0, high = 0;
    findAxes(inertia, V, moment);
    for (int k = 1; k < 3; ++k) {
        low = moment[k] < moment[low] ? k : low;
        high = moment[k] >= moment[high] ? k : high; // not the same one when all are equal
    }
    int between = 3 - low - high;
    snSym3 inverse = {0};
    for (int k = 0; k < 3; ++k) {
        snVec3 axis = snV3(V[0][k], V[1][k], V[2][k]);
        inverse = snSymAdd(inverse, snSymFromMat(snMatScale(1 / moment[k], snOuter(axis, axis))));
    }
    return (snRigid){.mass = mass,
                     .com = com,
                     .inertia = inertia,
                     .inverse = inverse,
                     .least = snV3(V[0][low], V[1][low], V[2][low]),
                     .most = snV3(V[0][high], V[1][high], V[2][high]),
                     .middle = 1 / moment[between],
                     .fast = 1 / moment[low] - 1 / moment[between],
                     .slow = 1 / moment[high] - 1 / moment[between]};
}

snRigidState snRigid_Start(const snRigid* rigid, snTransform pose, snVec3 velocity, snVec3 spin)
{
    snQuat q = snQNormalize(pose.q);
    snVec3 w = snQRotate(snQConj(q), spin);
    return (snRigidState){.p = snAdd(pose.p, snQRotate(q, rigid->com)),
                          .q = q,
                          .linear = snScale(rigid->mass, velocity),
                          .angular = snQRotate(q, snSymVec(rigid->inertia, w))};
}

// Motion ---------------------------------------------------------------------------

// The largest turn in one part of a drift, rad.
#define LARGEST_TURN 0.05

// Parts of a drift at most: bounds the time that a wild spin takes.
#define MOST_PARTS 64

// The body turns about its own axis at `rate` times the momentum about it.
static snQuat turnAbout(snQuat q, snVec3 axis, double rate, snVec3 angular, double h)
{
    double along = snDot(axis, snQRotate(snQConj(q), angular));
    return snQMul(q, snQFromAxisAngle(axis, h * rate * along));
}

// The energy L' I^-1 L / 2 is the sum of L.L/2 over the middle moment and of (L.e)^2/2 times `fast`
// and `slow` for the axes e of the least and largest moment. Each alone turns the body uniformly:
// about L itself, which is the same before and after the others, and about e. One after the other,
// symmetrically (Strang 1968), they make a symplectic step of second order; the momentum, which
// stands still in the world, is exact, and so is everything when two moments are equal.
static void turnFreely(const snRigid* rigid, snRigidState* state, double h)
{
    snVec3 L = state->angular, half = snScale(0.5 * h * rigid->middle, L);
    snQuat turn = snQExp(half), q = snQMul(turn, state->q);
    q = turnAbout(q, rigid->least, rigid->fast, L, 0.5 * h);
    q = turnAbout(q, rigid->most, rigid->slow, L, h);
    q = turnAbout(q, rigid->least, rigid->fast, L, 0.5 * h);
    state->q = snQNormalize(snQMul(turn, q));
}

void snRigid_Drift(const snRigid* rigid, snRigidState* state, double h)
{
    double turn = fabs(h) * snLength(state->angular) * (rigid->middle + rigid->fast);
    int parts = turn < LARGEST_TURN * MOST_PARTS ? (int)(turn / LARGEST_TURN) + 1 : MOST_PARTS;
    state->p = snMulAdd(state->p, h / rigid->mass, state->linear);
    for (int i = 0; i < parts; ++i) {
        turnFreely(rigid, state, h / parts);
    }
}

void snRigid_Kick(snRigidState* state, double h, snWrench load)
{
    state->linear = snMulAdd(state->linear, h, load.f);
    state->angular = snMulAdd(state->angular, h, load.n);
}

// Questions ------------------------------------------------------------------------

snTransform snRigid_Pose(const snRigid* rigid, const snRigidState* state)
{
    return snT(snSub(state->p, snQRotate(state->q, rigid->com)), state->q);
}

// I^-1 v, I turned with the body
static snVec3 overInertia(const snRigid* rigid, const snRigidState* state, snVec3 v)
{
    snVec3 own = snQRotate(snQConj(state->q), v);
    return snQRotate(state->q, snSymVec(rigid->inverse, own));
}

snVec3 snRigid_Spin(const snRigid* rigid, const snRigidState* state)
{
    return overInertia(rigid, state, state->angular);
}

snVec3 snRigid_Velocity(const snRigid* rigid, const snRigidState* state, snVec3 at)
{
    snVec3 turning = snCross(snRigid_Spin(rigid, state), snSub(at, state->p));
    return snMulAdd(turning, 1 / rigid->mass, state->linear);
}

double snRigid_EffectiveMass(const snRigid* rigid, const snRigidState* state, snVec3 at, snVec3 n)
{
    snVec3 arm = snCross(snSub(at, state->p), n);
    return 1 / (1 / rigid->mass + snDot(arm, overInertia(rigid, state, arm)));
}

void snSprings_Add(snSprings* springs, const snRigidState* state, snVec3 at, snVec3 n)
{
    snVec3 arm = snCross(snSub(at, state->p), n);
    const double w[6] = {n.x, n.y, n.z, arm.x, arm.y, arm.z};
    for (int i = 0; i < 6; ++i) {
        for (int k = 0; k < 6; ++k) {
            springs->k[i][k] += w[i] * w[k];
        }
    }
}

static void square(double A[6][6])
{
    double B[6][6];
    for (int i = 0; i < 6; ++i) {
        for (int k = 0; k < 6; ++k) {
            B[i][k] = 0;
            for (int j = 0; j < 6; ++j) {
                B[i][k] += A[i][j] * A[j][k];
            }
        }
    }
    memcpy(A, B, sizeof B);
}

// The eighth root of the trace of (M^-1 K)^8: between the largest eigenvalue and 6^(1/8) times it.
double snRigid_Swing(const snRigid* rigid, const snRigidState* state, const snSprings* springs)
{
    double A[6][6], trace = 0, power = 0;
    for (int k = 0; k < 6; ++k) {
        const double(*s)[6] = springs->k;
        snVec3 turn = overInertia(rigid, state, snV3(s[3][k], s[4][k], s[5][k]));
        for (int i = 0; i < 3; ++i) {
            A[i][k] = s[i][k] / rigid->mass;
        }
        A[3][k] = turn.x, A[4][k] = turn.y, A[5][k] = turn.z;
    }
    for (int i = 0; i < 6; ++i) {
        trace += A[i][i];
    }
    double scale = trace > 0 ? 1 / trace : 0; // eigenvalues up to 1, so that powers stay in range
    for (int i = 0; i < 36; ++i) {
        A[i / 6][i % 6] *= scale;
    }
    for (int i = 0; i < 3; ++i) {
        square(A);
    }
    for (int i = 0; i < 6; ++i) {
        power += A[i][i];
    }
    return trace * sqrt(sqrt(sqrt(power)));
}

snMomentum snRigid_Momentum(const snRigid* rigid, const snRigidState* state)
{
    return (snMomentum){rigid->mass, state->p, state->linear, state->angular};
}

double snRigid_Energy(const snRigid* rigid, const snRigidState* state)
{
    double turning = snDot(state->angular, snRigid_Spin(rigid, state));
    return 0.5 * (snLengthSq(state->linear) / rigid->mass + turning);
}
