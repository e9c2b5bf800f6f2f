// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Drives: what each kind commands, curves through keys, what is refused, and what a running sim
// makes of it.
#include "control/drive.h"

#include "base/random.h"
#include "math/quat.h"
#include "sim/puppet.h"
#include "skel/joint.h"

// Keys are hit up to the rounding of normalising a quaternion.
#define KEY_TOLERANCE 1e-14

static snDrive* makeDrive(const snSkeleton* s, const snDriveDef* def)
{
    snDrive* d = NULL;
    snMessage why;
    snHost host;
    assert_ok(snHost_Take(NULL, &host, &why), why);
    assert_ok(snDrive_Create(&host, s, def, &d, &why), why);
    return d;
}

// Random keys of a joint, four numbers of a rotation not of unit length.
static void randomKeys(snRandom* r, int32_t joint, int count, double* times, double* keys)
{
    int32_t nq = snJoint_Shape(joint)->nq;
    for (int k = 0; k < count; ++k) {
        times[k] = (k ? times[k - 1] : 0.1) + snRandom_Range(r, 0.05, 0.4);
        for (int32_t i = 0; i < nq; ++i) {
            keys[k * nq + i] = snRandom_Range(r, -1, 1);
        }
        if (joint == sn_jointBall || joint == sn_jointFree) {
            double* q = keys + k * nq + nq - 4;
            snQuat unit = snQNormalize(snQ(q[0], q[1], q[2], q[3] + 2)); // not half a turn apart
            snStoreQ(q, unit);
        }
    }
}

// Coordinates as numbers that are the same for q and -q.
static void assertSameJoint(int32_t joint, const double* a, const double* b, double tolerance)
{
    double rate[6];
    snJoint_Difference(joint, a, b, rate);
    for (int32_t k = 0; k < snJoint_Shape(joint)->nv; ++k) {
        assert_close(rate[k], 0, tolerance);
    }
}

static void curveDef(snDriveDef* def, int32_t ends, int count, const double* times,
                     const double* keys)
{
    snDriveDef_Init(def);
    def->kind = sn_driveTrajectory;
    def->ends = ends;
    def->key_count = count;
    def->times = times;
    def->keys = keys;
}

static void testNames(void** state)
{
    (void)state;
    assert_string_equal(snDriveKind_Name(sn_driveFree), "free");
    assert_string_equal(snDriveKind_Name(sn_driveTorque), "torque");
    assert_string_equal(snDriveKind_Name(sn_driveAcceleration), "acceleration");
    assert_string_equal(snDriveKind_Name(sn_driveTrajectory), "trajectory");
    assert_string_equal(snDriveKind_Name(sn_driveServo), "servo");
    assert_string_equal(snDriveKind_Name(sn_drivePose), "pose");
    assert_null(snDriveKind_Name(-1));
    assert_null(snDriveKind_Name(sn_driveKindCount));
}

// Each kind fills its own arrays of its own joint and nothing else.
static void testCommands(void** state)
{
    (void)state;
    snMessage why;
    snArena arena;
    snCommandArrays a;
    snSkeleton* s = makePuppet(NULL, sn_jointFree);
    snArena_Init(&arena, NULL);
    snCommandArrays_Push(&a, s, &arena);
    assert_false(arena.failed);
    double times[2] = {0, 1}, keys[2] = {0.25, 0.25}, q[PUPPET_MOST] = {0}, qd[PUPPET_MOST] = {0};
    snDriveStep step = {0.5, 0.01, q, qd};
    for (int32_t kind = 0; kind < sn_driveKindCount; ++kind) {
        snDrive* drives[PUPPET_BONES] = {NULL};
        snDriveDef def;
        curveDef(&def, sn_endsClamped, 2, times, keys);
        def.kind = kind;
        def.bone = PUPPET_FINGER;
        def.value[0] = 7;
        def.stiffness = 5;
        def.damping = 3;
        def.limit = 2;
        def.key_count = kind == sn_drivePose ? 1 : 2;
        def.end = 1;
        int32_t vi = s->bones[def.bone].vi, qi = s->bones[def.bone].qi;
        drives[def.bone] = makeDrive(s, &def);
        a.tau[vi] = a.qdd[vi] = a.tau[0] = a.qdd[0] = 99; // left by a step before
        snDrive_CommandStep(s, drives, &step, &a);
        for (int32_t i = 0; i < s->nv; ++i) {
            assert_close(a.tau[i], kind == sn_driveTorque && i == vi ? 7 : 0, 0);
            if (kind != sn_drivePose || i != vi) {
                assert_close(a.qdd[i], kind == sn_driveAcceleration && i == vi ? 7 : 0, 0);
            }
        }
        static const int MODES[] = {sn_modeTorque,   sn_modeTorque, sn_modeAcceleration,
                                    sn_modePosition, sn_modeServo,  sn_modeAcceleration};
        for (int32_t i = 0; i < s->bone_count; ++i) {
            assert_int_equal(a.mode[i], i == def.bone ? MODES[kind] : sn_modeTorque);
        }
        if (kind == sn_driveTrajectory) {
            assert_close(a.q_mid[qi], 0.25, 1e-15);
            assert_close(a.q_end[qi], 0.25, 1e-15);
            assert_close(a.qd_mid[vi], 0, 1e-15);
            assert_close(a.qd_end[vi], 0, 1e-15);
        } else if (kind == sn_driveServo) {
            assert_close(a.servo_q[qi], 0.25, 1e-15);
            assert_close(a.servo_qd[vi], 0, 1e-15);
            assert_close(a.servo_kp[vi], 5, 0);
            assert_close(a.servo_kd[vi], 3, 0);
            assert_close(a.servo_limit[vi], 2, 0);
        }
        snDrive_Free(drives[def.bone]);
    }
    snDrive_Free(NULL);
    snArena_Free(&arena);
    snSkeleton_Release(s);
    (void)why;
}

// All joint types: curves pass through their keys, start and end at rest, hold outside, and their
// rates are the derivatives of their coordinates.
static void testCurves(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(11);
    for (int32_t joint = sn_jointRevolute; joint < sn_jointTypeCount; ++joint) {
        enum { COUNT = 6 };
        double times[COUNT], keys[COUNT * 7], q[7], qd[6], before[7], after[7], slope[6], mid[6];
        int32_t nq = snJoint_Shape(joint)->nq, nv = snJoint_Shape(joint)->nv;
        snSkeleton* s = makeSingle(joint);
        snDriveDef def;
        randomKeys(&r, joint, COUNT, times, keys);
        curveDef(&def, sn_endsClamped, COUNT, times, keys);
        snDrive* d = makeDrive(s, &def);
        for (int k = 0; k < COUNT; ++k) {
            snDrive_Sample(d, &s->bones[0], times[k], q, qd);
            assertSameJoint(joint, keys + k * nq, q, KEY_TOLERANCE);
        }
        for (int end = 0; end < 2; ++end) {
            int k = end ? COUNT - 1 : 0;
            for (int outside = 0; outside < 3; ++outside) {
                double away = outside == 2 ? 1e6 : outside;
                snDrive_Sample(d, &s->bones[0], times[k] + (end ? away : -away), q, qd);
                assertSameJoint(joint, keys + k * nq, q, KEY_TOLERANCE);
                for (int32_t i = 0; i < nv; ++i) {
                    assert_close(qd[i], 0, 1e-12); // clamped ends are at rest up to rounding
                }
            }
        }
        // central differences are off by h^2/6 times the third derivative, which is below 1e4 here
        const double h = 1e-5;
        for (int i = 0; i < 40; ++i) {
            double t = snRandom_Range(&r, times[0] + h, times[COUNT - 1] - h);
            snDrive_Sample(d, &s->bones[0], t - h, before, mid);
            snDrive_Sample(d, &s->bones[0], t + h, after, mid);
            snDrive_Sample(d, &s->bones[0], t, q, qd);
            snJoint_Difference(joint, before, after, slope);
            for (int32_t k = 0; k < nv; ++k) {
                assert_close(slope[k] / (2 * h), qd[k], 1e-5);
            }
        }
        snDrive_Free(d);
        snSkeleton_Release(s);
    }
}

// A wheel on a ball joint: keys a quarter turn apart, the last one -first. It goes on turning,
// period after period, with the same speed and no jump at the seam.
static void testFullTurns(void** state)
{
    (void)state;
    enum { COUNT = 5 };
    double times[COUNT], keys[COUNT * 4], q[4], qd[3], far[4], far_qd[3];
    for (int k = 0; k < COUNT; ++k) {
        times[k] = 0.5 * k;
        snStoreQ(keys + 4 * k, snQFromAxisAngle(snV3(0, 0, 1), k * 1.5707963267948966));
    }
    snSkeleton* s = makeSingle(sn_jointBall);
    snDriveDef def;
    curveDef(&def, sn_endsPeriodic, COUNT, times, keys);
    snDrive* d = makeDrive(s, &def);
    snDrive_Sample(d, &s->bones[0], 0, far, qd);
    for (int i = 1; i <= 400; ++i) {
        double t = i * 0.01 + 0.0003;
        snDrive_Sample(d, &s->bones[0], t, q, qd);
        assert_close(qd[2], 3.14159265, 0.05); // even keys: almost an even turn
        double step[3];
        snJoint_Difference(sn_jointBall, far, q, step);
        assert_true(step[2] > 0 && step[2] < 0.04);
        memcpy(far, q, sizeof far);
    }
    for (int i = 0; i < 50; ++i) {
        double t = -3 + 0.17 * i;
        snDrive_Sample(d, &s->bones[0], t, q, qd);
        snDrive_Sample(d, &s->bones[0], t + 2, far, far_qd);
        assertSameJoint(sn_jointBall, q, far, 1e-13);
        assert_close(qd[2], far_qd[2], 1e-12);
    }
    snDrive_Free(d);
    snSkeleton_Release(s);
}

// Periodic curves of every type repeat; the last key must be the first.
static void testPeriodic(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(5);
    for (int32_t joint = sn_jointRevolute; joint < sn_jointTypeCount; ++joint) {
        enum { COUNT = 5 };
        double times[COUNT], keys[COUNT * 7], q[7], qd[6], far[7], far_qd[6];
        int32_t nq = snJoint_Shape(joint)->nq, nv = snJoint_Shape(joint)->nv;
        snSkeleton* s = makeSingle(joint);
        snDriveDef def;
        randomKeys(&r, joint, COUNT, times, keys);
        curveDef(&def, sn_endsPeriodic, COUNT, times, keys);
        snDrive* d = NULL;
        snMessage why;
        snHost host;
        assert_ok(snHost_Take(NULL, &host, &why), why);
        assert_refused(snDrive_Create(&host, s, &def, &d, &why), sn_errorArgument, why, "first");
        assert_non_null(strstr(why.text, "'single'"));
        assert_null(d);
        memcpy(keys + (COUNT - 1) * nq, keys, (size_t)nq * sizeof(double));
        d = makeDrive(s, &def);
        double period = times[COUNT - 1] - times[0];
        for (int k = 0; k < 3; ++k) {
            double t = times[0] + snRandom_Range(&r, 0, period);
            snDrive_Sample(d, &s->bones[0], t, q, qd);
            snDrive_Sample(d, &s->bones[0], t + (k - 1) * 3 * period, far, far_qd);
            assertSameJoint(joint, q, far, 1e-12);
            for (int32_t i = 0; i < nv; ++i) {
                assert_close(qd[i], far_qd[i], 1e-10);
            }
        }
        snDrive_Free(d);
        snSkeleton_Release(s);
    }
}

// Refusals ----------------------------------------------------------------------------------------

typedef void SpoilFcn(snDriveDef* def);
static double bad_times[3] = {0, 1, 1}, nan_times[3], nan_keys[3], some_times[3] = {0, 1, 2},
              some_keys[3] = {0, 1, 0}, zero_turn[12];

static void spoilSize(snDriveDef* d)
{
    d->size = 0;
}
static void spoilKind(snDriveDef* d)
{
    d->kind = sn_driveKindCount;
}
static void spoilKindBelow(snDriveDef* d)
{
    d->kind = -1;
}
static void spoilBone(snDriveDef* d)
{
    d->bone = PUPPET_BONES;
}
static void spoilBoneBelow(snDriveDef* d)
{
    d->bone = -1;
}
static void spoilWeld(snDriveDef* d)
{
    d->bone = PUPPET_PLATE;
}
static void spoilNoKeys(snDriveDef* d)
{
    d->key_count = 0;
}
static void spoilManyKeys(snDriveDef* d)
{
    d->key_count = 100001;
}
static void spoilTimes(snDriveDef* d)
{
    d->times = NULL;
}
static void spoilKeys(snDriveDef* d)
{
    d->keys = NULL;
}
static void spoilOrder(snDriveDef* d)
{
    d->times = bad_times;
}
static void spoilNanTime(snDriveDef* d)
{
    d->times = nan_times;
}
static void spoilNanKey(snDriveDef* d)
{
    d->keys = nan_keys;
}
static void spoilEnds(snDriveDef* d)
{
    d->ends = 2;
}
static void spoilStiffness(snDriveDef* d)
{
    d->stiffness = -1;
}
static void spoilDamping(snDriveDef* d)
{
    d->damping = (double)NAN;
}
static void spoilLimit(snDriveDef* d)
{
    d->limit = 0;
}
static void spoilTurn(snDriveDef* d)
{
    d->bone = PUPPET_TAIL, d->keys = zero_turn;
}
static void spoilTorque(snDriveDef* d)
{
    d->kind = sn_driveTorque, d->value[0] = (double)NAN;
}
static void spoilRate(snDriveDef* d)
{
    d->kind = sn_driveAcceleration, d->value[0] = (double)INFINITY;
}

static void spoilBegin(snDriveDef* d)
{
    d->begin = -1;
}
static void spoilLateBegin(snDriveDef* d)
{
    d->begin = (double)NAN;
}
static void spoilPoseKeys(snDriveDef* d)
{
    d->kind = sn_drivePose, d->end = 1;
}
static void spoilPoseEnd(snDriveDef* d)
{
    d->kind = sn_drivePose, d->key_count = 1, d->begin = d->end = 2;
}
static void spoilPoseNumber(snDriveDef* d)
{
    d->kind = sn_drivePose, d->key_count = 1, d->end = 1, d->keys = nan_times;
}
static void spoilPoseTurn(snDriveDef* d)
{
    d->kind = sn_drivePose, d->key_count = 1, d->end = 1, d->bone = PUPPET_TAIL,
    d->keys = zero_turn;
}

static void testRefusals(void** state)
{
    (void)state;
    static const struct {
        SpoilFcn* spoil;
        const char* word;
    } CASES[] = {
        {spoilSize, "snDriveDef_Init"}, {spoilKind, "kind 6"},
        {spoilKindBelow, "kind -1"},    {spoilBone, "bone 10"},
        {spoilBoneBelow, "bone -1"},    {spoilWeld, "'plate' is welded"},
        {spoilNoKeys, "keys"},          {spoilManyKeys, "100000 keys"},
        {spoilTimes, "times"},          {spoilKeys, "keys"},
        {spoilOrder, "increase"},       {spoilNanTime, "finite"},
        {spoilNanKey, "finite"},        {spoilEnds, "periodic"},
        {spoilStiffness, "stiffness"},  {spoilDamping, "damping"},
        {spoilLimit, "limit"},          {spoilTurn, "rotation"},
        {spoilTorque, "value 0"},       {spoilRate, "value 0"},
        {spoilBegin, "begin"},          {spoilLateBegin, "begin"},
        {spoilPoseKeys, "one key"},     {spoilPoseEnd, "end after"},
        {spoilPoseNumber, "number 0"},  {spoilPoseTurn, "rotation"},
    };
    nan_times[0] = nan_keys[1] = (double)NAN;
    nan_times[2] = 1;
    snScene* scene = makePuppetScene(NULL, NULL, 1);
    snMessage why;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        snDriveDef def;
        curveDef(&def, sn_endsClamped, 3, some_times, some_keys);
        def.kind = sn_driveServo;
        def.bone = PUPPET_FINGER;
        CASES[i].spoil(&def);
        assert_refused(snScene_SetDrive(scene, 0, &def, &why), sn_errorArgument, why,
                       CASES[i].word);
        assert_int_equal(snScene_SetDrive(scene, 0, &def, NULL), sn_errorArgument);
    }
    snDriveDef def;
    snDriveDef_Init(&def);
    assert_refused(snScene_SetDrive(scene, 1, &def, &why), sn_errorArgument, why, "character 1");
    assert_refused(snScene_SetDrive(scene, -1, &def, &why), sn_errorArgument, why, "character -1");
    assert_refused(snScene_SetDrive(scene, 0, NULL, &why), sn_errorArgument, why, "Init");
    assert_int_equal(snScene_SetDrive(NULL, 0, &def, &why), sn_errorArgument);
    def.bone = PUPPET_PLATE; // to leave a weld alone is no drive
    assert_ok(snScene_SetDrive(scene, 0, &def, &why), why);
    snScene_Free(scene);
}

// "Only the fields of its kind are looked at": rubbish in the others does no harm.
static void testOtherFields(void** state)
{
    (void)state;
    snScene* scene = makePuppetScene(NULL, NULL, 1);
    snMessage why;
    for (int32_t kind = 0; kind < sn_driveKindCount; ++kind) {
        bool curve = kind == sn_driveTrajectory || kind == sn_driveServo;
        bool value = kind == sn_driveTorque || kind == sn_driveAcceleration;
        bool pose = kind == sn_drivePose;
        snDriveDef def;
        curveDef(&def, curve ? sn_endsClamped : 77,
                 curve  ? 3
                 : pose ? 1
                        : -5,
                 curve ? some_times : NULL, curve || pose ? some_keys : NULL);
        def.kind = kind;
        def.end = pose ? 1 : (double)NAN;
        def.bone = PUPPET_FINGER;
        for (int i = 0; i < 6; ++i) {
            def.value[i] = value && i < 1 ? 1 : (double)NAN; // a revolute joint takes one value
        }
        if (kind != sn_driveServo) {
            def.stiffness = def.damping = def.limit = (double)NAN;
        }
        assert_ok(snScene_SetDrive(scene, 0, &def, &why), why);
        snSim* sim = startSim(scene);
        advance(sim, 0.01);
        snSim_Free(sim);
    }
    snScene_Free(scene);
}

// In a running sim --------------------------------------------------------------------------------

// Both integrators put driven joints of every type on their keys.
static void testSimFollows(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(3);
    for (int32_t joint = sn_jointRevolute; joint < sn_jointTypeCount; ++joint) {
        for (int32_t integrator = 0; integrator < sn_integratorCount; ++integrator) {
            enum { COUNT = 5 };
            double times[COUNT], keys[COUNT * 7];
            int32_t nq = snJoint_Shape(joint)->nq;
            snSceneDef def;
            snSceneDef_Init(&def);
            def.frame_rate = 10;
            snScene* scene = NULL;
            snMessage why;
            assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
            const char* name = snIntegrator_Name(integrator);
            assert_ok(snScene_Set(scene, NULL, "integrator", name, &why), why);
            int32_t who = addPuppet(NULL, scene, makeSingle(joint), NULL);
            randomKeys(&r, joint, COUNT, times, keys);
            for (int k = 0; k < COUNT; ++k) {
                times[k] = k * 0.2; // at frames
            }
            setCurve(scene, who, sn_driveTrajectory, 0, sn_endsClamped, COUNT, times, keys);
            snSim* sim = startSim(scene);
            for (int k = 0; k < COUNT; ++k) {
                // steps end a rounding error beside the key, at up to 100 rad/s
                assertSameJoint(joint, keys + k * nq, snSim_Frame(sim)->characters[0].q, 1e-13);
                advance(sim, 0.2);
            }
            snSim_Free(sim);
            snScene_Free(scene);
        }
    }
}

// A servo far from its target accelerates an axis by limit / inertia and no more.
static void testServoLimit(void** state)
{
    (void)state;
    const double limit = 0.02, h = 1e-3;
    snSceneDef def;
    snSceneDef_Init(&def);
    def.gravity = (snVec3){0, 0, 0};
    def.frame_rate = 1000;
    snScene* scene = NULL;
    snMessage why;
    assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
    snSkeleton* skeleton = makeSingle(sn_jointRevolute);
    const snMass m = snSkeleton_Bone(skeleton, 0)->mass;
    double inertia = m.inertia.zz + m.mass * (m.com.x * m.com.x + m.com.y * m.com.y);
    int32_t who = addPuppet(NULL, scene, skeleton, NULL);
    double time = 0, key = 2;
    snDriveDef d;
    curveDef(&d, sn_endsClamped, 1, &time, &key);
    d.kind = sn_driveServo;
    d.stiffness = 1e6;
    d.limit = limit;
    assert_ok(snScene_SetDrive(scene, who, &d, &why), why);
    snSim* sim = startSim(scene);
    for (int i = 1; i <= 20; ++i) {
        advance(sim, h);
        assert_relative(snSim_Frame(sim)->characters[0].qd[0], i * h * limit / inertia, 1e-9, 0);
    }
    snSim_Free(sim);
    snScene_Free(scene);
}

// A drive set while a sim runs acts from the next step on, and not before.
static void testChange(void** state)
{
    (void)state;
    snSceneDef def;
    snSceneDef_Init(&def);
    def.gravity = (snVec3){0, 0, 0};
    def.frame_rate = 1000;
    snScene* scene = NULL;
    snMessage why;
    assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
    int32_t who = addPuppet(NULL, scene, makeSingle(sn_jointPrismatic), NULL);
    snSim* sim = startSim(scene);
    advance(sim, 0.005);
    assert_close(snSim_Frame(sim)->characters[0].qd[0], 0, 0);
    setValue(scene, who, sn_driveAcceleration, 0, 2);
    assert_close(snSim_Frame(sim)->characters[0].qd[0], 0, 0);
    for (int i = 1; i <= 3; ++i) {
        advance(sim, 0.001);
        assert_close(snSim_Frame(sim)->characters[0].qd[0], 0.002 * i, 1e-15);
    }
    setValue(scene, who, sn_driveFree, 0, 0);
    advance(sim, 0.003);
    assert_close(snSim_Frame(sim)->characters[0].qd[0], 0.006, 1e-15);
    // a refused one leaves the old one in place
    setValue(scene, who, sn_driveAcceleration, 0, -1);
    snDriveDef bad;
    snDriveDef_Init(&bad);
    bad.kind = 99;
    assert_int_equal(snScene_SetDrive(scene, who, &bad, &why), sn_errorArgument);
    advance(sim, 0.001);
    assert_close(snSim_Frame(sim)->characters[0].qd[0], 0.005, 1e-15);
    snSim_Free(sim);
    snScene_Free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testNames),       cmocka_unit_test(testCommands),
        cmocka_unit_test(testCurves),      cmocka_unit_test(testFullTurns),
        cmocka_unit_test(testPeriodic),    cmocka_unit_test(testRefusals),
        cmocka_unit_test(testOtherFields), cmocka_unit_test(testSimFollows),
        cmocka_unit_test(testServoLimit),  cmocka_unit_test(testChange),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
