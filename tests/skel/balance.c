// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Mass matrix, momentum and energy: what they are, and that motion changes them as mechanics says.
#include "skel/balance.h"
#include "linsolve/dense.h"
#include "skel/dynamics.h"
#include "skel/joint.h"
#include "skel/tree.h"

#define NV (6 * TREE_BONES)
#define NQ (7 * TREE_BONES)

// Central differences over 4e-6 s of quantities with third derivatives of at most 1e5 of their
// size.
#define STEP 2e-6
#define DERIVATIVE 1e-7
#define ROUNDING 1e-12

typedef struct Body {
    snSkeleton* skeleton;
    snDynamics* d;
    int32_t n, nv;
    double q[NQ], qd[NV], qdd[NV], tau[NV];
    snWrench external[TREE_BONES];
    snVec3 gravity;
} Body;

static void setUp(Body* b, snRandom* r, const TreeKind* kind)
{
    static Tree tree;
    snMessage why;
    randomTree(r, kind, &tree);
    for (int32_t i = 0; i < tree.count; ++i) {
        tree.defs[i].mass = randomBox(r, kind->mass_ratio);
    }
    for (int k = 0; kind->free_root && k < 2; ++k) { // nothing ties it to the ground
        tree.defs[0].dof[k].stiffness = 0;
        tree.defs[0].dof[k].damping = 0;
        tree.defs[0].dof[k].armature = 0;
    }
    b->d = makeDynamics(&tree, &b->skeleton);
    b->n = tree.count;
    b->nv = snSkeleton_VelocityCount(b->skeleton);
    randomState(r, b->skeleton, 1, 1, b->q, b->qd);
    assert_ok(snDynamics_SetState(b->d, b->q, b->qd, &why), why);
    b->gravity = randomVec(r, 10);
    snDynamics_SetGravity(b->d, b->gravity);
    for (int32_t k = 0; k < b->nv; ++k) {
        b->tau[k] = snRandom_Range(r, -3, 3);
    }
    for (int32_t i = 0; i < b->n; ++i) {
        b->external[i] = (snWrench){randomVec(r, 2), randomVec(r, 2)};
    }
}

static void tearDown(Body* b)
{
    snDynamics_Free(b->d);
    snSkeleton_Release(b->skeleton);
}

// Puts the state of t seconds on, along the found accelerations.
static void moveAlong(Body* b, double t)
{
    double mean[NV], q[NQ], qd[NV];
    snMessage why;
    for (int32_t k = 0; k < b->nv; ++k) {
        mean[k] = b->qd[k] + 0.5 * t * b->qdd[k];
        qd[k] = b->qd[k] + t * b->qdd[k];
    }
    for (int32_t i = 0; i < b->n; ++i) {
        const snBone* bone = &b->skeleton->bones[i];
        snJoint_Integrate(bone->type, b->q + bone->qi, mean + bone->vi, t, q + bone->qi);
    }
    assert_ok(snDynamics_SetState(b->d, q, qd, &why), why);
}

static void assertVec(snVec3 a, snVec3 b, double tolerance, double size)
{
    assert_below(snLength(snSub(a, b)), tolerance * fmax(size, fmax(snLength(a), snLength(b))));
}

static double largest(const double* x, int32_t n)
{
    double most = 0;
    for (int32_t k = 0; k < n; ++k) {
        most = fmax(most, fabs(x[k]));
    }
    return most;
}

// Definitions -------------------------------------------------------------------------------------

static void massMatrixIsSymmetricPositiveAndGivesTheEnergy(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    static Body b;
    static double M[NV * NV], L[NV * NV];
    for (int n = 0; n < 200; ++n) {
        TreeKind kind = {1 + n % 12, n % 14 < 7 ? n % 7 : -1, 30, n % 2 == 0, n % 3 == 0, false};
        setUp(&b, &r, &kind);
        snDynamics_MassMatrix(b.d, M);
        double energy = 0;
        for (int32_t i = 0; i < b.nv; ++i) {
            for (int32_t j = 0; j < b.nv; ++j) {
                assert_true(M[i * b.nv + j] == M[j * b.nv + i]);
                energy += 0.5 * b.qd[i] * M[i * b.nv + j] * b.qd[j];
            }
        }
        memcpy(L, M, sizeof(double) * (size_t)(b.nv * b.nv));
        assert_true(snCholesky_Factor(L, b.nv));
        assert_relative(snDynamics_Energy(b.d).kinetic, energy, ROUNDING, 1);
        tearDown(&b);
    }
}

static void armatureIsOnTheDiagonal(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    static Tree tree;
    static double M[NV * NV], M0[NV * NV], q[NQ], qd[NV];
    TreeKind kind = {6, -1, 10, true, false, false};
    snSkeleton* s;
    snMessage why;
    for (int n = 0; n < 20; ++n) {
        randomTree(&r, &kind, &tree);
        snDynamics* d = makeDynamics(&tree, &s);
        randomState(&r, s, 1, 1, q, qd);
        assert_ok(snDynamics_SetState(d, q, qd, &why), why);
        snDynamics_MassMatrix(d, M0);
        double bare = snDynamics_Energy(d).kinetic;
        snDynamics_Free(d);
        snSkeleton_Release(s);
        for (int32_t i = 0; i < tree.count; ++i) {
            for (int k = 0; k < 3; ++k) {
                tree.defs[i].dof[k].armature = 0.1 * (k + 1);
            }
        }
        d = makeDynamics(&tree, &s);
        assert_ok(snDynamics_SetState(d, q, qd, &why), why);
        snDynamics_MassMatrix(d, M);
        double more = 0;
        for (int32_t i = 0; i < s->bone_count; ++i) {
            const snBone* b = &s->bones[i];
            bool ball = b->type == sn_jointBall || b->type == sn_jointFree;
            for (int32_t k = 0; k < b->nv; ++k) {
                double rotor = 0.1 * ((ball ? k / 3 : k) + 1);
                M0[(b->vi + k) * (s->nv + 1)] += rotor;
                more += 0.5 * rotor * qd[b->vi + k] * qd[b->vi + k];
            }
        }
        for (int32_t k = 0; k < s->nv * s->nv; ++k) {
            assert_relative(M[k], M0[k], ROUNDING, 1);
        }
        assert_relative(snDynamics_Energy(d).kinetic, bare + more, ROUNDING, 1);
        snDynamics_Free(d);
        snSkeleton_Release(s);
    }
}

// Every bone as a body of its own, with textbook formulas and quaternions.
static void momentumAndEnergyAreSumsOverBones(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(3);
    static Body b;
    for (int n = 0; n < 200; ++n) {
        TreeKind kind = {1 + n % 12, -1, 30, n % 2 == 0, false, false};
        setUp(&b, &r, &kind);
        snVec3 P = snV3(0, 0, 0), L = P, first = P;
        double mass = 0, kinetic = 0, height = 0, turning = 0;
        for (int32_t i = 0; i < b.n; ++i) {
            const snMass* m = &snSkeleton_Bone(b.skeleton, i)->mass;
            snVec3 c = snDynamics_Point(b.d, i, m->com);
            snVec3 v = snDynamics_PointVelocity(b.d, i, m->com);
            snVec3 w = snDynamics_BoneTwist(b.d, i).w;
            snMat3 R = snMatFromQ(snDynamics_BonePose(b.d, i).q);
            snVec3 Iw = snSymVec(snSymRotate(R, m->inertia), w);
            mass += m->mass;
            first = snMulAdd(first, m->mass, c);
            P = snMulAdd(P, m->mass, v);
            L = snAdd(L, snAdd(Iw, snScale(m->mass, snCross(c, v))));
            turning += snLength(Iw) + m->mass * snLength(c) * snLength(v);
            kinetic += 0.5 * (m->mass * snLengthSq(v) + snDot(w, Iw));
            height -= m->mass * snDot(b.gravity, c);
        }
        snMomentum got = snDynamics_Momentum(b.d);
        snVec3 com = snScale(1 / mass, first);
        assert_relative(got.mass, mass, ROUNDING, 0);
        assertVec(got.com, com, ROUNDING, 1);
        assertVec(got.linear, P, ROUNDING, 1);
        assertVec(got.angular, snSub(L, snCross(com, P)), ROUNDING, turning);
        snEnergy e = snDynamics_Energy(b.d);
        assert_relative(e.kinetic, kinetic, ROUNDING, 1);
        assert_close(e.gravity, height, ROUNDING * mass * 100);
        assert_true(e.elastic == 0);
        tearDown(&b);
    }
}

// The inertia of the whole held stiff: L = I w for a rigid rotation of everything.
static void wholeInertiaIsThatOfTheStiffBody(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(4);
    static Body b;
    for (int n = 0; n < 50; ++n) {
        TreeKind kind = {8, -1, 30, true, false, false};
        setUp(&b, &r, &kind);
        memset(b.qd, 0, sizeof b.qd);
        snVec3 w = randomVec(&r, 2);
        snMessage why;
        // the root's rates are in its anchor's axes
        snVec3 local = snQRotate(snQConj(snSkeleton_Bone(b.skeleton, 0)->anchor.q), w);
        snStore3(b.qd, local);
        assert_ok(snDynamics_SetState(b.d, b.q, b.qd, &why), why);
        snSym3 I;
        snMomentum m = snBalance_Momentum(b.skeleton, b.d->ws.motion, &I);
        assertVec(m.angular, snSymVec(I, w), ROUNDING, 1);
        tearDown(&b);
    }
}

// Laws --------------------------------------------------------------------------------------------

// dP/dt = forces, dL/dt = moments about the centre of mass; joint torques and springs change
// neither.
static void momentumChangesByOuterForcesAlone(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(5);
    static Body b;
    for (int n = 0; n < 100; ++n) {
        TreeKind kind = {2 + n % 8, -1, 10, true, n % 2 == 0, n % 4 == 0};
        setUp(&b, &r, &kind);
        assert_true(b.skeleton->bones[0].passive < 0);
        snHybridInput in = {.tau = b.tau, .external = b.external};
        memset(b.tau, 0, 6 * sizeof(double));
        snMomentum now = snDynamics_Momentum(b.d);
        snVec3 force = snScale(now.mass, b.gravity), moment = snV3(0, 0, 0);
        for (int32_t i = 0; i < b.n; ++i) {
            snVec3 arm = snSub(snDynamics_BonePose(b.d, i).p, now.com);
            force = snAdd(force, b.external[i].f);
            moment = snAdd(moment, snAdd(b.external[i].n, snCross(arm, b.external[i].f)));
        }
        snDynamics_Hybrid(b.d, &in, b.qdd, NULL);
        // limits far overstepped accelerate enormously; the differences must stay small beside that
        double step = STEP / (1 + 1e-3 * largest(b.qdd, b.nv));
        moveAlong(&b, step);
        snMomentum after = snDynamics_Momentum(b.d);
        moveAlong(&b, -step);
        snMomentum before = snDynamics_Momentum(b.d);
        double scale = 0.5 / step;
        snVec3 dP = snScale(scale, snSub(after.linear, before.linear));
        snVec3 dL = snScale(scale, snSub(after.angular, before.angular));
        double size = fmax(1, snLength(force)) + now.mass * largest(b.qdd, b.nv);
        assertVec(dP, force, DERIVATIVE, size);
        assertVec(dL, moment, DERIVATIVE, size);
        // the centre of mass moves with P / m
        snVec3 drift = snScale(scale, snSub(after.com, before.com));
        assertVec(snScale(now.mass, drift), now.linear, DERIVATIVE, size);
        tearDown(&b);
    }
}

// d/dt (T + V) = tau . qd + sum wrench . twist - damping power.
static void energyChangesByThePowerPutIn(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(6);
    static Body b;
    for (int n = 0; n < 150; ++n) {
        TreeKind kind = {1 + n % 8, n % 14 < 6 ? 1 + n % 6 : -1, 10, n % 3 == 0, n % 2 == 0, false};
        setUp(&b, &r, &kind);
        double power = 0, scale = 0;
        for (int32_t i = 0; i < b.n; ++i) {
            const snBone* bone = &b.skeleton->bones[i];
            bool ball = bone->type == sn_jointBall || bone->type == sn_jointFree;
            power += snTwistDotWrench(snDynamics_BoneTwist(b.d, i), b.external[i]);
            for (int32_t k = 0; k < bone->nv; ++k) {
                double rate = b.qd[bone->vi + k];
                double c = snSkeleton_Bone(b.skeleton, i)->dof[ball ? k / 3 : k].damping;
                power += b.tau[bone->vi + k] * rate - c * rate * rate;
                scale += fabs(b.tau[bone->vi + k] * rate) + c * rate * rate;
            }
        }
        snHybridInput in = {.tau = b.tau, .external = b.external};
        snDynamics_Hybrid(b.d, &in, b.qdd, NULL);
        moveAlong(&b, STEP);
        snEnergy after = snDynamics_Energy(b.d);
        moveAlong(&b, -STEP);
        snEnergy before = snDynamics_Energy(b.d);
        double gain = after.kinetic + after.gravity + after.elastic -
                      (before.kinetic + before.gravity + before.elastic);
        // rounding of the energies themselves, over the time between
        double size = fabs(after.kinetic) + fabs(after.gravity) + fabs(after.elastic);
        assert_close(gain / (2 * STEP), power,
                     DERIVATIVE * (1 + scale + size) + 1e-14 * size / STEP);
        tearDown(&b);
    }
}

static void assertSame(snVec3 a, snVec3 b)
{
    assert_true(a.x == b.x && a.y == b.y && a.z == b.z);
}

static void whatIsStiffHasTheBitsOfTheSixBySix(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(9);
    snStiff sum = {0};
    snInertia6 all = {0};
    for (int round = 0; round < 50; ++round) {
        snMass mass = randomMass(&r, 100);
        snBone bone = {.mass = mass.mass};
        snBoneMotion motion = {.c = mass.com, .I = mass.inertia};
        snVec3 w = randomVec(&r, 3), v = randomVec(&r, 3), arm = randomVec(&r, 2);
        snStiff J = snStiff_Of(&bone, &motion);
        snInertia6 K = snInertia6_Rigid(&bone, &motion);
        snWrench a = snStiff_Times(&J, w, v), b = snInertia6_Times(&K, w, v);
        assertSame(a.n, b.n);
        assertSame(a.f, b.f);
        snStiff_AddShifted(&sum, &J, arm);
        snInertia6_AddShifted(&all, &K, arm);
        assert_true(sum.A.xx == all.A.xx && sum.A.yy == all.A.yy && sum.A.zz == all.A.zz);
        assert_true(sum.A.xy == all.A.xy && sum.A.xz == all.A.xz && sum.A.yz == all.A.yz);
        assertSame(sum.mc, snV3(all.B.m21, all.B.m02, all.B.m10));
        assert_true(sum.m == all.M.xx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(massMatrixIsSymmetricPositiveAndGivesTheEnergy),
        cmocka_unit_test(armatureIsOnTheDiagonal),
        cmocka_unit_test(momentumAndEnergyAreSumsOverBones),
        cmocka_unit_test(wholeInertiaIsThatOfTheStiffBody),
        cmocka_unit_test(momentumChangesByOuterForcesAlone),
        cmocka_unit_test(energyChangesByThePowerPutIn),
        cmocka_unit_test(whatIsStiffHasTheBitsOfTheSixBySix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
