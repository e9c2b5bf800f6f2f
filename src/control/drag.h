// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Drags of a character (sinew/scene.h): time in, pulls of direct control out.
#ifndef SN_CONTROL_DRAG_H
#define SN_CONTROL_DRAG_H

#include "control/direct.h"

SN_BEGIN_C

// One drag, with its path built. Immutable.
typedef struct snDrag {
    int32_t bone;
    snVec3 point;
    bool moves, turns, from_start;
    double frequency, weight, turn_weight;
    double begin, end;
    snArena arena; // the path
    snSpline travel;
    snRotSpline turn;
} snDrag;

// All drags of one character, and how it follows them. May change between steps.
typedef struct snDrags {
    snHost host;
    snDrag** drags; // (capacity)
    int32_t count, capacity;
    double hold_frequency, hold_weight;
    bool torques;
    bool has_pose;
    double* pose;              // held softly, when has_pose; (nq)
    double* most_torque;       // (nv)
    double* most_acceleration; // (nv)
} snDrags;

// Defaults and no drags yet. The skeleton must have joints to drag with.
snStatus snDrags_Create(const snHost* host, const snSkeleton* skeleton, snDrags** drags,
                        snMessage* why);

// NULL is fine.
void snDrags_Free(snDrags* drags, const snSkeleton* skeleton);

// Checks and adds a drag.
snStatus snDrags_Add(snDrags* drags, const snSkeleton* skeleton, const snDragDef* def,
                     snMessage* why);

void snDrags_Clear(snDrags* drags);

// Checks and takes settings.
snStatus snDrags_Set(snDrags* drags, const snSkeleton* skeleton, const snDirectDef* def,
                     snMessage* why);

// What direct control needs to know of a character besides.
typedef struct snDragStep {
    double t;               // start of the step, s
    const snBase* start;    // where its frame started; NULL = the world's
    const double* q;        // start pose; (nq)
    snDrive* const* drives; // joints with none that acts are free to drag
} snDragStep;

// The pulls that act at the end of a step of h seconds; at most SN_DIRECT_PULLS. Returns how many.
int32_t snDrags_Pulls(const snDrags* drags, const snDragStep* when, double h, snDirectPull* pulls);

// Commands the joints of a character that is dragged (see snDirect_Solve for when). False, and
// nothing is done, while no drag acts, or without `drags`.
bool snDrags_Command(const snDrags* drags, const snDragStep* when, snDirect* direct,
                     snWorkspace* ws, const snStep* step, const snJointCommand* command,
                     const snCommandArrays* arrays);

SN_END_C

#endif
