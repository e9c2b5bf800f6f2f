// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Fatman tips over the edge of the stairs; nothing but gravity and contact moves him.
#include "scenes/acting.h"

static void nobodyHelps(void** state)
{
    (void)state;
    Act act = beginAct("fatman_stairs");
    double from = snSim_Frame(act.sim)->characters[0].momentum.com.z;
    onlyGravityAndContact(&act, 0.4);
    const snFrameCharacter* c = &snSim_Frame(act.sim)->characters[0];
    print_message("he has gone %.3f m, up to %.1f mm deep in the stairs\n",
                  c->momentum.com.z - from, 1e3 * c->deepest);
    assert_true(c->momentum.com.z > from);
    endAct(&act);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobodyHelps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
