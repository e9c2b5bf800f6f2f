// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Rigged characters (.glb, .gltf, .vrm, .fbx, .dae): what is in them, what is wrong with them.
#ifndef SINEW_APPS_CLI_RIG_FACTS_H
#define SINEW_APPS_CLI_RIG_FACTS_H

#include "cli/playback.h"

#include <sinew/rig.h>
#include <stdbool.h>

// Clips, and no mesh that they could move
bool holdsMotionOnly(const snRig* rig);

// Reads it; *skinned: it is a character, and not what a sink wrote. Complains and returns an exit
// code when it cannot, or when options do not fit.
int openRig(const char* path, const PlaybackOptions* options, snRig** rig, bool* skinned);

// By how much a camera is turned about the vertical to see its front, rad: of a VRM 0.x, which
// faces -z, half a turn. Of a file that is no rig 0.
double turnOfRig(const snRig* rig);
double turnOfFile(const char* path);

// Says on stdout what is in it: size, meshes, clips, joints.
void printRig(const char* path, const snRig* rig);

// What is odd, a line each; returns how many.
int printRigRemarks(const snRig* rig);

// Poses every clip at several times. Complains when a vertex goes nowhere.
int checkRigClips(const char* path, const snRig* rig);

#endif
