// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#if defined(_WIN32)
#include <malloc.h>
#endif

#include "base/importers.h"
#include "base/message.h"

// Blocks of an arena start at this size and double up to the second one: few calls for a large
// model, little waste for a small one.
#define FIRST_BLOCK ((size_t)4 << 10)
#define LARGEST_BLOCK ((size_t)1 << 20)

struct snArenaBlock {
    _Alignas(SN_ALIGNMENT) snArenaBlock* older;
    size_t bytes; // of the whole block, this header included
    size_t used;  // bytes, this header included
};

static void* defaultAllocate(void* user, size_t bytes, size_t alignment)
{
    (void)user;
    // no object is larger than pointers can be apart
    if (bytes > PTRDIFF_MAX - alignment) {
        return NULL;
    }
#if defined(_WIN32)
    return _aligned_malloc(bytes, alignment);
#else
    // C17 wants a multiple of the alignment
    return aligned_alloc(alignment, (bytes + alignment - 1) & ~(alignment - 1));
#endif
}

static void defaultRelease(void* user, void* memory, size_t bytes)
{
    (void)user;
    (void)bytes;
#if defined(_WIN32)
    _aligned_free(memory);
#else
    free(memory);
#endif
}

void snHost_Init(snHost* host)
{
    *host = (snHost){.size = sizeof(snHost)};
}

snStatus snHost_Take(const snHost* given, snHost* taken, snMessage* why)
{
    snHost host;
    snHost_Init(&host);
    if (given) {
        if (given->size != sizeof(snHost)) {
            return snFail(
                why, sn_errorArgument,
                "snHost.size is %u, expected %u; call snHost_Init first, and build against "
                "the library's own headers",
                (unsigned)given->size, (unsigned)sizeof(snHost));
        }
        host = *given;
    }
    if (!host.allocate != !host.release) {
        return snFail(why, sn_errorArgument,
                      "snHost has only one of allocate and release; set both or none");
    }
    if (host.parallel && host.pool) {
        return snFail(why, sn_errorArgument,
                      "snHost has both parallel and pool; set one of them, or none");
    }
    if (host.thread_count < 0 || host.thread_count > SN_MAX_THREADS) {
        return snFail(why, sn_errorArgument,
                      "snHost.thread_count is %d, expected 1 to %d, or 0 for one per core",
                      (int)host.thread_count, SN_MAX_THREADS);
    }
    if (host.isa < sn_isaAuto || host.isa > sn_isaAvx512) {
        return snFail(why, sn_errorArgument, "snHost.isa is %d, expected an snIsa, %d to %d",
                      (int)host.isa, sn_isaAuto, sn_isaAvx512);
    }
    if (host.importers && host.importers->version != snVersion()) {
        return snFail(why, sn_errorArgument,
                      "snHost.importers are of version %u, the library is of %u; build "
                      "libsinew_import and libsinew from the same sources",
                      (unsigned)host.importers->version, (unsigned)snVersion());
    }
    if (!host.allocate) {
        host.allocate = defaultAllocate;
        host.release = defaultRelease;
    }
    *taken = host;
    return sn_ok;
}

void* snHost_Allocate(const snHost* host, size_t bytes)
{
    size_t wanted = bytes > 0 ? bytes : 1;
    bool own = host && host->allocate;
    void* memory = own ? host->allocate(host->user, wanted, SN_ALIGNMENT)
                       : defaultAllocate(NULL, wanted, SN_ALIGNMENT);
    assert((uintptr_t)memory % SN_ALIGNMENT == 0);
    return memory ? memset(memory, 0, wanted) : NULL;
}

void snHost_Release(const snHost* host, void* memory, size_t bytes)
{
    if (!memory) {
        return;
    }
    if (host && host->release) {
        host->release(host->user, memory, bytes > 0 ? bytes : 1);
    } else {
        defaultRelease(NULL, memory, bytes);
    }
}

bool snSizeMul(size_t a, size_t b, size_t* out)
{
    if (b != 0 && a > SIZE_MAX / b) {
        return false;
    }
    *out = a * b;
    return true;
}

bool snSizeAdd(size_t a, size_t b, size_t* out)
{
    if (a > SIZE_MAX - b) {
        return false;
    }
    *out = a + b;
    return true;
}

void snArena_Init(snArena* arena, const snHost* host)
{
    *arena = (snArena){.blocks = NULL};
    if (host) {
        arena->host = *host;
    } else {
        snHost_Init(&arena->host);
    }
}

static snArenaBlock* addBlock(snArena* arena, size_t content)
{
    size_t bytes = FIRST_BLOCK;
    if (arena->blocks) {
        bytes = arena->blocks->bytes < LARGEST_BLOCK / 2 ? arena->blocks->bytes * 2 : LARGEST_BLOCK;
    }
    size_t needed;
    if (!snSizeAdd(content, sizeof(snArenaBlock), &needed)) {
        return NULL;
    }
    bytes = needed > bytes ? needed : bytes;
    snArenaBlock* block = snHost_Allocate(&arena->host, bytes);
    if (block) {
        *block = (snArenaBlock){arena->blocks, bytes, sizeof(snArenaBlock)};
        arena->blocks = block;
    }
    return block;
}

void* snArena_Push(snArena* arena, size_t count, size_t size)
{
    size_t bytes;
    if (!snSizeMul(count, size, &bytes) || !snSizeAdd(bytes, SN_ALIGNMENT - 1, &bytes)) {
        arena->failed = true;
        return NULL;
    }
    bytes &= ~(size_t)(SN_ALIGNMENT - 1);
    snArenaBlock* block = arena->blocks;
    if (!block || bytes > block->bytes - block->used) {
        block = addBlock(arena, bytes);
    }
    if (!block) {
        arena->failed = true;
        return NULL;
    }
    void* memory = (uint8_t*)block + block->used;
    block->used += bytes;
    return memory;
}

char* snArena_String(snArena* arena, const char* text, size_t length)
{
    size_t bytes;
    if (!snSizeAdd(length, 1, &bytes)) {
        arena->failed = true;
        return NULL;
    }
    char* copy = snArena_Push(arena, bytes, 1);
    if (copy && length > 0) {
        memcpy(copy, text, length);
    }
    return copy;
}

void snArena_Free(snArena* arena)
{
    snArenaBlock* block = arena->blocks;
    while (block) {
        snArenaBlock* older = block->older;
        snHost_Release(&arena->host, block, block->bytes);
        block = older;
    }
    arena->blocks = NULL;
    arena->failed = false;
}
