// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Dragged characters in sims: they follow, by inner forces alone, with flesh and without, and a
// saved run goes on to the same bits. Scripts switch when they should.
#include "math/quat.h"
#include "sim/flesh.h"

// Where a point of a bone is in a frame.
static snVec3 pointOf(const snFrame* f, int32_t bone, snVec3 point)
{
    snTransform pose = f->characters[0].bones[bone];
    return snAdd(pose.p, snQRotate(pose.q, point));
}

// A drag of one bone to one place, and perhaps a rotation.
static void dragTo(snScene* scene, int32_t bone, snVec3 place, const snQuat* turn, double begin,
                   double end)
{
    snMessage why;
    snDragDef def;
    double zero = 0;
    snDragDef_Init(&def);
    def.bone = bone;
    def.key_count = 1;
    def.times = &zero;
    def.positions = &place;
    def.rotations = turn;
    def.begin = begin, def.end = end;
    assert_ok(snScene_AddDrag(scene, 0, &def, &why), why);
}

static snScene* floating(const char* name, snVec3 gravity)
{
    snSceneDef def;
    snSceneDef_Init(&def);
    def.gravity = gravity;
    return makeSceneOf(NULL, &def, makeBuiltin(name), NULL);
}

// A starfish in free space, with flesh, reaches out with the tip of an arm: its centre of mass
// stays, and so do its momenta, which are zero.
static void innerForcesOnly(void** state)
{
    (void)state;
    snScene* scene = floating("starfish", snV3(0, 0, 0));
    const snSkeleton* s = snCharacter_Skeleton(snScene_Character(scene, 0));
    int32_t tip = snSkeleton_FindBone(s, "arm1_tip");
    assert_true(tip > 0);
    snSim* sim = startSim(scene);
    snVec3 home = pointOf(snSim_Frame(sim), tip, snV3(0, 0, 0));
    snVec3 com = snSim_Frame(sim)->characters[0].momentum.com;
    snSim_Free(sim);
    snVec3 target = snAdd(home, snV3(-0.05, 0.12, 0.03));
    dragTo(scene, tip, target, NULL, 0, (double)INFINITY);
    sim = startSim(scene);
    double most = 0;
    for (int i = 0; i < 60; ++i) {
        advance(sim, 1.0 / 60);
        const snFrameCharacter* c = &snSim_Frame(sim)->characters[0];
        most = fmax(most, snLength(c->momentum.linear) / c->momentum.mass);
        most = fmax(most, snLength(c->momentum.angular) / c->momentum.mass);
        assert_int_equal(snSim_Frame(sim)->guard.retries, 0);
    }
    const snFrame* f = snSim_Frame(sim);
    assert_below(snLength(snSub(pointOf(f, tip, snV3(0, 0, 0)), target)), 0.01);
    assert_below(snLength(snSub(f->characters[0].momentum.com, com)), 1e-4);
    assert_below(most, 1e-5); // flesh is float
    snSim_Free(sim);
    snScene_Free(scene);
}

// The centre of a starfish is turned, which only its arms can do: it turns while they swing the
// other way.
static void turnsInTheAir(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = floating("starfish", snV3(0, 0, 0));
    snQuat turn = snQFromAxisAngle(snV3(0, 1, 0), 0.25);
    snDragDef def;
    double zero = 0;
    snDragDef_Init(&def);
    def.bone = 0;
    def.key_count = 1;
    def.times = &zero;
    def.rotations = &turn;
    assert_ok(snScene_AddDrag(scene, 0, &def, &why), why);
    snSim* sim = startSim(scene);
    snQuat start = snSim_Frame(sim)->characters[0].bones[0].q;
    double before = snLength(snQLog(snQMul(turn, snQConj(start))));
    advance(sim, 0.5);
    snQuat now = snSim_Frame(sim)->characters[0].bones[0].q;
    assert_below(snLength(snQLog(snQMul(turn, snQConj(now)))), 0.7 * before);
    snSim_Free(sim);
    snScene_Free(scene);
}

// A run that is saved in the middle of a drag and restored in another sim gives the same bits; so
// does any number of threads.
static void sameBits(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = floating("worm", snV3(0, -9.81, 0));
    dragTo(scene, 2, snV3(0.3, 0.4, 0.1), NULL, 0.05, 0.2);
    dragTo(scene, 0, snV3(-0.2, 0.2, 0.1), &(snQuat){0, 0.6, 0, 0.8}, 0.1, 0.3);
    snSim* sim = startSim(scene);
    advance(sim, 0.15);
    size_t size = snSim_StateSize(sim);
    void* saved = malloc(size);
    assert_non_null(saved);
    snSim_Save(sim, saved);
    advance(sim, 0.2);
    uint64_t hash = snSim_Hash(sim);
    snSim_Free(sim);
    sim = startSim(scene);
    assert_ok(snSim_Restore(sim, saved, size, &why), why);
    advance(sim, 0.2);
    assert_true(snSim_Hash(sim) == hash);
    snSim_Free(sim);
    snScene_Free(scene);
    free(saved);
}

// Torque bounds hold in the frames' torques.
static void boundsHold(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = floating("starfish", snV3(0, -9.81, 0));
    snDirectDef direct;
    snDirectDef_Init(&direct);
    direct.torque = 2;
    assert_ok(snScene_SetDirect(scene, 0, &direct, &why), why);
    dragTo(scene, 3, snV3(2, 1, 1), NULL, 0, (double)INFINITY);
    snSim* sim = startSim(scene);
    int32_t nv = snSkeleton_VelocityCount(snCharacter_Skeleton(snScene_Character(scene, 0)));
    double most = 0;
    for (int i = 0; i < 100; ++i) {
        advance(sim, 2e-3);
        for (int32_t k = 0; k < nv; ++k) {
            most = fmax(most, fabs(snSim_Frame(sim)->characters[0].tau[k]));
        }
    }
    assert_close(most, 2, 0);
    snSim_Free(sim);
    snScene_Free(scene);
}

// Drags come and go while a sim runs, if there was one, or a SetDirect, before.
static void whileRunning(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = floating("worm", snV3(0, 0, 0));
    snSim* sim = startSim(scene);
    snDirectDef direct;
    snDirectDef_Init(&direct);
    assert_refused(snScene_SetDirect(scene, 0, &direct, &why), sn_errorArgument, why, "before");
    snSim_Free(sim);
    assert_ok(snScene_SetDirect(scene, 0, &direct, &why), why);
    sim = startSim(scene);
    advance(sim, 0.1);
    const snFrameCharacter* c = &snSim_Frame(sim)->characters[0];
    assert_below(snLength(c->twists[1].w), 1e-5); // flesh is float
    dragTo(scene, 1, snAdd(c->bones[1].p, snV3(0, 0.2, 0)), NULL, 0, (double)INFINITY);
    advance(sim, 0.1);
    c = &snSim_Frame(sim)->characters[0];
    assert_true(snLength(c->twists[1].w) > 0.01);
    assert_ok(snScene_ClearDrags(scene, 0, &why), why);
    advance(sim, 0.1);
    snSim_Free(sim);
    snScene_Free(scene);
}

// A script for one joint: a pose, then another, then nothing: gravity takes it.
static void scriptsSwitch(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = NULL;
    assert_ok(snScene_Create(NULL, NULL, &scene, &why), why);
    snSkeleton* s = makePuppet(NULL, sn_jointWeld);
    int32_t q = snSkeleton_PositionStart(s, PUPPET_FINGER);
    addPuppet(NULL, scene, s, NULL);
    snDriveDef def;
    snDriveDef_Init(&def);
    double poses[2] = {0.7, -0.4};
    def.bone = PUPPET_FINGER;
    for (int i = 0; i < 2; ++i) {
        def.kind = sn_drivePose;
        def.begin = i, def.end = i + 0.5;
        def.key_count = 1, def.keys = &poses[i];
        assert_ok(snScene_SetDrive(scene, 0, &def, &why), why);
    }
    def.kind = sn_driveFree;
    def.begin = 2;
    assert_ok(snScene_SetDrive(scene, 0, &def, &why), why);
    snSim* sim = startSim(scene);
    for (int i = 0; i < 2; ++i) {
        advance(sim, 0.5);
        assert_close(snSim_Frame(sim)->characters[0].q[q], poses[i], 1e-4);
        advance(sim, 0.5);
        assert_close(snSim_Frame(sim)->characters[0].q[q], poses[i], 1e-6);
    }
    advance(sim, 0.2);
    assert_true(fabs(snSim_Frame(sim)->characters[0].q[q] - poses[1]) > 0.01);
    snSim_Free(sim);
    snScene_Free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(innerForcesOnly), cmocka_unit_test(turnsInTheAir),
        cmocka_unit_test(sameBits),        cmocka_unit_test(boundsHold),
        cmocka_unit_test(whileRunning),    cmocka_unit_test(scriptsSwitch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
