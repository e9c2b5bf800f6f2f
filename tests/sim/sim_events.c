// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Who touched whom: when it began and ended, and what was given.
#include "sim/obstacles.h"

static snScene* makeHop(int32_t events)
{
    snMessage why;
    snSceneDef def;
    snScene* scene = NULL;
    snSceneDef_Init(&def);
    def.ground = 1;
    def.events = events;
    assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
    snCharacter* block = makeBlock(snV3(0.15, 0.08, 0.12), 60);
    for (int i = 0; i < 2; ++i) {
        snStart start;
        snStart_Init(&start);
        start.pose.p = snV3(0, 0.14 + 0.3 * i, 0);
        assert_ok(snScene_Add(scene, block, &start, NULL, &why), why);
    }
    snCharacter_Release(block);
    return scene;
}

static const snTouchEvent* find(const snFrame* frame, int32_t character, int32_t with,
                                int32_t other)
{
    for (int32_t i = 0; i < frame->event_count; ++i) {
        const snTouchEvent* e = &frame->events[i];
        if (e->character == character && e->with == with && e->other == other) {
            return e;
        }
    }
    return NULL;
}

// The ground's impulse is what gravity gave and momentum did not keep; between the blocks likewise.
static void impulsesAddUp(void** state)
{
    (void)state;
    snScene* scene = makeHop(16);
    snSim* sim = startSim(scene);
    snVec3 ground = {0, 0, 0}, between = {0, 0, 0};
    int began[2] = {0, 0};
    for (int i = 0; i < 40; ++i) {
        advance(sim, 1.0 / 60);
        const snFrame* frame = snSim_Frame(sim);
        const snTouchEvent* e[2] = {find(frame, 0, sn_withGround, 0),
                                    find(frame, 1, sn_withCharacter, 0)};
        assert_null(find(frame, 0, sn_withCharacter, 1));
        for (int k = 0; k < 2; ++k) {
            began[k] += e[k] && e[k]->began;
        }
        ground = e[0] ? snAdd(ground, e[0]->impulse) : ground;
        between = e[1] ? snAdd(between, e[1]->impulse) : between;
        if (e[0] && e[0]->most > 0) {
            assert_close(e[0]->normal.y, 1, 1e-12);
            assert_true(fabs(e[0]->place.x) < 0.2 && fabs(e[0]->place.y) < 0.01);
        }
        assert_int_equal(frame->event_lost, 0);
    }
    const snFrame* frame = snSim_Frame(sim);
    const snMomentum *low = &frame->characters[0].momentum, *high = &frame->characters[1].momentum;
    double t = snSim_Time(sim), weight = 9.81 * low->mass * t;
    print_message("ground %g of %g Ns, between %g of %g Ns; began %d and %d times\n", ground.y,
                  2 * weight + low->linear.y + high->linear.y, between.y, weight + high->linear.y,
                  began[0], began[1]);
    assert_relative(ground.y, 2 * weight + low->linear.y + high->linear.y, 1e-4, 0);
    assert_relative(between.y, weight + high->linear.y, 1e-4, 0);
    assert_true(began[0] >= 1 && began[1] >= 1);
    snSim_Free(sim);
    snScene_Free(scene);
}

// What began ends: lifted off, both are told once.
static void endsAreTold(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = makeHop(16);
    snSim* sim = startSim(scene);
    advance(sim, 0.6);
    snTransform up = {{5, 3, 0}, {0, 0, 0, 1}};
    assert_ok(snSim_Teleport(sim, 1, up, &why), why);
    advance(sim, 1.0 / 60);
    const snFrame* frame = snSim_Frame(sim);
    const snTouchEvent* e = find(frame, 1, sn_withCharacter, 0);
    assert_true(e && e->ended && !e->began);
    assert_close(snLength(e->impulse), 0, 0);
    advance(sim, 1.0 / 60);
    assert_null(find(snSim_Frame(sim), 1, sn_withCharacter, 0));
    e = find(snSim_Frame(sim), 0, sn_withGround, 0);
    assert_true(e && !e->began && !e->ended && e->impulse.y > 0);
    // who leaves ends nothing, and the other keeps what it touches under its new number
    assert_ok(snSim_Remove(sim, 1, &why), why);
    advance(sim, 1.0 / 60);
    assert_int_equal(snSim_Frame(sim)->event_count, 1);
    assert_false(snSim_Frame(sim)->events[0].began);
    snSim_Free(sim);
    snScene_Free(scene);
}

static void roomIsBounded(void** state)
{
    (void)state;
    snScene *scene = makeHop(1), *none = makeHop(0);
    snSim *sim = startSim(scene), *quiet = startSim(none);
    int64_t lost = 0;
    for (int i = 0; i < 30; ++i) {
        advance(sim, 1.0 / 60);
        advance(quiet, 1.0 / 60);
        assert_true(snSim_Frame(sim)->event_count <= 1);
        lost += snSim_Frame(sim)->event_lost;
    }
    assert_true(lost > 0);
    assert_int_equal(snSim_Frame(quiet)->event_count, 0);
    assert_true(snSim_Hash(sim) == snSim_Hash(quiet)); // listening changes nothing
    snSim_Free(sim);
    snSim_Free(quiet);
    snScene_Free(scene);
    snScene_Free(none);
}

// A saved state knows what touches: the same events come again.
static void eventsAreRepeated(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = makeHop(16);
    snSim* sim = startSim(scene);
    size_t size = snSim_StateSize(sim);
    void* saved = malloc(size);
    snTouchEvent first[16], again[16];
    for (int i = 0; i < 12; ++i) {
        snSim_Save(sim, saved);
        advance(sim, 1.0 / 40);
        int32_t count = snSim_Frame(sim)->event_count;
        memcpy(first, snSim_Frame(sim)->events, (size_t)count * sizeof *first);
        assert_ok(snSim_Restore(sim, saved, size, &why), why);
        advance(sim, 1.0 / 40);
        assert_int_equal(snSim_Frame(sim)->event_count, count);
        memcpy(again, snSim_Frame(sim)->events, (size_t)count * sizeof *again);
        assert_memory_equal(first, again, (size_t)count * sizeof *first);
    }
    free(saved);
    snSim_Free(sim);
    snScene_Free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impulsesAddUp),
        cmocka_unit_test(endsAreTold),
        cmocka_unit_test(roomIsBounded),
        cmocka_unit_test(eventsAreRepeated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
