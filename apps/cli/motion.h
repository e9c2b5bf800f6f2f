// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// --motion FILE: a clip of another file for a rig.
#ifndef SINEW_APPS_CLI_MOTION_H
#define SINEW_APPS_CLI_MOTION_H

#include "cli/choice.h"

// The texts of options; NULL = not given.
typedef struct MotionOptions {
    Words given; // all of --motion, of which there may be one
    const char *motion, *clip, *map;
    bool no_feet; // planted feet are not held on the ground
} MotionOptions;

// Sets `motion`. Complains and returns an exit code when there are several.
int readMotionOptions(MotionOptions* options);

// Puts the clip on the rig, if --motion names a file, and unless quiet says how that went. Before
// the body is built. *added: the clip's number, or -1 when it names none. Complains and returns an
// exit code when it cannot.
int addMotion(snRig* rig, const MotionOptions* options, const Words* clips, bool quiet,
              int32_t* added);

// The clip that was added, or else as chooseClips does.
int chooseMotion(const char* path, const snRig* rig, const Words* words,
                 const MotionOptions* options, int32_t added, bool quiet, Choice* choice);

#endif
