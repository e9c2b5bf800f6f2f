// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "base/pool.h"

#include <assert.h>
#include <stdatomic.h>

#include "base/cpu.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/thread.h"

// Turns of the waiting loop before a thread goes to sleep, tens of microseconds in all: the stages
// of a step follow each other faster than that, and waking a thread costs as much.
#define SPINS 3000

typedef struct Worker {
    // the thread that now runs tasks under this number, 0 if none; how a loop inside a task knows
    // itself
    _Alignas(SN_ALIGNMENT) atomic_uintptr_t thread;
    snPool* pool;
    snThread own; // of the pool; of worker 0 none
    int index;
    // its part of the job's tasks, which it does first: what task i works on is in this worker's
    // cache from the last job of as many
    atomic_int next;
    int end;
} Worker;

struct snPool {
    snHost host;
    int worker_count;
    int thread_count; // threads of the pool, the caller's not included
    int spins;
    atomic_bool busy; // somebody's loop is under way

    // the job: written by TryRun while `unclaimed` is 0, read by those who have claimed a part of
    // it
    snTaskFcn* task;
    void* argument;

    _Alignas(SN_ALIGNMENT) atomic_int unclaimed; // tasks that nobody has taken yet
    _Alignas(SN_ALIGNMENT) atomic_int unfinished;

    // who sleeps, and what wakes them
    _Alignas(SN_ALIGNMENT) atomic_int sleeping; // threads that wait for a job
    atomic_bool waiting;                        // the caller waits for the last task
    atomic_bool quit;
    snMutex mutex;
    snCondition wake, done;

    Worker workers[SN_MAX_THREADS];
};

static void pauseBriefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

// The task of a claim: of the worker's own part or, when that is done, of another's. There are as
// many as claims.
static int takeTask(snPool* pool, const Worker* worker)
{
    for (int i = 0; i < pool->worker_count; ++i) {
        Worker* from = &pool->workers[(worker->index + i) % pool->worker_count];
        int task = atomic_fetch_add_explicit(&from->next, 1, memory_order_relaxed);
        if (task < from->end) {
            return task;
        }
    }
    assert(false);
    return 0;
}

// Runs tasks of the job until all are claimed. A claim keeps the job open, so it can be read after
// it. Claims are for several tasks while there are many: each takes as long as a small task.
static void work(snPool* pool, Worker* worker)
{
    int finished = 0;
    int left = atomic_load(&pool->unclaimed);
    atomic_store_explicit(&worker->thread, snThread_Self(), memory_order_relaxed);
    while (left > 0) {
        int part = 2 * pool->worker_count, claim = (left + part - 1) / part;
        if (!atomic_compare_exchange_weak(&pool->unclaimed, &left, left - claim)) {
            continue;
        }
        for (int i = 0; i < claim; ++i) {
            pool->task(pool->argument, takeTask(pool, worker), worker->index);
        }
        finished += claim;
        left = atomic_load(&pool->unclaimed);
    }
    atomic_store_explicit(&worker->thread, 0, memory_order_relaxed);
    if (finished > 0 && atomic_fetch_sub(&pool->unfinished, finished) == finished &&
        atomic_load(&pool->waiting)) {
        snMutex_Lock(&pool->mutex);
        snCondition_Signal(&pool->done);
        snMutex_Unlock(&pool->mutex);
    }
}

static bool isIdle(snPool* pool)
{
    return atomic_load(&pool->unclaimed) == 0 && !atomic_load(&pool->quit);
}

static void serve(void* argument)
{
    Worker* worker = argument;
    snPool* pool = worker->pool;
    snFpMode_Enter();
    while (!atomic_load(&pool->quit)) {
        for (int i = 0; i < pool->spins && isIdle(pool); ++i) {
            pauseBriefly();
        }
        if (isIdle(pool)) {
            // TryRun looks at `sleeping` after it has set `unclaimed`, this looks the other way
            // round: one of the two sees the other
            snMutex_Lock(&pool->mutex);
            atomic_fetch_add(&pool->sleeping, 1);
            if (isIdle(pool)) {
                snCondition_Wait(&pool->wake, &pool->mutex);
            }
            atomic_fetch_sub(&pool->sleeping, 1);
            snMutex_Unlock(&pool->mutex);
        }
        work(pool, worker);
    }
}

static void startThreads(snPool* pool)
{
    while (pool->thread_count < pool->worker_count - 1) {
        Worker* worker = &pool->workers[pool->thread_count + 1];
        if (!snThread_Start(&worker->own, serve, worker)) {
            break;
        }
        pool->thread_count += 1;
    }
    if (pool->thread_count < pool->worker_count - 1) {
        snLog(&pool->host, sn_logWarning, "only %d of %d threads could be started",
              pool->thread_count + 1, pool->worker_count);
        pool->worker_count = pool->thread_count + 1;
    }
}

snStatus snPool_Start(const snHost* taken, snPool** out, snMessage* why)
{
    snPool* pool = snHost_Allocate(taken, sizeof(snPool));
    if (!pool) {
        return snFail(why, sn_errorMemory, "out of memory while making the thread pool");
    }
    int cores = snThread_CoreCount();
    int most = cores < SN_MAX_THREADS ? cores : SN_MAX_THREADS;
    pool->host = *taken;
    pool->worker_count = taken->thread_count > 0 ? taken->thread_count : most;
    // with more threads than cores a waiting one would take the core from a working one
    pool->spins = pool->worker_count > cores ? 0 : SPINS;
    for (int i = 0; i < SN_MAX_THREADS; ++i) {
        pool->workers[i].pool = pool;
        pool->workers[i].index = i;
    }
    snMutex_Init(&pool->mutex);
    snCondition_Init(&pool->wake);
    snCondition_Init(&pool->done);
    startThreads(pool);
    *out = pool;
    return sn_ok;
}

snStatus snPool_Create(const snHost* host, snPool** pool, snMessage* why)
{
    if (!pool) {
        return snFail(why, sn_errorArgument, "snPool_Create: pool is NULL");
    }
    *pool = NULL;
    snHost taken;
    snStatus status = snHost_Take(host, &taken, why);
    if (!status && (taken.pool || taken.parallel)) {
        status = snFail(why, sn_errorArgument,
                        "snPool_Create: the host has %s already, which then runs its loops; make "
                        "the pool with a host without",
                        taken.pool ? "a pool" : "its own parallel");
    }
    status = status ? status : snPool_Start(&taken, pool, why);
    if (!status) {
        snMessage_Clear(why);
    }
    return status;
}

void snPool_Free(snPool* pool)
{
    if (!pool) {
        return;
    }
    snMutex_Lock(&pool->mutex);
    atomic_store(&pool->quit, true);
    snCondition_Broadcast(&pool->wake);
    snMutex_Unlock(&pool->mutex);
    for (int i = 1; i <= pool->thread_count; ++i) {
        snThread_Join(&pool->workers[i].own);
    }
    snCondition_Free(&pool->done);
    snCondition_Free(&pool->wake);
    snMutex_Free(&pool->mutex);
    snHost host = pool->host;
    snHost_Release(&host, pool, sizeof(snPool));
}

int snPool_WorkerCount(const snPool* pool)
{
    return pool->worker_count;
}

int snPool_Worker(const snPool* pool)
{
    uintptr_t self = snThread_Self();
    for (int i = 0; i < pool->worker_count; ++i) {
        if (atomic_load_explicit(&pool->workers[i].thread, memory_order_relaxed) == self) {
            return i;
        }
    }
    return -1;
}

static void run(snPool* pool, int count, snTaskFcn* task, void* argument)
{
    pool->task = task;
    pool->argument = argument;
    for (int i = 0; i < pool->worker_count; ++i) {
        Worker* worker = &pool->workers[i];
        atomic_store_explicit(&worker->next, (int)((int64_t)count * i / pool->worker_count),
                              memory_order_relaxed);
        worker->end = (int)((int64_t)count * (i + 1) / pool->worker_count);
    }
    atomic_store(&pool->unfinished, count);
    atomic_store(&pool->unclaimed, count);
    int helpers = atomic_load(&pool->sleeping);
    if (helpers > 0) {
        // whoever was about to sleep now does, or has seen the job
        snMutex_Lock(&pool->mutex);
        snMutex_Unlock(&pool->mutex);
        for (int i = 0; i < helpers && i < count - 1; ++i) {
            snCondition_Signal(&pool->wake);
        }
    }
    work(pool, &pool->workers[0]);
    for (int i = 0; i < pool->spins && atomic_load(&pool->unfinished) > 0; ++i) {
        pauseBriefly();
    }
    if (atomic_load(&pool->unfinished) > 0) {
        snMutex_Lock(&pool->mutex);
        atomic_store(&pool->waiting, true);
        while (atomic_load(&pool->unfinished) > 0) {
            snCondition_Wait(&pool->done, &pool->mutex);
        }
        atomic_store(&pool->waiting, false);
        snMutex_Unlock(&pool->mutex);
    }
}

bool snPool_TryRun(snPool* pool, int count, snTaskFcn* task, void* argument)
{
    if (atomic_exchange(&pool->busy, true)) {
        return false;
    }
    run(pool, count, task, argument);
    atomic_store(&pool->busy, false);
    return true;
}
