// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// The tray goes, the first starfish falls into the bowl and the second onto it; nothing but gravity
// and contact moves it.
#include "scenes/acting.h"

static void nobodyHelps(void** state)
{
    (void)state;
    Act act = beginAct("starfish_bowl");
    const snFrame* f = snSim_Frame(act.sim);
    const double size = sizeOfBody(f->characters);
    assert_int_equal(f->character_count, 12);
    while (f->time < 1.8) {
        f = nextFrame(&act);
    }
    for (int i = 0; i < 2; ++i) {
        const snFrameCharacter* c = &f->characters[i];
        print_message("number %d is at %.2f m, was up to %.1f mm deep in what it touched\n", i + 1,
                      c->momentum.com.y, 1e3 * c->deepest);
        assert_true(c->momentum.com.y < 0.4);
        assert_below(c->deepest, SUNK * size);
    }
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
