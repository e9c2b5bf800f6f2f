// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Built-in scenes and others with flesh, run by the laws of mechanics without help from the guard.
#ifndef SN_TESTS_SCENES_RUN_H
#define SN_TESTS_SCENES_RUN_H

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

static inline Run startScene(snScene* scene)
{
    Run r = {.scene = scene, .sim = startSim(scene)};
    const snFrame* f = snSim_Frame(r.sim);
    assert_true(f->character_count <= 4);
    for (int32_t i = 0; i < f->character_count; ++i) {
        r.first[i] = f->characters[i].momentum;
    }
    return r;
}

static inline Run start(const char* name)
{
    snMessage why;
    snScene* scene;
    assert_non_null(snBuiltinScene_Find(name));
    assert_ok(snBuiltinScene_Find(name)->make(NULL, &scene, &why), why);
    return startScene(scene);
}

static inline void end(Run* r)
{
    snSim_Free(r->sim);
    snScene_Free(r->scene);
}

static inline double lowest(const snFrameCharacter* c)
{
    double y = HUGE_VAL;
    const snFrameSurface* s = &c->surfaces[0];
    for (int32_t v = 0; v < s->vertex_count; ++v) {
        y = fmin(y, c->origin.y + (double)s->position[3 * v + 1]);
    }
    return y;
}

// One frame: nothing sinks into the ground, and what has not touched it flies.
static inline const snFrame* advanceFrame(Run* r)
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

// Finer cells change little: all land at the same time, and lie equally high in the end.
static inline void checkDensities(Run r)
{
    double landed[4] = {0};
    const snFrame* f = snSim_Frame(r.sim);
    while (f->time < 1.5 - 1e-6) { // they lie by then
        f = advanceFrame(&r);
        for (int i = 0; i < f->character_count; ++i) {
            landed[i] = r.touched[i] ? landed[i] : f->time;
        }
    }
    const int finest = f->character_count - 1;
    const double slack = 1.5 / snScene_Def(r.scene)->frame_rate; // s
    for (int i = 0; i <= finest; ++i) {
        double height = f->characters[i].momentum.com.y;
        print_message("%s: landed after %.3f s, lies at %.4f m\n", f->characters[i].name, landed[i],
                      height);
        assert_close(landed[i], landed[finest], slack);
        assert_close(height, f->characters[finest].momentum.com.y, 0.01);
    }
    end(&r);
}

#endif
