// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Saved bodies (.body): what is in them; and files with the controls of bodies (.json).
#ifndef SINEW_APPS_CLI_SAVED_H
#define SINEW_APPS_CLI_SAVED_H

#include <stdbool.h>

// Is it a .json file with controls in it, and nothing else?
bool holdsControls(const char* path);

// Says on stdout what is in it. Complains and returns an exit code when it cannot be read.
int printSavedBody(const char* path);

#endif
