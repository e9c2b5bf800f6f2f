// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
#include "check.h"

#include "base/hash.h"
#include "base/random.h"

static int bitCount(uint64_t bits)
{
    int count = 0;
    for (; bits > 0; bits &= bits - 1) {
        ++count;
    }
    return count;
}

// Changing any one bit of the input or the seed changes about half of the 64 bits.
static void testAvalanche(void** state)
{
    (void)state;
    snRandom random = snRandom_Seed(1);
    uint8_t bytes[100];
    for (size_t i = 0; i < sizeof(bytes); ++i) {
        bytes[i] = (uint8_t)snRandom_Bits(&random);
    }
    double sum = 0;
    int count = 0;
    for (size_t length = 1; length <= sizeof(bytes); length += 3) {
        uint64_t before = snHash(bytes, length, 7);
        for (size_t bit = 0; bit < length * 8; ++bit) {
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
            int changed = bitCount(before ^ snHash(bytes, length, 7));
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
            assert_true(changed >= 10); // binomial(64, 1/2) is below 10 once in 10^8
            sum += changed;
            ++count;
        }
        assert_true(bitCount(before ^ snHash(bytes, length, 6)) >= 10);
    }
    assert_close(sum / count, 32, 5 * 4 / sqrt(count)); // five standard errors
}

// Zeros of different lengths, as in padded state blocks, and all other prefixes differ.
static void testLengthCounts(void** state)
{
    (void)state;
    uint8_t zeros[300] = {0};
    uint64_t seen[300];
    for (size_t i = 0; i < 300; ++i) {
        seen[i] = snHash(zeros, i, 0);
        for (size_t j = 0; j < i; ++j) {
            assert_true(seen[i] != seen[j]);
        }
    }
}

static void testAlignmentDoesNotCount(void** state)
{
    (void)state;
    uint8_t bytes[128];
    for (size_t i = 0; i < sizeof(bytes); ++i) {
        bytes[i] = (uint8_t)(i % 8 * 37);
    }
    for (size_t shift = 0; shift < 64; shift += 8) {
        assert_true(snHash(bytes + shift, 64, 3) == snHash(bytes, 64, 3));
        uint8_t moved[70];
        memcpy(moved + shift % 5, bytes, 64);
        assert_true(snHash(moved + shift % 5, 64, 3) == snHash(bytes, 64, 3));
    }
}

// The value is part of golden files and must be the same on every machine and in every version.
static void testPinnedValues(void** state)
{
    (void)state;
    assert_true(snHash("", 0, 0) == 0xC9B7BAD6C363B16Fu);
    assert_true(snHash("sinew", 5, 1) == 0x8E0E49E67A5ED431u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testAvalanche),
        cmocka_unit_test(testLengthCounts),
        cmocka_unit_test(testAlignmentDoesNotCount),
        cmocka_unit_test(testPinnedValues),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
