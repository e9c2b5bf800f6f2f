// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Inverse kinematics: reaches what can be reached, comes as near as it can to the rest, keeps
// limits and locks.
#include "skel/ik.h"
#include "skel/dynamics.h"
#include "skel/joint.h"
#include "skel/tree.h"
#include <scenes/scenes.h>

#define BONES 48
#define NV (6 * BONES)
#define NQ (7 * BONES)

// An angle of a ball's swing or twist goes through a quaternion and back.
#define SAME_ANGLE 1e-12

typedef struct Figure {
    snSkeleton* skeleton;
    snDynamics* d;
    int32_t n, nq, nv;
} Figure;

static Figure openFigure(snStatus (*make)(const snHost*, snSkeleton**, snMessage*))
{
    Figure f;
    snMessage why;
    assert_ok(make(NULL, &f.skeleton, &why), why);
    assert_ok(snDynamics_Create(NULL, f.skeleton, &f.d, &why), why);
    f.n = f.skeleton->bone_count, f.nq = f.skeleton->nq, f.nv = f.skeleton->nv;
    return f;
}

static void closeFigure(Figure* f)
{
    snDynamics_Free(f->d);
    snSkeleton_Release(f->skeleton);
}

static double within(snRandom* r, const snDofDef* dof, double room)
{
    return snRandom_Range(r, fmax(dof->lower, -room), fmin(dof->upper, room));
}

// A pose within all limits.
static void randomPose(snRandom* r, const Figure* f, double* q)
{
    for (int32_t i = 0; i < f->n; ++i) {
        const snBone* b = &f->skeleton->bones[i];
        const snBoneDef* d = &f->skeleton->defs[i];
        double* x = q + b->qi;
        if (b->type == sn_jointFree) {
            snStore3(x, randomVec(r, 0.5));
            snStoreQ(x + 3, randomQuat(r));
        } else if (b->type == sn_jointBall) {
            snVec3 across = snNormalize(snCross(b->axis, randomVec(r, 1)));
            double swing = snRandom_Range(r, 0, fmin(d->swing, 3));
            snQuat twist = snQFromAxisAngle(b->axis, within(r, &d->dof[0], 3));
            snStoreQ(x, snQMul(snQExp(snScale(swing, across)), twist));
        } else {
            for (int32_t k = 0; k < b->nv; ++k) {
                x[k] = within(r, &d->dof[k], 1.5);
            }
        }
    }
}

static void assertWithinLimits(const Figure* f)
{
    double q[NQ];
    snDynamics_GetState(f->d, q, NULL);
    for (int32_t i = 0; i < f->n; ++i) {
        const snBone* b = &f->skeleton->bones[i];
        const snBoneDef* d = &f->skeleton->defs[i];
        const double* x = q + b->qi;
        if (b->type == sn_jointBall) {
            snQuat p = snLoadQ(x);
            snVec3 moved = snQRotate(p, b->axis);
            double swing = atan2(snLength(snCross(b->axis, moved)), snDot(b->axis, moved));
            double half = atan2(snDot(snV3(p.x, p.y, p.z), b->axis), p.w);
            double twist = 2 * half - (half > SN_PI / 2    ? 2 * SN_PI
                                       : half < -SN_PI / 2 ? -2 * SN_PI
                                                           : 0);
            assert_close(snQDot(p, p), 1, 1e-14);
            assert_below(swing, d->swing + SAME_ANGLE);
            assert_true(twist >= d->dof[0].lower - SAME_ANGLE);
            assert_true(twist <= d->dof[0].upper + SAME_ANGLE);
        } else if (b->type != sn_jointFree) {
            for (int32_t k = 0; k < b->nv; ++k) { // exactly
                assert_true(x[k] >= d->dof[k].lower && x[k] <= d->dof[k].upper);
            }
        }
    }
}

static void setPose(const Figure* f, const double* q)
{
    static const double REST[NV];
    snMessage why;
    assert_ok(snDynamics_SetState(f->d, q, REST, &why), why);
}

// The wish that the bone's tip should be where it is now, and, with a weight, turned so.
static snIkTarget wishForNow(const Figure* f, int32_t bone, double rotation_weight)
{
    snIkTarget t = {.bone = bone, .position_weight = 1, .rotation_weight = rotation_weight};
    t.point = snSkeleton_Bone(f->skeleton, bone)->tip;
    t.position = snDynamics_Point(f->d, bone, t.point);
    t.rotation = snDynamics_BonePose(f->d, bone).q;
    return t;
}

// The result's error is the weighted distance that the pose really has.
static void assertHonest(const Figure* f, const snIkTarget* t, int32_t count,
                         const snIkResult* result)
{
    double square = 0;
    for (int32_t i = 0; i < count; ++i) {
        snVec3 off = snSub(snDynamics_Point(f->d, t[i].bone, t[i].point), t[i].position);
        snQuat turn = snQMul(t[i].rotation, snQConj(snDynamics_BonePose(f->d, t[i].bone).q));
        double p = t[i].position_weight * snLength(off);
        double w = t[i].rotation_weight * snLength(snQLog(turn));
        square += p * p + w * w;
    }
    assert_close(result->error, sqrt(square), 1e-9);
}

// Reaching ----------------------------------------------------------------------------------------

typedef struct Trial {
    const char* name;
    snStatus (*make)(const snHost*, snSkeleton**, snMessage*);
    const char* bones[4];
    int32_t count;
    double rotation_weight; // of the first target
    bool root_locked;
    int32_t method, iterations;
    double tolerance, share; // at least this share of the trials must come within the tolerance
} Trial;

static const Trial TRIALS[] = {
    {"starfish, one tip", snMakeStarfish, {"arm2_tip"}, 1, 0, false, 0, 100, 1e-5, 0.99},
    {"starfish, one tip and its rotation",
     snMakeStarfish,
     {"arm2_tip"},
     1,
     0.1,
     false,
     0,
     100,
     1e-5,
     0.9},
    {"starfish, three tips",
     snMakeStarfish,
     {"arm1_tip", "arm3_tip", "arm4_tip"},
     3,
     0,
     false,
     0,
     200,
     1e-4,
     0.9},
    {"starfish held, one tip", snMakeStarfish, {"arm2_tip"}, 1, 0, true, 0, 100, 1e-5, 0.9},
    {"humanoid, one hand", snMakeHumanoid, {"hand_l"}, 1, 0, false, 0, 100, 1e-5, 0.99},
    {"humanoid, hand and its rotation",
     snMakeHumanoid,
     {"hand_l"},
     1,
     0.2,
     false,
     0,
     100,
     1e-5,
     0.9},
    {"humanoid held, one hand", snMakeHumanoid, {"hand_l"}, 1, 0, true, 0, 100, 1e-5, 0.9},
    {"humanoid, both hands, both feet",
     snMakeHumanoid,
     {"hand_l", "hand_r", "foot_l", "foot_r"},
     4,
     0,
     false,
     0,
     200,
     1e-4,
     0.9},
    {"starfish, one tip, transpose",
     snMakeStarfish,
     {"arm2_tip"},
     1,
     0,
     false,
     1,
     2000,
     1e-5,
     0.99},
    {"starfish held, one tip, transpose",
     snMakeStarfish,
     {"arm2_tip"},
     1,
     0,
     true,
     1,
     2000,
     1e-4,
     0.9},
    {"humanoid held, one hand, transpose",
     snMakeHumanoid,
     {"hand_l"},
     1,
     0,
     true,
     1,
     2000,
     1e-4,
     0.9},
};

static void runTrial(const Trial* trial, snRandom* r, int32_t times)
{
    static double q[NQ], zero[NQ];
    static uint8_t locked[BONES];
    Figure f = openFigure(trial->make);
    snMessage why;
    snIkDef def;
    int32_t reached = 0;
    int64_t iterations = 0;
    snIkDef_Init(&def);
    def.method = trial->method;
    def.iterations = trial->iterations;
    def.tolerance = trial->tolerance;
    locked[0] = trial->root_locked;
    def.locked = locked;
    snSkeleton_ZeroPose(f.skeleton, zero);
    for (int32_t n = 0; n < times; ++n) {
        snIkTarget t[4];
        snIkResult result;
        randomPose(r, &f, q);
        if (trial->root_locked) {
            memcpy(q, zero, 7 * sizeof(double));
        }
        setPose(&f, q);
        for (int32_t i = 0; i < trial->count; ++i) {
            int32_t bone = snSkeleton_FindBone(f.skeleton, trial->bones[i]);
            assert_true(bone >= 0);
            t[i] = wishForNow(&f, bone, i ? 0 : trial->rotation_weight);
        }
        setPose(&f, zero);
        assert_ok(snDynamics_SolveIk(f.d, &def, t, trial->count, &result, &why), why);
        assertWithinLimits(&f);
        assertHonest(&f, t, trial->count, &result);
        reached += result.error < trial->tolerance;
        iterations += result.iterations;
    }
    print_message("%s: %.1f %% of %d, %.0f iterations\n", trial->name, 100.0 * reached / times,
                  (int)times, (double)iterations / times);
    assert_true(reached >= trial->share * times);
    closeFigure(&f);
}

static void reachableTargetsAreReached(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    for (size_t i = 0; i < sizeof TRIALS / sizeof TRIALS[0]; ++i) {
        runTrial(&TRIALS[i], &r, TRIALS[i].method ? 25 : 100);
    }
}

// Small moves from a pose are always followed, by both methods.
static void nearTargetsAreAlwaysReached(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    static Tree tree;
    static double q[NQ], qd[NV];
    for (int n = 0; n < 60; ++n) {
        TreeKind kind = {6, n % 14 < 6 ? 1 + n % 6 : -1, 1, n % 2 == 0, false, false};
        Figure f;
        snMessage why;
        snIkDef def;
        snIkResult result;
        randomTree(&r, &kind, &tree);
        f.d = makeDynamics(&tree, &f.skeleton);
        f.n = f.skeleton->bone_count, f.nq = f.skeleton->nq, f.nv = f.skeleton->nv;
        randomState(&r, f.skeleton, 1, 0.02, q, qd);
        setPose(&f, q);
        for (int32_t i = 0; i < f.n; ++i) {
            const snBone* b = &f.skeleton->bones[i];
            snJoint_Integrate(b->type, q + b->qi, qd + b->vi, 1, q + b->qi);
        }
        double start[NQ];
        snDynamics_GetState(f.d, start, NULL);
        setPose(&f, q);
        snIkTarget t = wishForNow(&f, 5, 0);
        snIkDef_Init(&def);
        for (def.method = 0; def.method <= sn_ikJacobianTranspose; ++def.method) {
            def.iterations = def.method ? 20000 : 100;
            def.tolerance = def.method ? 1e-5 : 1e-9;
            setPose(&f, start);
            assert_ok(snDynamics_SolveIk(f.d, &def, &t, 1, &result, &why), why);
            assert_below(result.error, def.tolerance);
            assert_true(result.iterations <= def.iterations);
            snDynamics_GetState(f.d, NULL, qd);
            for (int32_t k = 0; k < f.nv; ++k) {
                assert_true(qd[k] == 0); // rates become zero
            }
        }
        closeFigure(&f);
    }
}

// What cannot be reached
// ------------------------------------------------------------------------------

// Two links of 1 m and 0.7 m in the plane z = 0.
static Figure makeArm(double lower, double upper)
{
    snBoneDef defs[2];
    Figure f = {.n = 2, .nq = 2, .nv = 2};
    snMessage why;
    for (int i = 0; i < 2; ++i) {
        snBoneDef_Init(&defs[i]);
        defs[i].name = i ? "lower" : "upper";
        defs[i].parent = i - 1;
        defs[i].joint = sn_jointRevolute;
        defs[i].axis = snV3(0, 0, 1);
        defs[i].anchor.p = snV3(i ? 1 : 0, 0, 0);
        defs[i].tip = snV3(i ? 0.7 : 1, 0, 0);
        defs[i].mass = snMass_Capsule(snV3(0, 0, 0), defs[i].tip, 0.05, 1000);
        defs[i].dof[0].lower = lower;
        defs[i].dof[0].upper = upper;
    }
    assert_ok(snSkeleton_Create(NULL, defs, 2, &f.skeleton, &why), why);
    assert_ok(snDynamics_Create(NULL, f.skeleton, &f.d, &why), why);
    return f;
}

static void theArmPointsAtWhatItCannotReach(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(3);
    Figure f = makeArm(-(double)INFINITY, (double)INFINITY);
    snIkDef def;
    snIkResult result;
    snMessage why;
    snIkDef_Init(&def);
    for (int n = 0; n < 60; ++n) {
        double angle = snRandom_Range(&r, -3, 3), far = snRandom_Range(&r, 1.8, 5);
        snVec3 place = snV3(far * cos(angle), far * sin(angle), 0);
        snIkTarget t = {.bone = 1, .point = {0.7, 0, 0}, .position = place, .position_weight = 1};
        double q[2] = {snRandom_Range(&r, -2, 2), snRandom_Range(&r, 0.3, 2)};
        t.rotation = snQIdentity();
        def.method = n % 2;
        def.iterations = n % 2 ? 2000 : 100;
        setPose(&f, q);
        assert_ok(snDynamics_SolveIk(f.d, &def, &t, 1, &result, &why), why);
        // straight, and towards the target: 1.7 m of the way are covered
        snVec3 tip = snDynamics_Point(f.d, 1, t.point);
        assert_close(result.error, far - 1.7, 1e-6);
        // around the best pose the error grows with the square of the distance from it
        assert_below(snLength(snSub(tip, snScale(1.7 / far, place))), 2e-3);
        assertHonest(&f, &t, 1, &result);
    }
    closeFigure(&f);
}

// Within limits the closest pose is a corner of what they allow.
static void limitsKeepTheArmFromTurningFurther(void** state)
{
    (void)state;
    Figure f = makeArm(-0.5, 0.5);
    snIkDef def;
    snIkResult result;
    snMessage why;
    snIkTarget t = {.bone = 1, .point = {0.7, 0, 0}, .position = {0, 3, 0}, .position_weight = 1};
    snIkDef_Init(&def);
    t.rotation = snQIdentity();
    def.iterations = 2000;
    for (def.method = 0; def.method < 2; ++def.method) {
        double q[2] = {2, -2}; // starts outside its limits
        setPose(&f, q);
        assert_ok(snDynamics_SolveIk(f.d, &def, &t, 1, &result, &why), why);
        assertWithinLimits(&f);
        snDynamics_GetState(f.d, q, NULL);
        // both joints as far up as they go
        assert_close(q[0], 0.5, 1e-12);
        assert_close(q[1], 0.5, 1e-12);
    }
    closeFigure(&f);
}

// Absurd but finite wishes are no reason for absurd poses.
static void enormousTargetsLeaveASoundPose(void** state)
{
    (void)state;
    Figure f = openFigure(snMakeHumanoid);
    const double places[] = {1e6, 1e100, 1e160, 1e300};
    static double q[NQ];
    snIkDef def;
    snIkResult result;
    snMessage why;
    snIkDef_Init(&def);
    for (int n = 0; n < 8; ++n) {
        snIkTarget t = {.bone = 10, .position = {places[n / 2], 0, 0}, .position_weight = 1};
        t.rotation = snQIdentity();
        def.method = n % 2;
        snSkeleton_ZeroPose(f.skeleton, q);
        setPose(&f, q);
        snStatus status = snDynamics_SolveIk(f.d, &def, &t, 1, &result, &why);
        assert_true(status == sn_ok || status == sn_errorArgument);
        assert_true(status || isfinite(result.error));
        assertWithinLimits(&f);
        snDynamics_GetState(f.d, q, NULL);
        for (int32_t k = 0; k < f.nq; ++k) {
            assert_true(isfinite(q[k]));
        }
        assert_close(snQDot(snLoadQ(q + 3), snLoadQ(q + 3)), 1, 1e-12); // the root's rotation
    }
    closeFigure(&f);
}

// Locks -------------------------------------------------------------------------------------------

static void lockedBonesDoNotMove(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(5);
    Figure f = openFigure(snMakeHumanoid);
    static double q[NQ], now[NQ];
    snIkDef def;
    snMessage why;
    for (int n = 0; n < 20; ++n) {
        uint8_t locked[BONES];
        for (int32_t i = 0; i < f.n; ++i) {
            locked[i] = snRandom_Unit(&r) < 0.5;
        }
        snIkDef_Init(&def);
        def.method = n % 2;
        def.locked = locked;
        def.iterations = 30;
        randomPose(&r, &f, q);
        setPose(&f, q);
        snDynamics_GetState(f.d, q, NULL);
        snIkTarget t = wishForNow(&f, snSkeleton_FindBone(f.skeleton, "hand_l"), 0.1);
        t.position = snAdd(t.position, randomVec(&r, 0.3));
        t.rotation = randomQuat(&r);
        assert_ok(snDynamics_SolveIk(f.d, &def, &t, 1, NULL, &why), why);
        snDynamics_GetState(f.d, now, NULL);
        for (int32_t i = 0; i < f.n; ++i) {
            int32_t start = f.skeleton->bones[i].qi;
            int32_t nq = snJoint_Shape(f.skeleton->bones[i].type)->nq;
            if (locked[i]) {
                assert_memory_equal(q + start, now + start, (size_t)nq * sizeof(double));
            }
        }
    }
    closeFigure(&f);
}

// Arguments ---------------------------------------------------------------------------------------

static void argumentsAreChecked(void** state)
{
    (void)state;
    Figure f = openFigure(snMakeStarfish);
    static snIkTarget targets[17];
    static double q[NQ], now[NQ];
    snMessage why;
    snIkDef good;
    snIkDef_Init(&good);
    snDynamics_GetState(f.d, q, NULL);
    for (int i = 0; i < 17; ++i) {
        targets[i] = (snIkTarget){.bone = i % 16, .rotation = {0, 0, 0, 1}, .position_weight = 1};
    }
    const snIkTarget* t = targets;
    assert_int_equal(snDynamics_SolveIk(NULL, &good, t, 1, NULL, &why), sn_errorArgument);
    assert_int_equal(snDynamics_SolveIk(f.d, NULL, t, 1, NULL, &why), sn_errorArgument);
    assert_int_equal(snDynamics_SolveIk(f.d, &good, NULL, 1, NULL, &why), sn_errorArgument);
    assert_int_equal(snDynamics_SolveIk(f.d, &good, t, 0, NULL, &why), sn_errorArgument);
    assert_int_equal(snDynamics_SolveIk(f.d, &good, t, 17, NULL, NULL), sn_errorArgument);
    for (int i = 0; i < 10; ++i) {
        snIkDef def = good;
        def.size = i == 0 ? 0 : def.size;
        def.method = i == 1 ? -1 : i == 2 ? 2 : def.method;
        def.iterations = i == 3 ? 0 : i == 4 ? 100001 : def.iterations;
        def.tolerance = i == 5 ? -1 : i == 6 ? (double)NAN : def.tolerance;
        def.damping = i == 7 ? 0 : i == 8 ? (double)NAN : i == 9 ? -0.1 : def.damping;
        assert_int_equal(snDynamics_SolveIk(f.d, &def, t, 1, NULL, &why), sn_errorArgument);
        assert_true(why.text[0] != 0);
    }
    for (int i = 0; i < 9; ++i) {
        snIkTarget bad[2] = {targets[0], targets[1]};
        bad[1].rotation_weight = 1;
        bad[1].bone = i == 0 ? -1 : i == 1 ? 16 : 1;
        bad[1].point.y = i == 2 ? (double)NAN : 0;
        bad[1].position.z = i == 3 ? (double)INFINITY : 0;
        bad[1].rotation.w = i == 4 ? (double)NAN : i == 5 ? 0 : 1;
        bad[1].position_weight = i == 6 ? -1 : i == 7 ? (double)NAN : 1;
        bad[1].rotation_weight = i == 8 ? -1 : 1;
        assert_int_equal(snDynamics_SolveIk(f.d, &good, bad, 2, NULL, &why), sn_errorArgument);
        assert_non_null(strstr(why.text, "target 1"));
    }
    snDynamics_GetState(f.d, now, NULL);
    assert_memory_equal(q, now, sizeof(double) * (size_t)f.nq);
    closeFigure(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reachableTargetsAreReached),
        cmocka_unit_test(nearTargetsAreAlwaysReached),
        cmocka_unit_test(theArmPointsAtWhatItCannotReach),
        cmocka_unit_test(limitsKeepTheArmFromTurningFurther),
        cmocka_unit_test(enormousTargetsLeaveASoundPose),
        cmocka_unit_test(lockedBonesDoNotMove),
        cmocka_unit_test(argumentsAreChecked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
