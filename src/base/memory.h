// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Memory by the host's hooks: plain blocks, and an arena for models.
#ifndef SN_BASE_MEMORY_H
#define SN_BASE_MEMORY_H

#include <stdbool.h>

#include "base/language.h"
#include "sinew/base.h"

SN_BEGIN_C

// Every block starts on this boundary: a cache line, and the widest vector register.
#define SN_ALIGNMENT 64

// The most threads a host can ask for.
#define SN_MAX_THREADS 64

// A zero-filled block, aligned to SN_ALIGNMENT; NULL on failure. host may be NULL (defaults).
void* snHost_Allocate(const snHost* host, size_t bytes);

// Gives a block back; bytes as it was allocated. A NULL block is fine.
void snHost_Release(const snHost* host, void* memory, size_t bytes);

// Checks what a caller gave, copies it, and fills in the default allocate and release. given may be
// NULL (all defaults).
snStatus snHost_Take(const snHost* given, snHost* taken, snMessage* why);

// a * b and a + b; false on overflow, and then *out is unchanged.
bool snSizeMul(size_t a, size_t b, size_t* out);
bool snSizeAdd(size_t a, size_t b, size_t* out);

typedef struct snArenaBlock snArenaBlock;

// Grows by blocks and is freed at once. Not for several threads at the same time.
typedef struct snArena {
    snHost host;
    snArenaBlock* blocks; // newest first
    bool failed;          // a push has failed since Init; check once at the end
} snArena;

// host may be NULL. Allocates nothing yet.
void snArena_Init(snArena* arena, const snHost* host);

// count * size zero-filled bytes, aligned to SN_ALIGNMENT. NULL on overflow or when memory runs
// out, which also sets arena->failed. count 0 gives a pointer that is not NULL.
void* snArena_Push(snArena* arena, size_t count, size_t size);

// A copy of length bytes with a 0 after them; NULL on failure.
char* snArena_String(snArena* arena, const char* text, size_t length);

// Frees everything that was pushed; the arena can be used again.
void snArena_Free(snArena* arena);

SN_END_C

#endif
