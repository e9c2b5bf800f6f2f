// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "base/meeting.h"
#include "base/memory.h"

enum { most = 5000 };

typedef struct Work {
    snTasks* tasks;
    int calls[most];          // plain: two threads on one index would be a race that TSan sees
    int busy[SN_MAX_THREADS]; // plain: likewise two threads under one worker number
    atomic_int flushed;
    atomic_int caller_worked;
    pthread_t caller;
} Work;

static void countCall(void* argument, int index, int worker)
{
    Work* work = argument;
    assert_true(worker >= 0 && worker < snTasks_WorkerCount(work->tasks));
    work->busy[worker] += 1;
    work->calls[index] += 1;
    if (pthread_equal(pthread_self(), work->caller)) {
        assert_int_equal(worker, 0);
        atomic_store(&work->caller_worked, 1);
    }
    volatile double least = 0x1p-1022;
    volatile double half = least * 0.5;
    if (half == 0) {
        atomic_fetch_add(&work->flushed, 1);
    }
}

// Every index runs exactly once, whatever the number of threads and tasks.
static void testEveryIndexOnce(void** state)
{
    (void)state;
    static const int threads[] = {1, 2, 3, 8, 64, 0};
    static const int counts[] = {0, 1, 2, 3, 64, most};
    for (size_t t = 0; t < sizeof(threads) / sizeof(threads[0]); ++t) {
        snTasks* tasks = makeTasks(threads[t]);
        int workers = snTasks_WorkerCount(tasks);
        assert_true(threads[t] == 0 ? workers >= 1 && workers <= SN_MAX_THREADS
                                    : workers == threads[t]);
        for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); ++c) {
            static Work work;
            memset(&work, 0, sizeof(work));
            work.tasks = tasks;
            work.caller = pthread_self();
            snTasks_Run(tasks, counts[c], countCall, &work);
            for (int i = 0; i < most; ++i) {
                assert_int_equal(work.calls[i], i < counts[c]);
            }
#if defined(__x86_64__)
            assert_int_equal(work.flushed, counts[c]);
#endif
            volatile double least = 0x1p-1022;
            assert_true(least * 0.5 > 0); // the caller's mode is back
        }
        snTasks_Free(tasks);
    }
    snTasks_Free(NULL);
}

// Thousands of tiny runs, with pauses in which the threads fall asleep
static void testManyRuns(void** state)
{
    (void)state;
    for (int threads = 2; threads <= 4; ++threads) {
        static Work work;
        memset(&work, 0, sizeof(work));
        work.tasks = makeTasks(threads);
        work.caller = pthread_self();
        int runs = 0;
        for (int i = 0; i < 3000; ++i) {
            snTasks_Run(work.tasks, 1 + i % 7, countCall, &work);
            ++runs;
            if (i % 300 == 0) {
                nanosleep(&(struct timespec){0, 1000000}, NULL);
            }
        }
        assert_int_equal(work.calls[0], runs);
        int sum = 0;
        for (int i = 0; i < SN_MAX_THREADS; ++i) {
            sum += work.busy[i];
        }
        int expected = 0;
        for (int i = 0; i < 3000; ++i) {
            expected += 1 + i % 7;
        }
        assert_int_equal(sum, expected);
        snTasks_Free(work.tasks);
    }
}

static void testThreadsWorkAtTheSameTime(void** state)
{
    (void)state;
    for (int threads = 2; threads <= 6; threads += 2) {
        snTasks* tasks = makeTasks(threads);
        for (int i = 0; i < 3; ++i) {
            Meeting meeting = {.expected = threads};
            snTasks_Run(tasks, threads, meet, &meeting);
            assert_int_equal(meeting.late, 0);
            nanosleep(&(struct timespec){0, 2000000}, NULL);
        }
        snTasks_Free(tasks);
    }
}

typedef struct Nest {
    snTasks* tasks;
    int sums[64];
    int worker_of[64];
} Nest;

typedef struct Inner {
    int next, worker, wrong;
} Inner;

static void inner(void* argument, int index, int worker)
{
    Inner* in = argument;
    in->wrong += index != in->next || worker != in->worker;
    in->next = index + 1;
}

static void outer(void* argument, int index, int worker)
{
    Nest* nest = argument;
    Inner in = {.worker = worker};
    snTasks_Run(nest->tasks, 20, inner, &in);
    nest->sums[index] = in.wrong == 0 ? in.next : -1;
    nest->worker_of[index] = worker;
}

// The order of the indices and the worker number show that an inner run is serial.
static void assertNestedIsSerial(snTasks* tasks)
{
    for (int count = 1; count <= 64; count *= 4) {
        Nest nest = {.tasks = tasks};
        snTasks_Run(tasks, count, outer, &nest);
        for (int i = 0; i < count; ++i) {
            assert_int_equal(nest.sums[i], 20);
        }
    }
}

static void testNestedIsSerial(void** state)
{
    (void)state;
    for (int threads = 1; threads <= 4; ++threads) {
        snTasks* tasks = makeTasks(threads);
        assertNestedIsSerial(tasks);
        snTasks_Free(tasks);
    }
}

typedef struct OwnPool {
    int runs;
} OwnPool;

typedef struct OwnPart {
    int first, count, worker;
    snTaskFcn* task;
    void* argument;
} OwnPart;

static void* runPart(void* argument)
{
    OwnPart* part = argument;
    for (int i = part->first; i < part->count; i += 3) {
        part->task(part->argument, i, part->worker);
    }
    return NULL;
}

// A host's own way to run in parallel: three new threads, none of them the caller's
static void ownParallel(void* user, int count, snTaskFcn* task, void* argument)
{
    ((OwnPool*)user)->runs += 1;
    pthread_t threads[3];
    OwnPart parts[3];
    for (int i = 0; i < 3; ++i) {
        parts[i] = (OwnPart){i, count, i, task, argument};
        assert_int_equal(pthread_create(&threads[i], NULL, runPart, &parts[i]), 0);
    }
    for (int i = 0; i < 3; ++i) {
        pthread_join(threads[i], NULL);
    }
}

static void testTheHostsOwn(void** state)
{
    (void)state;
    OwnPool pool = {0};
    snHost host;
    snHost_Init(&host);
    host.user = &pool;
    host.parallel = ownParallel;
    host.thread_count = 3;
    snMessage why;
    static Work work;
    memset(&work, 0, sizeof(work));
    assert_ok(snTasks_Create(&host, &work.tasks, &why), why);
    assert_int_equal(snTasks_WorkerCount(work.tasks), 3);
    snTasks_Run(work.tasks, 100, countCall, &work);
    assert_int_equal(pool.runs, 1);
    for (int i = 0; i < 100; ++i) {
        assert_int_equal(work.calls[i], 1);
    }
#if defined(__x86_64__)
    assert_int_equal(work.flushed, 100);
#endif
    pool.runs = 0;
    assertNestedIsSerial(work.tasks);
    assert_true(pool.runs <= 4); // only the outer ones
    snTasks_Free(work.tasks);

    host.thread_count = 0; // then any worker number may come
    assert_ok(snTasks_Create(&host, &work.tasks, &why), why);
    assert_int_equal(snTasks_WorkerCount(work.tasks), SN_MAX_THREADS);
    snTasks_Free(work.tasks);
}

static void testWrongHosts(void** state)
{
    (void)state;
    snHost host;
    snHost_Init(&host);
    host.thread_count = SN_MAX_THREADS + 1;
    snTasks* tasks;
    snMessage why;
    assert_int_equal(snTasks_Create(&host, &tasks, &why), sn_errorArgument);
    assert_null(tasks);
    assert_non_null(strstr(why.text, "thread_count"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testEveryIndexOnce),
        cmocka_unit_test(testManyRuns),
        cmocka_unit_test(testThreadsWorkAtTheSameTime),
        cmocka_unit_test(testNestedIsSerial),
        cmocka_unit_test(testTheHostsOwn),
        cmocka_unit_test(testWrongHosts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
