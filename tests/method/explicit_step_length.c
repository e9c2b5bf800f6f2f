// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Steps that the method chooses: units do not matter to them.
#include "sim/flesh.h"

// The automatic step of a block on the ground, s. Frames are so long that rounding to a whole
// number of steps does not show.
static double stepOf(double size, double young, double damping)
{
    snSceneDef world;
    snCharacterDef def;
    snSceneDef_Init(&world);
    snCharacterDef_Init(&def);
    world.ground = 1;
    world.frame_rate = 1;
    def.cells = 100;
    def.material.young = young;
    def.material.damping = damping;
    snCharacter* block = buildBlock(&def, snV3(1.5 * size, size, size));
    snScene* scene = makeSceneOf(NULL, &world, block, NULL);
    snSim* sim = startSim(scene);
    double step = snSim_Step(sim);
    snSim_Free(sim);
    snScene_Free(scene);
    return step;
}

// Froude's law: under the same gravity a body that is k times as large, of a material that is k
// times as stiff, does the same sqrt(k) times as slowly, and its steps are so much longer.
static void stepsScaleLikeFroude(void** state)
{
    static const double YOUNGS[] = {3e4, 2e5, 2e6}, SCALES[] = {0.005, 0.1, 3};
    (void)state;
    for (int i = 0; i < 3; ++i) {
        double step = stepOf(0.2, YOUNGS[i], 1);
        for (int j = 0; j < 3; ++j) {
            double k = SCALES[j], scaled = stepOf(0.2 * k, YOUNGS[i] * k, 1 / sqrt(k));
            assert_relative(scaled, sqrt(k) * step, 0.01, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stepsScaleLikeFroude)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
