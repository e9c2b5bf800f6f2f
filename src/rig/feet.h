// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Feet that stand: when they do in the recording, and how they are kept from sinking, floating and
// sliding on a skeleton of other build (in the spirit of Kovar, Schreiner & Gleicher 2002,
// "Footskate cleanup for motion capture editing"; here in closed form, for legs of a ball, a hinge
// and an ankle).
#ifndef SN_RIG_FEET_H
#define SN_RIG_FEET_H

#include "rig/retarget.h"

// What of a foot is on the ground
#define SN_CONTACT_BALL 1u
#define SN_CONTACT_HEEL 2u

// A foot in a frame.
typedef struct snFootFrame {
    uint8_t contact;   // SN_CONTACT_ flags
    double ball, heel; // 1 in contact, falling to 0 beside it
    double pitch;      // of the foot against flat, toes down, rad
    snVec3 ankle;      // where it shall be, m
    snQuat foot;       // how it shall be turned
} snFootFrame;

typedef struct snFeet {
    snRetarget* r;
    snFootFrame* frames[2]; // left, right; (frame_count)
    double* space;          // (3 frame_count)
    int32_t begin, end;     // frames that are measured: begin .. end - 1
    snVec3 sole[2][3];      // heel, ball and tip on the sole, in the foot's frame
    snVec3 forward[2];      // where the feet point in the zero pose; horizontal unit vector
} snFeet;

// How well feet stand.
typedef struct snFeetError {
    double height; // largest distance of a standing foot from the ground, m
    double slide;  // farthest that a point which stands went, m
    int32_t stances;
} snFeetError;

// Finds out when feet stand, and puts the motion on the ground as a whole.
snStatus snFeet_Find(snArena* arena, snRetarget* retarget, snFeet* feet, snMessage* why);

// Makes them stand: changes the root's height and the legs' coordinates.
void snFeet_Hold(snFeet* feet);

// By forward kinematics of the coordinates as they are.
snStatus snFeet_Measure(snArena* arena, const snFeet* feet, snFeetError* error, snMessage* why);

#endif
