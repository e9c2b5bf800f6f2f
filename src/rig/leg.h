// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A leg of a ball joint, a hinge and an ankle of two or three axes: six coordinates or more for the
// six of a foot, solved in closed form.
#ifndef SN_RIG_LEG_H
#define SN_RIG_LEG_H

#include "rig/feet.h"

typedef struct snLeg {
    const snSkeleton* skeleton;
    int32_t thigh, shin, foot, toes; // bones; toes may be -1
    snQuat rest[3];                  // of thigh, shin and foot in the zero pose
    snVec3 upper, lower;             // hip to knee, knee to ankle in the zero pose, m
    snVec3 axis;                     // the knee's, in the zero pose
    double along;                    // reach along the axis, m
    double a, b;                     // lengths of upper and lower across the axis, m
    double bent;                     // the knee's bend across the axis in the zero pose, rad
    double flex;                     // 1 or -1: the sign of the angles that knees bend to
    double side;                     // 1 or -1: which way round the axis the foot points
    double toes_sign;                // of the toes' axis against the foot's left; 0: no hinge
} snLeg;

snLeg snLeg_Make(const snRetarget* retarget, int side, snVec3 forward);

// How far the hip must go down for the ankle to be in reach with the knee a little bent, m; no less
// than 0.
double snLeg_Drop(const snLeg* leg, snVec3 hip, snVec3 ankle);

// Writes the leg's coordinates that put ankle and foot where the frame says.
void snLeg_Solve(const snLeg* leg, const snLegFrame* was, const snFootFrame* frame, double* q);

#endif
