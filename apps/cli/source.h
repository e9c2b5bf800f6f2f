// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Where frames come from: a scene that is simulated, or an animation that was before.
#ifndef SINEW_APPS_CLI_SOURCE_H
#define SINEW_APPS_CLI_SOURCE_H

#include "cli/body.h"
#include "cli/playback.h"
#include "cli/progress.h"

typedef struct Source {
    snScene* scene; // NULL: an animation
    snSim* sim;
    double asked; // time that the sim was told to let pass, s
    snAnimation* animation;
    int64_t number; // of its frame
    snFrame held;   // that frame, at the time that is shown
} Source;

// Opens a built-in scene or a file. Complains and returns an exit code when it cannot.
int openSource(const snHost* host, const char* word, const BodyOptions* body,
               const PlaybackOptions* playback, Source* source);

// How long it lasts by itself, s.
double sourceDuration(const Source* source);

// The present frame; the first one after opening.
const snFrame* sourceFrame(Source* source);

// Goes on to a time, as far as Ctrl-C lets it. The last frame of an animation stays.
snStatus advanceSource(Source* source, double time, double duration, Progress* progress,
                       snMessage* why);

void closeSource(Source* source);

#endif
