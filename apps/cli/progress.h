// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Long work: how far it is, and Ctrl-C.
#ifndef SINEW_APPS_CLI_PROGRESS_H
#define SINEW_APPS_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

// Done, rate, time left: in place on a terminal, a line every five seconds otherwise.
typedef struct Progress {
    double start, last; // s on the clock
    bool terminal, quiet, shown;
    char stage[16];       // of frames
    int64_t first, frame; // with which that began, and that is done of it
} Progress;

Progress startProgress(bool quiet);

// What is made before time passes; on a terminal alone.
void showBuilding(Progress* progress, const char* name);

// Simulated time of a whole, s.
void showProgress(Progress* progress, double time, double duration);

// Pictures drawn of a whole.
void showDrawn(Progress* progress, int done, int count);

// Frames of a whole, in a stage of the work on something. What a stage began with took no time.
void showFrames(Progress* progress, const char* stage, const char* what, int64_t done,
                int64_t total);

// Removes the line from a terminal.
void endProgress(const Progress* progress);

// From here on Ctrl-C and SIGTERM are counted instead of ending the program.
void catchStops(void);

// How often the user has asked to stop.
int stopCount(void);

// For snHost.interrupted.
int isStopWanted(void* user);

// A clock, s.
double seconds(void);

#endif
