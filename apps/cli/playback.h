// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Animation files (.pc2, .mdd, and rigs): what is in them.
#ifndef SINEW_APPS_CLI_PLAYBACK_H
#define SINEW_APPS_CLI_PLAYBACK_H

#include <sinew/sinew.h>

// Texts of --mesh and --rate, and of a rig's --clip; NULL when they were not given.
typedef struct PlaybackOptions {
    const char *mesh, *rate, *clip;
} PlaybackOptions;

// Reads a file. Complains and returns an exit code when it cannot.
int openPlayback(const snHost* host, const char* path, const PlaybackOptions* options,
                 snAnimation** animation);

// When its last frame is, s.
double endOfPlayback(const snAnimation* animation);

// Says on stdout what is in it; returns an exit code.
int printPlayback(const char* path, snAnimation* animation);

#endif
