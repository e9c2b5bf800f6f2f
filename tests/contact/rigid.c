// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// The laws of a free rigid body: momentum, energy, Euler's equations, and what an impulse does.
#include "contact/rigid.h"
#include "base/random.h"
#include "check.h"

static snVec3 draw(snRandom* r, double size)
{
    double x = snRandom_Range(r, -size, size), y = snRandom_Range(r, -size, size);
    return snV3(x, y, snRandom_Range(r, -size, size));
}

static snQuat drawTurn(snRandom* r)
{
    return snQExp(draw(r, 3));
}

// A body of a few points has an inertia that a body can have.
static snRigid drawRigid(snRandom* r)
{
    snSym3 inertia = {0};
    for (int i = 0; i < 6; ++i) {
        snVec3 d = draw(r, 0.3);
        snMat3 skew = snSkew(d);
        inertia = snSymAdd(inertia, snSymFromMat(snMatScale(-0.5, snMatMul(skew, skew))));
    }
    return snRigid_Make(3, draw(r, 0.1), inertia);
}

// A T of two bars, spun about the axis that does not hold it: it flips over every now and then.
static snRigid handle(void)
{
    snSym3 inertia = {0.0011, 0.0004, 0.0014, 0, 0, 0};
    return snRigid_Make(0.3, snV3(0.02, 0, 0), inertia);
}

static double apart(snVec3 a, snVec3 b)
{
    return snLength(snSub(a, b));
}

// kinetic, J
static double energyOf(const snRigid* rigid, const snRigidState* s)
{
    return 0.5 * (snLengthSq(s->linear) / rigid->mass + snDot(s->angular, snRigid_Spin(rigid, s)));
}

// Where a tiny step by Euler's equations, w' = I^-1 (L x w) in the world, would lead: the spin is
// I^-1 L, and the pose turns with it.
static void test_equations(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    for (int i = 0; i < 200; ++i) {
        snRigid rigid = drawRigid(&r);
        snTransform pose = snT(draw(&r, 2), drawTurn(&r));
        snVec3 v = draw(&r, 2), w = draw(&r, 5);
        snRigidState s = snRigid_Start(&rigid, pose, v, w);
        assert_below(apart(snRigid_Spin(&rigid, &s), w), 1e-10); // rounding by a thin inertia
        assert_below(apart(snRigid_Pose(&rigid, &s).p, pose.p), 1e-14);
        snMat3 R = snMatFromQ(s.q);
        snVec3 L = snSymVec(snSymRotate(R, rigid.inertia), w);
        assert_below(apart(s.angular, L), 1e-12);
        const double h = 1e-5;
        snRigidState on = s, back = s;
        snRigid_Drift(&rigid, &on, h);
        snRigid_Drift(&rigid, &back, -h);
        // the body turns at w: central differences, of second order
        snVec3 turn = snScale(0.5 / h, snQLog(snQMul(on.q, snQConj(back.q))));
        assert_below(apart(turn, w), 1e-4);
        // I w' = L x w in the world: that is what I^-1 turning with the body makes of L
        snVec3 change =
            snScale(0.5 / h, snSub(snRigid_Spin(&rigid, &on), snRigid_Spin(&rigid, &back)));
        snSym3 world = snSymRotate(R, rigid.inertia);
        snVec3 torque = snAdd(snSymVec(world, change), snCross(w, L));
        assert_below(snLength(torque), 1e-4);
        assert_below(apart(snScale(0.5 / h, snSub(on.p, back.p)), v), 1e-9);
    }
}

static void test_handle(void** state)
{
    (void)state;
    snRigid rigid = handle();
    snRigidState s = snRigid_Start(&rigid, snTIdentity(), snV3(0.1, 0.2, 0), snV3(10, 0.01, 0.01));
    snVec3 L = s.angular, P = s.linear;
    double E = energyOf(&rigid, &s), worst = 0;
    int flips = 0;
    bool up = true;
    for (int i = 0; i < 10000; ++i) {
        snRigid_Drift(&rigid, &s, 5e-4);
        snRigid_Kick(&s, 1e-3, snWrenchFrom(snV3(0, 0, 0), snV3(0, 0, 0)));
        snRigid_Drift(&rigid, &s, 5e-4);
        double error = fabs(energyOf(&rigid, &s) / E - 1);
        worst = error > worst ? error : worst;
        bool now = snDot(snQRotate(s.q, snV3(1, 0, 0)), L) > 0;
        flips += now != up;
        up = now;
    }
    print_message("T-handle: %d flips in 10 s, energy within %.2g\n", flips, worst);
    assert_true(flips >= 3); // else nothing was tested
    assert_below(worst, 1e-4);
    assert_memory_equal(&s.angular, &L, sizeof L);
    assert_memory_equal(&s.linear, &P, sizeof P);
    assert_close(snQDot(s.q, s.q), 1, 1e-14);
    assert_below(apart(s.p, snAdd(rigid.com, snV3(1, 2, 0))), 1e-11);
}

// Halving the step quarters the error.
static void test_order(void** state)
{
    (void)state;
    snRigid rigid = handle();
    snQuat end[3];
    for (int k = 0; k < 3; ++k) {
        snRigidState s = snRigid_Start(&rigid, snTIdentity(), snV3(0, 0, 0), snV3(3, 2, 1));
        int steps = k == 2 ? 12800 : 200 << k;
        for (int i = 0; i < steps; ++i) {
            snRigid_Drift(&rigid, &s, 1.0 / steps);
        }
        end[k] = s.q;
    }
    double coarse = snLength(snQLog(snQMul(end[0], snQConj(end[2]))));
    double fine = snLength(snQLog(snQMul(end[1], snQConj(end[2]))));
    print_message("errors after 1 s: %.3g and %.3g\n", coarse, fine);
    assert_true(coarse > 1e-8); // else rounding would be compared
    assert_close(coarse / fine, 4, 0.1);
}

// A symmetric top turns about L at |L|/I and about its own axis, exactly, whatever the step; a ball
// about L alone.
static void test_symmetric(void** state)
{
    (void)state;
    const double moments[4][2] = {{2, 1}, {1, 3}, {1.5, 1.5}, {1, 1 + 1e-13}}; // across, along
    for (int k = 0; k < 4; ++k) {
        double across = moments[k][0], along = moments[k][1];
        snSym3 inertia = {across, across, along, 0, 0, 0};
        snRigid rigid = snRigid_Make(1, snV3(0, 0, 0), inertia);
        snRigidState s = snRigid_Start(&rigid, snTIdentity(), snV3(0, 0, 0), snV3(0.3, 0.1, 0.4));
        snVec3 L = s.angular;
        for (int i = 0; i < 10; ++i) {
            snRigid_Drift(&rigid, &s, 1);
        }
        double own = 10 * L.z * (1 / along - 1 / across);
        snQuat q = snQMul(snQExp(snScale(10 / across, L)), snQFromAxisAngle(snV3(0, 0, 1), own));
        assert_below(snLength(snQLog(snQMul(q, snQConj(s.q)))), 1e-12);
    }
}

// An impulse changes the speed along it by its size over the effective mass, and the energy by its
// size times the mean speed.
static void test_impulse(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    for (int i = 0; i < 500; ++i) {
        snRigid rigid = drawRigid(&r);
        snRigidState s =
            snRigid_Start(&rigid, snT(draw(&r, 2), drawTurn(&r)), draw(&r, 2), draw(&r, 5));
        snVec3 at = snAdd(s.p, draw(&r, 0.3)), n = snNormalize(draw(&r, 1));
        double h = 1e-3, f = snRandom_Range(&r, -100, 100);
        double before = snDot(n, snRigid_Velocity(&rigid, &s, at));
        double energy = energyOf(&rigid, &s);
        double mass = snRigid_EffectiveMass(&rigid, &s, at, n);
        assert_true(mass > 0 && mass <= rigid.mass);
        snVec3 force = snScale(f, n);
        snRigid_Kick(&s, h, snWrenchFrom(snCross(snSub(at, s.p), force), force));
        double after = snDot(n, snRigid_Velocity(&rigid, &s, at));
        assert_relative(after - before, h * f / mass, 1e-9, 1);
        assert_relative(energyOf(&rigid, &s) - energy, 0.5 * (before + after) * h * f, 1e-9, 1);
    }
}

// Swings on springs: what repeated multiplication by M^-1 K finds, at most a quarter more.
static void test_swing(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(4);
    for (int i = 0; i < 100; ++i) {
        snRigid rigid = drawRigid(&r);
        snRigidState s =
            snRigid_Start(&rigid, snT(draw(&r, 2), drawTurn(&r)), draw(&r, 1), draw(&r, 1));
        snSprings springs = {{{0}}};
        for (int k = 0; k <= i % 8; ++k) {
            snSprings_Add(&springs, &s, snAdd(s.p, draw(&r, 0.5)), snNormalize(draw(&r, 1)));
        }
        double w[6] = {1, 0.9, 1.1, 1, 0.8, 1.2}, grown = 0;
        snSym3 inverse = snSymRotate(snMatFromQ(s.q), rigid.inverse);
        for (int n = 0; n < 500; ++n) {
            double f[6] = {0}, size = 0;
            for (int k = 0; k < 36; ++k) {
                f[k / 6] += springs.k[k / 6][k % 6] * w[k % 6];
            }
            snVec3 turn = snSymVec(inverse, snV3(f[3], f[4], f[5]));
            const double next[6] = {
                f[0] / rigid.mass, f[1] / rigid.mass, f[2] / rigid.mass, turn.x, turn.y, turn.z};
            for (int k = 0; k < 6; ++k) {
                size = fmax(size, fabs(next[k]));
            }
            grown = size;
            for (int k = 0; k < 6; ++k) {
                w[k] = next[k] / size;
            }
        }
        double found = snRigid_Swing(&rigid, &s, &springs);
        assert_true(found > (1 - 1e-3) * grown && found < 1.2511 * grown);
    }
}

// Energy and momentum are those of the masses it is made of.
static void test_points(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(3);
    enum { count = 8 };
    const double m = 0.25;
    snVec3 x[count], com = snV3(0, 0, 0);
    for (int i = 0; i < count; ++i) {
        x[i] = draw(&r, 0.5);
        com = snMulAdd(com, 1.0 / count, x[i]);
    }
    snSym3 inertia = {0};
    for (int i = 0; i < count; ++i) {
        snMat3 skew = snSkew(snSub(x[i], com));
        inertia = snSymAdd(inertia, snSymFromMat(snMatScale(-m, snMatMul(skew, skew))));
    }
    snRigid rigid = snRigid_Make(count * m, com, inertia);
    snRigidState s =
        snRigid_Start(&rigid, snT(draw(&r, 2), drawTurn(&r)), draw(&r, 2), draw(&r, 5));
    for (int i = 0; i < 100; ++i) {
        snRigid_Drift(&rigid, &s, 0.01);
    }
    snTransform pose = snRigid_Pose(&rigid, &s);
    snMomentum momentum = snRigid_Momentum(&rigid, &s);
    snVec3 linear = snV3(0, 0, 0), angular = linear;
    double energy = 0;
    for (int i = 0; i < count; ++i) {
        snVec3 at = snTPoint(pose, x[i]), v = snRigid_Velocity(&rigid, &s, at);
        energy += 0.5 * m * snLengthSq(v);
        linear = snMulAdd(linear, m, v);
        angular = snMulAdd(angular, m, snCross(snSub(at, momentum.com), v));
    }
    assert_close(momentum.mass, count * m, 1e-15);
    assert_close(energyOf(&rigid, &s), energy, 1e-11);
    assert_below(apart(linear, momentum.linear), 1e-12);
    assert_below(apart(angular, momentum.angular), 1e-12);
}

// A wild spin is cut into parts, and stays finite.
static void test_wild(void** state)
{
    (void)state;
    snRigid rigid = handle();
    for (int k = 1; k < 8; ++k) {
        double w = pow(10, k);
        snRigidState s = snRigid_Start(&rigid, snTIdentity(), snV3(0, 0, 0), snV3(w, w, w));
        double E = energyOf(&rigid, &s);
        for (int i = 0; i < 1000; ++i) {
            snRigid_Drift(&rigid, &s, 1e-3);
        }
        assert_close(snQDot(s.q, s.q), 1, 1e-14);
        assert_true(isfinite(energyOf(&rigid, &s)));
        if (k <= 3) { // 1000 rad/s at 1 ms
            assert_relative(energyOf(&rigid, &s), E, 1e-3, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equations), cmocka_unit_test(test_handle),
        cmocka_unit_test(test_order),     cmocka_unit_test(test_symmetric),
        cmocka_unit_test(test_impulse),   cmocka_unit_test(test_swing),
        cmocka_unit_test(test_points),    cmocka_unit_test(test_wild)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
