// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Interpolating cubic splines with two continuous derivatives, for numbers and for rotations.
#ifndef SN_MATH_SPLINE_H
#define SN_MATH_SPLINE_H

#include "base/memory.h"
#include "math/quat.h"

SN_BEGIN_C

typedef enum snSplineKind {
    sn_splineClamped = 0, // given velocities at both ends
    sn_splineNatural,     // second derivative zero at both ends
    sn_splinePeriodic,    // repeats; the last key must equal the first
} snSplineKind;

// Zeroed: clamped, at rest at both ends.
typedef struct snSplineEnds {
    snSplineKind kind;
    // clamped: velocity in the first and the last key, one number per channel, or for rotations the
    // three of the angular velocity in parent axes; NULL is zero. Not kept.
    const double* start;
    const double* end;
} snSplineEnds;

typedef struct snSpline {
    int channels;
    int count; // keys
    bool periodic;
    double sign;          // periodic: x(t + period) = sign x(t); -1 only inside rotation splines
    const double* time;   // s, increasing; (count)
    const double* value;  // in the keys; (count x channels)
    const double* moment; // second derivative in the keys, 1/s^2; (count x channels)
    // where to look for a time: with as many equal parts of the range as there are intervals, the
    // interval in which each begins and the last ends
    double parts_per_s;
    const int32_t* begins; // (count)
} snSpline;

// Keys: times (count), finite and strictly increasing; values (count x channels), finite. One key
// is a constant. The spline lives in the arena; nothing of the caller's is kept.
snStatus snSpline_Build(snArena* arena, int channels, int count, const double* times,
                        const double* values, snSplineEnds ends, snSpline* out, snMessage* why);

// Value, first and second derivative (channels each; NULL if not wanted). Before the first key and
// after the last a spline that is not periodic keeps the end's value, with derivatives zero.
void snSpline_Eval(const snSpline* spline, double t, double* x, double* xd, double* xdd);

// R(t) = x/|x|, x(t) a spline of the four components. Twice continuously differentiable like x.
typedef struct snRotSpline {
    snSpline x;
} snRotSpline;

// Keys need not have unit length, and q and -q mean the same: from key to key the shorter way is
// taken, also over the seam of a periodic one, where any number of whole turns may have been made.
snStatus snRotSpline_Build(snArena* arena, int count, const double* times, const snQuat* keys,
                           snSplineEnds ends, snRotSpline* out, snMessage* why);

// Rotation, angular velocity and angular acceleration in parent axes: qd = w q / 2. NULL if not
// wanted.
void snRotSpline_Eval(const snRotSpline* spline, double t, snQuat* q, snVec3* w, snVec3* wdot);

SN_END_C

#endif
