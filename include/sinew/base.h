// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What every other header of Sinew builds on: status and message, the host's hooks, small vectors.
//
// Conventions of the whole library: SI units; right-handed, Y up, characters face +Z; quaternions
// (x, y, z, w); twists and wrenches (angular, linear); column vectors; radians.
#ifndef SINEW_BASE_H
#define SINEW_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Symbols are hidden unless marked; a shared build defines SN_SHARED for both sides.
#if defined(_WIN32) && defined(SN_SHARED)
#if defined(SN_BUILDING)
#define SN_API __declspec(dllexport)
#else
#define SN_API __declspec(dllimport)
#endif
#elif defined(__GNUC__) && !defined(_WIN32)
#define SN_API __attribute__((visibility("default")))
#else
#define SN_API
#endif

#define SN_VERSION_MAJOR 0 // of this header
#define SN_VERSION_MINOR 1 // of this header
#define SN_VERSION_PATCH 0 // of this header

// The library's version as 10000 * major + 100 * minor + patch; compare with the header's own
// numbers.
SN_API uint32_t snVersion(void);

// What a call that can fail returns. Zero is success, so `if (snThing_Load(...)) die(...)` reads
// well.
typedef enum snStatus {
    sn_ok = 0,           // done
    sn_errorArgument,    // the caller passed something out of range; nothing was changed
    sn_errorFile,        // a file or text was read but says something wrong
    sn_errorIo,          // a file could not be opened, read or written
    sn_errorMemory,      // the host's allocator returned NULL
    sn_errorUnsupported, // well formed, but this build or method does not do it
    sn_errorNumeric,     // the simulation could not go on; the last good frame is still there
    sn_errorInterrupted, // the host asked to stop
} snStatus;

// The status' name in words, for example "file error".
SN_API const char* snStatus_Name(snStatus status);

// Bytes of a message, the final 0 included.
#define SN_MESSAGE_SIZE 1024

// For people: which file, where in it, what was expected, what to do. Filled on failure, emptied on
// success.
typedef struct snMessage {
    char text[SN_MESSAGE_SIZE];
} snMessage;

// Gravity on the ground, m/s^2: what scenes and skeletons begin with, and what advice reckons with.
#define SN_GRAVITY 9.81

// How much a log line matters.
typedef enum snLogLevel {
    sn_logDebug = 0, // for the developers of the library
    sn_logInfo,      // what was assumed, what was built
    sn_logWarning,   // the result may not be what was meant
} snLogLevel;

// Instruction sets that kernels are built for. All give the same bits; they differ in speed alone.
typedef enum snIsa {
    sn_isaAuto = 0, // the best one this processor has
    sn_isaBaseline, // x86-64 (SSE2), or whatever the compiler's target is elsewhere
    sn_isaAvx2,     // x86-64-v3
    sn_isaAvx512,   // x86-64-v4
} snIsa;

// Threads that several sims, bakes and loads share; see snPool_Create.
typedef struct snPool snPool;

// What libsinew_import can do; snImport_Register (sinew/import.h) gives it to a host.
typedef struct snImporters snImporters;

// One unit of parallel work: index in 0..count-1, worker in 0..worker_count-1 (for scratch memory).
typedef void snTaskFcn(void* argument, int index, int worker);

// What a program that embeds Sinew may want to do itself. Every hook is optional; NULL takes the
// default. A host is copied by the call that receives it; `user` must outlive what was made with
// it.
typedef struct snHost {
    uint32_t size; // sizeof(snHost); set by snHost_Init

    void* user; // passed to every hook

    // Memory, aligned to `alignment` (a power of two, at most 64). Default: the C library.
    void* (*allocate)(void* user, size_t bytes, size_t alignment);
    void (*release)(void* user, void* memory, size_t bytes); // the same number of bytes

    // Log lines without newline. Default: none.
    void (*log)(void* user, snLogLevel level, const char* text);

    // Runs task(argument, i, worker) for every i in 0..count-1 and returns when all are done. The
    // result must not depend on order or worker; workers are numbered below thread_count (0: below
    // 64). Default: a thread pool of the library with thread_count threads.
    void (*parallel)(void* user, int count, snTaskFcn* task, void* argument);

    // Asked now and then during long calls; nonzero stops them with sn_errorInterrupted. Default:
    // never.
    int (*interrupted)(void* user);

    int32_t
        thread_count; // threads that work, the caller's included; 1..64, default 0 = one per core
    int32_t isa;      // an snIsa; default sn_isaAuto

    // Threads to use in place of own ones, whose thread_count then counts; not together with
    // parallel. Must outlive what was made with it. Default: none.
    snPool* pool;

    // FBX and Collada rigs, tets of given nodes, the general SVD: set by snImport_Register.
    // Default: none.
    const snImporters* importers;
} snHost;

// Fills the defaults. Must be called before fields are changed.
SN_API void snHost_Init(snHost* host);

// Makes host->thread_count threads (0: one per core), the caller's included, for hosts that point
// to them (snHost.pool): a program with many sims then has as many threads as cores, and not as
// many for each sim. The pool runs one loop at a time; a sim on another thread that finds it busy,
// or that is stepped inside a task, runs its loop on its own thread, with the same bits. host may
// be NULL.
SN_API snStatus snPool_Create(const snHost* host, snPool** pool, snMessage* why);

// After all that was made with it. NULL is fine.
SN_API void snPool_Free(snPool* pool);

// Plain numbers that cross the API, in double.
typedef struct snVec3 {
    double x, y, z;
} snVec3;

// A rotation; unit length.
typedef struct snQuat {
    double x, y, z, w;
} snQuat;

// A rigid placement: first rotate, then move.
typedef struct snTransform {
    snVec3 p; // m
    snQuat q; // unit length
} snTransform;

// A twist (angular velocity rad/s, linear velocity m/s) or its rate, at a stated point, in stated
// axes.
typedef struct snTwist {
    snVec3 w, v;
} snTwist;

// A wrench (torque Nm, force N) at a stated point, in stated axes.
typedef struct snWrench {
    snVec3 n, f;
} snWrench;

// A symmetric 3x3 matrix.
typedef struct snSym3 {
    double xx, yy, zz, xy, xz, yz;
} snSym3;

#ifdef __cplusplus
}
#endif

#endif
