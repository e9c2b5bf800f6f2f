// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long

// Threads that have nothing to do use no processor time.
#define _POSIX_C_SOURCE 200809L
#include "base/meeting.h"

static void testIdleThreadsSleep(void** state)
{
    (void)state;
    snTasks* tasks = makeTasks(2);
    Meeting meeting = {.expected = 2};
    snTasks_Run(tasks, 2, meet, &meeting);
    nanosleep(&(struct timespec){0, 50000000}, NULL);
    struct timespec before, after;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    nanosleep(&(struct timespec){0, 300000000}, NULL);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    double used =
        (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
    assert_below(used, 0.1); // a spinning thread would use 0.3 s
    snTasks_Free(tasks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testIdleThreadsSleep)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
