// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Bodies that lie still sleep, cost next to nothing, and wake when something touches them.
#define _POSIX_C_SOURCE 200809L // clock_gettime

#include "sim/obstacles.h"
#include <time.h>

#define BLOCKS 4
#define SLEEP 0.5 // s

// A block that does not jiggle for long
static snCharacter* makeDull(void)
{
    snCharacterDef def;
    snCharacterDef_Init(&def);
    def.name = "block";
    def.cells = 100;
    def.stuff.damping = 60;
    return buildBlock(&def, snV3(0.15, 0.08, 0.12));
}

// Blocks on each other and on a crate, one beside them.
static snScene* makePile(double sleep)
{
    snMessage why;
    snSceneDef def;
    snScene* scene = NULL;
    snShapeDef box = boxShape(snV3(0.25, 0.1, 0.2));
    snSceneDef_Init(&def);
    def.ground = 1;
    def.sleep = sleep;
    def.events = 32;
    assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
    snCharacter* block = makeDull();
    for (int i = 0; i < BLOCKS; ++i) {
        snStart start;
        snStart_Init(&start);
        start.pose.p = i < 2 ? snV3(0, 0.29 + 0.17 * i, 0) : snV3(1.2, 0.085 + 0.17 * (i - 2), 0);
        assert_ok(snScene_Add(scene, block, &start, NULL, &why), why);
    }
    addObstacle(scene, &box, poseAt(snV3(0, 0.1, 0)), 5, snV3(0, 0, 0), snV3(0, 0, 0));
    snCharacter_Release(block);
    return scene;
}

static int asleep(snSim* sim)
{
    const snFrame* frame = snSim_Frame(sim);
    int count = frame->obstacles[0].is_asleep;
    for (int32_t i = 0; i < frame->character_count; ++i) {
        count += frame->characters[i].is_asleep;
    }
    return count;
}

static double processorTime(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double settle(snSim* sim)
{
    for (int i = 0; i < 600 && asleep(sim) < BLOCKS + 1; ++i) {
        advance(sim, 1.0 / 60);
    }
    assert_int_equal(asleep(sim), BLOCKS + 1);
    return snSim_Time(sim);
}

static void pilesFallAsleep(void** state)
{
    (void)state;
    snScene* scene = makePile(SLEEP);
    snSim* sim = startSim(scene);
    double begin = processorTime();
    advance(sim, 0.4);
    double awake = processorTime() - begin;
    double t = settle(sim);
    const snFrame* frame = snSim_Frame(sim);
    for (int i = 0; i < BLOCKS; ++i) {
        assert_close(fastestNode(&frame->characters[i]), 0, 0);
    }
    int64_t step = frame->step;
    float height = frame->characters[1].nodes[1];
    begin = processorTime();
    advance(sim, 0.4);
    double sleeping = processorTime() - begin;
    print_message("asleep after %.2f s; 0.4 s take %.1f ms awake and %.2f ms asleep\n", t,
                  1e3 * awake, 1e3 * sleeping);
    assert_true(sleeping < 0.03 * awake);
    frame = snSim_Frame(sim);
    assert_true(frame->step > step && frame->characters[1].nodes[1] == height);
    assert_true(frame->event_count >= 4); // they touch, in their sleep
    for (int32_t i = 0; i < frame->event_count; ++i) {
        assert_true(!frame->events[i].began && !frame->events[i].ended);
    }
    snSim_Free(sim);
    snScene_Free(scene);
}

// One that falls on a stack wakes all of it, the other pile sleeps on; then all sleep again.
static void contactWakes(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = makePile(SLEEP);
    snSim* sim = startSim(scene);
    settle(sim);
    snCharacter* block = makeDull();
    snStart start;
    int32_t who;
    snStart_Init(&start);
    start.pose.p = snV3(1.25, 0.7, 0);
    assert_ok(snSim_Add(sim, block, &start, &who, &why), why);
    assert_int_equal(asleep(sim), BLOCKS + 1); // nobody noticed
    advance(sim, 0.1);
    assert_int_equal(asleep(sim), BLOCKS + 1);
    advance(sim, 0.3);
    const snFrame* frame = snSim_Frame(sim);
    assert_true(!frame->characters[2].is_asleep && !frame->characters[3].is_asleep);
    assert_true(frame->characters[0].is_asleep && frame->characters[1].is_asleep);
    for (int i = 0; i < 600 && asleep(sim) < BLOCKS + 2; ++i) {
        advance(sim, 1.0 / 60);
    }
    assert_int_equal(asleep(sim), BLOCKS + 2);
    // who loses what he lies on falls
    double y = snSim_Frame(sim)->characters[1].momentum.com.y;
    assert_ok(snSim_RemoveObstacle(sim, 0, &why), why);
    advance(sim, 0.3);
    frame = snSim_Frame(sim);
    assert_true(frame->characters[1].momentum.com.y < y - 0.1);
    assert_int_equal(frame->characters[2].is_asleep, 1);
    snVec3 J = {0, 0, 0.5}, place = frame->characters[2].momentum.com;
    assert_ok(snSim_Push(sim, 2, place, J, 0.2, &why), why);
    assert_int_equal(snSim_Frame(sim)->characters[2].is_asleep, 0);
    snCharacter_Release(block);
    snSim_Free(sim);
    snScene_Free(scene);
}

static void forcesWake(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = makePile(SLEEP);
    snSim* sim = startSim(scene);
    settle(sim);
    snForceDef up;
    snForceDef_Init(&up);
    up.value = snV3(0, 12, 0);
    assert_ok(snScene_AddForce(scene, &up, &why), why);
    advance(sim, 0.5);
    assert_int_equal(asleep(sim), 0);
    assert_true(snSim_Frame(sim)->characters[0].momentum.linear.y > 0);
    snSim_Free(sim);
    snScene_Free(scene);
}

// Sleep is part of the state: what is saved before it, or in it, goes on with the same bits.
static void sleepIsRepeated(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = makePile(SLEEP);
    snSim *one = startSim(scene), *two = startSim(scene);
    size_t size = snSim_StateSize(one);
    void* saved = malloc(size);
    int before = 0, within = 0;
    for (int i = 0; i < 10; ++i) {
        snSim_Save(one, saved);
        assert_ok(snSim_Restore(two, saved, size, &why), why);
        before += asleep(one) == 0;
        within += asleep(one) > 0;
        if (i == 8) {
            snVec3 place = snV3(1.2, 0.085, 0), J = snV3(0.2, 0, 0);
            assert_ok(snSim_Push(one, 2, place, J, 0.2, &why), why);
            assert_ok(snSim_Push(two, 2, place, J, 0.2, &why), why);
        }
        advance(one, 0.4);
        advance(two, 0.4);
        assert_true(snSim_Hash(one) == snSim_Hash(two));
    }
    assert_true(before > 1 && within > 1);
    free(saved);
    snSim_Free(one);
    snSim_Free(two);
    snScene_Free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pilesFallAsleep),
        cmocka_unit_test(contactWakes),
        cmocka_unit_test(forcesWake),
        cmocka_unit_test(sleepIsRepeated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
