// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Sorted, stable, a permutation; whatever bytes of the keys differ.
#include "geom/sort.h"
#include "base/random.h"
#include "check.h"

#define MOST 5000

static void test_sort(void** state)
{
    (void)state;
    static uint64_t key[MOST], before[MOST];
    static int32_t value[MOST];
    snRandom r = snRandom_Seed(1);
    const uint64_t masks[] = {0, 0xff, 0xff00, 0x3, ~(uint64_t)0, 0xff000000000000ff};
    const int32_t counts[] = {0, 1, 2, 17, MOST};
    for (size_t m = 0; m < 6; ++m) {
        for (size_t c = 0; c < 5; ++c) {
            snArena arena;
            snArena_Init(&arena, NULL);
            for (int32_t i = 0; i < counts[c]; ++i) {
                key[i] = ((uint64_t)snRandom_Bits(&r) << 32 | snRandom_Bits(&r)) & masks[m];
                before[i] = key[i];
                value[i] = i;
            }
            snSort_Pairs(&arena, key, value, counts[c]);
            assert_false(arena.failed);
            for (int32_t i = 0; i < counts[c]; ++i) {
                assert_true(before[value[i]] == key[i]);
                assert_true(i == 0 || key[i - 1] < key[i] ||
                            (key[i - 1] == key[i] && value[i - 1] < value[i]));
            }
            snArena_Free(&arena);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sort)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
