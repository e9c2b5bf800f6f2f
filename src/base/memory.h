// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Memory by the host's hooks: plain blocks, an arena for models, a named scratch stack for steps.
#ifndef SN_BASE_MEMORY_H
#define SN_BASE_MEMORY_H

#include <stdbool.h>

#include "sinew/base.h"

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

#define SN_SCRATCH_DEPTH 64

// A stack of named blocks inside one allocation. Misuse (too much, out of order) asserts.
typedef struct snScratch {
    snHost host;
    uint8_t* base;
    size_t capacity; // bytes
    size_t used;     // bytes, now
    size_t peak;     // bytes, the most so far
    int depth;       // blocks on the stack
    struct {
        const char* name;
        size_t offset;
    } blocks[SN_SCRATCH_DEPTH];
} snScratch;

snStatus snScratch_Init(snScratch* scratch, const snHost* host, size_t capacity, snMessage* why);
void snScratch_Free(snScratch* scratch);

// What a block of this size takes from the capacity.
size_t snScratch_Size(size_t bytes);

// Aligned to SN_ALIGNMENT, contents undefined; name must outlive the block. NULL when it does not
// fit.
void* snScratch_Push(snScratch* scratch, size_t bytes, const char* name);

// Gives the newest block back; memory must be that block.
void snScratch_Pop(snScratch* scratch, void* memory);

bool snScratch_IsEmpty(const snScratch* scratch);

#endif
