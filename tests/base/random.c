// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
#include "check.h"

#include "base/random.h"

enum { draws = 200000 };

// Five standard errors: a right generator fails once in two million runs, and the seed is fixed.
static double fiveSigma(double deviation)
{
    return 5 * deviation / sqrt(draws);
}

// The generator's published test vector: state 42, stream 54 (O'Neill's pcg32 demo).
static void testMatchesThePublishedSequence(void** state)
{
    (void)state;
    static const uint32_t expected[] = {0xa15c02b7, 0x7b47f409, 0xba1d3330,
                                        0x83d2f293, 0xbfa4784b, 0xcbed606e};
    snRandom random = {0, 54u << 1 | 1};
    snRandom_Bits(&random);
    random.state += 42;
    snRandom_Bits(&random);
    for (int i = 0; i < 6; ++i) {
        assert_int_equal(snRandom_Bits(&random), expected[i]);
    }
}

static void testSeeds(void** state)
{
    (void)state;
    snRandom a = snRandom_Seed(5);
    snRandom b = snRandom_Seed(5);
    snRandom c = snRandom_Seed(6);
    int same = 0;
    for (int i = 0; i < 1000; ++i) {
        uint32_t bits = snRandom_Bits(&a);
        assert_int_equal(bits, snRandom_Bits(&b));
        same += bits == snRandom_Bits(&c);
    }
    assert_int_equal(same, 0);
}

static void testUniform(void** state)
{
    (void)state;
    snRandom random = snRandom_Seed(1);
    double sum = 0;
    double square = 0;
    for (int i = 0; i < draws; ++i) {
        double u = snRandom_Unit(&random);
        assert_true(u >= 0 && u < 1);
        sum += u;
        square += u * u;
        double r = snRandom_Range(&random, -3, 7);
        assert_true(r >= -3 && r <= 7);
    }
    assert_close(sum / draws, 0.5, fiveSigma(sqrt(1.0 / 12)));
    assert_close(square / draws, 1.0 / 3, fiveSigma(sqrt(4.0 / 45)));
}

static void testBelowIsUnbiased(void** state)
{
    (void)state;
    snRandom random = snRandom_Seed(2);
    int counts[7] = {0};
    int top = 0;
    for (int i = 0; i < draws; ++i) {
        uint32_t k = snRandom_Below(&random, 7);
        assert_true(k < 7);
        counts[k] += 1;
        // a plain remainder would give the lower half of these twice as often
        top += snRandom_Below(&random, 3u << 30) >= 3u << 29;
    }
    for (int k = 0; k < 7; ++k) {
        assert_close(counts[k] / (double)draws, 1.0 / 7, fiveSigma(sqrt(6.0 / 49)));
    }
    assert_close(top / (double)draws, 0.5, fiveSigma(0.5));
    assert_int_equal(snRandom_Below(&random, 1), 0);
}

static void testNormal(void** state)
{
    (void)state;
    snRandom random = snRandom_Seed(3);
    double sum = 0;
    double square = 0;
    for (int i = 0; i < draws; ++i) {
        double x = snRandom_Normal(&random);
        assert_true(x >= -6 && x <= 6);
        sum += x;
        square += x * x;
    }
    assert_close(sum / draws, 0, fiveSigma(1));
    assert_close(square / draws, 1, fiveSigma(sqrt(2)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testMatchesThePublishedSequence),
        cmocka_unit_test(testSeeds),
        cmocka_unit_test(testUniform),
        cmocka_unit_test(testBelowIsUnbiased),
        cmocka_unit_test(testNormal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
