// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

#include "math/vec.h"
#include "check.h"
#include "math/draw.h"

// a few roundings of numbers of size 1
static const double tolerance = 1e-15;

static void sumsAndScales(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    for (int i = 0; i < 1000; ++i) {
        snVec3 a = drawVec(&r), b = drawVec(&r);
        assert_below(vecGap(snSub(snAdd(a, b), b), a), tolerance);
        assert_below(vecGap(snAdd(a, snNeg(a)), snV3(0, 0, 0)), 0);
        assert_below(vecGap(snMulAdd(a, 3, b), snAdd(a, snScale(3, b))), 0);
        assert_below(vecGap(snMul3(a, snV3(2, 2, 2)), snScale(2, a)), 0);
        assert_close(snDot(snMul3(a, b), snV3(1, 1, 1)), snDot(a, b), tolerance);
    }
}

static void crossIsPerpendicular(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    assert_below(vecGap(snCross(snV3(1, 0, 0), snV3(0, 1, 0)), snV3(0, 0, 1)), 0);
    for (int i = 0; i < 1000; ++i) {
        snVec3 a = drawVec(&r), b = drawVec(&r), c = snCross(a, b);
        assert_close(snDot(a, c), 0, tolerance);
        assert_close(snDot(b, c), 0, tolerance);
        assert_below(vecGap(c, snNeg(snCross(b, a))), 0);
        // Lagrange's identity
        assert_close(snLengthSq(c) + pow(snDot(a, b), 2), snLengthSq(a) * snLengthSq(b), 9e-15);
    }
}

static void normalizeGivesUnitLength(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(3);
    const double scales[] = {1, 1e-140, 1e140};
    for (int i = 0; i < 999; ++i) {
        snVec3 a = snScale(scales[i % 3], drawVec(&r)), u = snNormalize(a);
        assert_close(snLength(u), 1, tolerance);
        assert_close(snDot(u, a) / snLength(a), 1, tolerance);
        snVec3 p = snPerpendicular(u);
        assert_close(snLength(p), 1, tolerance);
        assert_close(snDot(p, u), 0, tolerance);
    }
    assert_below(vecGap(snNormalize(snV3(0, 0, 0)), snV3(0, 0, 0)), 0);
    assert_below(vecGap(snNormalize(snV3(1e-200, 0, 0)), snV3(0, 0, 0)), 1e-300);
    assert_true(isnan(snNormalize(snV3((double)NAN, 0, 0)).x));
    assert_close(snLength(snPerpendicular(snV3(0, 0, 1))), 1, 0);
    assert_close(snLength(snPerpendicular(snV3(0, -1, 0))), 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sumsAndScales),
        cmocka_unit_test(crossIsPerpendicular),
        cmocka_unit_test(normalizeGivesUnitLength),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
