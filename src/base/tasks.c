// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "base/tasks.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/cpu.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/pool.h"
#include "base/thread.h"

// A worker number of the host's own loops
typedef struct Place {
    _Alignas(SN_ALIGNMENT) atomic_uintptr_t thread; // that now runs tasks under it; 0 = none
} Place;

struct snTasks {
    snHost host;
    snPool* pool; // its own or the host's; NULL: host.parallel runs loops
    bool owns_pool;
    int worker_count;
    atomic_uintptr_t alone;       // thread that runs a whole loop, as worker 0; 0 = none
    Place places[SN_MAX_THREADS]; // for host.parallel
};

snStatus snTasks_Create(const snHost* host, snTasks** out, snMessage* why)
{
    *out = NULL;
    snHost taken;
    snStatus status = snHost_Take(host, &taken, why);
    if (status != sn_ok) {
        return status;
    }
    snTasks* tasks = snHost_Allocate(&taken, sizeof(snTasks));
    if (!tasks) {
        return snFail(why, sn_errorMemory, "out of memory while making the task runner");
    }
    tasks->host = taken;
    tasks->pool = taken.pool;
    tasks->owns_pool = !taken.pool && !taken.parallel;
    status = tasks->owns_pool ? snPool_Start(&taken, &tasks->pool, why) : sn_ok;
    if (status) {
        snHost_Release(&taken, tasks, sizeof(snTasks));
        return status;
    }
    int most = taken.thread_count > 0 ? taken.thread_count : SN_MAX_THREADS;
    tasks->worker_count = tasks->pool ? snPool_WorkerCount(tasks->pool) : most;
    *out = tasks;
    return sn_ok;
}

void snTasks_Free(snTasks* tasks)
{
    if (!tasks) {
        return;
    }
    if (tasks->owns_pool) {
        snPool_Free(tasks->pool);
    }
    snHost host = tasks->host;
    snHost_Release(&host, tasks, sizeof(snTasks));
}

int snTasks_WorkerCount(const snTasks* tasks)
{
    return tasks->worker_count;
}

typedef struct HostJob {
    snTasks* tasks;
    snTaskFcn* task;
    void* argument;
} HostJob;

// A task as the host's parallel hook calls it
static void runHostTask(void* argument, int index, int worker)
{
    const HostJob* job = argument;
    assert(worker >= 0 && worker < job->tasks->worker_count);
    atomic_uintptr_t* thread = &job->tasks->places[worker].thread;
    snFpMode mode = snFpMode_Enter();
    atomic_store_explicit(thread, snThread_Self(), memory_order_relaxed);
    job->task(job->argument, index, worker);
    atomic_store_explicit(thread, 0, memory_order_relaxed);
    snFpMode_Leave(mode);
}

// The worker number of the task that the calling thread is in; -1 = in none
static int currentWorker(const snTasks* tasks)
{
    uintptr_t self = snThread_Self();
    if (atomic_load_explicit(&tasks->alone, memory_order_relaxed) == self) {
        return 0;
    }
    if (tasks->pool) {
        return snPool_Worker(tasks->pool);
    }
    for (int i = 0; i < tasks->worker_count; ++i) {
        if (atomic_load_explicit(&tasks->places[i].thread, memory_order_relaxed) == self) {
            return i;
        }
    }
    return -1;
}

static void runSerially(int count, snTaskFcn* task, void* argument, int worker)
{
    for (int i = 0; i < count; ++i) {
        task(argument, i, worker);
    }
}

static bool runTogether(snTasks* tasks, int count, snTaskFcn* task, void* argument)
{
    if (count <= 1 || tasks->worker_count == 1) {
        return false;
    }
    if (tasks->pool) {
        return snPool_TryRun(tasks->pool, count, task, argument);
    }
    HostJob job = {tasks, task, argument};
    tasks->host.parallel(tasks->host.user, count, runHostTask, &job);
    return true;
}

void snTasks_Run(snTasks* tasks, int count, snTaskFcn* task, void* argument)
{
    int worker = currentWorker(tasks);
    if (worker >= 0) {
        runSerially(count, task, argument, worker);
        return;
    }
    snFpMode mode = snFpMode_Enter();
    if (!runTogether(tasks, count, task, argument)) {
        atomic_store_explicit(&tasks->alone, snThread_Self(), memory_order_relaxed);
        runSerially(count, task, argument, 0);
        atomic_store_explicit(&tasks->alone, 0, memory_order_relaxed);
    }
    snFpMode_Leave(mode);
}
