// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

#include "math/trig.h"
#include "base/hash.h"
#include "base/random.h"
#include "check.h"

#include <float.h>

// What trig.h promises. Where long double is no wider than double the reference itself is 1 ulp
// off.
static const double promised = LDBL_MANT_DIG > DBL_MANT_DIG ? 2 : 3;

// |value - truth| in units of the last place of truth
static double ulps(double value, long double truth)
{
    int exponent;
    frexp((double)truth, &exponent);
    double unit = ldexp(1, exponent - 53 > -1074 ? exponent - 53 : -1074);
    return (double)(fabsl((long double)value - truth) / (long double)unit);
}

static void checkSinCos(double x)
{
    double s, c;
    snSinCos(x, &s, &c);
    if (!(ulps(s, sinl((long double)x)) <= promised && ulps(c, cosl((long double)x)) <= promised)) {
        print_error("at %.17g: sin %.17g, cos %.17g\n", x, s, c);
        fail();
    }
}

static void sinCosAreAccurate(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    const double ranges[] = {1e-3, 1, 10, 1e3, 1e6, 1e9, 1e15, 1e300};
    for (int k = 0; k < 8; ++k) {
        for (int i = 0; i < 60000; ++i) {
            checkSinCos(snRandom_Range(&r, -ranges[k], ranges[k]));
        }
    }
}

// Next to multiples of pi/2 one of the two is tiny, and every digit of pi counts.
static void sinCosAreAccurateAtTheirZeros(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    for (int i = 0; i < 120000; ++i) {
        // all quarter turns up to 20000, then ever larger ones
        double n = i < 20000 ? i : floor(exp2(snRandom_Range(&r, 14, 60)));
        double x = (double)((long double)n * 1.57079632679489661923132169163975144L);
        checkSinCos(nextafter(x, 0));
        checkSinCos(x);
        checkSinCos(nextafter(x, 1e300));
    }
    // the double nearest to a multiple of pi/2 (Muller, Elementary functions, chapter 11)
    double x = ldexp(6381956970095103.0, 797), s, c;
    snSinCos(x, &s, &c);
    assert_close(s, 1, 0);
    assert_relative(c, -4.68716592425462761112e-19, 4e-16, 0);
}

static void sinCosAreOddAndEven(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(3);
    for (int i = 0; i < 100000; ++i) {
        double x = snRandom_Range(&r, 0, i % 2 ? 10 : 1e9);
        assert_true(snSin(-x) == -snSin(x) && snCos(-x) == snCos(x));
    }
    assert_true(signbit(snSin(-0.0)) && snSin(-0.0) == 0);
    assert_false(signbit(snSin(0.0)));
    assert_close(snCos(0), 1, 0);
    const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < 3; ++i) {
        assert_true(isnan(snSin(bad[i])) && isnan(snCos(bad[i])));
    }
    checkSinCos(DBL_MAX);
    checkSinCos(DBL_MIN);
}

static void atan2IsAccurate(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(4);
    for (int i = 0; i < 300000; ++i) {
        double y = snRandom_Range(&r, -1, 1), x = snRandom_Range(&r, -1, 1);
        if (i % 3 == 0) {
            y *= exp2(snRandom_Range(&r, -100, 100));
        } else if (i % 3 == 1) {
            // where the tables meet: 1/4, 3/4, 1
            x = y * (1 + 1e-9 * x) * (double[]){0.25, 0.75, 1, 4, 4.0 / 3}[i / 3 % 5];
        }
        assert_below(ulps(snAtan2(y, x), atan2l((long double)y, (long double)x)), promised);
        assert_true(snAtan2(-y, x) == -snAtan2(y, x));
    }
}

// The C standard's annex F says what zeros and infinities give.
static void atan2AtTheEdges(void** state)
{
    (void)state;
    const double edge[] = {0.0, -0.0, 1, -1, HUGE_VAL, -HUGE_VAL, DBL_MAX, DBL_MIN, (double)NAN};
    for (int i = 0; i < 9; ++i) {
        for (int k = 0; k < 9; ++k) {
            double mine = snAtan2(edge[i], edge[k]), theirs = atan2(edge[i], edge[k]);
            if (isnan(theirs)) {
                assert_true(isnan(mine));
            } else {
                assert_relative(mine, theirs, 3e-16, 0);
                assert_int_equal(signbit(mine) != 0, signbit(theirs) != 0);
            }
        }
    }
}

static void asinAndAcosAreAccurate(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(5);
    for (int i = 0; i < 300000; ++i) {
        double x = snRandom_Range(&r, -1, 1);
        x = i % 4 == 0   ? 1 - exp2(-50 * fabs(x))
            : i % 4 == 1 ? x * exp2(snRandom_Range(&r, -30, 0))
                         : x;
        assert_below(ulps(snAsin(x), asinl((long double)x)), promised);
        assert_below(ulps(snAcos(x), acosl((long double)x)), promised);
        assert_true(snAsin(-x) == -snAsin(x));
    }
    assert_close(snAcos(1), 0, 0);
    assert_close(snAcos(-1), SN_PI, 0);
    assert_close(snAsin(1), SN_PI / 2, 0);
    assert_true(isnan(snAsin(1.0000001)) && isnan(snAcos(-1.0000001)));
}

static void expIsAccurate(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(6);
    for (int i = 0; i < 300000; ++i) {
        double x = snRandom_Range(&r, -1, 1) * (i % 3 == 0 ? 708 : i % 3 == 1 ? 1 : 1e-5);
        assert_below(ulps(snExp(x), expl((long double)x)), promised);
    }
    assert_close(snExp(0), 1, 0);
    assert_true(snExp(709.78) < HUGE_VAL && snExp(709.79) == HUGE_VAL && snExp(1e300) == HUGE_VAL);
    assert_true(snExp(HUGE_VAL) == HUGE_VAL && snExp(-HUGE_VAL) == 0 && snExp(-1e300) == 0);
    // what would be subnormal is zero, in any mode of the processor
    assert_true(snExp(-708.3) > DBL_MIN && snExp(-708.4) == 0);
    assert_true(isnan(snExp((double)NAN)));
}

// A million results as one number: the same for every compiler, instruction set and processor.
static void sameBitsEverywhere(void** state)
{
    (void)state;
    enum { COUNT = 200000, PER = 5 };
    double* results = malloc(COUNT * PER * sizeof(double));
    assert_non_null(results);
    snRandom r = snRandom_Seed(7);
    for (int i = 0; i < COUNT; ++i) {
        double x = snRandom_Range(&r, -1, 1), y = snRandom_Range(&r, -1, 1);
        double* out = results + (ptrdiff_t)i * PER;
        snSinCos(x * (i % 4 == 0 ? 1e9 : i % 4 == 1 ? 1e5 : 7), &out[0], &out[1]);
        out[2] = snAtan2(x, y);
        out[3] = snAcos(x);
        out[4] = snExp(20 * y);
    }
    uint64_t hash = snHash(results, COUNT * PER * sizeof(double), 0);
    free(results);
    if (hash != UINT64_C(0x0ec2bdf72dc41f10)) {
        print_error("hash 0x%016llx\n", (unsigned long long)hash);
        fail();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sinCosAreAccurate),   cmocka_unit_test(sinCosAreAccurateAtTheirZeros),
        cmocka_unit_test(sinCosAreOddAndEven), cmocka_unit_test(atan2IsAccurate),
        cmocka_unit_test(atan2AtTheEdges),     cmocka_unit_test(asinAndAcosAreAccurate),
        cmocka_unit_test(expIsAccurate),       cmocka_unit_test(sameBitsEverywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
