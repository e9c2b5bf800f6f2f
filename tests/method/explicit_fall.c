// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Flesh without bones in free fall.
#include "sim/flesh.h"

// It is damped against its own motion, which gravity changes within the step: it falls as freely as
// if it were not damped, without any correction.
static void dampingDoesNotBrakeAFall(void** state)
{
    (void)state;
    const double seconds = 0.25;
    snMessage why;
    snSceneDef def;
    snSceneDef_Init(&def);
    def.gravity = snV3(3, -9, 5);
    snScene* scene = makeSceneOf(NULL, &def, makeBlock(snV3(0.15, 0.1, 0.1), 100), NULL);
    assert_ok(snScene_Set(scene, NULL, "keep_momentum", "false", &why), why);
    snSim* sim = startSim(scene);
    snMomentum from = snSim_Frame(sim)->characters[0].momentum;
    advance(sim, seconds);
    snMomentum now = snSim_Frame(sim)->characters[0].momentum;
    snVec3 want = snScale(seconds * from.mass, def.gravity), got = snSub(now.linear, from.linear);
    assert_below(snLength(snSub(got, want)), 1e-5 * snLength(want)); // floats
    snSim_Free(sim);
    snScene_Free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(dampingDoesNotBrakeAFall)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
