// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A channel of a clip as a curve smooth enough to drive physics.
//
// The curve goes through the channel's keys with two continuous derivatives: corners that a file
// has at every key (LINEAR) would ring the flesh at the key rate. Where it must not, it does not:
//
//   holds    A stretch of two intervals or more that hardly changes beside ones that do, and the
//            intervals next to it, stay monotone: slopes there are limited to three times those of
//            the chords (Fritsch & Carlson 1980). In a key whose slope was limited the second
//            derivative jumps, nowhere else.
//   sparse   keys more than SN_CURVE_SPARSE apart: between them the curve follows the file's line
//            or great circle, and its corners are rounded over SN_CURVE_ROUND on each side.
//   cuts     Keys of STEP channels that change, keys at the same time, and teleports: more than 60
//            degrees, a fifth of the rig's size or half of a scale in at most SN_CURVE_SPARSE, and
//            eight times faster than before and after (four times if it is nearly half a turn). The
//            curve breaks there, each side with second derivative zero at its end; a teleport
//            breaks in the middle, and both sides go on to there as they moved before.
//
// CUBICSPLINE channels are sampled SN_CURVE_RATE times a second first. A rotation is its
// quaternion's four components, of which each key's sign is that nearer to the key before, made
// unit after interpolation: there are no angles, so nothing wraps.
#ifndef SN_RIG_CURVE_H
#define SN_RIG_CURVE_H

#include "rig/rig.h"

#define SN_CURVE_SPARSE 0.1         // s
#define SN_CURVE_ROUND (1.0 / 24.0) // s
#define SN_CURVE_RATE 60.0          // Hz
#define SN_CURVE_PARTS 64           // of an interval between two cubic keys at most

// Keys; between two of them Hermite's cubic. Equal times are a cut, where the later key holds.
typedef struct snCurve {
    int32_t width;       // 3, of rotations 4
    int32_t path;        // an snRigPath
    int32_t count;       // keys; 1: it is constant
    int32_t cut_count;   // cuts
    const double* time;  // s, not falling; (count)
    const double* value; // rotations: of unit length; (count x width)
    const double* slope; // 1/s; (count x width)
} snCurve;

// The way from one loop to the next: v -> A v + b of translations, q -> turn q of rotations
typedef struct snCurveMap {
    snMat3 A;
    snVec3 b;
    snQuat turn;
} snCurveMap;

// x -> turn about +y, then + move, of the world, as channels see it in a parent's frame P: P^-1 T
// P. The identity when that is flat.
snCurveMap snCurveMap_Seen(const snMatrix* parent, double turn, snVec3 move);

// The time that the curve is for, and what it does at its ends
typedef struct snCurveSpan {
    double first, last; // s; outside the channel's keys it holds their ends' values
    double size;        // of the whole rig in the channel's lengths; measures translations
    double end;         // of a loop, s: at least last; its first value comes again there
    bool loops;         // it goes over from the end to the start smoothly
    snCurveMap on;      // from one loop to the next
    snCurveMap back;    // and back
} snCurveSpan;

// How far apart two values are: angles of rotations, rad; translations in sizes of the rig; scales
// relative to the larger one.
double snCurve_Apart(int32_t path, const double* a, const double* b, double size);

// Builds the curve of a channel that is not of weights. Of a loop, what the ends miss each other by
// is spread evenly over the whole length; when it is more than 0.05 (rad, sizes, parts), as of
// nodes that move nothing one sees, the loop's seam is left open.
snStatus snCurve_Build(snArena* arena, const snRigChannel* channel, const snCurveSpan* span,
                       snCurve* out, snMessage* why);

// Value and derivative by time; a rotation's value is not of unit length between keys. Before the
// first and after the last key it stands still. before: in a cut the end of what was before it.
void snCurve_Eval(const snCurve* curve, double time, bool before, double* value, double* rate);

#endif
