// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The library's own threads: one loop at a time.
#ifndef SN_BASE_POOL_H
#define SN_BASE_POOL_H

#include <stdbool.h>

#include "base/language.h"
#include "sinew/base.h"

SN_BEGIN_C

// What a host without a pool and without snHost.parallel gets: host->thread_count threads (0: one
// per core), the caller's included. When the system gives fewer the pool is smaller and the log
// says so.
snStatus snPool_Start(const snHost* taken, snPool** out, snMessage* why);

// Worker numbers that tasks see are 0 .. this - 1.
int snPool_WorkerCount(const snPool* pool);

// The number under which the calling thread now runs tasks of the pool; -1 = it does not.
int snPool_Worker(const snPool* pool);

// Calls task(argument, i, worker) for i in 0 .. count-1 and returns true when all are done; the
// caller works too, as worker 0. False, and nothing was called, when the pool has a loop already.
// Other threads than the caller's run tasks with snFpMode.
bool snPool_TryRun(snPool* pool, int count, snTaskFcn* task, void* argument);

SN_END_C

#endif
