// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A surface or tet mesh as a scene: a body without bones that is dropped on the ground.
#ifndef SINEW_APPS_CLI_BODY_H
#define SINEW_APPS_CLI_BODY_H

#include <scenes/scenes.h>
#include <stdbool.h>

// The texts of options; NULL = not given.
typedef struct BodyOptions {
    const char *cells, *young, *density, *size, *height; // of a body
    const char* clip;                   // of any scene: motion capture for its first character
    bool quiet;                         // do not say what was scaled
    const struct MethodOptions* method; // how scenes are simulated; NULL = as they say
} BodyOptions;

// The first option for meshes alone that was given, or NULL.
const char* givenMeshOption(const BodyOptions* options);

// Builds the scene; options may be NULL. Complains and returns an exit code when it cannot.
int openBody(const snHost* host, const char* path, const BodyOptions* options, snScene** scene);

// The same for such a file, of which --height alone counts.
int openSavedCharacter(const snHost* host, const char* path, const BodyOptions* options,
                       snScene** scene);

// The same for a built-in character, of which --height alone counts; one that is held stands.
int openCharacter(const snHost* host, const snBuiltinCharacter* builtin, const BodyOptions* options,
                  snScene** scene);

#endif
