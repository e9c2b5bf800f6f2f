// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

#include "math/quat.h"
#include "check.h"
#include "math/draw.h"

// some tens of roundings of numbers of size 1
static const double tolerance = 1e-14;

static void groupLaws(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    for (int i = 0; i < 1000; ++i) {
        snQuat a = drawQuat(&r), b = drawQuat(&r), c = drawQuat(&r);
        assert_below(quatGap(snQMul(snQMul(a, b), c), snQMul(a, snQMul(b, c))), tolerance);
        assert_below(quatGap(snQMul(a, snQIdentity()), a), 0);
        assert_below(quatGap(snQMul(a, snQConj(a)), snQIdentity()), tolerance);
        assert_close(snQDot(snQMul(a, b), snQMul(a, b)), 1, tolerance);
    }
}

static void rotationActsAsItsMatrix(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    for (int i = 0; i < 1000; ++i) {
        snQuat a = drawQuat(&r), b = drawQuat(&r);
        snVec3 v = drawVec(&r), w = drawVec(&r);
        snMat3 R = snMatFromQ(a);
        assert_below(vecGap(snQRotate(a, v), snMatVec(R, v)), tolerance);
        assert_below(vecGap(snQRotate(snQNegate(a), v), snQRotate(a, v)), tolerance);
        assert_below(vecGap(snQRotate(snQMul(a, b), v), snQRotate(a, snQRotate(b, v))), tolerance);
        assert_close(snDot(snQRotate(a, v), snQRotate(a, w)), snDot(v, w), tolerance);
        assert_close(snDet(R), 1, tolerance);
        assert_below(quatGap(snQFromMat(R), a), tolerance);
    }
}

static void matrixOfAnyRotationComesBack(void** state)
{
    (void)state;
    // half turns and near half turns about every kind of axis, where each of the four cases is
    // needed
    for (int i = 0; i < 81; ++i) {
        double tiny = 1e-9;
        double c[4] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 % 3 - 1, i / 27 - 1};
        for (int k = 0; k < 2; ++k) {
            snQuat q = snQ(c[0] + k * tiny, c[1] - k * tiny, c[2] + 2 * k * tiny, c[3] + k * tiny);
            q = snQNormalize(q);
            assert_below(quatGap(snQFromMat(snMatFromQ(q)), q), tolerance);
        }
    }
}

static void axisAngleTurnsRightHanded(void** state)
{
    (void)state;
    snQuat q = snQFromAxisAngle(snV3(0, 0, 1), 0.5 * SN_PI);
    assert_below(vecGap(snQRotate(q, snV3(1, 0, 0)), snV3(0, 1, 0)), tolerance);
    snRandom r = snRandom_Seed(3);
    for (int i = 0; i < 1000; ++i) {
        snVec3 axis = snNormalize(drawVec(&r));
        double a = snRandom_Range(&r, -7, 7), b = snRandom_Range(&r, -7, 7);
        assert_below(quatGap(snQMul(snQFromAxisAngle(axis, a), snQFromAxisAngle(axis, b)),
                             snQFromAxisAngle(axis, a + b)),
                     tolerance);
        assert_below(quatGap(snQFromAxisAngle(axis, a), snQExp(snScale(a, axis))), tolerance);
    }
}

static void logUndoesExp(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(4);
    const double angles[] = {0,    1e-300, 1e-160, 1e-20, 1e-8,  9.9e-5,        1.01e-4,
                             0.01, 1,      2,      3,     3.141, SN_PI - 1e-10, SN_PI};
    for (int i = 0; i < 1400; ++i) {
        double angle = angles[i % 14];
        snVec3 v = snScale(angle, snNormalize(drawVec(&r))), back = snQLog(snQExp(v));
        assert_close(snQDot(snQExp(v), snQExp(v)), 1, tolerance);
        // at half a turn the axis may point either way
        double gap = vecGap(back, v), other = vecGap(back, snNeg(v));
        assert_below(angle > 3.1415926 && other < gap ? other : gap, tolerance * angle);
        assert_below(snLength(back), SN_PI + tolerance);
        assert_below(vecGap(snQLog(snQNegate(snQExp(v))), back), angle < 3.14 ? 0 : 7);
        // longer ways round come back as the shortest
        snVec3 longer = snScale((angle + 2 * SN_PI) / (angle > 0 ? angle : 1), v);
        if (angle > 1e-8 && angle < 3.1) {
            assert_below(vecGap(snQLog(snQExp(longer)), v), tolerance);
        }
    }
    assert_below(snLength(snQLog(snQ(0, 0, 0, 0))), 0);
}

static void expSatisfiesItsEquation(void** state)
{
    (void)state;
    // d/dt exp(t v) = v exp(t v)/2; central difference with error h^2 |v|^3/48
    const double h = 1e-4;
    snRandom r = snRandom_Seed(5);
    for (int i = 0; i < 100; ++i) {
        snVec3 v = drawVec(&r);
        double t = snRandom_Range(&r, -3, 3);
        snQuat a = snQExp(snScale(t - h, v)), b = snQExp(snScale(t + h, v));
        snQuat rate = snQ((b.x - a.x) / (2 * h), (b.y - a.y) / (2 * h), (b.z - a.z) / (2 * h),
                          (b.w - a.w) / (2 * h));
        snQuat law = snQMul(snQ(0.5 * v.x, 0.5 * v.y, 0.5 * v.z, 0), snQExp(snScale(t, v)));
        assert_close(rate.x, law.x, 1e-8);
        assert_close(rate.y, law.y, 1e-8);
        assert_close(rate.z, law.z, 1e-8);
        assert_close(rate.w, law.w, 1e-8);
    }
}

static void normalizeIsSafe(void** state)
{
    (void)state;
    assert_below(quatGap(snQNormalize(snQ(0, 0, 0, 0)), snQIdentity()), 0);
    assert_below(quatGap(snQNormalize(snQ(1e-160, 0, 0, 0)), snQIdentity()), 0);
    assert_below(quatGap(snQNormalize(snQ(0, -3, 0, 4)), snQ(0, -0.6, 0, 0.8)), tolerance);
    assert_below(quatGap(snQNormalize(snQ(0, -3e-100, 0, 4e-100)), snQ(0, -0.6, 0, 0.8)),
                 tolerance);
}

static void slerpTurnsEvenly(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(6);
    for (int i = 0; i < 1000; ++i) {
        snQuat a = drawQuat(&r), b = drawQuat(&r);
        double t = snRandom_Unit(&r);
        snVec3 whole = snQLog(snQMul(snQConj(a), b));
        snVec3 part = snQLog(snQMul(snQConj(a), snQSlerp(a, b, t)));
        assert_below(quatGap(snQSlerp(a, b, 0), a), tolerance);
        assert_below(quatGap(snQSlerp(a, b, 1), b), tolerance);
        assert_below(vecGap(part, snScale(t, whole)), tolerance);
        assert_below(quatGap(snQSlerp(a, a, t), a), tolerance);
        assert_below(quatGap(snQSlerp(a, snQNegate(a), t), a), tolerance);
    }
}

static void fromToTakesTheShortWay(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(7);
    for (int i = 0; i < 4000; ++i) {
        snVec3 a = snNormalize(drawVec(&r)), b = snNormalize(drawVec(&r));
        // also nearly the same and nearly opposite, down to exactly
        double tiny = pow(10, -(i / 4 % 20));
        b = i % 4 == 0   ? b
            : i % 4 == 1 ? snNormalize(snMulAdd(snNeg(a), tiny, b))
            : i % 4 == 2 ? snNormalize(snMulAdd(a, tiny, b))
                         : snNeg(a);
        snQuat q = snQFromTo(a, b);
        assert_below(vecGap(snQRotate(q, a), b), tolerance);
        assert_close(snQDot(q, q), 1, tolerance);
        // no turn about a itself: the axis is perpendicular to both
        assert_close(q.x * a.x + q.y * a.y + q.z * a.z, 0, tolerance);
        assert_true(q.w >= 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groupLaws),
        cmocka_unit_test(rotationActsAsItsMatrix),
        cmocka_unit_test(matrixOfAnyRotationComesBack),
        cmocka_unit_test(axisAngleTurnsRightHanded),
        cmocka_unit_test(logUndoesExp),
        cmocka_unit_test(expSatisfiesItsEquation),
        cmocka_unit_test(normalizeIsSafe),
        cmocka_unit_test(slerpTurnsEvenly),
        cmocka_unit_test(fromToTakesTheShortWay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
