// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// How results of a batch were made: a number for the options and files they came of, kept beside
// them in .sinew_bakes, a line each. --resume keeps a result only if that is still the same.
#ifndef SINEW_APPS_CLI_DIGEST_H
#define SINEW_APPS_CLI_DIGEST_H

#include "cli/cli.h"

// Of the program's version and of options that change results. Files that they name count by what
// is in them.
uint64_t digestOptions(const Option* options);

// Of a rig, besides: its file, what that refers to, and its controls (NULL: none).
uint64_t digestRig(uint64_t digest, const char* rig, const char* controls);

typedef enum Origin {
    originSame,    // it was made so
    originOther,   // by other options or of other files
    originUnknown, // nothing is known of it
} Origin;

// How a result was made.
Origin originOf(const char* result, uint64_t digest);

// Notes how a result was made. What cannot be noted is made anew with --resume.
void noteOrigin(const char* result, uint64_t digest);

#endif
