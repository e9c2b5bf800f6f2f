// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Four starfish that are let go fall and land by gravity and contact alone. (flesh_long.c:
// alike; free_fall_long.c: to the end.)
#include "scenes/acting.h"

#define UNTIL 0.3 // s: the first arms have landed

static void theyLand(void** state)
{
    (void)state;
    Act act = beginAct("free_fall");
    const double size = sizeOfBody(snSim_Frame(act.sim)->characters);
    const snFrame* f = snSim_Frame(act.sim);
    while (f->time < UNTIL) {
        f = nextFrame(&act);
    }
    for (int32_t i = 0; i < f->character_count; ++i) {
        const snFrameCharacter* c = &f->characters[i];
        print_message("%s: deepest %.1f mm of %.2f m\n", c->name, 1e3 * c->deepest, size);
        assert_true(c->deepest > 0);                            // it has landed
        assert_true(c->peak_torque == 0 && c->peak_power == 0); // limp
        assert_below(c->deepest, SUNK * size);
    }
    endAct(&act);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(theyLand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
