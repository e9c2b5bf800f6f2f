// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Built-in skeletons, characters and scenes, written once on the public API for the command line
// tool, tests and benchmarks.
#ifndef SINEW_SCENES_H
#define SINEW_SCENES_H

#include <sinew/sinew.h>

// One entry of a table that ends with a NULL name.
typedef struct snBuiltinSkeleton {
    const char* name;
    const char* about; // one line for people
    snStatus (*make)(const snHost* host, snSkeleton** skeleton, snMessage* why);
} snBuiltinSkeleton;

typedef struct snBuiltinCharacter {
    const char* name;
    const char* about;
    snStatus (*make)(const snHost* host, snCharacter** character, snMessage* why);
} snBuiltinCharacter;

typedef struct snBuiltinScene {
    const char* name;
    const char* about;
    snStatus (*make)(const snHost* host, snScene** scene, snMessage* why);
} snBuiltinScene;

const snBuiltinSkeleton* snBuiltinSkeletons(void);
const snBuiltinCharacter* snBuiltinCharacters(void);
const snBuiltinScene* snBuiltinScenes(void);

// Find by name; NULL when there is none.
const snBuiltinSkeleton* snBuiltinSkeleton_Find(const char* name);
const snBuiltinCharacter* snBuiltinCharacter_Find(const char* name);
const snBuiltinScene* snBuiltinScene_Find(const char* name);

// The built-in skeletons and characters as scene files see them.
const snLibrary* snBuiltinLibrary(void);

// The skeletons themselves.
snStatus snMakeStarfish(const snHost* host, snSkeleton** skeleton, snMessage* why);
snStatus snMakeHumanoid(const snHost* host, snSkeleton** skeleton, snMessage* why);
snStatus snMakeFish(const snHost* host, snSkeleton** skeleton, snMessage* why);
snStatus snMakeWorm(const snHost* host, snSkeleton** skeleton, snMessage* why);

#endif
