// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Where the results of several rigs go.
#ifndef SINEW_APPS_CLI_TARGETS_H
#define SINEW_APPS_CLI_TARGETS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Targets {
    int32_t count;
    char** paths; // (count)
} Targets;

// Does the path end so? Small and capital letters are the same.
bool hasEnd(const char* path, const char* end);

// Is it one, or does its name say that it is to be one?
bool isFolder(const char* path);

// Do both paths lead to the same file?
bool isSameFile(const char* a, const char* b);

// Whether a file can be put there. Says at the beginning what would otherwise fail at the end:
// complains and returns an exit code.
int checkFolder(const char* path);

// The inputs' names with a suffix and another end, in the folder `output`, which is made if it is
// missing, or (NULL) beside each of them; for one input `output` may also be a file. Complains and
// returns an exit code when two would be the same, or one would be an input.
int findTargets(const char* const* inputs, int32_t count, const char* output, const char* suffix,
                const char* end, Targets* targets);

void freeTargets(Targets* targets);

#endif
