// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// sysconf, pthread_sigmask
#define _POSIX_C_SOURCE 200809L

#include "base/tasks.h"

#include "base/cpu.h"
#include "base/log.h"
#include "base/memory.h"

static void runSerially(int count, snTaskFcn* task, void* argument, int worker)
{
    for (int i = 0; i < count; ++i) {
        task(argument, i, worker);
    }
}

#if defined(__wasm__)

struct snTasks {
    snHost host;
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
    *out = tasks;
    return sn_ok;
}

void snTasks_Free(snTasks* tasks)
{
    if (tasks) {
        snHost host = tasks->host;
        snHost_Release(&host, tasks, sizeof(snTasks));
    }
}

int snTasks_WorkerCount(const snTasks* tasks)
{
    (void)tasks;
    return 1;
}

void snTasks_Run(snTasks* tasks, int count, snTaskFcn* task, void* argument)
{
    (void)tasks;
    runSerially(count, task, argument, 0);
}

#else

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

// Turns of the waiting loop before a thread goes to sleep, tens of microseconds in all: the stages
// of a step follow each other faster than that, and waking a thread costs as much.
#define SPINS 3000

typedef struct Worker {
    // the thread that now runs tasks under this number, 0 if none; how a nested Run knows itself
    _Alignas(SN_ALIGNMENT) atomic_uintptr_t thread;
    snTasks* tasks;
    pthread_t handle;
    int index;
    // its part of the job's tasks, which it does first: what task i works on is in this worker's
    // cache from the last job of as many
    atomic_int next;
    int end;
} Worker;

struct snTasks {
    snHost host;
    int worker_count;
    int thread_count; // threads of the pool, the caller's not included
    int spins;

    // the job: written by Run while `unclaimed` is 0, read by those who have claimed a part of it
    snTaskFcn* task;
    void* argument;

    _Alignas(SN_ALIGNMENT) atomic_int unclaimed; // tasks that nobody has taken yet
    _Alignas(SN_ALIGNMENT) atomic_int unfinished;

    // who sleeps, and what wakes them
    _Alignas(SN_ALIGNMENT) atomic_int sleeping; // threads that wait for a job
    atomic_bool waiting;                        // the caller waits for the last task
    atomic_bool quit;
    pthread_mutex_t mutex;
    pthread_cond_t wake, done;

    Worker workers[SN_MAX_THREADS];
};

static uintptr_t thisThread(void)
{
    return (uintptr_t)pthread_self();
}

static void pauseBriefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

// The task of a claim: of the worker's own part or, when that is done, of another's. There are as
// many as claims.
static int takeTask(snTasks* tasks, const Worker* worker)
{
    for (int i = 0; i < tasks->worker_count; ++i) {
        Worker* from = &tasks->workers[(worker->index + i) % tasks->worker_count];
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
static void work(snTasks* tasks, Worker* worker)
{
    int finished = 0;
    int left = atomic_load(&tasks->unclaimed);
    atomic_store_explicit(&worker->thread, thisThread(), memory_order_relaxed);
    while (left > 0) {
        int part = 2 * tasks->worker_count, claim = (left + part - 1) / part;
        if (!atomic_compare_exchange_weak(&tasks->unclaimed, &left, left - claim)) {
            continue;
        }
        for (int i = 0; i < claim; ++i) {
            tasks->task(tasks->argument, takeTask(tasks, worker), worker->index);
        }
        finished += claim;
        left = atomic_load(&tasks->unclaimed);
    }
    atomic_store_explicit(&worker->thread, 0, memory_order_relaxed);
    if (finished > 0 && atomic_fetch_sub(&tasks->unfinished, finished) == finished &&
        atomic_load(&tasks->waiting)) {
        pthread_mutex_lock(&tasks->mutex);
        pthread_cond_signal(&tasks->done);
        pthread_mutex_unlock(&tasks->mutex);
    }
}

static bool isIdle(snTasks* tasks)
{
    return atomic_load(&tasks->unclaimed) == 0 && !atomic_load(&tasks->quit);
}

static void* serve(void* argument)
{
    Worker* worker = argument;
    snTasks* tasks = worker->tasks;
    snFpMode_Enter();
    while (!atomic_load(&tasks->quit)) {
        for (int i = 0; i < tasks->spins && isIdle(tasks); ++i) {
            pauseBriefly();
        }
        if (isIdle(tasks)) {
            // Run looks at `sleeping` after it has set `unclaimed`, this looks the other way round:
            // one of the two sees the other
            pthread_mutex_lock(&tasks->mutex);
            atomic_fetch_add(&tasks->sleeping, 1);
            if (isIdle(tasks)) {
                pthread_cond_wait(&tasks->wake, &tasks->mutex);
            }
            atomic_fetch_sub(&tasks->sleeping, 1);
            pthread_mutex_unlock(&tasks->mutex);
        }
        work(tasks, worker);
    }
    return NULL;
}

static int coreCount(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > SN_MAX_THREADS ? SN_MAX_THREADS : (int)cores;
}

static void startThreads(snTasks* tasks)
{
    // signals are the host's business and go to its own threads
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (tasks->thread_count < tasks->worker_count - 1) {
        Worker* worker = &tasks->workers[tasks->thread_count + 1];
        if (pthread_create(&worker->handle, NULL, serve, worker) != 0) {
            break;
        }
        tasks->thread_count += 1;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (tasks->thread_count < tasks->worker_count - 1) {
        snLog(&tasks->host, sn_logWarning, "only %d of %d threads could be started",
              tasks->thread_count + 1, tasks->worker_count);
        tasks->worker_count = tasks->thread_count + 1;
    }
}

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
        return snFail(why, sn_errorMemory, "out of memory while making the thread pool");
    }
    int cores = coreCount();
    int most = taken.parallel ? SN_MAX_THREADS : cores;
    tasks->host = taken;
    tasks->worker_count = taken.thread_count > 0 ? taken.thread_count : most;
    // with more threads than cores a waiting one would take the core from a working one
    tasks->spins = tasks->worker_count > cores ? 0 : SPINS;
    for (int i = 0; i < SN_MAX_THREADS; ++i) {
        tasks->workers[i].tasks = tasks;
        tasks->workers[i].index = i;
    }
    pthread_mutex_init(&tasks->mutex, NULL);
    pthread_cond_init(&tasks->wake, NULL);
    pthread_cond_init(&tasks->done, NULL);
    if (!taken.parallel) {
        startThreads(tasks);
    }
    *out = tasks;
    return sn_ok;
}

void snTasks_Free(snTasks* tasks)
{
    if (!tasks) {
        return;
    }
    pthread_mutex_lock(&tasks->mutex);
    atomic_store(&tasks->quit, true);
    pthread_cond_broadcast(&tasks->wake);
    pthread_mutex_unlock(&tasks->mutex);
    for (int i = 1; i <= tasks->thread_count; ++i) {
        pthread_join(tasks->workers[i].handle, NULL);
    }
    pthread_cond_destroy(&tasks->done);
    pthread_cond_destroy(&tasks->wake);
    pthread_mutex_destroy(&tasks->mutex);
    snHost host = tasks->host;
    snHost_Release(&host, tasks, sizeof(snTasks));
}

int snTasks_WorkerCount(const snTasks* tasks)
{
    return tasks->worker_count;
}

// The pool's part of Run
static void runPool(snTasks* tasks, int count, snTaskFcn* task, void* argument)
{
    tasks->task = task;
    tasks->argument = argument;
    for (int i = 0; i < tasks->worker_count; ++i) {
        Worker* worker = &tasks->workers[i];
        atomic_store_explicit(&worker->next, (int)((int64_t)count * i / tasks->worker_count),
                              memory_order_relaxed);
        worker->end = (int)((int64_t)count * (i + 1) / tasks->worker_count);
    }
    atomic_store(&tasks->unfinished, count);
    atomic_store(&tasks->unclaimed, count);
    int helpers = atomic_load(&tasks->sleeping);
    if (helpers > 0) {
        // whoever was about to sleep now does, or has seen the job
        pthread_mutex_lock(&tasks->mutex);
        pthread_mutex_unlock(&tasks->mutex);
        for (int i = 0; i < helpers && i < count - 1; ++i) {
            pthread_cond_signal(&tasks->wake);
        }
    }
    work(tasks, &tasks->workers[0]);
    for (int i = 0; i < tasks->spins && atomic_load(&tasks->unfinished) > 0; ++i) {
        pauseBriefly();
    }
    if (atomic_load(&tasks->unfinished) > 0) {
        pthread_mutex_lock(&tasks->mutex);
        atomic_store(&tasks->waiting, true);
        while (atomic_load(&tasks->unfinished) > 0) {
            pthread_cond_wait(&tasks->done, &tasks->mutex);
        }
        atomic_store(&tasks->waiting, false);
        pthread_mutex_unlock(&tasks->mutex);
    }
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
    atomic_uintptr_t* thread = &job->tasks->workers[worker].thread;
    snFpMode mode = snFpMode_Enter();
    atomic_store_explicit(thread, thisThread(), memory_order_relaxed);
    job->task(job->argument, index, worker);
    atomic_store_explicit(thread, 0, memory_order_relaxed);
    snFpMode_Leave(mode);
}

void snTasks_Run(snTasks* tasks, int count, snTaskFcn* task, void* argument)
{
    uintptr_t self = thisThread();
    for (int i = 0; i < tasks->worker_count; ++i) {
        if (atomic_load_explicit(&tasks->workers[i].thread, memory_order_relaxed) == self) {
            runSerially(count, task, argument, i);
            return;
        }
    }
    snFpMode mode = snFpMode_Enter();
    if (count <= 1 || tasks->worker_count == 1) {
        atomic_store_explicit(&tasks->workers[0].thread, self, memory_order_relaxed);
        runSerially(count, task, argument, 0);
        atomic_store_explicit(&tasks->workers[0].thread, 0, memory_order_relaxed);
    } else if (tasks->host.parallel) {
        HostJob job = {tasks, task, argument};
        tasks->host.parallel(tasks->host.user, count, runHostTask, &job);
    } else {
        runPool(tasks, count, task, argument);
    }
    snFpMode_Leave(mode);
}

#endif
