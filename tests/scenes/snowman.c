// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// The snowman that docs/characters.md makes, dropped: so soft that it lands almost flat, touches
// itself all over and turns cells inside out for a moment. It gains no energy and gets up again.
#include "scenes/recipes.h"
#include "sim/flesh.h"

static snStatus makeBones(const snHost* host, snSkeleton** skeleton, snMessage* why)
{
    snBoneDef bones[2];
    for (int i = 0; i < 2; ++i) {
        snBoneDef_Init(&bones[i]);
        bones[i].parent = i - 1;
        bones[i].joint = i ? sn_jointRevolute : sn_jointFree;
        bones[i].name = i ? "neck" : "trunk";
        bones[i].anchor.p = i ? snV3(0, 0.3, 0) : snV3(0, 0.2, 0);
        bones[i].tip = snV3(0, i ? 0.2 : 0.3, 0);
        bones[i].radius = 0.06;
        bones[i].mass = snMass_Capsule(snV3(0, 0, 0), bones[i].tip, 0.06, 1000);
    }
    return snSkeleton_Create(host, bones, 2, skeleton, why);
}

static const snLump SNOWMAN[] = {
    SN_OVAL(0, 0.22, 0, 0.2, 0.2, 0.2, 0),
    SN_OVAL(0, 0.56, 0, 0.13, 0.14, 0.13, 0.05),
    SN_CONE(0, 0.56, 0.12, 0.03, 0, 0.55, 0.24, 0.015, 0.01),
    SN_OVAL(0.05, 0.61, 0.11, 0.022, 0.022, 0.022, 0.005),
    SN_CONE(0.15, 0.32, 0, 0.05, 0.36, 0.42, 0.05, 0.035, 0.03),
};

static snScene* makeScene(void)
{
    const snLumps body = {SNOWMAN, 5, {{-0.5, -0.1, -0.3}, {0.5, 0.8, 0.4}}, {0, 2000}};
    snMessage why;
    snCharacter* snowman = NULL;
    snScene* scene = NULL;
    snCharacterDef def;
    snSceneDef world;
    snStart start;
    snCharacterDef_Init(&def);
    def.name = "snowman";
    def.cells = 1500;
    def.material.young = 20e3;
    assert_ok(snRecipe_BuildLumps(NULL, &def, makeBones, &body, &snowman, &why), why);
    snSceneDef_Init(&world);
    world.ground = 1;
    assert_ok(snScene_Create(NULL, &world, &scene, &why), why);
    snStart_Init(&start);
    start.pose.p.y = 0.3;
    assert_ok(snScene_Add(scene, snowman, &start, NULL, &why), why);
    snCharacter_Release(snowman);
    return scene;
}

static void itSurvivesItsFall(void** state)
{
    (void)state;
    snScene* scene = makeScene();
    snSim* sim = startSim(scene);
    const snFrame* f = snSim_Frame(sim);
    const double first = f->characters[0].energy.gravity;
    double most = 0, height = 0;
    int64_t inverted = 0;
    while (f->time < 2.5) {
        advance(sim, 1.0 / 60);
        f = snSim_Frame(sim);
        const snEnergy* e = &f->characters[0].energy;
        assert_true(isFrameFinite(f));
        most = fmax(most, e->kinetic + e->elastic + e->gravity - first);
        inverted = f->characters[0].inverted > inverted ? f->characters[0].inverted : inverted;
    }
    for (int32_t i = 0; i < f->characters[0].surfaces[0].vertex_count; ++i) {
        height = fmax(height, pointAt(f->characters[0].surfaces[0].position, i).y);
    }
    print_message("energy at most %.2f J above the start, up to %d cells inside out, %d at the "
                  "end; deepest contact %.1f mm; %.2f m high at the end\n",
                  most, (int)inverted, (int)f->characters[0].inverted,
                  1e3 * f->characters[0].deepest, height);
    assert_int_equal(f->guard.retries, 0);
    assert_below(most, 1e-3 * first);
    assert_true(f->characters[0].inverted <= 2);
    assert_true(height > 0.25);
    snSim_Free(sim);
    snScene_Free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(itSurvivesItsFall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
