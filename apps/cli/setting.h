// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// --method and --set: how a scene is simulated. Names, help and checks come from the library's
// tables of methods.
#ifndef SINEW_APPS_CLI_SETTING_H
#define SINEW_APPS_CLI_SETTING_H

#include "cli/cli.h"

typedef struct MethodOptions {
    const char* name; // NULL = the scene's own
    Words set;        // NAME=VALUE
} MethodOptions;

// Whether any of it was given.
bool isMethodGiven(const MethodOptions* options);

// Gives a scene the method and its settings. Complains and returns an exit code when it cannot.
int applyMethod(const MethodOptions* options, snScene* scene);

// Whether any method has a setting of this name.
bool isSetting(const char* name);

// What a setting takes, with its default: "midpoint or euler; otherwise midpoint".
void printTakes(FILE* out, const snSetting* setting);

// Lines of help: the settings of all methods.
void printSettings(FILE* out);

// A line with the settings of a scene's method that are not at their defaults, if there are any.
void printChosen(FILE* out, const snScene* scene);

#endif
