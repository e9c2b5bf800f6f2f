// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// The built-in scenes with flesh run to their end without help from the guard and obey the laws of
// mechanics.
#include "scenes/run.h"

static const snFrame* runTo(Run* r, double time)
{
    const snFrame* f = snSim_Frame(r->sim);
    while (f->time < time - 1e-6) {
        f = advanceFrame(r);
    }
    return f;
}

// Tossed from its back, it lands on its belly and lies still.
static void testStarfishFall(void** state)
{
    (void)state;
    Run r = start("starfish_fall");
    double highest = 0;
    const snFrame* f = snSim_Frame(r.sim);
    while (f->time < snScene_Def(r.scene)->duration - 1e-6) {
        f = advanceFrame(&r);
        highest = fmax(highest, f->characters[0].momentum.com.y);
    }
    const snMomentum* m = &f->characters[0].momentum;
    print_message("starfish_fall: up to %.2f m, %.1f mm/s in the end, %d vertices touch\n", highest,
                  1e3 * snLength(m->linear) / m->mass, (int)f->characters[0].contact_count);
    assert_true(highest > 0.7);
    snVec3 back = snQRotate(f->characters[0].bones[0].q, snV3(0, 1, 0));
    assert_true(back.y > 0.9 && lowest(&f->characters[0]) > -REST_SLACK);
    assert_true(f->characters[0].contact_count > 20);
    assert_true(m->com.y > 0.02 && m->com.y < 0.12); // it is 0.15 m thick
    assert_below(snLength(m->linear) / m->mass, 0.02);
    end(&r);
}

// Whatever the arms do, momentum stays: below one millionth of what a body moving like its parts
// has, as the correction promises.
static void testStarfishFloat(void** state)
{
    (void)state;
    Run r = start("starfish_float");
    const snFrame* f = runTo(&r, 3);
    const snMomentum *a = &r.first[0], *b = &f->characters[0].momentum;
    double speed = sqrt(2 * f->characters[0].energy.kinetic * a->mass), arm = 0.3; // kg m/s; m
    assert_true(f->characters[0].energy.elastic > 1e-3); // flesh does lag behind the bones
    assert_below(snLength(snSub(a->linear, b->linear)), 1e-6 * speed);
    assert_below(snLength(snSub(a->angular, b->angular)), 1e-6 * arm * speed);
    end(&r);
}

// It comes down and stays near the ground; its bends move it about, but do not throw it up.
static void testWormFall(void** state)
{
    (void)state;
    Run r = start("worm_fall");
    double highest = 0;
    const snFrame* f = snSim_Frame(r.sim);
    while (f->time < snScene_Def(r.scene)->duration - 1e-6) {
        f = advanceFrame(&r);
        highest = f->time > 1.5 ? fmax(highest, f->characters[0].momentum.com.y) : 0;
    }
    print_message("worm_fall: centre of mass up to %.3f m after 1.5 s\n", highest);
    assert_true(r.touched[0]);
    assert_below(highest, 0.3);
    assert_true(lowest(&f->characters[0]) > -REST_SLACK);
    end(&r);
}

// The three coarser ones of the scene free_fall, which flesh_long.c runs.
static void testDensities(void** state)
{
    (void)state;
    static const char* const NAMES[3] = {"starfish_coarse", "starfish", "starfish_fine"};
    snMessage why;
    snSceneDef def;
    snScene* scene;
    snSceneDef_Init(&def);
    def.ground = 1;
    assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
    for (int i = 0; i < 3; ++i) {
        snCharacter* starfish;
        snStart at;
        snStart_Init(&at);
        at.pose.p = snV3(1.1 * i, 0.6, 0);
        at.pose.q = snQFromAxisAngle(snV3(1, 0, 0), 0.4); // two arms land first
        assert_ok(snBuiltinCharacter_Find(NAMES[i])->make(NULL, &starfish, &why), why);
        assert_ok(snScene_Add(scene, starfish, &at, NULL, &why), why);
        snCharacter_Release(starfish);
    }
    checkDensities(startScene(scene));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testStarfishFall),
        cmocka_unit_test(testStarfishFloat),
        cmocka_unit_test(testWormFall),
        cmocka_unit_test(testDensities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
