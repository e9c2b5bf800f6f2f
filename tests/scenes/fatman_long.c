// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long

// Fatman's whole dance, and his skin wherever the lattice lies.
#include "scenes/belly.h"

static void testOwnSkin(void** state)
{
    (void)state;
    checkOwnSkin(8);
}

static void testDance(void** state)
{
    (void)state;
    checkDance(snScene_Def(scene)->duration);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testOwnSkin), cmocka_unit_test(testDance)};
    return cmocka_run_group_tests(tests, open, shut);
}
