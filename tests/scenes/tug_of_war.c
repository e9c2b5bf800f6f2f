// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Two worms pull at a board; the one with the rough skin drags it over its line, and the other one
// with it. Where the skins are alike nobody wins.
#include "math/quat.h"
#include "scenes/acting.h"

#define MOST_TORQUE 50.0 // Nm, as the scene states
#define MOST_POWER 800.0 // W
#define LINE 0.5         // m, from the middle
#define FAR 0.5          // m, that both worms go at least: half a worm
#define BOARD 0.5        // m, its length
#define TIE 0.15         // m, that a board moves which nobody wins: less than two heaves
#define LIFT 0.05        // m: a neck higher than that over where it began left its pegs

// How far from the middle between its two pegs a worm bends its head: it holds on as long as that
// is less than the head is long.
static double gapOf(const snFrame* f, int32_t who)
{
    const snTransform board = f->obstacles[0].pose;
    snVec3 pegs = {0, 0, who ? 0.2 : -0.2};
    pegs = snAdd(board.p, snQRotate(board.q, pegs));
    snVec3 d = snSub(f->characters[who].bones[1].p, pegs);
    d.y = 0;
    return snLength(d);
}

// The worst of a run, and how it ended.
typedef struct Outcome {
    double way[2]; // of the worms' centres of mass along z, m
    double board;
    double sunk; // how deep the board is in the ground, m
    double size, deepest, torque, power, gap, highest;
} Outcome;

// With friction on the ground of the rough and of the smooth worm.
static Outcome pull(double rough, double smooth, double until, bool watched)
{
    snScene* scene = NULL;
    snMessage why;
    assert_ok(snBuiltinScene_Find("tug_of_war")->make(NULL, &scene, &why), why);
    assert_ok(snScene_SetPair(scene, "rough", "ground", rough, 0, &why), why);
    assert_ok(snScene_SetPair(scene, "smooth", "ground", smooth, 0, &why), why);
    Act act = openAct(scene);
    act.unwatched = !watched;
    Outcome o = {.size = HUGE_VAL};
    double from[2], height[2];
    const snFrame* f = snSim_Frame(act.sim);
    for (int32_t i = 0; i < 2; ++i) {
        from[i] = f->characters[i].momentum.com.z;
        height[i] = f->characters[i].bones[1].p.y;
        o.size = fmin(o.size, sizeOfBody(&f->characters[i]));
    }
    while (f->time < until - 1e-6) {
        f = nextFrame(&act);
        o.sunk = fmax(o.sunk, -f->obstacles[0].pose.p.y);
        for (int32_t i = 0; i < 2; ++i) {
            o.gap = fmax(o.gap, gapOf(f, i));
            o.highest = fmax(o.highest, f->characters[i].bones[1].p.y - height[i]);
        }
    }
    for (int32_t i = 0; i < 2; ++i) {
        const snFrameCharacter* c = &f->characters[i];
        o.way[i] = c->momentum.com.z - from[i];
        o.deepest = fmax(o.deepest, c->deepest);
        o.torque = fmax(o.torque, c->peak_torque);
        o.power = fmax(o.power, c->peak_power);
    }
    o.board = f->obstacles[0].pose.p.z;
    print_message("friction %.2f and %.2f, %.1f s: worms moved by %.2f and %.2f m, the board by "
                  "%.2f m; necks %.2f m from their pegs at most, %.2f m up; %.0f Nm, %.0f W; "
                  "deepest %.1f mm of %.2f m, the board %.1f mm\n",
                  rough, smooth, f->time, o.way[0], o.way[1], o.board, o.gap, o.highest, o.torque,
                  o.power, 1e3 * o.deepest, o.size, 1e3 * o.sunk);
    endAct(&act);
    return o;
}

static void theRoughOneWins(void** state)
{
    (void)state;
    Outcome o = pull(1.2, 0.15, 9.3, true); // as the scene has it, to the end
    assert_below(o.way[0], -FAR);
    assert_below(o.way[1], -FAR);
    assert_below(o.board, -LINE);
    assert_below(o.gap, 0.2); // the head is 0.28 m long, and bent
    assert_below(o.highest, LIFT);
    assert_below(o.torque, MOST_TORQUE);
    assert_below(o.power, MOST_POWER);
    assert_below(o.deepest, SUNK * o.size);
    assert_below(o.sunk, SUNK * BOARD);
}

static void itIsTheSkin(void** state)
{
    (void)state;
    Outcome tie = pull(1.2, 1.2, 4, false);
    assert_below(fabs(tie.board), TIE);
    Outcome other = pull(0.15, 1.2, 4, false);
    assert_true(other.board > TIE);
    assert_true(other.way[0] > TIE && other.way[1] > TIE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(theRoughOneWins),
                                       cmocka_unit_test(itIsTheSkin)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
