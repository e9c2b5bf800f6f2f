// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Which clips of a rig are meant by --clip and --motion.
#ifndef SINEW_APPS_CLI_CHOICE_H
#define SINEW_APPS_CLI_CHOICE_H

#include "cli/cli.h"

typedef struct Choice {
    int32_t motion; // an snMotion in place of clips
    int32_t count;
    int32_t still;  // clips that were meant, and left out since nothing moves in them
    int32_t* clips; // those that move, and then those; (count + still)
} Choice;

// The clips that words mean, once each; without words the first one that moves, and the others are
// listed unless quiet. Clips in which nothing moves are left out with a note. Complains and returns
// an exit code when nothing is left.
int chooseClips(const char* path, const snRig* rig, const Words* words, const char* motion,
                bool quiet, Choice* choice);

void freeChoice(Choice* choice);

// A clip's name, or its number as text.
const char* clipName(const snRig* rig, int32_t clip, char number[16]);

#endif
