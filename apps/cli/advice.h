// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What to try when a body's flesh moves too little, is held back too often, or is lost in shapes.
#ifndef SINEW_APPS_CLI_ADVICE_H
#define SINEW_APPS_CLI_ADVICE_H

#include <sinew/sinew.h>
#include <stdbool.h>

// How a clip went
typedef struct Outcome {
    const char* clip; // its name; NULL: it goes without saying
    double moved;     // how far flesh went, m
    double limited;   // share of frames in which it was at its limit
    double error;     // by which shapes miss it, m
} Outcome;

// Prints a line on stdout about what matters most, or none and returns false. ahead: of a bake.
bool printAdvice(const snBodyDef* def, const snBodyInfo* info, const Outcome* outcome, bool ahead);

// The softness at which flesh moves `times` as far, Hz.
double softnessFor(const snBodyInfo* info, double times);

#endif
