// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Fatman leans over the edge of the stairs; nothing but gravity and contact moves him.
#include "scenes/acting.h"

static void nobodyHelps(void** state)
{
    (void)state;
    Act act = beginAct("fatman_stairs");
    const snFrame* f = snSim_Frame(act.sim);
    const double from = f->characters[0].momentum.com.z, size = sizeOfBody(f->characters);
    while (f->time < 0.4) {
        f = nextFrame(&act);
    }
    const snFrameCharacter* c = f->characters;
    print_message("he has gone %.3f m, up to %.1f mm deep in the stairs\n",
                  c->momentum.com.z - from, 1e3 * c->deepest);
    assert_true(c->momentum.com.z > from);
    assert_below(c->deepest, SUNK * size);
    assert_int_equal(f->guard.retries, 0);
    endAct(&act);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobodyHelps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
