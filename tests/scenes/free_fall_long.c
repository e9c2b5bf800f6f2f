// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long

// The four starfish to the end: they lie, and nothing but gravity and contact has moved them.
#include "scenes/acting.h"

#define QUIET 0.02 // m/s

static void theyComeToRest(void** state)
{
    (void)state;
    Act act = beginAct("free_fall");
    const snFrame* f = snSim_Frame(act.sim);
    const double size = sizeOfBody(f->characters);
    while (f->time < snScene_Def(act.scene)->duration - 1e-6) {
        f = nextFrame(&act);
    }
    for (int32_t i = 0; i < f->character_count; ++i) {
        const snFrameCharacter* c = &f->characters[i];
        double speed = snLength(c->momentum.linear) / c->momentum.mass;
        print_message("%s: %.1f mm/s, deepest %.1f mm of %.2f m\n", c->name, 1e3 * speed,
                      1e3 * c->deepest, size);
        assert_below(speed, QUIET);
        assert_below(c->deepest, SUNK * size);
    }
    endAct(&act);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(theyComeToRest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
