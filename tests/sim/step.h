// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Steps with flesh: whether a step is stable, and the largest that is.
#ifndef SN_TESTS_SIM_STEP_H
#define SN_TESTS_SIM_STEP_H

#include "sim/flesh.h"

// Edges of cells inside joints that bend by 45 degrees get as short as a quarter and 1.8 times as
// long; in a body that explodes there is no end to it.
#define LEAST_STRETCH 0.15
#define MOST_STRETCH 2.5

static inline snSceneDef freeFall(double h)
{
    snSceneDef def;
    snSceneDef_Init(&def);
    def.frame_rate = 1 / h;
    def.step = h;
    return def;
}

// The paper's steps -----------------------------------------------------------

static inline void fallAt(const char* name, double h, double seconds)
{
    snSceneDef def = freeFall(h);
    snStart start;
    snStart_Init(&start);
    start.spin = snV3(2, 1, 0.5);
    snScene* scene = makeSceneOf(NULL, &def, makeBuiltin(name), &start);
    const snFleshInfo* info = snCharacter_Flesh(snScene_Character(scene, 0));
    driveWaves(scene, sn_driveTrajectory, 0.8, 0.9);
    snSim* sim = startSim(scene);
    assert_relative(snSim_Step(sim), h, 1e-12, 0);
    Stretch all = {1, 1};
    double fastest = 0;
    for (int i = 1; i <= 30; ++i) {
        advance(sim, seconds / 30);
        const snFrame* frame = snSim_Frame(sim);
        assert_int_equal(frame->guard.retries, 0);
        assert_true(isFrameFinite(frame));
        Stretch s = stretchOf(info, &frame->characters[0]);
        all.least = fmin(all.least, s.least);
        all.most = fmax(all.most, s.most);
        double fall = 9.81 * snSim_Time(sim);
        fastest = fmax(fastest, fastestNode(&frame->characters[0]) - fall);
    }
    print_message("%s, %d cells, h %.2f ms (at rest stable to %.2f ms): stretch %.2f..%.2f, "
                  "%.2f m/s besides the fall\n",
                  name, (int)info->cell_count, 1e3 * h, 1e3 * info->stable_step, all.least,
                  all.most, fastest);
    assert_true(all.least > LEAST_STRETCH && all.most < MOST_STRETCH);
    assert_true(all.most - all.least > 0.1); // it does bend
    snSim_Free(sim);
    snScene_Free(scene);
}

// The automatic step ----------------------------------------------------------

// Bent joints are let go in free fall; stable is what the guard leaves alone for a second.
static inline bool isStable(snCharacter* c, double h, double angle)
{
    snSceneDef def = freeFall(h);
    snStart start;
    double q[PUPPET_MOST];
    snMessage why;
    bendPose(snCharacter_Skeleton(c), angle, q);
    snStart_Init(&start);
    start.q = q;
    snScene* scene = makeSceneOf(NULL, &def, snCharacter_Retain(c), &start);
    snSim* sim = startSim(scene);
    bool fine = true;
    for (int i = 0; i < 20 && fine; ++i) {
        fine = snSim_Advance(sim, 0.05, &why) == sn_ok;
        const snFrame* frame = snSim_Frame(sim);
        Stretch s = stretchOf(snCharacter_Flesh(c), &frame->characters[0]);
        fine = fine && frame->guard.retries == 0 && s.most < MOST_STRETCH;
    }
    snSim_Free(sim);
    snScene_Free(scene);
    return fine;
}

static inline double chosenStep(snCharacter* c)
{
    snSceneDef def;
    snSceneDef_Init(&def);
    def.frame_rate = 1; // so that rounding to whole steps of a frame changes nothing
    snScene* scene = makeSceneOf(NULL, &def, snCharacter_Retain(c), NULL);
    snSim* sim = startSim(scene);
    double h = snSim_Step(sim);
    snSim_Free(sim);
    snScene_Free(scene);
    return h;
}

static inline void checkChoice(const char* name, double angle)
{
    snCharacter* c = makeBuiltin(name);
    double chosen = chosenStep(c), low = chosen, high = 3 * chosen;
    assert_true(isStable(c, low, angle));
    assert_false(isStable(c, high, angle));
    while (high > 1.03 * low) {
        double middle = sqrt(low * high);
        *(isStable(c, middle, angle) ? &low : &high) = middle;
    }
    print_message("%s: auto %.3f ms, by trial %.3f ms (bent by %.2f), at rest %.3f ms: %.0f %%\n",
                  name, 1e3 * chosen, 1e3 * low, angle, 1e3 * snCharacter_Flesh(c)->stable_step,
                  100 * chosen / low);
    assert_true(chosen >= 0.7 * low);
    snCharacter_Release(c);
}

#endif
