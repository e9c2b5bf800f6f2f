// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Stiff joints, bounded servos, hard limits and outer impulses over time.
#include "check.h"
#include "math/quat.h"
#include "skel/skeleton.h"
#include <sinew/dynamics.h>

typedef struct Body {
    snSkeleton* skeleton;
    snDynamics* d;
} Body;

static Body makeBody(const snBoneDef* defs, int32_t count)
{
    Body b;
    snMessage why;
    assert_ok(snSkeleton_Create(NULL, defs, count, &b.skeleton, &why), why);
    assert_ok(snDynamics_Create(NULL, b.skeleton, &b.d, &why), why);
    return b;
}

static void freeBody(Body* b)
{
    snDynamics_Free(b->d);
    snSkeleton_Release(b->skeleton);
}

static void step(Body* b, const snJointCommand* command)
{
    snMessage why;
    assert_ok(snDynamics_Step(b->d, 1e-3, sn_integratorMidpoint, 1, command, &why), why);
}

static snBoneDef rod(int32_t joint)
{
    snBoneDef d;
    snBoneDef_Init(&d);
    d.name = "rod";
    d.joint = joint;
    d.axis = snV3(0, 0, 1);
    d.mass = snMass_Capsule(snV3(0, 0, 0), snV3(0.3, 0, 0), 0.03, 1000);
    return d;
}

// Bounded servos, far too strong for the bone and the step, still arrive and come to rest.
static void boundedServosArriveOnLightBones(void** state)
{
    (void)state;
    static const double CASES[6][4] = {
        // inertia, stiffness, damping, bound
        {1e-5, 50, 0, 10},    {1e-5, 50, 0.01, 10}, {1e-5, 1e4, 1, 100},
        {1e-5, 1e4, 1, 1000}, {1e-3, 1e4, 1, 100},  {1e-2, 500, 5, 1},
    };
    for (int n = 0; n < 12; ++n) {
        const double* c = CASES[n / 2];
        bool ball = n % 2;
        snBoneDef def = rod(ball ? sn_jointBall : sn_jointRevolute);
        def.mass = (snMass){0.01, snV3(0, 0, 0), {c[0], c[0], c[0], 0, 0, 0}};
        Body b = makeBody(&def, 1);
        snQuat goal = snQFromAxisAngle(snV3(0, 0, 1), 0.5);
        double q[4], qd[3], zero[3] = {0}, hinge = 0.5, turn[4] = {goal.x, goal.y, goal.z, goal.w};
        double kp[3] = {c[1], c[1], c[1]}, kd[3] = {c[2], c[2], c[2]},
               bound[3] = {c[3], c[3], c[3]};
        uint8_t mode = sn_modeServo;
        snJointCommand command = {.mode = &mode,
                                  .servo_q = ball ? turn : &hinge,
                                  .servo_qd = zero,
                                  .servo_kp = kp,
                                  .servo_kd = kd,
                                  .servo_limit = bound};
        snDynamics_SetGravity(b.d, snV3(0, 0, 0));
        for (int i = 0; i < 8000; ++i) {
            step(&b, &command);
        }
        snDynamics_GetState(b.d, q, qd);
        double left = ball ? snLength(snQLog(snQMul(goal, snQConj(snQ(q[0], q[1], q[2], q[3])))))
                           : fabs(0.5 - q[0]);
        assert_below(left, 1e-6);
        assert_below(ball ? snLength(snV3(qd[0], qd[1], qd[2])) : fabs(qd[0]), 1e-4);
        freeBody(&b);
    }
}

// While a servo is at its bound, a constant torque of exactly that size acts.
static void boundedServosGiveTheirBound(void** state)
{
    (void)state;
    snBoneDef def = rod(sn_jointRevolute);
    def.mass = (snMass){1, snV3(0, 0, 0), {0.1, 0.1, 0.1, 0, 0, 0}};
    Body b = makeBody(&def, 1);
    double target = 1e3, zero = 0, kp = 1e5, kd = 100, bound = 2, q, qd;
    uint8_t mode = sn_modeServo;
    snJointCommand command = {.mode = &mode,
                              .servo_q = &target,
                              .servo_qd = &zero,
                              .servo_kp = &kp,
                              .servo_kd = &kd,
                              .servo_limit = &bound};
    snDynamics_SetGravity(b.d, snV3(0, 0, 0));
    for (int i = 1; i <= 500; ++i) {
        step(&b, &command);
        snDynamics_GetState(b.d, &q, &qd);
        assert_relative(qd, i * 1e-3 * bound / 0.1, 1e-9, 0);
    }
    freeBody(&b);
}

// Limits of any stiffness never throw a limb back faster than it came.
static void limitsOfAnyStiffnessGiveNoEnergy(void** state)
{
    (void)state;
    static const int32_t JOINTS[3] = {sn_jointRevolute, sn_jointUniversal, sn_jointBall};
    static const double RATES[6] = {1, 10, 100, 1000, 1e4, 1e6};
    for (int n = 0; n < 18; ++n) {
        snBoneDef defs[2] = {rod(JOINTS[n % 3]), rod(JOINTS[n % 3])};
        for (int i = 0; i < 2; ++i) {
            for (int k = 0; k < 2; ++k) {
                defs[i].dof[k].lower = -0.3;
                defs[i].dof[k].upper = 0.3;
            }
            defs[i].axis2 = snV3(0, 1, 0);
            defs[i].swing = 0.3;
            defs[i].limit_frequency = RATES[n / 3];
        }
        defs[1].name = "second";
        defs[1].parent = 0;
        defs[1].anchor.p = snV3(0.3, 0, 0);
        Body b = makeBody(defs, 2);
        snMessage why;
        double q[8], qd[6] = {5, 5, 5, 5, 5, 5};
        snSkeleton_ZeroPose(b.skeleton, q);
        snDynamics_SetGravity(b.d, snV3(0, 0, 0));
        assert_ok(snDynamics_SetState(b.d, q, qd, &why), why);
        double start = snDynamics_Energy(b.d).kinetic;
        for (int i = 0; i < 3000; ++i) {
            step(&b, NULL);
            // a step may land in the limit before it feels it: a few percent, a fifth at 1 MHz
            assert_below(snDynamics_Energy(b.d).kinetic,
                         (RATES[n / 3] > 1e5 ? 1.25 : 1.05) * start);
        }
        freeBody(&b);
    }
}

// Damping from weak to absurd: the speed follows exp(-c t / I), or is gone at once, and never
// changes sign.
static void dampingOfAnySizeOnlyBrakes(void** state)
{
    (void)state;
    for (double c = 1e-3; c < 1e7; c *= 10) {
        snBoneDef def = rod(sn_jointRevolute);
        def.mass = (snMass){1, snV3(0, 0, 0), {0.01, 0.01, 0.01, 0, 0, 0}};
        def.dof[0].damping = c;
        Body b = makeBody(&def, 1);
        snMessage why;
        double q = 0, qd = 1, last = 1;
        assert_ok(snDynamics_SetState(b.d, &q, &qd, &why), why);
        for (int i = 1; i <= 100; ++i) {
            step(&b, NULL);
            snDynamics_GetState(b.d, &q, &qd);
            assert_true(fabs(qd) <= last);
            if (c < 1) { // at most a tenth of the speed lost a step: second order is good to 1e-3
                assert_close(qd, exp(-c * i * 1e-3 / 0.01), 1e-3);
                assert_true(qd > 0);
            }
            last = fabs(qd);
        }
        if (c >= 100) {
            assert_below(last, 1e-6);
        }
        freeBody(&b);
    }
}

// A servo that holds a rod against gravity reports the torque that does it.
static void holdingServosReportTheirTorque(void** state)
{
    (void)state;
    snBoneDef def = rod(sn_jointRevolute);
    Body b = makeBody(&def, 1);
    double target = 0, zero = 0, kp = 1e4, kd = 50, bound = HUGE_VAL, q, qd;
    uint8_t mode = sn_modeServo;
    snJointCommand command = {.mode = &mode,
                              .servo_q = &target,
                              .servo_qd = &zero,
                              .servo_kp = &kp,
                              .servo_kd = &kd,
                              .servo_limit = &bound};
    for (int i = 0; i < 5000; ++i) {
        step(&b, &command);
    }
    snDynamics_GetState(b.d, &q, &qd);
    // it sags until kp times the sag carries the weight; the reported torque is tested through
    // frames too
    assert_relative(-kp * q, def.mass.mass * 9.81 * 0.15 * cos(q), 1e-9, 0);
    freeBody(&b);
}

// Outer forces off the centre and outer torques turn a free body by exactly their impulse.
static void correctionCountsOuterMoments(void** state)
{
    (void)state;
    snBoneDef defs[2] = {rod(sn_jointFree), rod(sn_jointRevolute)};
    defs[1].name = "tail";
    defs[1].parent = 0;
    defs[1].anchor.p = snV3(0.3, 0, 0);
    Body b = makeBody(defs, 2);
    snMessage why;
    double q[8] = {0, 0, 0, 0, 0, 0, 1, 0.4}, qd[7] = {0.3, 0.2, 0.5, 0, 0, 0, 1};
    snWrench outer[2] = {{{0.02, -0.01, 0.03}, {0.4, 0.1, -0.2}}, {{0, 0.01, 0}, {-0.1, 0.3, 0.2}}};
    snJointCommand command = {.external = outer};
    assert_ok(snDynamics_SetState(b.d, q, qd, &why), why);
    snVec3 want = snDynamics_Momentum(b.d).angular;
    for (int i = 0; i < 1000; ++i) {
        // moments about the centre of mass at both ends of the step; their mean is the middle's to
        // O(h^2)
        snVec3 moment[2];
        for (int end = 0; end < 2; ++end) {
            snVec3 com = snDynamics_Momentum(b.d).com;
            moment[end] = snV3(0, 0, 0);
            for (int k = 0; k < 2; ++k) {
                snVec3 arm = snSub(snDynamics_BonePose(b.d, k).p, com);
                moment[end] = snAdd(moment[end], snAdd(outer[k].n, snCross(arm, outer[k].f)));
            }
            if (end == 0) {
                step(&b, &command);
            }
        }
        want = snMulAdd(want, 0.5e-3, snAdd(moment[0], moment[1]));
    }
    snVec3 off = snSub(snDynamics_Momentum(b.d).angular, want);
    print_message("angular impulse off by %.2g of %.2g\n", snLength(off), snLength(want));
    assert_below(snLength(off), 1e-6);
    freeBody(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boundedServosArriveOnLightBones),
        cmocka_unit_test(boundedServosGiveTheirBound),
        cmocka_unit_test(limitsOfAnyStiffnessGiveNoEnergy),
        cmocka_unit_test(dampingOfAnySizeOnlyBrakes),
        cmocka_unit_test(holdingServosReportTheirTorque),
        cmocka_unit_test(correctionCountsOuterMoments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
