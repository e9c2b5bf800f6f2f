// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A starfish as soft as pudding hits the ground.
#ifndef SN_TESTS_SIM_PUDDING_H
#define SN_TESTS_SIM_PUDDING_H

#include "math/quat.h"
#include "sim/flesh.h"
#include <time.h>

#define SPEED 10.0 // m/s
#define END 2.0    // s: by then it is loose

typedef struct Crash {
    int64_t inverted, inverted_end; // cells: most, and at the end
    double elastic, elastic_end;    // J: the same
    double slowest;                 // s of processor time for a frame
    Stretch stretch;                // at the end
} Crash;

// The starfish of a material as soft as pudding.
static inline snCharacter* makePudding(void)
{
    snCharacterDef def;
    snCharacter* starfish = makeBuiltin("starfish");
    snCharacterDef_Init(&def);
    def.name = "pudding";
    def.material.young = 1e3;
    def.cells = snCharacter_Flesh(starfish)->cell_count;
    snCharacter_Release(starfish);
    return buildLike("starfish", &def);
}

// On edge, arm first, against the ground; without weight, so that nothing but its own flesh keeps
// it from its shape afterwards.
static inline Crash crash(int32_t self)
{
    Crash out = {0};
    snSceneDef def;
    snStart start;
    snSceneDef_Init(&def);
    def.ground = 1;
    def.gravity = snV3(0, 0, 0);
    def.self_contact = self;
    snStart_Init(&start);
    start.pose.p = snV3(0, 0.6, 0);
    start.pose.q = snQFromAxisAngle(snV3(1, 0, 0), SN_PI / 2 + 0.1);
    start.velocity = snV3(0, -SPEED, 0);
    snScene* scene = makeSceneOf(NULL, &def, makePudding(), &start);
    snSim* sim = startSim(scene);
    const snFrameCharacter* c = &snSim_Frame(sim)->characters[0];
    while (snSim_Time(sim) < END) {
        clock_t from = clock();
        advance(sim, 1.0 / 60);
        out.slowest = fmax(out.slowest, (double)(clock() - from) / CLOCKS_PER_SEC);
        c = &snSim_Frame(sim)->characters[0];
        out.inverted = c->inverted > out.inverted ? c->inverted : out.inverted;
        out.elastic = fmax(out.elastic, c->energy.elastic);
    }
    out.inverted_end = c->inverted;
    out.elastic_end = c->energy.elastic;
    out.stretch = stretchOf(snCharacter_Flesh(snScene_Character(scene, 0)), c);
    print_message("self contact %d: %lld cells inside out, %lld at the end; %.3g J, %.3g at the "
                  "end; edges %.2f..%.2f; slowest frame %.0f ms\n",
                  (int)self, (long long)out.inverted, (long long)out.inverted_end, out.elastic,
                  out.elastic_end, out.stretch.least, out.stretch.most, 1e3 * out.slowest);
    snSim_Free(sim);
    snScene_Free(scene);
    return out;
}

#endif
