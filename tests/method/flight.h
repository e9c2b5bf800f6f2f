// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Momentum of bones and flesh in free flight.
#ifndef SN_TESTS_METHOD_FLIGHT_H
#define SN_TESTS_METHOD_FLIGHT_H

#include "check.h"
#include "math/vec.h"
#include <scenes/scenes.h>

static inline snScene* makeScene(const char* name, const snSceneDef* def)
{
    snMessage why;
    snScene* scene;
    assert_non_null(snBuiltinScene_Find(name));
    assert_ok(snBuiltinScene_Find(name)->make(NULL, &scene, &why), why);
    assert_ok(snScene_SetDef(scene, def, &why), why);
    return scene;
}

static inline snSim* start(snScene* scene)
{
    snMessage why;
    snSim* sim;
    assert_ok(snSim_Create(scene, &sim, &why), why);
    return sim;
}

static inline void advance(snSim* sim, double dt)
{
    snMessage why;
    assert_ok(snSim_Advance(sim, dt, &why), why);
}

typedef struct Errors {
    double linear, angular;
} Errors;

// What momentum errors are measured against: sum m |v| and sum m |r| |v| about the centre of mass,
// fixed nodes for the bones they weigh on.
static inline void addScale(const snFrameCharacter* c, const snFleshInfo* info, Errors* scale)
{
    snVec3 drift = snScale(1 / c->momentum.mass, c->momentum.linear);
    for (int32_t i = 0; i < info->node_count; ++i) {
        const float *x = c->nodes + 3 * (size_t)i, *u = c->node_velocities + 3 * (size_t)i;
        snVec3 r = snSub(snV3((double)x[0], (double)x[1], (double)x[2]), c->momentum.com);
        snVec3 v = snV3((double)u[0], (double)u[1], (double)u[2]);
        scale->linear += info->mass[i] * snLength(v);
        scale->angular += info->mass[i] * snLength(r) * snLength(snSub(v, drift));
    }
}

// Largest errors of a starfish that jiggles and beats its arms without gravity.
static inline Errors fly(double seconds, double step, int32_t integrator, int32_t keep)
{
    snSceneDef def;
    snSceneDef_Init(&def);
    def.gravity = snV3(0, 0, 0);
    def.step = step;
    snScene* scene = makeScene("starfish_float", &def);
    snMessage why;
    assert_ok(snScene_Set(scene, NULL, "integrator", snIntegrator_Name(integrator), &why), why);
    assert_ok(snScene_Set(scene, NULL, "keep_momentum", keep ? "true" : "false", &why), why);
    const snFleshInfo* info = snCharacter_Flesh(snScene_Character(scene, 0));
    snSim* sim = start(scene);
    snMomentum first = snSim_Frame(sim)->characters[0].momentum;
    Errors worst = {0, 0}, scale = {0, 0};
    int frames = (int)(60 * seconds + 0.5);
    for (int i = 0; i < frames; ++i) {
        advance(sim, 1.0 / 60);
        const snFrame* frame = snSim_Frame(sim);
        const snFrameCharacter* c = &frame->characters[0];
        worst.linear = fmax(worst.linear, snLength(snSub(c->momentum.linear, first.linear)));
        worst.angular = fmax(worst.angular, snLength(snSub(c->momentum.angular, first.angular)));
        addScale(c, info, &scale);
        assert_int_equal(frame->guard.retries, 0);
    }
    snSim_Free(sim);
    snScene_Free(scene);
    worst.linear /= scale.linear / frames;
    worst.angular /= scale.angular / frames;
    return worst;
}

static inline void checkOrder(double seconds)
{
    static const char* const NAMES[2] = {"midpoint", "Euler"};
    for (int32_t integrator = 0; integrator < 2; ++integrator) {
        Errors e[3];
        for (int i = 0; i < 3; ++i) {
            double h = 1.0 / 60 / (8 << i);
            e[i] = fly(seconds, h, integrator, 0);
            print_message("%s, h %.3f ms: linear %.3g, angular %.3g\n", NAMES[integrator], 1e3 * h,
                          e[i].linear, e[i].angular);
        }
        // halving the step quarters or halves the error; the allowance is for higher orders and, at
        // the end, for float velocities, whose rounding walks at random
        double share = integrator == sn_integratorMidpoint ? 1 / 3.6 : 1 / 1.6, rounding = 2e-7;
        for (int i = 0; i < 2; ++i) {
            assert_below(e[i + 1].linear, share * e[i].linear + rounding);
            assert_below(e[i + 1].angular, share * e[i].angular + rounding);
        }
    }
}

static inline void checkCorrection(double seconds)
{
    for (int32_t integrator = 0; integrator < 2; ++integrator) {
        Errors e = fly(seconds, 1e-3, integrator, 1);
        print_message("corrected: linear %.3g, angular %.3g\n", e.linear, e.angular);
        assert_below(e.linear, 1e-6);
        assert_below(e.angular, 1e-6);
    }
}

#endif
