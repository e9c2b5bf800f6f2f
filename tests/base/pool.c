// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// A pool that hosts share: whoever finds it busy, or is inside a task, runs its loop on its own
// thread; every index runs once, and nobody waits for another's loop.
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <stdatomic.h>
#include <time.h>

#include "base/memory.h"
#include "base/tasks.h"
#include "base/thread.h"

enum { COUNT = 200, ROUNDS = 300 };

static snPool* makePool(int thread_count)
{
    snHost host;
    snPool* pool;
    snMessage why;
    snHost_Init(&host);
    host.thread_count = thread_count;
    assert_ok(snPool_Create(&host, &pool, &why), why);
    return pool;
}

static snTasks* makeTasks(snPool* pool)
{
    snHost host;
    snTasks* tasks;
    snMessage why;
    snHost_Init(&host);
    host.pool = pool;
    assert_ok(snTasks_Create(&host, &tasks, &why), why);
    return tasks;
}

typedef struct Work {
    snTasks* tasks;
    int calls[COUNT];         // plain: two threads on one index would be a race that TSan sees
    int busy[SN_MAX_THREADS]; // plain: likewise two threads under one worker number
} Work;

static void countCall(void* argument, int index, int worker)
{
    Work* work = argument;
    work->busy[worker] += 1;
    work->calls[index] += 1;
}

static void runManyLoops(void* argument)
{
    Work* work = argument;
    for (int i = 0; i < ROUNDS; ++i) {
        snTasks_Run(work->tasks, COUNT, countCall, work);
    }
}

// Three threads run loops on one pool at once.
static void manyRunAtOnce(void** state)
{
    (void)state;
    static Work works[3];
    snThread threads[3];
    for (int size = 1; size <= 4; ++size) {
        snPool* pool = makePool(size);
        for (int i = 0; i < 3; ++i) {
            works[i] = (Work){.tasks = makeTasks(pool)};
            assert_int_equal(snTasks_WorkerCount(works[i].tasks), size);
            assert_true(snThread_Start(&threads[i], runManyLoops, &works[i]));
        }
        for (int i = 0; i < 3; ++i) {
            snThread_Join(&threads[i]);
            for (int k = 0; k < COUNT; ++k) {
                assert_int_equal(works[i].calls[k], ROUNDS);
            }
            snTasks_Free(works[i].tasks);
        }
        snPool_Free(pool);
    }
    snPool_Free(NULL);
}

typedef struct Held {
    atomic_int inside, released; // tasks of the loop that holds the pool; whether they may go on
} Held;

static void hold(void* argument, int index, int worker)
{
    (void)index, (void)worker;
    Held* held = argument;
    atomic_fetch_add(&held->inside, 1);
    while (!atomic_load(&held->released)) {
        nanosleep(&(struct timespec){0, 100000}, NULL);
    }
}

typedef struct Holder {
    snTasks* tasks;
    Held held;
} Holder;

static void holdPool(void* argument)
{
    Holder* holder = argument;
    snTasks_Run(holder->tasks, 2, hold, &holder->held);
}

typedef struct Order {
    uintptr_t thread;
    int next, wrong;
} Order;

static void follow(void* argument, int index, int worker)
{
    Order* order = argument;
    order->wrong += index != order->next || worker != 0 || snThread_Self() != order->thread;
    order->next = index + 1;
}

// A loop ends while another, which waits for that, holds the pool: on its own thread, in order.
static void aBusyPoolIsNotWaitedFor(void** state)
{
    (void)state;
    snPool* pool = makePool(2);
    Holder holder = {.tasks = makeTasks(pool)};
    snTasks* mine = makeTasks(pool);
    snThread thread;
    Order order = {.thread = snThread_Self()};
    assert_true(snThread_Start(&thread, holdPool, &holder));
    while (atomic_load(&holder.held.inside) < 1) {
        nanosleep(&(struct timespec){0, 100000}, NULL);
    }
    snTasks_Run(mine, COUNT, follow, &order);
    assert_int_equal(order.next, COUNT);
    assert_int_equal(order.wrong, 0);
    atomic_store(&holder.held.released, 1);
    snThread_Join(&thread);
    snTasks_Free(mine);
    snTasks_Free(holder.tasks);
    snPool_Free(pool);
}

typedef struct Nest {
    snTasks* inner[COUNT]; // one for each outer task, as each may be a sim
    int wrong[COUNT];
    int done[COUNT];
} Nest;

typedef struct Inner {
    uintptr_t thread;
    int next, worker, wrong;
} Inner;

static void stepInside(void* argument, int index, int worker)
{
    Inner* in = argument;
    in->wrong += index != in->next || worker != in->worker || snThread_Self() != in->thread;
    in->next = index + 1;
}

static void stepOutside(void* argument, int index, int worker)
{
    Nest* nest = argument;
    Inner in = {.thread = snThread_Self(), .worker = worker};
    snTasks_Run(nest->inner[index], 50, stepInside, &in);
    nest->wrong[index] = in.wrong;
    nest->done[index] = in.next;
}

// Loops of others inside a task stay on its thread.
static void nestedLoopsStay(void** state)
{
    (void)state;
    for (int size = 1; size <= 4; ++size) {
        static Nest nest;
        nest = (Nest){.wrong = {0}};
        snPool* pool = makePool(size);
        snTasks* outer = makeTasks(pool);
        for (int i = 0; i < COUNT; ++i) {
            nest.inner[i] = makeTasks(pool);
        }
        snTasks_Run(outer, COUNT, stepOutside, &nest);
        for (int i = 0; i < COUNT; ++i) {
            assert_int_equal(nest.wrong[i], 0);
            assert_int_equal(nest.done[i], 50);
            snTasks_Free(nest.inner[i]);
        }
        snTasks_Free(outer);
        snPool_Free(pool);
    }
}

static void ownParallel(void* user, int count, snTaskFcn* task, void* argument)
{
    (void)user;
    for (int i = 0; i < count; ++i) {
        task(argument, i, 0);
    }
}

static void wrongHostsAreRefused(void** state)
{
    (void)state;
    snPool *pool = makePool(1), *other;
    snTasks* tasks;
    snHost host;
    snMessage why;
    snHost_Init(&host);
    host.pool = pool;
    assert_int_equal(snPool_Create(&host, &other, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "the host has a pool"));
    host.parallel = ownParallel;
    assert_int_equal(snTasks_Create(&host, &tasks, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "both parallel and pool"));
    host.pool = NULL;
    assert_int_equal(snPool_Create(&host, &other, &why), sn_errorArgument);
    assert_int_equal(snPool_Create(NULL, NULL, &why), sn_errorArgument);
    snPool_Free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(manyRunAtOnce),
        cmocka_unit_test(aBusyPoolIsNotWaitedFor),
        cmocka_unit_test(nestedLoopsStay),
        cmocka_unit_test(wrongHostsAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
