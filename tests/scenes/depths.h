// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Nothing sinks deep into anything in a built-in scene, at the automatic step.
#ifndef SN_TESTS_SCENES_DEPTHS_H
#define SN_TESTS_SCENES_DEPTHS_H

#include "sim/depth.h"

#define DEPTH 0.03  // of local thickness
#define MOMENT 4e-3 // s between looks
#define MOST_ACTORS 16

// Largest depth of a run, in parts of what may be.
static inline double depthOfScene(const char* name)
{
    snMessage why;
    snScene* scene = NULL;
    Thickness of[MOST_ACTORS];
    double worst = 0, when = 0, deepest = 0, smallest = HUGE_VAL;
    assert_ok(snBuiltinScene_Find(name)->make(NULL, &scene, &why), why);
    snSim* sim = startSim(scene);
    int32_t count = snScene_CharacterCount(scene);
    assert_true(count <= MOST_ACTORS);
    for (int32_t i = 0; i < count; ++i) {
        of[i] = openThickness(snScene_Character(scene, i));
        smallest = fmin(smallest, OF_CELL * of[i].cell);
    }
    while (snSim_Time(sim) < snScene_Def(scene)->duration - 1e-6) {
        advance(sim, MOMENT);
        const snFrame* f = snSim_Frame(sim);
        double now = worstDepth(of, f, DEPTH, smallest);
        when = now > worst ? f->time : when;
        worst = fmax(worst, now);
    }
    const snFrame* f = snSim_Frame(sim);
    for (int32_t i = 0; i < count; ++i) {
        deepest = fmax(deepest, f->characters[i].deepest);
        free(of[i].at);
    }
    print_message("%s: %.2f of what may be sunk in, at %.3f s; deepest %.2f mm, step %.3f ms, "
                  "%lld retries\n",
                  name, worst, when, 1e3 * deepest, 1e3 * snSim_Step(sim),
                  (long long)f->guard.retries);
    snSim_Free(sim);
    snScene_Free(scene);
    return worst;
}

// All of a list that ends with NULL are run before anything fails.
static inline void checkDepths(const char* const* names)
{
    double worst = 0;
    for (; *names; ++names) {
        worst = fmax(worst, depthOfScene(*names));
    }
    assert_below(worst, 1);
}

#endif
