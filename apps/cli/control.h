// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Options that say what a body is like, the same for `sinew rig` and `sinew bake`. They come from
// the library's table.
#ifndef SINEW_APPS_CLI_CONTROL_H
#define SINEW_APPS_CLI_CONTROL_H

#include "cli/cli.h"

#define MOST_CONTROLS 16
#define MOST_OPTIONS 48

// Texts of the options; NULL when they were not given.
typedef struct ControlOptions {
    char names[MOST_CONTROLS][32]; // with their dashes
    const char* texts[MOST_CONTROLS];
    const char *quality, *paint;
    Words soft, rigid;
} ControlOptions;

// Appends the options to a table of MOST_OPTIONS. The last entry stays empty.
void addControls(ControlOptions* controls, Option* options);

// Lays what was given over a def, which then points into the options. Complains and returns an exit
// code when something is wrong.
int readControls(const ControlOptions* controls, snBodyDef* def);

// An entry of the library's table by its name, which must be there.
const snBodyControl* findControl(const char* name);

// The text that was given for it; NULL = none.
const char* givenControl(const ControlOptions* controls, const char* name);

// Lines of help.
void printControls(FILE* out);

#endif
