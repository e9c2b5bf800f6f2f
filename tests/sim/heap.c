// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
// alone: it replaces malloc

// No memory is taken or given back in a step or a frame after the first: neither from the host nor,
// behind its back, from the C library.
#include "base/sanitized.h"
#include "math/vec.h"
#include "sim/puppet.h"

#include "sim/follow_state.h"
#include "sim/reed.h"
#include <scenes/scenes.h>
#include <stdatomic.h>

static atomic_long host_calls, library_calls;

#if defined(__GLIBC__) && !SN_SANITIZED
#define INTERPOSED 1

// The C library's allocator under its inner names; these take the outer ones for the whole program.
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void* memory);

void* malloc(size_t bytes)
{
    atomic_fetch_add(&library_calls, 1);
    return __libc_malloc(bytes);
}

void* calloc(size_t count, size_t size)
{
    atomic_fetch_add(&library_calls, 1);
    return __libc_calloc(count, size);
}

void* realloc(void* memory, size_t bytes)
{
    atomic_fetch_add(&library_calls, 1);
    return __libc_realloc(memory, bytes);
}

void* aligned_alloc(size_t alignment, size_t bytes)
{
    atomic_fetch_add(&library_calls, 1);
    return __libc_memalign(alignment, bytes);
}

void free(void* memory)
{
    atomic_fetch_add(&library_calls, memory != NULL);
    __libc_free(memory);
}
#endif

static void* countAllocate(void* user, size_t bytes, size_t alignment)
{
    (void)user;
    atomic_fetch_add(&host_calls, 1);
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void countRelease(void* user, void* memory, size_t bytes)
{
    (void)user, (void)bytes;
    atomic_fetch_add(&host_calls, 1);
    free(memory);
}

// Returns how often the guard had to help.
static int64_t watch(snScene* scene)
{
    snSim* sim = startSim(scene);
    advance(sim, 1.0 / 60);
    snSim_Frame(sim);
    snMessage why;
    long host = atomic_load(&host_calls), library = atomic_load(&library_calls);
    snStatus status = sn_ok;
    for (int i = 0; i < 30 && !status; ++i) {
        status = snSim_Advance(sim, 1.0 / 60, &why);
        snSim_Frame(sim);
    }
    host = atomic_load(&host_calls) - host;
    library = atomic_load(&library_calls) - library;
    assert_ok(status, why);
    assert_int_equal(host, 0);
    assert_int_equal(library, 0);
    int64_t retries = snSim_Frame(sim)->guard.retries;
    snSim_Free(sim);
    return retries;
}

static snHost countingHost(int32_t threads)
{
    snHost host;
    snHost_Init(&host);
    host.allocate = countAllocate;
    host.release = countRelease;
    host.thread_count = threads;
    return host;
}

static void testPuppets(void** state)
{
    (void)state;
    snHost host = countingHost(1);
    snScene* scene = makePuppetScene(&host, NULL, 3);
    watch(scene);
    snScene_Free(scene);
}

static void testThreads(void** state)
{
    (void)state;
    snHost host = countingHost(3);
    snScene* scene = NULL;
    snMessage why;
    assert_ok(snBuiltinScene_Find("starfish_swarm")->make(&host, &scene, &why), why);
    watch(scene);
    snScene_Free(scene);
}

// Flesh falls on the ground and bends, and the guard does frames again.
static void testFlesh(void** state)
{
    (void)state;
    for (int32_t threads = 1; threads <= 3; threads += 2) {
        snHost host = countingHost(threads);
        snScene* scene = NULL;
        snMessage why;
        snSceneDef def;
        assert_ok(snBuiltinScene_Find("worm_fall")->make(&host, &scene, &why), why);
        watch(scene);
        def = *snScene_Def(scene);
        def.step = 0.01;
        assert_ok(snScene_SetDef(scene, &def, &why), why);
        assert_true(watch(scene) > 0);
        snScene_Free(scene);
    }
}

// The counters count: otherwise the tests above would pass whatever happened.
static void testCounters(void** state)
{
    (void)state;
    snHost host = countingHost(1);
    long before = atomic_load(&host_calls), inside = atomic_load(&library_calls);
    snScene_Free(makePuppetScene(&host, NULL, 1));
    assert_true(atomic_load(&host_calls) > before);
#if defined(INTERPOSED)
    assert_true(atomic_load(&library_calls) > inside);
#else
    (void)inside;
    print_message("the C library's allocator is not counted in this build\n");
#endif
}

// Flesh on a clip, on the ground, with steps that the guard must make shorter
static void testFollow(void** state)
{
    Reed r;
    snBodyDef def;
    snFollowSetup setup;
    snHost host = countingHost(3);
    (void)state;
    snBodyDef_Init(&def);
    snFollowSetup_Init(&setup);
    setup.ground = true;
    openReed(&r);
    moveReed(&r, 0.2, 0.2);
    buildReed(&r, &def);
    snFollow* follow = startOn(&r, &setup, &host);
    follow->steps = 1;
    long of_host = atomic_load(&host_calls), library = atomic_load(&library_calls);
    for (int i = 0; i < 20; ++i) {
        snFollow_AdvanceFrame(follow);
    }
    of_host = atomic_load(&host_calls) - of_host;
    library = atomic_load(&library_calls) - library;
    assert_int_equal(of_host, 0);
    assert_int_equal(library, 0);
    assert_true(snFollow_Facts(follow).interventions > 0);
    snFollow_Free(follow);
    closeReed(&r);
}

// Flesh on poses that are fed, with all that a game does
static void testFed(void** state)
{
    Reed r;
    snMessage why;
    snBodyDef def;
    snFollowSetup setup;
    snFollow* follow;
    snHost host = countingHost(1);
    (void)state;
    snBodyDef_Init(&def);
    snFollowSetup_Init(&setup);
    openReed(&r);
    moveReed(&r, 0.2, 0.2);
    buildReed(&r, &def);
    setup.body = &r.body;
    setup.clip = -1;
    assert_ok(snFollow_CreateFromSetup(&host, &setup, &follow, &why), why);
    size_t size = snFollow_StateSize(follow);
    void* kept = malloc(size);
    long of_host = atomic_load(&host_calls), library = atomic_load(&library_calls);
    for (int i = 0; i < 20; ++i) {
        snVec3 at = snV3(0.01 * i * i, 0.1, 0), push = snV3(0, 0, 1);
        snMatrix pose = snMatrix_Make(snMat3_Identity(), at);
        assert_ok(snFollow_SetPose(follow, &pose, NULL, &why), why);
        assert_ok(i == 5 ? snFollow_Teleport(follow, &why) : sn_ok, why);
        assert_ok(i == 8 ? snFollow_Push(follow, at, push, 1, &why) : sn_ok, why);
        assert_ok(i == 9 ? snFollow_Save(follow, kept, size, &why) : sn_ok, why);
        assert_ok(i == 12 ? snFollow_Restore(follow, kept, size, &why) : sn_ok, why);
        assert_ok(i == 14 ? snFollow_Shift(follow, push, &why) : sn_ok, why);
        assert_ok(snFollow_Advance(follow, &why), why);
    }
    assert_int_equal(atomic_load(&host_calls) - of_host, 0);
    assert_int_equal(atomic_load(&library_calls) - library, 0);
    free(kept);
    snFollow_Free(follow);
    closeReed(&r);
}

// A sim with all that hosts do to it between steps
static void testHosted(void** state)
{
    (void)state;
    snMessage why;
    snHost host = countingHost(2);
    snSceneDef def;
    snScene* scene = NULL;
    snObstacleDef wall;
    snForceDef wind;
    snShapeDef shape = {.kind = sn_shapeSphere, .pose = {{0, 0, 0}, {0, 0, 0, 1}}, .radius = 0.2};
    assert_ok(snBuiltinScene_Find("worm_fall")->make(&host, &scene, &why), why);
    def = *snScene_Def(scene);
    def.events = 8;
    def.sleep = 0.1;
    assert_ok(snScene_SetDef(scene, &def, &why), why);
    snObstacleDef_Init(&wall);
    wall.hosted = 1;
    wall.shape_count = 1;
    wall.shapes = &shape;
    wall.pose.p = snV3(3, 0, 0);
    assert_ok(snScene_AddObstacle(scene, &wall, NULL, &why), why);
    snSim* sim = startSim(scene);
    snForceDef_Init(&wind);
    wind.kind = sn_forceWind;
    advance(sim, 1.0 / 60);
    snSim_Frame(sim);
    void* saved = malloc(snSim_StateSize(sim));
    snTransform by = {{0.01, 0.1, 0}, {0, 0, 0, 1}};
    long of_host = atomic_load(&host_calls), library = atomic_load(&library_calls);
    for (int i = 0; i < 20; ++i) {
        double left;
        snVec3 place = snSim_Frame(sim)->characters[0].momentum.com;
        by.p.x += 0.01;
        assert_ok(i % 3 ? sn_ok : snSim_MoveObstacle(sim, 0, by, 0.1, &why), why);
        assert_ok(i == 4 ? snSim_Push(sim, 0, place, snV3(1, 1, 0), 0.1, &why) : sn_ok, why);
        assert_ok(i == 8 ? snSim_Teleport(sim, 0, by, &why) : sn_ok, why);
        assert_ok(i == 10 ? snScene_AddForce(scene, &wind, &why) : sn_ok, why);
        assert_ok(i == 12 ? snSim_Shift(sim, place, &why) : sn_ok, why);
        if (i == 14) {
            snSim_Save(sim, saved);
        }
        assert_ok(i == 16 ? snSim_Restore(sim, saved, snSim_StateSize(sim), &why) : sn_ok, why);
        assert_ok(snSim_AdvanceWithin(sim, 1.0 / 60, 1000, 10, &left, &why), why);
    }
    snSim_Wake(sim);
    assert_int_equal(atomic_load(&host_calls) - of_host, 0);
    assert_int_equal(atomic_load(&library_calls) - library, 0);
    free(saved);
    snSim_Free(sim);
    snScene_Free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testCounters), cmocka_unit_test(testPuppets),
        cmocka_unit_test(testThreads),  cmocka_unit_test(testFollow),
        cmocka_unit_test(testFed),      cmocka_unit_test(testFlesh),
        cmocka_unit_test(testHosted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
