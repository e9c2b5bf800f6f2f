// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// The built-in scenes with flesh run to their end without help from the guard and obey the laws of
// mechanics.
#include "math/quat.h"
#include "sim/puppet.h"

#include <scenes/scenes.h>

// Vertices sink into the ground until its penalty stops them: a bone that hits it at 4 m/s less
// soon than flesh that lies on it.
#define HIT_SLACK 0.06  // m
#define REST_SLACK 0.02 // m

#define FLIGHT_SLACK 1e-5 // m: of a centre of mass from its parabola

typedef struct Run {
    snScene* scene;
    snSim* sim;
    snMomentum first[4]; // at the start, by character
    bool touched[4];     // since the start
} Run;

static Run start(const char* name)
{
    Run r = {0};
    snMessage why;
    assert_non_null(snBuiltinScene_Find(name));
    assert_ok(snBuiltinScene_Find(name)->make(NULL, &r.scene, &why), why);
    r.sim = startSim(r.scene);
    const snFrame* f = snSim_Frame(r.sim);
    assert_true(f->character_count <= 4);
    for (int32_t i = 0; i < f->character_count; ++i) {
        r.first[i] = f->characters[i].momentum;
    }
    return r;
}

static void end(Run* r)
{
    snSim_Free(r->sim);
    snScene_Free(r->scene);
}

static double lowest(const snFrameCharacter* c)
{
    double y = HUGE_VAL;
    const snFrameSurface* s = &c->surfaces[0];
    for (int32_t v = 0; v < s->vertex_count; ++v) {
        y = fmin(y, c->origin.y + (double)s->position[3 * v + 1]);
    }
    return y;
}

// One frame: nothing sinks into the ground, and what has not touched it flies.
static const snFrame* advanceFrame(Run* r)
{
    const snSceneDef* def = snScene_Def(r->scene);
    advance(r->sim, 1 / def->frame_rate);
    const snFrame* f = snSim_Frame(r->sim);
    double t = f->time;
    assert_int_equal(f->guard.retries, 0);
    for (int32_t i = 0; i < f->character_count; ++i) {
        const snFrameCharacter* c = &f->characters[i];
        assert_int_equal(c->surface_count, 1);
        double low = lowest(c);
        r->touched[i] = r->touched[i] || (def->ground && low < 0.01);
        if (def->ground) {
            assert_true(low > -HIT_SLACK);
        }
        if (!r->touched[i]) {
            const snMomentum* a = &r->first[i];
            snVec3 v = snScale(1 / a->mass, a->linear);
            snVec3 path = snMulAdd(snMulAdd(a->com, t, v), 0.5 * t * t, def->gravity);
            assert_below(snLength(snSub(c->momentum.com, path)), FLIGHT_SLACK);
        }
    }
    return f;
}

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

// Finer cells change little: all land at the same time, and lie equally high in the end.
static void testFreeFall(void** state)
{
    (void)state;
    Run r = start("free_fall");
    double landed[4] = {0};
    const snFrame* f = snSim_Frame(r.sim);
    while (f->time < 1.5 - 1e-6) { // they lie by then
        f = advanceFrame(&r);
        for (int i = 0; i < f->character_count; ++i) {
            landed[i] = r.touched[i] ? landed[i] : f->time;
        }
    }
    for (int i = 0; i < f->character_count; ++i) {
        const snMomentum *m = &f->characters[i].momentum, *fine = &f->characters[3].momentum;
        print_message("%s: landed after %.3f s, lies at %.4f m\n", f->characters[i].name, landed[i],
                      m->com.y);
        assert_close(landed[i], landed[3], 1.5 / snScene_Def(r.scene)->frame_rate);
        assert_close(m->com.y, fine->com.y, 0.01);
    }
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testStarfishFall),
        cmocka_unit_test(testStarfishFloat),
        cmocka_unit_test(testWormFall),
        cmocka_unit_test(testFreeFall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
