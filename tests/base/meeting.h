// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Tasks that wait for each other, so that each has a thread.
#ifndef SN_TESTS_BASE_MEETING_H
#define SN_TESTS_BASE_MEETING_H

#include "check.h"

#include <stdatomic.h>
#include <time.h>

#include "base/tasks.h"

static inline snTasks* makeTasks(int thread_count)
{
    snHost host;
    snHost_Init(&host);
    host.thread_count = thread_count;
    snTasks* tasks;
    snMessage why;
    assert_ok(snTasks_Create(&host, &tasks, &why), why);
    return tasks;
}

typedef struct Meeting {
    atomic_int arrived;
    int expected;
    atomic_int late;
} Meeting;

// Returns only when `expected` tasks are inside at the same time, or after a minute.
static inline void meet(void* argument, int index, int worker)
{
    (void)index;
    (void)worker;
    Meeting* meeting = argument;
    atomic_fetch_add(&meeting->arrived, 1);
    time_t start = time(NULL);
    while (atomic_load(&meeting->arrived) < meeting->expected) {
        if (time(NULL) - start > 60) {
            atomic_store(&meeting->late, 1);
            return;
        }
        nanosleep(&(struct timespec){0, 100000}, NULL);
    }
}

#endif
