// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Force fields, by mass: what is light is taken along as what is heavy.
#ifndef SN_CONTROL_FORCE_H
#define SN_CONTROL_FORCE_H

#include "base/language.h"
#include <stdbool.h>

#include <sinew/force.h>

SN_BEGIN_C

#define SN_MOST_FORCES 16

typedef struct snForces {
    int32_t count;
    int64_t edition; // counts changes
    snForceDef fields[SN_MOST_FORCES];
} snForces;

// A copy is added. Fails when the def is wrong or there are too many.
snStatus snForces_Add(snForces* forces, const snForceDef* def, snMessage* why);

void snForces_Clear(snForces* forces);

// One of them is a function, which may say something else at any time.
bool snForces_HasCall(const snForces* forces);

// The acceleration of all of them together, m/s^2, for a step of h from t on, s, at a place, m, and
// a velocity, m/s
snVec3 snForces_At(const snForces* forces, double t, double h, snVec3 place, snVec3 v);

SN_END_C

#endif
