// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Motion capture files (.bvh): what is in them, what is wrong with them, and playing them.
#ifndef SINEW_APPS_CLI_CLIP_H
#define SINEW_APPS_CLI_CLIP_H

#include <sinew/clip.h>
#include <stdbool.h>

// Says on stdout what is in it; returns an exit code.
int infoClip(const char* path);

// Reads it and tries it on the built-in humanoid; says what is odd; returns an exit code.
int checkClip(const char* path);

// Plays it on the scene's first character in place of what drives it, and unless `quiet` says how
// that went; the scene then lasts as long as the clip. Returns an exit code.
int playClip(const snHost* host, snScene* scene, const char* path, bool quiet);

#endif
