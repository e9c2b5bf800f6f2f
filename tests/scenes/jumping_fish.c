// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// A fish leaps off the ground by its own strength, half its length high, and comes to rest again.
#include "scenes/acting.h"

#define MOST_TORQUE 700.0 // Nm, as the scene states
#define MOST_POWER 17e3   // W
#define LIMP 1.315        // s: from then on no joint does anything
#define REST 0.1          // m/s

static double lowestOf(const snFrameCharacter* c)
{
    double y = HUGE_VAL;
    for (int32_t i = 0; i < c->surfaces[0].vertex_count; ++i) {
        y = fmin(y, pointAt(c->surfaces[0].position, i).y);
    }
    return y;
}

static void itLeaps(void** state)
{
    (void)state;
    Act act = beginAct("jumping_fish");
    const snFrame* f = snSim_Frame(act.sim);
    const double size = sizeOfBody(f->characters), from = f->characters[0].momentum.com.y;
    double clear = 0, highest = 0;
    while (f->time < snScene_Def(act.scene)->duration - 1e-6) {
        f = nextFrame(&act);
        const snFrameCharacter* c = f->characters;
        clear = fmax(clear, lowestOf(c));
        highest = fmax(highest, c->momentum.com.y - from);
        if (f->time > LIMP + 0.05) {
            assert_true(c->power == 0);
        }
    }
    const snFrameCharacter* c = f->characters;
    double speed = snLength(c->momentum.linear) / c->momentum.mass;
    print_message("its lowest point %.3f m above the ground, %.2f of its length, its middle up by "
                  "%.2f m; %.0f Nm, %.0f W, %.0f W/kg; %.1f mm/s in the end; deepest %.1f mm of "
                  "%.2f m\n",
                  clear, clear / size, highest, c->peak_torque, c->peak_power,
                  c->peak_power / c->momentum.mass, 1e3 * speed, 1e3 * c->deepest, size);
    assert_true(clear >= 0.5 * size);
    assert_below(speed, REST);
    assert_true(c->contact_count > 0);
    assert_below(c->peak_torque, MOST_TORQUE);
    assert_below(c->peak_power, MOST_POWER);
    assert_below(c->deepest, SUNK * size);
    endAct(&act);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(itLeaps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
