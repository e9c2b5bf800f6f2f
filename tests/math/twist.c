// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

#include "math/twist.h"
#include "check.h"
#include "math/draw.h"

// some tens of roundings of numbers of size 1
static const double tolerance = 1e-14;

static snTwist drawTwist(snRandom* r)
{
    snVec3 w = drawVec(r);
    return snTwistFrom(w, drawVec(r));
}

static snWrench drawWrench(snRandom* r)
{
    snVec3 n = drawVec(r);
    return snWrenchFrom(n, drawVec(r));
}

static double twistGap(snTwist a, snTwist b)
{
    return vecGap(a.w, b.w) + vecGap(a.v, b.v);
}

static double wrenchGap(snWrench a, snWrench b)
{
    return vecGap(a.n, b.n) + vecGap(a.f, b.f);
}

static void powerIsTheSameAtEveryPointAndInAllAxes(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    for (int i = 0; i < 1000; ++i) {
        snTwist t = drawTwist(&r);
        snWrench g = drawWrench(&r);
        snVec3 at = drawVec(&r);
        snQuat q = drawQuat(&r);
        double power = snTwistDotWrench(t, g);
        assert_close(snTwistDotWrench(snTwistAt(t, at), snWrenchAt(g, at)), power, tolerance);
        assert_close(snTwistDotWrench(snTwistRotate(q, t), snWrenchRotate(q, g)), power, tolerance);
    }
}

static void shiftsAdd(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    for (int i = 0; i < 1000; ++i) {
        snTwist t = drawTwist(&r);
        snWrench g = drawWrench(&r);
        snVec3 a = drawVec(&r), b = drawVec(&r);
        assert_below(twistGap(snTwistAt(snTwistAt(t, a), b), snTwistAt(t, snAdd(a, b))), tolerance);
        assert_below(wrenchGap(snWrenchAt(snWrenchAt(g, a), b), snWrenchAt(g, snAdd(a, b))),
                     tolerance);
        assert_below(wrenchGap(snWrenchAt(snWrenchAt(g, a), snNeg(a)), g), tolerance);
    }
}

static void shiftsAreLinear(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(3);
    for (int i = 0; i < 1000; ++i) {
        snTwist t = drawTwist(&r), u = drawTwist(&r);
        snWrench g = drawWrench(&r), k = drawWrench(&r);
        snVec3 a = drawVec(&r);
        assert_below(twistGap(snTwistAt(snTwistAdd(t, snTwistScale(2, u)), a),
                              snTwistAdd(snTwistAt(t, a), snTwistScale(2, snTwistAt(u, a)))),
                     tolerance);
        assert_below(wrenchGap(snWrenchAt(snWrenchAdd(g, snWrenchScale(2, k)), a),
                               snWrenchAdd(snWrenchAt(g, a), snWrenchScale(2, snWrenchAt(k, a)))),
                     tolerance);
    }
}

// A point r from the body's origin moves as the twist seen there says: difference of positions.
static void twistIsTheMotionOfPoints(void** state)
{
    (void)state;
    const double h = 1e-6; // central difference, error about h^2 = 1e-12, rounding 1e-16/h = 1e-10
    snRandom r = snRandom_Seed(4);
    for (int i = 0; i < 100; ++i) {
        snTwist t = drawTwist(&r);
        snVec3 at = drawVec(&r);
        snVec3 ahead = snMulAdd(snQRotate(snQExp(snScale(h, t.w)), at), h, t.v);
        snVec3 behind = snMulAdd(snQRotate(snQExp(snScale(-h, t.w)), at), -h, t.v);
        snVec3 rate = snScale(1 / (2 * h), snSub(ahead, behind));
        assert_below(vecGap(rate, snTwistAt(t, at).v), 1e-9);
    }
}

// A force that acts in a point has no moment about that point.
static void wrenchOfAForce(void** state)
{
    (void)state;
    snVec3 at = snV3(1, 2, 3), f = snV3(-4, 5, 6);
    snWrench g = snWrenchFrom(snCross(at, f), f);
    assert_below(snLength(snWrenchAt(g, at).n), 0);
    assert_below(vecGap(snWrenchAt(g, at).f, f), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powerIsTheSameAtEveryPointAndInAllAxes),
        cmocka_unit_test(shiftsAdd),
        cmocka_unit_test(shiftsAreLinear),
        cmocka_unit_test(twistIsTheMotionOfPoints),
        cmocka_unit_test(wrenchOfAForce),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
