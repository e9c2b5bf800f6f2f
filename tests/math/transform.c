// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

#include "math/transform.h"
#include "check.h"
#include "math/draw.h"

// some tens of roundings of numbers of size 1
static const double tolerance = 1e-14;

static double gap(snTransform a, snTransform b)
{
    return vecGap(a.p, b.p) + quatGap(a.q, b.q);
}

static void groupLaws(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    for (int i = 0; i < 1000; ++i) {
        snTransform a = drawTransform(&r), b = drawTransform(&r), c = drawTransform(&r);
        assert_below(gap(snTMul(snTMul(a, b), c), snTMul(a, snTMul(b, c))), tolerance);
        assert_below(gap(snTMul(a, snTIdentity()), a), 0);
        assert_below(gap(snTMul(snTIdentity(), a), a), tolerance);
        assert_below(gap(snTMul(a, snTInverse(a)), snTIdentity()), tolerance);
        assert_below(gap(snTMul(snTInverse(a), a), snTIdentity()), tolerance);
    }
}

static void actsOnPointsAndVectors(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    snTransform quarter = snT(snV3(1, 2, 3), snQFromAxisAngle(snV3(0, 1, 0), 0.5 * SN_PI));
    assert_below(vecGap(snTPoint(quarter, snV3(0, 0, 1)), snV3(2, 2, 3)), tolerance);
    for (int i = 0; i < 1000; ++i) {
        snTransform a = drawTransform(&r), b = drawTransform(&r);
        snVec3 p = drawVec(&r), o = drawVec(&r);
        assert_below(vecGap(snTPoint(snTMul(a, b), p), snTPoint(a, snTPoint(b, p))), tolerance);
        assert_below(vecGap(snTPoint(snTInverse(a), snTPoint(a, p)), p), tolerance);
        // vectors are differences of points
        assert_below(vecGap(snTVector(a, snSub(p, o)), snSub(snTPoint(a, p), snTPoint(a, o))),
                     tolerance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groupLaws),
        cmocka_unit_test(actsOnPointsAndVectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
