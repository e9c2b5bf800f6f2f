// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// The public workspace: what it refuses, what it keeps, and that its calls agree with each other.
#include "skel/dynamics.h"
#include "skel/joint.h"
#include "skel/tree.h"

#define BONES 12
#define NV (6 * BONES)
#define NQ (7 * BONES)
#define NOTHING ((double)NAN)

// Two ways to the same accelerations differ by rounding times the condition of the mass matrix.
#define SAME 1e-9

typedef struct Body {
    snSkeleton* skeleton;
    snDynamics* d;
    int32_t n, nq, nv;
    double q[NQ], qd[NV];
} Body;

static Body setUp(snRandom* r, const TreeKind* kind, const snHost* host)
{
    static Tree tree;
    Body b;
    snMessage why;
    randomTree(r, kind, &tree);
    for (int32_t i = 0; i < tree.count; ++i) {
        tree.defs[i].mass = randomBox(r, kind->mass_ratio);
    }
    assert_ok(snSkeleton_Create(host, tree.defs, tree.count, &b.skeleton, &why), why);
    assert_ok(snDynamics_Create(host, b.skeleton, &b.d, &why), why);
    b.n = tree.count;
    b.nq = snSkeleton_PositionCount(b.skeleton);
    b.nv = snSkeleton_VelocityCount(b.skeleton);
    randomState(r, b.skeleton, 0.8, 1, b.q, b.qd);
    assert_ok(snDynamics_SetState(b.d, b.q, b.qd, &why), why);
    snDynamics_GetState(b.d, b.q, b.qd); // as normalised
    return b;
}

static void tearDown(Body* b)
{
    snDynamics_Free(b->d);
    snSkeleton_Release(b->skeleton);
}

// The state, and what was computed from it, are those of b->q, b->qd to the bit.
static void assertUnchanged(const Body* b)
{
    double q[NQ], qd[NV];
    static snBoneMotion motion[BONES];
    snDynamics_GetState(b->d, q, qd);
    assert_memory_equal(q, b->q, sizeof(double) * (size_t)b->nq);
    assert_memory_equal(qd, b->qd, sizeof(double) * (size_t)b->nv);
    snKinematics_State(b->skeleton, b->q, b->qd, NULL, motion);
    for (int32_t i = 0; i < b->n; ++i) {
        const snBoneMotion* m = &b->d->ws.motion[i];
        assert_memory_equal(&m->p, &motion[i].p, sizeof(snVec3));
        assert_memory_equal(&m->v, &motion[i].v, sizeof(snVec3));
    }
}

// Creating and setting ----------------------------------------------------------------------------

static void creationChecksItsArguments(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    TreeKind kind = {4, -1, 10, true, false, false};
    Body b = setUp(&r, &kind, NULL);
    snMessage why;
    snDynamics* d = NULL;
    snHost host = {0};
    assert_int_equal(snDynamics_Create(NULL, NULL, &d, &why), sn_errorArgument);
    assert_int_equal(snDynamics_Create(NULL, b.skeleton, NULL, &why), sn_errorArgument);
    assert_int_equal(snDynamics_Create(&host, b.skeleton, &d, &why), sn_errorArgument);
    assert_null(d);
    snDynamics_Free(NULL);
    // a fresh workspace is in the zero pose at rest
    double q[NQ], qd[NV], zero[NQ];
    assert_ok(snDynamics_Create(NULL, b.skeleton, &d, &why), why);
    snDynamics_GetState(d, q, qd);
    snSkeleton_ZeroPose(b.skeleton, zero);
    assert_memory_equal(q, zero, sizeof(double) * (size_t)b.nq);
    for (int32_t k = 0; k < b.nv; ++k) {
        assert_true(qd[k] == 0);
    }
    snDynamics_GetState(d, NULL, NULL); // either may be left out
    snDynamics_Free(d);
    tearDown(&b);
}

static void wrongStatesAreRefused(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    TreeKind kind = {BONES, -1, 10, true, false, false};
    Body b = setUp(&r, &kind, NULL);
    snMessage why;
    assert_int_equal(snDynamics_SetState(b.d, NULL, b.qd, &why), sn_errorArgument);
    assert_int_equal(snDynamics_SetState(b.d, b.q, NULL, &why), sn_errorArgument);
    assert_int_equal(snDynamics_SetState(NULL, b.q, b.qd, &why), sn_errorArgument);
    const double wrong[] = {NOTHING, (double)INFINITY, -(double)INFINITY};
    for (int32_t k = 0; k < b.nq; ++k) {
        double q[NQ];
        memcpy(q, b.q, sizeof q);
        q[k] = wrong[k % 3];
        assert_int_equal(snDynamics_SetState(b.d, q, b.qd, &why), sn_errorArgument);
        assert_non_null(strstr(why.text, "q["));
        assertUnchanged(&b);
    }
    for (int32_t k = 0; k < b.nv; ++k) {
        double qd[NV];
        memcpy(qd, b.qd, sizeof qd);
        qd[k] = wrong[k % 3];
        assert_int_equal(snDynamics_SetState(b.d, b.q, qd, NULL), sn_errorArgument);
        assertUnchanged(&b);
    }
    double q[NQ];
    memcpy(q, b.q, sizeof q);
    q[3] = q[4] = q[5] = q[6] = 0; // the root's rotation
    assert_int_equal(snDynamics_SetState(b.d, q, b.qd, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "bone0"));
    assertUnchanged(&b);
    tearDown(&b);
}

static void rotationsAreNormalised(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(3);
    TreeKind kind = {BONES, -1, 10, true, false, false};
    Body b = setUp(&r, &kind, NULL);
    double q[NQ], got[NQ];
    snMessage why;
    memcpy(q, b.q, sizeof q);
    for (int32_t i = 0; i < b.n; ++i) {
        const snBone* bone = &b.skeleton->bones[i];
        int32_t nq = snJoint_Shape(bone->type)->nq;
        for (int32_t k = bone->qi + nq - 4; bone->ball >= 0 && k < bone->qi + nq; ++k) {
            q[k] *= 3 + i;
        }
    }
    assert_ok(snDynamics_SetState(b.d, q, b.qd, &why), why);
    snDynamics_GetState(b.d, got, NULL);
    for (int32_t k = 0; k < b.nq; ++k) {
        assert_close(got[k], b.q[k], 1e-15);
    }
    tearDown(&b);
}

static void pointsFollowFromPosesAndTwists(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(4);
    TreeKind kind = {BONES, -1, 10, true, false, false};
    static double J[6 * NV];
    for (int n = 0; n < 20; ++n) {
        Body b = setUp(&r, &kind, NULL);
        double qdd[NV];
        for (int32_t k = 0; k < b.nv; ++k) {
            qdd[k] = snRandom_Range(&r, -1, 1);
        }
        snDynamics_SetAcceleration(b.d, qdd);
        for (int32_t i = 0; i < b.n; ++i) {
            snVec3 x = randomVec(&r, 0.5);
            snTransform T = snDynamics_BonePose(b.d, i);
            snTwist u = snDynamics_BoneTwist(b.d, i), a = snDynamics_BoneAcceleration(b.d, i);
            snVec3 arm = snQRotate(T.q, x), v = snAdd(u.v, snCross(u.w, arm));
            snVec3 dv = snAdd(snAdd(a.v, snCross(a.w, arm)), snCross(u.w, snCross(u.w, arm)));
            assert_below(snLength(snSub(snDynamics_Point(b.d, i, x), snAdd(T.p, arm))), 1e-13);
            assert_below(snLength(snSub(snDynamics_PointVelocity(b.d, i, x), v)), 1e-12);
            assert_below(snLength(snSub(snDynamics_PointAcceleration(b.d, i, x), dv)), 1e-10);
            snDynamics_Jacobian(b.d, i, x, J);
            double sum[6] = {0};
            for (int32_t k = 0; k < 6 * b.nv; ++k) {
                sum[k / b.nv] += J[k] * b.qd[k % b.nv];
            }
            assert_below(snLength(snSub(snLoad3(sum), u.w)), 1e-12);
            assert_below(snLength(snSub(snLoad3(sum + 3), v)), 1e-12);
        }
        tearDown(&b);
    }
}

// Accelerations are true ones, whatever gravity the weights come from.
static void gravityPullsAndDoesNotBias(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(5);
    TreeKind kind = {1, sn_jointFree, 10, true, false, false};
    Body b = setUp(&r, &kind, NULL);
    double qdd[6], zero[6] = {0};
    snVec3 g = snV3(1, 2, 3), com = snSkeleton_Bone(b.skeleton, 0)->mass.com;
    snDynamics_Hybrid(b.d, NULL, qdd, NULL);
    snVec3 a = snDynamics_PointAcceleration(b.d, 0, com);
    assert_below(snLength(snSub(a, snV3(0, -9.81, 0))), 1e-12); // the default
    snDynamics_SetGravity(b.d, g);
    snDynamics_Hybrid(b.d, NULL, qdd, NULL);
    a = snDynamics_PointAcceleration(b.d, 0, com);
    assert_below(snLength(snSub(a, g)), 1e-12);
    snMessage why;
    assert_ok(snDynamics_SetState(b.d, b.q, zero, &why), why);
    snDynamics_SetAcceleration(b.d, zero);
    a = snDynamics_PointAcceleration(b.d, 0, com);
    assert_below(snLength(a), 1e-14);
    tearDown(&b);
}

// A wrench on a bone does what the joint torques J' wrench do.
static void wrenchesAreTransposedJacobianTorques(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(6);
    static double J[6 * NV];
    for (int n = 0; n < 60; ++n) {
        TreeKind kind = {1 + n % BONES, n % 14 < 6 ? 1 + n % 6 : -1, 10, n % 2 == 0, n % 3 == 0,
                         n % 5 == 0};
        Body b = setUp(&r, &kind, NULL);
        snWrench external[BONES];
        double tau[NV], given[NV], qdd[NV], other[NV], size = 1, worst = 0;
        for (int32_t k = 0; k < b.nv; ++k) {
            tau[k] = given[k] = snRandom_Range(&r, -2, 2);
        }
        for (int32_t i = 0; i < b.n; ++i) {
            external[i] = (snWrench){randomVec(&r, 2), randomVec(&r, 2)};
            double w[6];
            snStore3(w, external[i].n);
            snStore3(w + 3, external[i].f);
            snDynamics_Jacobian(b.d, i, snV3(0, 0, 0), J);
            for (int32_t k = 0; k < 6 * b.nv; ++k) {
                tau[k % b.nv] += J[k] * w[k / b.nv];
            }
        }
        snHybridInput by_wrench = {.tau = given, .external = external}, by_tau = {.tau = tau};
        snDynamics_Hybrid(b.d, &by_wrench, qdd, NULL);
        snDynamics_Hybrid(b.d, &by_tau, other, NULL);
        for (int32_t k = 0; k < b.nv; ++k) {
            size = fmax(size, fabs(qdd[k]));
            worst = fmax(worst, fabs(qdd[k] - other[k]));
        }
        assert_below(worst, SAME * size);
        tearDown(&b);
    }
}

// A massless turntable about x and a point mass that slides along y: on the axis there is nothing
// to turn.
static Body makeTurntable(void)
{
    snBoneDef defs[2];
    snMessage why;
    Body b = {.n = 2, .nq = 2, .nv = 2};
    snBoneDef_Init(&defs[0]);
    snBoneDef_Init(&defs[1]);
    defs[0].name = "table";
    defs[0].joint = sn_jointRevolute;
    defs[1].name = "mass";
    defs[1].parent = 0;
    defs[1].joint = sn_jointPrismatic;
    defs[1].axis = snV3(0, 1, 0);
    defs[1].mass = snMass_Point(1, snV3(0, 1, 0));
    assert_ok(snSkeleton_Create(NULL, defs, 2, &b.skeleton, &why), why);
    assert_ok(snDynamics_Create(NULL, b.skeleton, &b.d, &why), why);
    return b;
}

static void posesWithoutInertiaAreReported(void** state)
{
    (void)state;
    Body b = makeTurntable();
    snMessage why;
    double tau[2] = {3, 4}, qdd[2], out[2];
    uint8_t prescribed[2] = {1, 1};
    snHybridInput inverse = {.prescribed = prescribed, .qdd = tau}, forward = {.tau = tau};
    snDynamics_Hybrid(b.d, &inverse, qdd, out); // leaves other torques behind
    b.q[1] = -1;
    assert_ok(snDynamics_SetState(b.d, b.q, b.qd, &why), why);
    for (int32_t integrator = 0; integrator < sn_integratorCount; ++integrator) {
        assert_int_equal(snDynamics_Step(b.d, 1e-3, integrator, 1, NULL, &why), sn_errorNumeric);
        assert_non_null(strstr(why.text, "table"));
        assertUnchanged(&b);
    }
    snDynamics_Hybrid(b.d, &forward, qdd, out);
    for (int k = 0; k < 2; ++k) {
        assert_true(qdd[k] == 0);
        assert_true(out[k] == 0); // not those of an earlier call
    }
    tearDown(&b);
}

// Commands ----------------------------------------------------------------------------------------

typedef struct Orders {
    uint8_t mode[BONES];
    double tau[NV], qdd[NV], q_mid[NQ], qd_mid[NV], q_end[NQ], qd_end[NV];
    double servo_q[NQ], servo_qd[NV], kp[NV], kd[NV], limit[NV];
    snWrench external[BONES];
    snJointCommand command;
} Orders;

static void fillOrders(const Body* b, int32_t mode, Orders* o)
{
    memset(o, 0, sizeof *o);
    memset(o->mode, mode, sizeof o->mode);
    memcpy(o->q_mid, b->q, sizeof o->q_mid);
    memcpy(o->q_end, b->q, sizeof o->q_end);
    memcpy(o->servo_q, b->q, sizeof o->servo_q);
    for (int32_t k = 0; k < NV; ++k) {
        o->kp[k] = 1, o->kd[k] = 1, o->limit[k] = (double)INFINITY;
    }
    o->command = (snJointCommand){o->mode,  o->tau,    o->qdd,     o->q_mid,    o->qd_mid,
                                  o->q_end, o->qd_end, o->servo_q, o->servo_qd, o->kp,
                                  o->kd,    o->limit,  o->external};
}

static void assertStepRefused(Body* b, const snJointCommand* command, const char* says)
{
    snMessage why;
    for (int32_t integrator = 0; integrator < sn_integratorCount; ++integrator) {
        assert_int_equal(snDynamics_Step(b->d, 1e-3, integrator, 1, command, &why),
                         sn_errorArgument);
        if (!strstr(why.text, says)) {
            fail_msg("'%s' does not say '%s'", why.text, says);
        }
        assertUnchanged(b);
    }
}

static void stepsCheckTheirArguments(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(7);
    TreeKind kind = {6, -1, 10, true, false, false};
    Body b = setUp(&r, &kind, NULL);
    snMessage why;
    const double steps[] = {0, -1e-3, 1.5, NOTHING, (double)INFINITY};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; ++i) {
        assert_int_equal(snDynamics_Step(b.d, steps[i], 0, 0, NULL, &why), sn_errorArgument);
        assertUnchanged(&b);
    }
    assert_int_equal(snDynamics_Step(b.d, 1e-3, -1, 0, NULL, &why), sn_errorArgument);
    assert_int_equal(snDynamics_Step(b.d, 1e-3, sn_integratorCount, 0, NULL, NULL),
                     sn_errorArgument);
    assert_int_equal(snDynamics_Step(NULL, 1e-3, 0, 0, NULL, &why), sn_errorArgument);
    assertUnchanged(&b);
    assert_string_equal(snIntegrator_Name(sn_integratorEuler), "euler");
    assert_null(snIntegrator_Name(sn_integratorCount));
    static Orders o;
    fillOrders(&b, sn_modeCount, &o);
    assertStepRefused(&b, &o.command, "bone0");
    // arrays that a mode needs: four for positions, five for servos
#define NEEDS(array) offsetof(snJointCommand, array)
    const size_t needs[] = {NEEDS(q_mid),    NEEDS(qd_mid),   NEEDS(q_end),
                            NEEDS(qd_end),   NEEDS(servo_q),  NEEDS(servo_qd),
                            NEEDS(servo_kp), NEEDS(servo_kd), NEEDS(servo_limit)};
    for (int i = 0; i < 9; ++i) {
        fillOrders(&b, i < 4 ? sn_modePosition : sn_modeServo, &o);
        memset((char*)&o.command + needs[i], 0, sizeof(void*));
        assertStepRefused(&b, &o.command, i < 4 ? "position mode needs" : "servo mode needs");
    }
    tearDown(&b);
}

static void wrongCommandsAreRefused(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(8);
    TreeKind kind = {6, -1, 10, true, false, false};
    Body b = setUp(&r, &kind, NULL);
    static Orders o;
    struct {
        int32_t mode;
        double* at;
        double value;
    } wrong[] = {{sn_modeTorque, &o.tau[2], NOTHING},
                 {sn_modeServo, &o.tau[2], (double)INFINITY},
                 {sn_modeAcceleration, &o.qdd[1], NOTHING},
                 {sn_modePosition, &o.q_mid[0], NOTHING},
                 {sn_modePosition, &o.q_mid[6], 3},
                 {sn_modePosition, &o.q_end[1], (double)INFINITY},
                 {sn_modePosition, &o.q_end[5], 3},
                 {sn_modePosition, &o.qd_mid[0], NOTHING},
                 {sn_modePosition, &o.qd_end[0], NOTHING},
                 {sn_modeServo, &o.servo_q[0], NOTHING},
                 {sn_modeServo, &o.servo_qd[3], NOTHING},
                 {sn_modeServo, &o.kp[0], NOTHING},
                 {sn_modeServo, &o.kp[0], -1},
                 {sn_modeServo, &o.kd[3], -1},
                 {sn_modeServo, &o.limit[3], NOTHING},
                 {sn_modeServo, &o.limit[0], -1},
                 {sn_modeTorque, &o.external[0].n.x, NOTHING},
                 {sn_modePosition, &o.external[0].f.z, NOTHING}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        fillOrders(&b, wrong[i].mode, &o);
        *wrong[i].at = wrong[i].value;
        assertStepRefused(&b, &o.command, "bone0");
    }
    // what no joint's mode reads may be anything
    snMessage why;
    fillOrders(&b, sn_modeTorque, &o);
    o.qdd[0] = o.q_mid[0] = o.servo_q[0] = o.kp[0] = NOTHING;
    assert_ok(snDynamics_Step(b.d, 1e-3, 0, 0, &o.command, &why), why);
    tearDown(&b);
}

// Finite commands that lead out of the numbers: an error, and the state stays.
static void stepsThatOverflowLeaveTheState(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(9);
    TreeKind kind = {6, -1, 10, true, false, false};
    Body b = setUp(&r, &kind, NULL);
    static Orders o;
    snMessage why;
    fillOrders(&b, sn_modeTorque, &o);
    for (int32_t k = 0; k < b.nv; ++k) {
        o.tau[k] = 1e300;
    }
    for (int32_t integrator = 0; integrator < sn_integratorCount; ++integrator) {
        assert_int_equal(snDynamics_Step(b.d, 1, integrator, 1, &o.command, &why), sn_errorNumeric);
        assert_true(why.text[0] != 0);
        assertUnchanged(&b);
    }
    snDynamics_SetGravity(b.d, snV3(NOTHING, 0, 0)); // ignored
    assert_ok(snDynamics_Step(b.d, 1e-3, 0, 1, NULL, &why), why);
    tearDown(&b);
}

// Wrong arguments of calls without a status are harmless.
static void strayCallsAreHarmless(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(12);
    TreeKind kind = {3, -1, 10, true, false, false};
    Body b = setUp(&r, &kind, NULL);
    for (int n = 0; n < 4; ++n) {
        const int32_t stray[4] = {-1, 3, INT32_MAX, INT32_MIN};
        snTransform pose = snDynamics_BonePose(b.d, stray[n]);
        assert_close(snLength(pose.p), 0, 0);
        assert_close(pose.q.w, 1, 0);
        assert_close(snLength(snDynamics_PointVelocity(b.d, stray[n], snV3(1, 2, 3))), 0, 0);
        snDynamics_Jacobian(b.d, stray[n], snV3(0, 0, 0), NULL);
    }
    assert_int_equal(snDynamics_Hybrid(NULL, NULL, NULL, NULL), sn_errorArgument);
    snDynamics_SetAcceleration(b.d, NULL);
    snDynamics_GetState(NULL, NULL, NULL);
    snDynamics_MassMatrix(b.d, NULL);
    assert_close(snDynamics_Momentum(NULL).mass, 0, 0);
    assert_int_equal(snSkeleton_BoneCount(NULL), 0);
    assert_null(snSkeleton_Retain(NULL));
    tearDown(&b);
}

static void noCommandIsAPassiveOne(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(10);
    TreeKind kind = {8, -1, 10, true, true, true};
    Body b = setUp(&r, &kind, NULL);
    static Orders o;
    snMessage why;
    double q[NQ], qd[NV], q2[NQ], qd2[NV];
    fillOrders(&b, sn_modeTorque, &o);
    assert_ok(snDynamics_Step(b.d, 1e-3, 0, 1, NULL, &why), why);
    snDynamics_GetState(b.d, q, qd);
    assert_ok(snDynamics_SetState(b.d, b.q, b.qd, &why), why);
    assert_ok(snDynamics_Step(b.d, 1e-3, 0, 1, &o.command, &why), why);
    snDynamics_GetState(b.d, q2, qd2);
    for (int32_t k = 0; k < b.nv; ++k) {
        assert_close(qd[k], qd2[k], 1e-14);
    }
    tearDown(&b);
}

// Joints change between torque-driven and prescribed at every step, at random. The prescribed ones
// are given the accelerations that a run without prescribed joints had, so the others must find
// theirs too, and the run stays.
static double switchModes(snRandom* r, int32_t integrator, bool springs)
{
    TreeKind kind = {6, -1, 10, true, springs, false};
    Body b = setUp(r, &kind, NULL);
    static Orders o;
    snMessage why;
    const double h = 1e-3;
    double q[NQ], qd[NV], q2[NQ], qd2[NV], worst = 0, size = 1;
    for (int n = 0; n < 60; ++n) {
        snDynamics_GetState(b.d, b.q, b.qd);
        assert_ok(snDynamics_Step(b.d, h, integrator, 0, NULL, &why), why);
        snDynamics_GetState(b.d, q, qd);
        fillOrders(&b, sn_modeTorque, &o);
        for (int32_t i = 0; i < b.n; ++i) {
            o.mode[i] = snRandom_Unit(r) < 0.5 ? sn_modeAcceleration : sn_modeTorque;
        }
        for (int32_t k = 0; k < b.nv; ++k) {
            o.qdd[k] = (qd[k] - b.qd[k]) / h;
            size = fmax(size, fabs(o.qdd[k]));
        }
        assert_ok(snDynamics_SetState(b.d, b.q, b.qd, &why), why);
        assert_ok(snDynamics_Step(b.d, h, integrator, 0, &o.command, &why), why);
        snDynamics_GetState(b.d, q2, qd2);
        for (int32_t k = 0; k < b.nv; ++k) {
            worst = fmax(worst, fabs(qd2[k] - qd[k]) / (h * size));
        }
    }
    tearDown(&b);
    return worst;
}

static void modesMayChangeAtAnyStep(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(11);
    double euler = 0, midpoint = 0;
    for (int n = 0; n < 6; ++n) {
        euler = fmax(euler, switchModes(&r, sn_integratorEuler, n % 2));
        midpoint = fmax(midpoint, switchModes(&r, sn_integratorMidpoint, n % 2));
    }
    print_message("accelerations apart: euler %.2g, midpoint %.2g\n", euler, midpoint);
    assert_below(euler, SAME); // the same equations, solved for other unknowns
    // midpoint's first solve has the mid-step velocity only to first order: h^2 is left in the
    // accelerations
    assert_below(midpoint, 1e-3);
}

// Turning the momentum correction off for a while and on again must not bring an old momentum back.
static void theCorrectionForgetsWhenOff(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(12);
    TreeKind kind = {6, -1, 10, true, false, false};
    Body b = setUp(&r, &kind, NULL);
    snMessage why;
    assert_ok(snDynamics_Step(b.d, 1e-3, 0, 1, NULL, &why), why);
    for (int n = 0; n < 100; ++n) { // falls
        assert_ok(snDynamics_Step(b.d, 1e-3, 0, 0, NULL, &why), why);
    }
    snMomentum before = snDynamics_Momentum(b.d);
    assert_ok(snDynamics_Step(b.d, 1e-3, 0, 1, NULL, &why), why);
    snMomentum after = snDynamics_Momentum(b.d);
    snVec3 impulse = snScale(1e-3 * before.mass, snV3(0, -9.81, 0));
    snVec3 gained = snSub(after.linear, before.linear);
    assert_below(snLength(snSub(gained, impulse)), 1e-9 * before.mass);
    tearDown(&b);
}

// Memory ------------------------------------------------------------------------------------------

static void* count(void* user, size_t bytes, size_t alignment)
{
    ++*(int*)user;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void release(void* user, void* memory, size_t bytes)
{
    (void)user;
    (void)bytes;
    free(memory);
}

static void onlyCreateTakesMemory(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(13);
    TreeKind kind = {BONES, -1, 10, true, true, true};
    snHost host;
    int calls = 0;
    snHost_Init(&host);
    host.user = &calls;
    host.allocate = count;
    host.release = release;
    Body b = setUp(&r, &kind, &host);
    static double M[NV * NV], J[6 * NV];
    static Orders o;
    double qdd[NV], tau[NV];
    snMessage why;
    snIkDef ik;
    snIkTarget target = {.bone = BONES - 1, .rotation = {0, 0, 0, 1}, .position_weight = 1};
    assert_true(calls > 0);
    calls = 0;
    for (int32_t n = 0; n < 2 * sn_modeCount; ++n) {
        fillOrders(&b, n / 2, &o);
        assert_ok(snDynamics_Step(b.d, 1e-3, n % 2, 1, &o.command, &why), why);
    }
    snDynamics_Hybrid(b.d, NULL, qdd, tau);
    snDynamics_MassMatrix(b.d, M);
    snDynamics_Jacobian(b.d, 1, snV3(0, 0, 0), J);
    snDynamics_Momentum(b.d);
    snDynamics_Energy(b.d);
    snIkDef_Init(&ik);
    for (ik.method = 0; ik.method <= sn_ikJacobianTranspose; ++ik.method) {
        assert_ok(snDynamics_SolveIk(b.d, &ik, &target, 1, NULL, &why), why);
    }
    assert_int_equal(calls, 0);
    tearDown(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(creationChecksItsArguments),
        cmocka_unit_test(wrongStatesAreRefused),
        cmocka_unit_test(rotationsAreNormalised),
        cmocka_unit_test(pointsFollowFromPosesAndTwists),
        cmocka_unit_test(gravityPullsAndDoesNotBias),
        cmocka_unit_test(wrenchesAreTransposedJacobianTorques),
        cmocka_unit_test(posesWithoutInertiaAreReported),
        cmocka_unit_test(stepsCheckTheirArguments),
        cmocka_unit_test(wrongCommandsAreRefused),
        cmocka_unit_test(stepsThatOverflowLeaveTheState),
        cmocka_unit_test(strayCallsAreHarmless),
        cmocka_unit_test(noCommandIsAPassiveOne),
        cmocka_unit_test(modesMayChangeAtAnyStep),
        cmocka_unit_test(theCorrectionForgetsWhenOff),
        cmocka_unit_test(onlyCreateTakesMemory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
