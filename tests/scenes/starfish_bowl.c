// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// The first trays go, the first starfish falls into the bowl and the next onto it; nothing but
// gravity and contact moves them, and none sinks in.
#include "scenes/acting.h"

static void nobodyHelps(void** state)
{
    (void)state;
    Act act = beginAct("starfish_bowl");
    while (snSim_Time(act.sim) < 1.2) {
        nextFrame(&act);
    }
    endAct(&act);
}

static void noneSinksIn(void** state)
{
    (void)state;
    Act act = beginAct("starfish_bowl");
    const snFrame* f = snSim_Frame(act.sim);
    const double size = sizeOfBody(f->characters);
    assert_int_equal(f->character_count, 12);
    act.unwatched = true;
    while (f->time < 2) {
        f = nextFrame(&act);
    }
    for (int i = 0; i < f->character_count; ++i) {
        const snFrameCharacter* c = &f->characters[i];
        print_message("number %d is at %.2f m, was up to %.1f mm deep in what it touched\n", i + 1,
                      c->momentum.com.y, 1e3 * c->deepest);
        assert_true(i > 1 || c->momentum.com.y < 0.4);
        assert_below(c->deepest, SUNK * size);
    }
    endAct(&act);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobodyHelps),
        cmocka_unit_test(noneSinksIn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
