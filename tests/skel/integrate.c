// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Stepping in time: momentum, energy, trajectories, stiff springs.
#include "skel/integrate.h"
#include "check.h"
#include "math/trig.h"
#include "skel/tree.h"
#include <scenes/scenes.h>

#define NV 64

static snDynamics* open(snSkeleton* skeleton)
{
    snMessage why;
    snDynamics* d;
    assert_ok(snDynamics_Create(NULL, skeleton, &d, &why), why);
    return d;
}

// Free flight -----------------------------------------------------------------

// A tumbling starfish whose arm joints follow sines, exactly (position mode); the root is free.
typedef struct Flight {
    snSkeleton* skeleton;
    snDynamics* d;
    uint8_t mode[NV];
    double q_mid[NV], qd_mid[NV], q_end[NV], qd_end[NV];
    snJointCommand command;
} Flight;

static void sampleArms(const snSkeleton* s, double t, double* q, double* qd)
{
    for (int32_t i = 1; i < s->bone_count; ++i) {
        const snBone* b = &s->bones[i];
        int32_t nv = b->type == sn_jointUniversal ? 2 : 1;
        for (int32_t k = 0; k < nv; ++k) {
            double rate = 5 + 0.3 * i, phase = 0.7 * i + k, size = k ? 0.3 : 0.9;
            q[b->qi + k] = size * snSin(rate * t + phase);
            qd[b->vi + k] = size * rate * snCos(rate * t + phase);
        }
    }
}

static void takeOff(Flight* f)
{
    snMessage why;
    double q[NV], qd[NV] = {1.5, 1, 2, 0.5, 0, 0.2};
    assert_ok(snMakeStarfish(NULL, &f->skeleton, &why), why);
    f->d = open(f->skeleton);
    snDynamics_SetGravity(f->d, snV3(0, 0, 0));
    snSkeleton_ZeroPose(f->skeleton, q);
    sampleArms(f->skeleton, 0, q, qd);
    assert_ok(snDynamics_SetState(f->d, q, qd, &why), why);
    memset(f->mode, sn_modePosition, sizeof f->mode);
    f->mode[0] = sn_modeTorque;
    f->command = (snJointCommand){.mode = f->mode,
                                  .q_mid = f->q_mid,
                                  .qd_mid = f->qd_mid,
                                  .q_end = f->q_end,
                                  .qd_end = f->qd_end};
}

static void land(Flight* f)
{
    snDynamics_Free(f->d);
    snSkeleton_Release(f->skeleton);
}

// What momentum errors are measured against: sum m |v| and sum m |r| |v| about the centre of mass.
static void momentumScale(const Flight* f, double* linear, double* angular)
{
    snMomentum now = snDynamics_Momentum(f->d);
    snVec3 drift = snScale(1 / now.mass, now.linear);
    for (int32_t i = 0; i < f->skeleton->bone_count; ++i) {
        snVec3 com = f->skeleton->bones[i].com;
        double m = f->skeleton->bones[i].mass;
        snVec3 v = snDynamics_PointVelocity(f->d, i, com);
        snVec3 r = snSub(snDynamics_Point(f->d, i, com), now.com);
        *linear += m * snLength(v);
        *angular += m * snLength(r) * snLength(snSub(v, drift));
    }
}

typedef struct MomentumError {
    double linear, angular;
} MomentumError;

static MomentumError fly(double h, double seconds, int32_t integrator, int32_t correct)
{
    static Flight f;
    snMessage why;
    takeOff(&f);
    snMomentum start = snDynamics_Momentum(f.d);
    MomentumError worst = {0, 0};
    double scale_p = 0, scale_L = 0;
    int64_t steps = (int64_t)(seconds / h + 0.5);
    for (int64_t n = 0; n < steps; ++n) {
        sampleArms(f.skeleton, ((double)n + 0.5) * h, f.q_mid, f.qd_mid);
        sampleArms(f.skeleton, (double)(n + 1) * h, f.q_end, f.qd_end);
        assert_ok(snDynamics_Step(f.d, h, integrator, correct, &f.command, &why), why);
        snMomentum now = snDynamics_Momentum(f.d);
        worst.linear = fmax(worst.linear, snLength(snSub(now.linear, start.linear)));
        worst.angular = fmax(worst.angular, snLength(snSub(now.angular, start.angular)));
        momentumScale(&f, &scale_p, &scale_L);
    }
    worst.linear /= scale_p / (double)steps;
    worst.angular /= scale_L / (double)steps;
    land(&f);
    return worst;
}

static void midpointKeepsMomentumToSecondOrder(void** state)
{
    (void)state;
    MomentumError e[3];
    for (int i = 0; i < 3; ++i) {
        e[i] = fly(2e-3 / (1 << i), 10, sn_integratorMidpoint, 0);
        print_message("midpoint h %g ms: |dp| %.3g, |dL| %.3g\n", 2.0 / (1 << i), e[i].linear,
                      e[i].angular);
    }
    assert_below(e[1].linear, 1e-3);
    assert_below(e[1].angular, 1e-3);
    // quadratic: halving the step divides the error by four; the asymptote is reached to a tenth
    assert_true(e[0].linear / e[1].linear > 3.6 && e[1].linear / e[2].linear > 3.6);
    assert_true(e[0].angular / e[1].angular > 3.6 && e[1].angular / e[2].angular > 3.6);
}

static void eulerKeepsMomentumToFirstOrder(void** state)
{
    (void)state;
    MomentumError e[3];
    for (int i = 0; i < 3; ++i) {
        double h = 1e-3 / (1 << i);
        e[i] = fly(h, 10, sn_integratorEuler, 0);
        print_message("euler h %g ms: |dp| %.3g = %.3g h, |dL| %.3g = %.3g h (h in s)\n", 1e3 * h,
                      e[i].linear, e[i].linear / h, e[i].angular, e[i].angular / h);
    }
    // linear: halving the step halves the error, within a fifth
    double ratio_p = e[1].linear / e[2].linear, ratio_L = e[1].angular / e[2].angular;
    assert_true(ratio_p > 1.6 && ratio_p < 2.5);
    assert_true(ratio_L > 1.6 && ratio_L < 2.5);
}

static void rigidCorrectionKeepsMomentumExactly(void** state)
{
    (void)state;
    for (int32_t integrator = 0; integrator < sn_integratorCount; ++integrator) {
        MomentumError e = fly(1e-3, 10, integrator, 1);
        print_message("%s corrected: |dp| %.3g, |dL| %.3g\n", snIntegrator_Name(integrator),
                      e.linear, e.angular);
        assert_below(e.linear, 1e-10);
        assert_below(e.angular, 1e-10);
    }
}

// In contact with the world the correction counts outer wrenches: gravity, a push on an arm, the
// root's torque.
static void correctionCountsOuterImpulses(void** state)
{
    (void)state;
    static Flight f;
    snMessage why;
    const double h = 1e-3;
    takeOff(&f);
    snDynamics_SetGravity(f.d, snV3(0, -9.81, 1));
    snWrench external[16] = {0};
    double tau[NV] = {0.1, 0.2, -0.1, 1, 2, 3};
    external[5].f = snV3(3, -2, 1);
    external[5].n = snV3(0.1, 0, 0.2);
    f.command.external = external;
    f.command.tau = tau;
    snMomentum start = snDynamics_Momentum(f.d);
    for (int n = 0; n < 1000; ++n) {
        sampleArms(f.skeleton, (n + 0.5) * h, f.q_mid, f.qd_mid);
        sampleArms(f.skeleton, (n + 1) * h, f.q_end, f.qd_end);
        assert_ok(snDynamics_Step(f.d, h, sn_integratorMidpoint, 1, &f.command, &why), why);
    }
    snMomentum end = snDynamics_Momentum(f.d);
    // the root's push acts in the anchor's axes, which are the world's here
    snVec3 force =
        snAdd(snAdd(external[5].f, snV3(1, 2, 3)), snScale(start.mass, snV3(0, -9.81, 1)));
    snVec3 gained = snSub(end.linear, start.linear);
    assert_close(gained.x, force.x, 1e-9);
    assert_close(gained.y, force.y, 1e-9);
    assert_close(gained.z, force.z, 1e-9);
    land(&f);
}

static void prescribedJointsFollowToRounding(void** state)
{
    (void)state;
    for (int32_t integrator = 0; integrator < sn_integratorCount; ++integrator) {
        static Flight f;
        snMessage why;
        double q[NV], qd[NV], want_q[NV], want_qd[NV], worst = 0;
        takeOff(&f);
        for (int n = 0; n < 2000; ++n) {
            sampleArms(f.skeleton, (n + 0.5) * 1e-3, f.q_mid, f.qd_mid);
            sampleArms(f.skeleton, (n + 1) * 1e-3, f.q_end, f.qd_end);
            assert_ok(snDynamics_Step(f.d, 1e-3, integrator, 1, &f.command, &why), why);
            snDynamics_GetState(f.d, q, qd);
            sampleArms(f.skeleton, (n + 1) * 1e-3, want_q, want_qd);
            for (int32_t k = 7; k < f.skeleton->nq; ++k) {
                worst = fmax(worst, fabs(q[k] - want_q[k]));
            }
        }
        assert_below(worst, 1e-15);
        land(&f);
    }
}

// Energy ----------------------------------------------------------------------

// Links of 1.5 kg and 0.5 m, let go from horizontal. Energies are measured against m g l of the
// whole chain.
static snSkeleton* makeChain(int32_t links, int32_t joint)
{
    snBoneDef defs[4];
    char names[4][8];
    snMessage why;
    snSkeleton* skeleton;
    for (int32_t i = 0; i < links; ++i) {
        snBoneDef* b = &defs[i];
        snBoneDef_Init(b);
        snprintf(names[i], sizeof names[i], "link%d", (int)i);
        b->name = names[i];
        b->parent = i - 1;
        b->joint = joint;
        b->axis = snV3(0, 0, 1);
        b->axis2 = snV3(0, 1, 0);
        b->anchor.p = snV3(i ? 0.5 : 0, 0, 0);
        b->mass = snMass_Capsule(snV3(0, 0, 0), snV3(0.5, 0, 0), 0.03, 1000);
    }
    assert_ok(snSkeleton_Create(NULL, defs, links, &skeleton, &why), why);
    return skeleton;
}

static double energyDrift(int32_t links, int32_t joint, int64_t steps, double sideways)
{
    snMessage why;
    snSkeleton* skeleton = makeChain(links, joint);
    snDynamics* d = open(skeleton);
    double q[32], qd[32] = {0}, worst = 0;
    snSkeleton_ZeroPose(skeleton, q);
    qd[1] = sideways; // pushes 3D chains out of the plane
    assert_ok(snDynamics_SetState(d, q, qd, &why), why);
    snEnergy e = snDynamics_Energy(d);
    double start = e.kinetic + e.gravity;
    double scale = snSkeleton_Mass(skeleton) * 9.81 * 0.5 * links;
    for (int64_t n = 0; n < steps; ++n) {
        assert_ok(snDynamics_Step(d, 1e-3, sn_integratorMidpoint, 0, NULL, &why), why);
        e = snDynamics_Energy(d);
        worst = fmax(worst, fabs(e.kinetic + e.gravity - start));
    }
    snDynamics_Free(d);
    snSkeleton_Release(skeleton);
    return worst / scale;
}

static void pendulumChainsKeepTheirEnergy(void** state)
{
    (void)state;
    for (int32_t links = 2; links <= 4; ++links) {
        double plane = energyDrift(links, sn_jointRevolute, 100000, 0);
        double space = energyDrift(links, sn_jointBall, 100000, 1);
        print_message(
            "%d links, 100,000 steps of 1 ms: energy within %.3g (plane), %.3g (ball joints) "
            "of m g l\n",
            (int)links, plane, space);
        assert_below(plane, 0.02);
        assert_below(space, 0.02);
    }
}

// Stiff joints ----------------------------------------------------------------

// A light bone on a heavy one, with a spring of 50 Nm/rad on 1e-5 kg m^2 (z = h^2 k / I = 5).
static void stiffSpringOnALightBoneIsStable(void** state)
{
    (void)state;
    for (int32_t integrator = 0; integrator < sn_integratorCount; ++integrator) {
        snMessage why;
        snSkeleton* skeleton;
        snBoneDef defs[2];
        snBoneDef_Init(&defs[0]);
        snBoneDef_Init(&defs[1]);
        defs[0].name = "heavy";
        defs[0].joint = sn_jointBall;
        defs[0].mass = snMass_Capsule(snV3(0, 0, 0), snV3(0.5, 0, 0), 0.05, 1000);
        defs[1].name = "light";
        defs[1].parent = 0;
        defs[1].joint = sn_jointRevolute;
        defs[1].axis = snV3(0, 0, 1);
        defs[1].anchor.p = snV3(0.5, 0, 0);
        defs[1].dof[0].stiffness = 50;
        defs[1].mass = (snMass){0.01, snV3(0, 0, 0), {1e-5, 1e-5, 1e-5, 0, 0, 0}};
        assert_ok(snSkeleton_Create(NULL, defs, 2, &skeleton, &why), why);
        snDynamics* d = open(skeleton);
        double q[5] = {0, 0, 0, 1, 0.5}, qd[4] = {0.5, 0.3, 0, 0};
        assert_ok(snDynamics_SetState(d, q, qd, &why), why);
        snEnergy e = snDynamics_Energy(d);
        double start = e.kinetic + e.gravity + e.elastic, highest = start;
        for (int n = 0; n < 20000; ++n) {
            assert_ok(snDynamics_Step(d, 1e-3, integrator, 0, NULL, &why), why);
            e = snDynamics_Energy(d);
            highest = fmax(highest, e.kinetic + e.gravity + e.elastic);
        }
        snDynamics_GetState(d, q, qd);
        assert_below(fabs(q[4]), 0.05); // it hangs by its spring, at rest in the joint
        assert_below(highest - start, 0.05 * 50 * 0.5 * 0.5 * 0.5);
        snDynamics_Free(d);
        snSkeleton_Release(skeleton);
    }
}

// A spring that steps resolve well keeps its energy: the implicit treatment does not damp it.
static void resolvedSpringsAreNotDamped(void** state)
{
    (void)state;
    snMessage why;
    snSkeleton* skeleton;
    snBoneDef def;
    snBoneDef_Init(&def);
    def.name = "bob";
    def.joint = sn_jointPrismatic;
    def.dof[0].stiffness = 1000; // 5 Hz
    def.mass = (snMass){1, snV3(0, 0, 0), {0.1, 0.1, 0.1, 0, 0, 0}};
    assert_ok(snSkeleton_Create(NULL, &def, 1, &skeleton, &why), why);
    snDynamics* d = open(skeleton);
    double q = 0.1, qd = 0, lowest = 1e9, highest = 0;
    assert_ok(snDynamics_SetState(d, &q, &qd, &why), why);
    for (int n = 0; n < 10000; ++n) {
        assert_ok(snDynamics_Step(d, 1e-3, sn_integratorMidpoint, 0, NULL, &why), why);
        snEnergy e = snDynamics_Energy(d);
        lowest = fmin(lowest, e.kinetic + e.elastic);
        highest = fmax(highest, e.kinetic + e.elastic);
    }
    assert_below(highest / lowest - 1,
                 5e-3); // 50 periods; fully implicit would have lost all of it
    snDynamics_Free(d);
    snSkeleton_Release(skeleton);
}

// Limits and servos -----------------------------------------------------------

// A rod falls onto its limit and stays there; on the way nothing explodes and energy only falls.
static void limitsHoldAndDissipate(void** state)
{
    (void)state;
    snMessage why;
    snSkeleton* skeleton;
    snBoneDef def;
    snBoneDef_Init(&def);
    def.name = "arm";
    def.joint = sn_jointRevolute;
    def.axis = snV3(0, 0, 1);
    def.dof[0].lower = -0.6;
    def.dof[0].upper = 0.6;
    def.mass = snMass_Capsule(snV3(0, 0, 0), snV3(0.5, 0, 0), 0.04, 1000);
    assert_ok(snSkeleton_Create(NULL, &def, 1, &skeleton, &why), why);
    snDynamics* d = open(skeleton);
    double q = 0.5, qd = 0, last = 1e9, deepest = 0;
    assert_ok(snDynamics_SetState(d, &q, &qd, &why), why);
    for (int n = 0; n < 4000; ++n) {
        assert_ok(snDynamics_Step(d, 1e-3, sn_integratorMidpoint, 0, NULL, &why), why);
        snDynamics_GetState(d, &q, &qd);
        snEnergy e = snDynamics_Energy(d);
        double now = e.kinetic + e.gravity + e.elastic;
        assert_below(now - last, 7e-4); // 1e-4 of m g l: the step's own error
        last = now;
        deepest = fmax(deepest, -0.6 - q);
    }
    print_message("rod on its limit: deepest %.3g rad, at rest %.3g rad\n", deepest, -0.6 - q);
    assert_below(fabs(qd), 1e-6);
    assert_true(-0.6 - q > 0 && -0.6 - q < 0.05);
    assert_below(deepest, 0.15);
    snDynamics_Free(d);
    snSkeleton_Release(skeleton);
}

// A ball joint's cone: a spinning rod never leaves it far, its quaternion stays of unit length.
static void ballConesHold(void** state)
{
    (void)state;
    snMessage why;
    snSkeleton* skeleton;
    snBoneDef def;
    snBoneDef_Init(&def);
    def.name = "arm";
    def.joint = sn_jointBall;
    def.axis = snV3(1, 0, 0);
    def.swing = 0.7;
    def.dof[0].lower = -0.5;
    def.dof[0].upper = 0.5;
    def.mass = snMass_Capsule(snV3(0, 0, 0), snV3(0.5, 0, 0), 0.04, 1000);
    assert_ok(snSkeleton_Create(NULL, &def, 1, &skeleton, &why), why);
    snDynamics* d = open(skeleton);
    double q[4] = {0, 0, 0, 1}, qd[3] = {6, 2, 1}, deepest = 0;
    assert_ok(snDynamics_SetState(d, q, qd, &why), why);
    snEnergy start = snDynamics_Energy(d);
    for (int n = 0; n < 5000; ++n) {
        assert_ok(snDynamics_Step(d, 1e-3, sn_integratorMidpoint, 0, NULL, &why), why);
        snDynamics_GetState(d, q, qd);
        snQuat r = snQ(q[0], q[1], q[2], q[3]);
        assert_close(snQDot(r, r), 1, 1e-14);
        snVec3 moved = snQRotate(r, snV3(1, 0, 0));
        deepest = fmax(deepest, acos(fmin(1, moved.x)) - 0.7);
    }
    print_message("rod in its cone: deepest %.3g rad\n", deepest);
    assert_below(deepest, 0.2);
    // along the cone nothing brakes it, but no energy may have come from the limits
    snEnergy end = snDynamics_Energy(d);
    assert_below(end.kinetic + end.gravity + end.elastic, start.kinetic + start.gravity);
    snDynamics_Free(d);
    snSkeleton_Release(skeleton);
}

static void servosArriveAndRespectTheirLimit(void** state)
{
    (void)state;
    snMessage why;
    snSkeleton* skeleton;
    snBoneDef def;
    snBoneDef_Init(&def);
    def.name = "arm";
    def.joint = sn_jointBall;
    def.mass = snMass_Capsule(snV3(0, 0, 0), snV3(0.5, 0, 0), 0.04, 1000);
    assert_ok(snSkeleton_Create(NULL, &def, 1, &skeleton, &why), why);
    snDynamics* d = open(skeleton);
    snDynamics_SetGravity(d, snV3(0, 0, 0));
    snQuat target = snQFromAxisAngle(snNormalize(snV3(1, 2, 3)), 1.2);
    double servo_q[4] = {target.x, target.y, target.z, target.w}, zero[3] = {0};
    double kp[3] = {20, 20, 20}, kd[3] = {4, 4, 4}, strong[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    double weak[3] = {1e-3, 1e-3, 1e-3};
    uint8_t mode = sn_modeServo;
    snJointCommand c = {.mode = &mode,
                        .servo_q = servo_q,
                        .servo_qd = zero,
                        .servo_kp = kp,
                        .servo_kd = kd,
                        .servo_limit = weak};
    double q[4], qd[3];
    for (int n = 0; n < 1000; ++n) {
        assert_ok(snDynamics_Step(d, 1e-3, sn_integratorMidpoint, 0, &c, &why), why);
    }
    snDynamics_GetState(d, q, qd);
    // a torque of 1e-3 Nm for a second on at least 2e-3 kg m^2 cannot do more than this
    assert_below(snLength(snV3(qd[0], qd[1], qd[2])), 0.5);
    c.servo_limit = strong;
    for (int n = 0; n < 5000; ++n) {
        assert_ok(snDynamics_Step(d, 1e-3, sn_integratorMidpoint, 0, &c, &why), why);
    }
    snDynamics_GetState(d, q, qd);
    assert_close(fabs(snQDot(target, snQ(q[0], q[1], q[2], q[3]))), 1, 1e-9);
    snDynamics_Free(d);
    snSkeleton_Release(skeleton);
}

// Where all joints follow, the second solve of a step would be the first again, and is left out.
static void allThatFollowNeedsOneSolve(void** state)
{
    (void)state;
    enum { BONES = 12, MOST = 7 * BONES };
    static Tree tree;
    snRandom r = snRandom_Seed(21);
    TreeKind kind = {BONES, -1, 10, true, true, true};
    snSkeleton* s;
    snArena arena;
    snWorkspace once = {0}, twice = {0};
    uint8_t mode[BONES];
    double q[MOST], qd[MOST], q_mid[MOST], qd_mid[MOST], q_end[MOST], qd_end[MOST];
    randomTree(&r, &kind, &tree);
    snDynamics_Free(makeDynamics(&tree, &s));
    snArena_Init(&arena, NULL);
    snWorkspace_Push(&once, s, &arena);
    snWorkspace_Push(&twice, s, &arena);
    memset(mode, sn_modePosition, sizeof mode);
    randomState(&r, s, 1, 2, q, qd);
    randomState(&r, s, 1, 2, q_mid, qd_mid);
    randomState(&r, s, 1, 2, q_end, qd_end);
    snStep step = {q, qd, 1e-3, sn_integratorMidpoint, {1, -9.81, 2}, NULL};
    snJointCommand command = {
        .mode = mode, .q_mid = q_mid, .qd_mid = qd_mid, .q_end = q_end, .qd_end = qd_end};
    snIntegrate_Begin(&once, &step, &command);
    snIntegrate_Begin(&twice, &step, &command);
    snHybridStep how = {.h = step.h,
                        .midpoint = true,
                        .prescribed = twice.prescribed,
                        .servo = twice.servo,
                        .q = twice.q_mid,
                        .qd = qd};
    snHybridLoad load = {NULL, twice.qdd_given, NULL, step.gravity};
    int32_t bad;
    assert_true(snHybrid_Run(s, twice.motion, &how, &load, &twice.factor, twice.qdd, NULL, &bad));
    snKinematics_Velocity(s, twice.qd_mid, twice.motion);
    snHybrid_Again(s, twice.motion, &how, &load, &twice.factor, twice.qdd, twice.tau);
    assert_true(snIntegrate_Finish(&once, &step, &command, &bad));
    assert_memory_equal(once.tau, twice.tau, (size_t)s->nv * sizeof(double));
    assert_memory_equal(once.qdd, twice.qdd, (size_t)s->nv * sizeof(double));
    assert_memory_equal(once.motion, twice.motion, BONES * sizeof(snBoneMotion));
    snArena_Free(&arena);
    snSkeleton_Release(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(midpointKeepsMomentumToSecondOrder),
        cmocka_unit_test(eulerKeepsMomentumToFirstOrder),
        cmocka_unit_test(rigidCorrectionKeepsMomentumExactly),
        cmocka_unit_test(correctionCountsOuterImpulses),
        cmocka_unit_test(prescribedJointsFollowToRounding),
        cmocka_unit_test(pendulumChainsKeepTheirEnergy),
        cmocka_unit_test(stiffSpringOnALightBoneIsStable),
        cmocka_unit_test(resolvedSpringsAreNotDamped),
        cmocka_unit_test(limitsHoldAndDissipate),
        cmocka_unit_test(ballConesHold),
        cmocka_unit_test(servosArriveAndRespectTheirLimit),
        cmocka_unit_test(allThatFollowNeedsOneSolve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
