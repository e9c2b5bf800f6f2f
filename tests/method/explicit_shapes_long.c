// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long

// A starfish that is inside out everywhere comes back, as the worm of explicit_shapes.c does.
#include "method/squash.h"

static void invertedStarfishRecovers(void** state)
{
    (void)state;
    snCharacter* star = remake("starfish", 1500, true, sn_diagonalSelective);
    assert_below(recover(star, mirrorHalf, 8, 0), 0.01);
    assert_below(recover(star, mirror, 8, 0), 0.01);
    snCharacter_Release(star);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(invertedStarfishRecovers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
