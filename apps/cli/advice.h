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

#define ADVICE_BYTES 400

// A line about what matters most, or none and returns false. ahead: of a bake.
bool findAdvice(const snBodyDef* def, const snBodyInfo* info, const Outcome* outcome, bool ahead,
                char line[ADVICE_BYTES]);

// The outcome of a clip that was baked. as: an snBakeAs; number: room for its name
Outcome outcomeOf(const snBakedClip* clip, int32_t as, char number[16]);

// A clip's name, or its number as text.
const char* bakedName(const snBakedClip* clip, char number[16]);

// The softness at which flesh moves `times` as far, Hz.
double softnessFor(const snBodyInfo* info, double times);

#endif
