// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
#include "check.h"

#include "base/owners.h"
#include "base/tasks.h"

// The last of several owners, and no one else, is told so.
static void testLast(void** state)
{
    (void)state;
    snOwners owners;
    snOwners_Init(&owners);
    assert_int_equal(snOwners_Count(&owners), 1);
    snOwners_Add(&owners);
    assert_int_equal(snOwners_Count(&owners), 2);
    assert_false(snOwners_Drop(&owners));
    assert_true(snOwners_Drop(&owners));
}

static void comeAndGo(void* argument, int index, int worker)
{
    (void)index, (void)worker;
    snOwners* owners = argument;
    snOwners_Add(owners);
    assert_false(snOwners_Drop(owners));
    snOwners_Add(owners);
}

// None is lost when several threads add and drop at once.
static void testThreads(void** state)
{
    (void)state;
    enum { comers = 100000 };
    snHost host;
    snHost_Init(&host);
    host.thread_count = 4;
    snTasks* tasks;
    snMessage why;
    assert_ok(snTasks_Create(&host, &tasks, &why), why);
    snOwners owners;
    snOwners_Init(&owners);
    snTasks_Run(tasks, comers, comeAndGo, &owners);
    assert_int_equal(snOwners_Count(&owners), 1 + comers);
    snTasks_Free(tasks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testLast), cmocka_unit_test(testThreads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
