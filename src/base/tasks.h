// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Parallel loops: a thread pool, or the host's own.
#ifndef SN_BASE_TASKS_H
#define SN_BASE_TASKS_H

#include "base/language.h"
#include "sinew/base.h"

SN_BEGIN_C

typedef struct snTasks snTasks;

// A pool of host->thread_count threads (0: one per core), or a wrapper of host->parallel. With
// host->parallel, thread_count bounds its worker numbers (0: SN_MAX_THREADS). Serial on
// WebAssembly. When the system gives fewer threads the pool is smaller and the log says so.
snStatus snTasks_Create(const snHost* host, snTasks** out, snMessage* why);

// NULL is fine. No Run may be under way.
void snTasks_Free(snTasks* tasks);

// Worker numbers that tasks see are 0 .. this - 1; for sizing scratch memory.
int snTasks_WorkerCount(const snTasks* tasks);

// Calls task(argument, i, worker) for i in 0 .. count-1 and returns when all are done. The caller
// works too, as worker 0. Tasks run with snFpMode; the caller's mode is restored. No heap calls. A
// Run inside a task is serial, with that task's worker number. One thread at a time calls Run.
void snTasks_Run(snTasks* tasks, int count, snTaskFcn* task, void* argument);

SN_END_C

#endif
