// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Bodies that lie still sleep, and wake when something touches them.
#include "sim/pile.h"

static void pilesFallAsleep(void** state)
{
    (void)state;
    snScene* scene = makePile(SLEEP);
    snSim* sim = startSim(scene);
    settle(sim);
    const snFrame* frame = snSim_Frame(sim);
    for (int i = 0; i < BLOCKS; ++i) {
        assert_close(fastestNode(&frame->characters[i]), 0, 0);
    }
    int64_t step = frame->step;
    float height = frame->characters[1].nodes[1];
    advance(sim, 0.4);
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
