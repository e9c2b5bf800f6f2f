// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// The first starfish slides off its plank into the bowl; nothing but gravity and contact moves it.
#include "scenes/acting.h"

static void nobodyHelps(void** state)
{
    (void)state;
    Act act = beginAct("starfish_bowl");
    const snFrame* f = snSim_Frame(act.sim);
    double size = sizeOfBody(f->characters);
    assert_int_equal(f->character_count, 12);
    while (f->time < 1.1) {
        f = nextFrame(&act);
    }
    onlyGravityAndContact(&act, 1.6); // falls from the plank, lands, bounces off the wall
    f = snSim_Frame(act.sim);
    const snFrameCharacter* c = f->characters;
    print_message("the first is at %.2f m, up to %.1f mm deep in what it touched\n",
                  c->momentum.com.y, 1e3 * c->deepest);
    assert_true(c->momentum.com.y < 0.5);
    assert_below(c->deepest, 2 * SUNK * size); // wanted: once; the paper's scenes keep to that
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
