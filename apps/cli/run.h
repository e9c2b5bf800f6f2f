// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A scene that is simulated, and its frames written.
#ifndef SINEW_APPS_CLI_RUN_H
#define SINEW_APPS_CLI_RUN_H

#include "cli/cli.h"
#include "cli/setting.h"

// The options of 'sinew run'; zero = none is given.
typedef struct RunOptions {
    const char *output, *error, *duration, *fps, *step, *threads, *isa;
    MethodOptions method;
    BodyOptions body;
    bool quiet, hash, last, balance, no_self_contact;
} RunOptions;

// Simulates a scene, a mesh or a character by its name, and writes what the options say. Complains
// and returns an exit code when it fails.
int runScene(const char* word, const RunOptions* options);

#endif
