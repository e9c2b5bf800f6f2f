// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Two sims on one pool, stepped by two threads at once, give the bits that each gives alone.
#include "base/thread.h"
#include "sim/puppet.h"
#include <scenes/scenes.h>

#define FRAMES 6

typedef struct Runner {
    snScene* scene;
    snSim* sim;
    snStatus status;
} Runner;

static Runner makeRunner(const snHost* host, const char* name)
{
    Runner runner = {.status = sn_ok};
    snMessage why;
    assert_ok(snBuiltinScene_Find(name)->make(host, &runner.scene, &why), why);
    assert_ok(snSim_Create(runner.scene, &runner.sim, &why), why);
    return runner;
}

static uint64_t finish(Runner* runner)
{
    assert_int_equal(runner->status, sn_ok);
    uint64_t hash = snSim_Hash(runner->sim);
    snSim_Free(runner->sim);
    snScene_Free(runner->scene);
    return hash;
}

// No asserts: they belong to the thread of the tests.
static void step(void* argument)
{
    Runner* runner = argument;
    for (int i = 0; i < FRAMES && !runner->status; ++i) {
        runner->status = snSim_Advance(runner->sim, 1.0 / 60, NULL);
    }
}

static uint64_t runAlone(const char* name)
{
    Runner runner = makeRunner(NULL, name);
    step(&runner);
    return finish(&runner);
}

static void twoSimsShareAPool(void** state)
{
    (void)state;
    static const char* const NAMES[2] = {"worm_fall", "starfish_swarm"};
    const uint64_t alone[2] = {runAlone(NAMES[0]), runAlone(NAMES[1])};
    for (int size = 1; size <= 4; size += size) {
        snHost host;
        snMessage why;
        Runner runners[2];
        snThread thread;
        snHost_Init(&host);
        host.thread_count = size;
        snPool* pool;
        assert_ok(snPool_Create(&host, &pool, &why), why);
        host.pool = pool;
        for (int i = 0; i < 2; ++i) {
            runners[i] = makeRunner(&host, NAMES[i]);
        }
        assert_true(snThread_Start(&thread, step, &runners[0]));
        step(&runners[1]);
        snThread_Join(&thread);
        for (int i = 0; i < 2; ++i) {
            assert_true(finish(&runners[i]) == alone[i]);
        }
        snPool_Free(pool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(twoSimsShareAPool)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
