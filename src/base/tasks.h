// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Parallel loops of one sim, bake or file: by the host's pool, a pool of their own, or the host's
// own loops.
#ifndef SN_BASE_TASKS_H
#define SN_BASE_TASKS_H

#include "base/language.h"
#include "sinew/base.h"

SN_BEGIN_C

typedef struct snTasks snTasks;

// Uses host->pool, or host->parallel, or makes a pool of host->thread_count threads (0: one per
// core). With host->parallel, thread_count bounds its worker numbers (0: SN_MAX_THREADS).
snStatus snTasks_Create(const snHost* host, snTasks** out, snMessage* why);

// NULL is fine. No Run may be under way.
void snTasks_Free(snTasks* tasks);

// Worker numbers that tasks see are 0 .. this - 1; for sizing scratch memory.
int snTasks_WorkerCount(const snTasks* tasks);

// Calls task(argument, i, worker) for i in 0 .. count-1 and returns when all are done. The caller
// works too, as worker 0. Tasks run with snFpMode; the caller's mode is restored. No heap calls. A
// Run inside a task is serial, with that task's worker number; so is one, as worker 0, that finds
// the host's pool busy with another's loop. One thread at a time calls Run of the same snTasks.
void snTasks_Run(snTasks* tasks, int count, snTaskFcn* task, void* argument);

SN_END_C

#endif
