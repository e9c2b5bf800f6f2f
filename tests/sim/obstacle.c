// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// A host moves obstacles while a sim runs.
#include "sim/obstacles.h"

static const snVec3 STILL = {0, 0, 0};

// A platform with a path of one key, a box on it, and something that never moves.
static snScene* openLift(int32_t* lift, int32_t* box, int32_t* wall)
{
    snScene* scene = NULL;
    snMessage why;
    snSceneDef def;
    snStart start;
    snObstacleDef platform;
    const double time = 0;
    const snTransform at = poseAt(snV3(0, 0.5, 0));
    snShapeDef plate = boxShape(snV3(0.5, 0.05, 0.5)), cube = boxShape(snV3(0.1, 0.1, 0.1));
    snSceneDef_Init(&def);
    def.step = 1e-3;
    assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
    snStart_Init(&start);
    start.pose.p = snV3(0, 1000, 1000);
    addPuppet(NULL, scene, makeSingle(sn_jointFree), &start);
    snObstacleDef_Init(&platform);
    platform.shape_count = 1;
    platform.shapes = &plate;
    platform.key_count = 1;
    platform.times = &time;
    platform.keys = &at;
    assert_ok(snScene_AddObstacle(scene, &platform, lift, &why), why);
    *box = addObstacle(scene, &cube, poseAt(snV3(0, 0.65, 0)), 2, STILL, STILL);
    *wall = addObstacle(scene, &cube, poseAt(snV3(5, 0, 0)), 0, STILL, STILL);
    return scene;
}

static void liftsCarry(void** state)
{
    (void)state;
    int32_t lift, box, wall;
    snMessage why;
    snScene* scene = openLift(&lift, &box, &wall);
    snSim* sim = startSim(scene);
    advance(sim, 0.5);
    const snFrameObstacle* o = snSim_Frame(sim)->obstacles;
    assert_close(o[box].pose.p.y, 0.65, 1e-3);
    const double times[] = {0.5, 1.5};
    const snTransform keys[] = {o[lift].pose, poseAt(snV3(0.3, 0.9, 0))};
    assert_ok(snScene_SetPath(scene, lift, 2, sn_endsClamped, times, keys, &why), why);
    advance(sim, 0.5); // half way, at its fastest
    o = snSim_Frame(sim)->obstacles;
    assert_close(o[lift].pose.p.y, 0.7, 1e-9);
    assert_true(o[lift].twist.v.y > 0.4);
    advance(sim, 1);
    o = snSim_Frame(sim)->obstacles;
    print_message("the box is carried to %.4f, %.4f m\n", o[box].pose.p.x, o[box].pose.p.y);
    assert_close(o[lift].pose.p.y, 0.9, 0);
    assert_close(o[box].pose.p.y, 1.05, 1e-3);
    assert_close(o[box].pose.p.x, 0.3, 5e-3);
    assert_int_equal(snSim_Frame(sim)->guard.retries, 0);
    snSim_Free(sim);
    snScene_Free(scene);
}

static void wrongPathsAreRefused(void** state)
{
    (void)state;
    int32_t lift, box, wall;
    snMessage why;
    snScene* scene = openLift(&lift, &box, &wall);
    const double times[] = {1, 0};
    const snTransform keys[] = {poseAt(STILL), poseAt(STILL)};
    assert_refused(snScene_SetPath(scene, 9, 1, 0, times, keys, &why), sn_errorArgument, why,
                   "no obstacle 9");
    assert_refused(snScene_SetPath(scene, box, 1, 0, times, keys, &why), sn_errorArgument, why,
                   "mass");
    assert_refused(snScene_SetPath(scene, lift, 2, 0, times, keys, &why), sn_errorArgument, why,
                   "key 1");
    assert_ok(snScene_SetPath(scene, wall, 1, 0, times, keys, &why), why); // no sim yet
    assert_ok(snScene_SetPath(scene, wall, 0, 0, NULL, NULL, &why), why);
    snSim* sim = startSim(scene);
    assert_refused(snScene_SetPath(scene, wall, 1, 0, times, keys, &why), sn_errorArgument, why,
                   "has to have a path");
    assert_refused(snScene_SetPath(scene, lift, 0, 0, NULL, NULL, &why), sn_errorArgument, why,
                   "has to have a path");
    snSim_Free(sim);
    snScene_Free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(liftsCarry),
        cmocka_unit_test(wrongPathsAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
