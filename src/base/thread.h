// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Threads, locks and conditions of the system: POSIX, or Windows' own. WebAssembly has none: no
// thread starts there, and there is nothing to wait for.
#ifndef SN_BASE_THREAD_H
#define SN_BASE_THREAD_H

#include "base/language.h"
#include <stdbool.h>
#include <stdint.h>

#if !defined(_WIN32) && !defined(__wasm__)
#include <pthread.h>
#endif

SN_BEGIN_C

typedef void snThreadFcn(void* argument);

typedef struct snThread {
    snThreadFcn* run;
    void* argument;
#if defined(_WIN32)
    void* handle;
#elif !defined(__wasm__)
    pthread_t handle;
#endif
} snThread;

// Not recursive
typedef struct snMutex {
#if defined(_WIN32) || defined(__wasm__)
    void* state;
#else
    pthread_mutex_t state;
#endif
} snMutex;

// Waits may end without a signal.
typedef struct snCondition {
#if defined(_WIN32) || defined(__wasm__)
    void* state;
#else
    pthread_cond_t state;
#endif
} snCondition;

// Runs run(argument) on a thread of its own, which no signal reaches: they are the host's business
// and go to its own threads. `thread` must stay where it is until Join. False when the system gives
// none.
bool snThread_Start(snThread* thread, snThreadFcn* run, void* argument);

// Waits for the end of one that was started.
void snThread_Join(snThread* thread);

// Names the calling thread; never 0.
uintptr_t snThread_Self(void);

// Processors that are there, 1 or more
int snThread_CoreCount(void);

void snMutex_Init(snMutex* mutex);
void snMutex_Free(snMutex* mutex);
void snMutex_Lock(snMutex* mutex);
void snMutex_Unlock(snMutex* mutex);

void snCondition_Init(snCondition* condition);
void snCondition_Free(snCondition* condition);
void snCondition_Wait(snCondition* condition, snMutex* mutex);
void snCondition_Signal(snCondition* condition);
void snCondition_Broadcast(snCondition* condition);

SN_END_C

#endif
