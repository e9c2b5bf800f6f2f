// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Frames report the torques that drives give, and states know which skeleton they belong to.
#include "check.h"
#include <sinew/sinew.h>

// A horizontal rod of 0.3 m on a hinge, in a scene of its own.
static snScene* makeScene(double stiffness)
{
    snMessage why;
    snBoneDef rod;
    snSkeleton* skeleton;
    snCharacter* character;
    snScene* scene;
    snBoneDef_Init(&rod);
    rod.name = "rod";
    rod.joint = sn_jointRevolute;
    rod.axis = (snVec3){0, 0, 1};
    rod.dof[0].stiffness = stiffness;
    rod.mass = snMass_Capsule((snVec3){0, 0, 0}, (snVec3){0.3, 0, 0}, 0.03, 1000);
    assert_ok(snSkeleton_Create(NULL, &rod, 1, &skeleton, &why), why);
    assert_ok(snCharacter_Create(NULL, "rod", skeleton, &character, &why), why);
    assert_ok(snScene_Create(NULL, NULL, &scene, &why), why);
    assert_ok(snScene_Add(scene, character, NULL, NULL, &why), why);
    snCharacter_Release(character);
    snSkeleton_Release(skeleton);
    return scene;
}

static double heldTorque(int32_t kind)
{
    snMessage why;
    snSim* sim;
    snScene* scene = makeScene(0);
    double time = 0, key = 0;
    snDriveDef drive;
    snDriveDef_Init(&drive);
    drive.kind = kind;
    drive.key_count = 1;
    drive.times = &time;
    drive.keys = &key;
    drive.stiffness = 1e5;
    drive.damping = 500;
    assert_ok(snScene_SetDrive(scene, 0, &drive, &why), why);
    assert_ok(snSim_Create(scene, &sim, &why), why);
    assert_ok(snSim_Advance(sim, 3, &why), why);
    double torque = snSim_Frame(sim)->characters[0].tau[0];
    snSim_Free(sim);
    snScene_Free(scene);
    return torque;
}

static void framesReportWhatHolds(void** state)
{
    (void)state;
    snMass mass = snMass_Capsule((snVec3){0, 0, 0}, (snVec3){0.3, 0, 0}, 0.03, 1000);
    double weight = mass.mass * 9.81 * 0.15; // Nm about the hinge
    assert_relative(heldTorque(sn_driveTrajectory), weight, 1e-12, 0);
    assert_relative(heldTorque(sn_driveServo), weight, 1e-6, 0); // it sags by 1e-5 rad
    assert_close(heldTorque(sn_driveFree), 0, 0);
}

static void statesBelongToTheirSprings(void** state)
{
    (void)state;
    snMessage why;
    snScene* soft = makeScene(1);
    snScene* stiff = makeScene(2);
    snSim *a, *b;
    assert_ok(snSim_Create(soft, &a, &why), why);
    assert_ok(snSim_Create(stiff, &b, &why), why);
    void* saved = malloc(snSim_StateSize(a));
    snSim_Save(a, saved);
    assert_int_equal(snSim_Restore(b, saved, snSim_StateSize(a), &why), sn_errorArgument);
    assert_ok(snSim_Restore(a, saved, snSim_StateSize(a), &why), why);
    free(saved);
    snSim_Free(a);
    snSim_Free(b);
    snScene_Free(soft);
    snScene_Free(stiff);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(framesReportWhatHolds),
        cmocka_unit_test(statesBelongToTheirSprings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
