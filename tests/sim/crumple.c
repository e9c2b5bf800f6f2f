// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Flesh that is crumpled through itself comes loose again.
#include "sim/pudding.h"

#define LEFT 0.01    // of the most elastic energy, at the end
#define CRUMPLED 100 // cells inside out
#define WORSE 1.1    // that edges may be at the end than without self contact

static void crumpledFleshComesLoose(void** state)
{
    (void)state;
    Crash with = crash(1), without = crash(0);
    assert_true(with.inverted > CRUMPLED);
    assert_int_equal(with.inverted_end, 0);
    assert_below(with.elastic_end, LEFT * with.elastic);
    assert_below(with.stretch.most, WORSE * without.stretch.most);
    assert_below(without.stretch.least, WORSE * with.stretch.least);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crumpledFleshComesLoose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
