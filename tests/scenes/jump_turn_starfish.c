// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// A starfish jumps off the ground by itself, turns over in the air and lies on its back.
#include "math/quat.h"
#include "scenes/acting.h"

#define MOST_TORQUE 150.0 // Nm, as the scene states
#define MOST_POWER 3000.0 // W

static double upOf(const snFrameCharacter* c)
{
    return snQRotate(c->bones[0].q, snV3(0, 1, 0)).y;
}

static double lowestOf(const snFrameCharacter* c)
{
    double y = HUGE_VAL;
    for (int32_t i = 0; i < c->surfaces[0].vertex_count; ++i) {
        y = fmin(y, pointAt(c->surfaces[0].position, i).y);
    }
    return y;
}

static void itTurnsOverInTheAir(void** state)
{
    (void)state;
    Act act = beginAct("jump_turn_starfish");
    const snFrame* f = snSim_Frame(act.sim);
    const double size = sizeOfBody(f->characters), from = f->characters[0].momentum.com.y;
    double highest = 0, clear = 0, most = -1, least = 1; // up axis while nothing touches the ground
    while (f->time < snScene_Def(act.scene)->duration - 1e-6) {
        f = nextFrame(&act);
        const snFrameCharacter* c = f->characters;
        double low = lowestOf(c);
        highest = fmax(highest, c->momentum.com.y - from);
        if (f->time > 1 && low > 0.005) {
            clear = fmax(clear, low);
            most = fmax(most, upOf(c));
            least = fmin(least, upOf(c));
        }
    }
    const snFrameCharacter* c = f->characters;
    print_message("up by %.2f m, %.2f m clear of the ground, up axis %.2f to %.2f in the air, %.3f "
                  "in the end; %.0f Nm, %.0f W; deepest %.1f mm of %.2f m\n",
                  highest, clear, most, least, upOf(c), c->peak_torque, c->peak_power,
                  1e3 * c->deepest, size);
    assert_true(highest > 0.25 && clear > 0.02);
    assert_true(most > 0 && least < 0); // it turns over there, not on the ground
    assert_true(upOf(c) < -0.95);
    assert_below(snLength(c->momentum.linear), 0.05 * c->momentum.mass); // and lies
    assert_true(c->peak_torque < 1.001 * MOST_TORQUE);
    assert_below(c->peak_power, MOST_POWER);
    assert_below(c->deepest, SUNK * size);
    endAct(&act);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(itTurnsOverInTheAir)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
