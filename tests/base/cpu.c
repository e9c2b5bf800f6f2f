// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
#include "check.h"

#include "base/cpu.h"

static void testChoiceNeverExceedsWhatIsThere(void** state)
{
    (void)state;
    snIsa best = snCpu_Best();
    assert_true(best >= sn_isaBaseline && best <= sn_isaAvx512);
    assert_int_equal(snCpu_Choose(sn_isaAuto), best);
    assert_int_equal(snCpu_Choose(-5), best);
    assert_int_equal(snCpu_Choose(1000), best);
    for (int isa = sn_isaBaseline; isa <= sn_isaAvx512; ++isa) {
        assert_int_equal(snCpu_Choose(isa), isa < (int)best ? isa : (int)best);
    }
}

static void testNamesReadBack(void** state)
{
    (void)state;
    for (int isa = sn_isaAuto; isa <= sn_isaAvx512; ++isa) {
        snIsa read = (snIsa)-1;
        assert_true(snIsa_FromName(snIsa_Name((snIsa)isa), &read));
        assert_int_equal(read, isa);
    }
    snIsa untouched = sn_isaAvx2;
    assert_false(snIsa_FromName("AVX2", &untouched));
    assert_false(snIsa_FromName("", &untouched));
    assert_int_equal(untouched, sn_isaAvx2);
    assert_string_equal(snIsa_Name((snIsa)7), "unknown");
}

static void testModeFlushesAndIsRestored(void** state)
{
    (void)state;
    volatile double least = 0x1p-1022;
    volatile double half = least / 2;
    assert_true(half > 0);
    snFpMode mode = snFpMode_Enter();
    volatile double product = least * 0.5;
    snFpMode inner = snFpMode_Enter();
    snFpMode_Leave(inner);
    volatile double still = least * 0.5;
    snFpMode_Leave(mode);
#if defined(__x86_64__)
    assert_true(product == 0 && still == 0);
#else
    assert_true(product == half && still == half);
#endif
    volatile double after = least * 0.5;
    assert_true(after == half && after > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testChoiceNeverExceedsWhatIsThere),
        cmocka_unit_test(testNamesReadBack),
        cmocka_unit_test(testModeFlushesAndIsRestored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
