// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Frames say what is wrong with them, with names, figures and advice, and nothing when all is well.
#include "sim/obstacles.h"

static const snFinding* findKind(const snFrame* frame, int32_t kind)
{
    for (int32_t i = 0; i < frame->finding_count; ++i) {
        if (snFrame_Finding(frame, i)->kind == kind) {
            return snFrame_Finding(frame, i);
        }
    }
    return NULL;
}

static void assertWords(const snFinding* f, const char* text, const char* advice)
{
    assert_non_null(strstr(f->text, text));
    assert_non_null(strstr(f->advice, advice));
}

// A block that falls, soft as it is.
static snScene* makeFall(double young, double height, double step)
{
    snSceneDef def;
    snCharacterDef body;
    snStart start;
    snSceneDef_Init(&def);
    def.ground = true;
    def.step = step;
    def.self_contact = false;
    snCharacterDef_Init(&body);
    body.name = "heap";
    body.cells = 200;
    body.material.young = young;
    snStart_Init(&start);
    start.pose.p = snV3(0, height, 0);
    return makeSceneOf(NULL, &def, buildBlock(&body, snV3(0.1, 0.1, 0.1)), &start);
}

// What frames count and what they say of it are the same all along.
static void flawsAreFound(void** state)
{
    (void)state;
    snScene* scene = makeFall(300, 5, 0.002);
    snSim* sim = startSim(scene);
    bool inverted = false;
    for (int i = 0; i < 90; ++i) {
        advance(sim, 1.0 / 60);
        const snFrame* frame = snSim_Frame(sim);
        const snFrameCharacter* c = &frame->characters[0];
        const snFinding* cells = findKind(frame, sn_findingInverted);
        const snFinding* deep = findKind(frame, sn_findingDeep);
        const snFinding* again = findKind(frame, sn_findingRetried);
        assert_int_equal(cells != NULL, c->inverted > 0);
        assert_int_equal(deep != NULL, c->deepest_part > 0.06);
        assert_int_equal(again != NULL, frame->guard.retries > 0);
        // a cube of 0.2 m: half its side, or two cells
        assert_below(c->deepest_part, c->deepest / 0.1 + 1e-12);
        if (cells) {
            inverted = true;
            assert_true(cells->figure == (double)c->inverted && cells->character == 0);
            assert_string_equal(cells->name, "heap");
            assert_string_equal(cells->unit, "cells");
            assertWords(cells, "cells of 'heap'", cells->hardly ? "hardly" : "Try stiffer flesh");
        }
        if (deep) {
            assert_close(deep->figure, 100 * c->deepest_part, 1e-9);
            assertWords(deep, "'heap' got", "Try a slower blow");
        }
    }
    assert_true(inverted);
    assert_null(snFrame_Finding(snSim_Frame(sim), -1));
    assert_null(snFrame_Finding(snSim_Frame(sim), snSim_Frame(sim)->finding_count));
    assert_null(snFrame_Finding(NULL, 0));
    snSim_Free(sim);
    snScene_Free(scene);
}

static void goodRunsHaveNone(void** state)
{
    (void)state;
    snScene* scene = makeFall(2e5, 0.15, 0);
    snSim* sim = startSim(scene);
    for (int i = 0; i < 30; ++i) {
        advance(sim, 1.0 / 60);
        assert_int_equal(snSim_Frame(sim)->finding_count, 0);
    }
    assert_true(snSim_Frame(sim)->characters[0].deepest > 0);
    snSim_Free(sim);
    snScene_Free(scene);
}

// Bones that no step can follow: the frame names bone and character, until the next Advance.
static void givingUpIsFound(void** state)
{
    (void)state;
    snMessage why;
    snSceneDef def;
    snScene* scene = NULL;
    snSceneDef_Init(&def);
    assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
    addPuppet(NULL, scene, makePuppet(NULL, sn_jointFree), NULL);
    snSim* sim = startSim(scene);
    setValue(scene, 0, sn_driveTorque, PUPPET_KNEE, 1e12);
    assert_refused(snSim_Advance(sim, 0.1, &why), sn_errorNumeric, why, "puppet");
    const snFinding* f = findKind(snSim_Frame(sim), sn_findingGaveUp);
    assert_non_null(f);
    assert_int_equal(f->character, 0);
    assert_true(f->bone >= 0);
    assert_string_equal(f->name, "puppet");
    assertWords(f, "' of 'puppet' moves faster", "Try weaker drives");
    assert_non_null(strstr(f->text, f->joint));
    assert_close(f->figure, snSim_Frame(sim)->guard.time, 0);
    setValue(scene, 0, sn_driveTorque, PUPPET_KNEE, 0);
    advance(sim, 0.1);
    assert_null(findKind(snSim_Frame(sim), sn_findingGaveUp));
    snSim_Free(sim);
    snScene_Free(scene);
}

// More than frames have room for are counted.
static void manyAreCounted(void** state)
{
    (void)state;
    snMessage why;
    snSceneDef def;
    snScene* scene = NULL;
    snSceneDef_Init(&def);
    def.ground = true;
    def.step = 0.002;
    assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
    snCharacterDef body;
    snCharacterDef_Init(&body);
    body.cells = 60;
    body.material.young = 300;
    snCharacter* block = buildBlock(&body, snV3(0.1, 0.1, 0.1));
    for (int i = 0; i < 40; ++i) {
        snStart start;
        snStart_Init(&start);
        start.pose.p = snV3(0.5 * i, 0.3, 0);
        start.velocity.y = -10;
        assert_ok(snScene_Add(scene, block, &start, NULL, &why), why);
    }
    snCharacter_Release(block);
    snSim* sim = startSim(scene);
    advance(sim, 0.1);
    const snFrame* frame = snSim_Frame(sim);
    int32_t expected = frame->guard.retries > 0;
    for (int32_t i = 0; i < frame->character_count; ++i) {
        const snFrameCharacter* c = &frame->characters[i];
        expected += (c->inverted > 0) + (c->deepest_part > 0.06);
    }
    assert_true(expected > frame->finding_count);
    assert_int_equal(frame->finding_count + frame->finding_lost, expected);
    snSim_Free(sim);
    snScene_Free(scene);
}

// A box that flies and tumbles: its energy is that of its travel, turning and height, and stays.
static void obstaclesHaveEnergy(void** state)
{
    (void)state;
    snMessage why;
    snSceneDef def;
    snScene* scene = NULL;
    snSceneDef_Init(&def);
    def.step = 0.001;
    assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
    addPuppet(NULL, scene, makeSingle(sn_jointFree), NULL);
    const snShapeDef box = boxShape(snV3(0.1, 0.2, 0.3));
    addObstacle(scene, &box, poseAt(snV3(5, 2, 0)), 3, snV3(1, 4, 0), snV3(0.5, 6, 0));
    addObstacle(scene, &box, poseAt(snV3(9, 2, 0)), 0, snV3(0, 0, 0), snV3(0, 0, 0));
    snSim* sim = startSim(scene);
    snEnergy e = snFrame_Obstacle(snSim_Frame(sim), 0)->energy;
    double xx = 0.04 + 0.09, yy = 0.01 + 0.09; // of 3 kg, over kg
    assert_relative(e.kinetic, 1.5 * 17 + 0.5 * (xx * 0.25 + yy * 36), 1e-9, 0);
    assert_relative(e.gravity, 3 * SN_GRAVITY * 2, 1e-9, 0);
    assert_true(e.elastic == 0);
    advance(sim, 0.5);
    snEnergy later = snFrame_Obstacle(snSim_Frame(sim), 0)->energy;
    assert_true(fabs(later.kinetic - e.kinetic) > 1);
    assert_relative(later.kinetic + later.gravity, e.kinetic + e.gravity, 1e-5, 0);
    assert_ok(snSim_Shift(sim, snV3(0, 10, 0), &why), why);
    snEnergy moved = snFrame_Obstacle(snSim_Frame(sim), 0)->energy;
    assert_close(moved.gravity, later.gravity + 3 * SN_GRAVITY * 10, 1e-9);
    const snFrameObstacle* wall = snFrame_Obstacle(snSim_Frame(sim), 1);
    assert_true(wall->energy.kinetic == 0 && wall->energy.gravity == 0);
    snSim_Free(sim);
    snScene_Free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flawsAreFound),       cmocka_unit_test(goodRunsHaveNone),
        cmocka_unit_test(givingUpIsFound),     cmocka_unit_test(manyAreCounted),
        cmocka_unit_test(obstaclesHaveEnergy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
